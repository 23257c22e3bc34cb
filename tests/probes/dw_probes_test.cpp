#include "probes/dw/dw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "errorbounds/dw.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::probes {
namespace {

using oracle::Dyadic;
using oracle::exact;

template <class T>
inline constexpr double u2 = FloatTraits<T>::precision == 53 ? 0x1p-106 : 0x1p-48;

template <class T>
Dyadic value(const DoubleWord<T>& x) {
  return exact(x.h) + exact(x.l);
}
Dyadic value(double x) { return exact(x); }
Dyadic value(float x) { return exact(x); }

/// What a probe is to judge: its property's box, its factor in u², and the exact values.
template <class Probe>
struct Of;

/// Of a probe that judges |z − truth| against |truth|.
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
template <class Case, auto Op>
struct Of<dw::Addition<Case, Op>> : OfTruth<Of<dw::Addition<Case, Op>>> {
  static Box box(const oracle::Format& format) { return add_box(format); }
  static constexpr double units = 3;
  static Dyadic truth(const Case& c) { return value(c.x) + value(c.y); }
};
template <class Case, auto Op>
struct Of<dw::Multiplication<Case, Op>> : OfTruth<Of<dw::Multiplication<Case, Op>>> {
  static Box box(const oracle::Format& format) { return product_box(format); }
  static constexpr double units = 5;
  static Dyadic truth(const Case& c) { return value(c.x) * value(c.y); }
};

/// Of a probe that judges |zy − x| against |x|; y = z for a root.
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
template <class Case, auto Op>
struct Of<dw::Division<Case, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return reciprocal_quotient_box(format); }
  static constexpr double units = 15;
};
template <class Case, auto Op>
struct Of<dw::SquareRoot<Case, Op>> : OfFactor {
  static Box box(const oracle::Format& format) { return sqrt_box(format); }
  static constexpr double units = 2 * 3.125;
  static constexpr int lowest = -450;
};

/// The exponents that the probe draws: no words below those of the box, and no errors that are lost.
template <class Probe>
Range range_of(const oracle::Format& format) {
  const Box box = Of<Probe>::box(format);
  int lowest = -800;
  if constexpr (requires { Of<Probe>::lowest; }) lowest = Of<Probe>::lowest;
  return {std::max({box.low, format.emin, lowest}), box.high};
}

template <class Probe>
auto input(const Probe& probe, int input_class, std::uint64_t number) {
  Stream stream(1, static_cast<std::uint64_t>(input_class), number);
  return probe.draw(stream, input_class);
}

template <class T>
bool is_inside(const DoubleWord<T>& x, const Box& box) {
  return is_double_word(x) && in_box(x, box);
}
template <class T>
bool is_inside(T x, const Box& box) {
  return in_box(x, box) && bits_of(x) != 0;
}

template <class Probe>
class DwProbe : public testing::Test {
 protected:
  using Number = typename Probe::Number;
  using Input = typename Probe::Input;
  using Output = typename Probe::Output;
  static constexpr oracle::Format format = format_of<Number>();
  static constexpr double factor = Of<Probe>::units * u2<Number>;
  const Probe probe{range_of<Probe>(format)};

  /// How many of `count` cases of each class have an enclosure without the exact values, or a verdict that is not the
  /// oracle's.
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
template <class T>
using ProbesOf = testing::Types<dw::AddFp<T>, dw::AccurateAdd<T>, dw::MulFp1<T>, dw::MulFp2<T>, dw::MulFp3<T>,
                                dw::Mul1<T>, dw::Mul2<T>, dw::Mul3<T>, dw::DivFp1<T>, dw::DivFp2<T>, dw::DivFp3<T>,
                                dw::Div1<T>, dw::Div2<T>, dw::Div3<T>, dw::Sqrt<T>>;
TYPED_TEST_SUITE_P(DwProbe);

TYPED_TEST_P(DwProbe, DrawsInputsOfTheDomain) {
  const Box box = Of<TypeParam>::box(this->format);
  for (std::uint64_t number = 0; number < 100000; ++number) {
    const int k = static_cast<int>(number % dw::classes);
    const auto c = input(this->probe, k, number);
    bool inside = is_inside(c.x, box);
    if constexpr (requires { c.y; }) inside = inside && is_inside(c.y, box);
    ASSERT_TRUE(inside) << dw::class_names[k] << ", case " << number;
  }
}

TYPED_TEST_P(DwProbe, DrawsManyInputsOfEveryClass) {
  for (int k = 0; k < dw::classes; ++k) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      const auto c = input(this->probe, k, number);
      seen.insert(std::uint64_t{bits_of(c.x.h)} ^ std::uint64_t{bits_of(c.x.l)} * 3);
    }
    EXPECT_GT(seen.size(), 300U) << dw::class_names[k];
  }
}

TYPED_TEST_P(DwProbe, EnclosesTheErrorAndProvesNothingFalse) {
  EXPECT_EQ(this->disagreements(2000, [&](const auto& c, const auto& z) { return this->probe.error(c, z); }), 0);
}

TYPED_TEST_P(DwProbe, DecidesAllButAFewCases) {
  for (int k = 0; k < dw::classes; ++k) {
    int undecided = 0;
    for (std::uint64_t number = 0; number < 10000; ++number) {
      const auto c = input(this->probe, k, number);
      undecided += is_proved(this->probe.error(c, this->probe.run(c)), this->factor) ? 0 : 1;
    }
    EXPECT_LT(undecided, 10) << dw::class_names[k];
  }
}

// Mistakes in a probe.

TYPED_TEST_P(DwProbe, WithATermDroppedProvesNothing) {
  int proved = 0;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const auto c = input(this->probe, 0, number);
    proved += is_proved(this->probe.error(c, {this->probe.run(c).h, 0}), this->factor) ? 1 : 0;
  }
  EXPECT_LT(proved, 30);  // a low word may be 0
}

TYPED_TEST_P(DwProbe, WithAnErrorRoundedDownIsCaught) {
  EXPECT_GT(this->disagreements(300,
                                [&](const auto& c, const auto& z) {
                                  const Scaled error = this->probe.error(c, z);
                                  return Scaled{error.upper * (1 - 0x1p-40), error.scale};
                                }),
            0);
}

TYPED_TEST_P(DwProbe, WithAScaleRoundedUpIsCaught) {
  EXPECT_GT(this->disagreements(300,
                                [&](const auto& c, const auto& z) {
                                  const Scaled error = this->probe.error(c, z);
                                  return Scaled{error.upper, error.scale * (1 + 0x1p-40)};
                                }),
            0);
}

REGISTER_TYPED_TEST_SUITE_P(DwProbe, DrawsInputsOfTheDomain, DrawsManyInputsOfEveryClass,
                            EnclosesTheErrorAndProvesNothingFalse, DecidesAllButAFewCases,
                            WithATermDroppedProvesNothing, WithAnErrorRoundedDownIsCaught, WithAScaleRoundedUpIsCaught);
INSTANTIATE_TYPED_TEST_SUITE_P(Binary64, DwProbe, ProbesOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Binary32, DwProbe, ProbesOf<float>);

std::vector<Executor> other_executors() {
  std::vector<Executor> all{Executor::host(Order::shuffled, 7)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

TEST(JudgeCells, GivesTheSameOnEveryExecutorAndForEverySplit) {
  const dw::Div2<double> probe{Range{-216, 216}};
  constexpr double factor = 8 * u2<double>;
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

/// The numbers of the cases of a cell that are not proved, seed 1.
template <class Probe>
std::vector<std::uint64_t> not_proved(const Probe& probe, double factor, int input_class, std::uint64_t of_cell) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = of_cell * cell; number < (of_cell + 1) * cell; ++number) {
    Stream stream(1, static_cast<std::uint64_t>(input_class), number);
    const typename Probe::Input input = probe.draw(stream, input_class);
    if (!is_proved(probe.error(input, probe.run(input)), factor)) numbers.push_back(number);
  }
  return numbers;
}

TEST(JudgeCells, CountsTheCasesThatAreNotProved) {
  const dw::SloppyAdd<double> probe{Range{-800, 1016}};
  constexpr int cancellation = 5;
  const std::vector<std::uint64_t> undecided = not_proved(probe, 3 * u2<double>, cancellation, 0);
  ASSERT_GT(undecided.size(), 0U);
  for (const Executor& on : other_executors()) {
    const CellResult result = judge_cells(on, probe, 3 * u2<double>, 1, cancellation, 0, 1).front();
    EXPECT_EQ(result.undecided, undecided.size());
    EXPECT_GT(result.largest, 1e10);
  }
}

TEST(UndecidedIn, ListsTheCasesThatAreNotProved) {
  const dw::SloppyAdd<double> probe{Range{-800, 1016}};
  constexpr int cancellation = 5;
  constexpr double factor = 3 * u2<double>;
  const std::vector<std::uint64_t> of_2 = not_proved(probe, factor, cancellation, 2);
  const std::vector<std::uint64_t> of_0 = not_proved(probe, factor, cancellation, 0);
  std::vector<std::uint64_t> both = of_2;
  both.insert(both.end(), of_0.begin(), of_0.end());
  for (const Executor& on : other_executors()) {
    const CellCount cells[] = {{2, of_2.size()}, {0, of_0.size()}};
    EXPECT_EQ(undecided_in(on, probe, factor, 1, cancellation, cells), both);
    EXPECT_TRUE(undecided_in(on, probe, factor, 1, cancellation, {}).empty());
  }
}

TEST(Ratio, IsTheErrorOverTheBound) {
  EXPECT_EQ(ratio({3, 8}, 0.5), 0.75);
  EXPECT_EQ(ratio({0, -1}, 0.5), 0);
}

TEST(Ratio, IsInfiniteWhereTheRightSideIsNotKnownToBePositive) {
  EXPECT_EQ(ratio({1, 0}, 0.5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ratio({1, -1}, 0.5), std::numeric_limits<double>::infinity());
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
