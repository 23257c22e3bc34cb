#pragma once
// Files, and programs that are run to their end.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mutate {

/// Errors: std::runtime_error if the file cannot be read.
std::string read_file(const std::filesystem::path& file);

/// A reader sees the old text or the new one. Errors: std::runtime_error.
void write_file(const std::filesystem::path& file, std::string_view text);

/// How a program ended.
struct Finished {
  std::string out;  ///< its output, including messages
  int code = 0;     ///< 127 if it could not be started, 128 + signal if a signal ended it
};

/// Runs a program with its arguments. Errors: std::system_error if no process can be created.
Finished run_to_end(const std::vector<std::string>& words);

/// The 64-bit FNV-1a hash.
constexpr std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace mutate
