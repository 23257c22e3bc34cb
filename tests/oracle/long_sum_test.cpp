// Sums by exponent are those of exact additions one after the other.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "oracle/long_sum.hpp"

namespace assay::oracle {
namespace {

struct Term {
  bool negative;
  std::uint64_t high, low;
  int exponent;

  [[nodiscard]] LongSum::Significand significand() const {
    return (static_cast<LongSum::Significand>(high) << 64) + low;
  }
  [[nodiscard]] Dyadic value() const {
    Dyadic upper;
    upper.assign(negative, high, exponent + 64L);
    Dyadic lower;
    lower.assign(negative, low, exponent);
    return upper + lower;
  }
};

/// Products of two numbers of 53 bits, of any exponents or of a few.
class Terms {
 public:
  explicit Terms(bool any_exponent) : any_exponent_(any_exponent) {}
  Term operator()() {
    const LongSum::Significand product =
        static_cast<LongSum::Significand>(random_() >> 11) * (random_() >> 11 | std::uint64_t{1} << 52);
    const int exponent = any_exponent_
                             ? LongSum::least + static_cast<int>(random_() % (LongSum::largest - LongSum::least + 1))
                             : static_cast<int>(random_() % 3) - 1;
    return {random_() % 2 == 0, static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product),
            exponent};
  }

 private:
  bool any_exponent_;
  std::mt19937_64 random_{1};
};

void expect_exact(bool any_exponent, int count) {
  Terms terms(any_exponent);
  LongSum sums[2];
  Dyadic sum;
  Dyadic magnitudes;
  for (int i = 0; i < count; ++i) {
    const Term term = terms();
    sums[i % 3 == 0 ? 1 : 0].add(term.negative, term.significand(), term.exponent);
    sum += term.value();
    magnitudes += abs(term.value());
  }
  LongSum all;
  for (const LongSum& each : sums) all.add(each);
  EXPECT_EQ(all.sum(), sum);
  EXPECT_EQ(all.magnitudes(), magnitudes);
}

TEST(LongSum, OfAnyExponentsIsExact) { expect_exact(true, 5000); }

TEST(LongSum, OfMoreTermsThanAnIntegerHoldsIsExact) { expect_exact(false, 5'000'000); }

TEST(LongSum, OfTheLargestTermsIsExact) {
  LongSum all;
  const Term largest{true, (std::uint64_t{1} << 43) - 1, ~std::uint64_t{0}, LongSum::largest};
  constexpr int count = 3'000'000;
  for (int i = 0; i < count; ++i) all.add(largest.negative, largest.significand(), largest.exponent);
  EXPECT_EQ(all.sum(), largest.value() * Dyadic(count));
  EXPECT_EQ(all.magnitudes(), abs(largest.value()) * Dyadic(count));
}

TEST(LongSum, OfNoTermsIsZero) {
  EXPECT_TRUE(LongSum().sum().is_zero());
  EXPECT_TRUE(LongSum().magnitudes().is_zero());
}

}  // namespace
}  // namespace assay::oracle
