#include "probes/op/op.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/framework/generators.hpp"
#include "tests/probes/probe_suite.hpp"

namespace assay::probes {

/// The exact result of an operation, and whether a zero is −0, as in binary64, where these sums and products of zeros
/// are exact.
struct ExactResult {
  oracle::Exact value;
  bool negative_zero;
};
template <class Operation>
struct TruthOf;
template <class T>
struct TruthOf<op::Add<T>> {
  static ExactResult of(const Pair<T>& c) {
    return {value_of(c.a) + value_of(c.b), std::signbit(static_cast<double>(c.a) + static_cast<double>(c.b))};
  }
};
template <class T>
struct TruthOf<op::Sub<T>> {
  static ExactResult of(const Pair<T>& c) {
    return {value_of(c.a) - value_of(c.b), std::signbit(static_cast<double>(c.a) - static_cast<double>(c.b))};
  }
};
template <class T>
struct TruthOf<op::Mul<T>> {
  static ExactResult of(const Pair<T>& c) { return {value_of(c.a) * value_of(c.b), signbit(c.a) != signbit(c.b)}; }
};
template <class T>
struct TruthOf<op::Div<T>> {
  static ExactResult of(const Pair<T>& c) {
    return {oracle::quotient(value_of(c.a), value_of(c.b)), signbit(c.a) != signbit(c.b)};
  }
};
template <class T>
struct TruthOf<op::Sqrt<T>> {
  static ExactResult of(const Single<T>& c) { return {oracle::square_root(value_of(c.a)), false}; }
};
template <class T>
struct TruthOf<op::Fma<T>> {
  static ExactResult of(const Triple<T>& c) {
    return {value_of(c.a) * value_of(c.b) + value_of(c.c),
            std::signbit(static_cast<double>(c.a) * static_cast<double>(c.b) + static_cast<double>(c.c))};
  }
};

template <class Probe>
class EnumeratedProbe : public ProbeTest<Probe> {
 protected:
  using T = typename Probe::Number;
  using Input = typename Probe::Input;
  static constexpr oracle::Format format = format_of<T>();
  const Probe probe{};

  /// A random place of a list.
  static std::uint64_t place(int input_class, std::uint64_t i) {
    return bits::SplitMix64::mixed(i) % Probe::size(input_class);
  }
  static T rounded(const ExactResult& truth) {
    return number_of<T>(oracle::round(truth.value, format, oracle::Rounding::nearest, {truth.negative_zero, false}));
  }
  static bool is_right(T z, T right) { return to_bits(z) == to_bits(right) || (is_nan(z) && is_nan(right)); }

  /// Calls body(case, the correct result) for cases of each class.
  template <class Body>
  void for_cases(std::uint64_t count, const Body& body) const {
    for (int k = 0; k < Probe::classes; ++k) {
      for (std::uint64_t i = 0; i < count; ++i) {
        const Input c = probe.at(k, place(k, i));
        body(c, rounded(TruthOf<typename Probe::Operation>::of(c)));
      }
    }
  }
  /// Numbers next to the correct result, and others.
  static std::vector<T> candidates(T right) {
    using Bits = BitsOf<T>;
    const Bits bits = to_bits(right);
    const auto number = [](auto x) { return from_bits<T>(static_cast<Bits>(x)); };
    return {right,
            number(bits + 1),
            number(bits - 1),
            -right,
            number(0),
            number(bits::sign_bit<T>),
            number(bits::max_finite_bits<T>),
            number(bits::max_finite_bits<T> + 1),
            number(bits ^ 2),
            number(bits ^ (1 << (FloatTraits<T>::precision - 1)))};
  }
};
TYPED_TEST_SUITE_P(EnumeratedProbe);

TYPED_TEST_P(EnumeratedProbe, ListsCasesOnce) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    const std::uint64_t size = TypeParam::size(k);
    const std::uint64_t step = size < 200000 ? 1 : size / 100003;
    std::set<std::uint64_t> seen;
    std::uint64_t listed = 0;
    for (std::uint64_t number = 0; number < size; number += step, ++listed) {
      const auto c = this->probe.at(k, number);
      std::uint64_t bits = 0;
      std::apply([&](const auto&... each) { ((bits = bits << 16 | to_bits(c.*(each.member))), ...); }, c.fields());
      seen.insert(bits);
    }
    EXPECT_EQ(seen.size(), listed) << TypeParam::Classes::names[k];
  }
}

TYPED_TEST_P(EnumeratedProbe, ProvesTheRightResultAndNoOther) {
  this->for_cases(3000, [&](const auto& c, auto right) {
    for (const auto z : this->candidates(right)) {
      ASSERT_EQ(is_proved(this->probe.error(c, z), 1), this->is_right(z, right))
          << "case " << static_cast<double>(c.a) << ", result " << static_cast<double>(z);
    }
  });
}

TYPED_TEST_P(EnumeratedProbe, ProvesEveryCase) {
  for (int k = 0; k < TypeParam::classes; ++k) {
    for (std::uint64_t i = 0; i < 100000; ++i) {
      const auto c = this->probe.at(k, this->place(k, i));
      ASSERT_TRUE(is_proved(this->probe.error(c, this->probe.run(c)), 1)) << TypeParam::Classes::names[k];
    }
  }
}

TYPED_TEST_P(EnumeratedProbe, JudgesTheSameOnADevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  for (int k = 0; k < TypeParam::classes; ++k) {
    const CellResult here = judge_cells(Executor::host(), this->probe, 1, 1, k, 0, 1).front();
    const CellResult there = judge_cells(Executor::cuda(), this->probe, 1, 1, k, 0, 1).front();
    EXPECT_EQ(here.largest, there.largest);
    EXPECT_EQ(here.number, there.number);
    EXPECT_EQ(here.undecided, there.undecided);
  }
}

REGISTER_TYPED_TEST_SUITE_P(EnumeratedProbe, ListsCasesOnce, ProvesTheRightResultAndNoOther, ProvesEveryCase,
                            JudgesTheSameOnADevice);

namespace {

template <class T>
using ProbesOf = testing::Types<op::AllSums<T>, op::AllDifferences<T>, op::AllProducts<T>, op::AllDivisions<T>,
                                op::AllSquareRoots<T>, op::AllFused<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Op16, EnumeratedProbe, ProbesOf<binary16>);
INSTANTIATE_TYPED_TEST_SUITE_P(OpBfloat16, EnumeratedProbe, ProbesOf<bfloat16>);
INSTANTIATE_TYPED_TEST_SUITE_P(OpE4m3, EnumeratedProbe, ProbesOf<e4m3>);
INSTANTIATE_TYPED_TEST_SUITE_P(OpE5m2, EnumeratedProbe, ProbesOf<e5m2>);
using ProbesOfBinary32 = testing::Types<op::AllSquareRoots<float>, op::AllReciprocals<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Op32, EnumeratedProbe, ProbesOfBinary32);

// Mistakes in a probe.

/// How many of the results given to a mistaken judge it judges differently from the oracle. mistaken(c, z): its
/// verdict.
template <class Probe>
struct Mistaken : EnumeratedProbe<Probe> {
  void TestBody() override {}
  template <class Verdict>
  int mistakes(const Verdict& mistaken) {
    int found = 0;
    this->for_cases(20000, [&](const auto& c, auto right) {
      for (const auto z : this->candidates(right)) found += mistaken(c, z) == this->is_right(z, right) ? 0 : 1;
    });
    return found;
  }
};

template <class T>
Sum<double> sum_of(const Pair<T>& c) {
  return two_sum(static_cast<double>(c.a), static_cast<double>(c.b));
}

TEST(OpProbe, WithALowTermDroppedIsCaught) {
  const auto judged = [](bool drops) {
    return Mistaken<op::AllFused<bfloat16>>().mistakes([&](const auto& c, auto z) {
      const double product = static_cast<double>(c.a) * static_cast<double>(c.b);
      const Sum<double> t = two_sum(product, static_cast<double>(c.c));
      const bool negative = signbit(c.a) != signbit(c.b) && signbit(c.c);
      return op::rounding_of(z, t.s, drops ? 0.0 : t.e, negative).is_nearest;
    });
  };
  EXPECT_EQ(judged(false), 0);
  EXPECT_GT(judged(true), 0);
}

TEST(OpProbe, WithATruthRoundedToBinary32IsCaught) {
  EXPECT_GT(Mistaken<op::AllFused<binary16>>().mistakes([](const auto& c, auto z) {
    const double product = static_cast<double>(c.a) * static_cast<double>(c.b);
    const auto rounded = static_cast<float>(product + static_cast<double>(c.c));
    const bool negative = signbit(c.a) != signbit(c.b) && signbit(c.c);
    return op::rounding_of(z, static_cast<double>(rounded), 0.0, negative).is_nearest;
  }),
            0);
}

TEST(OpProbe, WithTiesTakenEitherWayIsCaught) {
  EXPECT_GT(Mistaken<op::AllProducts<e4m3>>().mistakes([](const auto& c, auto z) {
    const double t = static_cast<double>(c.a) * static_cast<double>(c.b);
    const double half = is_finite(z) ? op::half_gaps(z).outward : 0;
    return is_finite(z) && absolute(t - static_cast<double>(z)) <= half;
  }),
            0);
}

TEST(OpProbe, WithoutTheSignOfZeroIsCaught) {
  EXPECT_GT(Mistaken<op::AllProducts<e5m2>>().mistakes([](const auto& c, auto z) {
    return op::rounding_of(z, static_cast<double>(c.a) * static_cast<double>(c.b), 0.0, false).is_nearest;
  }),
            0);
}

TEST(OpProbe, KnowsTheSignsOfSumsOfZeros) {
  const auto zero = [](bool negative) { return from_bits<e5m2>(negative ? bits::sign_bit<e5m2> : BitsOf<e5m2>{0}); };
  const auto proves = [](const Pair<e5m2>& c, e5m2 z) { return is_proved(op::AllSums<e5m2>{}.error(c, z), 1); };
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      const Pair<e5m2> c{zero(a), zero(b)};
      EXPECT_TRUE(proves(c, zero(a && b)));
      EXPECT_FALSE(proves(c, zero(!(a && b))));
    }
  }
}

TEST(OpProbe, WithTheGapsOfAPowerOfTwoEqualIsCaught) {
  EXPECT_GT(Mistaken<op::AllProducts<e5m2>>().mistakes([](const auto& c, auto z) {
    const double t = static_cast<double>(c.a) * static_cast<double>(c.b);
    if (!is_finite(z) || op::is_zero(z)) return op::rounding_of(z, t, 0.0, signbit(c.a) != signbit(c.b)).is_nearest;
    return op::is_within(z, t - static_cast<double>(z), 0.0, true, 1.0);
  }),
            0);
}

}  // namespace
}  // namespace assay::probes
