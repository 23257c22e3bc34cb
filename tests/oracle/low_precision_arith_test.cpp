// Conversions of the oracle and of arith's software formats: two implementations without a common line.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string_view>

#include "arith/float/small_float.hpp"
#include "oracle/low_precision.hpp"
#include "tests/tier.hpp"

namespace assay::oracle {
namespace {

const NumberFormat& format(std::string_view name) { return *find_number_format(name); }

/// Compares T(x) for the number x of a code with the oracle's result. T overflows to an infinity or a NaN.
template <class T, class Source>
::testing::AssertionResult agree(const NumberFormat& from, std::uint64_t code, Source x, const NumberFormat& to) {
  const bool has_infinity = to.has_infinity();
  const Rule rule{.overflow = has_infinity ? Overflow::infinity : Overflow::nan,
                  .infinite = has_infinity ? OfInfinity::infinity : OfInfinity::nan};
  const Expected expected = converted(decode(from, code), to, rule);
  const std::uint64_t got = T(x).bits();
  if (fits(expected, to, got)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << from.name << ":" << to.name << " of " << code << ": " << got << ", not "
                                       << expected.code;
}

template <class T>
struct Target {
  using Number = T;
  std::string_view name;
};

/// Calls visit(target) for the formats that both have.
template <class Visit>
void visit_targets(const Visit& visit) {
  visit(Target<binary16>{"f16"});
  visit(Target<bfloat16>{"bf16"});
  visit(Target<e4m3>{"e4m3fn"});
  visit(Target<e5m2>{"e5m2"});
}

TEST(Conversion, IsTheOneOfArithOnAllNumbersOfAtMost16Bits) {
  visit_targets([](auto source) {
    using Source = typename decltype(source)::Number;
    const NumberFormat& from = format(source.name);
    visit_targets([&](auto target) {
      using Number = typename decltype(target)::Number;
      for (std::uint64_t code = 0; code <= from.mask(); ++code) {
        const auto bits = static_cast<typename Source::Bits>(code);
        ASSERT_TRUE(agree<Number>(from, code, Source::of_bits(bits), format(target.name)));
      }
    });
  });
}

/// Half of the numbers have any pattern. The others lie near the range of the target and have few significant bits, so
/// that ties occur.
TEST(Conversion, IsTheOneOfArithOnNumbersOf32And64Bits) {
  const int count = test::of_tier(20'000, 8'500'000);  // times 12: 10^8 comparisons in the long form
  visit_targets([&](auto target) {
    using Number = typename decltype(target)::Number;
    const NumberFormat& to = format(target.name);
    std::mt19937_64 random(3);
    for (int i = 0; i < count; ++i) {
      std::uint64_t bits = random();
      if (i % 2 != 0) {
        const auto range = static_cast<std::uint64_t>(-2 * to.emin + 2 * to.precision + 4);
        const std::uint64_t field = 1023 + random() % range - range / 2;
        bits = (bits & (std::uint64_t{1} << 63)) | field << 52 |
               ((bits >> 12 << (random() % 52)) & (~std::uint64_t{0} >> 12));
      }
      const auto wide = std::bit_cast<double>(bits);
      const auto single = static_cast<float>(wide);
      ASSERT_TRUE(agree<Number>(format("f64"), bits, wide, to));
      ASSERT_TRUE(agree<Number>(format("f32"), std::bit_cast<std::uint32_t>(single), single, to));
      const auto low = static_cast<std::uint32_t>(bits);
      ASSERT_TRUE(agree<Number>(format("f32"), low, std::bit_cast<float>(low), to));
    }
  });
}

}  // namespace
}  // namespace assay::oracle
