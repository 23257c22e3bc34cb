#pragma once
// Saved cases: files that say what went in, what came out and what should have.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/store/summary.hpp"
#include "properties/framework/model.hpp"

namespace assay::store {

/// A file that we were given is damaged or foreign (exit code 5). what() is one line that begins with the path.
class DamagedFile : public std::runtime_error {
 public:
  DamagedFile(const std::filesystem::path& path, const std::string& reason);
};

/// A file that we were to write could not be written (exit code 3). what() is one line that begins with the path.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::filesystem::path& path, const std::string& reason);
};

/// The whole content of a file. Throws DamagedFile where it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Writes a temporary file in the same folder (which is made if missing), syncs it and renames it: a reader sees the
/// old content or the new one. Throws OutputError and leaves no temporary file.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// 16 hexadecimal digits: FNV-1a of the property's name and the canonical bytes of `case`. The case's id and the stem
/// of its file's name.
std::string case_id(const CaseFile& file);

/// The bytes of a case file, checksum included.
std::string case_bytes(const CaseFile& file);

/// How much a reader insists on. `by_hand`: the checksum may be missing and the layout is free.
/// `stored`: the bytes are exactly those that case_bytes() gives, so that any changed byte is noticed.
enum class Strictness { by_hand, stored };

/// The case in the bytes of a file; `path` is for messages. Throws DamagedFile: not JSON (truncated), another schema,
/// unknown or missing fields, wrong checksum, or (stored) no checksum or another byte.
CaseFile parse_case(const std::filesystem::path& path, std::string_view bytes, Strictness strictness);
CaseFile read_case(const std::filesystem::path& path, Strictness strictness = Strictness::by_hand);

/// Writes `folder`/<case_id>.json atomically and returns its path. Throws OutputError.
std::filesystem::path write_case(const std::filesystem::path& folder, const CaseFile& file);

/// The case as the property reads it: fields in the property's order and with its shapes. Throws std::invalid_argument,
/// one line, where the fields do not fit. The domain is not checked.
CaseFile fitted(CaseFile file, const PropertyModel& property);

/// The same case in text for a terminal: each number in hexadecimal with its bit pattern and shortest decimal; long
/// lists by their length and the first and last five. Lines are indented by two.
std::string describe(const Record& record);

}  // namespace assay::store
