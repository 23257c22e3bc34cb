#include "probes/dw/dw.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <type_traits>
#include <vector>

#include "errorbounds/dw.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::probes {
namespace {

using oracle::Dyadic;

constexpr double u2 = 0x1p-106;

/// A probe with the box of its property and the factor of its theorem.
template <class Probe>
struct Of;
template <class T, DoubleWord<T> (*Op)(DoubleWord<T>, DoubleWord<T>)>
struct Of<dw::Addition<T, Op>> {
  static Box box() { return add_box(oracle::binary64); }
  static constexpr Range range{-800, 1016};
  static constexpr double factor = 3 * u2;
  static Dyadic error(const DwDw<double>& c, const DoubleWord<double>& z) {
    return abs(value_of(z) - value_of(c.x) - value_of(c.y));
  }
  static Dyadic scale(const DwDw<double>& c) { return abs(value_of(c.x) + value_of(c.y)); }
};
template <class T, DoubleWord<T> (*Op)(DoubleWord<T>, DoubleWord<T>)>
struct Of<dw::Multiplication<T, Op>> {
  static Box box() { return product_box(oracle::binary64); }
  static constexpr Range range{-484, 483};
  static constexpr double factor = 5 * u2;
  static Dyadic error(const DwDw<double>& c, const DoubleWord<double>& z) {
    return abs(value_of(z) - value_of(c.x) * value_of(c.y));
  }
  static Dyadic scale(const DwDw<double>& c) { return abs(value_of(c.x) * value_of(c.y)); }
};
template <class T, DoubleWord<T> (*Op)(DoubleWord<T>, DoubleWord<T>)>
struct Of<dw::Division<T, Op>> {
  static Box box() { return quotient_box(oracle::binary64); }
  static constexpr Range range{-229, 228};
  static constexpr double factor = 15 * u2;
  static Dyadic error(const DwDw<double>& c, const DoubleWord<double>& z) {
    return abs(value_of(z) * value_of(c.y) - value_of(c.x));
  }
  static Dyadic scale(const DwDw<double>& c) { return abs(value_of(c.x)); }
};

template <class Probe>
DwDw<double> input(const Probe& probe, int input_class, std::uint64_t number) {
  Stream stream(1, static_cast<std::uint64_t>(input_class), number);
  return probe.draw(stream, input_class);
}

/// How many of `count` cases of each class have an enclosure without the exact values, or a verdict that is not the
/// oracle's.
template <class Probe, class Error>
int disagreements(const Probe& probe, std::uint64_t count, const Error& error_of) {
  using Spec = Of<Probe>;
  int found = 0;
  for (int k = 0; k < Probe::classes; ++k) {
    for (std::uint64_t number = 0; number < count; ++number) {
      const DwDw<double> c = input(probe, k, number);
      const DoubleWord<double> z = probe.run(c);
      const Scaled error = error_of(c, z);
      const Dyadic exact = Spec::error(c, z);
      const bool encloses =
          exact <= oracle::exact(error.upper) && (error.scale <= 0 || oracle::exact(error.scale) <= Spec::scale(c));
      const bool is_right = !is_proved(error, Spec::factor) || exact <= oracle::exact(Spec::factor) * Spec::scale(c);
      found += encloses && is_right ? 0 : 1;
    }
  }
  return found;
}

template <class Probe>
class DwProbe : public testing::Test {
 protected:
  static constexpr Probe probe{Of<Probe>::range};
  static constexpr double factor = Of<Probe>::factor;
};
using Probes = testing::Types<dw::AccurateAdd, dw::Mul1, dw::Mul2, dw::Mul3, dw::Div1, dw::Div2, dw::Div3>;
TYPED_TEST_SUITE(DwProbe, Probes);

TYPED_TEST(DwProbe, DrawsInputsOfTheDomain) {
  constexpr std::uint64_t draws = 100000;
  for (std::uint64_t number = 0; number < draws; ++number) {
    const int k = static_cast<int>(number % dw::classes);
    const DwDw<double> c = input(this->probe, k, number);
    ASSERT_TRUE(is_double_word(c.x) && is_double_word(c.y)) << dw::class_names[k] << ", case " << number;
    ASSERT_TRUE(in_box(c.x, Of<TypeParam>::box()) && in_box(c.y, Of<TypeParam>::box()))
        << dw::class_names[k] << ", case " << number;
    ASSERT_NE(c.y.h, 0);
  }
}

TYPED_TEST(DwProbe, DrawsManyInputsOfEveryClass) {
  for (int k = 0; k < dw::classes; ++k) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      const DwDw<double> c = input(this->probe, k, number);
      seen.insert(bits_of(c.x.h) ^ bits_of(c.y.l) * 3);
    }
    EXPECT_GT(seen.size(), 300U) << dw::class_names[k];
  }
}

TYPED_TEST(DwProbe, EnclosesTheErrorAndProvesNothingFalse) {
  EXPECT_EQ(disagreements(this->probe, 3000,
                          [&](const DwDw<double>& c, const DoubleWord<double>& z) { return this->probe.error(c, z); }),
            0);
}

TYPED_TEST(DwProbe, DecidesAllButAFewCases) {
  for (int k = 0; k < dw::classes; ++k) {
    int undecided = 0;
    for (std::uint64_t number = 0; number < 20000; ++number) {
      const DwDw<double> c = input(this->probe, k, number);
      undecided += is_proved(this->probe.error(c, this->probe.run(c)), this->factor) ? 0 : 1;
    }
    EXPECT_LT(undecided, 10) << dw::class_names[k];
  }
}

// Mistakes in a probe.

TYPED_TEST(DwProbe, WithATermDroppedProvesNothing) {
  int proved = 0;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const DwDw<double> c = input(this->probe, 0, number);
    proved += is_proved(this->probe.error(c, {this->probe.run(c).h, 0}), this->factor) ? 1 : 0;
  }
  EXPECT_EQ(proved, 0);
}

TYPED_TEST(DwProbe, WithAnErrorRoundedDownIsCaught) {
  const auto lower = [&](const DwDw<double>& c, const DoubleWord<double>& z) {
    const Scaled error = this->probe.error(c, z);
    return Scaled{error.upper * (1 - 0x1p-40), error.scale};
  };
  EXPECT_GT(disagreements(this->probe, 300, lower), 0);
}

TYPED_TEST(DwProbe, WithAScaleRoundedUpIsCaught) {
  const auto larger = [&](const DwDw<double>& c, const DoubleWord<double>& z) {
    const Scaled error = this->probe.error(c, z);
    return Scaled{error.upper, error.scale * (1 + 0x1p-40)};
  };
  EXPECT_GT(disagreements(this->probe, 300, larger), 0);
}

std::vector<Executor> other_executors() {
  std::vector<Executor> all{Executor::host(Order::shuffled, 7)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

TEST(JudgeCells, GivesTheSameOnEveryExecutorAndForEverySplit) {
  const dw::Div2 probe{Of<dw::Div2>::range};
  constexpr double factor = 8 * u2;
  const std::vector<CellResult> both = judge_cells(Executor::host(), probe, factor, 3, 2, 5, 2);
  for (const Executor& on : other_executors()) {
    const CellResult alone = judge_cells(on, probe, factor, 3, 2, 6, 1).front();
    EXPECT_EQ(alone.largest, both[1].largest);
    EXPECT_EQ(alone.number, both[1].number);
    EXPECT_EQ(alone.undecided, both[1].undecided);
  }
  EXPECT_GT(both[0].largest, 0.5);
  EXPECT_EQ(both[0].number / cell, 5U);
  EXPECT_EQ(both[1].number / cell, 6U);
}

TEST(JudgeCells, CountsTheCasesThatAreNotProved) {
  const dw::SloppyAdd probe{Of<dw::AccurateAdd>::range};
  constexpr int cancellation = 5;
  const std::vector<std::uint64_t> undecided = undecided_in(probe, 3 * u2, 1, cancellation, 0);
  ASSERT_GT(undecided.size(), 0U);
  for (const Executor& on : other_executors()) {
    const CellResult result = judge_cells(on, probe, 3 * u2, 1, cancellation, 0, 1).front();
    EXPECT_EQ(result.undecided, undecided.size());
    EXPECT_GT(result.largest, 1e10);
  }
}

TEST(IsProved, NeedsAnErrorBelowTheBound) {
  EXPECT_TRUE(is_proved({1, 2}, 0.75));
  EXPECT_FALSE(is_proved({1, 1}, 1));
  EXPECT_FALSE(is_proved({std::numeric_limits<double>::quiet_NaN(), 1}, 1));
  EXPECT_FALSE(is_proved({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}, 1));
  EXPECT_FALSE(is_proved({0x1p-1000, 0x1p-950}, 1));
  EXPECT_TRUE(is_proved({0, 0}, 1));
}

}  // namespace
}  // namespace assay::probes
