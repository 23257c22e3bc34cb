#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <rapidcheck/Random.h>

#include "properties/framework/shared_function.hpp"

namespace rc {
template <typename T>
class Gen;
}  // namespace rc

namespace assay {

/// A stream of random words for one case: xoshiro256** (Blackman, Vigna, ACM TOMS 47(4), 2021). Its 256-bit state is
/// the first block of rc::Random, so the stream is a pure function of the case's key. Cost: some 60 ns for the block,
/// then 1 ns a word; rc::Random alone takes 15 ns a word.
class Draw {
 public:
  explicit Draw(rc::Random random) {
    for (std::uint64_t& each : state_) {
      each = random.next();
    }
    state_[0] |= 1;  // the state 0 would stay 0
  }

  std::uint64_t word() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  /// Uniform in 0…n−1, by multiplication (bias below n·2⁻⁶⁴). Requires: n > 0 (not checked).
  std::uint64_t below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(word()) * n) >> 64);
  }
  /// Uniform in low…high, both included. Requires: low ≤ high (not checked).
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(static_cast<std::int64_t>(high) - low + 1)));
  }
  /// A fair coin.
  bool coin() { return (word() >> 63) != 0; }
  /// True once in n.
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  std::uint64_t state_[4];
};

/// Makes a case from random numbers: of a function of these, or of a generator of RapidCheck, whose header the
/// caller includes. The framework shrinks cases by itself: those of RapidCheck, a dozen classes for each type of cases,
/// are left out.
template <class Case>
class CaseGenerator {
 public:
  template <class F>
    requires std::is_invocable_r_v<Case, const F&, const rc::Random&>
  // NOLINTNEXTLINE(google-explicit-constructor)
  CaseGenerator(F make) : make_(std::move(make)) {}
  template <std::same_as<rc::Gen<Case>> Gen>
  // NOLINTNEXTLINE(google-explicit-constructor)
  CaseGenerator(Gen gen) : make_([gen = std::move(gen)](const rc::Random& random) { return gen(random, 0).value(); }) {}

  Case operator()(const rc::Random& random) const { return make_(random); }

 private:
  SharedFunction<Case(const rc::Random&)> make_;
};

/// The generator that makes a case by `make(Draw&)`. It has one type for all functions, so that the compiler
/// instantiates it once.
template <class Case>
CaseGenerator<Case> drawn(std::type_identity_t<SharedFunction<Case(Draw&)>> make) {
  return [make](const rc::Random& random) {
    Draw draw(random);
    return make(draw);
  };
}

}  // namespace assay
