#include "probes/dot/dot.hpp"

#include <gtest/gtest.h>

#include "errorbounds/dot.hpp"
#include "tests/probes/vector_probes.hpp"

namespace assay::probes {

/// A bound for a format, computed from n, d and Σ|xy|.
template <class T, auto of>
struct DotBoundOf {
  static Bound bound(std::uint64_t n, const Dyadic& d, const Dyadic& magnitudes) {
    return of(n, d, magnitudes, format_of<T>());
  }
};
inline Bound of_recursive_dot(std::uint64_t n, const Dyadic&, const Dyadic& magnitudes, const oracle::Format& format) {
  return recursive_dot_bound(n, magnitudes, format);
}
template <int K>
Bound of_dot_levels(std::uint64_t n, const Dyadic& d, const Dyadic& magnitudes, const oracle::Format& format) {
  return dot_k_bound(K, n, d, magnitudes, format);
}

template <class T>
struct OfVectors<dot::Recursive<T>> : DotBoundOf<T, of_recursive_dot> {};
template <class T>
struct OfVectors<dot::Dot2<T>> : DotBoundOf<T, dot2_bound> {};
template <class T>
struct OfVectors<dot::Dot3<T>> : DotBoundOf<T, of_dot_levels<3>> {};
template <class T>
struct OfVectors<dot::Dot4<T>> : DotBoundOf<T, of_dot_levels<4>> {};
template <>
struct OfVectors<dot::Widened> {
  static Bound bound(std::uint64_t n, const Dyadic&, const Dyadic& magnitudes) {
    return recursive_sum_bound(n, magnitudes, 53);
  }
};

namespace {

template <class T>
using DotsOf = testing::Types<dot::Recursive<T>, dot::Dot2<T>, dot::Dot3<T>, dot::Dot4<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Dot64, VectorProbe, DotsOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Dot32, VectorProbe, DotsOf<float>);
INSTANTIATE_TYPED_TEST_SUITE_P(DotWidened, VectorProbe, testing::Types<dot::Widened>);

}  // namespace
}  // namespace assay::probes
