#pragma once
// Tests of the probes of words: each file says in Of what its probes must judge, and instantiates the suite.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "probes/words.hpp"
#include "properties/catalog/expansion/term_draws.hpp"
#include "properties/draws/dw/word_sum_cases.hpp"
#include "properties/framework/double_words.hpp"
#include "tests/probes/probe_suite.hpp"
#include "tests/tier.hpp"

namespace assay::probes {

using oracle::Dyadic;
using oracle::exact;

/// uⁿ.
template <class T, int n>
inline const double power_of_u = std::ldexp(1.0, -n* FloatTraits<T>::precision);

/// The exact sum of the words.
template <class X>
Dyadic value(const X& x) {
  Dyadic sum;
  for (const double word : words_of(x).at) sum += exact(word);
  return sum;
}

/// The task of a probe: its property's box, its factor in uⁿ for n words (or in u^power), and the exact values.
template <class Probe>
struct Of;

/// For a probe that judges |z − truth| relative to |truth|.
template <class Derived>
struct OfTruth {
  template <class Case, class Z>
  static Dyadic error(const Case& c, const Z& z) {
    return abs(value(z) - Derived::truth(c));
  }
  template <class Case>
  static Dyadic scale(const Case& c) {
    return abs(Derived::truth(c));
  }
};
/// For a probe that judges |zy − x| relative to |x|; y = z for a root.
struct OfFactor {
  template <class Case, class Z>
  static Dyadic error(const Case& c, const Z& z) {
    if constexpr (requires { c.y; }) {
      return abs(value(z) * value(c.y) - value(c.x));
    } else {
      return abs(value(z) * value(z) - value(c.x));
    }
  }
  template <class Case>
  static Dyadic scale(const Case& c) {
    return abs(value(c.x));
  }
};
/// The exponents that the probe draws: no words below those of the box, and no errors that are lost.
template <class Probe>
Range range_of(const oracle::Format& format) {
  const Box box = Of<Probe>::box(format);
  int lowest = -800;
  if constexpr (requires { Of<Probe>::lowest; }) lowest = Of<Probe>::lowest;
  return {std::max({box.low, format.emin, lowest}), box.high};
}

/// The probe, with its further requirements.
template <class Probe>
Probe probe_of(Range range) {
  if constexpr (requires { Of<Probe>::probe(range); }) {
    return Of<Probe>::probe(range);
  } else {
    return {range};
  }
}

template <class Probe>
auto input(const Probe& probe, int input_class, std::uint64_t number) {
  Stream stream(1, static_cast<std::uint64_t>(input_class), number);
  return probe.draw(stream, input_class);
}

template <class T>
bool is_inside(const DoubleWord<T>& x, const Box& box) {
  return assay::dw::is_operand(x, box);
}
template <class T>
bool is_inside(const TripleWord<T>& x, const Box& box) {
  return assay::dw::is_operand(x, box);
}
template <class T>
bool is_inside(const QuadDouble<T>& x, const Box& box) {
  return assay::dw::is_operand(x, box);
}
template <class T, int n>
bool is_inside(const Expansion<T, n>& x, const Box& box) {
  return assay::expansion::is_expansion<T>(std::vector<T>(x.x, x.x + n), static_cast<std::size_t>(n), box) &&
         bits_of(x.x[0]) != 0;
}
template <class T>
bool is_inside(T x, const Box& box) {
  return in_box(x, box) && bits_of(x) != 0;
}

template <class Probe>
class WordProbe : public ProbeTest<Probe> {
 protected:
  using typename ProbeTest<Probe>::Number;
  using typename ProbeTest<Probe>::Input;
  using typename ProbeTest<Probe>::Output;
  static constexpr oracle::Format format = format_of<Number>();
  static constexpr int power() {
    if constexpr (requires { Of<Probe>::power; }) return Of<Probe>::power;
    return decltype(words_of(Output{}))::count;
  }
  const double factor = Of<Probe>::units * power_of_u<Number, power()>;
  const Probe probe = probe_of<Probe>(range_of<Probe>(format));

  /// How many of `count` cases of each class have an enclosure that does not contain the exact values, or a verdict
  /// that disagrees with the oracle.
  template <class Error>
  int disagreements(std::uint64_t count, const Error& error_of) const {
    int found = 0;
    for (int k = 0; k < Probe::classes; ++k) {
      for (std::uint64_t number = 0; number < count; ++number) {
        const Input c = input(probe, k, number);
        const Output z = probe.run(c);
        const Scaled error = error_of(c, z);
        const Dyadic truth = Of<Probe>::error(c, z);
        const bool encloses =
            truth <= exact(error.upper) && (error.scale <= 0 || exact(error.scale) <= Of<Probe>::scale(c));
        const bool is_right = !is_proved(error, factor) || truth <= exact(factor) * Of<Probe>::scale(c);
        found += encloses && is_right ? 0 : 1;
      }
    }
    return found;
  }
};
TYPED_TEST_SUITE_P(WordProbe);

TYPED_TEST_P(WordProbe, DrawsInputsOfTheDomain) {
  const Box box = Of<TypeParam>::box(this->format);
  for (std::uint64_t number = 0; number < test::of_tier<std::uint64_t>(10000, 100000); ++number) {
    const int k = static_cast<int>(number % TypeParam::classes);
    const auto c = input(this->probe, k, number);
    bool inside = is_inside(c.x, box);
    if constexpr (requires { c.y; }) inside = inside && is_inside(c.y, box);
    ASSERT_TRUE(inside) << TypeParam::Classes::names[k] << ", case " << number;
  }
}

TYPED_TEST_P(WordProbe, StaysInTheDomainWhereItMoves) {
  if constexpr (Climbs<TypeParam>) {
    const Box box = Of<TypeParam>::box(this->format);
    int moved = 0;
    for (int k = 0; k < TypeParam::classes; ++k) {
      Stream stream(2, static_cast<std::uint64_t>(k), 0);
      auto at = input(this->probe, k, 0);
      for (int i = 0; i < test::of_tier(1000, 10000); ++i) {
        auto next = at;
        if (!this->probe.move(stream, next)) continue;
        at = next;
        ++moved;
        bool inside = is_inside(at.x, box);
        if constexpr (requires { at.y; }) inside = inside && is_inside(at.y, box);
        ASSERT_TRUE(inside) << TypeParam::Classes::names[k] << ", move " << i;
      }
    }
    EXPECT_GT(moved, test::of_tier(100, 1000) * TypeParam::classes);
  }
}

TYPED_TEST_P(WordProbe, DrawsManyInputsOfEveryClass) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      const auto c = input(this->probe, k, number);
      std::uint64_t bits = 0;
      for (const double word : words_of(c.x).at) bits = bits * 3 ^ std::bit_cast<std::uint64_t>(word);
      seen.insert(bits);
    }
    EXPECT_GT(seen.size(), 300U) << TypeParam::Classes::names[k];
  }
}

TYPED_TEST_P(WordProbe, JudgesTheSameOnADevice) { expect_the_same_on_a_device(this->probe, this->factor); }

TYPED_TEST_P(WordProbe, EnclosesTheErrorAndProvesNothingFalse) {
  EXPECT_EQ(this->disagreements(test::of_tier<std::uint64_t>(500, 2000),
                                [&](const auto& c, const auto& z) { return this->probe.error(c, z); }),
            0);
}

TYPED_TEST_P(WordProbe, EnclosesTheErrorQuicklyAndProvesNothingFalse) {
  if constexpr (BoundsQuickly<TypeParam>) {
    EXPECT_EQ(this->disagreements(test::of_tier<std::uint64_t>(500, 2000),
                                  [&](const auto& c, const auto& z) { return this->probe.quick(c, z); }),
              0);
  }
}

TYPED_TEST_P(WordProbe, IsSureOfNoCaseThatIsNotProvedOrAbove) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    double below = 0;
    for (std::uint64_t number = 0; number < test::of_tier<std::uint64_t>(1000, 10000); ++number) {
      const auto c = input(this->probe, k, number);
      const auto z = this->probe.run(c);
      const CaseResult result = judged(this->probe, c, z, this->factor);
      for (const double each : {below, 0.125, nearly_one}) {
        ASSERT_TRUE(!surely_below(this->probe, c, z, this->factor, each) || (result.proved && result.ratio <= each))
            << TypeParam::Classes::names[k] << ", case " << number;
      }
      if (result.ratio > below) below = std::min(result.ratio, nearly_one);
    }
  }
}

TYPED_TEST_P(WordProbe, IsQuicklySureOfAllButAFewCasesBelowTheLargest) {
  for (int k = 0; BoundsQuickly<TypeParam> && k < TypeParam::classes; ++k) {
    int unsure = 0;
    double below = 0.01;
    for (std::uint64_t number = 0; number < 2000; ++number) {
      const auto c = input(this->probe, k, number);
      const auto z = this->probe.run(c);
      if (surely_below(this->probe, c, z, this->factor, below)) continue;
      ++unsure;
      below = std::min(nearly_one, std::max(below, judged(this->probe, c, z, this->factor).ratio));
    }
    EXPECT_LT(unsure, 60) << TypeParam::Classes::names[k];
  }
}

TYPED_TEST_P(WordProbe, DecidesAllButAFewCases) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    int undecided = 0;
    for (std::uint64_t number = 0; number < test::of_tier<std::uint64_t>(2000, 10000); ++number) {
      const auto c = input(this->probe, k, number);
      undecided += is_proved(this->probe.error(c, this->probe.run(c)), this->factor) ? 0 : 1;
    }
    EXPECT_LT(undecided, 10) << TypeParam::Classes::names[k];
  }
}

// Mistakes in a probe.

template <class T>
DoubleWord<T> without_second_word(const DoubleWord<T>& z) {
  return {z.h, T(0)};
}
template <class T>
TripleWord<T> without_second_word(const TripleWord<T>& z) {
  return {z.x0, T(0), z.x2};
}
template <class T>
QuadDouble<T> without_second_word(const QuadDouble<T>& z) {
  return {z.x0, T(0), z.x2, z.x3};
}
template <class T, int n>
Expansion<T, n> without_second_word(Expansion<T, n> z) {
  z.x[1] = T(0);
  return z;
}

TYPED_TEST_P(WordProbe, WithATermDroppedProvesNothing) {
  int proved = 0;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const auto c = input(this->probe, 0, number);
    proved += is_proved(this->probe.error(c, without_second_word(this->probe.run(c))), this->factor) ? 1 : 0;
  }
  EXPECT_LT(proved, 30);  // the word may be 0
}

TYPED_TEST_P(WordProbe, WithAnErrorRoundedDownIsCaught) {
  EXPECT_GT(this->disagreements(300,
                                [&](const auto& c, const auto& z) {
                                  const Scaled error = this->probe.error(c, z);
                                  return Scaled{error.upper * (1 - 0x1p-40), error.scale};
                                }),
            0);
}

TYPED_TEST_P(WordProbe, WithAQuickErrorRoundedDownIsCaught) {
  if constexpr (BoundsQuickly<TypeParam>) {
    EXPECT_GT(this->disagreements(300,
                                  [&](const auto& c, const auto& z) {
                                    const Scaled error = this->probe.quick(c, z);
                                    return Scaled{error.upper * (1 - 0x1p-40), error.scale};
                                  }),
              0);
  }
}

TYPED_TEST_P(WordProbe, WithAScaleRoundedUpIsCaught) {
  EXPECT_GT(this->disagreements(300,
                                [&](const auto& c, const auto& z) {
                                  const Scaled error = this->probe.error(c, z);
                                  return Scaled{error.upper, error.scale * (1 + 0x1p-40)};
                                }),
            0);
}

REGISTER_TYPED_TEST_SUITE_P(WordProbe, DrawsInputsOfTheDomain, StaysInTheDomainWhereItMoves,
                            DrawsManyInputsOfEveryClass, JudgesTheSameOnADevice, EnclosesTheErrorAndProvesNothingFalse,
                            EnclosesTheErrorQuicklyAndProvesNothingFalse, IsSureOfNoCaseThatIsNotProvedOrAbove,
                            IsQuicklySureOfAllButAFewCasesBelowTheLargest, DecidesAllButAFewCases,
                            WithATermDroppedProvesNothing, WithAnErrorRoundedDownIsCaught,
                            WithAQuickErrorRoundedDownIsCaught, WithAScaleRoundedUpIsCaught);

}  // namespace assay::probes
