#include "assay/store/summary_io.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "assay/store/json_reader.hpp"

namespace assay::store {

namespace {

namespace fs = std::filesystem;

/// Summary documents name files; this reads each once.
class CaseFolder {
 public:
  explicit CaseFolder(const fs::path& dir) : dir_(dir) {}
  const CaseFile& at(const std::string& relative) {
    const auto found = files_.find(relative);
    if (found != files_.end()) return found->second;
    if (!relative.starts_with("cases/") || relative.find('/', 6) != std::string::npos) {
      throw JsonError("the file name \"" + relative + "\" does not lie in cases/");
    }
    return files_.emplace(relative, read_case(dir_ / relative, Strictness::stored)).first->second;
  }

 private:
  fs::path dir_;
  std::map<std::string, CaseFile> files_;
};

void add_reference(Json& value, const CaseFile& file) {
  value["file"] = "cases/" + case_id(file) + ".json";
  value["of_claim"] = file.claim;
  value["of_executor"] = file.executor;
  value["expected"] = file.expected;
  value["why"] = word(file.why);
  if (file.evidence) value["evidence"] = evidence_to_json(*file.evidence);
}

/// The inverse; nothing where the value names no file.
std::optional<CaseFile> read_reference(Reader& fields, CaseFolder& cases) {
  if (fields.find("file") == nullptr) return std::nullopt;
  CaseFile file = cases.at(fields.text("file"));
  file.claim = fields.text("of_claim");
  file.executor = fields.text("of_executor");
  file.expected = fields.text("expected");
  file.why = why_of_word(fields.text("why"));
  file.evidence.reset();
  if (const Json* evidence = fields.find("evidence"); evidence != nullptr) {
    file.evidence = evidence_from_json(*evidence);
  }
  return file;
}

Json claim_to_json(const PropertySummary& property, std::size_t c) {
  const ClaimInfo& info = property.info.claims[c];
  const ClaimTally& tally = property.tally.claims[c];
  const ClaimFinding& finding = property.findings[c];
  const Tally::ByClass all = total(property.tally);

  Json by_class = Json::object();
  for (std::size_t i = 0; i < property.info.classes.size(); ++i) {
    by_class[property.info.classes[i].name] = tally.executed_by_class[i];
  }
  Json worst = nullptr;
  if (finding.hardest || tally.worst != Worst{}) {
    worst = {{"number", number_or_null(tally.worst.number)}};
    if (finding.hardest) add_reference(worst, *finding.hardest);
  }
  Json failure = nullptr;
  if (finding.failure || finding.failing_number != no_case) {
    failure = {{"number", number_or_null(finding.failing_number)},
               {"shrink_tried", finding.shrink_tried},
               {"shrink_minimal", finding.shrink_minimal},
               {"reproduced", finding.reproduced}};
    if (finding.failure) add_reference(failure, *finding.failure);
  }
  Json features = Json::array();
  for (const auto& bins : tally.features) {
    Json row = Json::array();
    for (const Worst& bin : bins) row.push_back(worst_to_json(bin));
    features.push_back(std::move(row));
  }
  return {{"property", property.info.name},
          {"claim", info.id},
          {"statement", info.statement},
          {"source", info.source},
          {"preconditions", info.preconditions},
          {"expected", info.expected_refuted ? "violated" : "holds"},
          {"executor", property.executor},
          {"rigor", property.rigor},
          {"verdict", word(finding.verdict)},
          {"cases",
           {{"planned", all.planned},
            {"executed", tally.executed},
            {"rejected", all.rejected + tally.rejected},
            {"outside_preconditions", tally.rejected},
            {"violated", tally.violated},
            {"undecided", tally.undecided},
            {"components", tally.components},
            {"violated_components", tally.violated_components},
            {"by_class", std::move(by_class)}}},
          {"tightness", tally.worst == Worst{} ? Json(nullptr) : ratio_to_json(tally.worst.ratio)},
          {"worst", std::move(worst)},
          {"failure", std::move(failure)},
          {"first_violated", number_or_null(tally.first_violated)},
          {"first_undecided", number_or_null(tally.first_undecided)},
          {"histogram", tally.histogram},
          {"features", std::move(features)},
          {"corpus", {{"executed", finding.corpus_executed}, {"surprises", finding.corpus_surprises}}}};
}

void read_claim(const Json& value, CaseFolder& cases, PropertySummary& property) {
  Reader fields(value, "a claim");
  ClaimInfo info;
  ClaimTally tally;
  ClaimFinding finding;
  fields.text("property");
  info.id = fields.text("claim");
  info.statement = fields.text("statement");
  info.source = fields.text("source");
  info.preconditions = fields.text("preconditions");
  info.expected_refuted = fields.text("expected") == "violated";
  fields.text("executor");
  fields.text("rigor");
  finding.verdict = finding_of_word(fields.text("verdict"));

  Reader counts(fields.at("cases"), "\"cases\"");
  counts.count("planned");
  counts.count("rejected");
  tally.executed = counts.count("executed");
  tally.rejected = counts.count("outside_preconditions");
  tally.violated = counts.count("violated");
  tally.undecided = counts.count("undecided");
  tally.components = counts.count("components");
  tally.violated_components = counts.count("violated_components");
  Reader by_class(counts.at("by_class"), "\"by_class\"");
  for (const ClassInfo& each : property.info.classes) {
    tally.executed_by_class.push_back(by_class.count(each.name.c_str()));
  }
  by_class.finish();
  counts.finish();

  if (const Json& tightness = fields.at("tightness"); !tightness.is_null()) {
    tally.worst.ratio = ratio_from_json(tightness);
  }
  if (const Json& worst = fields.at("worst"); !worst.is_null()) {
    Reader inner(worst, "\"worst\"");
    tally.worst.number = number_of_null(inner.at("number"));
    finding.hardest = read_reference(inner, cases);
    inner.finish();
  }
  if (const Json& failure = fields.at("failure"); !failure.is_null()) {
    Reader inner(failure, "\"failure\"");
    finding.failing_number = number_of_null(inner.at("number"));
    finding.shrink_tried = inner.count("shrink_tried");
    finding.shrink_minimal = inner.truth("shrink_minimal");
    finding.reproduced = static_cast<int>(inner.count("reproduced"));
    finding.failure = read_reference(inner, cases);
    inner.finish();
  }
  tally.first_violated = number_of_null(fields.at("first_violated"));
  tally.first_undecided = number_of_null(fields.at("first_undecided"));
  const Json& histogram = fields.array("histogram");
  if (histogram.size() != ratio_bins) throw JsonError("a histogram has not " + std::to_string(ratio_bins) + " bins");
  std::transform(histogram.begin(), histogram.end(), tally.histogram.begin(), unsigned_of);
  for (const Json& row : fields.array("features")) {
    if (!row.is_array()) throw JsonError("a feature of a claim is not an array");
    auto& bins = tally.features.emplace_back();
    for (const Json& bin : row) bins.push_back(worst_from_json(bin));
  }
  Reader corpus(fields.at("corpus"), "\"corpus\"");
  finding.corpus_executed = corpus.count("executed");
  for (const Json& each : corpus.array("surprises")) {
    if (!each.is_string()) corpus.wrong("surprises", "an array of strings");
    finding.corpus_surprises.push_back(each.get<std::string>());
  }
  corpus.finish();
  fields.finish();
  property.info.claims.push_back(std::move(info));
  property.tally.claims.push_back(std::move(tally));
  property.findings.push_back(std::move(finding));
}

Json property_to_json(const PropertySummary& property) {
  const PropertyInfo& info = property.info;
  Json classes = Json::array();
  for (std::size_t i = 0; i < info.classes.size(); ++i) {
    const Tally::ByClass& tally = property.tally.classes[i];
    classes.push_back({{"name", info.classes[i].name},
                       {"weight", info.classes[i].weight},
                       {"planned", tally.planned},
                       {"executed", tally.executed},
                       {"rejected", tally.rejected},
                       {"inexact", tally.inexact}});
  }
  Json features = Json::array();
  for (const FeatureInfo& each : info.features) {
    features.push_back({{"name", each.name}, {"low", each.low}, {"high", each.high}, {"bins", each.bins}});
  }
  Json claims = Json::array();
  for (std::size_t c = 0; c < info.claims.size(); ++c) claims.push_back(claim_to_json(property, c));
  Json stopped = nullptr;
  if (property.stopped_by) {
    stopped = Json::object();
    add_reference(stopped, *property.stopped_by);
  }
  return {{"property", info.name},
          {"executor", property.executor},
          {"format", info.format},
          {"accepts", info.accepts},
          {"rigor", property.rigor},
          {"enumeration_size", info.enumeration_size},
          {"quick_cases", info.quick_cases},
          {"requested", property.requested},
          {"partial", property.partial},
          {"note", property.note},
          {"stops", stops_to_json(property.stops)},
          {"stopped_by", std::move(stopped)},
          {"classes", std::move(classes)},
          {"features", std::move(features)},
          {"claims", std::move(claims)}};
}

PropertySummary read_property(const Json& value, CaseFolder& cases) {
  Reader fields(value, "a property");
  PropertySummary property;
  PropertyInfo& info = property.info;
  info.name = fields.text("property");
  property.executor = fields.text("executor");
  info.format = fields.text("format");
  info.accepts = fields.text("accepts");
  property.rigor = fields.text("rigor");
  info.enumeration_size = fields.count("enumeration_size");
  info.quick_cases = fields.count("quick_cases");
  property.requested = fields.count("requested");
  property.partial = fields.truth("partial");
  property.note = fields.text("note");
  property.stops = stops_from_json(fields.at("stops"));
  if (const Json& stopped = fields.at("stopped_by"); !stopped.is_null()) {
    Reader inner(stopped, "\"stopped_by\"");
    property.stopped_by = read_reference(inner, cases);
    inner.finish();
  }
  for (const Json& each : fields.array("classes")) {
    Reader inner(each, "a class");
    info.classes.push_back({inner.text("name"), static_cast<unsigned>(inner.count("weight"))});
    property.tally.classes.push_back(
        {inner.count("planned"), inner.count("executed"), inner.count("rejected"), inner.count("inexact")});
    inner.finish();
  }
  for (const Json& each : fields.array("features")) {
    Reader inner(each, "a feature");
    info.features.push_back(
        {inner.text("name"), inner.number("low"), inner.number("high"), static_cast<int>(inner.count("bins"))});
    inner.finish();
  }
  for (const Json& each : fields.array("claims")) read_claim(each, cases, property);
  fields.finish();
  return property;
}

/// Distinct texts side by side, sorted: an associative and commutative union.
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

/// Which of two verdicts a claim keeps: the larger. Verdicts of a failing case stand together, since the smallest
/// failing number decides between them; so do those of a case without an answer.
int severity(Finding finding) {
  switch (finding) {
    case Finding::violated:
    case Finding::flaky:
    case Finding::refuted_as_expected:
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

/// `a_stops_first`: between two cases without an answer, the verdict is that of a's.
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
  std::set<std::string> surprises(a.corpus_surprises.begin(), a.corpus_surprises.end());
  surprises.insert(b.corpus_surprises.begin(), b.corpus_surprises.end());
  merged.corpus_surprises.assign(surprises.begin(), surprises.end());
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
  // A part that was stopped or ended early is no proof, and neither is the whole.
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

Json summary_to_json(const Summary& summary) {
  Json properties = Json::array();
  for (const PropertySummary& property : summary.properties) properties.push_back(property_to_json(property));
  Json mutants = Json::array();
  for (const Summary::MutantRow& row : summary.mutants) {
    mutants.push_back({{"id", row.id},
                       {"what", row.what},
                       {"caught", row.caught},
                       {"caught_by", row.caught_by},
                       {"cases_to_kill", row.cases_to_kill},
                       {"reproducer", row.reproducer},
                       {"significant_bits", row.significant_bits}});
  }
  return {{"schema", schema_number},
          {"seed", summary.seed},
          {"tier", summary.tier},
          {"provenance", summary.provenance},
          {"properties", std::move(properties)},
          {"mutants", std::move(mutants)}};
}

std::vector<CaseFile> saved_cases(const Summary& summary) {
  std::map<std::string, CaseFile> by_id;
  const auto keep = [&by_id](const std::optional<CaseFile>& file) {
    if (file) by_id.try_emplace(case_id(*file), *file);
  };
  for (const PropertySummary& property : summary.properties) {
    keep(property.stopped_by);
    for (const ClaimFinding& finding : property.findings) keep(finding.failure);
  }
  for (const PropertySummary& property : summary.properties) {
    for (const ClaimFinding& finding : property.findings) keep(finding.hardest);
  }
  std::vector<CaseFile> files;
  files.reserve(by_id.size());
  for (auto& [id, file] : by_id) files.push_back(std::move(file));
  return files;
}

Summary read_summary(const fs::path& dir) {
  const fs::path path = dir / "summary.json";
  try {
    const Json value = parse_json(read_file(path));
    Reader fields(value, "the summary");
    if (const Json& number = fields.at("schema"); number != schema_number) {
      throw JsonError("schema " + compact(number) + " is unknown; this program reads schema " +
                      std::to_string(schema_number));
    }
    Summary summary;
    CaseFolder cases(dir);
    summary.seed = fields.count("seed");
    summary.tier = fields.text("tier");
    Reader provenance(fields.at("provenance"), "\"provenance\"");
    for (const auto& [key, text] : fields.at("provenance").items()) {
      summary.provenance[key] = provenance.text(key.c_str());
    }
    for (const Json& each : fields.array("properties")) summary.properties.push_back(read_property(each, cases));
    for (const Json& each : fields.array("mutants")) {
      Reader row(each, "a mutant");
      summary.mutants.push_back({row.text("id"), row.text("what"), row.text("caught_by"), row.count("cases_to_kill"),
                                 row.text("reproducer"), row.count("significant_bits"), row.truth("caught")});
      row.finish();
    }
    fields.finish();
    return summary;
  } catch (const JsonError& error) {
    throw DamagedFile(path, error.what());
  }
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
      mine = side_by_side(mine, text);
    }
    for (const PropertySummary& property : summary.properties) {
      const auto [at, is_new] = properties.try_emplace({property.info.name, property.executor}, property);
      if (!is_new) merge_into(at->second, property);
    }
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
