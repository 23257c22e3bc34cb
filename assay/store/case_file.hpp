#pragma once
// Saved cases: files with the inputs, the result and the exact result.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/store/summary.hpp"
#include "properties/framework/model.hpp"

namespace assay::store {

/// A file that we read is damaged or foreign (exit code 5). what() is one line that begins with the path.
class DamagedFile : public std::runtime_error {
 public:
  DamagedFile(const std::filesystem::path& path, const std::string& reason);
};

/// A file that we write could not be written (exit code 3). what() is one line that begins with the path.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::filesystem::path& path, const std::string& reason);
};

/// The size limit of a document that is read, 64 MiB by default: readers need memory in proportion.
std::uint64_t most_bytes_of_a_document();
void set_most_bytes_of_a_document(std::uint64_t bytes);
/// 16 times as many bytes: for the files that a run writes, which grow with the run.
std::uint64_t most_bytes_of_a_run();

/// The whole content of a file or a pipe. Throws DamagedFile if it cannot be read, is a folder, or has more bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t most = most_bytes_of_a_document());

/// Writes a temporary file in the same folder (which is made if missing), syncs it and renames it: a reader sees the
/// old content or the new one. A device or a pipe is written directly. Throws OutputError and leaves no temporary file.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Writes a file that the user named: a link is followed, for example to standard output. Throws OutputError.
void write_named_file(const std::filesystem::path& path, std::string_view bytes);

/// 16 hexadecimal digits: FNV-1a of the property's name and the canonical bytes of `case`. The case's id and the stem
/// of its file's name.
std::string case_id(const CaseFile& file);

/// The bytes of a case file, checksum included.
std::string case_bytes(const CaseFile& file);

/// How strict a reader is. `by_hand`: the checksum may be missing and the layout is free. `stored`: the bytes are
/// exactly those that case_bytes() gives, so that any changed byte is noticed.
enum class Strictness { by_hand, stored };

/// The case in the bytes of a file; `path` is for messages. Throws DamagedFile: not JSON (truncated), another schema,
/// unknown or missing fields, wrong checksum, or (stored) no checksum or another byte.
CaseFile parse_case(const std::filesystem::path& path, std::string_view bytes, Strictness strictness);
CaseFile read_case(const std::filesystem::path& path, Strictness strictness = Strictness::by_hand);

/// The folder of the cases of a run into `out`; it need not exist. Throws OutputError if it is a link: a run may not
/// write or remove files where a link leads.
std::filesystem::path folder_of_cases(const std::filesystem::path& out);

/// Writes `folder`/<case_id>.json atomically and returns its path. Throws OutputError.
std::filesystem::path write_case(const std::filesystem::path& folder, const CaseFile& file);

/// The case in the property's form: fields in the property's order and with its shapes. Throws std::invalid_argument,
/// one line, if the fields do not fit. The domain is not checked.
CaseFile fitted(CaseFile file, const PropertyModel& property);

/// The same case in text for a terminal: each number in hexadecimal with its bit pattern and shortest decimal; long
/// lists by their length and the first and last five. Integers of a list are decimal digits, and so are integral
/// numbers if the record holds integers. Lines are indented by two.
std::string describe(const Record& record, bool holds_integers = false);

}  // namespace assay::store
