#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace assay::test {

/// An empty folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// How many entries, hidden ones included, a folder inside has.
  std::size_t count(const std::string& inside) const {
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(path_ / inside)) ++entries;
    return entries;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace assay::test
