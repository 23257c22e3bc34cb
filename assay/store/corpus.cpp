#include "assay/store/corpus.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "properties/framework/libraries.hpp"
#include "properties/framework/operation.hpp"

namespace assay::store {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

/// Folder or file names in a folder, sorted; none if it does not exist.
std::vector<fs::path> children(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    if (!is_hidden(each->path())) paths.push_back(each->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool can_be_folder(const std::string& property) {
  return !property.empty() && property.front() != '.' && std::all_of(property.begin(), property.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  });
}

/// Why the entry tests nothing, or less than it should; empty if it tests its property. Errors: MissingLibrary.
std::string what_is_wrong(const CaseFile& file) {
  const PropertyModel* property = property_of_cases(file.property);
  if (property == nullptr) return "tests nothing: no property " + file.property;
  const auto& claims = property->info().claims;
  const auto named = std::find_if(claims.begin(), claims.end(),
                                  [&](const ClaimInfo& claim) { return claim.id == contract_today(file.claim); });
  if (!file.claim.empty() && named == claims.end()) {
    return "tests nothing: no claim " + file.property + "/" + file.claim;
  }
  try {
    const CaseFile fits = fitted(file, *property);
    if (!property->contains(fits.inputs)) {
      return "tests nothing: outside the domain of " + file.property +
             (property->info().accepts.empty() ? "" : " (" + property->info().accepts + ")");
    }
  } catch (const std::invalid_argument& error) {
    return std::string("tests nothing: ") + error.what();
  }
  if (named != claims.end() && named->expected_refuted && file.expected == "violated" && !file.evidence) {
    return "the witness of a negative control stores no ratio to compare: it needs its evidence";
  }
  return {};
}

}  // namespace

const PropertyModel* property_of_cases(const std::string& name) {
  if (const PropertyModel* const own = find_property(name)) return own;
  if (const std::string why = missing_properties(); !why.empty()) throw MissingLibrary(why);
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || dot == 0 || !properties_of(name.substr(0, dot)).empty()) return nullptr;
  const std::size_t end = name.find('.', dot + 1);
  const Operation* const operation = find_operation(name.substr(dot + 1, end - dot - 1));
  if (operation == nullptr) return nullptr;
  static std::map<std::string, std::unique_ptr<PropertyModel>> described;
  const auto known = described.find(name);
  if (known != described.end()) return known->second.get();
  for (const std::string& format : operation->formats) {
    std::unique_ptr<PropertyModel> made = operation->property({.family = name.substr(0, dot), .format = format}, {});
    if (made->info().name == name) return described.emplace(name, std::move(made)).first->second.get();
  }
  return nullptr;
}

void Corpus::read_folder(const std::string& property, Contents& contents) const {
  for (const fs::path& path : children(folder_ / property)) {
    try {
      if (fs::exists(path) && !fs::is_regular_file(path))
        throw DamagedFile(path, "is not a file, but a case must be one");
      const std::string bytes = read_file(path);
      CaseFile file = parse_case(path, bytes, Strictness::stored);
      const std::string id = case_id(file);
      if (path.filename() != id + ".json") {
        throw DamagedFile(path, "the name is not that of its content, " + id + ".json");
      }
      if (file.property != property) {
        throw DamagedFile(path, "a case of " + file.property + " in the folder of " + property);
      }
      contents.entries.push_back({id, path, std::move(file)});
    } catch (const DamagedFile& error) {
      if (fs::exists(path)) contents.problems.push_back({path, true, error.what()});
    }
  }
}

Corpus::Contents Corpus::read() const {
  Contents contents;
  for (const fs::path& path : children(folder_)) {
    if (fs::is_directory(path)) {
      read_folder(path.filename().string(), contents);
    } else if (path.extension() == ".json") {
      contents.problems.push_back({path, true, path.string() + ": a case outside the folder of its property"});
    }
  }
  return contents;
}

Corpus::Contents Corpus::read(const std::string& property) const {
  Contents contents;
  if (can_be_folder(property)) read_folder(property, contents);
  return contents;
}

fs::path Corpus::find(const std::string& id) const {
  if (id.size() < 4 || id.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
  fs::path found;
  for (const fs::path& folder : children(folder_)) {
    for (const fs::path& path : children(folder)) {
      if (path.extension() != ".json" || !path.filename().string().starts_with(id)) continue;
      if (!found.empty()) throw std::invalid_argument("several cases begin with " + id);
      found = path;
    }
  }
  return found;
}

std::vector<CorpusProblem> Corpus::verify() const {
  Contents contents = read();
  std::vector<CorpusProblem> problems = std::move(contents.problems);
  for (const Entry& entry : contents.entries) {
    const std::string reason = what_is_wrong(entry.file);
    if (!reason.empty()) problems.push_back({entry.path, false, entry.path.string() + ": " + reason});
  }
  return problems;
}

Corpus::Added Corpus::add(const CaseFile& file) const {
  if (!can_be_folder(file.property)) throw std::invalid_argument("\"" + file.property + "\" cannot name a folder");
  const fs::path path = folder_ / file.property / (case_id(file) + ".json");
  Added result = Added::added;
  if (fs::exists(path)) {
    try {
      const CaseFile stored = read_case(path, Strictness::stored);
      if (!stored.claim.empty() || file.claim.empty()) return Added::present;
      result = Added::replaced;
    } catch (const DamagedFile&) {
      result = Added::replaced;
    }
  }
  write_file_atomically(path, case_bytes(file));
  return result;
}

Corpus::Merged Corpus::merge(const Corpus& other) const {
  Merged merged;
  Contents contents = other.read();
  for (const Entry& entry : contents.entries) {
    add(entry.file) == Added::present ? ++merged.present : ++merged.added;
  }
  merged.problems = std::move(contents.problems);
  return merged;
}

}  // namespace assay::store
