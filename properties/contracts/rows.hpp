#pragma once
// Operations that work on each row of a matrix by itself: cases, truths that are known by balls, and claims.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "properties/catalog/sum/cases.hpp"
#include "properties/contracts/array_results.hpp"

namespace assay::contracts {

/// The most numbers of a matrix.
inline constexpr std::int64_t most_entries = 8192;

/// A matrix, one row behind the other.
template <FloatingPoint T>
struct RowsCase {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  std::vector<T> x;
  static constexpr auto fields() {
    return std::tuple{field("rows", &RowsCase::rows), field("columns", &RowsCase::columns), field("x", &RowsCase::x)};
  }
};

/// Whether the matrix has so many numbers, and no row is without columns.
bool has_shape(const auto& c) {
  const std::int64_t most = most_of(most_entries);
  return c.rows >= 0 && c.columns >= 1 && c.rows <= most / c.columns && std::ssize(c.x) == c.rows * c.columns;
}

/// Row r of the matrix x.
template <FloatingPoint T>
std::span<const T> row_of(const std::vector<T>& x, std::int64_t columns, std::size_t r) {
  const auto width = static_cast<std::size_t>(columns);
  return std::span(x).subspan(r * width, width);
}

/// Rows and columns: mostly up to 10 columns, often at the edges of warps and blocks, rarely hundreds.
struct Shape {
  std::int64_t rows;
  std::int64_t columns;
};
inline Shape draw_shape(Draw& draw) {
  static constexpr std::array<std::int64_t, 9> edges{31, 32, 33, 63, 64, 65, 127, 128, 129};
  const std::uint64_t kind = draw.below(40);
  const std::int64_t rows = draw.coin() ? 1 : 1 + static_cast<std::int64_t>(draw.below(4));
  if (kind < 32) return {rows, 1 + static_cast<std::int64_t>(draw.below(10))};
  if (kind < 38) return {1 + rows / 4, edges[draw.below(edges.size())]};
  return {1, 130 + static_cast<std::int64_t>(draw.below(kind == 38 ? 100 : 900))};
}

/// A number at least as large as |truth|, above it by a relative 2⁻⁹⁹ at most.
inline oracle::Dyadic magnitude_of(const oracle::Exact& truth) {
  constexpr long bits = 128;
  return std::visit(
      [](const auto& exact) -> oracle::Dyadic {
        using Kind = std::decay_t<decltype(exact)>;
        if constexpr (std::is_same_v<Kind, oracle::Dyadic>) {
          return abs(exact);
        } else if constexpr (std::is_same_v<Kind, oracle::Rational>) {
          return abs(oracle::Ball(exact, bits)).upper();
        } else if constexpr (std::is_same_v<Kind, oracle::SquareRoot>) {
          return sqrt(oracle::Ball(exact.square, bits), bits).upper();
        } else {
          return abs(exact.at(bits)).upper();
        }
      },
      truth);
}

/// The number rounded up to 53 bits. Requires: x ≥ 0, in the range of binary64 (not checked).
inline oracle::Dyadic rounded_up(const oracle::Dyadic& x) { return oracle::exact(x.to_double_up()); }

/// What a result must be where it is no number.
enum class Special { none, nan, minus_infinity };

/// The claim, judged as if every special number of the result were right. special_of(case) tells what each must be, and
/// is empty where all are numbers. The truth of a special number is 0.
template <class SpecialOf, class Judge>
auto apart_from_special(const SpecialOf& special_of, const ClaimSpec<Judge>& claim) {
  const auto judge = [special_of, inner = claim.judge](const auto& c, const auto& truth, const auto& result) {
    const std::vector<Special> special = special_of(c);
    if (special.empty()) return inner(c, truth, result);
    auto numbers = result;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (special[i] != Special::none) numbers[i] = {};
    }
    return inner(c, truth, numbers);
  };
  return ClaimSpec<decltype(judge)>{claim.info, judge};
}

/// Every special number of the result is right.
template <class SpecialOf>
auto special_numbers(std::string id, const AnyTheorem auto& theorem, const SpecialOf& special_of) {
  return satisfies(std::move(id), theorem, [special_of](const auto& c, const auto& result) {
    using T = typename std::remove_cvref_t<decltype(result)>::value_type;
    const std::vector<Special> special = special_of(c);
    for (std::size_t i = 0; i < special.size(); ++i) {
      const std::uint64_t bits = bits_of(result[i]);
      const bool is_right = special[i] == Special::none ||
                            (special[i] == Special::nan ? oracle::is_nan(format<T>, bits)
                                                        : bits == (format<T>.sign_mask() | format<T>.infinity()));
      if (!is_right) return Judgement::fail(i);
    }
    return Judgement::pass();
  });
}

}  // namespace assay::contracts
