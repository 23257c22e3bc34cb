#pragma once

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

/// Accurate summation in the format of the numbers. Sources: ROO I, II: Rump, Ogita, Oishi, "Accurate floating-point
/// summation", part I: faithful rounding, SIAM J. Sci. Comput. 31(1), 2008; part II: sign, K-fold faithful and rounding
/// to nearest, 31(2), 2008. R: Rump, "Ultimately fast accurate summation", SIAM J. Sci. Comput. 31(5), 2009. ROO 2010:
/// Rump, Ogita, Oishi, "Fast high precision summation", Nonlinear Theory Appl. IEICE 1(1), 2010. Proofs for the
/// constants here: docs/bounds/sum.md.
///
/// s = p₁ + … + pₙ. The vector is the workspace: afterwards it holds something else. u = 2⁻ᵖ, M the least integer with
/// n + 2 ≤ 2^M. Requires throughout: rounding to nearest with ties to even; n within the function's limit (not
/// checked). The numbers are finite, and either all are below 2^(emax − M − 2), or all are multiples of 2^(M + 2)·η:
/// otherwise the result is NaN. An exact 0 is +0. Holds for subnormal numbers and sums.

/// n with 2^(2M)·u ≤ 1: 2^⌊p/2⌋ − 2. For acc_sum, acc_sum_k, near_sum and prec_sum.
template <class T>
ASSAY_HD constexpr std::int64_t most_summands() {
  return (std::int64_t{1} << (FloatTraits<T>::precision / 2)) - 2;
}

/// n with M ≤ p − 1: 2^(p − 1) − 2. For acc_sign.
template <class T>
ASSAY_HD constexpr std::int64_t most_summands_of_sign() {
  return (std::int64_t{1} << (FloatTraits<T>::precision - 1)) - 2;
}

/// n with 2(n + 2)²·u ≤ 1: ⌊2^((p − 1)/2)⌋ − 2. For fast_acc_sum.
template <class T>
ASSAY_HD constexpr std::int64_t most_summands_of_fast() {
  constexpr int p = FloatTraits<T>::precision;
  std::int64_t root = std::int64_t{1} << ((p - 1) / 2);
  while ((root + 1) * (root + 1) <= std::int64_t{1} << (p - 1)) {
    ++root;
  }
  return root - 2;
}

namespace detail {

/// The least M with n + 2 ≤ 2^M.
ASSAY_HD constexpr int summation_exponent(std::int64_t n) {
  int m = 1;
  while (std::int64_t{1} << m < n + 2) {
    ++m;
  }
  return m;
}

/// The largest |pᵢ|, 0 for none; Inf or NaN if there is one.
template <class T>
ASSAY_HD constexpr T largest_magnitude(const T* p, std::int64_t n) {
  BitsOf<T> most = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const BitsOf<T> each = bits::magnitude_bits(p[i]);
    most = most < each ? each : most;
  }
  return from_bits<T>(most);
}

/// ((0 + p₁) + p₂) + …
template <class T>
ASSAY_HD constexpr T plain_sum(const T* p, std::int64_t n) {
  T s = T(0);
  for (std::int64_t i = 0; i < n; ++i) {
    s = s + p[i];
  }
  return s;
}

/// How the numbers of a vector fit the range: as they are, multiplied by 2^−shift, or not.
struct SummationRange {
  bool fits;
  int shift;
};

/// Multiplies the numbers by 2^−(M + 2) if they are too large and the products are exact.
template <class T>
ASSAY_HD constexpr SummationRange fit_range(T* p, std::int64_t n, int m) {
  const T mu = largest_magnitude(p, n);
  if (!is_finite(mu)) {
    return {false, 0};
  }
  if (mu == T(0) || exponent(mu) < FloatTraits<T>::emax - m - 2) {
    return {true, 0};
  }
  const T down = bits::power_of_two<T>(-(m + 2));
  const T up = bits::power_of_two<T>(m + 2);
  for (std::int64_t i = 0; i < n; ++i) {
    if (!(p[i] * down * up == p[i])) {
      return {false, 0};
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    p[i] = p[i] * down;
  }
  return {true, m + 2};
}

/// x·2^shift for the result of a vector in range, otherwise NaN.
template <class T>
ASSAY_HD constexpr T from_range(SummationRange range, T x) {
  using F = FloatTraits<T>;
  constexpr auto beyond =
      static_cast<BitsOf<T>>(bits::max_finite_bits<T> + 1);  // infinity, or the NaN if there is none
  constexpr auto quiet = static_cast<BitsOf<T>>(F::specials == Specials::ieee ? BitsOf<T>{1} << (F::precision - 2) : 0);
  return range.fits ? x * bits::power_of_two<T>(range.shift) : from_bits<T>(static_cast<BitsOf<T>>(beyond | quiet));
}

/// pᵢ = qᵢ + pᵢ′ with qᵢ = RN(RN(σ + pᵢ) − σ), pᵢ ← pᵢ′; returns Σqᵢ, without an error if σ = 2^k, n < 2^M and |pᵢ| ≤
/// 2^−M·σ; then |pᵢ′| ≤ uσ. ExtractVector: ROO I, §3. 4n operations.
template <class T>
ASSAY_HD constexpr T extract_vector(T sigma, T* p, std::int64_t n) {
  T tau = T(0);
  for (std::int64_t i = 0; i < n; ++i) {
    const T q = (sigma + p[i]) - sigma;
    p[i] = p[i] - q;
    tau = tau + q;
  }
  return tau;
}

/// 2^(M + ⌈log₂ μ⌉). Requires: μ > 0, within the range (not checked).
template <class T>
ASSAY_HD constexpr T first_sigma(T mu, int m) {
  return bits::power_of_two_or_subnormal<T>(m + exponent(mu) + (mu == ufp(mu) ? 0 : 1));
}

/// s + ρ = t₁ + t₂ + Σpᵢ′, where the vector holds the pᵢ′ afterwards: extractions with σ, 2^M·uσ, … until |t₁| ≥ Φσ,
/// where t₂ may be an error, or σ is so small that all pᵢ′ are 0, or after `extractions` of them. Φ = 2^(stop). If t₁ =
/// 0, σ starts anew. Requires: 2^stop ≤ 1; ρ = 0 or the rest of a transform_k() of the vector before (not checked).
/// Transform: ROO I, §4. 4n operations an extraction.
template <class T>
ASSAY_HD constexpr Sum<T> transform(T* p, std::int64_t n, int m, T rho, int stop, std::int64_t extractions) {
  using F = FloatTraits<T>;
  T t = rho;
  for (;;) {
    const T mu = largest_magnitude(p, n);
    if (mu == T(0)) {
      return {t, T(0)};
    }
    T sigma = first_sigma(mu, m);
    do {
      const T tau = extract_vector(sigma, p, n);
      const Sum<T> t1 = fast_two_sum(t, tau);
      if (abs(t1.s) >= bits::power_of_two<T>(stop) * sigma || sigma <= bits::power_of_two<T>(F::emin) ||
          --extractions == 0) {
        return t1;
      }
      t = t1.s;
      sigma = bits::power_of_two<T>(m - F::precision) * sigma;
    } while (t != T(0));
  }
}

/// log₂ of Φ for a faithful result: 2^(2M)·u.
template <class T>
ASSAY_HD constexpr int faithful_stop(int m) {
  return 2 * m - FloatTraits<T>::precision;
}

/// No bound on the extractions.
inline constexpr std::int64_t any_extractions = INT64_MAX;

/// s + ρ = r + R + Σpᵢ′ with a faithful rounding r of s + ρ.
template <class T>
struct FaithfulSum {
  T r, rest;
};

/// TransformK: ROO II.
template <class T>
ASSAY_HD constexpr FaithfulSum<T> transform_k(T* p, std::int64_t n, int m, T rho) {
  const Sum<T> t = transform(p, n, m, rho, faithful_stop<T>(m), any_extractions);
  const T r = t.s + (t.e + plain_sum(p, n));
  return {r, t.e - (r - t.s)};
}

}  // namespace detail

namespace detail {

/// sum(p, n, M) of numbers scaled into the range, scaled back.
template <auto sum, class T>
ASSAY_HD constexpr T sum_in_range(T* p, std::int64_t n) {
  const int m = summation_exponent(n);
  const SummationRange range = fit_range(p, n, m);
  return from_range(range, range.fits ? sum(p, n, m) : T(0));
}

template <class T>
ASSAY_HD constexpr T acc_sum(T* p, std::int64_t n, int m) {
  const Sum<T> t = transform(p, n, m, T(0), faithful_stop<T>(m), any_extractions);
  return t.s + (t.e + plain_sum(p, n));
}

template <class T>
ASSAY_HD constexpr T near_sum(T* p, std::int64_t n, int m) {
  const FaithfulSum<T> first = transform_k(p, n, m, T(0));
  const FaithfulSum<T> second = transform_k(p, n, m, first.rest);
  const T r = first.r;
  const T d = second.r;
  if (d == T(0)) {
    return r;
  }
  const T neighbour = signbit(d) ? next_down(r) : next_up(r);
  const T half = (neighbour - r) * bits::power_of_two<T>(-1);
  if (abs(d) != abs(half)) {
    return abs(d) < abs(half) ? r : neighbour;
  }
  const T beyond = transform_k(p, n, m, second.rest).r;
  if (beyond == T(0)) {
    return r + half;
  }
  return signbit(beyond) == signbit(half) ? neighbour : r;
}

}  // namespace detail

/// A faithful rounding of s: s if it is a number, otherwise one of its two neighbors; so 0 only for s = 0, and with
/// the sign of s. Requires: n ≤ most_summands(). AccSum: ROO I, §4, with the stopping constant Φ = 2^(2M)·u.
/// About (4m + 3)n operations for m extractions.
template <class T>
ASSAY_HD constexpr T acc_sum(T* p, std::int64_t n) {
  return detail::sum_in_range<detail::acc_sum<T>>(p, n);
}

/// r₁ … r_k: r_i a faithful rounding of s − r₁ − … − r_(i−1), so that they do not overlap and their sum is s if a word
/// is 0 (k-fold faithful). If r₁ overflows, the other words mean nothing. Requires: n ≤ most_summands(), k ≥ 1.
/// AccSumK: ROO II.
template <class T>
ASSAY_HD constexpr void acc_sum_k(T* p, std::int64_t n, int k, T* r) {
  const int m = detail::summation_exponent(n);
  const detail::SummationRange range = detail::fit_range(p, n, m);
  T rest = T(0);
  for (int i = 0; i < k; ++i) {
    detail::FaithfulSum<T> word{T(0), T(0)};
    if (range.fits && (i == 0 || r[i - 1] != T(0))) {
      word = detail::transform_k(p, n, m, rest);
    }
    rest = word.rest;
    r[i] = detail::from_range(range, word.r);
  }
}

/// The sign of s: −1, 0 or 1; 2 if the numbers are not within the range. Requires: n ≤ most_summands_of_sign().
/// AccSign: ROO II: the transform with Φ = 2^M·u.
template <class T>
ASSAY_HD constexpr int acc_sign(T* p, std::int64_t n) {
  const int m = detail::summation_exponent(n);
  if (!detail::fit_range(p, n, m).fits) {
    return 2;
  }
  const T t = detail::transform(p, n, m, T(0), m - FloatTraits<T>::precision, detail::any_extractions).s;
  return t == T(0) ? 0 : signbit(t) ? -1 : 1;
}

/// RN(s), ties to even. Requires: n ≤ most_summands(). NearSum: ROO II: a faithful rounding r, the sign
/// and a faithful rounding d of s − r, compared with half the distance to the neighbor on the side of s; if they are
/// equal, the sign of s − r − d decides, and 0 is a tie.
template <class T>
ASSAY_HD constexpr T near_sum(T* p, std::int64_t n) {
  return detail::sum_in_range<detail::near_sum<T>>(p, n);
}

namespace detail {

/// At least Σ|pᵢ|: RN(RN(Σ|pᵢ|)/(1 − nu)).
template <class T>
ASSAY_HD constexpr T magnitude_sum_bound(const T* p, std::int64_t n) {
  constexpr int precision = FloatTraits<T>::precision;
  T s = T(0);
  for (std::int64_t i = 0; i < n; ++i) {
    s = s + abs(p[i]);
  }
  return s / (T(1) - T(static_cast<double>(n)) * bits::power_of_two<T>(-precision));
}

}  // namespace detail

/// A faithful rounding of s. Requires: n ≤ most_summands_of_fast(). FastAccSum: R: extractions in which σ itself adds
/// the numbers, σ₀ = 2T/(1 − (3n + 1)u) for a bound T on Σ|pᵢ|, then T = 2nu·ufp(σ₀); they end when |t₁| ≥ 2(n +
/// 2)²u·ufp(σ₀), or when T ≤ 2^emin, below which sums have no error. About (3m + 3)n operations for m extractions.
template <class T>
ASSAY_HD constexpr T fast_acc_sum(T* p, std::int64_t n) {
  using F = FloatTraits<T>;
  const detail::SummationRange range = detail::fit_range(p, n, detail::summation_exponent(n));
  if (!range.fits) {
    return detail::from_range(range, T(0));
  }
  const T u = bits::power_of_two<T>(-F::precision);
  const T two = bits::power_of_two<T>(1);
  const T divisor = T(1) - T(static_cast<double>(3 * n + 1)) * u;
  const T shrink = two * T(static_cast<double>(n)) * u;
  const T stop = two * T(static_cast<double>((n + 2) * (n + 2))) * u;
  T t = T(0);
  T bound = detail::magnitude_sum_bound(p, n);
  while (bound > bits::power_of_two<T>(F::emin)) {
    const T sigma0 = two * bound / divisor;
    T sigma = sigma0;
    for (std::int64_t i = 0; i < n; ++i) {
      const Sum<T> z = fast_two_sum(sigma, p[i]);
      sigma = z.s;
      p[i] = z.e;
    }
    const Sum<T> t1 = fast_two_sum(t, sigma - sigma0);
    if (abs(t1.s) >= stop * ufp(sigma0)) {
      return detail::from_range(range, t1.s + (t1.e + detail::plain_sum(p, n)));
    }
    t = t1.s;
    bound = t == T(0) ? detail::magnitude_sum_bound(p, n) : shrink * ufp(sigma0);
  }
  return detail::from_range(range, t + detail::plain_sum(p, n));
}

/// As in k-fold precision: a faithful rounding of s, or |result − s| ≤ u^k·Σ|pᵢ|. Requires: n ≤ most_summands(), k ≥ 1.
/// PrecSum: ROO 2010: AccSum that ends after 1 + ⌈((k − 2)p + 3M + 2)/(p − M)⌉ extractions, whatever |t₁| is then; a
/// count that follows from the stopping constant here.
template <class T>
ASSAY_HD constexpr T prec_sum(T* p, std::int64_t n, int k) {
  constexpr int precision = FloatTraits<T>::precision;
  const int m = detail::summation_exponent(n);
  const detail::SummationRange range = detail::fit_range(p, n, m);
  if (!range.fits) {
    return detail::from_range(range, T(0));
  }
  const int bits = (k - 2) * precision + 3 * m + 2;
  const int extractions = bits <= 0 ? 1 : 1 + (bits + precision - m - 1) / (precision - m);
  const Sum<T> t = detail::transform(p, n, m, T(0), detail::faithful_stop<T>(m), extractions);
  return detail::from_range(range, t.s + (t.e + detail::plain_sum(p, n)));
}

}  // namespace assay
