// Quantizers to llama.cpp's Q4_K, which choose their scales: right ones, and mistakes in codes and records.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "assay/quantizations/document.hpp"
#include "tests/assay/quantizers.hpp"

namespace assay::quantizations {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

const NumberFormat& format(std::string_view name) { return *oracle::find_number_format(name); }

std::uint16_t half_of(float x) {
  const oracle::Rule rule{.overflow = oracle::Overflow::infinity, .infinite = oracle::OfInfinity::infinity};
  return static_cast<std::uint16_t>(
      converted(decode(format("f32"), std::bit_cast<std::uint32_t>(x)), format("f16"), rule).code);
}

/// The scale of a block, and the number that is subtracted.
struct Chosen {
  float scale;
  float minimum;
};

Chosen by_ends(std::span<const float> x) {
  const auto [least, most] = std::ranges::minmax(x);
  const float low = std::min(0.F, least);
  return {(std::max(most, low) - low) / 15, -low};
}

/// Of 20 scales, the one with the least sum of squares.
Chosen by_search(std::span<const float> x) {
  const Chosen ends = by_ends(x);
  Chosen best = ends;
  double least = HUGE_VAL;
  for (int step = 0; step < 20; ++step) {
    const float scale = ends.scale * (0.85F + 0.01F * static_cast<float>(step));
    double sum = 0;
    for (const float each : x) {
      const float q = scale == 0 ? 0.F : std::clamp(std::nearbyint((each + ends.minimum) / scale), 0.F, 15.F);
      sum += std::pow(static_cast<double>(scale * q - ends.minimum - each), 2);
    }
    if (sum < least) {
      least = sum;
      best.scale = scale;
    }
  }
  return best;
}

/// Anything, as a function of the block.
Chosen without_reason(std::span<const float> x) {
  const Chosen ends = by_ends(x);
  const auto of_first = static_cast<float>(std::bit_cast<std::uint32_t>(x[0]) % 97) / 97;
  return {ends.scale * (0.5F + of_first), ends.minimum * (1.5F - of_first)};
}

float quotient(float x, float d, float dm) { return (x + dm) / d; }

/// A quantizer of binary32 with parts that a mistake replaces.
struct Maker {
  std::function<Chosen(std::span<const float>)> choose = by_ends;
  std::function<float(float x, float d, float dm)> scaled = quotient;
  std::function<float(float)> rounded = [](float y) { return std::nearbyint(y); };
  float most = 15;
  bool keeps_own_scale = false;                                  ///< codes by the scale before it is rounded
  std::function<void(std::span<std::uint8_t, 16>)> spoil = {};   ///< of a record, after the codes
  std::function<void(std::span<std::uint8_t, 128>)> order = {};  ///< of the codes of a record

  void operator()(std::span<const float, 256> x, std::span<std::uint8_t, 16> record,
                  std::span<std::uint8_t, 128> codes) const {
    std::array<Chosen, 8> chosen{};
    Chosen largest{};
    for (std::size_t j = 0; j < 8; ++j) {
      chosen[j] = choose(x.subspan(32 * j, 32));
      largest = {std::max(largest.scale, chosen[j].scale), std::max(largest.minimum, chosen[j].minimum)};
    }
    const std::uint16_t d = half_of(largest.scale / 63);
    const std::uint16_t dmin = half_of(largest.minimum / 63);
    std::memcpy(record.data(), &d, sizeof d);
    std::memcpy(record.data() + 2, &dmin, sizeof dmin);
    std::uint8_t* const six = record.data() + 4;
    std::fill_n(six, 12, std::uint8_t{0});
    const auto share = [](float part, float whole) {
      return whole == 0 ? 0U : static_cast<unsigned>(std::min(63.F, std::nearbyint(63 * part / whole)));
    };
    for (std::size_t j = 0; j < 8; ++j) {
      const unsigned scale = share(chosen[j].scale, largest.scale);
      const unsigned minimum = share(chosen[j].minimum, largest.minimum);
      if (j < 4) {
        six[j] = static_cast<std::uint8_t>(six[j] | scale);
        six[j + 4] = static_cast<std::uint8_t>(six[j + 4] | minimum);
      } else {
        six[j + 4] = static_cast<std::uint8_t>((scale & 15) | (minimum & 15) << 4);
        six[j - 4] = static_cast<std::uint8_t>(six[j - 4] | scale >> 4 << 6);
        six[j] = static_cast<std::uint8_t>(six[j] | minimum >> 4 << 6);
      }
      const float step = keeps_own_scale ? chosen[j].scale : value_of(format("f16"), d) * static_cast<float>(scale);
      const float below = value_of(format("f16"), dmin) * static_cast<float>(minimum);
      for (std::size_t i = 0; i < 32; ++i) {
        const float y = step == 0 ? 0.F : rounded(scaled(x[32 * j + i], step, below));
        const auto code = static_cast<unsigned>(std::clamp(y, 0.F, most));
        std::uint8_t& byte = codes[32 * (j / 2) + i];
        byte = static_cast<std::uint8_t>(j % 2 == 0 ? code : byte | code << 4);
      }
    }
    if (spoil) spoil(record);
    if (order) order(codes);
  }
};

Quantizer of(const Maker& maker, const std::string& source = "f32") {
  return [maker, &from = format(source)](std::size_t rows, std::size_t columns, std::span<const std::byte> x,
                                         std::span<const std::uint32_t>, std::span<std::byte> codes,
                                         std::span<std::byte> scales, std::span<std::byte> seconds) {
    EXPECT_TRUE(columns % 256 == 0 && seconds.empty());
    EXPECT_EQ(scales.size(), rows * columns / 16);
    for (std::size_t record = 0; record < rows * columns / 256; ++record) {
      std::array<float, 256> numbers{};
      for (std::size_t i = 0; i < 256; ++i) {
        std::uint64_t pattern = 0;
        std::memcpy(&pattern, x.data() + (256 * record + i) * from.bytes(), from.bytes());
        numbers[i] = value_of(from, pattern);
      }
      std::array<std::uint8_t, 16> bytes{};
      std::array<std::uint8_t, 128> pairs{};
      maker(numbers, bytes, pairs);
      std::memcpy(scales.data() + 16 * record, bytes.data(), 16);
      std::memcpy(codes.data() + 128 * record, pairs.data(), 128);
    }
  };
}

constexpr const char* nearest = "q4_k.stored.even";

TEST(StoredScales, OfAnyChoiceAreAcceptedWithTheNearestCodes) {
  for (const std::string source : {"f32", "f16", "bf16"}) {
    for (const auto& choose : {by_ends, by_search, without_reason}) {
      const Quantizer quantizer = of({.choose = choose}, source);
      const Question question = question_of(source + ":q4_k", nearest, false, 1);
      const Answer answer = asked(question, quantizer);
      EXPECT_TRUE(answer.holds(question)) << text_of(question, answer);
      EXPECT_THAT(answer.facts.kept_round_trips, Contains("stored"));
      EXPECT_FALSE(answer.facts.not_monotone);
    }
  }
}

/// By min and max, entries are ties: a rule of every other direction is told apart, and a product from a quotient.
TEST(StoredScales, OfARuleAreToldFromThoseOfAllOthers) {
  for (const auto& choose : {by_ends, by_search}) {
    const Question question = question_of("f32:q4_k", "", false, 1);
    const Answer answer = asked(question, of({.choose = choose}));
    EXPECT_EQ(names(answer.follows), std::vector<std::string>{nearest});
    EXPECT_EQ(answer.others.size(), 10U);
    EXPECT_THAT(text_of(question, answer),
                AllOf(HasSubstr("follows q4_k.stored.even on all "), HasSubstr(": a sample\n"),
                      HasSubstr("keeps round_trip.stored: 1/2*(1 + 2^-17) of the stored scale "
                                "(quantize.round_trip.8)"),
                      HasSubstr("not q4_k.stored.away: "), HasSubstr("not q4_k.stored.even.product: ")));
  }
  const Maker by_product{.scaled = [](float x, float d, float dm) { return (x + dm) * (1 / d); }};
  EXPECT_TRUE(holds("f32:q4_k", "q4_k.stored.even.product", of(by_product)));
}

TEST(StoredScales, WithAMistakeAreRefused) {
  const std::pair<const char*, Maker> mistakes[] = {
      {"truncated", {.rounded = [](float y) { return std::floor(y); }}},
      {"ties away", {.rounded = [](float y) { return std::round(y); }}},
      {"half added and truncated", {.rounded = [](float y) { return std::floor(y + 0.5F); }}},
      {"a product with the reciprocal", {.scaled = [](float x, float d, float dm) { return (x + dm) * (1 / d); }}},
      {"the minimum divided apart", {.scaled = [](float x, float d, float dm) { return x / d + dm / d; }}},
      {"the minimum subtracted", {.scaled = [](float x, float d, float dm) { return (x - dm) / d; }}},
      {"no minimum", {.scaled = [](float x, float d, float) { return x / d; }}},
      {"entries rounded to binary16",
       {.scaled = [](float x, float d, float dm) { return (value_of(format("f16"), half_of(x)) + dm) / d; }}},
      {"codes to 14", {.most = 14}},
      {"codes of the scale before it is rounded", {.keeps_own_scale = true}},
      {"codes of the search's scale before it is rounded", {.choose = by_search, .keeps_own_scale = true}},
      {"the two high bits of the last scales lost",
       {.spoil =
            [](auto record) {
              for (int j = 4; j < 8; ++j) record[j] &= 63;
            }}},
      {"the two high bits of the last minima lost",
       {.spoil =
            [](auto record) {
              for (int j = 8; j < 12; ++j) record[j] &= 63;
            }}},
      {"scales and minima exchanged",
       {.spoil = [](auto record) { std::swap_ranges(&record[4], &record[8], &record[8]); }}},
      {"d and dmin exchanged", {.spoil = [](auto record) { std::swap_ranges(&record[0], &record[2], &record[2]); }}},
      {"d of another precision", {.spoil = [](auto record) { record[0] &= 0xF0; }}},
      {"d infinite", {.spoil = [](auto record) { record[0] = 0, record[1] = 0x7C; }}},
      {"high half first",
       {.order =
            [](auto codes) {
              for (auto& each : codes) each = static_cast<std::uint8_t>(each >> 4 | each << 4);
            }}},
      {"neighbors in a byte",
       {.order =
            [](auto codes) {
              std::array<std::uint8_t, 256> all{};
              for (std::size_t i = 0; i < 128; ++i) {
                all[i / 32 * 64 + i % 32] = codes[i] & 15;
                all[i / 32 * 64 + 32 + i % 32] = codes[i] >> 4;
              }
              for (std::size_t i = 0; i < 128; ++i)
                codes[i] = static_cast<std::uint8_t>(all[2 * i] | all[2 * i + 1] << 4);
            }}},
  };
  for (const auto& [what, maker] : mistakes) EXPECT_FALSE(holds("f32:q4_k", nearest, of(maker))) << what;
}

/// A scale of 0 leaves its codes open, since llama.cpp's do.
TEST(StoredScales, ThatAreAllZeroShowNothing) {
  const Question question = question_of("f32:q4_k", nearest, false, 1);
  const Answer answer = asked(question, of({.choose = [](std::span<const float>) { return Chosen{0, 0}; }}));
  EXPECT_FALSE(answer.holds(question));
  EXPECT_THAT(text_of(question, answer), HasSubstr("follows every rule, so the blocks show none"));
  const Maker some{.choose = [](std::span<const float> x) { return x[0] < 0 ? Chosen{0, 0} : by_ends(x); }};
  EXPECT_TRUE(holds("f32:q4_k", nearest, of(some)));
}

TEST(StoredScales, AreReadFromRecordsOfLlamaCpp) {
  // d = 2, dmin = 0.5; the scales 1, 2, 3, 63, 20, 37, 54, 11 and the minima 8, 9, 10, 11, 63, 30, 45, 12.
  const std::array<unsigned, 16> bytes{0x00, 0x40, 0x00, 0x38, 0x41, 0x82, 0xC3, 0x3F,
                                       0xC8, 0x49, 0x8A, 0x0B, 0xF4, 0xE5, 0xD6, 0xCB};
  std::array<std::byte, 16> record{};
  std::ranges::transform(bytes, record.begin(), [](unsigned each) { return static_cast<std::byte>(each); });
  const auto all = oracle::scales_of_record(record);
  constexpr std::array<float, 8> scales{1, 2, 3, 63, 20, 37, 54, 11};
  constexpr std::array<float, 8> minima{8, 9, 10, 11, 63, 30, 45, 12};
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_EQ(value_of(format("f32"), all[j].scale), 2 * scales[j]) << j;
    EXPECT_EQ(value_of(format("f32"), all[j].second), -minima[j] / 2) << j;
  }
}

/// Half a scale, the bound without its factor, is attained by ties.
TEST(StoredScales, AttainTheBoundOfTheirRoundTrip) {
  const Question question = question_of("f32:q4_k", "", false, 1);
  double largest = 0;
  const Maker maker{.scaled = [&](float x, float d, float dm) {
    const float q = std::clamp(std::nearbyint(quotient(x, d, dm)), 0.F, 15.F);
    const double exact = (static_cast<double>(x) + dm) / d;
    if (exact >= 0 && exact <= 15) largest = std::max(largest, std::fabs(exact - q));
    return quotient(x, d, dm);
  }};
  const Answer answer = asked(question, of(maker));
  EXPECT_THAT(answer.facts.kept_round_trips, Contains("stored"));
  EXPECT_GE(largest, 0.5);
  EXPECT_LE(largest, 0.5 * (1 + 0x1p-17));
  EXPECT_FALSE(holds("f32:q4_k", "round_trip.stored", of({.rounded = [](float y) { return std::floor(y + 0.51F); }})));
}

TEST(StoredScales, HaveNoTailsAndNoOtherOrder) {
  EXPECT_THROW((void)question_of("f32:q4_k:tails", "", false, 1), std::invalid_argument);
  EXPECT_THROW((void)question_of("f32:q4_k", "q4_k.stored.even.high_first", false, 1), std::invalid_argument);
}

}  // namespace
}  // namespace assay::quantizations
