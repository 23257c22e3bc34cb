#include "properties/framework/enumeration.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "arith/float/small_float.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/property.hpp"

namespace assay {
namespace {

template <class Case>
bool all_contained(const Case&) {
  return true;
}

TEST(EveryPair, HasEachPairOnce) {
  const auto pairs = every_pair<Toy<3>>(9, all_contained<Pair<Toy<3>>>);
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t i = 0; i < pairs.size; ++i) {
    Pair<Toy<3>> c{};
    ASSERT_TRUE(pairs.at(i, c));
    seen.emplace(bits_of(c.a), bits_of(c.b));
  }
  EXPECT_EQ(seen.size(), pairs.size);
  EXPECT_EQ(pairs.size, 4u * (4 * 2 * 19 + 1) + 4 + 1);
}

TEST(EveryPair, RejectsWhatTheDomainDoesNotContain) {
  const auto none = every_pair<Toy<3>>(1, [](const Pair<Toy<3>>&) { return false; });
  Pair<Toy<3>> c{};
  EXPECT_FALSE(none.at(0, c));
}

TEST(EveryPair, ReachesEverySignificandSignAndGap) {
  std::set<std::tuple<std::uint64_t, bool, int>> seen;
  const auto pairs = every_pair<Toy<4>>(11, all_contained<Pair<Toy<4>>>);
  for (std::uint64_t i = 0; i < pairs.size; ++i) {
    Pair<Toy<4>> c{};
    pairs.at(i, c);
    const NumberParts b = parts_of(c.b);
    if (b.significand != 0 && bits_of(c.a) != 0) {
      seen.emplace(b.significand, b.negative, b.leading());
    }
  }
  EXPECT_EQ(seen.size(), 8u * 2 * 23);
}

TEST(EveryDoubleWord, HasExactlyTheNormalisedPairsOfTheDepth) {
  // Compared with a search over all low words: every number of the format between the depths, and zero.
  constexpr int p = 4;
  constexpr int depth = 6;
  std::set<std::pair<std::uint64_t, std::uint64_t>> expected;
  for (std::uint64_t high = 0; high < 8; ++high) {
    const Toy<4> h = number_at<Toy<4>>(high);
    expected.emplace(bits_of(h), 0);
    for (std::uint64_t low = 0; low < std::uint64_t{1} << format_of<Toy<4>>().width(); ++low) {
      const Toy<4> l = number_of<Toy<4>>(low);
      if (in_box(l, {-p - depth, 0}) && value_of(l).sign() != 0 && is_normalised(DoubleWord<Toy<4>>{h, l})) {
        expected.emplace(bits_of(h), low);
      }
    }
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const auto& x : every_double_word<Toy<4>>(depth)) {
    found.emplace(bits_of(x.h), bits_of(x.l));
  }
  EXPECT_EQ(found, expected);
}

TEST(EveryDoubleWordPair, FitsTheQuickTierAtPrecisionThree) {
  const auto pairs = every_double_word_pair<Toy<3>>(5, 9, false);
  EXPECT_EQ(pairs.size, 164u * 164 * 2 * 19);
  EXPECT_LE(pairs.size, std::uint64_t{1} << 20);
}

TEST(EveryDoubleWordPair, HasEachPairOnceAndNormalised) {
  const auto pairs = every_double_word_pair<Toy<3>>(1, 4, false);
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t i = 0; i < pairs.size; ++i) {
    DwDw<Toy<3>> c{};
    ASSERT_TRUE(pairs.at(i, c));
    ASSERT_TRUE(is_double_word(c.x) && is_double_word(c.y));
    seen.emplace(bits_of(c.x.h), bits_of(c.x.l), bits_of(c.y.h), bits_of(c.y.l));
  }
  // A low word of +0 becomes −0 with the sign: still one pair each.
  EXPECT_EQ(seen.size(), pairs.size);
}

TEST(EveryRadicand, CoversTwoBinades) {
  const auto radicands = every_radicand<Toy<5>>(3);
  std::set<int> exponents;
  for (std::uint64_t i = 0; i < radicands.size; ++i) {
    Dw<Toy<5>> c{};
    radicands.at(i, c);
    exponents.insert(parts_of(c.x.h).leading());
  }
  EXPECT_EQ(exponents, (std::set<int>{0, 1}));
}

}  // namespace
}  // namespace assay
