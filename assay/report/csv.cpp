#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "assay/report/exports.hpp"
#include "assay/report/sources.hpp"
#include "assay/store/json.hpp"

namespace assay::report {
namespace {

/// One field: quoted where it must be.
std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string line_of(std::initializer_list<std::string_view> fields) {
  std::string line;
  for (const std::string_view field : fields) line += (line.empty() ? "" : ",") + quoted(field);
  return line + "\n";
}

std::string ratio_of(const Worst& worst) {
  if (worst.number == no_case) return "";
  return std::isinf(worst.ratio) ? "inf" : store::compact(store::ratio_to_json(worst.ratio));
}

std::string fact(const store::Summary& summary, const char* key) {
  const auto found = summary.provenance.find(key);
  return found == summary.provenance.end() ? "" : found->second;
}

}  // namespace

std::string report_csv(const store::Summary& summary) {
  std::string text = line_of({"property", "claim", "term",     "executor",         "format",     "rigor",   "verdict",
                              "expected", "cases", "violated", "error_over_bound", "worst_case", "theorem", "statement",
                              "source",   "keys",  "version",  "commit",           "device",     "seed",    "tier"});
  const std::string version = fact(summary, "version");
  const std::string commit = fact(summary, "commit");
  const std::string device = fact(summary, "device");
  const std::string seed = std::to_string(summary.seed);
  for (const store::PropertySummary& property : summary.properties) {
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      const ClaimInfo& claim = property.info.claims[c];
      const ClaimTally& tally = property.tally.claims[c];
      std::string keys;
      for (const std::string& key : keys_of(claim.source)) keys += (keys.empty() ? "" : " ") + key;
      const auto add = [&](const std::string& term, const Worst& worst) {
        text += line_of({property.info.name,
                         claim.id,
                         term,
                         property.executor,
                         property.info.format,
                         property.rigor,
                         store::word(property.findings[c].verdict),
                         claim.expected_refuted ? "violated" : "holds",
                         std::to_string(tally.executed),
                         std::to_string(tally.violated),
                         ratio_of(worst),
                         worst.number == no_case ? "" : std::to_string(worst.number),
                         claim.theorem,
                         claim.statement,
                         claim.source,
                         keys,
                         version,
                         commit,
                         device,
                         seed,
                         summary.tier});
      };
      add("", tally.worst);
      for (const auto& [term, worst] : tally.terms) add(term, worst);
    }
  }
  return text;
}

}  // namespace assay::report
