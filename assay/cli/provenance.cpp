#include "assay/cli/provenance.hpp"

#include <fmt/core.h>
#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>

#include "exec/executor.hpp"
#include "oracle/versions.hpp"

namespace assay::cli {

std::map<std::string, std::string> provenance(bool with_device) {
  std::map<std::string, std::string> facts{
      {"version", ASSAY_VERSION},
      {"commit", ASSAY_COMMIT},
      {"compiler", ASSAY_COMPILER},
      {"flags", ASSAY_FLAGS},
      {"library CLI11", CLI11_VERSION},
      {"library fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"library nlohmann-json",
       fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"library CUDA", ASSAY_CUDA_VERSION},
  };
  for (const auto& [name, version] : oracle::library_versions()) {
    facts["library " + name] = version;
  }
  if (with_device) {
    facts["device"] = Executor::cuda().model();
  }
  return facts;
}

std::string version_text() {
  std::string text = fmt::format("assay {} (commit {})", ASSAY_VERSION, ASSAY_COMMIT);
  for (const auto& [name, value] : provenance(false)) {
    if (name != "version" && name != "commit") {
      text += fmt::format("\n{}: {}", name, value);
    }
  }
  return text;
}

}  // namespace assay::cli
