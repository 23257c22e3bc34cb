#pragma once
// A made-up run with every verdict, for tests of files and reports.

#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "assay/store/summary.hpp"
#include "oracle/format.hpp"

namespace assay::sample {

inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

inline Words numbers(Words::Shape shape, std::vector<double> values) {
  Words words{oracle::binary64, shape, {}};
  for (const double value : values) words.bits.push_back(bits(value));
  return words;
}

/// x = 1 + 2^-54·k as two words, y one word, n an integer.
inline Record record(int k) {
  return {{{"x", numbers(Words::Shape::list, {1.0, k * 0x1p-54})},
           {"y", numbers(Words::Shape::scalar, {-0x1.8p+3})},
           {"n", std::int64_t{-k}}}};
}

inline store::CaseFile case_file(const std::string& property, const std::string& claim, int k, store::Why why,
                                 double ratio) {
  return {property,
          claim,
          "host",
          "binary64",
          record(k),
          store::CaseFile::Evidence{{"0x1p+0", "-0x1.8p-55"}, "1.00000000000000011e0", ratio, -0.6875, 2, 1, 1},
          why == store::Why::violated ? "violated" : "holds",
          why};
}

/// A property with one claim of its own and two cases of classes "near" and "far", as shard `shard` of `shards` runs it
/// on `requested` cases: case i has ratio 1/(i + 2), and cases 7, 14, … violate if `broken`.
inline store::PropertySummary property(const std::string& name, bool broken, std::uint64_t requested,
                                       std::uint64_t shard = 0, std::uint64_t shards = 1) {
  store::PropertySummary summary;
  summary.info = {
      name,
      "binary64",
      "finite, |x| < 2^1000",
      {{"error", "|ŝ − s| ≤ 3u²|s| & more", "Joldes, Muller, Popescu 2017, Theorem 3.1", "", false,
        "dw.accurate_add.1"},
       {"same_bits", "the same bits in every order of threads", "by construction", "", false, "execution.same_bits.1"}},
      {{"near", 3}, {"far", 1}},
      {{"exponent gap", -60, 60, 6}},
      0,
      10000};
  summary.info.traits = {{"n", {"1", "2 to 4"}}, {"special", {"none", "NaN & infinity"}}};
  summary.info.impossible_pairs = {{"n", {"1"}, "special", {"NaN & infinity"}, "a sum of one term is <that> term"}};
  const TraitPairs pairs(summary.info.traits, summary.info.impossible_pairs);
  summary.tally.pairs = pairs.none();
  summary.executor = "host";
  summary.rigor = "sampled";
  summary.requested = requested;
  summary.tally.classes.resize(2);
  for (std::size_t c = 0; c < 2; ++c) {
    ClaimTally claim;
    claim.executed_by_class.resize(2);
    claim.features.assign(1, std::vector<Worst>(6));
    summary.tally.claims.push_back(claim);
  }
  summary.findings.resize(2);
  for (std::uint64_t i = shard; i < requested; i += shards) {
    const std::size_t which = i % 4 == 3 ? 1 : 0;
    Tally::ByClass& drawn = summary.tally.classes[which];
    ++drawn.planned;
    if (i % 10 == 9) {
      ++drawn.rejected;
      continue;
    }
    ++drawn.executed;
    ++drawn.inexact;
    summary.tally.bits.add(i, record(static_cast<int>(i)), numbers(Words::Shape::scalar, {static_cast<double>(i)}));
    pairs.see({which, which == 1 && i % 8 == 7 ? std::size_t{1} : 0}, summary.tally.pairs);
    ++summary.tally.errors[ulp_bin(static_cast<double>(static_cast<int>(i % 9) - 4) / 8)];
    Judgement error{Verdict::holds, 1.0 / static_cast<double>(i + 2), 0};
    if (broken && i % 7 == 6) error = {Verdict::violated, 1.5 + static_cast<double>(i), 0};
    error.terms = {{{"3u²|s|", error.tightness / 2}, {"γ|x|", i % 5 == 0 ? error.tightness / 2 : 0}}};
    if (i % 3 == 0) error.boundary = -20 - static_cast<long>(i % 9);
    summary.tally.claims[0].add(error, i, which);
    summary.tally.claims[0].features[0][i % 6].take(error.tightness, i);
    summary.tally.claims[1].add(Judgement::pass(), i, which);
    summary.tally.claims[1].features[0][i % 6].take(0, i);
  }
  for (std::size_t c = 0; c < 2; ++c) {
    const ClaimTally& tally = summary.tally.claims[c];
    store::ClaimFinding& finding = summary.findings[c];
    if (tally.executed == 0) continue;
    const std::string& id = summary.info.claims[c].id;
    finding.verdict = tally.violated > 0 ? store::Finding::violated : store::Finding::holds;
    finding.hardest =
        case_file(name, id, static_cast<int>(tally.worst.number) + 1, store::Why::hardest, tally.worst.ratio);
    if (tally.violated > 0) {
      finding.failing_number = tally.first_violated;
      finding.failure = case_file(name, id, static_cast<int>(tally.first_violated) + 1, store::Why::violated, 2.5);
      finding.shrink_tried = 100 + tally.first_violated;
      finding.shrink_minimal = true;
      finding.reproduced = 3;
    }
  }
  return summary;
}

inline store::PropertySummary with_verdict(std::string name, store::Finding verdict) {
  store::PropertySummary one =
      property(name, verdict != store::Finding::holds && verdict != store::Finding::not_run, 200);
  one.findings[0].verdict = verdict;
  one.info.claims[0].is_open = verdict == store::Finding::broken;
  one.info.claims[0].expected_refuted =
      verdict == store::Finding::refuted_as_expected || verdict == store::Finding::not_refuted;
  if (verdict == store::Finding::crashed || verdict == store::Finding::hung ||
      verdict == store::Finding::out_of_memory) {
    one.stops = {3, 76, verdict, "ended by SIGSEGV", false, false};
    one.note = "stopped";
    one.stopped_by = case_file(name, "", 77, store::Why::violated, std::numeric_limits<double>::infinity());
  }
  if (verdict == store::Finding::not_run) one.note = "no CUDA device";
  return one;
}

inline store::Summary summary() {
  store::Summary all;
  all.seed = 1;
  all.tier = "quick";
  all.provenance = {{"commit", "0123abc"}, {"compiler", "g++ 12.2 <-O2 & co>"}, {"device", "host"}};
  const std::vector<std::pair<std::string, store::Finding>> verdicts{
      {"dw.accurate_add", store::Finding::holds},
      {"dw.sloppy_add", store::Finding::refuted_as_expected},
      {"dw.times", store::Finding::violated},
      {"eft.two_sum", store::Finding::undecided},
      {"eft.unrefuted", store::Finding::not_refuted},
      {"op.add", store::Finding::crashed},
      {"op.div", store::Finding::hung},
      {"op.mul", store::Finding::out_of_memory},
      {"outside.dot", store::Finding::broken},
      {"sum.atomic", store::Finding::flaky},
      {"sum.kahan", store::Finding::not_run}};
  for (const auto& [name, verdict] : verdicts) all.properties.push_back(with_verdict(name, verdict));
  all.properties[0].findings[0].corpus_executed = 5;
  all.properties[0].findings[0].corpus_ratio = 0.75;
  all.properties[0].findings[0].corpus_hardest = "0123456789abcdef";
  all.properties[0].findings[0].corpus_date = "2026-11-21";
  all.properties[2].findings[0].corpus_surprises = {"0123456789abcdef"};
  all.properties[1].findings[0].other_ratios = {
      "corpus case 0123456789abcdef refutes the control by 3 times its bound, and stores 2"};
  all.mutants = {{"E1", "TwoSum without its last correction", "eft.two_sum/exact", 12, "0x1p+0 0x1p-54", 2, true},
                 {"H1", "the oracle rounds toward zero", "", 0, "", 0, false}};
  return all;
}

}  // namespace assay::sample
