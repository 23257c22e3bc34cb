#include "properties/contracts/matmul_bounds.hpp"

#include "errorbounds/matmul.hpp"
#include "errorbounds/matmul_theorems.hpp"
#include "errorbounds/tensor_core.hpp"
#include "errorbounds/tensor_core_theorems.hpp"

namespace assay::contracts {
namespace {

constexpr MatrixUnit ampere{8, 24, 23};
constexpr MatrixUnit hopper{16, 25, 23};
constexpr MatrixUnit hopper_of_tf32{8, 25, 23};

MatrixProducts products_of(const MatmulSum& sum) { return {sum.k, sum.terms.magnitudes, sum.terms.lifted}; }

/// The number of slices of at least `shortest` terms.
std::uint64_t slices_of(const MatmulSum& sum, std::uint64_t shortest) {
  return sum.k <= shortest ? 1 : (sum.k + shortest - 1) / shortest;
}

template <const MatrixUnit& unit>
Bound one_chain(const MatmulSum& sum) {
  return matrix_chain_bound(unit, products_of(sum));
}
template <int m>
Bound one_chain_of_any(const MatmulSum& sum) {
  return matrix_any_unit_bound(m, products_of(sum));
}

/// Slices of 32 terms or more.
template <class Unit>
Bound split(const Unit& unit, const MatmulSum& sum) {
  return matrix_slices_bound(unit, slices_of(sum, 32), sum.k, products_of(sum));
}

/// The bounds of results that no accumulator of another format comes before.
Bound in_binary16(const MatmulSum& sum) { return matrix_f16_accumulator_bound(hopper, products_of(sum)); }
/// Slices of so many terms or more.
template <std::uint64_t terms>
Bound reduced(const MatmulSum& sum) {
  return matrix_reduced_slices_bound(any_matrix_unit(23), slices_of(sum, terms), sum.k, products_of(sum), sum.result);
}

std::vector<MatmulBound> all_bounds() {
  const std::vector<std::string> floats{"f64",     "f32",      "bf16",      "bf16:f32", "f16",
                                        "f16:f32", "e4m3:f32", "e4m3:bf16", "e5m2:f32"};
  const std::vector<std::string> of_16_bits{"bf16", "bf16:f32", "f16", "f16:f32"};
  const std::vector<std::string> of_8_bits{"e4m3:f32", "e4m3:bf16", "e5m2:f32"};
  const std::vector<std::string> narrow{"bf16", "bf16:f32", "f16", "f16:f32", "e4m3:f32", "e4m3:bf16", "e5m2:f32"};

  return {{"inner_product",
           &matmul_inner_1.words,
           "",
           {"tensor_core", "tf32"},
           floats,
           [](const MatmulSum& sum) {
             return inner_product_bound(sum.k, sum.terms.sum, sum.terms.magnitudes, sum.accumulator, sum.accumulator);
           }},
          {"tensor_core_hopper",
           &tensor_core_chain_1.words,
           "b = 16, F = 25, m = 23",
           {"tensor_core_ampere", "split_k_hopper"},
           of_16_bits,
           one_chain<hopper>},
          {"tensor_core_ampere",
           &tensor_core_chain_1.words,
           "b = 8, F = 24, m = 23",
           {"tensor_core"},
           of_16_bits,
           one_chain<ampere>},
          {"tensor_core", &tensor_core_chain_2.words, "m = 23", {"split_k"}, narrow, one_chain_of_any<23>},
          {"split_k_hopper",
           &tensor_core_slices_1.words,
           "b = 16, F = 25, m = 23, s = ⌈k/32⌉, l = k",
           {"split_k"},
           of_16_bits,
           [](const MatmulSum& sum) { return split(hopper, sum); }},
          {"split_k",
           &tensor_core_slices_1.words,
           "any unit with m = 23, s = ⌈k/32⌉, l = k",
           {"reduced_split_k"},
           narrow,
           [](const MatmulSum& sum) { return split(any_matrix_unit(23), sum); }},
          {"reduced_split_k",
           &tensor_core_slices_2.words,
           "any unit with m = 23, s = ⌈k/32⌉, l = k",
           {"reduced_any_split"},
           {"bf16", "f16"},
           reduced<32>,
           true},
          {"reduced_any_split",
           &tensor_core_slices_2.words,
           "any unit with m = 23, s = k, l = k",
           {},
           {"bf16", "f16"},
           reduced<1>,
           true},
          {"f16_accumulate", &tensor_core_f16_accumulator_1.words, "b = 16, F = 25", {}, {"f16"}, in_binary16, true},
          {"tf32_hopper",
           &tensor_core_tf32_3.words,
           "b = 8, F = 25, m = 23",
           {"tf32"},
           {"f32"},
           [](const MatmulSum& sum) { return tf32_either_bound(hopper_of_tf32, products_of(sum)); }},
          {"tf32",
           &tensor_core_tf32_3.words,
           "any unit with m = 23",
           {},
           {"f32"},
           [](const MatmulSum& sum) { return tf32_either_bound(any_matrix_unit(23), products_of(sum)); }},
          {"fp8_promoted",
           &tensor_core_slices_1.words,
           "m = 13, s = ⌈k/128⌉, l = 128",
           {},
           of_8_bits,
           [](const MatmulSum& sum) {
             return matrix_slices_bound(any_matrix_unit(13), slices_of(sum, 128), sum.k < 128 ? sum.k : 128,
                                        products_of(sum));
           }},
          {"fp8_raw", &tensor_core_chain_2.words, "m = 13", {}, of_8_bits, one_chain_of_any<13>},
          {"fma_chain", &tensor_core_fma_chain_1.words, "", {"inner_product"}, {"f64"}, [](const MatmulSum& sum) {
             return fma_chain_bound(sum.k, sum.terms.magnitudes);
           }}};
}

}  // namespace

std::span<const MatmulBound> matmul_bounds() {
  static const std::vector<MatmulBound> all = all_bounds();
  return all;
}

std::string instance_of(const MatmulBound& bound) {
  const std::string of = std::string("B of ") + bound.theorem->id.text;
  return *bound.instance == '\0' ? of : of + ", " + bound.instance;
}

Bound bound_of(const MatmulBound& bound, const MatmulSum& sum) {
  const Bound of_sum = bound.of(sum);
  const bool is_stored = sum.accumulator != sum.result && !bound.is_of_result;
  return is_stored ? stored_bound(of_sum, sum.terms.sum, sum.result) : of_sum;
}

Bound epilogue_bound_of(const MatmulBound& bound, const MatmulSum& sum, const oracle::Dyadic& alpha,
                        const oracle::Dyadic& addend) {
  const oracle::Format& format = bound.of == in_binary16 ? sum.result : sum.accumulator;
  const Bound computed = epilogue_bound(bound.of(sum), sum.terms.sum, alpha, addend, format);
  return format == sum.result ? computed : stored_bound(computed, alpha * sum.terms.sum + addend, sum.result);
}

}  // namespace assay::contracts
