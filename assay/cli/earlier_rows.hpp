#pragma once
// The document that a long command goes on writing: hunt.json, probes.json.

#include <fmt/core.h>

#include <filesystem>
#include <optional>
#include <string>

#include "assay/cli/options.hpp"
#include "assay/store/read_document.hpp"

namespace assay::cli {

/// The document in the file that --resume continues; empty if there is none, or with --overwrite. `begun`: the empty
/// document of this command; equal builds and subjects give equal provenance. Throws UsageError if there is a document
/// and neither option is given, or its provenance differs; DamagedFile.
template <class Rows, class F>
std::optional<Rows> earlier_rows(const Options& options, const std::filesystem::path& file, const Rows& begun,
                                 const F& from_json) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return std::nullopt;
  if (!options.resume) {
    if (options.overwrite) return std::nullopt;
    throw UsageError(fmt::format("{} holds the results of another run: --resume continues it, --overwrite replaces it",
                                 file.string()));
  }
  Rows earlier = store::read_sealed_document(file, from_json);
  if (const std::string other = store::first_difference(earlier.provenance, begun.provenance); !other.empty()) {
    throw UsageError(
        fmt::format("--resume: {} belongs to another run ({}); this program cannot continue it", file.string(), other));
  }
  return earlier;
}

}  // namespace assay::cli
