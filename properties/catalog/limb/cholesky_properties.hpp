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
  for (const auto& [part, at] : {std::pair{&x, std::size_t{0}}, std::pair{&y, x.length}}) {
    for (std::size_t i = 0; i < part->length; ++i) {
      z.exponent[at + i] = part->exponent[i];
      z.sign[at + i] = part->sign[i];
      for (std::size_t k = 0; k < static_cast<std::size_t>(x.limbs); ++k) {
        z.word[k * z.length + at + i] = part->word[k * part->length + i];
      }
    }
  }
  x = std::move(z);
}

/// The whole array of L, x, and the column that failed. x is zeros where one did.
inline LimbNumbers cholesky_result(const Executor& on, const CholeskyCase& c, int limbs, const LimbCholesky& factorize,
                                   const LimbCholeskySolve& solve) {
  const CholeskyFactor factor = factorize(on, c.n, triangle_of(c, limbs), leading(c));
  LimbNumbers result{factor.l};
  append(result.array, factor.failed == c.n
                           ? solve(on, c.n, factor.l, leading(c), array_of({&c.b_scale, &c.b}, limbs))
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
    magnitude[static_cast<std::size_t>(i)] +=
        abs(l[in_triangle(c.n, i, j)]) * inner[static_cast<std::size_t>(j)];
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
inline void append_rounded(LimbDraw& r, std::vector<double>& scale, std::vector<std::uint32_t>& word,
                           const oracle::Rational& x) {
  // More bits than the significand has, cut off: no number of a case needs to be the nearest one.
  Dyadic cut;
  if (!x.is_zero()) {
    const long shift = r.p() + 8 - x.exponent();
    const oracle::Rational scaled = x * oracle::Rational(Dyadic::scaled(1, shift));
    cut = oracle::round_to_integer(scaled).mul_2exp(-shift);
  }
  const oracle::LimbFloat number =
      oracle::limb_rounded(cut, static_cast<std::size_t>(r.limbs()), oracle::Rounding::nearest);
  const bool zero = number.kind == oracle::LimbFloat::Kind::zero;
  const double magnitude = zero ? 1.0 : bits::power_of_two<double>(static_cast<int>(number.exponent));
  scale.push_back(number.negative ? -magnitude : magnitude);
  for (int k = 0; k < r.limbs(); ++k) word.push_back(zero ? 0 : number.word[static_cast<std::size_t>(k)]);
}

}  // namespace detail

}  // namespace assay::limb
