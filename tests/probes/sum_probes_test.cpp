#include "probes/sum/sum.hpp"

#include <gtest/gtest.h>

#include "errorbounds/sum.hpp"
#include "tests/probes/vector_probes.hpp"

namespace assay::probes {

/// A bound of n, s and S of a format.
template <class T, auto of>
struct BoundOf {
  static Bound bound(std::uint64_t n, const Dyadic& s, const Dyadic& S) {
    return of(n, s, S, FloatTraits<T>::precision);
  }
};
inline Bound of_recursive(std::uint64_t n, const Dyadic&, const Dyadic& S, int p) {
  return recursive_sum_bound(n, S, p);
}
inline Bound of_pairwise(std::uint64_t n, const Dyadic&, const Dyadic& S, int p) {
  return tree_sum_bound(pairwise_height(n), S, p);
}
template <int K>
Bound of_levels(std::uint64_t n, const Dyadic& s, const Dyadic& S, int p) {
  return sum_k_bound(K, n, s, S, p);
}

template <class T>
struct OfVectors<sum::Recursive<T>> : BoundOf<T, of_recursive> {};
template <class T>
struct OfVectors<sum::Pairwise<T>> : BoundOf<T, of_pairwise> {};
template <class T>
struct OfVectors<sum::Kahan<T>> : BoundOf<T, kahan_sum_bound> {};
template <class T>
struct OfVectors<sum::Neumaier<T>> : BoundOf<T, neumaier_sum_bound> {};
template <class T>
struct OfVectors<sum::Sum2<T>> : BoundOf<T, sum2_bound> {};
template <class T>
struct OfVectors<sum::Sum3<T>> : BoundOf<T, of_levels<3>> {};
template <class T>
struct OfVectors<sum::Sum4<T>> : BoundOf<T, of_levels<4>> {};

namespace {

template <class T>
using SumsOf = testing::Types<sum::Recursive<T>, sum::Pairwise<T>, sum::Kahan<T>, sum::Neumaier<T>, sum::Sum2<T>,
                              sum::Sum3<T>, sum::Sum4<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Sum64, VectorProbe, SumsOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Sum32, VectorProbe, SumsOf<float>);

}  // namespace
}  // namespace assay::probes
