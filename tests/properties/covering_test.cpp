#include "properties/framework/covering.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "properties/framework/adequacy.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/number_kinds.hpp"
#include "properties/framework/property.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<TraitInfo> traits{{"size", {"0", "1", "many"}}, {"scalar", {"0", "1"}}, {"special", {"none", "NaN"}}};
const std::vector<ImpossiblePairs> impossible{{"size", {"0"}, "special", {"none", "NaN"}, "nothing is there"}};

std::string seen_in(const TraitPairs& pairs, const std::vector<TraitRow>& rows) {
  std::string seen = pairs.none();
  for (const TraitRow& row : rows) pairs.see(row, seen);
  return seen;
}

TEST(PairsOfTraits, AreCountedOverEveryTwoTraits) {
  EXPECT_EQ(TraitPairs(traits, {}).possible(), 3u * 2 + 3 * 2 + 2 * 2);
}

TEST(PairsOfTraits, WithoutTraitsAreNone) {
  EXPECT_EQ(TraitPairs().possible(), 0u);
  EXPECT_EQ(TraitPairs().none(), "");
  EXPECT_THAT(TraitPairs().rows(), IsEmpty());
}

TEST(PairsOfTraits, AreSeenInACaseWhoseTraitsHaveTheirValues) {
  const TraitPairs pairs(traits, {});
  EXPECT_EQ(pairs.covered(seen_in(pairs, {{1, 0, 1}})), 3u);
  EXPECT_EQ(pairs.covered(seen_in(pairs, {{1, 0, 1}, {1, 0, 0}})), 5u);
}

TEST(PairsOfTraits, AreNotSeenWhereATraitHasNoneOfItsValues) {
  const TraitPairs pairs(traits, {});
  EXPECT_EQ(pairs.covered(seen_in(pairs, {{3, 0, 1}})), 1u);
}

TEST(PairsOfTraits, ThatNoCaseHasAreNamed) {
  const TraitPairs pairs({{"size", {"0", "1"}}, {"scalar", {"-0", "NaN"}}}, {});
  EXPECT_THAT(pairs.missing(seen_in(pairs, {{0, 0}, {1, 0}, {1, 1}})), ElementsAre("size = 0 with scalar = NaN"));
}

TEST(PairsOfTraits, ThatAreImpossibleAreNotMissing) {
  const TraitPairs pairs(traits, impossible);
  EXPECT_EQ(pairs.possible(), TraitPairs(traits, {}).possible() - 2);
  EXPECT_THAT(pairs.missing(seen_in(pairs, pairs.rows())), IsEmpty());
}

TEST(PairsOfTraits, ThatAreImpossibleAndSeenNonethelessAreNamed) {
  const TraitPairs pairs(traits, impossible);
  EXPECT_THAT(pairs.contradicting(seen_in(pairs, pairs.rows())), IsEmpty());
  EXPECT_THAT(pairs.contradicting(seen_in(pairs, {{0, 0, 1}})), ElementsAre("size = 0 with special = NaN"));
}

TEST(PairsOfTraits, RefuseNamesThatAreNotStated) {
  EXPECT_THROW(TraitPairs(traits, {{"shape", {"0"}, "special", {"NaN"}, "why"}}), std::logic_error);
  EXPECT_THROW(TraitPairs(traits, {{"size", {"2"}, "special", {"NaN"}, "why"}}), std::logic_error);
  EXPECT_THROW(TraitPairs({{"size", {}}}, {}), std::logic_error);
}

TEST(RowsOfTraits, HaveEveryPossiblePairInFewRows) {
  std::vector<TraitInfo> many;
  for (int f = 0; f < 10; ++f) many.push_back({std::to_string(f), {"a", "b", "c", "d"}});
  const TraitPairs pairs(many, {});
  const std::vector<TraitRow> rows = pairs.rows();
  EXPECT_EQ(pairs.covered(seen_in(pairs, rows)), pairs.possible());
  EXPECT_THAT(rows, SizeIs(testing::Le(32u)));
}

TEST(RowsOfTraits, LeaveATraitOpenThatHasNoPossibleValue) {
  const TraitPairs pairs(traits, impossible);
  for (const TraitRow& row : pairs.rows()) EXPECT_EQ(row[2] == 2, row[0] == 0);
}

TEST(RowsOfTraits, AreTheSameAtEveryCall) {
  EXPECT_EQ(TraitPairs(traits, impossible).rows(), TraitPairs(traits, impossible).rows());
}

constexpr auto copy_1 = theorem({"covering_test.copy.1", "a copy", "y = x", "derived"});
using Copies = TypedModel<Pair<double>, double, oracle::Dyadic>;

/// A copy of a, drawn from 8 to 63, with a of 0 to 7 and b of 0 to 3 as traits; rows request pairs, and get those for
/// which `draws` holds.
template <class Draws>
Copies copies(Draws draws, const std::vector<ImpossiblePairs>& without = {}) {
  const auto integers = [](int low, int high) {
    return drawn<Pair<double>>([low, high](Draw& draw) {
      return Pair<double>{static_cast<double>(draw.between(low, high)), 9};
    });
  };
  const auto values = [](std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
    return names;
  };
  Traits<Pair<double>> of_both{
      {{{"a", values(8)},
        [](const Pair<double>& c) { return std::min<std::size_t>(8, static_cast<std::size_t>(c.a)); }},
       {{"b", values(4)},
        [](const Pair<double>& c) { return std::min<std::size_t>(4, static_cast<std::size_t>(c.b)); }}},
      without,
      [draws](Draw&, const TraitRow& row) {
        return draws(row[0], row[1]) ? Pair<double>{static_cast<double>(row[0]), static_cast<double>(row[1])}
                                     : Pair<double>{9, 9};
      }};
  return Copies({.name = "covering_test.copies",
                 .domain = {.classes = {{"below 32", 2, integers(8, 31)}, {"below 64", 1, integers(32, 63)}},
                            .contains = [](const Pair<double>&) { return true; },
                            .traits = std::make_shared<const Traits<Pair<double>>>(std::move(of_both))},
                 .subject = [](const Executor&, const Pair<double>& c) { return c.a; },
                 .reference = [](const Pair<double>& c) { return value_of(c.a); },
                 .claims = {exact("copy", copy_1)},
                 .quick_cases = 60});
}
constexpr auto all_pairs = [](std::size_t, std::size_t) { return true; };
constexpr auto all_but_one = [](std::size_t a, std::size_t b) { return a != 5 || b != 2; };

std::vector<std::string> found_in(const Copies& model, std::uint64_t cases) {
  return inadequacies(model, model.run(Executor::host(), 1, {0, 1, cases}, {}), 1);
}

TEST(PropertiesWithTraits, HaveAClassWithAllPairsInTheQuickTierOnTopOfItsCases) {
  const Copies model = copies(all_pairs);
  const PropertyInfo& info = model.info();
  EXPECT_EQ(info.quick_cases, 60u + 32);
  ASSERT_EQ(info.classes.back().name, "pairs of traits");
  const Tally tally = model.run(Executor::host(), 1, {0, 1, info.quick_cases}, {});
  EXPECT_GE(tally.classes.back().executed, 32u);
  EXPECT_GE(tally.classes[0].executed, 30u);
  EXPECT_EQ(model.trait_pairs().covered(tally.pairs), 32u);
  EXPECT_THAT(inadequacies(model, tally, 1), IsEmpty());
}

TEST(PropertiesWithTraits, HaveThePairsOfAllPartsOfARun) {
  const Copies model = copies(all_pairs);
  Tally shards = model.empty_tally();
  for (std::uint64_t shard = 0; shard < 4; ++shard) shards.merge(model.run(Executor::host(), 1, {shard, 4, 23}, {}));
  EXPECT_EQ(shards, model.run(Executor::host(), 1, {0, 1, 92}, {}));
}

TEST(PropertiesWithTraits, AreInadequateWhereAPairIsNotDrawn) {
  const Copies model = copies(all_but_one);
  EXPECT_THAT(found_in(model, model.info().quick_cases),
              ElementsAre("covering_test.copies: 1 pair of values of two traits in no case, such as a = 5 with b = 2"));
}

TEST(PropertiesWithTraits, AreAdequateWithFewerCasesThanAllPairsTake) {
  EXPECT_THAT(found_in(copies(all_but_one), 60), IsEmpty());
}

TEST(PropertiesWithTraits, AreAdequateWithoutAPairThatIsStatedAsImpossible) {
  const Copies model = copies(all_but_one, {{"a", {"5"}, "b", {"2"}, "an example"}});
  EXPECT_THAT(found_in(model, model.info().quick_cases), IsEmpty());
}

TEST(PropertiesWithTraits, AreInadequateWhereAnImpossiblePairIsDrawn) {
  const Copies model = copies(all_pairs, {{"a", {"5"}, "b", {"2"}, "an example"}});
  Tally tally = model.run(Executor::host(), 1, {0, 1, model.info().quick_cases}, {});
  model.trait_pairs().see({5, 2}, tally.pairs);
  EXPECT_THAT(inadequacies(model, tally, 1),
              ElementsAre("covering_test.copies: 1 pair of values of two traits drawn though stated as "
                          "impossible, such as a = 5 with b = 2"));
}

TEST(KindsOfNumbers, AreThoseThatAreDrawn) {
  Draw draw{rc::Random(rc::Random::Key{1, 2, 3, 4})};
  for (int i = 0; i < 100; ++i) {
    for (std::size_t kind = 0; kind < scalar_kinds().size(); ++kind) {
      EXPECT_EQ(scalar_kind(draw_scalar_of(draw, kind)), kind);
    }
    for (std::size_t kind = 0; kind < size_kinds().size(); ++kind) {
      EXPECT_EQ(size_kind(draw_size_of(draw, kind)), kind);
    }
    for (std::size_t kind = 0; kind < list_kinds().size(); ++kind) {
      const ListDraw list(draw, kind);
      ListKind found;
      for (int k = 0; k < i % 5; ++k) found.add(number_kind(list.number(draw)));
      if (list.has_special() || i % 5 == 0) {
        found.add(number_kind(list.has_special() ? list.special(draw) : list.number(draw)));
      }
      EXPECT_EQ(found.value(9), kind);
    }
  }
}

TEST(KindsOfNumbers, OfAnEmptyListAreNone) { EXPECT_EQ(ListKind().value(7), 7u); }

}  // namespace
}  // namespace assay
