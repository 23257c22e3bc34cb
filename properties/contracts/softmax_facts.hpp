#pragma once
// What the bounds of softmax and log_softmax need of a case.

#include <bit>
#include <span>
#include <vector>

#include "errorbounds/magnitude.hpp"
#include "errorbounds/softmax.hpp"
#include "properties/contracts/softmax_cases.hpp"

namespace assay::contracts::softmax {

/// Of which rows a bound speaks: all without NaN and +∞; those whose largest number is moderate; those whose numbers
/// all are.
enum class Rows { all, centred, moderate };

/// What the bounds need of a row.
struct RowFacts {
  bool is_special = false;
  Rows are = Rows::all;  ///< the narrowest kind of rows that it is of
  SoftmaxRow row;
};
/// What they need of a number. Nothing is known of −∞ and of numbers of special rows.
struct NumberFacts {
  bool is_known = false;
  bool is_far = false;
  oracle::Magnitude distance_below;   ///< at most Dᵢ
  oracle::Magnitude magnitude_below;  ///< at most the magnitude of the truth
};
struct Facts {
  std::vector<RowFacts> rows;
  std::vector<NumberFacts> numbers;
};

template <FloatingPoint T>
bool is_of(const Row& row, std::span<const T> x, Rows rows) {
  if (row.is_special) return false;
  if (rows == Rows::centred) return abs(*row.largest) <= Dyadic(centred);
  return rows == Rows::all || (row.n == x.size() && row.size <= Dyadic(moderate<T>));
}

/// At least the magnitude of a truth.
inline Dyadic magnitude_of(const Exact& truth) { return rounded_up(magnitude_above(truth)); }

/// At most the magnitude of a number.
inline oracle::Magnitude least_magnitude(const Near& x, const Exact& truth) {
  const double least = (std::abs(x.high) - std::abs(x.low) - x.radius) * (1 - 0x1p-50);
  return least > 0 ? oracle::Magnitude::lower(least) : oracle::Magnitude::lower(magnitude_of(truth));
}

/// At least ln n: ln 2 < 7/10, and 3277·2⁻¹⁵ > 1/10.
inline Dyadic log_of_numbers(std::uint64_t n) {
  return Dyadic(7 * std::bit_width(n - 1)) * Dyadic(Dyadic::scaled(3277, -15));
}

template <class Function, FloatingPoint T>
Facts facts_from(const RowsCase<T>& c, const std::vector<Exact>& truth) {
  const Dyadic most = oracle::decode_finite(format<Wide<T>>, format<Wide<T>>.largest_finite());
  const std::vector<Near>& nears = nears_of<Function>(c, truth);
  Facts facts;
  for (const Row& row : rows_from(c)) {
    const std::size_t first = facts.numbers.size();
    facts.numbers.resize(first + static_cast<std::size_t>(c.columns));
    RowFacts& of_row = facts.rows.emplace_back();
    of_row.is_special = row.is_special;
    if (row.is_special) continue;
    const auto x = row_of(c.x, c.columns, facts.rows.size() - 1);
    of_row.are = is_of(row, x, Rows::moderate)  ? Rows::moderate
                 : is_of(row, x, Rows::centred) ? Rows::centred
                                                : Rows::all;
    of_row.row = {row.n,       rounded_up(row.widest), log_of_numbers(row.n), abs(*row.largest),
                  row.has_far, rounded_up(row.second)};
    for (std::size_t i = 0; i < row.below.size(); ++i) {
      NumberFacts& number = facts.numbers[first + i];
      if (!row.below[i] || (std::is_same_v<Function, LogSoftmax> && *row.below[i] > most)) continue;
      const std::size_t at = first + i;
      number = {true, *row.below[i] > Dyadic(far_below), oracle::Magnitude::lower(*row.below[i]),
                least_magnitude(nears[at], truth[at])};
      if (std::is_same_v<Function, LogSoftmax> && row.below[i]->is_zero()) {
        of_row.row.log_sum = magnitude_of(truth[at]);
      }
    }
  }
  return facts;
}

template <class Function, FloatingPoint T>
const Facts& facts_of(const RowsCase<T>& c, const std::vector<Exact>& truth) {
  return kept<Facts>(
      c, [&] { return facts_from<Function>(c, truth); }, Function{});
}

}  // namespace assay::contracts::softmax
