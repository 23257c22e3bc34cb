#include "tests/layering/include_rules.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

namespace assay::layering {
namespace {

using Names = std::set<std::string, std::less<>>;

struct Room {
  Names rooms;
  Names libraries;
};

const std::map<std::string, Room, std::less<>> kRooms{
    {"arith", {{}, {}}},
    {"kernels", {{"arith"}, {"cuda"}}},
    {"oracle", {{}, {"gmp", "mpfr", "flint"}}},
    {"errorbounds", {{"oracle"}, {}}},
    {"properties", {{"arith", "kernels", "oracle", "errorbounds"}, {"rapidcheck"}}},
    {"assay", {{"arith", "kernels", "oracle", "errorbounds", "properties"}, {"cli11", "nlohmann_json", "fmt"}}},
};
const Names kOutermost{"tests", "bench", "examples"};
const Names kNotForNvcc{"rapidcheck", "gmp", "mpfr", "flint", "gtest"};

struct Include {
  std::string name;
  bool quoted;
};

bool starts(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

std::string first_folder(std::string_view path) {
  const auto slash = path.find('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

bool is_device_file(std::string_view path) { return path.ends_with(".cu") || path.ends_with(".cuh"); }

bool may_hold_device_files(std::string_view path) {
  constexpr std::array<std::string_view, 5> kPlaces{"kernels/", "bench/", "examples/", "tests/device/",
                                                    "tests/mutants/device/"};
  return std::ranges::any_of(kPlaces, [&](std::string_view place) { return starts(path, place); });
}

std::vector<Include> includes(const std::string& text) {
  std::vector<Include> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string_view rest(line);
    const auto skip = [&](std::string_view what) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      if (!starts(rest, what)) return false;
      rest.remove_prefix(what.size());
      return true;
    };
    if (!skip("#") || !skip("include") || !skip("")) continue;
    const char open = rest.empty() ? '\0' : rest.front();
    const auto close = rest.find(open == '<' ? '>' : '"', 1);
    if ((open == '<' || open == '"') && close != std::string_view::npos) {
      found.push_back({std::string(rest.substr(1, close - 1)), open == '"'});
    } else {
      found.push_back({std::string(rest), true});
    }
  }
  return found;
}

/// The library that a header belongs to: "" for the standard library, the compiler and the operating system, "?" when
/// unknown.
std::string library_of(std::string_view header) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kPrefixes{{
      {"rapidcheck", "rapidcheck"},
      {"gmp", "gmp"},
      {"mpfr", "mpfr"},
      {"flint", "flint"},
      {"arb", "flint"},
      {"arf", "flint"},
      {"mag.h", "flint"},
      {"fmpz", "flint"},
      {"fmpq", "flint"},
      {"fmpr", "flint"},
      {"gtest/", "gtest"},
      {"gmock/", "gtest"},
      {"CLI/", "cli11"},
      {"nlohmann/", "nlohmann_json"},
      {"fmt/", "fmt"},
      {"benchmark/", "benchmark"},
      {"qd/", "qd"},
      {"cuda", "cuda"},
      {"cublas", "cuda"},
      {"cooperative_groups", "cuda"},
      {"mma.h", "cuda"},
      {"nv", "cuda"},
  }};
  for (const auto& [prefix, library] : kPrefixes) {
    if (starts(header, prefix)) return std::string(library);
  }
  if (header.find_first_of("/.") == std::string_view::npos) return "";
  static const Names system{"unistd.h",    "fnmatch.h",   "fcntl.h", "poll.h",    "signal.h", "spawn.h",
                            "dirent.h",    "termios.h",   "fenv.h",  "errno.h",   "locale.h", "xmmintrin.h",
                            "immintrin.h", "pmmintrin.h", "cpuid.h", "dlfcn.h",   "stdlib.h", "string.h",
                            "stdio.h",     "time.h",      "sched.h", "pthread.h", "stdint.h", "emmintrin.h"};
  return starts(header, "sys/") || starts(header, "linux/") || system.contains(header) ? "" : "?";
}

class Check {
 public:
  explicit Check(const Tree& tree) : tree_(tree) {}

  std::vector<std::string> run() {
    for (const auto& [path, text] : tree_) {
      for (const Include& include : includes(text)) check(path, include);
      if (is_device_file(path)) check_device_file(path);
    }
    return std::move(offences_);
  }

 private:
  void offence(const std::string& path, const std::string& reason) { offences_.push_back(path + ": " + reason); }

  void check(const std::string& path, const Include& include) {
    const std::string room = first_folder(path);
    const std::string other = first_folder(include.name);
    const auto rules = kRooms.find(room);
    if (include.quoted && kOutermost.contains(other)) {
      if (!kOutermost.contains(room)) offence(path, "nothing includes " + other + ": " + include.name);
      return;
    }
    if (rules == kRooms.end()) return;
    if (include.quoted) {
      if (!kRooms.contains(other)) {
        offence(path, "does not name its room: " + include.name);
      } else if (other != room && !rules->second.rooms.contains(other)) {
        offence(path, room + " must not include " + other + ": " + include.name);
      }
      return;
    }
    if (kRooms.contains(other) && tree_.contains(include.name)) {
      offence(path, "a room's header is included with quotes: " + include.name);
      return;
    }
    const std::string library = library_of(include.name);
    const bool judge = path == "assay/testing.hpp" && library == "gtest";
    if (!library.empty() && !judge && !rules->second.libraries.contains(library)) {
      offence(path, room + " must not include the library " + library + ": " + include.name);
    }
  }

  void check_device_file(const std::string& path) {
    if (!may_hold_device_files(path)) offence(path, "a CUDA file does not belong here");
    std::set<std::string> seen{path};
    for (std::vector<std::string> open{path}; !open.empty();) {
      const std::string current = open.back();
      open.pop_back();
      const auto file = tree_.find(current);
      if (file == tree_.end()) continue;
      for (const Include& include : includes(file->second)) {
        const std::string other = first_folder(include.name);
        if (include.quoted) {
          if (kRooms.contains(other) && other != "arith" && other != "kernels") {
            offence(path, "nvcc must not see " + include.name + " (in " + current + ")");
          } else if (seen.insert(include.name).second) {
            open.push_back(include.name);
          }
        } else if (kNotForNvcc.contains(library_of(include.name))) {
          offence(path, "nvcc must not see " + include.name + " (in " + current + ")");
        }
      }
    }
  }

  const Tree& tree_;
  std::vector<std::string> offences_;
};

}  // namespace

Tree read_tree(const std::string& root) {
  namespace fs = std::filesystem;
  Tree tree;
  Names folders = kOutermost;
  for (const auto& [room, rules] : kRooms) folders.insert(room);
  for (const std::string& folder : folders) {
    const fs::path start = fs::path(root) / folder;
    if (!fs::is_directory(start)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(start)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") continue;
      std::ifstream file(entry.path());
      tree[entry.path().lexically_relative(root).generic_string()] =
          std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  return tree;
}

std::vector<std::string> offences(const Tree& tree) { return Check(tree).run(); }

}  // namespace assay::layering
