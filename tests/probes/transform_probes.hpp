#pragma once
// Tests of the probes of exactness: each file says in OfTransform what its probes must judge, and instantiates the
// suite.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <set>

#include "oracle/decode.hpp"
#include "probes/probe.hpp"
#include "properties/framework/generators.hpp"
#include "tests/probes/probe_suite.hpp"
#include "tests/tier.hpp"

namespace assay::probes {

/// A number exactly, for the tests of transforms.
template <class T>
oracle::Dyadic exact_value(T x) {
  return oracle::exact(static_cast<double>(x));
}

/// The task of a probe: the cases for which its transform is exact, and the exact result.
template <class Probe>
struct OfTransform;

template <class Probe>
class TransformProbe : public ProbeTest<Probe> {
 protected:
  using typename ProbeTest<Probe>::Number;
  using typename ProbeTest<Probe>::Input;
  using typename ProbeTest<Probe>::Output;
  static constexpr std::size_t words = sizeof(Output) / sizeof(Number);
  static constexpr std::size_t operands = sizeof(Input) / sizeof(Number);
  using Words = std::array<Number, words>;
  const Probe probe{};

  Input input(int input_class, std::uint64_t number) const {
    Stream stream(1, static_cast<std::uint64_t>(input_class), number);
    return probe.draw(stream, input_class);
  }
  bool is_proved(const Input& c, const Words& w) const {
    return probes::is_proved(probe.error(c, std::bit_cast<Output>(w)), 1);
  }
  Words words_of_result(const Input& c) const { return std::bit_cast<Words>(probe.run(c)); }
  static bool is_exact(const Input& c, const Words& w) {
    oracle::Dyadic sum;
    for (const Number word : w) {
      if (!is_finite(word)) return false;
      sum += exact_value(word);
    }
    return sum == OfTransform<Probe>::truth(c);
  }
  /// In how many of 300 cases of each class a judge of the words gives a false verdict.
  template <class Judge>
  int mistakes(const Judge& is_proved_by) const {
    int found = 0;
    for (int k = 0; k < Probe::classes; ++k) {
      for (std::uint64_t number = 0; number < 300; ++number) {
        const Input c = input(k, number);
        const Words w = words_of_result(c);
        found += is_proved_by(c, w) == is_exact(c, w) ? 0 : 1;
      }
    }
    return found;
  }
};
TYPED_TEST_SUITE_P(TransformProbe);

TYPED_TEST_P(TransformProbe, DrawsInputsOfTheDomain) {
  for (std::uint64_t number = 0; number < test::of_tier<std::uint64_t>(10000, 100000); ++number) {
    const int k = static_cast<int>(number % TypeParam::classes);
    ASSERT_TRUE(OfTransform<TypeParam>::is_inside(this->input(k, number)))
        << TypeParam::Classes::names[k] << ", case " << number;
  }
}

TYPED_TEST_P(TransformProbe, DrawsManyInputsOfEveryClassButZeros) {
  using Operands = std::array<typename TypeParam::Number, TestFixture::operands>;
  for (int k = 0; k + 1 < TypeParam::classes; ++k) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      std::uint64_t bits = 0;
      for (const auto& each : std::bit_cast<Operands>(this->input(k, number))) {
        bits = bits * 0x9E3779B97F4A7C15u + to_bits(each);
      }
      seen.insert(bits);
    }
    EXPECT_GT(seen.size(), 60U) << TypeParam::Classes::names[k];
  }
}

TYPED_TEST_P(TransformProbe, JudgesTheSameOnADevice) { expect_the_same_on_a_device(this->probe, 1); }

TYPED_TEST_P(TransformProbe, ProvesEveryCase) {
  for (std::uint64_t number = 0; number < test::of_tier<std::uint64_t>(10000, 100000); ++number) {
    const int k = static_cast<int>(number % TypeParam::classes);
    const auto c = this->input(k, number);
    ASSERT_TRUE(this->is_proved(c, this->words_of_result(c))) << TypeParam::Classes::names[k] << ", case " << number;
  }
}

TYPED_TEST_P(TransformProbe, ProvesNothingOfWrongWords) {
  using T = typename TypeParam::Number;
  using Bits = BitsOf<T>;
  int wrong = 0;
  for (int k = 0; k < TypeParam::classes; ++k) {
    for (std::uint64_t number = 0; number < 300; ++number) {
      const auto c = this->input(k, number);
      for (std::size_t i = 0; i < TestFixture::words; ++i) {
        for (const int change : {0, 1, 2, 3, 4}) {
          auto w = this->words_of_result(c);
          const auto bits = to_bits(w[i]);
          w[i] = change == 0   ? T(0)
                 : change == 1 ? -w[i]
                 : change == 2 ? from_bits<T>(static_cast<Bits>(bits ^ 1))
                 : change == 3 ? from_bits<T>(static_cast<Bits>(bits ^ 2))
                               : T(w[i] + w[i]);
          const bool is_exact = this->is_exact(c, w);
          ASSERT_FALSE(this->is_proved(c, w) && !is_exact)
              << TypeParam::Classes::names[k] << ", case " << number << ", word " << i << ", change " << change;
          wrong += is_exact ? 0 : 1;
        }
      }
    }
  }
  EXPECT_GT(wrong, 1000);
}

// Mistakes in a probe.

TYPED_TEST_P(TransformProbe, IsNeverWrong) {
  EXPECT_EQ(this->mistakes([&](const auto& c, const auto& w) { return this->is_proved(c, w); }), 0);
}

TYPED_TEST_P(TransformProbe, WithATermDroppedIsCaught) {
  using T = typename TypeParam::Number;
  EXPECT_GT(this->mistakes([&](const auto& c, auto w) {
    w.back() = T(0);
    return this->is_proved(c, w);
  }),
            0);
}

TYPED_TEST_P(TransformProbe, WithABitOfATermLostIsCaught) {
  using T = typename TypeParam::Number;
  EXPECT_GT(this->mistakes([&](const auto& c, auto w) {
    w.front() = from_bits<T>(static_cast<BitsOf<T>>(to_bits(w.front()) & (to_bits(w.front()) - 1)));
    return this->is_proved(c, w);
  }),
            0);
}

REGISTER_TYPED_TEST_SUITE_P(TransformProbe, DrawsInputsOfTheDomain, DrawsManyInputsOfEveryClassButZeros,
                            JudgesTheSameOnADevice, ProvesEveryCase, ProvesNothingOfWrongWords, IsNeverWrong,
                            WithATermDroppedIsCaught, WithABitOfATermLostIsCaught);

}  // namespace assay::probes
