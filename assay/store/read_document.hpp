#pragma once
// A document in a file of its own.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::store {

/// The value that from_json makes from the document in a file. Throws DamagedFile if the file cannot be read, its text
/// is not JSON, or from_json throws JsonError.
template <class F>
auto read_document(const std::filesystem::path& path, const F& from_json) {
  const std::string text = read_file(path);
  try {
    return from_json(parse_json(text));
  } catch (const JsonError& error) {
    throw DamagedFile(path, error.what());
  }
}

/// The same for a document that ends with the checksum of its bytes (sealed()); `from_json` does not see the checksum.
/// Also throws DamagedFile if a byte differs.
template <class F>
auto read_sealed_document(const std::filesystem::path& path, const F& from_json) {
  const std::string text = read_file(path, most_bytes_of_a_run());
  try {
    const std::optional<std::string> whole = unsealed(text);
    // A message about another schema, or about a text that ends too early, is more helpful than one about the checksum.
    auto document = from_json(parse_json(whole ? *whole : text));
    if (!whole) throw JsonError("the checksum is missing or not that of the bytes");
    return document;
  } catch (const JsonError& error) {
    throw DamagedFile(path, error.what());
  }
}

}  // namespace assay::store
