#include "kernels/sum/detail/shared_accumulators.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "../arith/exact_sum_reference.hpp"

namespace assay::sum::detail {
namespace {

using reference::Integer;

/// Digits of 0.
struct Digits {
  std::vector<std::int32_t> words = std::vector<std::int32_t>(SharedDigits::count);

  void deposit(std::uint64_t m, int position, bool minus) {
    SharedDigits{words.data()}.deposit(m, position, minus);
    for (const std::int32_t digit : words) ASSERT_LE(std::abs(digit), 1 << (SharedDigits::carry_bits - 1));
  }
  /// In units of 2⁻²¹⁴⁸.
  [[nodiscard]] Integer value() {
    Integer sum = 0;
    for (int k = SharedDigits::count; k-- > 0;)
      sum = (sum << SharedDigits::bits) + Integer(words[static_cast<std::size_t>(k)]);
    return sum;
  }
};

Integer integer(std::uint64_t m) {
  return (Integer(static_cast<long>(m >> 32)) << 32) + Integer(static_cast<long>(m & 0xFFFFFFFF));
}

TEST(SharedDigits, HoldTheSumOfWhatWasDeposited) {
  std::mt19937_64 random(1);
  Digits digits;
  Integer sum = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t m = random() >> random() % 64;
    const int position = static_cast<int>(random() % 4150);
    const bool minus = (random() & 1) != 0;
    digits.deposit(m, position, minus);
    sum = minus ? sum - (integer(m) << position) : sum + (integer(m) << position);
  }
  EXPECT_EQ(digits.value(), sum);
}

TEST(SharedDigits, HandOnWhatIsMoreThanADigit) {
  for (const bool minus : {false, true}) {
    Digits digits;
    constexpr std::uint64_t most = ~std::uint64_t{0};
    for (int i = 0; i < 20000; ++i) digits.deposit(most, 11, minus);
    const Integer sum = (integer(most) << 11) * Integer(20000);
    EXPECT_EQ(digits.value(), minus ? Integer(0) - sum : sum);
  }
}

TEST(SharedDigits, OfASmallNegativeSumLeaveTheUpperDigitsAlone) {
  Digits digits;
  digits.deposit(1, 0, true);
  EXPECT_EQ(digits.words.front(), -1);
  EXPECT_EQ(digits.words.back(), 0);
}

TEST(SharedDigits, TakeNumbersAndProductsInLineAsOutOfLine) {
  std::mt19937_64 random(2);
  Digits in_line;
  Digits out_of_line;
  for (int i = 0; i < 5000; ++i) {
    const bits::WideProduct m = bits::wide_product(random() >> 11 >> random() % 53, random() >> 11);
    const int position = static_cast<int>(random() % 4090);
    const bool minus = (random() & 1) != 0;
    SharedDigitsInLine{in_line.words.data()}.deposit_product(m, position, minus);
    SharedDigits{out_of_line.words.data()}.deposit_product(m, position, minus);
    SharedDigitsInLine{in_line.words.data()}.deposit(m.low >> 11, position, minus);
    out_of_line.deposit(m.low >> 11, position, minus);
  }
  EXPECT_EQ(in_line.value(), out_of_line.value());
}

TEST(SharedDigits, HoldTheLargestProduct) {
  // The square of the largest finite number.
  Digits digits;
  const std::uint64_t m = (std::uint64_t{1} << 53) - 1;
  const bits::WideProduct product = bits::wide_product(m, m);
  constexpr int position = 2 * 971 - Superaccumulator::unit;
  SharedDigitsInLine{digits.words.data()}.deposit_product(product, position, false);
  EXPECT_EQ(digits.value(), (integer(m) * integer(m)) << position);
  EXPECT_EQ(digits.words.back(), 0);
}

}  // namespace
}  // namespace assay::sum::detail
