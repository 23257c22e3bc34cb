#include "probes/rns/rns.hpp"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <vector>

#include "oracle/exact.hpp"
#include "oracle/residues.hpp"
#include "oracle/round.hpp"
#include "properties/framework/generators.hpp"
#include "tests/probes/probe_suite.hpp"

namespace assay::probes {

using oracle::Dyadic;

/// The moduli of a set without guards, and the sum of their lengths in bits.
template <class Set>
const oracle::ResidueSystem& system_of() {
  static const oracle::ResidueSystem system([] {
    std::vector<std::uint32_t> moduli;
    for (int i = 0; i < Set::n; ++i) moduli.push_back(Set::modulus(i));
    return moduli;
  }());
  return system;
}
template <int L>
Dyadic value_of_integer(const rns::Integer<L>& x) {
  return oracle::integer_of_limbs(std::span<const std::uint32_t>(x.word, L));
}
inline double nearest_quotient(const Dyadic& X, const Dyadic& M) {
  return from_bits<double>(oracle::round(oracle::quotient(X, M), oracle::binary64, oracle::Rounding::nearest));
}
inline Dyadic value_of_bound(const Extended& x) {
  Dyadic value = oracle::exact(x.fraction);
  value.mul_2exp(static_cast<long>(x.exponent));
  return value;
}

template <class Probe>
class RnsProbe : public testing::Test {
 protected:
  using Set = typename Probe::Set;
  using Input = typename Probe::Input;
  const Probe probe{};
  const Dyadic& M = system_of<Set>().product();
  /// 5·10⁻⁸, near the bound of all sets.
  static constexpr double factor = 0x1p-24;

  Input input(int input_class, std::uint64_t number) const {
    Stream stream(1, static_cast<std::uint64_t>(input_class), number);
    return probe.draw(stream, input_class);
  }
  /// Upper bounds of 2 and more, which no evaluation gives, are left to the oracle.
  bool is_enclosed(const Input& x, const Interval& z) const {
    if (z.upper.exponent > 0) return false;
    const Dyadic X = value_of_integer(x);
    return value_of_bound(z.lower) * M <= X && X <= value_of_bound(z.upper) * M;
  }
  /// Results near the correct one: each bound a few places up or down, doubled, halved, and exchanged.
  static std::vector<Interval> beside(const Interval& z) {
    std::vector<Interval> all{z, {z.upper, z.lower}};
    const auto moved = [](Extended x, int places) {
      if (x.fraction == 0) return x;
      return extended(from_bits<double>(to_bits(x.fraction) + static_cast<std::uint64_t>(places)), x.exponent);
    };
    for (const int places : {-1000, -3, -2, -1, 1, 2, 3, 1000}) {
      all.push_back({moved(z.lower, places), z.upper});
      all.push_back({z.lower, moved(z.upper, places)});
    }
    for (const int e : {-70, -1, 1, 70}) {
      all.push_back({scale(z.lower, e), z.upper});
      all.push_back({z.lower, scale(z.upper, e)});
    }
    return all;
  }
  /// The narrowest interval of 53 bits, and its bounds one place off.
  std::vector<Interval> narrow(const Input& x) const {
    const Dyadic X = value_of_integer(x);
    if (X.is_zero()) return {};
    const double near = nearest_quotient(X, M);
    std::vector<Interval> all;
    for (const int low : {-1, 0, 1}) {
      for (const int high : {-1, 0, 1}) {
        const auto place = [&](int off) {
          return to_extended(from_bits<double>(to_bits(near) + static_cast<std::uint64_t>(off)));
        };
        all.push_back({place(low), place(high)});
      }
    }
    return all;
  }
  /// How often a judge of the enclosure disagrees with the oracle.
  template <class Judge>
  int mistakes(const Judge& encloses) const {
    int found = 0;
    for (int k = 0; k < Probe::classes; ++k) {
      for (std::uint64_t number = 0; number < 100; ++number) {
        const Input x = input(k, number);
        for (const auto& all : {beside(probe.run(x)), narrow(x)}) {
          for (const Interval& z : all) found += encloses(z, x) == is_enclosed(x, z) ? 0 : 1;
        }
      }
    }
    return found;
  }
  /// How often the two numbers of a judge are not bounds of upper − lower and X/M, or are too far from them.
  template <class Error>
  int wrong_bounds(const Error& error_of) const {
    int found = 0;
    for (int k = 0; k < Probe::classes; ++k) {
      for (std::uint64_t number = 0; number < 1000; ++number) {
        const Input x = input(k, number);
        const Interval z = probe.run(x);
        const Scaled error = error_of(x, z);
        const Dyadic width = value_of_bound(z.upper) - value_of_bound(z.lower);
        const Dyadic X = value_of_integer(x);
        if (X.is_zero()) {
          found += error.upper == 0 ? 0 : 1;
          continue;
        }
        // Both may have a factor 2^e.
        const Dyadic probed = oracle::exact(error.upper) * X;
        const Dyadic exactly = width * M * oracle::exact(error.scale);
        const bool is_near = probed <= exactly * (Dyadic(1) + Dyadic::scaled(1, -40));
        found += probed >= exactly && is_near ? 0 : 1;
      }
    }
    return found;
  }
};
TYPED_TEST_SUITE_P(RnsProbe);

TYPED_TEST_P(RnsProbe, DrawsIntegersOfTheDomain) {
  const Dyadic gap = oracle::floor_scaled(this->M * Dyadic(TypeParam::Set::n), 40) + Dyadic(1);
  const Dyadic most = TypeParam::form == rns::Form::fast ? this->M - gap : this->M - Dyadic(1);
  for (std::uint64_t number = 0; number < 60000; ++number) {
    const int k = static_cast<int>(number % TypeParam::classes);
    ASSERT_TRUE(value_of_integer(this->input(k, number)) <= most) << TypeParam::Classes::names[k] << ", " << number;
  }
}

TYPED_TEST_P(RnsProbe, DrawsManyIntegersOfEveryClass) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    std::set<std::string> seen;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      const auto x = this->input(k, number);
      seen.emplace(reinterpret_cast<const char*>(x.word), sizeof(x.word));
    }
    EXPECT_GT(seen.size(), 60U) << TypeParam::Classes::names[k];
  }
}

TYPED_TEST_P(RnsProbe, JudgesTheSameOnADevice) { expect_the_same_on_a_device(this->probe, this->factor); }

TYPED_TEST_P(RnsProbe, ProvesEveryCase) {
  for (std::uint64_t number = 0; number < 60000; ++number) {
    const int k = static_cast<int>(number % TypeParam::classes);
    const auto x = this->input(k, number);
    ASSERT_TRUE(is_proved(this->probe.error(x, this->probe.run(x)), this->factor))
        << TypeParam::Classes::names[k] << ", case " << number;
  }
}

TYPED_TEST_P(RnsProbe, SaysWhatIntervalsEnclose) {
  EXPECT_EQ(
      this->mistakes([](const Interval& z, const auto& x) { return rns::encloses<typename TypeParam::Set>(z, x); }), 0);
}

TYPED_TEST_P(RnsProbe, BoundsTheWidth) {
  EXPECT_EQ(this->wrong_bounds([&](const auto& x, const Interval& z) { return this->probe.error(x, z); }), 0);
}

// Mistakes in a probe.

TYPED_TEST_P(RnsProbe, WithAWordOfTheIntegerDroppedIsCaught) {
  EXPECT_GT(this->mistakes([](const Interval& z, auto x) {
    x.word[0] = 0;
    return rns::encloses<typename TypeParam::Set>(z, x);
  }),
            0);
}

TYPED_TEST_P(RnsProbe, WithABoundLeftOutIsCaught) {
  EXPECT_GT(this->mistakes([](const Interval& z, const auto& x) {
    return rns::compared<typename TypeParam::Set>(z.lower, x) <= 0;
  }),
            0);
}

TYPED_TEST_P(RnsProbe, WithAQuotientInBinary64IsCaught) {
  EXPECT_GT(this->mistakes([this](const Interval& z, const auto& x) {
    const double near = nearest_quotient(value_of_integer(x), this->M);
    const auto number = [](const Extended& bound) { return value_of_bound(bound).to_double_nearest(); };
    return number(z.lower) <= near && near <= number(z.upper);
  }),
            0);
}

TYPED_TEST_P(RnsProbe, WithAWidthRoundedDownIsCaught) {
  EXPECT_GT(this->wrong_bounds([&](const auto& x, const Interval& z) {
    const Scaled error = this->probe.error(x, z);
    return Scaled{error.upper * (1 - 0x1p-44), error.scale};
  }),
            0);
}

TYPED_TEST_P(RnsProbe, WithAScaleRoundedUpIsCaught) {
  EXPECT_GT(this->wrong_bounds([&](const auto& x, const Interval& z) {
    const Scaled error = this->probe.error(x, z);
    return Scaled{error.upper, error.scale * (1 + 0x1p-44)};
  }),
            0);
}

REGISTER_TYPED_TEST_SUITE_P(RnsProbe, DrawsIntegersOfTheDomain, DrawsManyIntegersOfEveryClass, JudgesTheSameOnADevice,
                            ProvesEveryCase, SaysWhatIntervalsEnclose, BoundsTheWidth,
                            WithAWordOfTheIntegerDroppedIsCaught, WithABoundLeftOutIsCaught,
                            WithAQuotientInBinary64IsCaught, WithAWidthRoundedDownIsCaught,
                            WithAScaleRoundedUpIsCaught);

namespace {

template <class Set>
using FormsOf = testing::Types<rns::Evaluation<Set, rns::Form::general>, rns::Evaluation<Set, rns::Form::mixed_radix>,
                               rns::Evaluation<Set, rns::Form::fast>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Rns8, RnsProbe, FormsOf<assay::rns::Standard<8>>);
INSTANTIATE_TYPED_TEST_SUITE_P(Rns3Of16, RnsProbe, FormsOf<assay::rns::ThreeOf16Bits>);
INSTANTIATE_TYPED_TEST_SUITE_P(Rns5Of30, RnsProbe, FormsOf<assay::rns::FiveOf30Bits>);
INSTANTIATE_TYPED_TEST_SUITE_P(Rns7, RnsProbe, FormsOf<assay::rns::SevenOfAnyLength>);

}  // namespace
}  // namespace assay::probes
