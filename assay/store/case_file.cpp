#include "assay/store/case_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "assay/store/json.hpp"
#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"
#include "oracle/format.hpp"
#include "properties/framework/fnv.hpp"
#include "properties/framework/integers.hpp"

namespace assay::store {

namespace {

std::string error_text(int error) { return std::generic_category().message(error); }

/// A file descriptor that is closed and a path that is removed, unless they were released.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  int descriptor() const { return descriptor_; }
  int close() { return ::close(std::exchange(descriptor_, -1)); }
  void keep() { path_.clear(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Throws OutputError.
void write_all(int descriptor, const std::filesystem::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw OutputError(path, "cannot be written: " + error_text(errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Writes into the existing device or pipe: a rename would replace it by a file.
void write_through(const std::filesystem::path& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw OutputError(path, "cannot be opened: " + error_text(errno));
  try {
    write_all(descriptor, path, bytes);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) throw OutputError(path, "cannot be written: " + error_text(errno));
}

std::atomic<std::uint64_t> most_bytes{std::uint64_t{64} << 20};

Json without_checksum(Json value) {
  value.erase("checksum");
  return value;
}

std::string checksum_of(const Json& value) { return hex16(fnv1a(compact(value))); }

std::string shape_of(const FieldValue& field) {
  const auto* words = std::get_if<Words>(&field.value);
  if (words == nullptr) return field.name + " (an integer)";
  const std::string format = oracle::name(words->format);
  switch (words->shape) {
    case Words::Shape::scalar:
      return field.name + " (" + format + ")";
    case Words::Shape::fixed:
      return field.name + " (" + std::to_string(words->bits.size()) + " × " + format + ")";
    case Words::Shape::list:
      return field.name + " (list of " + format + ")";
  }
  return field.name;
}

std::string shapes_of(const Record& record) {
  std::string text;
  for (const FieldValue& field : record.fields) text += (text.empty() ? "" : ", ") + shape_of(field);
  return text;
}

/// The integer that the pattern of an integral number stands for; empty for another number, and for −0.
std::optional<std::string> integer_text(const oracle::Format& format, std::uint64_t bits) {
  if (!oracle::is_finite(format, bits)) return std::nullopt;
  const std::string text = oracle::to_hex(format, bits);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || value != std::trunc(value)) return std::nullopt;
  std::array<char, 400> digits{};
  std::snprintf(digits.data(), digits.size(), "%.0f", value + 0.0);
  return digits.data();
}

std::string number_text(const oracle::Format& format, std::uint64_t bits, bool is_integer) {
  if (are_integers(format)) return std::to_string(static_cast<std::int64_t>(bits));
  if (const auto integer = is_integer ? integer_text(format, bits) : std::nullopt) return *integer;
  const auto digits = static_cast<std::size_t>((format.width() + 3) / 4);
  return oracle::to_hex(format, bits) + "  [0x" + hex16(bits).substr(16 - digits) + "]  # " +
         oracle::shortest_decimal(format, bits);
}

}  // namespace

DamagedFile::DamagedFile(const std::filesystem::path& path, const std::string& reason)
    : std::runtime_error(path.string() + ": " + reason) {}

OutputError::OutputError(const std::filesystem::path& path, const std::string& reason)
    : std::runtime_error(path.string() + ": " + reason) {}

std::uint64_t most_bytes_of_a_document() { return most_bytes; }
void set_most_bytes_of_a_document(std::uint64_t bytes) { most_bytes = bytes; }
std::uint64_t most_bytes_of_a_run() { return 16 * most_bytes; }

std::string read_file(const std::filesystem::path& path, std::uint64_t most) {
  if (std::filesystem::is_directory(path)) throw DamagedFile(path, "is a folder but must be a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw DamagedFile(path, "cannot be read: " + error_text(errno));
  std::string bytes;
  std::vector<char> block(std::size_t{1} << 16);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())), stream.gcount() > 0) {
    bytes.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > most) {
      throw DamagedFile(path, "has more than " + std::to_string(most) + " bytes (--max-file raises the limit)");
    }
  }
  if (stream.bad()) throw DamagedFile(path, "cannot be read");
  return bytes;
}

void write_named_file(const std::filesystem::path& path, std::string_view bytes) {
  std::error_code error;
  std::filesystem::is_symlink(path, error) ? write_through(path, bytes) : write_file_atomically(path, bytes);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  static std::atomic<unsigned> counter{0};
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code error;
  const std::filesystem::file_type type = std::filesystem::symlink_status(path, error).type();
  using enum std::filesystem::file_type;
  if (type == block || type == character || type == fifo || type == socket) return write_through(path, bytes);
  std::filesystem::create_directories(folder, error);
  if (error) throw OutputError(path, "its folder cannot be made: " + error.message());

  Temporary temporary((folder / ("." + path.filename().string() + "." + std::to_string(::getpid()) + "." +
                                 std::to_string(counter++) + ".tmp"))
                          .string());
  const auto fail = [&path](const char* what) { throw OutputError(path, what + (": " + error_text(errno))); };
  if (temporary.descriptor() < 0) fail("cannot be made");
  write_all(temporary.descriptor(), path, bytes);
  if (::fsync(temporary.descriptor()) != 0) fail("cannot be written");
  if (temporary.close() != 0) fail("cannot be written");
  if (::rename(temporary.path().c_str(), path.c_str()) != 0) fail("cannot be renamed into place");
  temporary.keep();
}

namespace {

/// A hash of the numbers that the id depends on, a tenth of the id's time: two cases with one hash are as rare as two
/// with one id.
std::uint64_t quick_hash(const CaseFile& file) {
  std::string bytes;
  const auto add = [&bytes](const auto& number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  const auto add_text = [&](const std::string& text) {
    add(text.size());
    bytes += text;
  };
  add_text(file.property);
  add_text(file.format);
  for (const FieldValue& field : file.inputs.fields) {
    add_text(field.name);
    add(field.value.index());
    if (const auto* const words = std::get_if<Words>(&field.value)) {
      add_text(oracle::name(words->format));
      add(words->shape);
      add(words->bits.size());
      bytes.append(reinterpret_cast<const char*>(words->bits.data()), words->bits.size() * sizeof(std::uint64_t));
    } else {
      add(std::get<std::int64_t>(field.value));
    }
  }
  return fnv1a(bytes);
}

}  // namespace

std::string case_id(const CaseFile& file) {
  // A report asks for the id of every hardest case several times.
  constexpr std::size_t most_known = 4096;
  thread_local std::unordered_map<std::uint64_t, std::string> known;
  if (known.size() > most_known) known.clear();
  std::string& id = known[quick_hash(file)];
  if (id.empty()) {
    id = hex16(fnv1a(file.property + "\n" + compact(record_to_json(file.inputs, oracle::format_named(file.format)))));
  }
  return id;
}

std::string case_bytes(const CaseFile& file) {
  Json value = case_to_json(file);
  value["checksum"] = checksum_of(value);
  return pretty(value);
}

CaseFile parse_case(const std::filesystem::path& path, std::string_view bytes, Strictness strictness) {
  if (bytes.empty()) throw DamagedFile(path, "truncated: the file is empty");
  try {
    const Json value = parse_json(bytes);
    CaseFile file = case_from_json(value);
    const auto checksum = value.find("checksum");
    if (checksum == value.end()) {
      if (strictness == Strictness::stored) throw DamagedFile(path, "has no checksum, which a stored case must have");
    } else {
      const std::string expected = checksum_of(without_checksum(value));
      if (*checksum != expected) {
        throw DamagedFile(path, "the checksum is " + compact(*checksum) + ", but the content has \"" + expected + "\"");
      }
    }
    if (strictness == Strictness::stored && bytes != case_bytes(file)) {
      throw DamagedFile(path, "the bytes are not those that this case is stored as");
    }
    return file;
  } catch (const JsonError& error) {
    throw DamagedFile(path, error.what());
  }
}

CaseFile read_case(const std::filesystem::path& path, Strictness strictness) {
  return parse_case(path, read_file(path), strictness);
}

std::filesystem::path folder_of_cases(const std::filesystem::path& out) {
  std::filesystem::path folder = out / "cases";
  std::error_code failed;
  if (std::filesystem::is_symlink(folder, failed)) {
    throw OutputError(folder, "is a link, which is not followed; cases are written into a folder");
  }
  return folder;
}

std::filesystem::path write_case(const std::filesystem::path& folder, const CaseFile& file) {
  std::filesystem::path path = folder / (case_id(file) + ".json");
  write_file_atomically(path, case_bytes(file));
  return path;
}

CaseFile fitted(CaseFile file, const PropertyModel& property) {
  const PropertyInfo& info = property.info();
  std::optional<Record> prototype;
  for (std::uint64_t number = 0; !prototype && number < 1000; ++number) prototype = property.make(1, number);
  if (prototype) file.inputs = with_shapes_of(std::move(file.inputs), *prototype);
  if (!property.fits(file.inputs)) {
    throw std::invalid_argument("the case has " + shapes_of(file.inputs) + ", but " + info.name + " takes " +
                                (prototype ? shapes_of(*prototype) : info.accepts));
  }
  return file;
}

std::string describe(const Record& record, bool holds_integers) {
  constexpr std::size_t ends = 5;
  std::string text;
  for (const FieldValue& field : record.fields) {
    if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
      text += "  " + field.name + " = " + std::to_string(*integer) + "\n";
      continue;
    }
    const Words& words = std::get<Words>(field.value);
    const std::size_t count = words.bits.size();
    if (words.shape == Words::Shape::scalar && count == 1) {
      text += "  " + field.name + " = " + number_text(words.format, words.bits[0], holds_integers) + "\n";
      continue;
    }
    const bool elide = count > 2 * ends + 1;
    if (words.shape == Words::Shape::list) {
      text += "  " + field.name + ": " + std::to_string(count) + (count == 1 ? " number\n" : " numbers\n");
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (elide && i == ends) {
        text += "  …\n";
        i = count - ends;
      }
      text += "  " + field.name + "[" + std::to_string(i) +
              "] = " + number_text(words.format, words.bits[i], holds_integers) + "\n";
    }
  }
  return text;
}

}  // namespace assay::store
