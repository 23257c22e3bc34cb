#include "properties/framework/bit_sums.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

constexpr std::uint64_t minus = std::uint64_t{1} << 63;

Words words(std::vector<std::uint64_t> bits) { return {oracle::binary64, Words::Shape::list, std::move(bits)}; }
Record record(std::uint64_t x, std::int64_t n) { return {{{"x", words({x})}, {"n", n}}}; }

BitSums of(std::uint64_t number, const Record& inputs, const Words& result) {
  BitSums sums;
  sums.add(number, inputs, result);
  return sums;
}

TEST(BitSums, DoNotDependOnTheOrder) {
  BitSums forward;
  BitSums backward;
  for (std::uint64_t i = 0; i < 10; ++i) forward.add(i, record(i, 1), words({i}));
  for (std::uint64_t i = 10; i-- > 0;) backward.merge(of(i, record(i, 1), words({i})));
  EXPECT_EQ(forward, backward);
}

TEST(BitSums, NoticeTwoChangesOfSigns) {
  BitSums plus = of(0, record(1, 1), words({1}));
  plus.add(1, record(1, 1), words({1}));
  BitSums both = of(0, record(1, 1), words({1 | minus}));
  both.add(1, record(1, 1), words({1 | minus}));
  EXPECT_NE(plus.outputs, both.outputs);
  EXPECT_EQ(plus.inputs, both.inputs);
}

TEST(BitSums, NoticeResultsThatChangePlaces) {
  BitSums one = of(0, record(1, 1), words({1, 2}));
  one.add(1, record(1, 1), words({3}));
  BitSums other = of(0, record(1, 1), words({3}));
  other.add(1, record(1, 1), words({1, 2}));
  EXPECT_NE(one.outputs, other.outputs);
  EXPECT_NE(of(0, record(1, 1), words({1, 2})).outputs, of(0, record(1, 1), words({2, 1})).outputs);
}

TEST(BitSums, NoticeEachFieldOfAnInput) {
  const std::uint64_t usual = of(0, record(1, 1), words({})).inputs;
  EXPECT_NE(usual, of(0, record(1, 2), words({})).inputs);
  EXPECT_NE(usual, of(0, record(2, 1), words({})).inputs);
  EXPECT_NE(usual, of(1, record(1, 1), words({})).inputs);
}

TEST(BitSums, TakeEveryNanOfAResultForTheSame) {
  const std::uint64_t nan = std::uint64_t{0x7ff8} << 48;
  EXPECT_EQ(of(0, record(1, 1), words({nan})), of(0, record(1, 1), words({nan | minus | 5})));
  EXPECT_NE(of(0, record(1, 1), words({nan})).outputs,
            of(0, record(1, 1), words({std::uint64_t{0x7ff} << 52})).outputs);
  EXPECT_NE(of(0, record(1, 1), words({0})).outputs, of(0, record(1, 1), words({minus})).outputs);
}

}  // namespace
}  // namespace assay
