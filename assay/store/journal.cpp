#include "assay/store/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "assay/store/case_file.hpp"

namespace assay::store {
namespace {

constexpr std::chrono::seconds sync_every{1};

/// Passes each whole line to `take` and returns the offset after the last good one.
std::size_t read_lines(const std::filesystem::path& path, const std::string& bytes,
                       const std::function<void(const Json&)>& take) {
  std::size_t good = 0;
  while (good < bytes.size()) {
    const std::size_t end = bytes.find('\n', good);
    if (end == std::string::npos) {
      break;
    }
    const std::optional<std::string> line = unsealed(std::string_view(bytes).substr(good, end - good));
    if (!line)
      throw DamagedFile(path, "the line at byte " + std::to_string(good) + " has not the bytes of its checksum");
    take(parse_json(*line));
    good = end + 1;
  }
  return good;
}

}  // namespace

Journal::Journal(const std::filesystem::path& folder, const Json& settings, bool resume,
                 const std::function<void(const Json&)>& earlier)
    : path_(folder / "journal.jsonl") {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    std::error_code unknown;
    const bool is_there = std::filesystem::exists(std::filesystem::symlink_status(folder, unknown));
    throw OutputError(folder, is_there ? "it is not a folder" : failed.message());
  }
  // A link to a device or a pipe is followed; O_CREAT would create a file at the target of a dangling link.
  if (std::filesystem::is_symlink(path_, failed)) {
    const std::filesystem::file_type target = std::filesystem::status(path_, failed).type();
    if (target == std::filesystem::file_type::regular || target == std::filesystem::file_type::not_found) {
      throw OutputError(path_, "is a link to a file, which is not followed");
    }
  }
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
  if (descriptor_ < 0) {
    throw OutputError(path_, std::strerror(errno));
  }
  try {
    struct stat status {};
    const bool regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      throw OutputError(path_, "another run is writing here");
    }
    std::size_t keep = 0;
    if (resume && regular && status.st_size != 0) {
      bool first = true;
      keep = read_lines(path_, read_file(path_, most_bytes_of_a_run()), [&](const Json& line) {
        if (!first) {
          earlier(line);
        } else if (line != settings) {
          throw OtherSettings(path_.string() + ": that run had other settings (" + first_difference(line, settings) +
                              "); it cannot be continued with these");
        }
        first = false;
      });
    }
    if (regular && ::ftruncate(descriptor_, static_cast<off_t>(keep)) != 0) {
      throw OutputError(path_, std::strerror(errno));
    }
    if (keep == 0) {
      append(settings, true);
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::append(const Json& line, bool durable) {
  const std::string bytes = sealed(compact(line)) + "\n";
  const std::lock_guard lock(mutex_);
  write(bytes);
  if (durable || std::chrono::steady_clock::now() - synced_ > sync_every) {
    sync();
  }
}

void Journal::write(const std::string& bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t size = ::write(descriptor_, bytes.data() + written, bytes.size() - written);
    if (size < 0 && errno != EINTR) {
      throw OutputError(path_, std::strerror(errno));
    }
    written += size > 0 ? static_cast<std::size_t>(size) : 0;
  }
}

void Journal::sync() {
  // A journal on something that cannot be synced (a pipe, a device) is as durable as that thing is.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
    throw OutputError(path_, std::strerror(errno));
  }
  synced_ = std::chrono::steady_clock::now();
}

}  // namespace assay::store
