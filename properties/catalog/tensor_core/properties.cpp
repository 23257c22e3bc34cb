#include "errorbounds/tensor_core_theorems.hpp"

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "oracle/round.hpp"
#include "properties/catalog/tensor_core/claims.hpp"

namespace assay::tensor_core {

namespace {

using oracle::Dyadic;

template <FloatingPoint T>
using Binary32Claims = std::vector<ChainClaim<T, float>>;

/// A chain of steps with results in binary32, toward zero. `controls`: claims that are known to be false.
template <FloatingPoint T, int p = FloatTraits<T>::precision>
Registration binary32_chain(std::string name, const Step& step, Binary32Claims<T> controls = {}) {
  const ChainKind kind{.step = step};
  Binary32Claims<T> claims{
      error_within("error", tensor_core_chain_1, unit_of(kind)),
      error_within("error_any_unit", tensor_core_chain_2,
                   [](const auto& by, const MatrixProducts& products) { return by(23, products); })};
  std::move(controls.begin(), controls.end(), std::back_inserter(claims));
  return Registration(chain_property<T, float, p>(std::move(name), kind, std::move(claims), step));
}

/// The bound of additions to nearest.
auto error_to_nearest() {
  return expected_refuted(
      within("error_to_nearest", tensor_core_chain_4,
             [](const auto& c) { return matrix_any_unit_bound(24, exact_products_of(c).products); }),
      "error");
}

/// The bound if subnormal elements are treated as normal ones.
auto error_of_magnitudes(const Step& step) {
  return expected_refuted(within("error_of_magnitudes", tensor_core_chain_3,
                                 [step](const auto& c) {
                                   MatrixProducts products = exact_products_of(c).products;
                                   products.lifted = 0;
                                   return matrix_chain_bound(unit_of({step}), products);
                                 }),
                          "error");
}

const Registration volta = binary32_chain<binary16>("tensor_core.volta.f16", volta_f16, {error_to_nearest()});
const Registration ampere = binary32_chain<binary16>("tensor_core.ampere.f16", ampere_f16);
const Registration ampere_of_tf32 = binary32_chain<float, 11>("tensor_core.ampere_tf32.f32", ampere_tf32);
const Registration hopper = binary32_chain<bfloat16>("tensor_core.hopper.bf16", hopper_f16,
                                                     {error_to_nearest(), error_of_magnitudes(hopper_f16)});
const Registration hopper_of_tf32 = binary32_chain<float, 11>("tensor_core.hopper_tf32.f32", hopper_tf32);
const Registration blackwell = binary32_chain<e4m3>("tensor_core.blackwell.e4m3", blackwell_fp8);

/// A chain of steps with 13 fraction bits.
template <FloatingPoint T>
Registration short_chain(std::string name, const Step& step) {
  const ChainKind kind{.step = step, .result_bits = 13, .start_bits = 14};
  return Registration(chain_property<T, float>(
      std::move(name), kind,
      {error_within("error", tensor_core_chain_2,
                    [](const auto& by, const MatrixProducts& products) { return by(13, products); })},
      step));
}

const Registration ada = short_chain<e4m3>("tensor_core.ada.e4m3", ada_fp8);
const Registration hopper_fp8 = short_chain<e5m2>("tensor_core.hopper.e5m2", hopper_fp8_wgmma);

const Registration f16_accumulator = [] {
  const ChainKind kind{
      .step = with_f16_accumulator(ampere_f16), .result_bits = 10, .start_bits = 11, .highest = 0, .most = 13};
  return Registration(chain_property<binary16, binary16>(
      "tensor_core.f16_accumulator.f16", kind, {error_within("error", tensor_core_f16_accumulator_1, unit_of(kind))},
      kind.step));
}();

/// tf32 to nearest, ties away from zero: half a unit is added, and the sum truncated.
std::uint32_t tf32_away(std::uint32_t bits) {
  const Dyadic x = oracle::decode_finite(oracle::binary32, bits);
  const long exponent = x.is_zero() ? -126 : std::max(x.exponent(), -126L);
  const Dyadic half = Dyadic::scaled(x.sign(), exponent - 11);
  const oracle::RoundingPolicy sign{.negative_zero = oracle::is_negative(oracle::binary32, bits)};
  return static_cast<std::uint32_t>(oracle::round(x + half, tf32, oracle::Rounding::zero, sign)) << 13;
}

/// Elements in binary32 for which the conversion to tf32 loses as much as possible: 1 + δ scaled.
Property<ChainCase<float, float>, float, Dyadic> tf32_property(std::string name,
                                                               std::vector<ChainClaim<float, float>> claims,
                                                               std::uint32_t (*convert)(std::uint32_t),
                                                               std::uint32_t (*exactly)(std::uint32_t),
                                                               std::uint32_t lost) {
  using Case = ChainCase<float, float>;
  const ChainKind kind{.step = hopper_tf32};
  auto property = chain_property<float, float>(std::move(name), kind, std::move(claims), hopper_tf32, convert, exactly);
  property.domain.classes.push_back({"conversions that lose most", 3, drawn<Case>([lost](Draw& draw) {
                                       Case c;
                                       const int n = 1 + static_cast<int>(draw.below(40));
                                       const bool negative = draw.coin();
                                       const int exponent = draw.between(-20, 20);
                                       for (int i = 0; i < n; ++i) {
                                         const std::uint64_t m = (std::uint64_t{1} << 23) + lost - draw.below(2);
                                         c.a.push_back(compose<float>(negative, m, exponent - 23));
                                         c.b.push_back(compose<float>(false, m, draw.between(0, 1) - 23));
                                       }
                                       return c;
                                     })});
  return property;
}

const Registration truncated{tf32_property("tensor_core.tf32_truncated.f32",
                                           {error_within("error", tensor_core_tf32_1, unit_of({hopper_tf32})),
                                            error_within("error_either", tensor_core_tf32_3, unit_of({hopper_tf32}))},
                                           tf32_truncated, nullptr, 0x1fffu)};
const Registration rounded{tf32_property("tensor_core.tf32_rounded.f32",
                                         {error_within("error", tensor_core_tf32_2, unit_of({hopper_tf32}))},
                                         tf32_rounded, tf32_away, 0x1000u)};

}  // namespace

}  // namespace assay::tensor_core
