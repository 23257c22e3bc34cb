#pragma once
// What a tree of additions gives for other inputs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/orders/reduction.hpp"
#include "assay/orders/tree.hpp"

namespace assay::orders {

/// How the operations of a tree compute.
struct Arithmetic {
  Number accumulator = Number::f64;  ///< of every operation's result, rounded to nearest once
  /// Of products: which of them are fused with the addition that takes them; the others are rounded before. Empty:
  /// none.
  std::vector<bool> fused = {};
  /// Of operations that add three numbers or more: bits below 2^(e − fraction_bits), e the largest exponent of them,
  /// are cut off before; 0: none.
  int fraction_bits = 0;
  bool truncates = false;  ///< their sum is rounded toward zero
};

/// "rounded to f32 after each addition", …
std::string words_of(const Arithmetic& arithmetic, bool has_products);

/// Which products are fused, found by one input for each: xᵢyᵢ has more bits than the accumulator, a term that it meets
/// is −RN(xᵢyᵢ), and all others are zeros. The result is 0 where the product was rounded. Of more than
/// 4096 terms some are asked: those at the ends of a run of fused products, or of rounded ones, among the terms that
/// have the same place in an operation and meet a term, or a sum, there. Requires: a binary tree of products.
std::vector<bool> fused_products(const Tree& tree, const Reduction& reduction, Number accumulator);

/// The bit pattern of the tree's result. Operations of three numbers or more are exact but
/// for the bits that they cut off, and one rounding.
std::uint64_t value_of(const Tree& tree, const Arithmetic& arithmetic, const Reduction& reduction, const Terms& terms);

/// n inputs drawn by the seed, in turn of four classes: magnitudes in one binade, and over 2, 8 and 16 binades to each
/// side; in binary16 over 1, 2 and 4. Both signs. A longer list begins with a shorter one of the same seed.
std::vector<Terms> random_terms(const Reduction& reduction, std::size_t n, std::uint64_t seed);

/// An input on which the kernel and the tree differ.
struct Example {
  Terms terms;
  std::uint64_t got = 0;
  std::uint64_t predicted = 0;
};

/// What the best arithmetic predicts of the kernel's answers.
struct Prediction {
  Arithmetic arithmetic = {};
  std::size_t predicted = 0;
  std::size_t checked = 0;
  std::optional<Example> example = {};       ///< the first input that is not predicted
  std::optional<Example> not_repeated = {};  ///< the kernel's two answers to one input
};

/// So many inputs are predicted of at most 4096 terms; of longer ones as many as have 2²¹ terms together, one at least.
inline constexpr std::size_t predicted_inputs = 4096;
inline constexpr std::size_t predicted_terms = std::size_t{1} << 24;
std::size_t inputs_of(std::size_t terms);

/// Asks the kernel inputs_of() random inputs, each twice in different calls, and predicts them by the tree.
Prediction predict(const Tree& tree, const Reduction& reduction, std::uint64_t seed);

}  // namespace assay::orders
