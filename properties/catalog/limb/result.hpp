#pragma once
// Numbers of L limbs in the judge's form: sign, exponent and limbs, decoded by the oracle.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "kernels/limb/array.hpp"
#include "oracle/residues.hpp"
#include "properties/catalog/limb/cases.hpp"
#include "properties/framework/codec.hpp"

namespace assay::limb {

/// Numbers that a kernel returned.
struct LimbNumbers {
  FloatArray array;
};

/// A number that MPFR rounded.
struct MpfrNumber : oracle::LimbFloat {};
/// One for each component.
struct LimbTruth : std::vector<MpfrNumber> {};

/// got = truth.
inline Judgement judge_exact(const oracle::Dyadic& got, const MpfrNumber& truth, std::size_t at = 0) {
  using Kind = oracle::LimbFloat::Kind;
  const bool finite = truth.kind == Kind::zero || truth.kind == Kind::regular;
  return Judgement::of(finite && oracle::value_of(truth) == got, at);
}

}  // namespace assay::limb

namespace assay {

/// For evidence and for the comparison of bits: sign, exponent and limbs of each number, as doubles, which represent
/// them exactly.
template <>
struct ResultTraits<limb::LimbNumbers> {
  using Number = double;
  static std::size_t per_component(const limb::LimbNumbers& result) {
    return static_cast<std::size_t>(result.array.limbs) + 2;
  }
  static std::size_t components(const limb::LimbNumbers& result) { return result.array.length; }
  static double word(const limb::LimbNumbers& result, std::size_t i) {
    const limb::FloatArray& x = result.array;
    const std::size_t k = i / per_component(result);
    const std::size_t at = i % per_component(result);
    return at == 0 ? x.sign[k] : at == 1 ? x.exponent[k] : x.word[(at - 2) * x.length + k];
  }
};

}  // namespace assay

namespace assay::limb {

/// Number k of a result as an operand: with its limbs in `word`.
inline LimbOperand operand_of(const LimbNumbers& result, std::size_t k, std::vector<std::uint32_t>& word) {
  const FloatArray& x = result.array;
  word.clear();
  for (int i = 0; i < x.limbs; ++i) word.push_back(x.word[static_cast<std::size_t>(i) * x.length + k]);
  return {static_cast<int>(x.sign[k]), x.exponent[k], &word};
}

/// The value of number k, for judges of errors; false if it is not finite, or not in the form of Float.
inline bool component_value(const LimbNumbers& result, std::size_t k, oracle::Dyadic& value) {
  thread_local std::vector<std::uint32_t> word;
  const LimbOperand x = operand_of(result, k, word);
  if (x.exponent > most_exponent || !is_limb_float(x, result.array.limbs)) return false;
  value = oracle::value_of(oracle_number(x));
  return true;
}

/// Whether number k has the bits of the truth.
inline Judgement judge_bits(const LimbNumbers& result, const MpfrNumber& truth, std::size_t k) {
  using Kind = oracle::LimbFloat::Kind;
  thread_local std::vector<std::uint32_t> word;
  const LimbOperand x = operand_of(result, k, word);
  if (!is_limb_float(x, result.array.limbs)) return Judgement::fail(k);
  const oracle::LimbFloat got = oracle_number(x);
  const bool regular = got.kind == Kind::regular;
  return Judgement::of(got.kind == truth.kind && (got.kind == Kind::nan || got.negative == truth.negative) &&
                           (!regular || (got.exponent == truth.exponent && got.word == truth.word)),
                       k);
}

/// For evidence.
inline std::string describe_at(const LimbTruth& truth, std::size_t i) {
  return i < truth.size() ? oracle::to_string(truth[i]) : std::string();
}
/// The truth is the number itself: no error is measured.
inline std::optional<double> error_in_ulps_at(const LimbNumbers&, const LimbTruth&, std::size_t) {
  return std::nullopt;
}

/// Numbers of cases, packed: number k belongs to case k.
class LimbPacker {
 public:
  LimbPacker(int limbs, std::size_t length) : array_(float_zeros(limbs, length)) {}
  void put(std::size_t k, const LimbOperand& x) {
    array_.sign[k] = static_cast<std::uint32_t>(x.sign);
    array_.exponent[k] = static_cast<std::int32_t>(x.exponent);
    for (std::size_t i = 0; i < x.word->size(); ++i) array_.word[i * array_.length + k] = (*x.word)[i];
  }
  [[nodiscard]] const FloatArray& array() const { return array_; }

 private:
  FloatArray array_;
};

}  // namespace assay::limb
