#include "arith/float/directed.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "arith/float/small_float.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

using reference::Operation;
using reference::power;
using reference::rounded;
using reference::same;
using reference::value;

template <class T>
struct Case {
  Operation operation;
  Rounding to;
  T (*function)(T, T);
};

template <class T>
T root_ru(T a, T) {
  return sqrt_ru(a);
}
template <class T>
T root_rd(T a, T) {
  return sqrt_rd(a);
}
template <class T>
T root_rz(T a, T) {
  return sqrt_rz(a);
}

template <class T>
inline const Case<T> functions[] = {
    {Operation::add, Rounding::ru, add_ru<T>},          {Operation::add, Rounding::rd, add_rd<T>},
    {Operation::add, Rounding::rz, add_rz<T>},          {Operation::subtract, Rounding::ru, sub_ru<T>},
    {Operation::subtract, Rounding::rd, sub_rd<T>},     {Operation::subtract, Rounding::rz, sub_rz<T>},
    {Operation::multiply, Rounding::ru, mul_ru<T>},     {Operation::multiply, Rounding::rd, mul_rd<T>},
    {Operation::multiply, Rounding::rz, mul_rz<T>},     {Operation::divide, Rounding::ru, div_ru<T>},
    {Operation::divide, Rounding::rd, div_rd<T>},       {Operation::divide, Rounding::rz, div_rz<T>},
    {Operation::square_root, Rounding::ru, root_ru<T>}, {Operation::square_root, Rounding::rd, root_rd<T>},
    {Operation::square_root, Rounding::rz, root_rz<T>}};

template <class T>
testing::AssertionResult all_directions_agree(T a, T b) {
  for (const Case<T>& test : functions<T>) {
    const double got = value(test.function(a, b));
    const double want = rounded<T>(test.operation, value(a), value(b), 0, test.to);
    if (!same(got, want)) {
      return testing::AssertionFailure() << std::hexfloat << FloatTraits<T>::name << " operation "
                                         << static_cast<int>(test.operation) << " direction "
                                         << static_cast<int>(test.to) << " of " << value(a) << ", " << value(b)
                                         << ": got " << got << ", want " << want;
    }
  }
  return testing::AssertionSuccess();
}

template <class T>
class Directed : public testing::Test {};
using Formats = testing::Types<double, float, binary16, e4m3, Toy<4>>;
TYPED_TEST_SUITE(Directed, Formats);

TYPED_TEST(Directed, IsCorrectOnPairsOfEdges) {
  const std::vector<TypeParam> edges = reference::edges<TypeParam>();
  for (const TypeParam a : edges) {
    for (const TypeParam b : edges) {
      ASSERT_TRUE(all_directions_agree(a, b));
    }
  }
}

TYPED_TEST(Directed, IsCorrectOnAnyBits) {
  reference::Numbers<TypeParam> numbers(11);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(all_directions_agree(numbers.any(), numbers.any()));
  }
}

TYPED_TEST(Directed, IsCorrectOnNearbyExponents) {
  reference::Numbers<TypeParam> numbers(12);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(all_directions_agree(numbers.moderate(-4, 4), numbers.moderate(-4, 4)));
  }
}

TYPED_TEST(Directed, IsCorrectOnSparseFractions) {
  reference::Numbers<TypeParam> numbers(13);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(all_directions_agree(numbers.sparse(-3, 3), numbers.sparse(-3, 3)));
  }
}

template <class T>
class DirectedNearTheLimits : public testing::Test {};
using NativeFormats = testing::Types<double, float>;
TYPED_TEST_SUITE(DirectedNearTheLimits, NativeFormats);

TYPED_TEST(DirectedNearTheLimits, MultipliesIntoTheSubnormalRange) {
  using F = FloatTraits<TypeParam>;
  reference::Numbers<TypeParam> numbers(14);
  const int half = F::emin / 2;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(all_directions_agree(numbers.moderate(half - F::precision, half), numbers.sparse(half - 3, half + 3)));
  }
}

TYPED_TEST(DirectedNearTheLimits, DividesIntoTheSubnormalRange) {
  using F = FloatTraits<TypeParam>;
  reference::Numbers<TypeParam> numbers(15);
  for (int i = 0; i < 20000; ++i) {
    const TypeParam x = numbers.sparse(F::emin / 2, F::emin / 2 + 3);
    ASSERT_TRUE(all_directions_agree(x, numbers.moderate(-F::emin / 2 - 3, -F::emin / 2 + F::precision)));
  }
}

TYPED_TEST(DirectedNearTheLimits, AddsAndMultipliesAtTheEdgeOfOverflow) {
  using F = FloatTraits<TypeParam>;
  reference::Numbers<TypeParam> numbers(16);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(all_directions_agree(numbers.sparse(F::emax - 1, F::emax), numbers.sparse(F::emax - 54, F::emax)));
    ASSERT_TRUE(all_directions_agree(numbers.sparse(F::emax / 2, F::emax / 2 + 1),
                                     numbers.sparse(F::emax / 2, F::emax / 2 + 1)));
  }
}

TYPED_TEST(DirectedNearTheLimits, OperatesOnSubnormals) {
  reference::Numbers<TypeParam> numbers(17);
  for (int i = 0; i < 20000; ++i) {
    const auto mask = static_cast<BitsOf<TypeParam>>(to_bits(bits::power_of_two<TypeParam>(0)) >> (i % 20));
    const auto subnormal = from_bits<TypeParam>(
        static_cast<BitsOf<TypeParam>>(to_bits(numbers.any()) & (to_bits(std::numeric_limits<TypeParam>::min()) - 1)));
    const auto small = from_bits<TypeParam>(static_cast<BitsOf<TypeParam>>(to_bits(numbers.any()) & mask));
    ASSERT_TRUE(all_directions_agree(subnormal, small));
    ASSERT_TRUE(all_directions_agree(small, subnormal));
  }
}

TEST(AddRd, OfOppositeNumbersIsMinusZero) { EXPECT_TRUE(signbit(add_rd(1.5, -1.5))); }

TEST(AddRz, OverflowsToTheLargestNumber) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(add_rz(largest, largest), largest);
}

TEST(AddRu, SeesAnAddendBelowEveryBitOfTheOther) { EXPECT_EQ(add_ru(1.0, power(-1074)), 1 + power(-52)); }

TEST(MulRd, OfTinyNegativeProductsIsTheSmallestNegativeNumber) {
  EXPECT_EQ(mul_rd(-power(-600), power(-600)), -power(-1074));
}

}  // namespace
}  // namespace assay
