#include "arith/accumulators/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exact_sum_reference.hpp"
#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

using reference::in_units;
using reference::Integer;

template <int L>
class Collected {
 public:
  explicit Collected(int top) : window_(WindowAccumulator<L>::at(top)) {}

  void add(double v, int first = 0) {
    exact_ = exact_ + in_units(v);
    left_ = left_ + in_units(window_.add(v, first));
  }
  /// The content of the window and the numbers outside it, in units of 2⁻¹⁰⁷⁴.
  Integer sum() {
    window_.drain();
    Superaccumulator held{};
    window_.move_to(held);
    Integer sum = left_;
    for (double word = held.round(Rounding::rn); word != 0; word = held.round(Rounding::rn)) {
      sum = sum + in_units(word);
      held.add(-word);
    }
    return sum;
  }
  [[nodiscard]] const Integer& exact() const { return exact_; }
  [[nodiscard]] const Integer& left() const { return left_; }
  WindowAccumulator<L>& window() { return window_; }

 private:
  WindowAccumulator<L> window_;
  Integer exact_ = 0;
  Integer left_ = 0;
};

TEST(WindowAccumulator, TakesInTheLargestNumbersAsOftenAsItMay) {
  for (const double sign : {1.0, -1.0}) {
    Collected<3> c(40);
    const double most = std::nextafter(c.window().limit(), 0.0) * sign;
    for (int i = 0; i < WindowAccumulator<3>::additions; ++i) c.add(most);
    EXPECT_EQ(c.left(), Integer(0));
    EXPECT_EQ(c.sum(), c.exact());
  }
}

TEST(WindowAccumulator, LeavesTiesOfItsLastGridInEitherDirectionWithoutAnError) {
  Collected<2> c(40);
  const double half = std::ldexp(1.0, 40 - 44 - 53);
  for (int i = 0; i < 100; ++i) c.add(i % 3 == 0 ? -half * i : half * (2 * i + 1));
  EXPECT_EQ(c.sum(), c.exact());
}

TEST(WindowAccumulator, AndWhatLeavesItAreTheSumOfNumbersOfManyMagnitudes) {
  reference::Numbers<double> numbers(60);
  for (const int top : {WindowAccumulator<4>::least_top, -300, 60, WindowAccumulator<4>::most_top}) {
    Collected<4> c(top);
    for (int i = 0; i < 2000; ++i) {
      c.add(numbers.moderate(std::max(-1022, top - 200), top - 10));
      if (i % 100 == 99) c.window().drain();
    }
    EXPECT_EQ(c.sum(), c.exact()) << top;
  }
}

TEST(WindowAccumulator, TakesLowWordsOfProductsInAtTheSecondWord) {
  Collected<3> c(60);
  const double most = std::nextafter(c.window().limit(), 0.0);
  for (int i = 0; i < WindowAccumulator<3>::additions / 2; ++i) {
    c.add(most);
    c.add(most * 0x1p-53, 1);
  }
  EXPECT_EQ(c.sum(), c.exact());
}

TEST(WindowAccumulator, AtTheBottomHoldsSubnormalNumbersWhole) {
  Collected<3> c(WindowAccumulator<3>::least_top);
  for (int i = 1; i < 200; ++i) c.add(std::ldexp(i % 2 == 0 ? -i : i, -1074));
  EXPECT_EQ(c.left(), Integer(0));
  EXPECT_EQ(c.sum(), c.exact());
}

TEST(WindowAccumulator, AroundANumberHasRoomForMoreWhereTheFormatHasIt) {
  EXPECT_EQ(WindowAccumulator<3>::around(0, 14).limit(), 0x1p15);
  EXPECT_EQ(WindowAccumulator<3>::around(1023, 14).top, WindowAccumulator<3>::most_top);
  EXPECT_EQ(WindowAccumulator<3>::around(-1023, 14).top, WindowAccumulator<3>::least_top);
}

}  // namespace
}  // namespace assay
