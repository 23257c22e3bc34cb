#include "assay/store/entry.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "assay/store/case_file.hpp"
#include "assay/store/entry_document.hpp"
#include "assay/store/read_document.hpp"

namespace assay::store {
namespace {

/// The content of a folder's run.json; other members are ignored.
struct RunFacts {
  std::uint64_t begun = 0;
  std::uint64_t milliseconds = 0;
  bool resumed = false;
  std::string host;
  std::string driver;  ///< empty if no device was used
};

RunFacts facts_of(const Json& document) {
  Members members(document, "the document of a run");
  RunFacts facts;
  const auto read = [&]<class T>(const char* key, T& into) {
    Codec<T>::read(members.at(key), {key, members.what()}, into);
  };
  read("begun", facts.begun);
  read("milliseconds", facts.milliseconds);
  read("resumed", facts.resumed);
  read("host", facts.host);
  if (members.find("driver") != nullptr) read("driver", facts.driver);
  return facts;
}

void add_distinct(std::string& texts, const std::string& text) {
  if (text.empty() || texts == text || texts.find(text + ", ") == 0 || texts.find(", " + text) != std::string::npos) {
    return;
  }
  texts += (texts.empty() ? "" : ", ") + text;
}

/// Date, host and driver; and cases per second, if the runs were timed from beginning to end.
void add_runs(Entry& entry, std::span<const std::filesystem::path> folders) {
  std::uint64_t milliseconds = 0;
  bool timed = true;
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path file = folder / "run.json";
    if (!std::filesystem::exists(file)) {
      timed = false;
      continue;
    }
    const RunFacts facts = read_document(file, facts_of);
    entry.begun = std::min(entry.begun.value_or(facts.begun), facts.begun);
    add_distinct(entry.host, facts.host);
    add_distinct(entry.driver, facts.driver);
    milliseconds += facts.milliseconds;
    timed = timed && !facts.resumed;
  }
  std::uint64_t cases = 0;
  for (const EntryProperty& each : entry.properties) cases += each.executed;
  if (timed && milliseconds != 0) {
    entry.cases_per_second = static_cast<double>(cases) * 1000 / static_cast<double>(milliseconds);
  }
}

EntryClaim claim_of(const PropertySummary& property, std::size_t c) {
  const ClaimTally& tally = property.tally.claims[c];
  EntryClaim claim{property.info.claims[c].id,
                   property.findings[c].verdict,
                   property.info.claims[c].expected_refuted,
                   tally.executed,
                   tally.violated,
                   tally.worst.ratio};
  for (const auto& [name, worst] : tally.terms) claim.terms[name] = worst.ratio;
  return claim;
}

/// The part of a provenance that describes the program.
void add_provenance(Entry& entry, const std::map<std::string, std::string>& provenance) {
  for (const auto& [key, text] : provenance) {
    if (key == "version") {
      entry.version = text;
    } else if (key == "commit") {
      entry.commit = text;
    } else if (key == "device") {
      entry.device = text;
    } else if (key.starts_with("build ")) {
      add_distinct(entry.build, key.substr(6) + " " + text);
    } else {
      entry.knobs[key] = text;
    }
  }
}

}  // namespace

void add_times(Entry& entry, const Bench& bench) {
  for (const BenchCurve& curve : bench.curves) {
    if (curve.role != BenchRole::kernel) continue;
    for (const BenchPoint& point : curve.points) {
      entry.times.push_back({curve.kernel, curve.executor, curve.machine, curve.threads, point.size, point.least});
    }
  }
  const auto key = [](const EntryTime& time) {
    return std::tie(time.kernel, time.executor, time.machine, time.threads, time.size);
  };
  std::ranges::stable_sort(entry.times, [&](const EntryTime& a, const EntryTime& b) { return key(a) < key(b); });
  const auto [same, end] =
      std::ranges::unique(entry.times, [&](const EntryTime& a, const EntryTime& b) { return key(a) == key(b); });
  entry.times.erase(same, end);
}

Entry entry_of(const Bench& bench) {
  Entry entry;
  entry.begun = bench.begun;
  add_provenance(entry, bench.provenance);
  add_times(entry, bench);
  return entry;
}

Entry entry_of(const Summary& summary, std::span<const std::filesystem::path> folders) {
  Entry entry;
  entry.seed = summary.seed;
  entry.tier = summary.tier;
  add_provenance(entry, summary.provenance);
  for (const PropertySummary& each : summary.properties) {
    EntryProperty& property = entry.properties.emplace_back();
    property.name = each.info.name;
    property.executor = each.executor;
    property.rigor = each.rigor;
    property.requested = each.requested;
    property.executed = total(each.tally).executed;
    property.bits = each.tally.bits;
    for (std::size_t c = 0; c < each.info.claims.size(); ++c) property.claims.push_back(claim_of(each, c));
    entry.claims += property.claims.size();
  }
  add_runs(entry, folders);
  for (const std::filesystem::path& folder : folders) {
    if (const std::filesystem::path file = folder / "bench.json"; std::filesystem::exists(file)) {
      std::vector<std::string> left_out;
      add_times(entry, read_bench(file, left_out));
    }
  }
  return entry;
}

bool same_run(Entry a, Entry b) {
  a.id = b.id = 0;
  return a == b;
}

Json ledger_document(const std::vector<Entry>& entries) { return to_json(EntryList{entries}); }

}  // namespace assay::store
