#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "assay/store/json.hpp"
#include "assay/store/summary_io.hpp"

namespace assay::store {

namespace {

/// Distinct texts joined in sorted order: an associative and commutative union.
std::string side_by_side(const std::string& a, const std::string& b) {
  constexpr std::string_view between = " | ";
  std::set<std::string> parts;
  for (std::string_view text : {std::string_view(a), std::string_view(b)}) {
    while (!text.empty()) {
      const std::size_t end = text.find(between);
      parts.emplace(text.substr(0, end));
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + between.size());
    }
  }
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : std::string(between)) + part;
  return joined;
}

/// The verdict that a merged claim keeps: the larger one. Verdicts of a failing case are neighbors, because the
/// smallest failing number decides between them; so are verdicts of a case without an answer.
int severity(Finding finding) {
  switch (finding) {
    case Finding::violated:
    case Finding::flaky:
    case Finding::refuted_as_expected:
    case Finding::broken:
      return 6;
    case Finding::crashed:
    case Finding::hung:
    case Finding::out_of_memory:
      return 5;
    case Finding::undecided:
      return 4;
    case Finding::not_refuted:
      return 3;
    case Finding::holds:
      return 2;
    case Finding::not_run:
      return 0;
  }
  return 0;
}

std::string bytes_of(const std::optional<CaseFile>& file) { return file ? compact(case_to_json(*file)) : ""; }

/// Orders findings by their failure: one with a failing case first, then the smaller number, then content, so that
/// the choice does not depend on the order of merging.
bool fails_before(const ClaimFinding& a, const ClaimFinding& b) {
  const auto key = [](const ClaimFinding& finding) {
    return std::tuple(finding.failing_number, !finding.failure.has_value(), bytes_of(finding.failure), finding.verdict,
                      finding.shrink_tried, !finding.shrink_minimal, finding.reproduced);
  };
  return key(a) < key(b);
}

/// Orders runs by the case that stopped them: one of the corpus, then the smaller number, then content.
bool stops_before(const PropertySummary& a, const PropertySummary& b) {
  const auto key = [](const PropertySummary& run) {
    return std::tuple(!run.stops.corpus, run.stops.corpus ? no_case : run.stops.first, !run.stopped_by.has_value(),
                      bytes_of(run.stopped_by));
  };
  return key(a) < key(b);
}

/// The first of both, their counts added. Associative and commutative.
Stops merge_stops(const Stops& a, const Stops& b) {
  Stops merged = std::tie(b.first, b.kind, b.what) < std::tie(a.first, a.kind, a.what) ? b : a;
  merged.count = a.count + b.count;
  merged.cut_short = a.cut_short || b.cut_short;
  merged.corpus = a.corpus || b.corpus;
  return merged;
}

/// The elements of one list or of both, sorted.
template <class T>
std::vector<T> both_lists(const std::vector<T>& a, const std::vector<T>& b) {
  std::set<T> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return {all.begin(), all.end()};
}

/// Orders findings by their hardest corpus case: the larger ratio, then the smaller id, then the earlier day.
bool harder_in_corpus(const ClaimFinding& a, const ClaimFinding& b) {
  return std::tuple(-a.corpus_ratio, a.corpus_hardest, a.corpus_date) <
         std::tuple(-b.corpus_ratio, b.corpus_hardest, b.corpus_date);
}

/// If both findings are of cases without an answer, `a_stops_first` says whether the verdict comes from `a`.
ClaimFinding merge_findings(const ClaimFinding& a, const Worst& worst_a, const ClaimFinding& b, const Worst& worst_b,
                            bool a_stops_first) {
  const bool a_first = fails_before(a, b);
  const ClaimFinding& first = a_first ? a : b;
  ClaimFinding merged = first;
  const int of_a = severity(a.verdict);
  const int of_b = severity(b.verdict);
  const bool both_stopped = of_a == of_b && of_a == severity(Finding::crashed);
  const bool a_decides = both_stopped ? a_stops_first : of_a == of_b ? a_first : of_a > of_b;
  merged.verdict = a_decides ? a.verdict : b.verdict;

  Worst both = worst_a;
  both.take(worst_b.ratio, worst_b.number);
  if (worst_a == worst_b) {
    merged.hardest = bytes_of(a.hardest) > bytes_of(b.hardest) ? a.hardest : b.hardest;
  } else {
    merged.hardest = both == worst_a ? a.hardest : b.hardest;
  }
  merged.corpus_executed = a.corpus_executed + b.corpus_executed;
  const ClaimFinding& harder = harder_in_corpus(a, b) ? a : b;
  merged.corpus_ratio = harder.corpus_ratio;
  merged.corpus_hardest = harder.corpus_hardest;
  merged.corpus_date = harder.corpus_date;
  merged.corpus_surprises = both_lists(a.corpus_surprises, b.corpus_surprises);
  merged.also_accepts = both_lists(a.also_accepts, b.also_accepts);
  merged.other_ratios = both_lists(a.other_ratios, b.other_ratios);
  return merged;
}

void merge_into(PropertySummary& into, const PropertySummary& other) {
  const std::string name = into.info.name + " on " + into.executor;
  if (info_to_json(into.info) != info_to_json(other.info) || into.requested != other.requested) {
    throw std::invalid_argument("runs of " + name + " differ in domain, claims or number of cases");
  }
  const bool stops_first = stops_before(into, other);
  for (std::size_t c = 0; c < into.findings.size(); ++c) {
    into.findings[c] = merge_findings(into.findings[c], into.tally.claims[c].worst, other.findings[c],
                                      other.tally.claims[c].worst, stops_first);
  }
  into.tally.merge(other.tally);
  into.partial = into.partial || other.partial;
  // A part that was stopped or ended early is not a proof, and neither is the whole.
  into.rigor = std::max(into.rigor, other.rigor);
  into.stops = merge_stops(into.stops, other.stops);
  into.note = into.stops.count == 0 ? side_by_side(into.note, other.note) : describe(into.stops);
  if (!stops_first) into.stopped_by = other.stopped_by;
}

/// "E10" after "E9".
std::tuple<std::string, std::size_t, std::string> catalogue_key(const std::string& id) {
  const std::size_t digits = std::min(id.find_first_of("0123456789"), id.size());
  std::size_t end = digits;
  std::size_t number = 0;
  while (end < id.size() && id[end] >= '0' && id[end] <= '9' && number < 1'000'000) {
    number = 10 * number + static_cast<std::size_t>(id[end++] - '0');
  }
  return {id.substr(0, digits), number, id.substr(end)};
}

auto content(const Summary::MutantRow& row) {
  return std::tie(row.caught, row.caught_by, row.cases_to_kill, row.reproducer, row.significant_bits, row.what);
}

}  // namespace

std::string describe(const Stops& stops) {
  if (stops.count == 0) return "";
  return std::string(word(stops.kind)) + " on case " + std::to_string(stops.first) + ": " + stops.what +
         (stops.count > 1 ? "; " + std::to_string(stops.count) + " such cases" : "") +
         (stops.cut_short ? "; the remaining cases were not run" : "");
}

void sort(Summary& summary) {
  std::sort(summary.properties.begin(), summary.properties.end(),
            [](const PropertySummary& a, const PropertySummary& b) {
              return std::tie(a.info.name, a.executor) < std::tie(b.info.name, b.executor);
            });
  std::sort(summary.mutants.begin(), summary.mutants.end(),
            [](const Summary::MutantRow& a, const Summary::MutantRow& b) {
              return catalogue_key(a.id) < catalogue_key(b.id);
            });
}

Summary merge(std::span<const Summary> summaries) {
  if (summaries.empty()) throw std::invalid_argument("nothing to merge");
  Summary merged;
  merged.seed = summaries.front().seed;
  merged.tier = summaries.front().tier;
  std::map<std::pair<std::string, std::string>, PropertySummary> properties;
  std::map<std::string, Summary::MutantRow> mutants;
  for (const Summary& summary : summaries) {
    if (summary.seed != merged.seed) {
      throw std::invalid_argument("runs with different seeds: " + std::to_string(merged.seed) + " and " +
                                  std::to_string(summary.seed));
    }
    if (summary.tier != merged.tier) {
      throw std::invalid_argument("runs of different tiers: " + merged.tier + " and " + summary.tier);
    }
    for (const auto& [key, text] : summary.provenance) {
      std::string& mine = merged.provenance[key];
      if (!mine.empty() && mine != text && key.starts_with(subject_key(""))) {
        throw std::invalid_argument("runs of two kernels by one name, " + key + ": " + mine + " and " + text +
                                    "; name them by --as");
      }
      const bool is_of_build = key == "version" || key == "commit" || key.starts_with(build_key(""));
      if (!mine.empty() && mine != text && is_of_build) {
        throw std::invalid_argument("runs of two builds, " + key + ": " + mine + " and " + text);
      }
      const bool is_call = key == program_key || key.starts_with(options_key("")) || key.starts_with(call_key(""));
      mine = !is_call ? side_by_side(mine, text) : mine.empty() ? text : std::min(mine, text);
    }
    for (const PropertySummary& property : summary.properties) {
      const auto [at, is_new] = properties.try_emplace({property.info.name, property.executor}, property);
      if (!is_new) merge_into(at->second, property);
    }
    merged.same_on = both_lists(merged.same_on, summary.same_on);
    merged.orders = both_lists(merged.orders, summary.orders);
    for (const Summary::MutantRow& row : summary.mutants) {
      const auto [at, is_new] = mutants.try_emplace(row.id, row);
      if (!is_new && content(row) < content(at->second)) at->second = row;
    }
  }
  for (auto& [key, property] : properties) {
    const std::uint64_t planned = total(property.tally).planned;
    if (planned > property.requested) {
      throw std::invalid_argument(property.info.name + " on " + property.executor + " has " + std::to_string(planned) +
                                  " cases of " + std::to_string(property.requested) + ": a shard is there twice");
    }
    merged.properties.push_back(std::move(property));
  }
  for (auto& [id, row] : mutants) merged.mutants.push_back(std::move(row));
  sort(merged);
  return merged;
}

}  // namespace assay::store
