#pragma once
// Inputs of the matrix-vector product that is rounded once, with scalars or entries that are infinite or NaN, and its
// promises for them. docs/bounds/gemv.md, gemv.special_values.1.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/gemv_theorems.hpp"
#include "errorbounds/judge.hpp"
#include "properties/draws/sum/special_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemv {

/// y ← α·op(A)·x + β·y with outputs = |y| ≥ 1 and terms = |x| ≥ 1, without gaps.
struct SpecialGemvCase {
  int trans = 0;
  double alpha = 0;
  double beta = 0;
  std::vector<double> a, x, y;
  static constexpr auto fields() {
    using C = SpecialGemvCase;
    return std::tuple{field("trans", &C::trans), field("alpha", &C::alpha), field("beta", &C::beta),
                      field("a", &C::a),         field("x", &C::x),         field("y", &C::y)};
  }

  [[nodiscard]] std::size_t outputs() const { return y.size(); }
  [[nodiscard]] std::size_t terms() const { return x.size(); }
  /// Of A.
  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(trans != 0 ? terms() : outputs()); }
  [[nodiscard]] std::int64_t columns() const { return static_cast<std::int64_t>(trans != 0 ? outputs() : terms()); }
  /// Entry (i, j) of op(A).
  [[nodiscard]] double entry(std::size_t i, std::size_t j) const {
    return a[trans != 0 ? j + i * terms() : i + j * outputs()];
  }
};

using SpecialGemvProperty = Property<SpecialGemvCase, std::vector<double>, std::vector<oracle::Dyadic>>;

namespace detail {

/// x reduced to its sign, which is all that a product needs: 0, 1, an infinity or a NaN.
inline double representative(double x) {
  return is_nan(x) || bits_of(abs(x)) == bits_of(0.0) || !is_finite(x) ? x : signbit(x) ? -1.0 : 1.0;
}

/// The infinity or NaN that entry i must be; 0 if all its terms are finite.
inline std::uint64_t special_entry(const SpecialGemvCase& c, std::size_t i) {
  const auto bits = [](double x) { return sum::special_term(oracle::binary64, bits_of(x)); };
  const double alpha = representative(c.alpha);
  return sum::special_sum<double>(c.terms() + 1, [&](std::size_t j) {
    if (j == c.terms()) return c.beta == 0 ? 0 : bits(representative(c.beta) * representative(c.y[i]));
    return c.alpha == 0 ? 0 : bits(alpha * representative(c.entry(i, j)) * representative(c.x[j]));
  });
}

/// Whether an operand is neither finite nor left unread.
inline bool is_special(const SpecialGemvCase& c) {
  const auto any = [](const std::vector<double>& v) {
    return std::any_of(v.begin(), v.end(), [](double x) { return !is_finite(x); });
  };
  return !is_finite(c.alpha) || !is_finite(c.beta) || any(c.a) || any(c.x) || any(c.y);
}

/// An infinity, or a NaN once in three times.
inline double draw_special(Draw& draw) {
  return draw.one_in(3) ? sum::detail::draw_nan<double>(draw) : sum::detail::draw_infinity<double>(draw.coin());
}

/// A small number or 0: products do not overflow, and an infinity meets zeros.
inline double draw_small(Draw& draw) { return draw.one_in(5) ? 0.0 : static_cast<double>(draw.between(-9, 9)); }

inline SpecialGemvCase draw_finite_case(Draw& draw) {
  SpecialGemvCase c;
  c.trans = draw.coin() ? 1 : 0;
  const auto fill = [&](std::vector<double>& v, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) v.push_back(draw_small(draw));
  };
  const auto outputs = static_cast<std::size_t>(draw.one_in(10) ? draw.between(30, 40) : draw.between(1, 3));
  const auto terms = static_cast<std::size_t>(draw.one_in(10) ? draw.between(30, 70) : draw.between(1, 4));
  fill(c.y, outputs);
  fill(c.x, terms);
  fill(c.a, outputs * terms);
  c.alpha = draw_small(draw);
  c.beta = draw_small(draw);
  return c;
}

}  // namespace detail

inline Domain<SpecialGemvCase> special_gemv_domain() {
  using Case = SpecialGemvCase;
  const auto from = [](auto put) {
    return drawn<Case>([put](Draw& draw) {
      Case c = detail::draw_finite_case(draw);
      put(draw, c);
      return c;
    });
  };
  const auto put_one = [](Draw& draw, std::vector<double>& v) { v[draw.below(v.size())] = detail::draw_special(draw); };
  return {.classes =
              {
                  {"alpha infinite or NaN, beta 0", 3, from([](Draw& draw, Case& c) {
                     c.alpha = detail::draw_special(draw);
                     c.beta = draw.coin() ? 0.0 : -0.0;
                     if (draw.coin()) c.y[draw.below(c.y.size())] = detail::draw_special(draw);
                   })},
                  {"alpha infinite or NaN", 3, from([](Draw& draw, Case& c) { c.alpha = detail::draw_special(draw); })},
                  {"alpha infinite, no factor 0", 2, from([](Draw& draw, Case& c) {
                     c.alpha = sum::detail::draw_infinity<double>(draw.coin());
                     const bool one_sign = draw.coin();
                     for (std::vector<double>* v : {&c.a, &c.x}) {
                       for (double& each : *v) each = each == 0 ? 1.0 : one_sign ? abs(each) : each;
                     }
                   })},
                  {"beta infinite or NaN", 2, from([](Draw& draw, Case& c) { c.beta = detail::draw_special(draw); })},
                  {"an entry of A", 2, from([=](Draw& draw, Case& c) { put_one(draw, c.a); })},
                  {"an entry of x", 2, from([=](Draw& draw, Case& c) { put_one(draw, c.x); })},
                  {"an entry of y", 2, from([=](Draw& draw, Case& c) { put_one(draw, c.y); })},
                  {"alpha 0, specials in A and x", 1, from([=](Draw& draw, Case& c) {
                     c.alpha = draw.coin() ? 0.0 : -0.0;
                     put_one(draw, c.a);
                     put_one(draw, c.x);
                   })},
                  {"several", 2, from([=](Draw& draw, Case& c) {
                     put_one(draw, c.a);
                     put_one(draw, c.a);
                     put_one(draw, c.x);
                     put_one(draw, c.y);
                     if (draw.coin()) c.alpha = detail::draw_special(draw);
                   })},
              },
          .contains =
              [](const Case& c) {
                return (c.trans == 0 || c.trans == 1) && c.outputs() >= 1 && c.terms() >= 1 && c.a.size() <= 10000 &&
                       c.a.size() == c.outputs() * c.terms() && detail::is_special(c);
              },
          .accepts = "up to 10000 entries of A, no gaps; a scalar or an entry is infinite or NaN"};
}

/// `subject` gives y afterwards.
inline SpecialGemvProperty special_gemv_property(Subject<SpecialGemvCase, std::vector<double>> subject) {
  using oracle::Dyadic;
  return {.name = "gemv.exact_special",
          .domain = special_gemv_domain(),
          .subject = std::move(subject),
          .reference =
              [](const SpecialGemvCase& c) {
                std::vector<Dyadic> truth(c.outputs());
                for (std::size_t i = 0; i < truth.size(); ++i) {
                  if (detail::special_entry(c, i) != 0) continue;
                  if (c.beta != 0) truth[i] = value_of(c.beta) * value_of(c.y[i]);
                  for (std::size_t j = 0; c.alpha != 0 && j < c.terms(); ++j) {
                    truth[i] += value_of(c.alpha) * value_of(c.entry(i, j)) * value_of(c.x[j]);
                  }
                }
                return truth;
              },
          .claims = {claim_spec(
              "special_values", gemv_special_values_1,
              [](const SpecialGemvCase& c, const std::vector<Dyadic>& truth, const std::vector<double>& y) {
                Judgement worst;
                const bool as_it_was = c.alpha == 0 && c.beta == 1;
                for (std::size_t i = 0; i < truth.size(); ++i) {
                  const std::uint64_t special = detail::special_entry(c, i);
                  if (as_it_was || special != 0) {
                    const std::uint64_t right = as_it_was ? bits_of(c.y[i]) : special;
                    worst.worsen(
                        Judgement::of(bits_of(y[i]) == right || (is_nan(y[i]) && is_nan(number_of<double>(right))), i));
                  } else {
                    worst.worsen(
                        judge_rounded(bits_of(y[i]), truth[i], oracle::binary64, oracle::Rounding::nearest, {}, i));
                  }
                }
                return worst;
              })},
          .quick_cases = 2000};
}

}  // namespace assay::gemv
