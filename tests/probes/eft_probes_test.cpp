#include "probes/eft/eft.hpp"

#include <gtest/gtest.h>

#include "errorbounds/eft.hpp"
#include "tests/probes/transform_probes.hpp"

namespace assay::probes {

/// A sum or a product of two numbers that is exact if the theorem's condition holds.
template <class T, auto is_exact_for>
struct OfTwo {
  static bool is_inside(const Pair<T>& c) { return is_exact_for(exact_value(c.a), exact_value(c.b), format_of<T>()); }
};
template <class T, auto is_exact_for>
struct SumWhere : OfTwo<T, is_exact_for> {
  static oracle::Dyadic truth(const Pair<T>& c) { return exact_value(c.a) + exact_value(c.b); }
};
template <class T, auto is_exact_for>
struct ProductWhere : OfTwo<T, is_exact_for> {
  static oracle::Dyadic truth(const Pair<T>& c) { return exact_value(c.a) * exact_value(c.b); }
};

template <class T>
struct OfTransform<eft::TwoSum<T>> : SumWhere<T, two_sum_is_exact> {};
template <class T>
struct OfTransform<eft::FastTwoSum<T>> : SumWhere<T, fast_two_sum_is_exact> {};
template <class T>
struct OfTransform<eft::TwoProd<T>> : ProductWhere<T, two_prod_is_exact> {};
template <class T>
struct OfTransform<eft::DekkerProd<T>> : ProductWhere<T, dekker_product_is_exact> {};
template <class T>
struct OfTransform<eft::MaskedProd<T>> : ProductWhere<T, masked_product_is_exact> {};
template <class T>
struct OfTransform<eft::VeltkampSplit<T>> {
  static bool is_inside(const Single<T>& c) { return veltkamp_split_is_exact(exact_value(c.a), format_of<T>()); }
  static oracle::Dyadic truth(const Single<T>& c) { return exact_value(c.a); }
};
template <class T>
struct OfTransform<eft::MaskSplit<T>> {
  static bool is_inside(const Single<T>& c) { return is_finite(c.a); }
  static oracle::Dyadic truth(const Single<T>& c) { return exact_value(c.a); }
};
template <class T>
struct OfTransform<eft::ErrFma<T>> {
  static bool is_inside(const Triple<T>& c) {
    return err_fma_is_exact(exact_value(c.a), exact_value(c.b), exact_value(c.c), format_of<T>());
  }
  static oracle::Dyadic truth(const Triple<T>& c) { return exact_value(c.a) * exact_value(c.b) + exact_value(c.c); }
};

namespace {

template <class T>
using ProbesOf = testing::Types<eft::TwoSum<T>, eft::FastTwoSum<T>, eft::TwoProd<T>, eft::DekkerProd<T>,
                                eft::VeltkampSplit<T>, eft::MaskSplit<T>, eft::ErrFma<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Eft64, TransformProbe, ProbesOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Eft32, TransformProbe, ProbesOf<float>);
INSTANTIATE_TYPED_TEST_SUITE_P(Eft16, TransformProbe, ProbesOf<binary16>);
INSTANTIATE_TYPED_TEST_SUITE_P(EftMasked32, TransformProbe, testing::Types<eft::MaskedProd<float>>);

}  // namespace
}  // namespace assay::probes
