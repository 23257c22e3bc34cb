// The promises of native pairs of float, for the mutants that break them.

#include "errorbounds/pair_theorems.hpp"
#include "properties/framework/double_words.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/native_pair_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

/// The two words of the result add up to ab.
template <class Op>
auto native_product_promise() {
  const Box box{-60, 60};
  return TypedModel(Property<Pair<float>, typename Op::Output, oracle::Dyadic>{
      .name = "mutants.native_product",
      .domain = {.classes = product_pair_classes<float>(box, {-90, 100}),
                 .contains =
                     [box](const Pair<float>& c) {
                       return in_box(c.a, box) && in_box(c.b, box) &&
                              (c.a == 0 || c.b == 0 || parts_of(c.a).leading() + parts_of(c.b).leading() >= -90);
                     }},
      .subject = [](const Executor& on, std::span<const Pair<float>> cases) { return elementwise<Op>(on, cases); },
      .reference = [](const Pair<float>& c) { return value_of(c.a) * value_of(c.b); },
      .claims = {exact("exact", pair_native_mul_fma_1)}});
}

/// The product of pairs: its error, and a normalized result.
template <class Op>
auto pair_product_promise(const BoundedTheorem auto& theorem) {
  const Box box = product_box(format_of<float>());
  return TypedModel(Property<DwDw<float>, DoubleWord<float>, oracle::Dyadic>{
      .name = "mutants.pair_product",
      .domain = {.classes = double_word_pair_classes<float>(box),
                 .contains =
                     [box](const DwDw<float>& c) {
                       return is_double_word(c.x) && is_double_word(c.y) && in_box(c.x, box) && in_box(c.y, box);
                     }},
      .subject = [](const Executor& on, std::span<const DwDw<float>> cases) { return elementwise<Op>(on, cases); },
      .reference = [](const DwDw<float>& c) { return value_of(c.x) * value_of(c.y); },
      .claims = {within("error", theorem, FloatTraits<float>::precision),
                 satisfies("normalised", pair_normalized_1,
                           [](const DwDw<float>&, const DoubleWord<float>& z) { return is_normalised(z); })}});
}

}  // namespace

Rows native_pair_rows() {
  return {
      kernel_row({"P1", "the split constant of binary32 is 2^11 + 1", 48},
                 native_product_promise<PairSplitOneBitShort>()),
      kernel_row({"P2 11 bits", "the mask of binary32 clears 11 bits", 48}, native_product_promise<PairMaskOf<11>>()),
      kernel_row({"P2 13 bits", "the mask of binary32 clears 13 bits", 48}, native_product_promise<PairMaskOf<13>>()),
      kernel_row({"P3", "the product of the low halves is dropped", 48},
                 pair_product_promise<PairDroppedLowProduct>(pair_mul_split_1)),
      kernel_row({"P4", "the high product contracted into its normalisation", 72},
                 pair_product_promise<PairContractedProduct>(pair_mul_fma_1)),
      kernel_row({"P5", "Veltkamp's split in binary32 contracted", 48}, native_product_promise<PairContractedSplit>()),
  };
}

}  // namespace assay::mutants
