#include "properties/framework/model.hpp"
#include "properties/framework/libraries.hpp"
#include "properties/framework/open_claims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck/Random.h>

#include "oracle/exact.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay {
namespace {

using Model = TypedModel<Pair<double>, double, oracle::Dyadic>;

constexpr auto sum_1 = theorem({"test.sum.1", "sums that are exact", "s = a + b", "an example"});
constexpr auto sum_2 = theorem({"test.sum.2", "one rounding", "|s − (a + b)| ≤ 2⁻⁵³|a + b|", "an example"}, [](int p) {
  return RelativeBound{oracle::Dyadic::scaled(1, -p), 1};
});
constexpr auto copy_1 = theorem({"test.copy.1", "a copy", "|y − x| ≤ 2⁻⁵²", "an example"}, [](int bits) {
  return Bound{oracle::Dyadic::scaled(1, -bits), 1};
});

/// a + b with a feature and several classes; the claim is that the sum is exact, which is false for some cases.
template <class Subject>
Model sums(Subject subject) {
  return Model({
      .name = "model_test.sums",
      .domain = {.classes = sum_pair_classes<double>({-20, 20}),
                 .contains =
                     [](const Pair<double>& c) {
                       return in_box(c.a, {-20, 20}) && in_box(c.b, {-20, 20});
                     },
                 .features = {{"gap", 0, 60, 12,
                               [](const Pair<double>& c) {
                                 return std::abs(parts_of(c.a).leading() - parts_of(c.b).leading());
                               }}}},
      .subject = std::move(subject),
      .reference = [](const Pair<double>& c) { return value_of(c.a) + value_of(c.b); },
      .claims = {exact("exact", sum_1), within("error", sum_2, 53)},
  });
}

Model right_sums() {
  return sums([](const Executor&, const Pair<double>& c) { return c.a + c.b; });
}

constexpr std::uint64_t cases = 3000;

Tally whole(const PropertyModel& model) { return model.run(Executor::host(), 5, {0, 1, cases}, {}); }

std::size_t index_of(const PropertyModel& model, Unasked claim) {
  return model.info().claims.size() - static_cast<std::size_t>(Unasked::count) + static_cast<std::size_t>(claim);
}

TEST(ModelRun, IsTheSameHoweverTheRangeIsCut) {
  const Model model = right_sums();
  Tally parts = model.empty_tally();
  std::uint64_t first = 0;
  for (const std::uint64_t count : {1u, 999u, 0u, 1030u, 970u}) {
    parts.merge(model.run(Executor::host(), 5, {first, 1, count}, {}));
    first += count;
  }
  ASSERT_EQ(first, cases);
  EXPECT_EQ(parts, whole(model));
}

TEST(ModelRun, IsTheSameForThreeStrides) {
  const Model model = right_sums();
  Tally shards = model.empty_tally();
  for (std::uint64_t shard = 0; shard < 3; ++shard) {
    shards.merge(model.run(Executor::host(), 5, {shard, 3, cases / 3}, {}));
  }
  EXPECT_EQ(shards, whole(model));
}

TEST(ModelRun, DrawsEveryClassByItsWeight) {
  const Model model = right_sums();
  const Tally tally = whole(model);
  std::uint64_t weights = 0;
  for (const ClassInfo& each : model.info().classes) {
    weights += each.weight;
  }
  for (std::size_t c = 0; c < tally.classes.size(); ++c) {
    const std::uint64_t share = model.info().classes[c].weight * (cases / weights);
    EXPECT_GE(tally.classes[c].planned, share) << model.info().classes[c].name;
    EXPECT_LE(tally.classes[c].planned, share + model.info().classes[c].weight) << model.info().classes[c].name;
  }
}

TEST(ModelRun, PlansWhatItExecutesAndRejects) {
  const Tally tally = whole(right_sums());
  std::uint64_t planned = 0;
  for (const auto& each : tally.classes) {
    EXPECT_EQ(each.planned, each.executed + each.rejected);
    planned += each.planned;
  }
  EXPECT_EQ(planned, cases);
}

TEST(ModelRun, NamesTheSmallestViolatedCase) {
  const Model model = right_sums();
  const Tally tally = whole(model);
  ASSERT_GT(tally.claims[0].violated, 0u);
  for (std::uint64_t number = 0; number <= tally.claims[0].first_violated; ++number) {
    const auto outcome = model.judge(Executor::host(), std::vector<Record>{*model.make(5, number)});
    EXPECT_EQ(outcome[0].claims[0].judgement.verdict == Verdict::violated, number == tally.claims[0].first_violated);
  }
}

TEST(ModelRun, CountsSignedErrorsInUlpsOfSomeCases) {
  const auto errors = whole(right_sums()).errors;
  std::uint64_t within_half = 0;
  for (std::size_t bin = 8; bin <= 16; ++bin) within_half += errors[bin];
  std::uint64_t all = 0;
  for (const std::uint64_t count : errors) all += count;
  EXPECT_EQ(within_half, all) << "a rounded sum errs by half an ulp at most";
  EXPECT_GT(all, cases / 20);
  EXPECT_LT(all, cases);
  EXPECT_GT(errors[16], 0u);
  EXPECT_GT(errors[8], 0u);
}

TEST(ModelRun, CountsAnErrorThatIsAlwaysOnOneSide) {
  const auto errors = whole(sums([](const Executor&, const Pair<double>& c) {
                        return std::nextafter(std::nextafter(c.a + c.b, 0x1p100), 0x1p100);
                      })).errors;
  for (std::size_t bin = 0; bin < ulp_bins / 2; ++bin) EXPECT_EQ(errors[bin], 0u) << bin;
  EXPECT_GT(errors[21], 0u) << "more than one ulp, at most two";
}

TEST(ModelMeasured, AreAboutAThousandCases) {
  const Model model = right_sums();
  std::uint64_t measured = 0;
  for (std::uint64_t number = 0; number < 1'000'000; ++number) measured += model.is_measured(number) ? 1 : 0;
  EXPECT_GT(measured, 900u);
  EXPECT_LT(measured, 1100u);
}

TEST(ModelRun, DependsOnTheSeed) {
  const Model model = right_sums();
  EXPECT_NE(model.make(5, 0), model.make(6, 0));
}

TEST(ModelRun, TellsEveryBatchBeforeItRuns) {
  std::uint64_t told = 0;
  right_sums().run(Executor::host(), 5, {0, 1, cases}, [&](const CaseRange& range) { told += range.count; });
  EXPECT_EQ(told, cases);
}

TEST(ModelMake, GivesCasesInsideTheDomain) {
  const Model model = right_sums();
  for (std::uint64_t number = 0; number < 500; ++number) {
    ASSERT_TRUE(model.contains(*model.make(5, number))) << number;
  }
}

TEST(ModelShrink, StaysInsideTheDomainAndGetsSmaller) {
  const Model model = right_sums();
  for (std::uint64_t number = 0; number < 50; ++number) {
    const Record record = *model.make(5, number);
    for (const Record& candidate : smaller_records(model, record)) {
      ASSERT_TRUE(model.contains(candidate));
      ASSERT_LT(complexity(candidate), complexity(record));
    }
  }
}

/// (a, b, a), each with an error of its own.
TypedModel<Pair<double>, std::vector<double>, std::vector<oracle::Dyadic>> copies(std::vector<double> errors) {
  using Model = TypedModel<Pair<double>, std::vector<double>, std::vector<oracle::Dyadic>>;
  return Model({
      .name = "model_test.copies",
      .domain = {.classes = sum_pair_classes<double>({-20, 20}), .contains = [](const Pair<double>&) { return true; }},
      .subject =
          [errors](const Executor&, const Pair<double>& c) {
            return std::vector<double>{c.a + errors[0], c.b + errors[1], c.a + errors[2]};
          },
      .reference =
          [](const Pair<double>& c) {
            return std::vector<oracle::Dyadic>{value_of(c.a), value_of(c.b), value_of(c.a)};
          },
      .claims = {within("error", copy_1, 52)},
  });
}

TEST(Domain, RefusesAClassThatIsNeverDrawn) {
  std::vector<InputClass<Pair<double>>> classes = sum_pair_classes<double>({-20, 20});
  classes.front().weight = 0;
  EXPECT_THROW(Model({.name = "model_test.undrawn",
                      .domain = {.classes = std::move(classes), .contains = [](const Pair<double>&) { return true; }},
                      .subject = [](const Executor&, const Pair<double>& c) { return c.a + c.b; },
                      .reference = [](const Pair<double>& c) { return value_of(c.a) + value_of(c.b); },
                      .claims = {exact("exact", sum_1)}}),
               std::logic_error);
}

TEST(Citation, GivesAClaimTheWordsOfItsTheorem) {
  const ClaimInfo info = right_sums().info().claims[1];
  EXPECT_EQ(info.id, "error");
  EXPECT_EQ(info.statement, "|s − (a + b)| ≤ 2⁻⁵³|a + b|");
  EXPECT_EQ(info.source, "an example");
  EXPECT_EQ(info.theorem, "test.sum.2");
}

TEST(Citation, NamesTheCaseOfATheoremThatCoversSeveral) {
  EXPECT_EQ(of_instance("p = 53", within("error", sum_2, 53)).info.statement, "|s − (a + b)| ≤ 2⁻⁵³|a + b|: p = 53");
}

TEST(Citation, IsListedOnce) {
  cite(sum_1.words);
  cite(sum_1.words);
  const std::vector<TheoremWords> all = cited_theorems();
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const TheoremWords& each) { return std::string(each.id.text) == "test.sum.1"; }),
            1);
}

TEST(Citation, RefusesOtherWordsForAnId) {
  cite(sum_1.words);
  constexpr auto other = theorem({"test.sum.1", "sums that are exact", "s = a − b", "an example"});
  EXPECT_THROW(cite(other.words), std::logic_error);
}

CaseOutcome judged(const PropertyModel& model) {
  return model.judge(Executor::host(), std::vector<Record>{record_of(Pair<double>{1, 2})}).front();
}

TEST(ModelJudge, GivesTheSignedErrorOfTheWorstComponentInUlpsOfItsTruth) {
  EXPECT_EQ(judged(copies({0x1p-52, -0x1p-50, 0x1p-51})).claims[0].ulps, -2.0);
  EXPECT_EQ(judged(copies({0x1p-50, 0x1p-51, 0})).claims[0].ulps, 4.0);
  EXPECT_EQ(judged(copies({0, 0, 0})).claims[0].ulps, 0.0);
}

TEST(ModelJudge, GivesNoUlpsOfAResultThatIsNotFinite) {
  EXPECT_EQ(judged(copies({0, std::numeric_limits<double>::infinity(), 0})).claims[0].ulps, std::nullopt);
}

TEST(ModelJudge, CountsTheViolatedComponents) {
  const CaseOutcome outcome = judged(copies({0x1p-52, -0x1p-50, 0x1p-51}));
  EXPECT_EQ(outcome.components, 3U);
  EXPECT_EQ(outcome.claims[0].judgement.component, 1U);
  EXPECT_EQ(outcome.claims[0].judgement.violations(), 2U);
  EXPECT_EQ(judged(copies({0, 0, 0})).claims[0].judgement.violations(), 0U);
}

TEST(ModelJudge, CallsTheSubjectOnceForAClaimOfItsOwn) {
  int calls = 0;
  const Model model = sums([&calls](const Executor&, const Pair<double>& c) {
    ++calls;
    return c.a + c.b;
  });
  const std::vector<Record> records{record_of(Pair<double>{1, 2}), record_of(Pair<double>{1, 0x1p-60})};
  const std::vector<CaseOutcome> outcomes = model.judge(Executor::host(), records, 0);
  EXPECT_EQ(calls, 2) << "one call for each case";
  EXPECT_EQ(outcomes[1].claims[0].judgement.verdict, Verdict::violated);
  EXPECT_FALSE(outcomes[1].claims[index_of(model, Unasked::same_bits)].applies);
}

TEST(ModelJudge, ExplainsAmongSeveralCasesOnlyThoseThatViolateTheClaim) {
  const Record right = record_of(Pair<double>{1, 2});
  const std::vector<Record> records{right, record_of(Pair<double>{1, 0x1p-60})};
  const std::vector<CaseOutcome> outcomes = right_sums().judge(Executor::host(), records, 0);
  EXPECT_EQ(outcomes[0].claims[0].judgement.verdict, Verdict::holds);
  EXPECT_EQ(outcomes[0].claims[0].exact, "");
  EXPECT_NE(outcomes[1].claims[0].exact, "");
  EXPECT_NE(right_sums().judge(Executor::host(), std::span(&right, 1), 0)[0].claims[0].exact, "");
}

TEST(OpenClaims, AreJudgedAsWithoutThemAndNothingElseIs) {
  std::uint64_t calls = 0;
  const Model model = sums([&calls](const Executor&, const Pair<double>& c) {
    ++calls;
    return c.a + c.b;
  });
  const Tally all = whole(model);
  EXPECT_GT(std::exchange(calls, 0), 2 * cases) << "the results are compared with those of other calls";
  const OpenClaims open([](std::size_t claim) { return claim == 0; });
  const Tally some = whole(model);
  EXPECT_EQ(calls, cases);
  EXPECT_EQ(some.bits, all.bits);
  EXPECT_EQ(some.claims[0].violated, all.claims[0].violated);
  for (std::size_t c = 1; c < some.claims.size(); ++c) EXPECT_EQ(some.claims[c].executed, 0u) << c;
}

TEST(ModelJudge, RepeatsTheCallForAnUnaskedClaimAlone) {
  int calls = 0;
  const Model model = sums([&calls](const Executor&, const Pair<double>& c) { return c.a + c.b + ++calls % 2; });
  const std::size_t same_bits = index_of(model, Unasked::same_bits);
  const std::vector<Record> records{record_of(Pair<double>{1, 2})};
  const CaseOutcome outcome = model.judge(Executor::host(), records, same_bits).front();
  EXPECT_EQ(outcome.claims[same_bits].judgement.verdict, Verdict::violated);
  EXPECT_FALSE(outcome.claims[0].applies);
}

TEST(ErrorInUlps, OfATruthThatIsNoNumberOfTheFormatIsItsOwn) {
  const oracle::Exact third = oracle::quotient(1, 3);
  const oracle::Dyadic got = oracle::Dyadic::scaled(3, -3);
  EXPECT_NEAR(*error_in_ulps(got, third, oracle::binary64), 0x1p54 / 24, 0x1p14 / 24);
  EXPECT_NEAR(*error_in_ulps(got, third, oracle::binary32), 0x1p25 / 24, 0x1p-15 / 24);
}

TEST(Unasked, FindsTheCasesThatWriteIntoGuardZones) {
  const Model model = sums([](const Executor& on, const Pair<double>& c) {
    if (c.a > 1024) on.record_guard_zone_violation();
    return c.a + c.b;
  });
  const Tally tally = whole(model);
  std::uint64_t expected = 0;
  for (std::uint64_t number = 0; number < cases; ++number) {
    expected += from_record<Pair<double>>(*model.make(5, number))->a > 1024 ? 1u : 0u;
  }
  ASSERT_GT(expected, 0u);
  EXPECT_EQ(tally.claims[index_of(model, Unasked::guard_zones)].violated, expected);
}

/// A sum whose claim to be exact is a negative control with this ceiling.
Model with_ceiling(const std::string& ceiling) {
  return Model(
      {.name = "model_test.ceiling",
       .domain = {.classes = sum_pair_classes<double>({-20, 20}), .contains = [](const Pair<double>&) { return true; }},
       .subject = [](const Executor&, const Pair<double>& c) { return c.a + c.b; },
       .reference = [](const Pair<double>& c) { return value_of(c.a) + value_of(c.b); },
       .claims = {expected_refuted(exact("exact", sum_1), ceiling), within("error", sum_2, 53)}});
}

TEST(Ceiling, IsAClaimOfTheSamePropertyThatIsToHold) {
  EXPECT_EQ(with_ceiling("error").info().claims[0].ceiling, "error");
  EXPECT_NO_THROW(with_ceiling(""));
  EXPECT_THROW(with_ceiling("exact"), std::logic_error);
  EXPECT_THROW(with_ceiling("other"), std::logic_error);
}

Property<Pair<double>, double, oracle::Dyadic> late_sum(const std::string& name) {
  return {.name = name,
          .domain = {.classes = sum_pair_classes<double>({-20, 20}),
                     .contains =
                         [](const Pair<double>& c) {
                           return in_box(c.a, {-20, 20});
                         }},
          .subject = [](const Executor&, const Pair<double>& c) { return c.a + c.b; },
          .reference = [](const Pair<double>& c) { return value_of(c.a) + value_of(c.b); },
          .claims = {exact("exact", sum_1)}};
}

int late_runs = 0;

TEST(LateRegistration, IsMadeOnceWhenItsFamilyIsAskedFor) {
  const LateRegistration late("late", [] {
    ++late_runs;
    Registration{late_sum("late.sum")};
  });
  EXPECT_EQ(find_property("early.sum"), nullptr);
  EXPECT_EQ(late_runs, 0);
  const PropertyModel* const found = find_property("late.sum");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(properties_of("late").size(), 1);
  EXPECT_EQ(properties_of("late").front().get(), found);
  EXPECT_TRUE(properties_of("lat").empty());
  EXPECT_EQ(late_runs, 1);
}

TEST(LateRegistration, IsMadeWhereAllPropertiesAreAskedFor) {
  const LateRegistration late("later", [] { Registration{late_sum("later.sum")}; });
  const auto all = properties();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& each) { return each->info().name == "later.sum"; }));
}

int loads = 0;

TEST(LibraryOfProperties, IsLoadedOnceWhenOneOfItsFamiliesIsAskedFor) {
  register_library({"loaded", "other_loaded"}, [] {
    ++loads;
    Registration{late_sum("loaded.sum")};
    Registration{late_sum("other_loaded.sum")};
    return std::string();
  });
  EXPECT_EQ(find_property("early.sum"), nullptr);
  EXPECT_EQ(loads, 0);
  EXPECT_NE(find_property("other_loaded.sum"), nullptr);
  EXPECT_NE(find_property("loaded.sum"), nullptr);
  EXPECT_EQ(loads, 1);
}

TEST(LibraryOfProperties, SaysWhyItsPropertiesAreMissingOnceTheyAreNeeded) {
  register_library({"missing"}, [] { return std::string("no such library"); });
  EXPECT_EQ(missing_properties(), "");
  EXPECT_EQ(find_property("missing.sum"), nullptr);
  EXPECT_EQ(missing_properties(), "no such library");
}

TEST(LibraryOfProbes, SaysWhyProbesCannotRun) {
  EXPECT_NO_THROW(load_probes());
  register_probes([] { return std::string("no probes here"); });
  try {
    load_probes();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const MissingLibrary& missing) {
    EXPECT_STREQ(missing.what(), "no probes here");
  }
  register_probes([] { return std::string(); });
}

TEST(Registration, RefusesANameThatCannotStandInAReportOrAPath) {
  for (const char* name : {"my.<script>", "my", "my.", ".sum", "my..sum", "my.a b", "../my.sum", "my.sum`"}) {
    EXPECT_THROW(Registration{late_sum(name)}, std::logic_error) << name;
  }
}

TEST(Registration, RefusesAPropertyWithoutAReferenceOrASubject) {
  auto without_reference = late_sum("lacking.reference");
  without_reference.reference = {};
  EXPECT_THROW(Registration{without_reference}, std::logic_error);
  auto without_subject = late_sum("lacking.subject");
  without_subject.subject = {};
  EXPECT_THROW(Registration{without_subject}, std::logic_error);
}

TEST(LateRegistration, RefusesAPropertyOfAnotherFamily) {
  const LateRegistration late("strict", [] { Registration{late_sum("other.sum")}; });
  EXPECT_THROW(find_property("strict.sum"), std::logic_error);
}

TEST(Unasked, FindsTheCasesThatChangeTheirInput) {
  const Model model = sums([](const Executor& on, const Pair<double>& c) {
    if (c.a > 1024) on.record_input_change();
    return c.a + c.b;
  });
  EXPECT_GT(whole(model).claims[index_of(model, Unasked::inputs_unchanged)].violated, 0u);
}

TEST(Unasked, FindsAChangedRoundingDirectionAndRestoresIt) {
  const Model model = sums([](const Executor&, const Pair<double>& c) {
    const double s = c.a + c.b;
    if (c.a > 1024) std::fesetround(FE_UPWARD);
    return s;
  });
  const Tally tally = whole(model);
  EXPECT_GT(tally.claims[index_of(model, Unasked::environment)].violated, 0u);
  EXPECT_LT(tally.claims[index_of(model, Unasked::environment)].violated, cases);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(Unasked, FindsBitsThatDependOnTheOrderOfThreads) {
  const Model model = sums([](const Executor& on, const Pair<double>& c) {
    return on.order() == Order::descending && c.a > 1024 ? c.a : c.a + c.b;
  });
  const Tally tally = whole(model);
  EXPECT_GT(tally.claims[index_of(model, Unasked::same_bits)].violated, 0u);
  EXPECT_EQ(tally.claims[index_of(model, Unasked::batch)].violated, 0u);
}

TEST(Unasked, FindsBitsThatDependOnTheBatch) {
  const Model model = sums([](const Executor&, std::span<const Pair<double>> all) {
    std::vector<double> results;
    for (const Pair<double>& c : all) {
      results.push_back(all.size() == 1 ? c.a : c.a + c.b);
    }
    return results;
  });
  const Tally tally = whole(model);
  EXPECT_GT(tally.claims[index_of(model, Unasked::batch)].violated, 0u);
  EXPECT_EQ(tally.claims[index_of(model, Unasked::same_bits)].violated, 0u);
}

TEST(Unasked, HoldForARightSubject) {
  const Model model = right_sums();
  const Tally tally = whole(model);
  for (std::size_t claim = 2; claim < tally.claims.size(); ++claim) {
    EXPECT_EQ(tally.claims[claim].violated, 0u) << model.info().claims[claim].id;
    EXPECT_GT(tally.claims[claim].executed, 0u) << model.info().claims[claim].id;
  }
}

TEST(TextOfATruth, IsAFormulaWhereItIsShortAndElseIsRoundedAndSaysSo) {
  using oracle::Dyadic, oracle::Exact, oracle::Rational;
  const auto third = [](long e) { return Rational(Dyadic::scaled(1, e), 3); };
  EXPECT_EQ(describe(Exact(Dyadic(3))), "3e0");
  EXPECT_EQ(describe(Exact(Rational(-5, 3))), "-5/3");
  EXPECT_EQ(describe(oracle::square_root(Rational(2, 3))), "sqrt(2/3)");
  EXPECT_EQ(describe(Exact(third(-300))), "≈1.636364488432575517698590651662091880992e-91");
  EXPECT_EQ(describe(Exact(-third(300))), "≈-6.790119921114953620894818961364593870172e89");
  EXPECT_EQ(describe(oracle::square_root(third(-601))), "≈2.004129014935118108625616699138968427774e-91");
  EXPECT_LT(describe(oracle::square_root(third(-100'000))).size(), 60u);
}

}  // namespace
}  // namespace assay
