#pragma once
// Multiple-precision numbers in the judge's form: sign, exponent, residues and enclosure, decoded by the oracle.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "errorbounds/judge.hpp"
#include "kernels/mp/array.hpp"
#include "properties/catalog/mp/cases.hpp"
#include "properties/catalog/rns/results.hpp"
#include "properties/framework/codec.hpp"

namespace assay::mp {

/// Numbers of a standard set that a kernel returned, element-major.
struct MpNumbers {
  const MpSystem* system = nullptr;
  MpArray array;
};

}  // namespace assay::mp

namespace assay {

/// For evidence and for the comparison of bits: sign, exponent, residues, and fraction and exponent of both bounds of
/// each number, as doubles, which represent them exactly.
template <>
struct ResultTraits<mp::MpNumbers> {
  using Number = double;
  static std::size_t per_component(const mp::MpNumbers& result) { return static_cast<std::size_t>(result.array.n) + 7; }
  static std::size_t components(const mp::MpNumbers& result) { return result.array.length; }
  static double word(const mp::MpNumbers& result, std::size_t i) {
    const mp::MpArray& x = result.array;
    const std::size_t residues = static_cast<std::size_t>(x.n) + 1;
    const std::size_t k = i / (residues + 6);
    const std::size_t at = i % (residues + 6);
    if (at == 0) return x.sign[k];
    if (at == 1) return x.exponent[k];
    if (at < residues + 2) return x.digits[k * residues + at - 2];
    const Extended& bound = at < residues + 4 ? x.lower[k] : x.upper[k];
    return (at - residues) % 2 == 0 ? bound.fraction : static_cast<double>(bound.exponent);
  }
};

}  // namespace assay

namespace assay::mp {

/// The numbers of an array as results of one number each.
inline std::vector<MpNumbers> split(const MpSystem& system, const MpArray& array) {
  const MpArray x = with_layout(array, false);
  const std::size_t size = static_cast<std::size_t>(x.n) + 1;
  std::vector<MpNumbers> results;
  for (std::size_t k = 0; k < x.length; ++k) {
    MpNumbers& one = results.emplace_back(MpNumbers{&system, mp_zeros(x.n, 1)});
    std::copy_n(x.digits.begin() + static_cast<std::ptrdiff_t>(k * size), size, one.array.digits.begin());
    one.array.sign[0] = x.sign[k];
    one.array.exponent[0] = x.exponent[k];
    one.array.lower[0] = x.lower[k];
    one.array.upper[0] = x.upper[k];
  }
  return results;
}

/// The numbers of x, appended to those of an array. Requires: both are element-major (not checked).
inline void append(const MpArray& x, MpArray& to) {
  const auto join = [](const auto& from, auto& into) { into.insert(into.end(), from.begin(), from.end()); };
  to.length += x.length;
  join(x.digits, to.digits);
  join(x.sign, to.sign);
  join(x.exponent, to.exponent);
  join(x.lower, to.lower);
  join(x.upper, to.upper);
}

/// The base residues of number k.
inline std::span<const std::uint32_t> residues_of(const MpNumbers& result, std::size_t k) {
  const auto n = static_cast<std::size_t>(result.array.n);
  return std::span<const std::uint32_t>(result.array.digits).subspan(k * (n + 1), n);
}
/// X of number k.
inline oracle::Dyadic significand_of(const MpNumbers& result, std::size_t k) {
  return result.system->base.integer(residues_of(result, k));
}
inline bool is_out_of_range(const MpNumbers& result, std::size_t k) {
  return result.array.exponent[k] == mp::out_of_range_exponent;
}

/// The value of number k, for judges of errors; false if it is out of range or its sign is invalid.
inline bool component_value(const MpNumbers& result, std::size_t k, oracle::Dyadic& value) {
  const std::int32_t sign = result.array.sign[k];
  if (is_out_of_range(result, k) || (sign != 0 && sign != 1)) return false;
  value = result.system->base.value(sign != 0, residues_of(result, k), result.array.exponent[k]);
  return true;
}

/// Residues are below their moduli, the guard residue is that of X, the sign is 0 or 1, and all members are zero if X =
/// 0.
inline Judgement judge_digits(const MpNumbers& result, std::size_t k) {
  const MpArray& x = result.array;
  const std::span<const std::uint32_t> residues = residues_of(result, k);
  bool holds = x.sign[k] == 0 || x.sign[k] == 1;
  for (std::size_t i = 0; i < residues.size(); ++i) holds = holds && residues[i] < result.system->base.moduli()[i];
  const oracle::Dyadic significand = significand_of(result, k);
  holds = holds && x.digits[(k + 1) * (residues.size() + 1) - 1] == oracle::residue(significand, result.system->guard);
  if (significand.is_zero() && !is_out_of_range(result, k)) {
    holds = holds && x.sign[k] == 0 && x.exponent[k] == 0 && x.upper[k].fraction == 0 && x.lower[k].fraction == 0;
  }
  return Judgement::of(holds, k);
}

/// L·M ≤ X ≤ U·M.
inline Judgement judge_enclosure(const MpNumbers& result, std::size_t k) {
  const Extended& lower = result.array.lower[k];
  const Extended& upper = result.array.upper[k];
  if (!std::isfinite(lower.fraction) || !std::isfinite(upper.fraction)) return Judgement::fail(k);
  const oracle::Dyadic x = significand_of(result, k);
  const oracle::Dyadic& M = result.system->base.product();
  return Judgement::of(value_of(lower) * M <= x && x <= value_of(upper) * M, k);
}

/// U − L ≤ 2⁻¹⁹U.
inline Judgement judge_width(const MpNumbers& result, std::size_t k) {
  const Extended& lower = result.array.lower[k];
  const Extended& upper = result.array.upper[k];
  if (!std::isfinite(lower.fraction) || !std::isfinite(upper.fraction)) return Judgement::fail(k);
  return judge_within(value_of(lower), value_of(upper), RelativeBound{oracle::Dyadic::scaled(1, -19)}, k);
}

/// X² < M and U < 2^(−h).
inline Judgement judge_significand(const MpNumbers& result, std::size_t k) {
  const oracle::Dyadic x = significand_of(result, k);
  const Extended& upper = result.array.upper[k];
  return Judgement::of(x * x < result.system->base.product() && std::isfinite(upper.fraction) &&
                           value_of(upper) < oracle::Dyadic::scaled(1, -result.system->h),
                       k);
}

}  // namespace assay::mp
