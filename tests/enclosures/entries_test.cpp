#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "enclosures/elements.cuh"
#include "oracle/decode.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/low_precision.hpp"
#include "tests/enclosures/random.hpp"

namespace assay::enclosures {
namespace {

using oracle::Dyadic;
using oracle::exact;

/// Terms aₗ and bₗ of one entry.
struct Terms {
  std::vector<double> a, b;
  [[nodiscard]] Dyadic sum() const {
    Dyadic sum;
    for (std::size_t l = 0; l < a.size(); ++l) sum += exact(a[l]) * exact(b[l]);
    return sum;
  }
  [[nodiscard]] Dyadic magnitude() const {
    Dyadic sum;
    for (std::size_t l = 0; l < a.size(); ++l) sum += abs(exact(a[l]) * exact(b[l]));
    return sum;
  }
};

/// Terms of one of these kinds: any, cancelling in pairs but for their last bits, of one sign, with underflow.
Terms drawn(Random& random, int bits) {
  Terms terms;
  const auto k = static_cast<std::size_t>(1 + random.below(40));
  const std::uint64_t kind = random.below(4);
  const int center = kind == 3 && bits == 53 ? -530 : 0;
  for (std::size_t l = 0; l < k; ++l) {
    terms.a.push_back(random.number(bits, 20, center));
    terms.b.push_back(random.number(bits, 20, center));
    if (kind == 1 && l % 2 == 1) {
      terms.a[l] = bits == 53 ? std::nextafter(terms.a[l - 1], 0) : terms.a[l - 1];
      terms.b[l] = -terms.b[l - 1];
    }
    if (kind == 2) {
      terms.a[l] = std::abs(terms.a[l]);
      terms.b[l] = std::abs(terms.b[l]);
    }
  }
  return terms;
}

Enclosure enclosed(const Terms& terms, bool is_exact) {
  Sums sums;
  for (std::size_t l = 0; l < terms.a.size(); ++l) {
    is_exact ? add_exact(terms.a[l], terms.b[l], sums) : add_rounded(terms.a[l], terms.b[l], sums);
  }
  return enclosure_of(sums, static_cast<Integer>(terms.a.size()), is_exact);
}

bool holds(const Enclosure& entry, const Terms& terms) {
  return abs(terms.sum() - exact(entry.value) - exact(entry.low)) <= exact(entry.radius) &&
         exact(entry.magnitude) <= terms.magnitude();
}

/// How many of 10 000 entries the enclosure does not hold, after a change to it.
template <class Change>
int escaped(int bits, const Change& change) {
  Random random(static_cast<std::uint64_t>(bits));
  int count = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Terms terms = drawn(random, bits);
    Enclosure entry = enclosed(terms, bits < 53);
    change(entry);
    count += holds(entry, terms) ? 0 : 1;
  }
  return count;
}

class Entries : public testing::TestWithParam<int> {};

TEST_P(Entries, LieInTheirEnclosures) {
  EXPECT_EQ(escaped(GetParam(), [](Enclosure&) {}), 0);
}

TEST_P(Entries, LeaveAnEnclosureThatForgetsItsRadiusOrTheUpperBoundOfAMagnitude) {
  EXPECT_GT(escaped(GetParam(), [](Enclosure& entry) { entry.radius = 0; }), 0);
  EXPECT_GT(escaped(GetParam(), [](Enclosure& entry) { entry.magnitude *= 1 + 0x1p-40; }), 0);
}

INSTANTIATE_TEST_SUITE_P(OfNarrowAndFullNumbers, Entries, testing::Values(8, 24, 53));

TEST(SumsOfParts, EncloseTheSumOfAll) {
  Random random(11);
  for (int i = 0; i < 2'000; ++i) {
    const int bits = i % 2 == 0 ? 24 : 53;
    const Terms terms = drawn(random, bits);
    std::array<Sums, 3> parts;
    for (std::size_t l = 0; l < terms.a.size(); ++l) add_rounded(terms.a[l], terms.b[l], parts[l % parts.size()]);
    Sums all;
    for (const Sums& part : parts) add_sums(part, all);
    // Sums of few terms pass through more additions than there are terms.
    EXPECT_TRUE(holds(enclosure_of(all, static_cast<Integer>(terms.a.size() + 2 * parts.size()), false), terms));
  }
}

TEST(ErrorOfAnEntry, IsNeverBelowTheDistanceToTheExactSum) {
  Random random(7);
  for (int i = 0; i < 10'000; ++i) {
    const Terms terms = drawn(random, 53);
    const Enclosure entry = enclosed(terms, false);
    const double near = std::nextafter(entry.value, random.below(2) != 0 ? 1e300 : -1e300);
    for (const double got : {entry.value, near, 0.0, random.number(24, 30, 0)}) {
      EXPECT_LE(abs(exact(got) - terms.sum()), exact(error_of(got, entry)));
    }
  }
}

TEST(KeyOfABound, StandsForNumbersThatAreNotLarger) {
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const double magnitude = std::abs(random.number(53, 800, 0)) + 0x1p-800;
    const double sum = magnitude * std::ldexp(std::abs(random.number(30, 6, 0)), -6);
    const unsigned key = key_of(magnitude, sum);
    ASSERT_LT(key, keys);
    EXPECT_LE(magnitude_of_key(key), magnitude);
    EXPECT_GT(magnitude_of_key(key), magnitude * 0.88);
    EXPECT_LE(sum_of_key(key), sum);
    if (sum < magnitude && sum > magnitude * 0x1p-7) {
      EXPECT_GT(sum_of_key(key), sum * 0.66);
    }
  }
}

template <Element element>
void expect_numbers_of(const char* name) {
  const oracle::NumberFormat& format = *oracle::find_number_format(name);
  for (std::uint32_t code = 0; code < std::uint32_t{1} << format.bits; ++code) {
    const double number = element_at<element>(&code, 0);
    const oracle::Number expected = decode(format, code);
    ASSERT_EQ(std::isnan(number), expected.kind == oracle::Number::Kind::nan) << name << " " << code;
    if (std::isnan(number)) continue;
    ASSERT_EQ(std::isinf(number), expected.kind == oracle::Number::Kind::infinite) << name << " " << code;
    ASSERT_EQ(std::signbit(number), expected.negative) << name << " " << code;
    if (std::isinf(number)) continue;
    ASSERT_EQ(std::abs(number), std::ldexp(static_cast<double>(expected.m), expected.e)) << name << " " << code;
  }
}
TEST(Elements, HaveTheNumbersOfTheirCodes) {
  expect_numbers_of<binary16>("f16");
  expect_numbers_of<bfloat16>("bf16");
  expect_numbers_of<e4m3>("e4m3fn");
  expect_numbers_of<e5m2>("e5m2");
}

constexpr Numbers binary32{24, -126, 24, 0};

TEST(EntryOnAGrid, MustBeTheExactSum) {
  const Terms terms{{3, 5, -2}, {0.5, 1.5, 0.25}};
  const Enclosure entry = enclosed(terms, true);
  const Line row{0, 0};
  const Line column{-2, 0};
  for (const Rule rule : {rule_within, rule_on_grid}) {
    EXPECT_EQ(share_of(entry, row, column, 8.5, rule, binary32).error, 0);
    EXPECT_LT(share_of(entry, row, column, 8.75, rule, binary32).error, 0);
    EXPECT_LT(share_of(entry, row, column, std::nextafter(8.5F, 9.0F), rule, binary32).error, 0);
  }
}

TEST(EntryOnAGrid, IsNotANumberWhoseQuotientUnderflows) {
  const Terms terms{{2, 2}, {1, -1}};
  const Numbers binary64{53, -1022, 53, 0};
  const Enclosure entry = enclosed(terms, false);
  for (const Rule rule : {rule_within, rule_on_grid}) {
    EXPECT_EQ(share_of(entry, {1, 0}, {0, 0}, 0, rule, binary64).error, 0);
    EXPECT_LT(share_of(entry, {1, 0}, {0, 0}, 0x1p-1074, rule, binary64).error, 0);
  }
}

TEST(LowestBit, IsExactForSubnormalNumbers) {
  // A grid that is too fine calls entries off the grid which must be exact.
  for (const int e : {-1074, -1030, -1023, -1022, -5, 0, 900}) {
    EXPECT_EQ(lowest_bit(std::ldexp(1.0, e)), e);
    EXPECT_EQ(lowest_bit(-std::ldexp(3.0, e)), e);
  }
  EXPECT_EQ(lowest_bit(0), no_numbers);
}

TEST(EntryOfALineOfZeros, IsZero) {
  const Terms terms{{0, 0}, {1, 3}};
  EXPECT_EQ(share_of(enclosed(terms, false), {no_numbers, 0}, {0, 0}, 0, rule_within, binary32).error, 0);
  EXPECT_LT(share_of(enclosed(terms, false), {no_numbers, 0}, {0, 0}, 0x1p-149, rule_within, binary32).error, 0);
}

TEST(EntryOfALineWithAnInfinity, IsNotSpokenOf) {
  EXPECT_EQ(share_of(enclosed({{1}, {1}}, true), {0, 1}, {0, 0}, 1, rule_within, binary32).key, key_of_special);
}

TEST(EntryThatIsNoNumber, IsNeverShownToKeepARule) {
  const Enclosure entry = enclosed({{0x1.000002p0, 1}, {1, 0x1p-30}}, true);
  for (const double got : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    for (const Rule rule : {rule_within, rule_rounded, rule_faithful, rule_on_grid, rule_finite}) {
      EXPECT_LT(share_of(entry, {-23, 0}, {-30, 0}, got, rule, binary32).error, 0) << rule;
    }
  }
}

TEST(StoredEntry, MayBeTheRoundingOfTheSum) {
  const Enclosure entry = enclosed({{1, 1}, {1, 0x1p-40}}, true);
  const Numbers stored{24, -126, 24, 1};
  EXPECT_EQ(share_of(entry, {0, 0}, {-40, 0}, 1, rule_within, stored).key, key_of_one);
  EXPECT_GT(share_of(entry, {0, 0}, {-40, 0}, 1 + 0x1p-23, rule_within, stored).key, key_of_special);
  EXPECT_GT(share_of(entry, {0, 0}, {-40, 0}, 1, rule_within, binary32).key, key_of_special);
}

TEST(RoundedEntry, IsShownOnlyWithinHalfAGap) {
  const Enclosure entry = enclosed({{1, 1}, {1, 0x1p-26}}, true);  // below 1 the gap is half as wide
  const auto share = [&](double got, Rule rule) {
    return share_of(entry, {0, 0}, {-26, 0}, got, rule, binary32).error;
  };
  EXPECT_NEAR(share(1, rule_rounded), 0.5, 1e-6);
  EXPECT_LT(share(1 + 0x1p-23, rule_rounded), 0);
  EXPECT_NEAR(share(1 + 0x1p-23, rule_faithful), 0.875, 1e-6);
}

}  // namespace
}  // namespace assay::enclosures
