#pragma once
// The models that the prober tries for a unit, and their predictions.

#include <cstdint>
#include <string>
#include <vector>

#include "arith/tensor_core/model.hpp"
#include "assay/prober/order.hpp"
#include "assay/prober/unit.hpp"

namespace assay::prober {

/// The operation of a unit. step: tensor_core::fused_step. fma, multiply_add: product after product is added to the
/// sum, with one rounding to nearest, or with one of the product and one of the sum.
enum class Rule { step, fma, multiply_add, wraps, saturates };

/// The conversion of binary32 elements before they are multiplied. tf32: cut to 10 fraction bits, or rounded to nearest
/// with ties away from zero.
enum class Conversion { none, tf32_truncated, tf32_rounded };

/// The arithmetic of a single operation of a unit.
struct Arithmetic {
  Rule rule = Rule::step;
  Conversion conversion = Conversion::none;
  tensor_core::Step step{.terms = 1,
                         .fraction_bits = 23};  ///< for Rule::step; its number of terms comes from the order
  bool flushes_inputs = false;                  ///< subnormal elements and c count as zeros
  bool flushes_results = false;                 ///< subnormal results become zeros
};

/// "F = 25, toward zero, result toward zero in binary32", "fused multiply-adds", …
std::string words_of(const Arithmetic& arithmetic);

/// Whether predict() supports such a tree: every operation adds products to at most one result, or only adds results.
bool is_predictable(const Addition& tree, const Unit& unit);

/// The pattern of d. Results of chains are added with rounding to nearest in the format of the result. Requires:
/// is_predictable(tree, unit); finite numbers (not checked).
std::uint64_t predict(const Arithmetic& arithmetic, const Addition& tree, const Unit& unit, const Product& product);

}  // namespace assay::prober
