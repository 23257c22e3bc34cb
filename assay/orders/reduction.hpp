#pragma once
// A kernel that adds numbers, as a black box, and the inputs that show its order.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "assay/prober/unit.hpp"

namespace assay::orders {

using prober::Number;

/// What a reduction is given: patterns of its numbers. `y` is empty for ones.
struct Terms {
  std::vector<std::uint64_t> x;
  std::vector<std::uint64_t> y;
};

/// A kernel that computes Σxᵢ, or Σxᵢyᵢ where it has products.
struct Reduction {
  Number number = Number::f64;  ///< of x and y
  Number result = Number::f64;
  std::size_t terms = 0;
  bool has_products = false;
  /// For a kernel that does more than add: how many ones an answer counts, where M is `large`. Empty: the answer is the
  /// sum.
  std::function<double(double answer, double large)> count_of = nullptr;
  /// The bit pattern of each result. Errors: those of the kernel.
  std::function<std::vector<std::uint64_t>(std::span<const Terms>)> compute;
};

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Asks a reduction with masks: M at one place, −M at another, and a number u at others, so small that M + k·u = M for
/// all k that occur. What is added before the two meet is lost; the result counts the others.
class Masks {
 public:
  /// Requires: two terms or more.
  explicit Masks(const Reduction& reduction);

  /// How many terms had been added when both of a pair had been, for each pair; 0 where the answer is no count. In
  /// narrow formats the ones are spread over several inputs.
  std::vector<std::size_t> added(std::span<const Pair> pairs);

  /// An input with ones at some places and zeros elsewhere.
  struct Drawn {
    Pair pair;
    std::vector<std::uint32_t> ones;  ///< ascending
    bool turned = false;              ///< −M at the first place
    std::optional<Pair> middle = {};  ///< m and −m, as far below M as above u
  };
  /// How many ones the answer to each input counts, plus 1; 0 where the answer is no count.
  std::vector<std::size_t> counted(std::span<const Drawn> drawn);

  /// The pattern that the reduction answers for one pair, each place else a one.
  std::vector<std::uint64_t> patterns(std::span<const Pair> pairs);

  /// The most ones that an input has: so many are counted without an error.
  [[nodiscard]] std::size_t ones() const { return ones_; }
  [[nodiscard]] std::size_t asked() const { return asked_; }
  /// The binades between M and u.
  [[nodiscard]] int binades() const { return large_ - small_; }

 private:
  void set_range(bool subnormal);
  Terms input(const Drawn& drawn) const;
  void put(Terms& terms, std::size_t place, std::uint64_t x, std::uint64_t y) const;
  std::vector<std::size_t> ask(std::span<const Terms> inputs);
  std::size_t countable();

  const Reduction& reduction_;
  int large_ = 0;
  int small_ = 0;
  std::uint64_t plus_ = 0;  ///< the patterns of M, −M and u, as products where there are such
  std::uint64_t minus_ = 0;
  std::uint64_t one_ = 0;
  std::uint64_t large_y_ = 0;
  std::uint64_t small_y_ = 0;
  std::uint64_t unit_y_ = 0;
  std::size_t ones_ = 1;
  std::size_t asked_ = 0;
};

/// So many terms are in a batch of inputs at most, but for a batch of one input.
inline constexpr std::size_t batch_terms = std::size_t{1} << 20;

}  // namespace assay::orders
