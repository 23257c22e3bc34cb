#include "arith/accumulators/accurate_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "arith/float/small_float.hpp"
#include "exact_sum_reference.hpp"
#include "gmp_reference.hpp"
#include "mpfr_reference.hpp"

namespace assay {
namespace {

using reference::in_units;
using reference::Integer;

template <class T>
Integer units(T x) {
  return in_units(reference::value(x));
}

template <class T>
Integer exact_sum(const std::vector<T>& p) {
  Integer s = 0;
  for (const T each : p) s = s + units(each);
  return s;
}

template <class T>
bool is_faithful(T r, const Integer& s) {
  return is_finite(r) && units(next_down(r)) < s && s < units(next_up(r));
}

template <class T>
bool is_nearest(T r, const Integer& s) {
  if (!is_finite(r)) return false;
  const Integer below = units(r) + units(next_down(r));
  const Integer above = units(r) + units(next_up(r));
  const bool even = to_bits(r) % 2 == 0;
  const Integer twice = s + s;
  return even ? twice >= below && above >= twice : below < twice && twice < above;
}

/// Vectors whose sums are hard to round: r + (half an ulp) ± tiny in parts that cancel, r at or below a power of two or
/// anywhere; wide exponents; complete cancellation; subnormal numbers; many equal numbers.
template <class T>
class Vectors {
 public:
  using F = FloatTraits<T>;
  Vectors(std::uint64_t seed, std::size_t most)
      : numbers_(seed), random_(seed), most_(std::min<std::size_t>(most, 60)) {}

  std::vector<T> near_a_midpoint() {
    const int e = exponent_between(std::min(F::emin + 2 * F::precision + 4, -8), std::min(F::emax - 12, 200));
    T r = numbers_.moderate(e, e);
    if (random_() % 2 == 0) r = ufp(r);
    if (random_() % 3 == 0) r = next_down(abs(r));
    const T neighbour = random_() % 2 == 0 ? next_up(r) : next_down(r);
    const T half = (neighbour - r) * bits::power_of_two<T>(-1);
    std::vector<T> p{r, half};
    const auto kind = random_() % 4;
    const int low = std::max(F::emin - F::precision + 1, e - 3 * F::precision);
    const T tiny = bits::power_of_two_or_subnormal<T>(exponent_between(low, e - F::precision - 2));
    if (kind == 1) p.push_back(tiny);
    if (kind == 2) p.push_back(-tiny);
    return hidden(p, e);
  }

  std::vector<T> wide() {
    std::vector<T> p(count());
    for (T& each : p) each = numbers_.moderate(F::emin, std::min(F::emax - 10, 300));
    return p;
  }

  std::vector<T> cancelling() {
    std::vector<T> p(count() / 2);
    for (T& each : p) each = numbers_.moderate(std::max(F::emin, -100), std::min(F::emax - 10, 100));
    const std::size_t half = p.size();
    for (std::size_t i = 0; i < half; ++i) p.push_back(-p[i]);
    if (random_() % 2 == 0) p.push_back(numbers_.moderate(std::max(F::emin, -100), 0));
    return shuffled(p);
  }

  std::vector<T> subnormal() {
    std::vector<T> p(count());
    for (T& each : p) {
      each = random_() % 2 == 0 ? from_bits<T>(static_cast<BitsOf<T>>(random_() & (mantissa() | bits::sign_bit<T>)))
                                : numbers_.moderate(F::emin, F::emin + 3);
    }
    return p;
  }

  std::vector<T> equal() {
    std::vector<T> p(count(), random_() % 2 == 0 ? numbers_.moderate(-2, 2) : next_down(bits::power_of_two<T>(1)));
    if (random_() % 2 == 0) p.push_back(-p[0]);
    return p;
  }

  std::vector<T> any() {
    switch (random_() % 5) {
      case 0:
        return near_a_midpoint();
      case 1:
        return wide();
      case 2:
        return cancelling();
      case 3:
        return subnormal();
      default:
        return equal();
    }
  }

 private:
  static BitsOf<T> mantissa() { return static_cast<BitsOf<T>>((BitsOf<T>{1} << (F::precision - 1)) - 1); }
  int exponent_between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
  }
  std::size_t count() { return 2 + random_() % (most_ - 4); }
  std::vector<T> shuffled(std::vector<T> p) {
    std::shuffle(p.begin(), p.end(), random_);
    return p;
  }
  std::vector<T> hidden(std::vector<T> p, int e) {
    const std::size_t pairs = random_() % ((most_ - 3) / 2);
    for (std::size_t i = 0; i < pairs; ++i) {
      const T x = numbers_.moderate(std::max(F::emin, e - 40), std::min(F::emax - 10, e + 60));
      p.push_back(x);
      p.push_back(-x);
    }
    return shuffled(p);
  }

  reference::Numbers<T> numbers_;
  std::mt19937_64 random_;
  std::size_t most_;
};

template <class T>
class AccurateSum : public testing::Test {
 protected:
  static constexpr int cases = 3000;
  template <class Check>
  void for_any(std::int64_t most, const Check& check) {
    Vectors<T> vectors(40, static_cast<std::size_t>(most));
    for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
      const std::vector<T> p = vectors.any();
      std::vector<T> workspace = p;
      check(exact_sum(p), workspace.data(), static_cast<std::int64_t>(p.size()));
    }
  }
  template <class Sum, class Judge>
  void expect_for_any(std::int64_t most, const Sum& sum, const Judge& judge) {
    for_any(most, [&](const Integer& s, T* p, std::int64_t n) {
      const T r = sum(p, n);
      EXPECT_TRUE(judge(r, s)) << reference::value(r) << ' ' << s;
    });
  }
};
using Formats = testing::Types<double, float, binary16>;
TYPED_TEST_SUITE(AccurateSum, Formats);

TYPED_TEST(AccurateSum, AccSumIsFaithful) {
  using T = TypeParam;
  this->expect_for_any(most_summands<T>(), acc_sum<T>, is_faithful<T>);
}

TYPED_TEST(AccurateSum, NearSumIsTheNearestNumber) {
  using T = TypeParam;
  this->expect_for_any(most_summands<T>(), near_sum<T>, is_nearest<T>);
}

TYPED_TEST(AccurateSum, FastAccSumIsFaithful) {
  using T = TypeParam;
  this->expect_for_any(most_summands_of_fast<T>(), fast_acc_sum<T>, is_faithful<T>);
}

TYPED_TEST(AccurateSum, AccSignIsTheSign) {
  using T = TypeParam;
  this->for_any(
      60, [](const Integer& s, T* p, std::int64_t n) { EXPECT_EQ(acc_sign(p, n), reference::compare(s, 0)) << s; });
}

TYPED_TEST(AccurateSum, AccSumKIsFaithfulWordByWord) {
  using T = TypeParam;
  this->for_any(most_summands<T>(), [](const Integer& s, T* p, std::int64_t n) {
    T r[4];
    acc_sum_k(p, n, 4, r);
    Integer rest = s;
    for (const T word : r) {
      EXPECT_TRUE(is_faithful(word, rest)) << reference::value(word) << ' ' << rest;
      rest = rest - units(word);
    }
  });
}

TYPED_TEST(AccurateSum, PrecSumIsFaithfulOrWithinItsPrecision) {
  using T = TypeParam;
  constexpr int p = FloatTraits<T>::precision;
  for (const int k : {1, 2, 3}) {
    Vectors<T> vectors(41, static_cast<std::size_t>(most_summands<T>()));
    for (int i = 0; i < 1000; ++i) {
      std::vector<T> x = vectors.any();
      const Integer s = exact_sum(x);
      Integer magnitudes = 0;
      for (const T each : x) magnitudes = magnitudes + units(abs(each));
      const T r = prec_sum(x.data(), static_cast<std::int64_t>(x.size()), k);
      const Integer error = units(r) - s;
      const Integer scaled = (error < 0 ? Integer(0) - error : error) << (k * p);
      EXPECT_TRUE(is_faithful(r, s) || magnitudes >= scaled) << reference::value(r) << ' ' << s;
    }
  }
}

TYPED_TEST(AccurateSum, HoldsAtTheLimitOfLength) {
  using T = TypeParam;
  constexpr std::int64_t longest = 4094;  // for binary64 the limits are out of reach of a test
  const auto tops = [](std::int64_t n) {
    std::vector<T> p(static_cast<std::size_t>(n), next_down(bits::power_of_two<T>(1)));
    p[0] = bits::power_of_two<T>(-2);
    return p;
  };
  for (const bool exact_power : {false, true}) {
    const auto length = [&](std::int64_t most) { return std::min(longest, most) - (exact_power ? 1 : 0); };
    std::vector<T> p = tops(length(most_summands<T>()));
    const Integer s = exact_sum(p);
    const auto n = static_cast<std::int64_t>(p.size());
    std::vector<T> copy = p;
    EXPECT_TRUE(is_nearest(near_sum(copy.data(), n), s));
    copy = p;
    EXPECT_TRUE(is_faithful(acc_sum(copy.data(), n), s));
    std::vector<T> fast = tops(length(most_summands_of_fast<T>()));
    const Integer fast_s = exact_sum(fast);
    EXPECT_TRUE(is_faithful(fast_acc_sum(fast.data(), static_cast<std::int64_t>(fast.size())), fast_s));
  }
}

TYPED_TEST(AccurateSum, TakesInNumbersNearTheLargestWhereScalingIsExact) {
  using T = TypeParam;
  const T most = from_bits<T>(bits::max_finite_bits<T>);
  const std::vector<T> p{most, -most, most, T(3), -most, most * bits::power_of_two<T>(-1)};
  const Integer s = exact_sum(p);
  std::vector<T> copy = p;
  EXPECT_TRUE(is_nearest(near_sum(copy.data(), 6), s));
  copy = p;
  EXPECT_TRUE(is_faithful(acc_sum(copy.data(), 6), s));
  copy = p;
  EXPECT_TRUE(is_faithful(fast_acc_sum(copy.data(), 6), s));
  copy = {most, most, -most, -most, T(-3)};
  EXPECT_EQ(acc_sign(copy.data(), 5), -1);
  copy = {most, most};
  EXPECT_FALSE(is_finite(near_sum(copy.data(), 2)));
}

TYPED_TEST(AccurateSum, IsNaNBeyondItsRange) {
  using T = TypeParam;
  const T most = from_bits<T>(bits::max_finite_bits<T>);
  const std::vector<T> p{most, from_bits<T>(1), -most};
  std::vector<T> copy = p;
  EXPECT_TRUE(is_nan(acc_sum(copy.data(), 3)));
  copy = p;
  EXPECT_TRUE(is_nan(near_sum(copy.data(), 3)));
  copy = p;
  EXPECT_TRUE(is_nan(fast_acc_sum(copy.data(), 3)));
  copy = p;
  EXPECT_EQ(acc_sign(copy.data(), 3), 2);
  std::vector<T> infinite{from_bits<T>(static_cast<BitsOf<T>>(bits::max_finite_bits<T> + 1)), T(1)};
  EXPECT_TRUE(is_nan(acc_sum(infinite.data(), 2)));
}

TYPED_TEST(AccurateSum, OfNothingAndOfZerosIsPlusZero) {
  using T = TypeParam;
  std::vector<T> p{-T(0), -T(0)};
  for (const std::int64_t n : {0, 2}) {
    EXPECT_EQ(to_bits(acc_sum(p.data(), n)), 0u);
    EXPECT_EQ(to_bits(near_sum(p.data(), n)), 0u);
    EXPECT_EQ(to_bits(fast_acc_sum(p.data(), n)), 0u);
    EXPECT_EQ(to_bits(prec_sum(p.data(), n, 2)), 0u);
    EXPECT_EQ(acc_sign(p.data(), n), 0);
  }
}

TEST(NearSum, TellsATieFromATieAndATinyNumber) {
  const auto sum = [](std::vector<double> p) { return near_sum(p.data(), static_cast<std::int64_t>(p.size())); };
  EXPECT_EQ(sum({1.0, 0x1p-53}), 1.0);
  EXPECT_EQ(sum({1.0 + 0x1p-52, 0x1p-53}), 1.0 + 0x1p-51);
  EXPECT_EQ(sum({1.0, 0x1p-53, 0x1p-1074}), 1.0 + 0x1p-52);
  EXPECT_EQ(sum({1.0, 1e300, 0x1p-53, -0x1p-200, -1e300}), 1.0);
  EXPECT_EQ(sum({1.0, -0x1p-54}), 1.0);
  EXPECT_EQ(sum({1.0, -0x1p-54, -0x1p-1074}), 1.0 - 0x1p-53);
  EXPECT_EQ(sum({-1.0, 0x1p-54, 0x1p-120}), -1.0 + 0x1p-53);
}

TEST(NearSum, OverflowsAsRoundingToNearestDoes) {
  constexpr double most = std::numeric_limits<double>::max();
  const auto sum = [](std::vector<double> p) { return near_sum(p.data(), static_cast<std::int64_t>(p.size())); };
  EXPECT_EQ(sum({most, 0x1p969}), most);
  EXPECT_EQ(sum({most, 0x1p969, -1.0, most, -most, 0x1p969}), most);
  EXPECT_EQ(sum({most, 0x1p970}), std::numeric_limits<double>::infinity());
}

TEST(AccurateSumLimits, AreThoseOfTheFormats) {
  EXPECT_EQ(most_summands<double>(), 67108862);
  EXPECT_EQ(most_summands<float>(), 4094);
  EXPECT_EQ(most_summands<binary16>(), 30);
  EXPECT_EQ(most_summands_of_fast<double>(), 67108862);
  EXPECT_EQ(most_summands_of_fast<float>(), 2894);
  EXPECT_EQ(most_summands_of_sign<float>(), 8388606);
}

}  // namespace
}  // namespace assay
