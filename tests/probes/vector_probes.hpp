#pragma once
// Tests of the probes of short vectors: each file says in OfVectors what its probes must judge, and instantiates the
// suite.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "errorbounds/bound.hpp"
#include "oracle/decode.hpp"
#include "probes/sum/bounds.hpp"
#include "properties/framework/generators.hpp"
#include "tests/probes/probe_suite.hpp"
#include "tests/tier.hpp"

namespace assay::probes {

using oracle::Dyadic;

/// The task of a probe: bound(n, s, S) and whether the products of a case are exact in binary64.
template <class Probe>
struct OfVectors;

/// The exact sum and the sum of the magnitudes.
struct Exactly {
  Dyadic sum, magnitudes;
};
template <class T>
Exactly exactly(const sum::Vector<T>& c) {
  Exactly all;
  for (int i = 0; i < c.n; ++i) {
    all.sum += value_of(c.x[i]);
    all.magnitudes += abs(value_of(c.x[i]));
  }
  return all;
}
template <class T>
Exactly exactly(const sum::VectorPair<T>& c) {
  Exactly all;
  for (int i = 0; i < c.n; ++i) {
    const Dyadic product = value_of(c.x[i]) * value_of(c.y[i]);
    all.sum += product;
    all.magnitudes += abs(product);
  }
  return all;
}

template <class T>
bool are_finite(const T* x, int n) {
  for (int i = 0; i < n; ++i) {
    if (!is_finite(x[i])) return false;
  }
  return true;
}
template <class T>
bool is_finite_case(const sum::Vector<T>& c) {
  return are_finite(c.x, c.n);
}
template <class T>
bool is_finite_case(const sum::VectorPair<T>& c) {
  return are_finite(c.x, c.n) && are_finite(c.y, c.n);
}

/// A hash of the bits of a case.
template <class T>
std::uint64_t digest_of(const sum::Vector<T>& c) {
  std::uint64_t bits = static_cast<std::uint64_t>(c.n);
  for (int i = 0; i < c.n; ++i) bits = bits * 0x9E3779B97F4A7C15u + to_bits(c.x[i]);
  return bits;
}
template <class T>
std::uint64_t digest_of(const sum::VectorPair<T>& c) {
  std::uint64_t bits = static_cast<std::uint64_t>(c.n);
  for (int i = 0; i < c.n; ++i) bits = (bits * 0x9E3779B97F4A7C15u + to_bits(c.x[i])) * 3 + to_bits(c.y[i]);
  return bits;
}

template <class Probe>
class VectorProbe : public ProbeTest<Probe> {
 protected:
  using typename ProbeTest<Probe>::Input;
  using typename ProbeTest<Probe>::Output;
  /// The coefficients of the bound, each at most the exact one.
  static sum::Coefficients coefficients() {
    sum::Coefficients all{};
    const Dyadic smallest = Dyadic::scaled(1, FloatTraits<Output>::emin - FloatTraits<Output>::precision + 1);
    const auto part = [](const Bound& whole, const Bound& none) {
      const Dyadic numerator = whole.numerator * none.denominator - none.numerator * whole.denominator;
      return numerator.is_zero() ? 0 : at_most({numerator, whole.denominator * none.denominator});
    };
    for (int n = 0; n <= sum::longest; ++n) {
      const auto count = static_cast<std::uint64_t>(n);
      const Bound none = OfVectors<Probe>::bound(count, 0, 0);
      all.of_sum[n] = part(OfVectors<Probe>::bound(count, 1, 0), none);
      all.of_magnitudes[n] = part(OfVectors<Probe>::bound(count, 0, 1), none);
      all.of_smallest[n] = part({none.numerator, none.denominator * smallest}, Bound{});
    }
    return all;
  }
  const Probe probe{coefficients()};

  Input input(int input_class, std::uint64_t number) const {
    Stream stream(1, static_cast<std::uint64_t>(input_class), number);
    return probe.draw(stream, input_class);
  }
  /// In how many of `count` cases of each class upper or scale are not the bounds that they should be, or upper/scale
  /// is off by more than 2⁻³⁰ of the bound. Numerator and scale may have a common factor.
  template <class Error>
  int disagreements(std::uint64_t count, const Error& error_of) const {
    int found = 0;
    for (int k = 0; k < Probe::classes; ++k) {
      for (std::uint64_t number = 0; number < count; ++number) {
        const Input c = input(k, number);
        const Output z = probe.run(c);
        const Scaled error = error_of(c, z);
        const Exactly truth = exactly(c);
        const Dyadic wrong = abs(value_of(z) - truth.sum);
        const Bound bound = OfVectors<Probe>::bound(static_cast<std::uint64_t>(c.n), truth.sum, truth.magnitudes);
        // upper/scale ≥ wrong/bound, both known to be finite.
        const Dyadic upper = oracle::exact(error.upper) * bound.numerator;
        const Dyadic least = wrong * bound.denominator * oracle::exact(error.scale);
        const bool encloses = upper >= least && (error.scale > 0 || wrong.is_zero() || error.upper > 0);
        const bool right = !is_proved(error, 1) || wrong * bound.denominator <= bound.numerator;
        found += encloses && right ? 0 : 1;
      }
    }
    return found;
  }
};
TYPED_TEST_SUITE_P(VectorProbe);

TYPED_TEST_P(VectorProbe, DrawsInputsOfTheDomain) {
  const Dyadic most = Dyadic::scaled(1, FloatTraits<typename TypeParam::Output>::emax - 2);
  for (std::uint64_t number = 0; number < test::of_tier<std::uint64_t>(10000, 100000); ++number) {
    const int k = static_cast<int>(number % TypeParam::classes);
    const auto c = this->input(k, number);
    ASSERT_TRUE(c.n >= 0 && c.n <= sum::longest && is_finite_case(c) && exactly(c).magnitudes <= most)
        << TypeParam::Classes::names[k] << ", case " << number;
  }
}

TYPED_TEST_P(VectorProbe, DrawsManyInputsOfEveryClassAndLength) {
  std::set<int> lengths;
  for (int k = 0; k < TypeParam::classes; ++k) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      const auto c = this->input(k, number);
      seen.insert(digest_of(c));
      lengths.insert(c.n);
    }
    EXPECT_GT(seen.size(), 80U) << TypeParam::Classes::names[k];
  }
  EXPECT_EQ(lengths.size(), sum::longest + 1U);
}

TYPED_TEST_P(VectorProbe, JudgesTheSameOnADevice) { expect_the_same_on_a_device(this->probe, 1); }

TYPED_TEST_P(VectorProbe, EnclosesTheErrorAndProvesNothingFalse) {
  EXPECT_EQ(this->disagreements(test::of_tier<std::uint64_t>(500, 2000),
                                [&](const auto& c, const auto& z) { return this->probe.error(c, z); }),
            0);
}

TYPED_TEST_P(VectorProbe, DecidesAllButAFewCases) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    int undecided = 0;
    for (std::uint64_t number = 0; number < test::of_tier<std::uint64_t>(2000, 10000); ++number) {
      const auto c = this->input(k, number);
      undecided += is_proved(this->probe.error(c, this->probe.run(c)), 1) ? 0 : 1;
    }
    EXPECT_LT(undecided, test::of_tier(40, 200)) << TypeParam::Classes::names[k];
  }
}

// Mistakes in a probe.

TYPED_TEST_P(VectorProbe, WithATermDroppedIsCaught) {
  EXPECT_GT(this->disagreements(300,
                                [&](const auto& c, const auto& z) {
                                  auto shorter = c;
                                  shorter.n -= c.n > 1 ? 1 : 0;
                                  return Scaled{this->probe.error(shorter, z).upper, this->probe.error(c, z).scale};
                                }),
            0);
}

TYPED_TEST_P(VectorProbe, WithAnErrorRoundedDownIsCaught) {
  EXPECT_GT(this->disagreements(300,
                                [&](const auto& c, const auto& z) {
                                  const Scaled error = this->probe.error(c, z);
                                  return Scaled{error.upper * (1 - 0x1p-40), error.scale};
                                }),
            0);
}

TYPED_TEST_P(VectorProbe, WithAScaleRoundedUpIsCaught) {
  EXPECT_GT(this->disagreements(300,
                                [&](const auto& c, const auto& z) {
                                  const Scaled error = this->probe.error(c, z);
                                  return Scaled{error.upper, error.scale * (1 + 0x1p-40)};
                                }),
            0);
}

TYPED_TEST_P(VectorProbe, ProvesNothingOfAWrongSum) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    for (std::uint64_t number = 0; number < 300; ++number) {
      const auto c = this->input(k, number);
      const auto z = this->probe.run(c);
      const auto wrong = z + (z == 0 ? 1 : z);
      const Exactly truth = exactly(c);
      const Bound bound = OfVectors<TypeParam>::bound(static_cast<std::uint64_t>(c.n), truth.sum, truth.magnitudes);
      const bool is_within = abs(value_of(wrong) - truth.sum) * bound.denominator <= bound.numerator;
      ASSERT_TRUE(is_within || !is_proved(this->probe.error(c, wrong), 1)) << TypeParam::Classes::names[k];
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(VectorProbe, DrawsInputsOfTheDomain, DrawsManyInputsOfEveryClassAndLength,
                            JudgesTheSameOnADevice, EnclosesTheErrorAndProvesNothingFalse, DecidesAllButAFewCases,
                            WithATermDroppedIsCaught, WithAnErrorRoundedDownIsCaught, WithAScaleRoundedUpIsCaught,
                            ProvesNothingOfAWrongSum);

}  // namespace assay::probes
