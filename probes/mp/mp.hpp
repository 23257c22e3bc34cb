#pragma once
// Probes of the operations on multiple-precision numbers in residues: exact integers in limbs judge the error, the
// residues and the enclosure of a result.

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/limbs/integer.hpp"
#include "arith/residues/mp_number.hpp"
#include "arith/residues/rns.hpp"
#include "probes/exact.hpp"
#include "probes/mp/draws.hpp"
#include "probes/probe.hpp"
#include "probes/rns/rns.hpp"

namespace assay::probes::mp {

/// ±x·2^e, x an integer of K words.
template <int K>
struct Exact {
  std::uint32_t word[K];
  std::int64_t e;
  bool minus;

  [[nodiscard]] ASSAY_HD int length() const { return limb::bit_length(word, K); }
};

/// x·2^places. Requires: the words hold it (not checked).
template <int K>
ASSAY_HD void shift_left(std::uint32_t (&x)[K], std::int64_t places) {
  for (int k = K - 1; k >= 0; --k) x[k] = limb::left_shifted_word(x, K, places, k);
}

/// a ← a + b or a − b over the smaller exponent. False if the words may not hold the operands and a sign.
template <int K>
ASSAY_HD bool add(Exact<K>& a, Exact<K> b, bool subtracts) {
  if (b.length() == 0) return true;
  if (a.length() == 0) {
    a = b;
    a.minus = b.minus != subtracts;
    return true;
  }
  const std::int64_t e = a.e < b.e ? a.e : b.e;
  if (a.length() + (a.e - e) > 32 * K - 2 || b.length() + (b.e - e) > 32 * K - 2) return false;
  shift_left(a.word, a.e - e);
  shift_left(b.word, b.e - e);
  if (a.minus) limb::negate(a.word, K);
  if (b.minus != subtracts) limb::negate(b.word, K);
  std::uint64_t carry = 0;
  for (int k = 0; k < K; ++k) {
    carry += std::uint64_t{a.word[k]} + b.word[k];
    a.word[k] = bits::low_word(carry);
    carry >>= 32;
  }
  a.minus = (a.word[K - 1] >> 31) != 0;
  if (a.minus) limb::negate(a.word, K);
  a.e = e;
  return true;
}

/// a ← ab for an integer b of `words` words. Requires: K words hold it (not checked).
template <int K, int words>
ASSAY_HD void multiply(Exact<K>& a, const Operand<words>& b) {
  std::uint32_t product[K] = {};
  for (int i = 0; i < words; ++i) {
    std::uint64_t carry = 0;
    for (int k = 0; i + k < K; ++k) {
      carry += std::uint64_t{b.X.word[i]} * a.word[k] + product[i + k];
      product[i + k] = bits::low_word(carry);
      carry >>= 32;
    }
  }
  for (int k = 0; k < K; ++k) a.word[k] = product[k];
  a.e += b.exponent;
  a.minus = a.minus != (b.sign != 0);
}

template <int K, int words>
ASSAY_HD Exact<K> exact(const Operand<words>& x) {
  Exact<K> z{{}, x.exponent, x.sign != 0};
  for (int k = 0; k < words; ++k) z.word[k] = x.X.word[k];
  return z;
}

/// The first 53 bits of x, as an integer with 2⁵² as its leading bit; the others are cut off.
template <int K>
ASSAY_HD double leading(const Exact<K>& x) {
  return static_cast<double>(limb::bits_at(x.word, K, x.length() - 53) & ((std::uint64_t{1} << 53) - 1));
}

/// |difference| and |truth|, both over a power of two by which the larger has 53 bits, the first times 2^up. The error
/// is rounded up, the truth down.
template <int K>
ASSAY_HD Scaled scaled(const Exact<K>& difference, const Exact<K>& truth, int up) {
  if (difference.length() == 0) return exact_or_unknown(true);
  if (truth.length() == 0) return exact_or_unknown(false);
  const std::int64_t gap = difference.length() + difference.e - truth.length() - truth.e + up;
  if (gap > 100) return exact_or_unknown(false);
  constexpr int least = -900;
  const int places = gap < least ? least : static_cast<int>(gap);
  // One more in the last place may make 54 bits: then the sum is even and exact.
  return {(leading(difference) + 1) * bits::power_of_two<double>(places), leading(truth)};
}

/// Whether the residues, including the guards, are the residues of X.
template <class Set>
ASSAY_HD bool are_residues(const assay::rns::Residues<Set>& x, const rns::IntegerOf<Set>& X) {
  for (int i = 0; i < Set::size; ++i) {
    const std::uint32_t m = assay::rns::tables<Set>().m[i];
    std::uint64_t rest = 0;
    for (int k = assay::rns::limbs<Set>; k-- > 0;) rest = (rest << 32 | X.word[k]) % m;
    if (x.r[i] != rest) return false;
  }
  return true;
}

/// Whether z is a rounded number: digits of an X < M, all members zero for X = 0, L ≤ X/M ≤ U, U < 2^(−h), which
/// implies X² < M, and U − L ≤ 2⁻¹⁹U up to roundings.
template <class Set>
ASSAY_HD bool is_rounded(const assay::mp::Number<Set>& z, const rns::IntegerOf<Set>& X) {
  const Interval& m = z.magnitude;
  if ((z.sign != 0 && z.sign != 1) || !are_residues(z.digits, X) || !rns::encloses<Set>(m, X)) return false;
  if (limb::bit_length(X.word, assay::rns::limbs<Set>) == 0) {
    return z.sign == 0 && z.exponent == 0 && m.upper.fraction == 0 && m.lower.fraction == 0;
  }
  const std::int64_t gap = m.upper.exponent - m.lower.exponent;
  if (m.upper.exponent >= -assay::mp::significand_bits<Set> || m.lower.fraction == 0 || gap > 60) return false;
  const double lower = m.lower.fraction * bits::power_of_two<double>(-static_cast<int>(gap));
  return (m.upper.fraction - lower) * (1 + 0x1p-51) <= m.upper.fraction * 0x1p-19;
}

/// x + y, x − y, xy; or (x − y)w if there are three operands.
enum class Operation { add, sub, mul };

/// An operation, whose error is at most u|truth|: the factor is u·2^unit_places, since u may be too small for binary64.
template <class OfSet, int operands>
struct Arithmetic {
  using Set = OfSet;
  using Classes = Draws<Set>;
  using Input = Operands<Classes::words, operands>;
  using Output = assay::mp::Number<Set>;
  static constexpr int classes = Classes::classes;
  static constexpr int unit_places = assay::mp::significand_bits<Set> - 5;
  Operation operation;

  ASSAY_HD Input draw(Stream& stream, int input_class) const {
    return Classes::template draw<operands>(stream, input_class);
  }
  ASSAY_HD Output run(const Input& c) const {
    const Output x = number(c.at[0]);
    const Output y = number(c.at[1]);
    if constexpr (operands == 3) {
      return assay::mp::mul(assay::mp::sub(x, y), number(c.at[2]));
    } else {
      return operation == Operation::add   ? assay::mp::add(x, y)
             : operation == Operation::sub ? assay::mp::sub(x, y)
                                           : assay::mp::mul(x, y);
    }
  }
  ASSAY_HD Scaled error(const Input& c, const Output& z) const {
    constexpr int L = assay::rns::limbs<Set>;
    if (assay::mp::is_out_of_range(z)) return exact_or_unknown(false);
    rns::IntegerOf<Set> X{};
    assay::rns::to_limbs<Set>(z.digits, X.word);
    if (!is_rounded<Set>(z, X)) return exact_or_unknown(false);
    ExactNumber truth = exact<exact_words>(c.at[0]);
    if (operands == 2 && operation == Operation::mul) {
      multiply(truth, c.at[1]);
    } else if (!mp::add(truth, exact<exact_words>(c.at[1]), operands == 3 || operation == Operation::sub)) {
      return exact_or_unknown(false);
    }
    if constexpr (operands == 3) multiply(truth, c.at[2]);
    ExactNumber difference{{}, z.exponent, z.sign != 0};
    for (int k = 0; k < L; ++k) difference.word[k] = X.word[k];
    if (!mp::add(difference, truth, true)) return exact_or_unknown(false);
    return scaled(difference, truth, unit_places);
  }

 private:
  /// Two operands with a gap of twice the precision, times a third one.
  static constexpr int exact_words = 4 * Classes::words + 3;
  using ExactNumber = Exact<exact_words>;
  static_assert(exact_words >= assay::rns::limbs<Set> + Classes::words);

  ASSAY_HD static Output number(const Operand<Classes::words>& x) {
    Output z = assay::mp::from_limbs<Set>(x.X.word, Classes::words, x.exponent, x.sign != 0);
    widen(z.magnitude.lower, z.magnitude.upper, x.width, Classes::h);
    return z;
  }
};

template <int n>
using Pair = Arithmetic<assay::rns::Standard<n>, 2>;
template <int n>
using DifferenceProduct = Arithmetic<assay::rns::Standard<n>, 3>;

}  // namespace assay::probes::mp
