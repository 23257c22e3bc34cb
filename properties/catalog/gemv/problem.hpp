#pragma once
// Cases of the multiple-precision GEMV and their exact results.
//
// In a case a number ±X·2ᵉ is a list of integers in binary64: the 32-bit limbs of X, the least first, each with the
// sign of the number, and e after them. So files are readable without residues, and shrinking sets limbs to 0. A number
// with a NaN is poison: the arrays hold no valid number there.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/gemv.hpp"
#include "errorbounds/judge.hpp"
#include "oracle/residues.hpp"
#include "properties/catalog/expansion/blas_cases.hpp"

namespace assay::gemv {

/// y ← α·op(A)·x + β·y. Strides and leading dimensions count entries.
struct MpGemvCase : expansion::ExpansionGemvCase<double> {
  int threads = 32;  ///< of the reduction of one entry: a power of two
  static constexpr auto fields() {
    return std::tuple_cat(expansion::ExpansionGemvCase<double>::fields(),
                          std::tuple{field("threads", &MpGemvCase::threads)});
  }
};

/// The most terms of an entry.
inline constexpr std::int64_t longest_mp_row = 4096;

/// The purpose for which a case is drawn.
struct MpFormat {
  int moduli;                          ///< of M
  int bits;                            ///< of a significand, P = ⌊log₂ √M⌋
  oracle::Dyadic product;              ///< M
  std::vector<std::uint32_t> maximal;  ///< X < 2ᴾ as limbs, whose residues for nearly half of the moduli are maximal
  std::size_t limbs() const { return static_cast<std::size_t>((bits + 31) / 32); }
  std::size_t words() const { return limbs() + 1; }
  std::int64_t most_products() const { return std::max(40, 4800 / moduli); }
  /// Whether entries may have that many rows and terms: few products, or one or two long rows.
  bool takes(std::int64_t rows, std::int64_t terms) const {
    if (rows <= 2) return terms <= longest_mp_row;
    return rows * terms <= most_products() && std::max(rows, terms) <= expansion::longest_dimension;
  }
};

namespace detail {

inline bool is_limb(double x) { return std::abs(x) < 0x1p+32 && x == std::trunc(x); }
inline bool is_poison(std::span<const double> number) {
  return std::any_of(number.begin(), number.end(), [](double x) { return std::isnan(x); });
}
inline bool is_mp_zero(std::span<const double> number) {
  return expansion::detail::all_zero(number.first(number.size() - 1));
}
inline bool is_significand(std::span<const double> limbs, std::uint64_t significand) {
  return std::abs(limbs[0]) == static_cast<double>(significand) && expansion::detail::all_zero(limbs.subspan(1));
}

/// ±X·2ᵉ. Requires: no poison (not checked).
inline oracle::Dyadic mp_value(std::span<const double> number) {
  thread_local std::vector<std::uint32_t> limbs;
  limbs.clear();
  bool negative = false;
  for (const double limb : number.first(number.size() - 1)) {
    limbs.push_back(static_cast<std::uint32_t>(std::abs(limb)));
    negative = negative || limb < 0;
  }
  oracle::Dyadic value = oracle::integer_of_limbs(limbs);
  if (negative) value.negate();
  return value.mul_2exp(static_cast<long>(number.back()));
}

}  // namespace detail

/// The exponents of the numbers of a case: within ±2²⁰.
inline constexpr int mp_gemv_exponents = 1 << 20;

/// Whether the list is a number of the format: limbs of one sign, X < 2ᴾ, a small exponent.
inline bool is_mp_number(std::span<const double> number, const MpFormat& format) {
  if (!detail::is_limb(number.back()) || std::abs(number.back()) > mp_gemv_exponents) return false;
  const auto limbs = number.first(number.size() - 1);
  const bool negative = std::any_of(limbs.begin(), limbs.end(), [](double x) { return x < 0; });
  for (const double limb : limbs) {
    if (!detail::is_limb(limb) || (limb != 0 && (limb < 0) != negative) || (limb == 0 && std::signbit(limb)))
      return false;
  }
  const double top = std::abs(limbs.back());
  return top < std::ldexp(1.0, format.bits - 32 * static_cast<int>(limbs.size() - 1));
}

/// A GEMV as C ← α·A·B + β·C with one column; `blas` gives the places of its entries.
struct MpGemvProblem {
  expansion::ExpansionBlasProblem<double> blas;
  std::uint64_t threads;
  bool adds_product, adds_start;
  bool scales, scales_start;  ///< α·x and β·y round: the significand is not 1

  MpGemvProblem(const MpGemvCase& c, const MpFormat& format)
      : blas(problem_of(c, format.words(), static_cast<std::uint64_t>(c.threads))),
        threads(static_cast<std::uint64_t>(c.threads)),
        adds_product(blas.k > 0 && !detail::is_mp_zero(c.alpha)),
        adds_start(!detail::is_mp_zero(c.beta)),
        scales(!detail::is_significand(std::span(c.alpha).first(format.limbs()), 1)),
        scales_start(!detail::is_significand(std::span(c.beta).first(format.limbs()), 1)) {
    blas.returns_at_once = blas.m == 0 || blas.k == 0 || (!adds_product && expansion::detail::is_one<double>(c.beta));
  }

  MpGemvShape shape() const {
    return {adds_product ? static_cast<std::uint64_t>(blas.k) : 0, threads, scales, adds_start, scales_start};
  }
};

namespace detail {

/// f(place, Σ of_number(a)·of_number(x)) for every written entry. Zero sums if no product is added.
template <class G, class F>
void for_each_mp_sum(const MpGemvProblem& p, G&& of_number, F&& f) {
  std::vector<oracle::Dyadic> x;
  for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
    x.push_back(of_number(p.blas.entry(p.blas.b, p.blas.b_at(l, 0))));
  }
  oracle::Dyadic sum;
  expansion::for_each_written(p.blas, [&](std::int64_t i, std::int64_t, std::size_t place) {
    sum = 0;
    for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
      sum.add_mul(of_number(p.blas.entry(p.blas.a, p.blas.a_at(i, l))), x[static_cast<std::size_t>(l)]);
    }
    f(place, sum);
  });
}

}  // namespace detail

/// y after the operation, exactly, every entry of its array; 0 for poison that is not written.
inline std::vector<oracle::Dyadic> exact_result(const MpGemvProblem& p) {
  std::vector<oracle::Dyadic> truth(p.blas.c.size() / p.blas.words);
  for (std::size_t at = 0; at < truth.size(); ++at) {
    const std::span<const double> number = p.blas.entry(p.blas.c, at);
    if (!detail::is_poison(number)) truth[at] = detail::mp_value(number);
  }
  const oracle::Dyadic alpha = detail::mp_value(p.blas.alpha);
  const oracle::Dyadic beta = detail::mp_value(p.blas.beta);
  detail::for_each_mp_sum(p, detail::mp_value, [&](std::size_t place, const oracle::Dyadic& sum) {
    oracle::Dyadic value = alpha * sum;
    if (p.adds_start) value.add_mul(beta, truth[place]);
    truth[place] = std::move(value);
  });
  return truth;
}

/// f(place, weights) for every written entry: Σ|αaⱼxⱼ| and |βy|.
template <class F>
void for_each_weight(const MpGemvProblem& p, F&& f) {
  const auto magnitude = [](std::span<const double> number) { return abs(detail::mp_value(number)); };
  const oracle::Dyadic alpha = magnitude(p.blas.alpha);
  const oracle::Dyadic beta = magnitude(p.blas.beta);
  detail::for_each_mp_sum(p, magnitude, [&](std::size_t place, const oracle::Dyadic& sum) {
    MpGemvWeights weights{alpha * sum, {}};
    if (p.adds_start) weights.start = beta * magnitude(p.blas.entry(p.blas.c, place));
    f(place, weights);
  });
}

/// The case with the terms of every entry in reverse order: the same exact result.
inline MpGemvCase with_reversed_terms(const MpGemvCase& c, std::size_t words) {
  MpGemvCase reversed = c;
  reversed.incx = -c.incx;
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      const std::int64_t to = c.trans != 0 ? c.m - 1 - i + j * c.lda : i + (c.n - 1 - j) * c.lda;
      std::copy_n(c.a.begin() + (i + j * c.lda) * static_cast<std::int64_t>(words), words,
                  reversed.a.begin() + to * static_cast<std::int64_t>(words));
    }
  }
  return reversed;
}

// ------------------------------------------------------------------------------------------------------- the domain

/// Every number that is read is a number of the format; sizes fit; poison only occurs where nothing is read.
inline bool is_mp_gemv_case(const MpGemvCase& c, const MpFormat& format) {
  const std::size_t words = format.words();
  const auto is_dimension = [](std::int64_t x) { return x >= 0 && x <= longest_mp_row; };
  if (!expansion::detail::is_flag(c.trans) || !is_dimension(c.m) || !is_dimension(c.n) ||
      c.lda < std::max<std::int64_t>(1, c.m) || c.lda > longest_mp_row + 4 || !expansion::detail::is_stride(c.incx) ||
      !expansion::detail::is_stride(c.incy) || c.alpha.size() != words || c.beta.size() != words || c.threads < 1 ||
      c.threads > 32 || !std::has_single_bit(static_cast<unsigned>(c.threads))) {
    return false;
  }
  const MpGemvProblem p(c, format);
  if (!expansion::detail::has_array_sizes(p.blas) || !format.takes(p.blas.m, p.blas.k)) return false;
  const auto is_number = [&](std::span<const double> number) { return is_mp_number(number, format); };
  const auto may_stand = [&](std::span<const double> array) {
    for (std::size_t at = 0; at < array.size(); at += words) {
      const auto number = array.subspan(at, words);
      if (!detail::is_poison(number) && !is_number(number)) return false;
    }
    return true;
  };
  if (!is_number(c.alpha) || !is_number(c.beta) || !may_stand(c.a) || !may_stand(c.x) || !may_stand(c.y)) return false;
  bool all = true;
  const auto require = [&](std::span<const double> array, std::size_t place) {
    all = all && !detail::is_poison(p.blas.entry(array, place));
  };
  if (p.blas.returns_at_once) return true;
  for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
    for (std::int64_t i = 0; i < p.blas.m; ++i) require(p.blas.a, p.blas.a_at(i, l));
    require(p.blas.b, p.blas.b_at(l, 0));
  }
  expansion::for_each_written(p.blas, [&](std::int64_t, std::int64_t, std::size_t place) {
    if (p.adds_start) require(p.blas.c, place);
  });
  return all;
}

}  // namespace assay::gemv
