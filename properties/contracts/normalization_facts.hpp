#pragma once
// The truth of layer_norm and rms_norm, and what their bounds need of a case.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "errorbounds/magnitude.hpp"
#include "errorbounds/normalization.hpp"
#include "oracle/ball_functions.hpp"
#include "properties/contracts/normalization_cases.hpp"

namespace assay::contracts::normalization {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Exact;

// ------------------------------------------------------------------------------------------------------ specials

template <class Case>
bool is_finite_row(const Case& c, std::size_t r) {
  return std::ranges::all_of(row_of(c.x, c.columns, r), [](const auto& each) {
    return oracle::is_finite(format<typename Case::Number>, bits_of(each));
  });
}

/// What a number of a finite row must be by its weight and its bias.
template <class Case>
Expected expected_in_column(const Case& c, std::size_t i) {
  using T = typename Case::Number;
  const auto is_nan = [](const T& each) { return oracle::is_nan(format<T>, bits_of(each)); };
  const auto is_finite = [](const T& each) { return oracle::is_finite(format<T>, bits_of(each)); };
  if (is_nan(c.weight[i])) return Expected::nan;
  if constexpr (has_mean<Case>) {
    if (is_nan(c.bias[i])) return Expected::nan;
    if (!is_finite(c.bias[i])) {
      if (!Moderate<T>::is_weight(c.weight[i])) return Expected::no_number;
      return oracle::is_negative(format<T>, bits_of(c.bias[i])) ? Expected::minus_infinity : Expected::infinity;
    }
  }
  return is_finite(c.weight[i]) ? Expected::number : Expected::no_number;
}

/// What a number of a row with a NaN or an infinity must be. Of rms_norm, finite numbers beside an infinity are divided
/// by it.
template <class Case>
Expected expected_in_special_row(const Case& c, std::size_t r, std::size_t i) {
  using T = typename Case::Number;
  if constexpr (has_mean<Case>) return Expected::nan;
  const auto row = row_of(c.x, c.columns, r);
  const bool has_nan = std::ranges::any_of(row, [](const T& each) { return oracle::is_nan(format<T>, bits_of(each)); });
  const bool is_number =
      oracle::is_finite(format<T>, bits_of(row[i])) && oracle::is_finite(format<T>, bits_of(c.weight[i]));
  return has_nan || !is_number ? Expected::nan : Expected::zero_or_nan;
}

/// What the numbers of a result must be; empty where all are judged by their errors.
template <class Case>
std::vector<Expected> expected_of(const Case& c) {
  std::vector<Expected> expected;
  bool is_finite = all_finite(c.x) && all_finite(c.weight);
  if constexpr (has_mean<Case>) is_finite = is_finite && all_finite(c.bias);
  if (is_finite) return expected;
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    const bool is_row_finite = is_finite_row(c, r);
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      expected.push_back(is_row_finite ? expected_in_column(c, i) : expected_in_special_row(c, r, i));
    }
  }
  return expected;
}

// -------------------------------------------------------------------------------------------------------- truth

/// The exact numbers of a row: y = N·w/√R + b with N = nx − Σxⱼ, or nx for rms_norm, and R = n²V.
struct ExactRow {
  Dyadic n;
  Dyadic sum;             ///< Σxⱼ for layer_norm, 0 for rms_norm
  Dyadic magnitudes;      ///< Σ|xⱼ|
  Dyadic squares;         ///< Σxⱼ²
  Dyadic radicand;        ///< R
  Dyadic variance_times;  ///< n²v, or n²q for rms_norm
};

template <class Case>
ExactRow exact_row(const Case& c, std::size_t r) {
  ExactRow row;
  row.n = c.columns;
  for (const auto& each : row_of(c.x, c.columns, r)) {
    const Dyadic x = value_of(each);
    if constexpr (has_mean<Case>) row.sum += x;
    x.sign() < 0 ? row.magnitudes -= x : row.magnitudes += x;
    row.squares.add_mul(x, x);
  }
  row.variance_times = row.n * row.squares - row.sum * row.sum;
  row.radicand = row.variance_times + row.n * row.n * value_of(c.eps);
  return row;
}

/// √R of a row, by balls that are kept.
class Root {
 public:
  explicit Root(Dyadic radicand) : radicand_(std::move(radicand)) {}
  const Ball& at(long bits) {
    const auto [place, is_new] = known_.try_emplace(bits);
    if (is_new) place->second = sqrt(Ball(radicand_), bits);
    return place->second;
  }

 private:
  Dyadic radicand_;
  std::map<long, Ball> known_;
};

/// N·w of number i of a row, whose column is i.
template <class Case>
Dyadic numerator(const Case& c, const ExactRow& row, std::size_t r, std::size_t i) {
  return (row.n * value_of(row_of(c.x, c.columns, r)[i]) - row.sum) * value_of(c.weight[i]);
}

template <class Case>
Dyadic bias_of(const Case& c, std::size_t i) {
  if constexpr (has_mean<Case>) {
    return value_of(c.bias[i]);
  } else {
    return {};
  }
}

/// The truth of every number; 0 for those that are not judged by their error.
template <class Case>
std::vector<Exact> exact_norm(const Case& c) {
  std::vector<Exact> exact;
  const std::vector<Expected> expected = expected_of(c);
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    if (!is_finite_row(c, r)) {
      exact.resize(exact.size() + static_cast<std::size_t>(c.columns));
      continue;
    }
    const ExactRow row = exact_row(c, r);
    const std::optional<Dyadic> root = oracle::exact_root(row.radicand);
    const auto balls = std::make_shared<Root>(row.radicand);
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      if (!expected.empty() && expected[exact.size()] != Expected::number) {
        exact.emplace_back(Dyadic());
        continue;
      }
      const bool is_weighted = !value_of(c.weight[i]).is_zero();
      const Dyadic above = is_weighted ? numerator(c, row, r, i) : Dyadic();
      const Dyadic bias = bias_of(c, i);
      if (above.is_zero()) {
        exact.emplace_back(bias);
      } else if (root) {
        exact.emplace_back(oracle::Rational(above + bias * *root, *root));
      } else {
        exact.emplace_back(keeping_ball([balls, above, bias](long bits) {
          return add(div(Ball(above), balls->at(bits), bits), Ball(bias), bits);
        }));
      }
    }
  }
  return exact;
}

// -------------------------------------------------------------------------------------------------------- facts

/// numerator/denominator, rounded up. Requires: not negative (not checked).
inline Dyadic quotient_up(const Dyadic& numerator, const Dyadic& denominator) {
  return rounded_up(div(Ball(numerator), Ball(denominator), 64).upper());
}

/// What the bounds need of a row. Nothing is known of a row that is not finite.
struct RowFacts {
  bool is_finite = false;
  bool is_moderate = false;
  NormRow row;
};
/// What the bounds need of a number. Nothing is known of one that is not judged by its error.
struct NumberFacts {
  bool is_known = false;
  bool is_moderate = false;  ///< its weight and its bias
  NormNumber number;
  NormNumberFloor floor;  ///< of `number`
  Dyadic size;            ///< |x|
};
struct Facts {
  std::vector<RowFacts> rows;
  std::vector<NumberFacts> numbers;
  Dyadic inverse_root;  ///< at least 1/√ε
};

inline NormRow norm_row(const ExactRow& row) {
  const Dyadic square = row.n * row.n;
  const Dyadic root = sqrt(Ball(row.radicand), 64).lower();
  return {static_cast<std::uint64_t>(row.n.to_double_nearest()),
          quotient_up(abs(row.sum), row.n),
          quotient_up(row.magnitudes, row.n),
          quotient_up(row.squares, row.n),
          quotient_up(row.variance_times, square),
          quotient_up(square, row.radicand),
          quotient_up(row.n, root)};
}

template <class Case>
bool has_moderate_column(const Case& c, std::size_t i) {
  using T = typename Case::Number;
  if constexpr (has_mean<Case>) {
    if (!Moderate<T>::is_bias(c.bias[i])) return false;
  }
  return Moderate<T>::is_weight(c.weight[i]);
}

template <class Case>
Facts facts_from(const Case& c, const std::vector<Exact>& truth) {
  using T = typename Case::Number;
  Facts facts;
  facts.inverse_root = quotient_up(Dyadic(1), sqrt(Ball(value_of(c.eps)), 64).lower());
  const std::vector<Expected> expected = expected_of(c);
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    RowFacts& row = facts.rows.emplace_back();
    row.is_finite = is_finite_row(c, r);
    if (!row.is_finite) {
      facts.numbers.resize(facts.numbers.size() + static_cast<std::size_t>(c.columns));
      continue;
    }
    const auto numbers = row_of(c.x, c.columns, r);
    row.is_moderate = Moderate<T>::is_row(numbers);
    const ExactRow exact = exact_row(c, r);
    row.row = norm_row(exact);
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      const std::size_t at = facts.numbers.size();
      NumberFacts& number = facts.numbers.emplace_back();
      number.is_known = expected.empty() || expected[at] == Expected::number;
      if (!number.is_known) continue;
      number.is_moderate = has_moderate_column(c, i);
      const Dyadic weight = abs(value_of(c.weight[i]));
      const Dyadic distance = rounded_up(abs(exact.n * value_of(numbers[i]) - exact.sum));
      number.size = abs(value_of(numbers[i]));
      number.number = {rounded_up(distance * weight * quotient_up(Dyadic(1), exact.n) * row.row.inverse_root),
                       rounded_up(magnitude_above(truth[at])), rounded_up(weight * row.row.inverse_root), weight,
                       abs(bias_of(c, i))};
      number.floor = floor_of(number.number);
    }
  }
  return facts;
}

template <class Case>
const Facts& facts_of(const Case& c, const std::vector<Exact>& truth) {
  return kept<Facts>(c, [&] { return facts_from(c, truth); });
}

}  // namespace assay::contracts::normalization
