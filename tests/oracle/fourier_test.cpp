#include "oracle/fourier.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace assay::oracle {
namespace {

std::vector<Dyadic> numbers(std::initializer_list<int> x) { return {x.begin(), x.end()}; }

TEST(Fourier, OfFourNumbersIsTheirSumsInQuarterTurns) {
  const std::vector<Ball> y = fourier(numbers({1, 2, 3, -4, 5, 6, -7, 8}), 64);
  const std::vector<Dyadic> expected = numbers({2, 12, -16, -14, 10, 4, 8, 6});
  ASSERT_EQ(y.size(), expected.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_TRUE(y[i].contains(expected[i])) << i << " " << to_string(y[i]);
    EXPECT_LT(y[i].upper() - y[i].lower(), Dyadic::scaled(1, -50));
  }
}

TEST(Fourier, TurnsClockwise) {
  const std::vector<Ball> y = fourier(numbers({0, 0, 1, 0, 0, 0}), 64);
  EXPECT_EQ(less(y[3], Ball()), Answer::yes);  // exp(−2πi/3)
  EXPECT_TRUE(y[2].contains(Dyadic::scaled(-1, -1)));
}

TEST(Fourier, OfNothingIsNothing) { EXPECT_TRUE(fourier({}, 64).empty()); }

TEST(Fourier, RefusesHalfOfANumber) { EXPECT_THROW(fourier(numbers({1, 2, 3}), 64), std::invalid_argument); }

}  // namespace
}  // namespace assay::oracle
