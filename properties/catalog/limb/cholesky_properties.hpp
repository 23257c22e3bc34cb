#pragma once
// Cholesky's factorization of symmetric matrices of numbers of L limbs, and the systems that it solves.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/limb_theorems.hpp"
#include "kernels/limb/cholesky.hpp"
#include "properties/catalog/limb/result.hpp"
#include "properties/catalog/limb/vector_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::limb {

/// Ax = b, the lower triangle of A column by column without gaps. The kernel gets A with `gap` unused rows below.
struct CholeskyCase {
  std::int64_t n = 0, gap = 0;
  std::vector<double> a_scale, b_scale;
  std::vector<std::uint32_t> a, b;
  static constexpr auto fields() {
    using C = CholeskyCase;
    return std::tuple{field("n", &C::n), field("gap", &C::gap),         field("a_scale", &C::a_scale),
                      field("a", &C::a), field("b_scale", &C::b_scale), field("b", &C::b)};
  }
};

/// What a kernel computes: the factor, and the solution where no pivot fails.
using LimbCholesky =
    SharedFunction<CholeskyFactor(const Executor&, std::int64_t n, const FloatArray& a, std::int64_t lda)>;
using LimbCholeskySolve = SharedFunction<FloatArray(const Executor&, std::int64_t n, const FloatArray& l,
                                                    std::int64_t lda, const FloatArray& b)>;

namespace detail {

using oracle::Dyadic;

inline constexpr std::int64_t most_unknowns = 48;

/// The place of entry (i, j), i ≥ j, of a lower triangle without gaps.
inline std::size_t in_triangle(std::int64_t n, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(j * n - j * (j - 1) / 2 + i - j);
}
inline std::int64_t leading(const CholeskyCase& c) { return std::max<std::int64_t>(1, c.n + c.gap); }
/// The same in the array of the kernel.
inline std::size_t in_array(const CholeskyCase& c, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(i + j * leading(c));
}

/// f(i, j) for the places of the triangle.
template <class F>
void for_each_below(std::int64_t n, F&& f) {
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) f(i, j);
  }
}

/// The kernel's array: NaNs beside the triangle.
inline FloatArray triangle_of(const CholeskyCase& c, int limbs) {
  const FloatArray packed = array_of({&c.a_scale, &c.a}, limbs);
  FloatArray a = float_zeros(limbs, static_cast<std::size_t>(leading(c) * c.n));
  a.exponent.assign(a.length, nan_exponent);
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    const std::size_t from = in_triangle(c.n, i, j);
    const std::size_t to = in_array(c, i, j);
    a.exponent[to] = packed.exponent[from];
    a.sign[to] = packed.sign[from];
    for (std::size_t k = 0; k < static_cast<std::size_t>(limbs); ++k) {
      a.word[k * a.length + to] = packed.word[k * packed.length + from];
    }
  });
  return a;
}

/// Numbers y behind x.
inline void append(FloatArray& x, const FloatArray& y) {
  FloatArray z = float_zeros(x.limbs, x.length + y.length);
  const auto put = [&](const FloatArray& part, std::size_t at) {
    for (std::size_t i = 0; i < part.length; ++i) {
      z.exponent[at + i] = part.exponent[i];
      z.sign[at + i] = part.sign[i];
      for (std::size_t k = 0; k < static_cast<std::size_t>(x.limbs); ++k) {
        z.word[k * z.length + at + i] = part.word[k * part.length + i];
      }
    }
  };
  put(x, 0);
  put(y, x.length);
  x = std::move(z);
}

/// The whole array of L, x, and the column that failed. x is zeros where one did.
inline LimbNumbers cholesky_result(const Executor& on, const CholeskyCase& c, int limbs, const LimbCholesky& factorize,
                                   const LimbCholeskySolve& solve) {
  const CholeskyFactor factor = factorize(on, c.n, triangle_of(c, limbs), leading(c));
  LimbNumbers result{factor.l};
  append(result.array, factor.failed == c.n ? solve(on, c.n, factor.l, leading(c), array_of({&c.b_scale, &c.b}, limbs))
                                            : float_zeros(limbs, static_cast<std::size_t>(c.n)));
  append(result.array, floats_of(limbs, std::vector{static_cast<double>(factor.failed)}));
  return result;
}

inline std::size_t place_of_unknown(const CholeskyCase& c, std::int64_t i) {
  return static_cast<std::size_t>(leading(c) * c.n + i);
}

/// The column that failed; n if none did.
inline std::int64_t failed_column(const CholeskyCase& c, const LimbNumbers& result) {
  Dyadic failed;
  const bool is_number = component_value(result, place_of_unknown(c, c.n), failed);
  for (std::int64_t j = 0; is_number && j < c.n; ++j) {
    if (failed == Dyadic(j)) return j;
  }
  return is_number && failed == Dyadic(c.n) ? c.n : -1;
}

/// |aᵢⱼ − Σlᵢₖlⱼₖ| for each entry of a column before the one that failed.
inline Judgement judge_factor(const CholeskyCase& c, int limbs, const LimbNumbers& result) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const std::int64_t columns = failed_column(c, result);
  if (columns < 0) return Judgement::fail();
  LimbSums l(a.size());
  Judgement worst;
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    if (j >= columns) return;
    const std::size_t at = in_array(c, i, j);
    if (!component_value(result, at, l[in_triangle(c.n, i, j)])) {
      worst.worsen(Judgement::fail(at));
      return;
    }
    Dyadic rest = a[in_triangle(c.n, i, j)];
    Dyadic magnitude;
    for (std::int64_t k = 0; k <= j; ++k) {
      const Dyadic product = l[in_triangle(c.n, i, k)] * l[in_triangle(c.n, j, k)];
      rest -= product;
      magnitude += abs(product);
    }
    worst.worsen(judge_within(rest, Dyadic(), limb_cholesky_1(limbs, j, magnitude), at));
  });
  worst.judged = a.size();
  return worst;
}

/// |b − Ax| for each row.
inline Judgement judge_solution(const CholeskyCase& c, int limbs, const LimbNumbers& result) {
  LimbSums rest = values_of({&c.b_scale, &c.b}, limbs);
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  const auto size = static_cast<std::size_t>(c.n);
  LimbSums x(size);
  LimbSums l(a.size());
  bool finite = true;
  for (std::size_t i = 0; i < size; ++i) {
    finite = finite && component_value(result, place_of_unknown(c, static_cast<std::int64_t>(i)), x[i]);
  }
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    finite = finite && component_value(result, in_array(c, i, j), l[in_triangle(c.n, i, j)]);
  });
  if (!finite) return Judgement::fail();
  LimbSums inner(size);  // |Lᵀ||x|
  LimbSums magnitude(size);
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    const auto row = static_cast<std::size_t>(i);
    const auto column = static_cast<std::size_t>(j);
    const std::size_t at = in_triangle(c.n, i, j);
    inner[column] += abs(l[at] * x[row]);
    rest[row] -= a[at] * x[column];
    if (i != j) rest[column] -= a[at] * x[row];
  });
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    magnitude[static_cast<std::size_t>(i)] += abs(l[in_triangle(c.n, i, j)]) * inner[static_cast<std::size_t>(j)];
  });
  Judgement worst;
  for (std::size_t i = 0; i < size; ++i) {
    worst.worsen(judge_within(rest[i], Dyadic(), limb_cholesky_2(limbs, c.n, magnitude[i]),
                              place_of_unknown(c, static_cast<std::int64_t>(i))));
  }
  worst.judged = size;
  return worst;
}

/// The hypotheses of limb.cholesky.3.
inline bool is_dominant(const CholeskyCase& c, int limbs) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  LimbSums beside(static_cast<std::size_t>(c.n));
  for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
    if (i == j) return;
    const Dyadic twice = abs(a[in_triangle(c.n, i, j)]).mul_2exp(1);
    beside[static_cast<std::size_t>(i)] += twice;
    beside[static_cast<std::size_t>(j)] += twice;
  });
  for (std::int64_t i = 0; i < c.n; ++i) {
    const Dyadic& diagonal = a[in_triangle(c.n, i, i)];
    if (diagonal.sign() <= 0 || diagonal < beside[static_cast<std::size_t>(i)]) return false;
  }
  return true;
}

/// The first row with a diagonal entry that is not positive; n if there is none.
inline std::int64_t first_not_positive(const CholeskyCase& c, int limbs) {
  const LimbSums a = values_of({&c.a_scale, &c.a}, limbs);
  std::int64_t i = 0;
  while (i < c.n && a[in_triangle(c.n, i, i)].sign() > 0) ++i;
  return i;
}

// ------------------------------------------------------------------------------------------------------- draws

/// x rounded to the numbers of a case.
inline void append_rounded(LimbDraw& r, std::vector<double>& scale, std::vector<std::uint32_t>& word, const Dyadic& x) {
  const oracle::LimbFloat number =
      oracle::limb_rounded(x, static_cast<std::size_t>(r.limbs()), oracle::Rounding::nearest);
  const bool zero = number.kind == oracle::LimbFloat::Kind::zero;
  const double magnitude = zero ? 1.0 : bits::power_of_two<double>(static_cast<int>(number.exponent));
  scale.push_back(number.negative ? -magnitude : magnitude);
  for (int k = 0; k < r.limbs(); ++k) word.push_back(zero ? 0 : number.word[static_cast<std::size_t>(k)]);
}

/// ±m·2^(e − p) with a significand m of the kinds of LimbDraw, |e| ≤ most.
inline Dyadic draw_entry(LimbDraw& r, int most) {
  const Dyadic x = r.significand().mul_2exp(r.between(-most, most) - r.p());
  return r.coin() ? x : -x;
}

/// The entries of a triangle by `entry(i, j)`, and a right side.
template <class Entry>
CholeskyCase draw_case(LimbDraw& r, std::int64_t n, Entry entry) {
  CholeskyCase c;
  c.n = n;
  c.gap = r.between(0, 2);
  for_each_below(n, [&](std::int64_t i, std::int64_t j) { append_rounded(r, c.a_scale, c.a, entry(i, j)); });
  for (std::int64_t i = 0; i < n; ++i) append_rounded(r, c.b_scale, c.b, draw_entry(r, 8));
  return c;
}

/// A triangle of entries that are drawn.
inline LimbSums draw_triangle(LimbDraw& r, std::int64_t n, int most) {
  LimbSums m;
  for_each_below(n, [&](std::int64_t, std::int64_t) { m.push_back(draw_entry(r, most)); });
  return m;
}

/// MMᵀ for a triangle M with exponents within ±most; with `dependent` its last row is 0: A is singular, but for
/// roundings.
inline CholeskyCase draw_square(LimbDraw& r, int least, int most_order, int most, bool dependent) {
  const std::int64_t n = r.between(least, most_order);
  LimbSums m = draw_triangle(r, n, most);
  if (dependent && n > 0) m[in_triangle(n, n - 1, n - 1)] = Dyadic();
  return draw_case(r, n, [&](std::int64_t i, std::int64_t j) {
    Dyadic sum;
    for (std::int64_t k = 0; k <= j; ++k) sum.add_mul(m[in_triangle(n, i, k)], m[in_triangle(n, j, k)]);
    return sum;
  });
}

/// A diagonal of at least twice the entries beside it.
inline CholeskyCase draw_dominant(LimbDraw& r, int least, int most_order) {
  const std::int64_t n = r.between(least, most_order);
  LimbSums m = draw_triangle(r, n, 3);
  LimbSums beside(static_cast<std::size_t>(n));
  for_each_below(n, [&](std::int64_t i, std::int64_t j) {
    if (i == j) return;
    beside[static_cast<std::size_t>(i)] += abs(m[in_triangle(n, i, j)]);
    beside[static_cast<std::size_t>(j)] += abs(m[in_triangle(n, i, j)]);
  });
  return draw_case(r, n, [&](std::int64_t i, std::int64_t j) {
    const Dyadic& entry = m[in_triangle(n, i, j)];
    if (i != j) return entry;
    return Dyadic(2) * beside[static_cast<std::size_t>(i)] + abs(entry).mul_2exp(r.between(-4, 8));
  });
}

/// m/(i + j + 1), cut off.
inline CholeskyCase draw_hilbert(LimbDraw& r) {
  const Dyadic m = r.significand();
  return draw_case(r, r.between(1, 12), [&](std::int64_t i, std::int64_t j) {
    return oracle::floor_quotient(m, Dyadic(i + j + 1)).mul_2exp(-r.p());
  });
}

/// A dominant matrix but for one entry of its diagonal, which is 0 or negative.
inline CholeskyCase draw_not_positive(LimbDraw& r) {
  CholeskyCase c = draw_dominant(r, 1, 7);
  const std::int64_t i = r.between(0, static_cast<int>(c.n) - 1);
  const std::size_t at = in_triangle(c.n, i, i);
  if (r.coin()) {
    c.a_scale[at] = -c.a_scale[at];
  } else {
    std::fill_n(c.a.begin() + static_cast<std::ptrdiff_t>(at) * r.limbs(), r.limbs(), 0U);
  }
  return c;
}

/// The system without one of its unknowns.
inline std::vector<CholeskyCase> smaller_systems(const CholeskyCase& c, std::size_t limbs) {
  std::vector<CholeskyCase> smaller;
  const auto copy = [&](const std::vector<double>& scale, const std::vector<std::uint32_t>& word, std::size_t at,
                        std::vector<double>& to_scale, std::vector<std::uint32_t>& to_word) {
    to_scale.push_back(scale[at]);
    for (std::size_t k = 0; k < limbs; ++k) to_word.push_back(word[at * limbs + k]);
  };
  for (std::int64_t left_out = 0; left_out < c.n; ++left_out) {
    CholeskyCase other;
    other.n = c.n - 1;
    for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
      if (i == left_out || j == left_out) return;
      copy(c.a_scale, c.a, in_triangle(c.n, i, j), other.a_scale, other.a);
    });
    for (std::int64_t i = 0; i < c.n; ++i) {
      if (i != left_out) copy(c.b_scale, c.b, static_cast<std::size_t>(i), other.b_scale, other.b);
    }
    smaller.push_back(std::move(other));
  }
  return smaller;
}

inline Domain<CholeskyCase> cholesky_domain(int limbs) {
  const auto of = [limbs](auto make) {
    return drawn<CholeskyCase>([=](Draw& draw) {
      LimbDraw r(limbs, draw);
      return make(r);
    });
  };
  return {
      .classes = {{"one unknown", 4, of([](LimbDraw& r) { return draw_square(r, 1, 1, 8, false); })},
                  {"squares of triangles", 4, of([](LimbDraw& r) { return draw_square(r, 0, 7, 2, false); })},
                  {"squares of triangles, exponents apart", 3,
                   of([](LimbDraw& r) { return draw_square(r, 2, 7, 20, false); })},
                  {"singular but for roundings", 2, of([](LimbDraw& r) { return draw_square(r, 1, 6, 2, true); })},
                  {"diagonally dominant", 4, of([](LimbDraw& r) { return draw_dominant(r, 0, 9); })},
                  {"Hilbert", 2, of(draw_hilbert)},
                  {"a diagonal entry that is not positive", 3, of(draw_not_positive)},
                  {"around the lanes of an entry", 1, of([](LimbDraw& r) { return draw_dominant(r, 33, 36); })}},
      .contains =
          [limbs](const CholeskyCase& c) {
            return c.n >= 0 && c.n <= most_unknowns && c.gap >= 0 && c.gap <= 8 &&
                   is_limb_list({&c.a_scale, &c.a}, limbs, static_cast<std::size_t>(c.n * (c.n + 1) / 2)) &&
                   is_limb_list({&c.b_scale, &c.b}, limbs, static_cast<std::size_t>(c.n));
          },
      .features = {{"unknowns", 0, 48, 24, [](const CholeskyCase& c) { return static_cast<double>(c.n); }}},
      .shrink_shape = [limbs](const CholeskyCase& c) { return smaller_systems(c, static_cast<std::size_t>(limbs)); },
      .accepts = "up to 48 unknowns; a lower triangle and a right side of " + limb_list_text(limbs)};
}

}  // namespace detail

/// What the factorization and the solution promise; every claim about x asks that no pivot failed.
inline Property<CholeskyCase, LimbNumbers, LimbSums> limb_cholesky_property(std::string name, int limbs,
                                                                            LimbCholesky factorize,
                                                                            LimbCholeskySolve solve) {
  using detail::failed_column;
  return {.name = std::move(name),
          .domain = detail::cholesky_domain(limbs),
          .subject = [limbs, factorize = std::move(factorize), solve = std::move(solve)](
                         const Executor& on,
                         const CholeskyCase& c) { return detail::cholesky_result(on, c, limbs, factorize, solve); },
          // The truth is a residual of 0, for each place of the array of L and for each unknown.
          .reference = [](const CholeskyCase& c) { return LimbSums(detail::place_of_unknown(c, c.n) + 1); },
          .claims = {claim_spec("factor", limb_cholesky_1,
                                [limbs](const CholeskyCase& c, const LimbSums&, const LimbNumbers& result) {
                                  return detail::judge_factor(c, limbs, result);
                                }),
                     claim_spec("residual", limb_cholesky_2,
                                [limbs](const CholeskyCase& c, const LimbSums&, const LimbNumbers& result) {
                                  return c.n > 0 && failed_column(c, result) == c.n
                                             ? detail::judge_solution(c, limbs, result)
                                             : Judgement::pass();
                                }),
                     when(
                         "the matrix is diagonally dominant as limb.cholesky.3 asks",
                         [limbs](const CholeskyCase& c) { return detail::is_dominant(c, limbs); },
                         satisfies("succeeds", limb_cholesky_3,
                                   [](const CholeskyCase& c, const LimbNumbers& result) {
                                     return failed_column(c, result) == c.n;
                                   })),
                     when(
                         "a diagonal entry is not positive",
                         [limbs](const CholeskyCase& c) { return detail::first_not_positive(c, limbs) < c.n; },
                         satisfies("fails", limb_cholesky_4,
                                   [limbs](const CholeskyCase& c, const LimbNumbers& result) {
                                     const std::int64_t failed = failed_column(c, result);
                                     return failed >= 0 && failed <= detail::first_not_positive(c, limbs);
                                   })),
                     satisfies("untouched", limb_cholesky_5,
                               [](const CholeskyCase& c, const LimbNumbers& result) {
                                 std::vector<bool> written(result.array.length);
                                 detail::for_each_below(c.n, [&](std::int64_t i, std::int64_t j) {
                                   written[detail::in_array(c, i, j)] = true;
                                 });
                                 for (std::size_t at = 0; at < detail::place_of_unknown(c, 0); ++at) {
                                   if (!written[at] && result.array.exponent[at] != nan_exponent) return false;
                                 }
                                 return true;
                               })},
          .inexact = [](const CholeskyCase& c, const LimbSums&, const LimbNumbers&) { return c.n > 0; },
          .quick_cases = limbs <= 8 ? 300U : 60U};
}

}  // namespace assay::limb
