#include "probes/pair/pair.hpp"

#include <gtest/gtest.h>

#include "errorbounds/eft.hpp"
#include "errorbounds/pair.hpp"
#include "tests/probes/transform_probes.hpp"
#include "tests/probes/word_probes.hpp"

namespace assay::probes {

template <class T>
struct OfTransform<pair::Normalize<T>> {
  static bool is_inside(const Pair<T>& c) {
    return fast_two_sum_is_exact(exact_value(c.a), exact_value(c.b), format_of<T>());
  }
  static Dyadic truth(const Pair<T>& c) { return exact_value(c.a) + exact_value(c.b); }
};
template <class T>
struct OfTransform<pair::ExactMul<pair::NativeMul::fma, T>> {
  static bool is_inside(const Pair<T>& c) {
    return two_prod_is_exact(exact_value(c.a), exact_value(c.b), format_of<T>());
  }
  static Dyadic truth(const Pair<T>& c) { return exact_value(c.a) * exact_value(c.b); }
};
template <class T>
struct OfTransform<pair::ExactMul<pair::NativeMul::split, T>> {
  static bool is_inside(const Pair<T>& c) {
    return dekker_product_is_exact(exact_value(c.a), exact_value(c.b), format_of<T>());
  }
  static Dyadic truth(const Pair<T>& c) { return exact_value(c.a) * exact_value(c.b); }
};

template <class T>
struct Of<pair::Add<T>> {
  static Box box(const oracle::Format& format) { return add_box(format); }
  static constexpr double units = 3;
  static Dyadic error(const DwDw<T>& c, const DoubleWord<T>& z) { return abs(value(z) - (value(c.x) + value(c.y))); }
  static Dyadic scale(const DwDw<T>& c) { return abs(value(c.x)) + abs(value(c.y)); }
};

/// For a product of pairs.
template <class T, int tenths>
struct OfPairs {
  static constexpr double units = tenths / 10.0;
  static Box box(const oracle::Format& format) { return product_box(format); }
  static Dyadic error(const DwDw<T>& c, const DoubleWord<T>& z) { return abs(value(z) - value(c.x) * value(c.y)); }
  static Dyadic scale(const DwDw<T>& c) { return abs(value(c.x) * value(c.y)); }
};
template <class T>
struct Of<pair::Mul<pair::NativeMul::fma, T>> : OfPairs<T, 50> {};
template <class T>
struct Of<pair::Mul<pair::NativeMul::split, T>> : OfPairs<T, 91> {};
template <class T>
struct Of<pair::GoodMul<pair::NativeMul::fma, T>> : OfPairs<T, 16> {};
template <class T>
struct Of<pair::GoodMul<pair::NativeMul::split, T>> : OfPairs<T, 16> {};
/// About 2^((p + 1)/2) units of u² are lost.
template <class T>
struct OfMaskedPairs : OfPairs<T, 0> {
  static constexpr double units = FloatTraits<T>::precision == 53 ? 0x1.1p29 : 0x1.1p14;
};
/// Clears half the bits, rounded up. In binary32 `mask` and `wide_mask` are the same.
template <class T>
constexpr pair::NativeMul wide =
    FloatTraits<T>::precision % 2 == 0 ? pair::NativeMul::mask : pair::NativeMul::wide_mask;
template <>
struct Of<pair::Mul<wide<double>, double>> : OfMaskedPairs<double> {};
template <>
struct Of<pair::Mul<wide<float>, float>> : OfMaskedPairs<float> {};
template <>
struct Of<pair::GoodMul<wide<double>, double>> : OfMaskedPairs<double> {};
template <>
struct Of<pair::GoodMul<wide<float>, float>> : OfMaskedPairs<float> {};

namespace {

template <class T>
using TransformsOf = testing::Types<pair::Normalize<T>, pair::ExactMul<pair::NativeMul::fma, T>,
                                    pair::ExactMul<pair::NativeMul::split, T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Pair64, TransformProbe, TransformsOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Pair32, TransformProbe, TransformsOf<float>);

template <class T>
using ProbesOf = testing::Types<pair::Add<T>, pair::Mul<pair::NativeMul::fma, T>, pair::Mul<pair::NativeMul::split, T>,
                                pair::Mul<wide<T>, T>, pair::GoodMul<pair::NativeMul::fma, T>,
                                pair::GoodMul<pair::NativeMul::split, T>, pair::GoodMul<wide<T>, T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Pair64, WordProbe, ProbesOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Pair32, WordProbe, ProbesOf<float>);

/// Products of numbers with masked halves.
template <class Probe>
class MaskedWordsProbe : public testing::Test {
 protected:
  using Number = typename Probe::Number;
  const Probe probe{};

  /// How many of 2000 cases of each class have an enclosure that does not contain the exact values.
  template <class Error>
  int wrong_enclosures(const Error& error_of) const {
    int found = 0;
    for (int k = 0; k < Probe::classes; ++k) {
      for (std::uint64_t number = 0; number < 2000; ++number) {
        Stream stream(1, static_cast<std::uint64_t>(k), number);
        const Pair<Number> c = probe.draw(stream, k);
        const DoubleWord<Number> z = probe.run(c);
        const Scaled error = error_of(c, z);
        const Dyadic truth = exact_value(c.a) * exact_value(c.b);
        const bool encloses =
            abs(value(z) - truth) <= exact(error.upper) && (error.scale <= 0 || exact(error.scale) <= abs(truth));
        found += encloses ? 0 : 1;
      }
    }
    return found;
  }
};
using MaskedProbes =
    testing::Types<pair::MaskedMul<pair::NativeMul::mask, double>, pair::MaskedMul<pair::NativeMul::mask, float>,
                   pair::MaskedMul<pair::NativeMul::wide_mask, double>>;
TYPED_TEST_SUITE(MaskedWordsProbe, MaskedProbes);

TYPED_TEST(MaskedWordsProbe, EnclosesTheError) {
  EXPECT_EQ(this->wrong_enclosures([&](const auto& c, const auto& z) { return this->probe.error(c, z); }), 0);
}

TYPED_TEST(MaskedWordsProbe, WithAnErrorRoundedDownIsCaught) {
  EXPECT_GT(this->wrong_enclosures([&](const auto& c, const auto& z) {
    const Scaled error = this->probe.error(c, z);
    return Scaled{error.upper * (1 - 0x1p-40), error.scale};
  }),
            0);
}

TYPED_TEST(MaskedWordsProbe, WithAScaleRoundedUpIsCaught) {
  EXPECT_GT(this->wrong_enclosures([&](const auto& c, const auto& z) {
    const Scaled error = this->probe.error(c, z);
    return Scaled{error.upper, error.scale * (1 + 0x1p-30)};
  }),
            0);
}

TYPED_TEST(MaskedWordsProbe, WithTheRightLowWordForTheRoundedOneIsCaught) {
  EXPECT_GT(this->wrong_enclosures([&](const auto& c, auto z) {
    z.l = fma(c.a, c.b, -z.h);
    return this->probe.error(c, z);
  }),
            0);
}

}  // namespace
}  // namespace assay::probes
