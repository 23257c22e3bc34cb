#include "assay/campaign/findings.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>

#include "assay/store/json.hpp"
#include "assay/store/summary_io.hpp"
#include "properties/framework/operation.hpp"

namespace assay::campaign {
namespace {

constexpr int repetitions = 3;

store::CaseFile case_file(const PropertyModel& property, const std::string& executor, Record inputs) {
  store::CaseFile file;
  file.property = property.info().name;
  file.executor = executor;
  file.format = property.info().format;
  file.inputs = std::move(inputs);
  return file;
}

/// The claims about agreement with another run of the same cases: a case that fails them in a batch need not fail them
/// alone.
bool is_about_repetition(const PropertyInfo& info, std::size_t claim) {
  const std::size_t own = info.claims.size() - static_cast<std::size_t>(Unasked::count);
  return claim == own + static_cast<std::size_t>(Unasked::same_bits) ||
         claim == own + static_cast<std::size_t>(Unasked::batch);
}

/// A larger result is not written to the file of a hardest case: `replay` and `eval` compute it again.
constexpr std::size_t most_words_of_hardest = 64;

/// Whether a record has more numbers than the cases that a domain draws by default.
bool is_large(const Record& record) {
  constexpr std::size_t most = 8192;
  return std::ranges::any_of(record.fields, [](const FieldValue& each) {
    const auto* const words = std::get_if<Words>(&each.value);
    return words != nullptr && words->bits.size() > most;
  });
}

/// The case as one claim, or all claims, judge it. `stop`: why there is no outcome.
std::optional<CaseOutcome> judge_one(process::Asker& asker, const Record& record, std::optional<std::size_t> claim,
                                     std::optional<process::Stop>& stop) {
  process::Answer<std::vector<CaseOutcome>> answer = asker.judge(std::span(&record, 1), claim);
  if (auto* outcomes = std::get_if<std::vector<CaseOutcome>>(&answer)) {
    return std::move(outcomes->front());
  }
  stop = std::move(std::get<process::Stop>(answer));
  return std::nullopt;
}
std::optional<CaseOutcome> judge_one(process::Asker& asker, const Record& record, std::optional<std::size_t> claim) {
  std::optional<process::Stop> stop;
  return judge_one(asker, record, claim, stop);
}

}  // namespace

store::CaseFile hardest_case(const PropertyModel& property, const std::string& executor, process::Asker& asker,
                             Record inputs, std::size_t claim) {
  const std::optional<CaseOutcome> outcome = judge_one(asker, inputs, claim);
  store::CaseFile file = case_file(property, executor, std::move(inputs));
  file.claim = property.info().claims[claim].id;
  if (outcome) {
    file.evidence = evidence_of(*outcome, claim);
    if (file.evidence->got.size() > most_words_of_hardest) file.evidence->got.clear();
  }
  const bool fails = outcome && failure_of(*outcome, claim).has_value();
  file.expected = fails && property.info().claims[claim].expected_refuted ? "violated" : "holds";
  file.why = store::Why::hardest;
  return file;
}

std::size_t first_failing(process::Asker& asker, const Record& inputs, std::span<const std::size_t> claims) {
  const std::optional<CaseOutcome> outcome = judge_one(asker, inputs, std::nullopt);
  for (const std::size_t each : claims) {
    if (outcome && failure_of(*outcome, each)) return each;
  }
  return claims.front();
}

namespace {

class Conclusion {
 public:
  Conclusion(const CampaignSettings& settings, const Planned& planned, process::Asker& asker, const Gathered& gathered)
      : settings_(settings),
        property_(*planned.property),
        executor_(planned.executor),
        asker_(asker),
        gathered_(gathered) {}

  /// `note`: if empty, gets the reason why a repetition gave no answer.
  store::ClaimFinding of_claim(std::size_t claim, std::string& note) const {
    const ClaimInfo& info = property_.info().claims[claim];
    const ClaimTally& tally = gathered_.tally.claims[claim];
    store::ClaimFinding finding;
    bool corpus_violated = false;
    bool corpus_undecided = false;
    if (claim < gathered_.corpus.claims.size()) {
      const CorpusFindings::OfClaim& corpus = gathered_.corpus.claims[claim];
      finding.corpus_executed = corpus.executed;
      finding.corpus_ratio = corpus.ratio;
      finding.corpus_hardest = corpus.hardest;
      finding.corpus_date = corpus.date;
      finding.corpus_surprises = corpus.surprises;
      finding.other_ratios = corpus.other_ratios;
      finding.failure = corpus.failure;
      corpus_violated = corpus.violated != 0;
      corpus_undecided = corpus.undecided != 0;
    }
    bool flaky = false;
    std::optional<process::Stop> stop_of_repetition;
    if (tally.violated != 0) {
      stop_of_repetition = investigate(claim, tally.first_violated, finding);
      flaky = finding.reproduced < repetitions && !is_about_repetition(property_.info(), claim);
    }
    if (tally.worst.number != no_case && tally.worst.ratio > 0) {
      keep_hardest(claim, tally.worst, finding);
    }
    const bool surprised = !finding.corpus_surprises.empty();
    if (stop_of_repetition) {
      finding.verdict = stop_of_repetition->kind;
      if (note.empty()) {
        note = std::string(store::word(finding.verdict)) + " in a repetition of case " +
               std::to_string(finding.failing_number) + ": " + stop_of_repetition->what;
      }
    } else if (flaky) {
      finding.verdict = store::Finding::flaky;
    } else if (info.expected_refuted && (tally.violated != 0 || corpus_violated)) {
      finding.verdict = store::Finding::refuted_as_expected;
    } else if (tally.violated != 0 || surprised || (corpus_violated && !info.expected_refuted)) {
      finding.verdict = info.is_open ? store::Finding::broken : store::Finding::violated;
    } else if (const std::optional<store::Finding> stop = stopped(); stop) {
      finding.verdict = *stop;
    } else if (tally.undecided != 0 || corpus_undecided) {
      finding.verdict = store::Finding::undecided;
    } else if (tally.executed == 0) {
      finding.verdict = store::Finding::not_run;
    } else {
      finding.verdict = info.expected_refuted ? store::Finding::not_refuted : store::Finding::holds;
    }
    return finding;
  }

  /// The first case without an answer, shrunk in fresh workers.
  std::optional<store::CaseFile> stopped_by() const {
    if (gathered_.corpus.stopped_by) {
      return gathered_.corpus.stopped_by;
    }
    if (gathered_.offenders.empty()) {
      return std::nullopt;
    }
    const Offender& first = gathered_.offenders.front();
    std::optional<Record> record = property_.make(settings_.seed, first.number);
    if (!record) {
      return std::nullopt;
    }
    if (settings_.shrink) {
      FailureKind kind;
      kind.stop = first.kind;
      record = shrunk_from(*record, kind).record;
    }
    store::CaseFile file = case_file(property_, executor_, std::move(*record));
    file.expected = "holds";
    file.why = store::Why::violated;
    return file;
  }

 private:
  Shrunk shrunk_from(const Record& record, const FailureKind& kind) const {
    constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
    return shrink_case(property_, asker_, record, kind, settings_.shrink_steps,
                       settings_.has_large_shapes ? numbers_for(record) : no_limit);
  }

  std::optional<store::Finding> stopped() const {
    if (gathered_.corpus.stop) {
      return gathered_.corpus.stop;
    }
    return gathered_.offenders.empty() ? std::nullopt : std::optional(gathered_.offenders.front().kind);
  }

  /// Repeats the failing case and shrinks it. Returns how a repetition without an answer ended: this is a fact about
  /// the kernel, not about the claim.
  std::optional<process::Stop> investigate(std::size_t claim, std::uint64_t number,
                                           store::ClaimFinding& finding) const {
    finding.failing_number = number;
    std::optional<process::Stop> stop;
    std::optional<Record> record = property_.make(settings_.seed, number);
    if (!record) {
      return stop;
    }
    std::optional<CaseOutcome> outcome;
    std::optional<FailureKind> kind;
    for (int i = 0; i < repetitions; ++i) {
      std::optional<CaseOutcome> again = judge_one(asker_, *record, claim, stop);
      std::optional<FailureKind> how = again ? failure_of(*again, claim) : std::nullopt;
      if (how) {
        ++finding.reproduced;
      }
      if (!outcome || (how && !kind)) {
        outcome = std::move(again);
        kind = how;
      }
    }
    if (finding.reproduced == repetitions && settings_.shrink) {
      Shrunk shrunk = shrunk_from(*record, *kind);
      record = std::move(shrunk.record);
      finding.shrink_tried = shrunk.tried;
      finding.shrink_minimal = shrunk.minimal;
      if (shrunk.outcome) {
        outcome = std::move(shrunk.outcome);
      }
    }
    store::CaseFile file = case_file(property_, executor_, std::move(*record));
    file.claim = property_.info().claims[claim].id;
    if (outcome) {
      file.evidence = evidence_of(*outcome, claim);
    }
    file.expected = property_.info().claims[claim].expected_refuted ? "violated" : "holds";
    file.why = store::Why::violated;
    finding.failure = std::move(file);
    return finding.reproduced < repetitions ? stop : std::nullopt;
  }

  void keep_hardest(std::size_t claim, const Worst& worst, store::ClaimFinding& finding) const {
    std::optional<Record> record = property_.make(settings_.seed, worst.number);
    if (record && !(settings_.has_large_shapes && is_large(*record))) {
      finding.hardest = hardest_case(property_, executor_, asker_, std::move(*record), claim);
    }
  }

  const CampaignSettings& settings_;
  const PropertyModel& property_;
  const std::string& executor_;
  process::Asker& asker_;
  const Gathered& gathered_;
};

/// The statement of the corpus entry about the claims, given the outcome.
void weigh(const PropertyInfo& info, const store::Corpus::Entry& entry, const CaseOutcome& outcome,
           CorpusFindings& found) {
  const bool should_fail = entry.file.expected == "violated";
  for (std::size_t c = 0; c < info.claims.size(); ++c) {
    const ClaimOutcome& of_claim = outcome.claims[c];
    if (!of_claim.applies) {
      continue;
    }
    CorpusFindings::OfClaim& claim = found.claims[c];
    const bool named = info.claims[c].id == contract_today(entry.file.claim);
    const bool fails = of_claim.judgement.verdict == Verdict::violated;
    ++claim.executed;
    claim.violated += fails ? 1 : 0;
    claim.undecided += of_claim.judgement.verdict == Verdict::undecided ? 1 : 0;
    if (of_claim.judgement.tightness > claim.ratio) {
      claim.ratio = of_claim.judgement.tightness;
      claim.hardest = entry.id;
      claim.date = entry.file.date;
    }
    const bool is_promised = !info.claims[c].is_open;
    const bool surprise = named && is_promised ? fails != should_fail : fails && !info.claims[c].expected_refuted;
    if (const auto other = other_ratio(info, c, entry.file, of_claim, entry.file.executor)) {
      claim.other_ratios.push_back("corpus case " + entry.id + " " + *other);
    }
    if (surprise) {
      claim.surprises.push_back(entry.id);
      if (!claim.failure) {
        claim.failure = entry.file;
        claim.failure->date.clear();  // a case of this run
        claim.failure->claim = info.claims[c].id;
        claim.failure->evidence = evidence_of(outcome, c);
        claim.failure->why = store::Why::violated;
      }
    }
  }
}

}  // namespace

store::CaseFile::Evidence evidence_of(const CaseOutcome& outcome, std::size_t claim) {
  const ClaimOutcome& of_claim = outcome.claims.at(claim);
  store::CaseFile::Evidence evidence;
  evidence.got = store::hex_words(outcome.got);
  evidence.exact = of_claim.exact;
  evidence.ratio = of_claim.judgement.tightness;
  evidence.ulps = of_claim.ulps;
  if (outcome.components > 1 && !of_claim.exact.empty()) {
    evidence.components = outcome.components;
    evidence.worst = of_claim.judgement.component;
    evidence.bad = std::min(of_claim.judgement.violations(), outcome.components);
  }
  return evidence;
}

std::optional<std::string> other_ratio(const PropertyInfo& info, std::size_t claim, const store::CaseFile& witness,
                                       const ClaimOutcome& outcome, const std::string& executor) {
  const ClaimInfo& control = info.claims[claim];
  const bool is_from_library = executor != "host" && info.device_only;
  if (!control.expected_refuted || control.id != witness.claim || witness.expected != "violated" || !witness.evidence ||
      is_from_library || outcome.judgement.verdict != Verdict::violated) {
    return std::nullopt;
  }
  const double stored = witness.evidence->ratio;
  const double found = outcome.judgement.tightness;
  if (std::bit_cast<std::uint64_t>(stored) == std::bit_cast<std::uint64_t>(found)) return std::nullopt;
  const auto digits = [](double ratio) { return store::compact(store::ratio_to_json(ratio)); };
  return "refutes the control by " + digits(found) + " times its bound, and stores " + digits(stored);
}

CorpusFindings replay_corpus(const PropertyModel& property, const std::string& executor, process::Asker& asker,
                             const std::filesystem::path& corpus) {
  CorpusFindings found;
  const PropertyInfo& info = property.info();
  found.claims.resize(info.claims.size());
  const store::Corpus::Contents contents = store::Corpus(corpus).read(info.name);
  for (const store::CorpusProblem& problem : contents.problems) {
    found.damaged = found.damaged || problem.damaged;
    found.lines.push_back(problem.what);
  }
  for (const store::Corpus::Entry& entry : contents.entries) {
    store::CaseFile file;
    try {
      file = store::fitted(entry.file, property);
    } catch (const std::invalid_argument& error) {
      found.lines.push_back(entry.path.string() + ": tests nothing: " + error.what());
      continue;
    }
    const bool known =
        file.claim.empty() || std::any_of(info.claims.begin(), info.claims.end(),
                                          [&](const ClaimInfo& each) { return each.id == contract_today(file.claim); });
    if (!known || !property.contains(file.inputs)) {
      found.lines.push_back(entry.path.string() + ": tests nothing: " +
                            (known ? "the case is outside the domain" : "no claim " + file.claim));
      continue;
    }
    process::Answer<std::vector<CaseOutcome>> answer = asker.judge(std::span(&file.inputs, 1));
    if (const auto* stop = std::get_if<process::Stop>(&answer)) {
      found.lines.push_back(info.name + " on " + executor + ": " + std::string(store::word(stop->kind)) +
                            " on corpus case " + entry.id + ": " + stop->what);
      if (!found.stop) {
        found.stop = stop->kind;
        found.stopped_by = file;
        found.stopped_by->date.clear();
        found.stopped_by->executor = executor;
      }
      continue;
    }
    store::Corpus::Entry shaped = entry;
    shaped.file = std::move(file);
    shaped.file.executor = executor;
    weigh(info, shaped, std::get<std::vector<CaseOutcome>>(answer).front(), found);
  }
  return found;
}

store::PropertySummary conclude(const CampaignSettings& settings, const Planned& planned, process::Asker& asker,
                                Gathered gathered) {
  const PropertyInfo& info = planned.property->info();
  store::PropertySummary summary;
  summary.info = info;
  summary.executor = planned.executor;
  summary.requested = planned.requested;
  summary.partial = gathered.partial;
  const bool whole =
      info.enumeration_size != 0 && !gathered.partial && !gathered.cut_short && gathered.offenders.empty();
  summary.rigor = whole ? "exhaustive" : "sampled";
  const Conclusion conclusion(settings, planned, asker, gathered);
  // Findings of claims that were not selected are dropped below: their failures are neither repeated nor shrunk.
  const auto is_planned = [&](std::size_t c) {
    return planned.claims.empty() || (c < planned.claims.size() && planned.claims[c]);
  };
  for (std::size_t c = 0; c < info.claims.size(); ++c) {
    summary.findings.push_back(is_planned(c) ? conclusion.of_claim(c, summary.note) : store::ClaimFinding());
  }
  summary.stopped_by = conclusion.stopped_by();
  if (!gathered.offenders.empty()) {
    const Offender& first = gathered.offenders.front();
    summary.stops = {gathered.offenders.size(), first.number, first.kind, first.what, gathered.cut_short, false};
    summary.note = store::describe(summary.stops);
  }
  summary.stops.corpus = gathered.corpus.stop.has_value();
  summary.tally = std::move(gathered.tally);
  if (!planned.claims.empty()) store::keep_claims(summary, planned.claims);
  return summary;
}

}  // namespace assay::campaign
