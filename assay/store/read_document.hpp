#pragma once
// A document in a file of its own.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::store {

/// What from_json makes of the document in a file. Throws DamagedFile where the file cannot be read, and where its text
/// is no JSON or from_json throws JsonError.
template <class F>
auto read_document(const std::filesystem::path& path, const F& from_json) {
  const std::string text = read_file(path);
  try {
    return from_json(parse_json(text));
  } catch (const JsonError& error) {
    throw DamagedFile(path, error.what());
  }
}

}  // namespace assay::store
