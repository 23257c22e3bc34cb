// Error-free transforms over all inputs: toy precisions 3 … 8 up to exact symmetries, and all pairs of binary16.

#include "arith/float/small_float.hpp"
#include "properties/catalog/eft/properties.hpp"
#include "properties/framework/enumeration.hpp"

namespace assay::eft::toy {

namespace {

template <class T>
constexpr int precision = FloatTraits<T>::precision;

/// Gaps beyond which a larger gap changes nothing: docs/bounds/small_formats.md.
template <class T>
constexpr int sum_gaps = 2 * precision<T> + 3;

constexpr const char* reduced = "all numbers up to exact symmetries: docs/bounds/small_formats.md";

template <class T>
struct ToyFamily {
  static Domain<Pair<T>> pairs(int gaps, bool (*contains)(const Pair<T>&)) {
    return exhaustive<Pair<T>>(every_pair<T>(gaps, contains), contains, reduced);
  }
  static Domain<Single<T>> numbers(bool (*contains)(const Single<T>&)) {
    return exhaustive<Single<T>>(every_number<T>(contains), contains, reduced);
  }
  static constexpr int s = split_bits(format_of<T>());
  Registration all[6] = {
      Registration(exact_transform<TwoSum<T>>("eft.two_sum", pairs(sum_gaps<T>, two_sum_applies<T>), eft_two_sum_1)),
      Registration(exact_transform<FastTwoSum<T>>("eft.fast_two_sum", pairs(sum_gaps<T>, fast_two_sum_applies<T>),
                                                  eft_fast_two_sum_1)),
      Registration(exact_transform<TwoProd<T>>("eft.two_prod", pairs(0, two_prod_applies<T>), eft_two_prod_1)),
      Registration(
          exact_transform<DekkerProd<T>>("eft.dekker_prod", pairs(0, dekker_prod_applies<T>), eft_dekker_prod_1)),
      Registration(split_transform<VeltkampSplit<T>>("eft.veltkamp_split", numbers(veltkamp_split_applies<T>),
                                                     precision<T> - s, s - 1, eft_veltkamp_split_1,
                                                     eft_veltkamp_split_2)),
      Registration(split_transform<MaskSplit<T>>("eft.mask_split", numbers(are_finite<T>), precision<T> - s, s,
                                                 eft_mask_split_1, eft_mask_split_2)),
  };
};

/// The product with masked halves is exact only for even precisions.
template <class T>
Registration masked_prod() {
  return Registration(exact_transform<MaskedProd<T>>("eft.masked_prod", ToyFamily<T>::pairs(0, dekker_prod_applies<T>),
                                                     eft_masked_prod_1));
}

/// ErrFma, whose theorem requires p ≥ 5. The addend lies from 2p + 3 places below the product's lowest to as many
/// above.
template <class T>
Registration err_fma() {
  return Registration(fma_error_transform<ErrFma<T>>(
      "eft.err_fma",
      exhaustive<Triple<T>>(every_triple<T>(3 * precision<T> + 3, err_fma_applies<T>), err_fma_applies<T>, reduced)));
}

/// All 2³² pairs of patterns of binary16; those outside `contains` count as rejected.
Domain<Pair<binary16>> all_binary16(bool (*contains)(const Pair<binary16>&)) {
  return exhaustive<Pair<binary16>>(every_pattern<Pair<binary16>, binary16>(contains), contains,
                                    "all pairs of patterns that fulfil the theorem's conditions");
}

const LateRegistration of_p3{"eft", [] { ToyFamily<Toy<3>>(); }};
const LateRegistration of_p4{"eft", [] { ToyFamily<Toy<4>>(); }};
const LateRegistration of_p5{"eft", [] { ToyFamily<Toy<5>>(); }};
const LateRegistration of_p6{"eft", [] { ToyFamily<Toy<6>>(); }};
const LateRegistration of_p7{"eft", [] { ToyFamily<Toy<7>>(); }};
const LateRegistration of_p8{"eft", [] { ToyFamily<Toy<8>>(); }};
const LateRegistration masked{"eft", [] {
                                masked_prod<Toy<4>>();
                                masked_prod<Toy<6>>();
                                masked_prod<Toy<8>>();
                              }};
const LateRegistration fma_errors{"eft", [] {
                                    err_fma<Toy<5>>();
                                    err_fma<Toy<6>>();
                                  }};
const Registration two_sum_all{
    exact_transform<TwoSum<binary16>>("eft.two_sum_all", all_binary16(two_sum_applies<binary16>), eft_two_sum_1)};
const Registration two_prod_all{
    exact_transform<TwoProd<binary16>>("eft.two_prod_all", all_binary16(two_prod_applies<binary16>), eft_two_prod_1)};

}  // namespace

}  // namespace assay::eft::toy
