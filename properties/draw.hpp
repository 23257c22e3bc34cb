#pragma once

#include <cstdint>
#include <utility>

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

namespace assay {

/// A stream of random words for one case, directly over rc::Random.
class Draw {
 public:
  explicit Draw(const rc::Random& random) : random_(random) {}

  std::uint64_t word() { return random_.next(); }
  /// Uniform in 0…n−1, by multiplication (bias below n·2⁻⁶⁴). Requires: n > 0 (not checked).
  std::uint64_t below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(word()) * n) >> 64);
  }
  /// Uniform in low…high, both included.
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(static_cast<std::int64_t>(high) - low + 1)));
  }
  /// True once in n.
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  rc::Random random_;
};

/// The generator that makes a case by `make(Draw&)`.
template <class Case, class F>
rc::Gen<Case> drawn(F make) {
  return rc::Gen<Case>([make = std::move(make)](const rc::Random& random, int) {
    Draw draw(random);
    return rc::shrinkable::just(make(draw));
  });
}

}  // namespace assay
