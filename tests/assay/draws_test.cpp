// Conversions that draw their own random words: right ones with seeded generators, and mistakes in the words, in their
// use, and in the rounding.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "assay/conversions/draws.hpp"
#include "assay/conversions/stochastic_document.hpp"
#include "tests/assay/stochastic_kernels.hpp"

namespace assay::conversions {
namespace {

using oracle::Draw;
using oracle::Overflow;
using ::testing::HasSubstr;

/// The logarithm of the probability that a binomial variable is `seen`. Requires: 0 < p < 1.
double log_binomial(int n, int seen, double p) {
  return std::lgamma(n + 1.0) - std::lgamma(seen + 1.0) - std::lgamma(n - seen + 1.0) + seen * std::log(p) +
         (n - seen) * std::log1p(-p);
}
/// The exact probability that n draws with the probability q do not refuse p at the limit.
double probability_of_acceptance(int n, double q, double p, double limit) {
  double sum = 0;
  for (int seen = 0; seen <= n; ++seen) {
    const auto far = static_cast<std::uint64_t>(seen);
    if (evidence_against(p, far, static_cast<std::uint64_t>(n)) <= limit) sum += std::exp(log_binomial(n, seen, q));
  }
  return sum;
}

/// Theorem convert.draws.1: the exact binomial probabilities are within its bounds.
TEST(Frequencies, HaveTheErrorsOfTheTheorem) {
  for (const int n : {30, 400, 3000}) {
    for (const double p : {0x1p-10, 1.0 / 16, 0.25, 0.5, 0.75, 1 - 0x1p-8}) {
      for (const double limit : {1.0, 5.0, 12.0}) {
        EXPECT_LE(1 - probability_of_acceptance(n, p, p, limit), 2 * std::exp(-limit) + 1e-9) << n << " " << p;
        for (const double second : {0.1, 1e-4}) {
          const double off = std::sqrt(limit / (2 * n)) + std::sqrt(-std::log(second) / (2 * n));
          for (const double q : {p + off, p - off}) {
            if (q <= 0 || q >= 1) continue;
            EXPECT_LE(probability_of_acceptance(n, q, p, limit), second) << n << " " << p << " " << q;
          }
        }
      }
    }
  }
}

TEST(Frequencies, ThatCannotBeAreRefusedForSure) {
  EXPECT_EQ(evidence_against(0, 0, 100), 0);
  EXPECT_EQ(evidence_against(0, 1, 100), HUGE_VAL);
  EXPECT_EQ(evidence_against(1, 99, 100), HUGE_VAL);
  EXPECT_EQ(evidence_against(1, 100, 100), 0);
}

/// Theorem convert.draws.2: among all vectors of results, the number of equal pairs has the binomial distribution.
TEST(Neighbors, AreAlikeAsOftenAsFairCoins) {
  constexpr int n = 12;
  for (int distance = 1; distance <= n / 2; ++distance) {
    std::vector<int> counts(n - distance + 1);
    for (unsigned y = 0; y < 1U << n; ++y) {
      const unsigned alike = ~(y ^ (y >> distance)) & ((1U << (n - distance)) - 1);
      ++counts[static_cast<std::size_t>(std::popcount(alike))];
    }
    for (int seen = 0; seen <= n - distance; ++seen) {
      const double expected = std::exp(log_binomial(n - distance, seen, 0.5) + n * std::log(2));
      EXPECT_NEAR(counts[static_cast<std::size_t>(seen)], expected, 1e-6) << distance << " " << seen;
    }
  }
}

/// Theorem convert.draws.2: if words are used twice, the share of accepted vectors is within its bound.
TEST(Neighbors, WithOneWordAreAcceptedWithinTheTheorem) {
  constexpr int n = 32;
  for (const int distance : {1, 2, 4, 8, 16}) {
    const auto word_of = [&](int i) {
      const int block = i / distance;
      return block / 2 * distance + i % distance;
    };
    for (const double limit : {0.5, 1.0, 2.0}) {
      std::mt19937 random(7);
      constexpr int trials = 20000;
      int accepted = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const auto words = static_cast<unsigned>(random());
        std::uint64_t alike = 0;
        for (int i = 0; i + distance < n; ++i) {
          alike += ((words >> word_of(i)) & 1) == ((words >> word_of(i + distance)) & 1) ? 1 : 0;
        }
        accepted += evidence_against(0.5, alike, static_cast<std::uint64_t>(n - distance)) <= limit ? 1 : 0;
      }
      const double reach = 0.25 - std::sqrt(limit / n);
      EXPECT_LE(accepted, trials * std::exp(-2 * n * reach * reach)) << distance << " " << limit;
    }
  }
}

/// A conversion of an array. Its generator continues from call to call.
using Kernel = std::function<void(std::span<const std::uint64_t>, std::span<std::uint64_t>)>;
using Generator = std::function<std::uint32_t()>;

Generator generator(unsigned seed = 1) {
  return [random = std::make_shared<std::mt19937>(seed)] { return static_cast<std::uint32_t>((*random)()); };
}
/// Converts each number with the next word of r bits.
Kernel with(const Literal& one, int r, const Generator& next = generator()) {
  return [=](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = one(single(inputs[i]), next() >> (32 - r));
  };
}
/// Converts each number, but place i gets the word of place from(i) in the same call.
Kernel with_places(const Literal& one, int r, const std::function<std::size_t(std::size_t)>& from) {
  return [=, next = generator()](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
    std::vector<std::uint32_t> words(codes.size());
    for (std::uint32_t& each : words) each = next() >> (32 - r);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = one(single(inputs[i]), words[from(i)]);
  };
}

StochasticQuestion question_of(const std::string& formats, const std::string& rule, int bits) {
  StochasticQuestion question = stochastic_question_of(formats, rule, bits, true, 1);
  question.random = 16;
  question.draws = 1 << 14;
  return question;
}
StochasticAnswer answer_of(const StochasticQuestion& question, const Kernel& kernel) {
  return asked(question, [&](std::span<const std::uint64_t> inputs, std::span<const std::uint32_t> words,
                             std::span<std::uint64_t> codes) {
    EXPECT_TRUE(words.empty());
    kernel(inputs, codes);
  });
}

TEST(RightConversions, AreAcceptedByEachDraw) {
  for (const Draw draw : {Draw::carry, Draw::half_up, Draw::nearest_even, Draw::nearest_odd}) {
    for (const char* const to : {"e4m3fn", "e5m2", "f16", "bf16"}) {
      for (const int bits : {4, 16}) {
        const bool is_narrow = std::string_view(to) == "e4m3fn";
        const std::string rule = std::string(name_of(draw)) + (is_narrow ? ".saturate.nan" : ".infinity.nan");
        const Literal literal(to, is_narrow ? Overflow::saturate : Overflow::infinity, draw, bits);
        const StochasticQuestion question = question_of(std::string("f32:") + to, rule, bits);
        const StochasticAnswer answer = answer_of(question, with(literal, bits));
        EXPECT_TRUE(answer.holds()) << to << " " << rule << " " << bits << "\n" << text_of(question, answer);
      }
    }
  }
}

struct Mistake {
  const char* what;
  const char* target;
  const char* claim;
  int bits;
  Kernel kernel;
};

std::vector<Mistake> mistakes() {
  const Literal carry("e4m3fn", Overflow::saturate, Draw::carry, 16);
  const Literal nan("e4m3fn", Overflow::nan, Draw::carry, 16);
  const char* const usual = "carry.saturate.nan";
  const auto literal = [](const GoesUp& goes_up) { return Literal("e4m3fn", Overflow::saturate, goes_up); };
  const auto by_one = [](const std::function<std::uint64_t(float, std::uint32_t)>& one) {
    return Kernel([=, next = generator()](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) {
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = one(single(inputs[i]), next() >> 16);
    });
  };
  return {
      {"the lower half of the words is zero", "e4m3fn", usual, 16,
       by_one([=](float x, std::uint32_t word) { return carry(x, word & 0xFF00); })},
      {"eight bits in place of sixteen", "e4m3fn", usual, 16,
       with(Literal("e4m3fn", Overflow::saturate, Draw::half_up, 8), 8)},
      {"the top bit of the words is zero", "e4m3fn", usual, 16,
       by_one([=](float x, std::uint32_t word) { return carry(x, word & 0x7FFF); })},
      {"to nearest", "e4m3fn", usual, 16, with(literal([](double delta, std::uint32_t) { return delta >= 0.5; }), 16)},
      {"ties to zero", "e4m3fn", usual, 16,
       with(literal([](double delta, std::uint32_t word) {
              return delta != 0.5 && std::floor(65536 * delta) + word >= 65536;
            }),
            16)},
      {"half of the gap added first", "e4m3fn", usual, 16,
       with(literal([](double delta, std::uint32_t word) { return std::floor(65536 * (delta + 0.5)) + word >= 65536; }),
            16)},
      {"negative numbers toward zero with the probability of away", "e4m3fn", usual, 16,
       by_one([=, other = literal([](double delta, std::uint32_t word) {
                    return delta != 0 && std::floor(65536 * (1 - delta)) + word >= 65536;
                  })](float x, std::uint32_t word) { return std::signbit(x) ? other(x, word) : carry(x, word); })},
      {"a carry beyond the largest number", "e4m3fn", usual, 16,
       by_one([=](float x, std::uint32_t word) { return std::fabs(x) < 480 ? nan(x, word) : carry(x, word); })},
      {"subnormal results flushed", "e4m3fn", usual, 16, by_one([=](float x, std::uint32_t word) {
         return (carry(x, word) & 0x78) == 0 ? carry(x, word) & 0x80 : carry(x, word);
       })},
      {"subnormal numbers with the gap of normal ones", "e4m3fn", usual, 16, by_one([=](float x, std::uint32_t word) {
         if (std::fabs(x) >= 0x1p-6F || x == 0 || std::isnan(x)) return carry(x, word);
         const float moved = single((bits_of(x) + (word << 4)) & 0xFFF00000);
         return (std::signbit(x) ? 0x80 : 0) | static_cast<std::uint64_t>(std::fabs(moved) * 512);
       })},
      {"a NaN that the word carries into an infinity or a zero", "bf16", "carry.infinity.nan", 16,
       by_one([](float x, std::uint32_t word) { return std::uint64_t{(bits_of(x) + word) >> 16}; })},
      {"toward zero between 1/8 and 1/2", "bf16", "carry.infinity.nan", 16, by_one([](float x, std::uint32_t word) {
         const bool is_cut = std::fabs(x) >= 0.125F && std::fabs(x) < 0.5F;
         return std::uint64_t{(bits_of(x) + (is_cut || std::isnan(x) ? 0 : word)) >> 16};
       })},
      {"one word for two neighbors", "e4m3fn", usual, 16,
       with_places(carry, 16, [](std::size_t i) { return i / 2 * 2; })},
      {"one word for numbers that are 16 apart", "e4m3fn", usual, 16,
       with_places(carry, 16, [](std::size_t i) { return i & ~std::size_t{16}; })},
      {"one word for four numbers of a vector", "e4m3fn", usual, 16,
       with_places(carry, 16, [](std::size_t i) { return i / 4 * 4; })},
      {"256 words for all", "e4m3fn", usual, 16, with_places(carry, 16, [](std::size_t i) { return i % 256; })},
      {"a generator that begins again in each call", "e4m3fn", usual, 16,
       [=](std::span<const std::uint64_t> inputs, std::span<std::uint64_t> codes) { with(carry, 16)(inputs, codes); }},
      {"the complement of the neighbor's word", "e4m3fn", usual, 16,
       [=, next = generator(), last = std::make_shared<std::uint32_t>(0)](std::span<const std::uint64_t> inputs,
                                                                          std::span<std::uint64_t> codes) {
         for (std::size_t i = 0; i < codes.size(); ++i) {
           *last = i % 2 == 0 ? next() >> 16 : 0xFFFF - *last;
           codes[i] = carry(single(inputs[i]), *last);
         }
       }},
      {"the lowest bit of a linear congruence modulo 2^32", "e4m3fn", usual, 16,
       with(carry, 16,
            [state = std::make_shared<std::uint32_t>(1)] {
              *state = *state * 1664525U + 1013904223U;
              // The lowest bit, which alternates, is the top bit of the word.
              return *state << 31 | (*state & 0x7FFF0000);
            })},
  };
}

TEST(Mistakes, AreRefusedByTheRuleThatTheirAuthorsClaim) {
  for (const Mistake& each : mistakes()) {
    const StochasticQuestion question = question_of(std::string("f32:") + each.target, each.claim, each.bits);
    EXPECT_FALSE(answer_of(question, each.kernel).holds()) << each.what;
  }
}

TEST(Mistakes, OfTheWordsAreNoMistakesOfTheProbabilities) {
  const Literal carry("e4m3fn", Overflow::saturate, Draw::carry, 16);
  const StochasticQuestion question = question_of("f32:e4m3fn", "", 16);
  const StochasticAnswer answer = answer_of(question, with_places(carry, 16, [](std::size_t i) { return i / 2 * 2; }));
  EXPECT_TRUE(answer.drawn->dependent);
  EXPECT_FALSE(answer.follows.empty());
  EXPECT_FALSE(answer.holds());
  EXPECT_THAT(text_of(question, answer),
              HasSubstr("its words are not independent: of 16383 pairs of results 1 apart, "));
}

TEST(Answers, StateTheProbabilitiesOfTheirErrors) {
  const Literal carry("e4m3fn", Overflow::saturate, Draw::carry, 16);
  const StochasticQuestion question = question_of("f32:e4m3fn", "", 16);
  const StochasticAnswer answer = answer_of(question, with(carry, 16));
  const std::string text = text_of(question, answer);
  EXPECT_THAT(text, HasSubstr("convert f32:e4m3fn drawing words of 16 bits: follows carry.saturate.nan on "));
  EXPECT_THAT(text, HasSubstr("with independent words is refused with probability at most 1e-09\n"));
  EXPECT_THAT(
      text,
      HasSubstr("off by 0.054 at a tested input, is accepted with probability at most 1e-09 (convert.draws.1)\n"));
  EXPECT_THAT(text, HasSubstr("is accepted with probability at most 1e-300 (convert.draws.2)\n"));
}

}  // namespace
}  // namespace assay::conversions
