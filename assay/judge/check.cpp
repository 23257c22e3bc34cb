// A whole check through the C interface: the cases of a corpus, drawn cases, shrinking, the ladder, the controls.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "assay/campaign/findings.hpp"
#include "assay/campaign/ladder.hpp"
#include "assay/judge/objects.hpp"
#include "assay/store/corpus.hpp"
#include "assay/store/json.hpp"

using assay::judge::give;
using assay::judge::guarded;
using assay::judge::require;
using assay::judge::taken;
using assay::store::Json;

namespace {

/// A case on which the kernel gave no answer, and its reason.
struct Stopped {
  assay::Record record;
  std::string what;
};

class Check {
 public:
  Check(assay_judge& judge, const assay_check_options& options)
      : judge_(judge),
        options_(options),
        asker_(assay::process::ask_in_process(*judge.property, "host", judge.seed)),
        planned_{judge.property.get(), "host", options.cases == 0 ? judge.quick_cases() : options.cases, {}} {
    const std::uint64_t all = judge.info().enumeration_size;
    if (all != 0) planned_.requested = std::min(planned_.requested, all);
    if (options.corpus != nullptr) corpus_ = options.corpus;
    for (const assay::ClaimInfo& each : judge.info().claims) {
      planned_.claims.push_back(assay::campaign::is_asked(judge.operation, each.id, judge.promised));
    }
  }

  std::unique_ptr<assay_report> run() {
    assay::campaign::Gathered gathered;
    gathered.tally = judge_.property->empty_tally();
    if (!corpus_.empty()) {
      gathered.corpus = assay::campaign::replay_corpus(*judge_.property, "host", *asker_, corpus_);
      if (gathered.corpus.stop) note_stop(gathered.corpus.lines.back());
    }
    if (!stopped_) {
      // A part of all inputs is spread over them.
      const std::uint64_t all = judge_.info().enumeration_size;
      auto answer = asker_->run({0, all == 0 ? 1 : all / planned_.requested, planned_.requested});
      if (const auto* stop = std::get_if<assay::process::Stop>(&answer)) {
        note_stop(stop->what);
      } else {
        gathered.tally = std::get<assay::Tally>(std::move(answer));
      }
    }
    for (std::size_t c = 0; c < planned_.claims.size(); ++c) {
      if (!planned_.claims[c]) gathered.tally.claims[c] = {};
    }
    assay::campaign::CampaignSettings settings;
    settings.seed = judge_.seed;
    settings.shrink = options_.shrink_steps != 0;
    settings.shrink_steps = options_.shrink_steps;
    settings.has_large_shapes = !judge_.question.shapes.empty();
    if (stopped_) gathered.tally = judge_.property->empty_tally();
    lines_ = gathered.corpus.lines;
    summary_ = assay::campaign::conclude(settings, planned_, *asker_, std::move(gathered));
    return told();
  }

 private:
  /// The kernel gave no answer to the last case.
  void note_stop(const std::string& what) {
    const std::string& reason = judge_.kernel->failure();
    stopped_ = Stopped{judge_.kernel->asked().value_or(assay::Record{}), reason.empty() ? what : reason};
    if (options_.shrink_steps == 0) return;
    assay::campaign::FailureKind kind;
    kind.stop = assay::store::Finding::crashed;
    stopped_->record = assay::campaign::shrink_case(*judge_.property, *asker_, stopped_->record, kind,
                                                    std::min<std::uint64_t>(options_.shrink_steps, 200),
                                                    assay::campaign::numbers_for(stopped_->record))
                           .record;
    tell_reason_of_shrunk_case();
  }

  /// The kernel runs on the shrunk case once more, so that the reason belongs to the case that is shown.
  void tell_reason_of_shrunk_case() {
    try {
      judge_.property->evaluate(assay::Executor::host(), std::span(&stopped_->record, 1));
    } catch (const assay::judge::SubjectFailed& error) {
      stopped_->what = error.what();
    } catch (const std::exception&) {
      // A kernel that fails only now and then keeps the reason of its first failure.
    }
  }

  /// A case in the form of the report; it is written to the corpus if `keep` is set.
  Json case_of(const assay::store::CaseFile& file, bool keep) {
    Json told{{"id", assay::store::case_id(file)}, {"claim", file.claim}};
    if (keep && !corpus_.empty()) {
      assay::store::Corpus(corpus_).add(file);
      told["file"] = (corpus_ / file.property / (assay::store::case_id(file) + ".json")).string();
    }
    told["text"] = assay::store::describe(file.inputs);
    told["case"] = assay::store::case_to_json(file).at("case");
    if (file.evidence) {
      const assay::store::CaseFile::Evidence& evidence = *file.evidence;
      told["got"] = evidence.got;
      told["exact"] = evidence.exact;
      told["ratio"] = assay::store::ratio_to_json(evidence.ratio);
      told["ulps"] = assay::store::ulps_to_json(evidence.ulps);
      told["worst"] = evidence.worst;
      told["bad"] = evidence.bad;
      told["components"] = evidence.components;
      if (const std::optional<double> bound = bound_of(file)) told["bound"] = *bound;
    }
    return told;
  }

  /// How far the worst number of a failing case may be from the exact one; empty if the contract has no number.
  std::optional<double> bound_of(const assay::store::CaseFile& file) {
    const assay::Contract* const contract = judge_.operation.find(file.claim);
    if (contract == nullptr || file.why != assay::store::Why::violated) return std::nullopt;
    try {
      assay_case of(judge_, file.inputs);
      const double bound = assay::judge::bound_at(of, *contract, file.evidence->worst);
      return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
    } catch (const std::exception&) {
      return std::nullopt;  // the claim does not apply to a result of zeros
    }
  }

  /// Whether the claim is a failure: a promised contract, or one of the claims that every kernel must keep.
  bool fails(std::size_t claim) const {
    const assay::store::Finding verdict = summary_.findings[claim].verdict;
    return verdict == assay::store::Finding::violated || verdict == assay::store::Finding::flaky;
  }

  std::unique_ptr<assay_report> told() {
    auto report = std::make_unique<assay_report>();
    const std::vector<assay::Contract>& all = judge_.operation.contracts;
    std::vector<std::optional<bool>> kept(all.size());
    std::ranges::transform(all, kept.begin(),
                           [&](const assay::Contract& each) { return assay::campaign::kept(summary_, each.id); });
    const assay::Ladder ladder = assay::ladder_of(judge_.operation, kept);
    Json unasked = Json::object();
    for (const assay::Contract* const each : assay::left_to_ask(judge_.operation, kept))
      unasked[each->id] = each->kept_by;
    Json open = Json::array();
    Json contracts = Json::array();
    Json implicit = Json::array();
    for (std::size_t c = 0; c < summary_.info.claims.size(); ++c) {
      const assay::ClaimInfo& info = summary_.info.claims[c];
      const assay::store::ClaimFinding& finding = summary_.findings[c];
      const assay::ClaimTally& tally = summary_.tally.claims[c];
      Json claim{{"id", info.id},
                 {"verdict", assay::store::word(finding.verdict)},
                 {"cases", tally.executed + finding.corpus_executed},
                 {"ratio", assay::store::ratio_to_json(std::max(0.0, tally.worst.ratio))},
                 {"statement", info.statement},
                 {"source", info.source},
                 {"theorem", info.theorem},
                 {"preconditions", info.preconditions}};
      if (tally.swaps.tried != 0) claim["swaps"] = {{"tried", tally.swaps.tried}, {"seen", tally.swaps.seen}};
      if (tally.silence.components != 0) {
        claim["silence"] = {{"components", tally.silence.components},
                            {"of", tally.silence.components + tally.components},
                            {"why", tally.silence.why}};
      }
      if (finding.failure) claim["counterexample"] = case_of(*finding.failure, fails(c));
      if (finding.hardest) claim["hardest"] = case_of(*finding.hardest, false);
      const assay::Contract* const contract = judge_.operation.find(info.id);
      if (contract == nullptr) {
        implicit.push_back(std::move(claim));
        continue;
      }
      const std::optional<bool> is_kept = assay::campaign::kept(summary_, info.id);
      if (!is_kept) open.push_back(info.id);
      const bool in_ladder = std::ranges::find(ladder.kept, info.id) != ladder.kept.end() ||
                             std::ranges::find(ladder.broken, info.id) != ladder.broken.end();
      report->findings.push_back({info.id,
                                  !is_kept   ? ASSAY_UNDECIDED
                                  : *is_kept ? ASSAY_KEPT
                                             : ASSAY_BROKEN,
                                  in_ladder, tally.executed + finding.corpus_executed, std::max(0.0, tally.worst.ratio),
                                  finding.failure ? assay::store::case_id(*finding.failure) : ""});
      contracts.push_back(std::move(claim));
    }
    Json json{{"schema", 1},
              {"property", summary_.info.name},
              {"operation", judge_.operation.name},
              {"format", judge_.question.format},
              {"seed", judge_.seed},
              {"cases", planned_.requested},
              {"promised", judge_.promised},
              {"kept", ladder.kept},
              {"broken", ladder.broken},
              {"not_decided", std::move(open)},
              {"unasked", std::move(unasked)},
              {"contracts", std::move(contracts)},
              {"implicit", std::move(implicit)},
              {"corpus", lines_}};
    if (const assay::Cost& cost = summary_.tally.cost; cost.kernel != 0) {
      json["cost"] = {{"kernel", cost.kernel}, {"judge", cost.judge}};
    }
    if (stopped_) json["stopped"] = told_stop();
    if (options_.controls != 0) json["controls"] = told_controls();
    report->json = assay::store::compact(json);
    return report;
  }

  Json told_stop() {
    assay::store::CaseFile file = assay_case(judge_, stopped_->record).file("");
    file.why = assay::store::Why::violated;
    Json stop = case_of(file, true);
    stop["what"] = stopped_->what;
    return stop;
  }

  Json told_controls() const {
    assay::Question question = judge_.question;
    question.shapes.clear();  // a control is recognized by small cases
    const assay::campaign::Unrefused found = assay::campaign::judge_controls(judge_.operation, question, judge_.seed);
    return {{"count", judge_.operation.controls().size()}, {"passed", found.passed}, {"blind", found.blind}};
  }

  assay_judge& judge_;
  const assay_check_options& options_;
  std::unique_ptr<assay::process::Asker> asker_;
  assay::campaign::Planned planned_;
  std::filesystem::path corpus_{};
  std::optional<Stopped> stopped_{};
  std::vector<std::string> lines_{};
  assay::store::PropertySummary summary_{};
};

}  // namespace

assay_status assay_check(assay_judge* judge, assay_subject subject, void* self, const assay_check_options* options,
                         assay_report** out) {
  return guarded([&] {
    require(judge, "judge");
    require(reinterpret_cast<const void*>(subject), "subject");
    require(out, "out");
    const assay_check_options given = taken(options, "options");
    judge->kernel->ask(subject, self);
    *out = Check(*judge, given).run().release();
  });
}

void assay_report_close(assay_report* report) { delete report; }
const char* assay_report_json(const assay_report* report) { return report == nullptr ? nullptr : report->json.c_str(); }
size_t assay_report_finding_count(const assay_report* report) {
  return report == nullptr ? 0 : report->findings.size();
}

assay_status assay_report_finding_at(const assay_report* report, size_t i, assay_finding* out) {
  return guarded([&] {
    require(report, "report");
    if (i >= report->findings.size()) throw std::invalid_argument("i: the report has fewer findings");
    const assay_report::Finding& finding = report->findings[i];
    give({0, finding.contract.c_str(), finding.verdict, finding.in_ladder ? 1 : 0, finding.cases, finding.ratio,
          finding.case_id.empty() ? nullptr : finding.case_id.c_str()},
         out);
  });
}
