#include "assay/store/summary_io.hpp"

#include <map>

#include "assay/store/read_document.hpp"
#include "assay/store/summary_document.hpp"

namespace assay::store {

namespace fs = std::filesystem;

const CaseFile& CaseFolder::at(const std::string& relative) {
  const auto found = files_.find(relative);
  if (found != files_.end()) return found->second;
  if (!relative.starts_with("cases/") || relative.find('/', 6) != std::string::npos) {
    throw JsonError("the file name \"" + relative + "\" does not lie in cases/");
  }
  return files_.emplace(relative, read_case(dir_ / relative, Strictness::stored)).first->second;
}

Json summary_to_json(const Summary& summary) { return to_json(SummaryView<const Summary>{summary, nullptr}); }

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

std::vector<std::string> claims_of_same_case(const PropertySummary& property, std::size_t c) {
  std::vector<std::string> others;
  const std::optional<CaseFile>& mine = property.findings[c].failure;
  for (std::size_t other = 0; mine && other < property.findings.size(); ++other) {
    const std::optional<CaseFile>& failure = property.findings[other].failure;
    if (other != c && failure && failure->inputs == mine->inputs) others.push_back(property.info.claims[other].id);
  }
  return others;
}

std::optional<bool> kept(const PropertySummary& property, const std::string& id) {
  for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
    if (property.info.claims[c].id != id) continue;
    switch (property.findings[c].verdict) {
      case Finding::holds:
        return true;
      case Finding::violated:
      case Finding::broken:
      case Finding::flaky:
        return false;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

void keep_claims(PropertySummary& property, const std::vector<bool>& kept) {
  for (std::size_t c = property.info.claims.size(); c-- > 0;) {
    if (c < kept.size() && kept[c]) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    property.info.claims.erase(property.info.claims.begin() + at);
    property.tally.claims.erase(property.tally.claims.begin() + at);
    property.findings.erase(property.findings.begin() + at);
  }
}
std::string summary_bytes(const Summary& summary) { return sealed(pretty(summary_to_json(summary))); }

Summary read_summary(const fs::path& dir) {
  return read_sealed_document(dir / "summary.json", [&](const Json& document) {
    Summary summary;
    CaseFolder cases(dir);
    read_json(document, SummaryView<Summary>{summary, &cases});
    return summary;
  });
}

}  // namespace assay::store
