#pragma once
// The formats of matrix products "IN:OUT", and what is the same for a product alone and with αAB + βC.

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "arith/float/small_float.hpp"
#include "oracle/decode.hpp"
#include "properties/contracts/foreign.hpp"
#include "properties/contracts/matmul_truth.hpp"
#include "properties/framework/remark.hpp"

namespace assay::contracts {

/// The numbers of one format "IN:OUT". Cases hold inputs of the type In, results are of the type Out. In a foreign
/// function's arrays they are of the types InArray and OutArray, which differ from them for integers alone.
template <class InNumber, class OutNumber, class InElement = InNumber, class OutElement = OutNumber>
struct Numbers {
  using In = InNumber;
  using Out = OutNumber;
  using InArray = InElement;
  using OutArray = OutElement;
  static constexpr bool integers = !std::is_same_v<InNumber, InElement>;
  using Accumulator = std::conditional_t<std::is_same_v<Out, double>, double, float>;
  static constexpr oracle::Format accumulator = format_of<Accumulator>();
};
/// Integers of 8 bits are numbers of binary32 in a case, and sums of 32 bits are numbers of binary64 in a result.
using Integers = Numbers<float, double, std::int8_t, std::int32_t>;

template <class N>
constexpr oracle::Format out = format_of<typename N::Out>();

/// f("bf16:f32", Numbers<…>{}) for every format of floating-point numbers.
template <class F>
void for_each_float_format(F&& f) {
  f("f64", Numbers<double, double>{});
  f("f32", Numbers<float, float>{});
  f("bf16", Numbers<bfloat16, bfloat16>{});
  f("bf16:f32", Numbers<bfloat16, float>{});
  f("f16", Numbers<binary16, binary16>{});
  f("f16:f32", Numbers<binary16, float>{});
  f("e4m3:f32", Numbers<e4m3, float>{});
  f("e4m3:bf16", Numbers<e4m3, bfloat16>{});
  f("e5m2:f32", Numbers<e5m2, float>{});
}
inline constexpr const char* format_of_integers = "s8:s32";

/// Their names.
inline std::vector<std::string> float_formats() {
  std::vector<std::string> names;
  for_each_float_format([&](const std::string& name, auto) { names.push_back(name); });
  return names;
}
/// Those whose dimensions may be any.
inline std::vector<std::string> formats_of_any_shape() {
  std::vector<std::string> names = float_formats();
  std::erase_if(names, [](const std::string& name) { return name.starts_with('e'); });
  return names;
}

/// The largest exponent of a result, which is the accumulator's or that of the format in which it is stored, and that
/// of a sum in the accumulator.
template <class N>
MatmulLimits limits_of() {
  return {.highest_result = std::min(out<N>.emax, N::accumulator.emax),
          .highest_sum = N::accumulator.emax,
          .multiple_of = format_of<typename N::In>().width() == 8 ? 16 : 1,
          .integers = N::integers};
}

/// Whether a result that IEEE arithmetic makes infinite or NaN is so. A format without infinities has a NaN for them.
template <class N>
bool is_right_special(EntryKind kind, typename N::Out got) {
  const std::uint64_t bits = bits_of(got);
  if (kind == EntryKind::nan || !out<N>.has_infinity()) return oracle::is_nan(out<N>, bits);
  return bits == (out<N>.infinity() | (kind == EntryKind::minus_infinity ? out<N>.sign_mask() : 0));
}

/// The judgment of such a result; a wrong one leaves a remark of what is due.
template <class N>
Judgement judge_special(EntryKind kind, typename N::Out got, std::size_t place) {
  if (is_right_special<N>(kind, got)) return Judgement::pass();
  remark_due(kind == EntryKind::nan || !out<N>.has_infinity(), kind == EntryKind::minus_infinity);
  return Judgement::fail(place);
}

/// What a format other than f64 adds to the name of a property: ".bf16_f32".
inline std::string suffix_of(const std::string& format) {
  std::string suffix = format == "f64" ? "" : "." + format;
  std::ranges::replace(suffix, ':', '_');
  return suffix;
}

}  // namespace assay::contracts
