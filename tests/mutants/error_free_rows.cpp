// The promises of error-free transformations, for the mutants that break them.

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "errorbounds/eft_theorems.hpp"
#include "properties/catalog/eft/properties.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/error_free_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

template <class Op>
Subject<typename Op::Input, typename Op::Output> kernel() {
  return [](const Executor& on, std::span<const typename Op::Input> cases) { return elementwise<Op>(on, cases); };
}

bool no_overflow(const oracle::Dyadic& x) { return x.is_zero() || x.exponent() < 1022; }

/// s + e = a + b for any a and b: the promise of TwoSum.
auto two_sum_promise(const Subject<Pair<double>, Sum<double>>& subject) {
  const Box box{-1022, 1020};
  return TypedModel(Property<Pair<double>, Sum<double>, oracle::Dyadic>{
      .name = "mutants.two_sum",
      .domain = {.classes = sum_pair_classes<double>(box),
                 .contains =
                     [](const Pair<double>& c) {
                       return is_finite(c.a) && is_finite(c.b) && no_overflow(value_of(c.a)) &&
                              no_overflow(value_of(c.b));
                     }},
      .subject = subject,
      .reference = [](const Pair<double>& c) { return value_of(c.a) + value_of(c.b); },
      .claims = {exact("exact", eft_two_sum_1)}});
}

/// The promise in the catalog's property of TwoSum: it includes the sign of zeros.
template <class Op>
auto catalogue_two_sum_promise() {
  return TypedModel(eft::exact_transform<Op>("mutants.two_sum_of_zeros", eft::two_sum_domain<double>(), eft_two_sum_1));
}

/// s + e = RN(ab) + c.
auto sum_of_product_promise() {
  const Box box{-300, 300};
  std::vector<InputClass<Triple<double>>> classes;
  for (const auto& of_pairs : product_pair_classes<double>(box, {-300, 300})) {
    classes.push_back(
        {of_pairs.name, of_pairs.weight, drawn<Triple<double>>([box, draw_pair = of_pairs.generator](Draw& draw) {
           const rc::Random random(draw.word());
           const Pair<double> pair = draw_pair(random);
           const int exponent = std::clamp(
               parts_of(pair.a).leading() + parts_of(pair.b).leading() + draw.between(-60, 60), box.low, box.high);
           return Triple<double>{pair.a, pair.b, draw_number<double>(draw, Significand::any, exponent)};
         })});
  }
  return TypedModel(Property<Triple<double>, Sum<double>, oracle::Dyadic>{
      .name = "mutants.sum_of_product",
      .domain = {.classes = std::move(classes),
                 .contains =
                     [box](const Triple<double>& c) {
                       return in_box(c.a, box) && in_box(c.b, box) && in_box(c.c, box);
                     }},
      .subject = kernel<ContractedAcrossCall>(),
      .reference =
          [](const Triple<double>& c) {
            const oracle::Dyadic product = value_of(c.a) * value_of(c.b);
            const std::uint64_t rounded = oracle::round(product, oracle::binary64, oracle::Rounding::nearest);
            return oracle::decode_finite(oracle::binary64, rounded) + value_of(c.c);
          },
      .claims = {of_instance("a the product RN(ab), b = c", exact("exact", eft_two_sum_1))}});
}

/// h + l = a, h of at most 26 bits, l of at most 26 bits: the promise of Veltkamp's split.
auto split_promise() {
  const Box box{-1000, 990};
  std::vector<InputClass<Single<double>>> classes;
  for (const auto& [name, kind] : {std::pair{"dense", Significand::dense}, {"any significand", Significand::any}}) {
    classes.push_back({name, 1, drawn<Single<double>>([box, kind = kind](Draw& draw) {
                         return Single<double>{
                             draw_number<double>(draw, kind, draw_exponent<double>(draw, Exponents::full_range, box))};
                       })});
  }
  return TypedModel(Property<Single<double>, Split<double>, oracle::Dyadic>{
      .name = "mutants.split",
      .domain = {.classes = std::move(classes),
                 .contains = [box](const Single<double>& c) { return in_box(c.a, box); }},
      .subject = kernel<ContractedSplit>(),
      .reference = [](const Single<double>& c) { return value_of(c.a); },
      .claims = {exact("exact", eft_veltkamp_split_1),
                 satisfies("bits", eft_veltkamp_split_2, [](const Single<double>&, const Split<double>& y) {
                   return value_of(y.h).bit_length() <= 26 && value_of(y.l).bit_length() <= 26;
                 })}});
}

/// p + e = ab where the exponents of a and b add up to `low` or more: the promise of an error-free product.
auto product_promise(const Subject<Pair<double>, Product<double>>& subject, int low) {
  const Box box{-1022, 480};
  return TypedModel(Property<Pair<double>, Product<double>, oracle::Dyadic>{
      .name = "mutants.product",
      .domain = {.classes = product_pair_classes<double>(box, {low, 900}),
                 .contains =
                     [box, low](const Pair<double>& c) {
                       return in_box(c.a, box) && in_box(c.b, box) &&
                              (c.a == 0 || c.b == 0 || parts_of(c.a).leading() + parts_of(c.b).leading() >= low);
                     }},
      .subject = subject,
      .reference = [](const Pair<double>& c) { return value_of(c.a) * value_of(c.b); },
      .claims = {exact("exact", eft_two_prod_1)}});
}

}  // namespace

Rows error_free_rows() {
  return {
      kernel_row({"E1", "TwoSum is FastTwoSum without a swap", 4}, two_sum_promise(kernel<UnorderedFastTwoSum>())),
      kernel_row({"E2", "the swap of FastTwoSum compares values, not magnitudes", 4},
                 two_sum_promise(kernel<SwapBySignedValue>())),
      kernel_row({"E3", "TwoSum without the last term of its error", 4}, two_sum_promise(kernel<DroppedLastTerm>())),
      kernel_row({"E4", "TwoSum reassociated: no error term", 4}, two_sum_promise(kernel<ReassociatedTwoSum>())),
      kernel_row({"E5", "a product contracted into the sum of TwoSum", 64}, sum_of_product_promise()),
      kernel_row({"E6", "Veltkamp's split contracted", 53}, split_promise()),
      kernel_row({"E7", "TwoProd without FMA", 56}, product_promise(kernel<ProductWithoutFma>(), -960)),
      kernel_row({"E8", "the split constant is 2^26 + 1", 106}, product_promise(kernel<SplitOneBitShort>(), -960)),
      kernel_row({"E11", "TwoProd claimed where its error underflows", 60},
                 product_promise(kernel<TwoProdAnywhere>(), -1020)),
      kernel_row({"E11 Dekker", "Dekker's product claimed where its error underflows", 60},
                 product_promise(kernel<DekkerProdAnywhere>(), -1020)),
      kernel_row({"E12", "TwoSum returns (a, 0) for b = 0", 0}, catalogue_two_sum_promise<ShortcutForZero>(),
                 catalogue_two_sum_promise<eft::TwoSum<double>>()),
      kernel_row({"E13", "a zero error of TwoSum is -0", 0}, catalogue_two_sum_promise<NegativeZeroError>(),
                 catalogue_two_sum_promise<eft::TwoSum<double>>()),
  };
}

}  // namespace assay::mutants
