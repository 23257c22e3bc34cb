#include "kernels/sum/detail/shared_accumulators.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "../arith/exact_sum_reference.hpp"

namespace assay::sum::detail {
namespace {

using reference::Integer;

/// Digits of 0 in one column, the last of all.
template <int columns>
struct Digits {
  using Shared = SharedDigits<columns>;
  std::vector<std::int32_t> words = std::vector<std::int32_t>(Shared::count);

  std::int32_t* column() { return Shared::of_thread(words.data(), Shared::most_threads - 1).digit; }
  [[nodiscard]] std::int32_t digit(int k) { return column()[k * columns]; }
  void deposit(std::uint64_t m, int position, bool minus) {
    Shared{column()}.deposit(m, position, minus);
    for (int k = 0; k < Shared::digits; ++k) ASSERT_LE(std::abs(digit(k)), 1 << (Shared::carry_bits - 1));
  }
  /// In units of 2⁻²¹⁴⁸.
  [[nodiscard]] Integer value() {
    Integer sum = 0;
    for (int k = Shared::digits; k-- > 0;) sum = (sum << Shared::bits) + Integer(digit(k));
    return sum;
  }
};

Integer integer(std::uint64_t m) {
  return (Integer(static_cast<long>(m >> 32)) << 32) + Integer(static_cast<long>(m & 0xFFFFFFFF));
}

template <class Columns>
class SharedDigitsTest : public testing::Test {
 protected:
  static constexpr int columns = Columns::value;
};
struct ColumnNames {
  template <class Columns>
  static std::string GetName(int /*index*/) {
    return std::to_string(Columns::value) + "Columns";
  }
};
using EveryColumns = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 32>>;
TYPED_TEST_SUITE(SharedDigitsTest, EveryColumns, ColumnNames);

TYPED_TEST(SharedDigitsTest, HoldTheSumOfWhatWasDeposited) {
  std::mt19937_64 random(1);
  Digits<TestFixture::columns> digits;
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

TYPED_TEST(SharedDigitsTest, HandOnWhatIsMoreThanADigit) {
  for (const bool minus : {false, true}) {
    Digits<TestFixture::columns> digits;
    constexpr std::uint64_t most = ~std::uint64_t{0};
    for (int i = 0; i < 20000; ++i) digits.deposit(most, 11, minus);
    const Integer sum = (integer(most) << 11) * Integer(20000);
    EXPECT_EQ(digits.value(), minus ? Integer(0) - sum : sum);
  }
}

TYPED_TEST(SharedDigitsTest, HandOnWhatIsMoreThanADigitWhereAllDigitsAreFullAtOnce) {
  using Shared = SharedDigits<TestFixture::columns>;
  constexpr int touched = Shared::pieces(64);
  for (const bool minus : {false, true}) {
    Digits<TestFixture::columns> digits;
    constexpr std::int32_t full = (1 << (Shared::carry_bits - 1)) - 1;
    for (int k = 0; k < touched; ++k) digits.column()[k * TestFixture::columns] = minus ? -full - 1 : full;
    const Integer before = digits.value();
    constexpr std::uint64_t most = ~std::uint64_t{0};
    constexpr int position = Shared::bits - 1;  // so that the number has bits in each of the digits
    digits.deposit(most, position, minus);
    const Integer added = integer(most) << position;
    EXPECT_EQ(digits.value(), minus ? before - added : before + added);
  }
}

TYPED_TEST(SharedDigitsTest, AreAtRestWhereNoneHasAnythingToHandOn) {
  using Shared = SharedDigits<TestFixture::columns>;
  constexpr std::uint32_t unit = std::uint32_t{1} << Shared::carry_bits;
  EXPECT_TRUE(Shared::are_at_rest(0));
  EXPECT_TRUE(Shared::are_at_rest(unit - 1));
  EXPECT_FALSE(Shared::are_at_rest(unit));
  EXPECT_FALSE(Shared::are_at_rest(~std::uint32_t{0}));
}

TYPED_TEST(SharedDigitsTest, OfASmallNegativeSumLeaveTheUpperDigitsAlone) {
  Digits<TestFixture::columns> digits;
  digits.deposit(1, 0, true);
  EXPECT_EQ(digits.digit(0), -1);
  EXPECT_EQ(digits.digit(SharedDigits<TestFixture::columns>::digits - 1), 0);
}

TYPED_TEST(SharedDigitsTest, TakeNumbersAndProductsInLineAsOutOfLine) {
  std::mt19937_64 random(2);
  Digits<TestFixture::columns> in_line;
  Digits<TestFixture::columns> out_of_line;
  for (int i = 0; i < 5000; ++i) {
    const bits::WideProduct m = bits::wide_product(random() >> 11 >> random() % 53, random() >> 11);
    const int position = static_cast<int>(random() % 4090);
    const bool minus = (random() & 1) != 0;
    SharedDigitsInLine<TestFixture::columns>{in_line.column()}.deposit_product(m, position, minus);
    SharedDigits<TestFixture::columns>{out_of_line.column()}.deposit_product(m, position, minus);
    SharedDigitsInLine<TestFixture::columns>{in_line.column()}.deposit(m.low >> 11, position, minus);
    out_of_line.deposit(m.low >> 11, position, minus);
  }
  EXPECT_EQ(in_line.value(), out_of_line.value());
}

TYPED_TEST(SharedDigitsTest, HoldTheLargestProduct) {
  // The square of the largest finite number.
  Digits<TestFixture::columns> digits;
  const std::uint64_t m = (std::uint64_t{1} << 53) - 1;
  const bits::WideProduct product = bits::wide_product(m, m);
  constexpr int position = 2 * 971 - Superaccumulator::unit;
  SharedDigitsInLine<TestFixture::columns>{digits.column()}.deposit_product(product, position, false);
  EXPECT_EQ(digits.value(), (integer(m) * integer(m)) << position);
  EXPECT_EQ(digits.digit(SharedDigits<TestFixture::columns>::digits - 1), 0);
}

TEST(SharedDigits, OfThreadsInAWarpHaveAColumnEach) {
  std::vector<std::int32_t> words(SharedDigits<32>::count);
  for (int t = 0; t < 64; ++t) SharedDigits<32>::of_thread(words.data(), t).deposit(1, 0, false);
  for (int t = 0; t < 32; ++t) EXPECT_EQ(words[static_cast<std::size_t>(t)], 2);
}

}  // namespace
}  // namespace assay::sum::detail
