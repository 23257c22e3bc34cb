#include "assay/cli/saved_case.hpp"

#include <fmt/core.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "assay/campaign/match.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/corpus.hpp"
#include "properties/framework/any_size.hpp"
#include "properties/framework/libraries.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

/// Files of cases whose id begins with `id`, in the folders `cases` of all runs below the current folder. Files with
/// equal bytes count once. This search is needed because a line copied from a report does not name the run's folder.
std::vector<std::filesystem::path> cases_below_here(const std::string& id) {
  constexpr int most_levels = 4;
  std::map<std::string, std::filesystem::path> by_content;
  std::error_code failed;
  using Walk = std::filesystem::recursive_directory_iterator;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (Walk each(".", options, failed), end; !failed && each != end; each.increment(failed)) {
    if (each.depth() >= most_levels) each.disable_recursion_pending();
    const std::filesystem::path& path = each->path();
    if (path.parent_path().filename() != "cases" || path.extension() != ".json") continue;
    if (!path.filename().string().starts_with(id)) continue;
    by_content.try_emplace(store::read_file(path), path);
  }
  std::vector<std::filesystem::path> found;
  for (const auto& [content, path] : by_content) found.push_back(path);
  return found;
}

/// Whether the property of that name is of an operation. Without the contracts of kernels from outside it is of none.
bool is_of_operation(const std::string& property) {
  try {
    return find_operation(report::operation_name(property)) != nullptr;
  } catch (const MissingLibrary&) {
    return false;
  }
}

}  // namespace

std::filesystem::path locate(const std::string& text, const Options& options) {
  std::error_code failed;
  if (std::filesystem::exists(text, failed)) {
    return text;
  }
  const bool is_id = text.size() >= 4 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_id) {
    std::vector<std::filesystem::path> found;
    for (const auto& each : std::filesystem::directory_iterator(options.out / "cases", failed)) {
      if (each.path().filename().string().starts_with(text) && each.path().extension() == ".json") {
        found.push_back(each.path());
      }
    }
    if (found.size() > 1) {
      throw UsageError("several cases begin with " + text);
    }
    if (!found.empty()) {
      return found.front();
    }
    if (!options.corpus.empty()) {
      try {
        if (std::filesystem::path file = store::Corpus(options.corpus).find(text); !file.empty()) {
          return file;
        }
      } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
      }
    }
  }
  if (is_id) {
    std::vector<std::filesystem::path> found = cases_below_here(text);
    if (found.size() > 1)
      throw UsageError(fmt::format("several runs below this folder have a case {}: --out names one", text));
    if (!found.empty()) return found.front();
  }
  throw UsageError("no case file or id " + text);
}

const PropertyModel& property_named(const std::string& name) {
  const PropertyModel* const property = find_property(name);
  if (property == nullptr) {
    if (const std::string why = missing_properties(); !why.empty()) throw MissingLibrary(why);
    std::vector<std::string> names;
    for (const auto& each : properties()) {
      names.push_back(each->info().name);
    }
    std::string text = "no property " + name;
    const std::vector<std::string> near = campaign::nearest(name, names);
    for (std::size_t i = 0; i < near.size(); ++i) {
      text += (i == 0 ? "; nearest: " : ", ") + near[i];
    }
    if (is_of_operation(name)) {
      text += "; a kernel from outside needs --operation and --subject";
    } else if (name.starts_with("subject.")) {
      text += "; a case of a formula needs --formula and --subject";
    }
    throw UsageError(text);
  }
  return *property;
}

namespace {

/// A case of a kernel from outside may have been drawn at any shape.
bool is_in_domain(const PropertyModel& property, const Record& inputs) {
  if (find_registered_operation(report::operation_name(property.info().name)) == nullptr) {
    return property.contains(inputs);
  }
  const AnySize any;
  return property.contains(inputs);
}

}  // namespace

store::CaseFile admitted(store::CaseFile file, const PropertyModel& property, const std::filesystem::path& path) {
  try {
    file = store::fitted(std::move(file), property);
  } catch (const std::invalid_argument& error) {
    throw UsageError(path.string() + ": " + error.what());
  }
  if (!is_in_domain(property, file.inputs)) {
    throw UsageError(fmt::format("{}: the case is outside the domain of {}{}{}", path.string(), property.info().name,
                                 property.info().accepts.empty() ? "" : ", which accepts ", property.info().accepts));
  }
  return file;
}

std::size_t claim_index(const PropertyInfo& info, const std::string& id, const std::filesystem::path& path) {
  for (std::size_t c = 0; c < info.claims.size(); ++c) {
    if (info.claims[c].id == contract_today(id)) {
      return c;
    }
  }
  throw UsageError(fmt::format("{}: {} has no claim {}", path.string(), info.name, id));
}

}  // namespace assay::cli
