#include "probes/stream.hpp"

#include <gtest/gtest.h>

#include <set>

namespace assay::probes {
namespace {

TEST(RandomWords, MultiplyTheLowHalfAndAddTheCarry) {
  constexpr std::uint64_t state = 0x123456789ABCDEF0u;
  RandomWords words(state);
  EXPECT_EQ(words.half(), 0x9ABCDEF0u ^ 0x12345678u);
  constexpr std::uint64_t next = std::uint64_t{4294883355u} * 0x9ABCDEF0u + 0x12345678u;
  EXPECT_EQ(words.half(), (next >> 32) ^ (next & 0xFFFFFFFFu));
}

TEST(RandomWords, HaveTheFirstHalfAbove) {
  RandomWords words(7);
  RandomWords halves(7);
  const std::uint64_t high = halves.half();
  EXPECT_EQ(words.word(), high << 32 | halves.half());
}

TEST(RandomWords, TakeEachOfAFewValuesAboutAsOften) {
  int of_value[6] = {};
  int heads = 0;
  for (std::uint64_t number = 0; number < 60000; ++number) {
    Stream stream(1, 2, number);
    ++of_value[stream.below(6)];
    heads += stream.coin() ? 1 : 0;
  }
  for (const int count : of_value) EXPECT_NEAR(count, 10000, 500);
  EXPECT_NEAR(heads, 30000, 700);
}

TEST(Stream, HasWordsOfItsOwnForEveryCase) {
  std::set<std::uint64_t> words;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    for (const std::uint64_t place : {number, number * alike_step}) words.insert(Stream(1, 0, place).word());
  }
  EXPECT_EQ(words.size(), 1999U);
}

TEST(Stream, SharesWordsWithTheCasesAlike) {
  const std::uint64_t word = Stream(1, 0, 77).shared().word();
  for (std::uint64_t i = 0; i < alike; ++i) {
    Stream stream(1, 0, 77 + i * alike_step);
    EXPECT_EQ(stream.shared().word(), word);
  }
}

TEST(Stream, SharesNoWordsWithOtherCases) {
  std::set<std::uint64_t> words;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    for (const std::uint64_t place : {number, number + alike * alike_step}) {
      words.insert(Stream(1, 0, place).shared().word());
      words.insert(Stream(1, 1, place).shared().word());
      words.insert(Stream(2, 0, place).shared().word());
      words.insert(Stream(2, 0, place).word());
    }
  }
  EXPECT_EQ(words.size(), 8000U);
}

TEST(Stream, SharesWordsOneAfterTheOther) {
  Stream stream(1, 0, 5);
  const std::uint64_t first = stream.shared().word();
  EXPECT_NE(stream.shared().word(), first);
}

}  // namespace
}  // namespace assay::probes
