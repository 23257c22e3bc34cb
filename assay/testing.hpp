#pragma once
// The judge alone: matchers for GoogleTest whose tolerance is a theorem and whose verdict is exact.
//
//   EXPECT_THAT(my_dot(x, y), assay::testing::WithinDotBound(x, y));
//
// Include gmock/gmock.h for EXPECT_THAT and link GTest::gmock; this header includes neither. The data are double or
// float. No comparison rounds: truth and bound are exact numbers.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/judge.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "errorbounds/theorem.hpp"
#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"
#include "oracle/exact.hpp"

namespace assay::testing {

template <class T>
concept Number = std::same_as<T, double> || std::same_as<T, float>;

/// A vector, span or array of doubles or of floats.
template <class R>
concept Numbers = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                  Number<std::remove_cv_t<std::ranges::range_value_t<R>>>;

namespace detail {

template <Number T>
constexpr const oracle::Format& format_of() {
  return std::is_same_v<T, double> ? oracle::binary64 : oracle::binary32;
}

template <Number T>
constexpr std::uint64_t bits_of(T x) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(x);
  } else {
    return std::bit_cast<std::uint32_t>(x);
  }
}

/// The exact values. Throws std::invalid_argument for a number that is infinite or NaN: no bound speaks of those.
template <Numbers R>
std::vector<oracle::Dyadic> exact_values(const R& x) {
  using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
  std::vector<oracle::Dyadic> values;
  values.reserve(std::ranges::size(x));
  for (const T each : x) {
    if (!oracle::is_finite(format_of<T>(), bits_of(each))) {
      throw std::invalid_argument("the data of a bound must be finite, and entry " + std::to_string(values.size()) +
                                  " is " + oracle::to_hex(format_of<T>(), bits_of(each)));
    }
    values.push_back(oracle::decode_finite(format_of<T>(), bits_of(each)));
  }
  return values;
}

inline std::string words(const oracle::Exact& truth) {
  if (const auto* dyadic = std::get_if<oracle::Dyadic>(&truth)) {
    return oracle::decimal(*dyadic, 25);
  }
  if (const auto* rational = std::get_if<oracle::Rational>(&truth)) {
    return to_string(*rational);
  }
  if (const auto* root = std::get_if<oracle::SquareRoot>(&truth)) {
    return "√(" + to_string(root->square) + ")";
  }
  return "≈ " +
         oracle::shortest_decimal(oracle::binary64, oracle::round(truth, oracle::binary64, oracle::Rounding::nearest));
}

/// numerator / denominator as a decimal, for display.
template <class AnyBound>
std::string decimal(const AnyBound& bound) {
  const oracle::Rational value(bound.numerator, bound.denominator);
  const std::uint64_t near = oracle::round(value, oracle::binary64, oracle::Rounding::nearest);
  return oracle::decimal(oracle::decode_finite(oracle::binary64, near), 4);
}

inline std::string decimal(double x) {
  const std::uint64_t bits = bits_of(x);
  return oracle::is_finite(oracle::binary64, bits) ? oracle::decimal(oracle::exact(x), 4) : "infinitely many";
}

struct Ulps {
  oracle::Dyadic k;
};

/// The reference of a result, and the text of a failure about it.
struct Limit {
  std::variant<Bound, RelativeBound, Ulps, oracle::Rounding> limit;
  std::string formula;
  std::string source;

  std::string words() const {
    const auto value = [&]() -> std::string {
      if (const auto* bound = std::get_if<Bound>(&limit)) return " = " + decimal(*bound);
      if (const auto* bound = std::get_if<RelativeBound>(&limit)) return " = " + decimal(*bound);
      return "";
    }();
    return formula + value + " (" + source + ")";
  }

  template <Number T>
  Judgement judge(T got, const oracle::Exact& truth) const {
    const oracle::Format& format = format_of<T>();
    const std::uint64_t bits = bits_of(got);
    if (const auto* direction = std::get_if<oracle::Rounding>(&limit)) {
      // The sign of a rounded zero is the user's: both pass.
      const bool zero = (bits & ~format.sign_mask()) == 0;
      return judge_rounded(bits, truth, format, *direction,
                           {.negative_zero = zero && oracle::is_negative(format, bits)});
    }
    if (!oracle::is_finite(format, bits)) return Judgement::fail();
    if (const auto* ulps = std::get_if<Ulps>(&limit)) return judge_within_ulps(bits, truth, format, ulps->k);
    const oracle::Dyadic value = oracle::decode_finite(format, bits);
    if (const auto* bound = std::get_if<Bound>(&limit)) return judge_within(value, truth, *bound);
    return judge_within(value, truth, std::get<RelativeBound>(limit));
  }

  /// "got …, exact …, error … = … × the bound …".
  template <Number T>
  void explain(T got, const oracle::Exact& truth, const Judgement& judgement, std::ostream& out) const {
    const oracle::Format& format = format_of<T>();
    const std::uint64_t bits = bits_of(got);
    out << "got " << oracle::to_hex(format, bits) << " (" << oracle::shortest_decimal(format, bits) << "), exact "
        << detail::words(truth);
    if (!oracle::is_finite(format, bits)) {
      out << ", not finite where the truth is";
      return;
    }
    if (std::holds_alternative<oracle::Rounding>(limit)) {
      const std::uint64_t right = oracle::round(truth, format, std::get<oracle::Rounding>(limit));
      out << ", which rounds to " << oracle::to_hex(format, right) << " (" << oracle::shortest_decimal(format, right)
          << ")";
    }
    if (const auto* dyadic = std::get_if<oracle::Dyadic>(&truth)) {
      out << ", error " << oracle::decimal(oracle::decode_finite(format, bits) - *dyadic, 4);
    }
    if (judgement.verdict == Verdict::undecided) {
      out << ", undecided: the truth is not known narrowly enough";
    } else if (!std::holds_alternative<oracle::Rounding>(limit)) {
      out << ", " << decimal(judgement.tightness) << " × the bound " << words();
    }
  }
};

}  // namespace detail

/// Matches one number against its truth. `got` is a double or a float; where a bound comes from data, it must be of the
/// type of the data (checked at compile time).
template <class T = void>
class NumberMatcher {
 public:
  using is_gtest_matcher = void;

  NumberMatcher(oracle::Exact truth, detail::Limit limit) : truth_(std::move(truth)), limit_(std::move(limit)) {}

  template <Number Got>
    requires(std::is_void_v<T> || std::same_as<T, Got>)
  bool MatchAndExplain(Got got, std::ostream* out) const {
    const Judgement judgement = limit_.judge(got, truth_);
    const bool holds = judgement.verdict == Verdict::holds;
    if (out != nullptr && !holds) limit_.explain(got, truth_, judgement, *out);
    return holds;
  }
  void DescribeTo(std::ostream* out) const { *out << "is " << detail::words(truth_) << " within " << limit_.words(); }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "is not " << detail::words(truth_) << " within " << limit_.words();
  }

 private:
  oracle::Exact truth_;
  detail::Limit limit_;
};

/// Matches a matrix against its truth, entry by entry. The matrix is any contiguous range of the type of the data.
template <Number T>
class MatrixMatcher {
 public:
  using is_gtest_matcher = void;

  MatrixMatcher(std::size_t rows, std::vector<oracle::Dyadic> truth, std::vector<detail::Limit> limits)
      : rows_(rows), truth_(std::move(truth)), limits_(std::move(limits)) {}

  template <Numbers Got>
    requires std::same_as<std::remove_cv_t<std::ranges::range_value_t<Got>>, T>
  bool MatchAndExplain(const Got& got, std::ostream* out) const {
    const std::size_t count = std::ranges::size(got);
    if (count != truth_.size()) {
      if (out != nullptr) *out << "which has " << count << " entries instead of " << truth_.size();
      return false;
    }
    const T* entries = std::ranges::data(got);
    Judgement worst;
    std::size_t bad = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Judgement judgement = limits_[i].judge(entries[i], truth_[i]);
      judgement.component = i;
      bad += judgement.verdict == Verdict::holds ? 0U : 1U;
      worst.worsen(judgement);
    }
    if (bad != 0 && out != nullptr) {
      const std::size_t i = worst.component;
      *out << "which has " << bad << " of " << count << " entries outside their bounds; the worst is (" << i % rows_
           << ", " << i / rows_ << "): ";
      limits_[i].explain(entries[i], truth_[i], worst, *out);
    }
    return bad == 0;
  }
  void DescribeTo(std::ostream* out) const { describe(*out, "is a matrix with every entry within "); }
  void DescribeNegationTo(std::ostream* out) const { describe(*out, "is a matrix with an entry outside "); }

 private:
  void describe(std::ostream& out, const char* text) const {
    out << text;
    if (limits_.empty()) {
      out << "its bound; it has no entries";
    } else {
      out << limits_[0].formula << " (" << limits_[0].source << ")";
    }
  }

  std::size_t rows_;
  std::vector<oracle::Dyadic> truth_;
  std::vector<detail::Limit> limits_;
};

namespace detail {

/// The source of a theorem, with its id.
inline std::string source_of(const TheoremWords& theorem) {
  return std::string(theorem.source.text) + "; Theorem " + theorem.id.text;
}

/// The limit of one sum of k products.
template <Number T>
Limit products_limit(std::uint64_t k, const oracle::Dyadic& magnitude) {
  const oracle::Format& format = format_of<T>();
  return {dot_tree_1(k, k == 0 ? 0 : k - 1, magnitude, format),
          "γₖ·Σ|xⱼyⱼ| + (1 + γₖ₋₁)·kη/2 with k = " + std::to_string(k) + ", u = 2^-" + std::to_string(format.precision),
          source_of(dot_tree_1.words)};
}

}  // namespace detail

/// Σ xⱼ and Σ xⱼyⱼ exactly. Requires: finite entries, equal lengths (throws std::invalid_argument).
template <Numbers X>
oracle::Dyadic exact_sum(const X& x) {
  return oracle::exact_sum(detail::exact_values(x));
}
template <Numbers X, Numbers Y>
oracle::Dyadic exact_dot(const X& x, const Y& y) {
  return oracle::exact_dot(detail::exact_values(x), detail::exact_values(y));
}

/// |got − Σ xⱼ| ≤ (n − 1)u·Σ|xⱼ|: a sum of n numbers by n − 1 additions in any order, each rounded to nearest in the
/// format of x. Subnormal results are exact and need no further term.
/// Requires: finite entries (throws std::invalid_argument); no overflow in the summation (an infinite or NaN result
/// does not match). Theorem sum.recursive.1. Cost: 2n exact additions.
template <Numbers X>
auto WithinSumBound(const X& x) {
  using T = std::remove_cv_t<std::ranges::range_value_t<X>>;
  const std::vector<oracle::Dyadic> values = detail::exact_values(x);
  constexpr int p = detail::format_of<T>().precision;
  return NumberMatcher<T>(oracle::exact_sum(values),
                          {sum_recursive_1(values.size(), oracle::exact_abs_sum(values), p),
                           "(n − 1)u·Σ|xⱼ| with n = " + std::to_string(values.size()) + ", u = 2^-" + std::to_string(p),
                           detail::source_of(sum_recursive_1.words)});
}

/// |got − Σ xⱼyⱼ| ≤ γ_n·Σ|xⱼyⱼ| + (1 + γ_(n−1))·nη/2: a dot product of n terms in any order of additions, with or
/// without FMA, each operation rounded to nearest in the format of x and y; η is the smallest subnormal.
/// Requires: equal lengths, finite entries (throws std::invalid_argument); nu < 1 (throws std::domain_error); no
/// overflow (an infinite or NaN result does not match). Theorem dot.tree.1. Cost: 2n exact
/// multiplications.
template <Numbers X, Numbers Y>
auto WithinDotBound(const X& x, const Y& y) {
  using T = std::remove_cv_t<std::ranges::range_value_t<X>>;
  static_assert(std::same_as<T, std::remove_cv_t<std::ranges::range_value_t<Y>>>, "x and y have one type");
  const std::vector<oracle::Dyadic> a = detail::exact_values(x);
  const std::vector<oracle::Dyadic> b = detail::exact_values(y);
  oracle::Dyadic truth = oracle::exact_dot(a, b);
  return NumberMatcher<T>(std::move(truth), detail::products_limit<T>(a.size(), oracle::exact_abs_dot(a, b)));
}

/// C ≈ AB in every entry: |cᵢⱼ − Σ aᵢₗbₗⱼ| ≤ γ_k·Σ|aᵢₗbₗⱼ| + (1 + γ_(k−1))·kη/2, so γ_k|A||B| by components and not by
/// a norm: conventional multiplication in any order, with or without FMA. Fast multiplication does not satisfy it. A: m
/// × k, B: k × n, C: m × n, column-major without gaps. Requires: these sizes and finite entries (throws
/// std::invalid_argument); ku < 1 (throws std::domain_error). Theorem dot.tree.1 for every entry. Cost:
/// 2mnk exact multiplications.
template <Numbers A, Numbers B>
auto WithinGemmBound(const A& a, const B& b, std::size_t m, std::size_t n, std::size_t k) {
  using T = std::remove_cv_t<std::ranges::range_value_t<A>>;
  static_assert(std::same_as<T, std::remove_cv_t<std::ranges::range_value_t<B>>>, "A and B have one type");
  if (std::ranges::size(a) != m * k || std::ranges::size(b) != k * n) {
    throw std::invalid_argument("WithinGemmBound: A is m × k and B is k × n, without gaps");
  }
  const std::vector<oracle::Dyadic> left = detail::exact_values(a);
  const std::vector<oracle::Dyadic> right = detail::exact_values(b);
  std::vector<oracle::Dyadic> truth;
  std::vector<detail::Limit> limits;
  std::vector<oracle::Dyadic> row(k);
  for (std::size_t j = 0; j < n; ++j) {
    const std::span<const oracle::Dyadic> column(right.data() + j * k, k);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t l = 0; l < k; ++l) row[l] = left[l * m + i];
      truth.push_back(oracle::exact_dot(row, column));
      limits.push_back(detail::products_limit<T>(k, oracle::exact_abs_dot(row, column)));
    }
  }
  return MatrixMatcher<T>(m, std::move(truth), std::move(limits));
}

/// got is the exact value rounded once, in the format of got: double or float. Both zeros match where the value rounds
/// to zero. `exact` is a dyadic number, a rational (oracle::quotient), a square root (oracle::square_root) or an
/// enclosure. Source: IEEE 754-2019, §4.3.
inline auto CorrectlyRounded(oracle::Exact exact, oracle::Rounding direction = oracle::Rounding::nearest) {
  static constexpr const char* names[] = {"nearest, ties to even", "+∞", "−∞", "zero"};
  return NumberMatcher<>(
      std::move(exact),
      {direction, std::string("one rounding toward ").append(names[static_cast<std::size_t>(direction)]),
       "IEEE 754-2019, §4.3"});
}

/// |got − exact| ≤ k·ulp(exact), the ulp of the exact value in the format of got (Goldberg's: at a power of two the
/// larger gap; see oracle::ulp). The exact value is an argument because "k ulps" says nothing without it. Fractions of
/// an ulp are written Dyadic::scaled(1, −1).
inline auto WithinUlps(oracle::Exact exact, oracle::Dyadic k) {
  std::string formula = to_string(k) + " ulp of the exact value";
  return NumberMatcher<>(std::move(exact), {detail::Ulps{std::move(k)}, std::move(formula),
                                            "ulp: Goldberg, What every computer scientist should know, 1991"});
}

/// |got − exact| ≤ bound·|exact|, for a bound of your own with its source. With exact = 0 only 0 matches.
inline auto WithinRelative(oracle::Exact exact, RelativeBound bound, TheoremText source) {
  return NumberMatcher<>(std::move(exact), {std::move(bound), "a relative error", source.text});
}

/// |got − exact| ≤ bound, the theorem's bound for these numbers; a failure tells statement, source and id.
template <BoundedTheorem T, class... Numbers>
  requires std::invocable<const T&, const Numbers&...>
auto Within(oracle::Exact exact, const T& theorem, const Numbers&... numbers) {
  return NumberMatcher<>(std::move(exact),
                         {theorem(numbers...), theorem.words.statement.text, detail::source_of(theorem.words)});
}

}  // namespace assay::testing
