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

/// What the rooms of the program may include, of the rooms below them.
const Names kBelowAssay{"arith", "exec", "oracle", "errorbounds", "properties/framework"};

Names with(Names names, const Names& more) {
  names.insert(more.begin(), more.end());
  return names;
}

/// A room is the folder with the longest name here that a path begins with. A room may include itself.
const std::map<std::string, Room, std::less<>> kRooms{
    {"arith", {{}, {}}},
    {"exec", {{"arith"}, {"cuda"}}},
    {"kernels", {{"arith", "exec"}, {"cuda"}}},
    {"probes", {{"arith", "exec"}, {"cuda"}}},
    {"oracle", {{}, {"gmp", "mpfr", "flint"}}},
    {"errorbounds", {{"oracle"}, {}}},
    {"enclosures", {{}, {}}},
    {"properties/framework", {{"arith", "exec", "oracle", "errorbounds", "enclosures"}, {"rapidcheck"}}},
    {"properties/draws", {{"arith", "exec", "oracle", "errorbounds", "properties/framework"}, {"rapidcheck"}}},
    {"properties/catalog",
     {{"arith", "exec", "kernels", "probes", "oracle", "errorbounds", "properties/framework", "properties/draws"},
      {"rapidcheck"}}},
    {"properties/contracts",
     {{"arith", "exec", "oracle", "errorbounds", "enclosures", "properties/framework", "properties/draws"},
      {"rapidcheck"}}},
    {"properties/formulas", {{"oracle", "errorbounds"}, {}}},
    {"properties/formulas/door",
     {{"properties/formulas", "exec", "oracle", "errorbounds", "enclosures", "properties/framework"},
      {"rapidcheck", "fmt"}}},
    {"assay", {{"oracle", "errorbounds"}, {"gtest"}}},
    {"assay/store", {kBelowAssay, {"nlohmann_json", "fmt"}}},
    {"assay/conversions", {with(kBelowAssay, {"assay/store"}), {"nlohmann_json", "fmt"}}},
    {"assay/quantizations", {with(kBelowAssay, {"assay/store", "assay/conversions"}), {"nlohmann_json", "fmt"}}},
    {"assay/ledger", {with(kBelowAssay, {"assay/store"}), {"nlohmann_json", "sqlite"}}},
    {"assay/process", {with(kBelowAssay, {"assay/store"}), {"nlohmann_json", "fmt"}}},
    {"assay/doors",
     {with(kBelowAssay, {"assay", "assay/store", "assay/process", "properties/formulas"}), {"nlohmann_json"}}},
    {"assay/explain", {with(kBelowAssay, {"assay/store"}), {"nlohmann_json", "fmt"}}},
    {"assay/prober", {kBelowAssay, {"fmt"}}},
    {"assay/orders", {with(kBelowAssay, {"assay/prober", "assay/store"}), {"nlohmann_json", "fmt"}}},
    {"assay/catalog", {with(kBelowAssay, {"kernels", "assay/process", "assay/prober"}), {}}},
    {"assay/campaign", {with(kBelowAssay, {"assay/store", "assay/process"}), {"nlohmann_json", "fmt"}}},
    {"assay/ranks",
     {with(kBelowAssay, {"assay/store", "assay/process", "assay/campaign"}), {"nlohmann_json", "fmt", "mpi"}}},
    {"assay/judge",
     {with(kBelowAssay,
           {"assay", "assay/store", "assay/process", "assay/campaign", "assay/conversions", "assay/quantizations",
            "assay/orders", "enclosures", "properties/formulas", "properties/formulas/door"}),
      {"nlohmann_json"}}},
    {"assay/report", {with(kBelowAssay, {"assay/store", "assay/process"}), {"nlohmann_json", "fmt"}}},
    {"assay/cli",
     {with(kBelowAssay, {"assay/store", "assay/process", "assay/doors", "assay/prober", "assay/explain",
                         "assay/campaign", "assay/ranks", "assay/report", "assay/ledger", "properties/formulas"}),
      {"cli11", "nlohmann_json", "fmt"}}},
    {"assay/cli/outside",
     {with(kBelowAssay,
           {"assay/cli", "assay/store", "assay/process", "assay/doors", "assay/orders", "assay/conversions",
            "assay/quantizations", "assay/report", "properties/formulas", "properties/formulas/door"}),
      {"nlohmann_json", "fmt"}}},
    {"tools/mutate", {{}, {"cli11", "nlohmann_json", "fmt", "gtest"}}},
};
const Names kOutermost{"tests", "bench", "examples"};
/// The rooms that nvcc compiles.
const Names kForNvcc{"arith", "enclosures", "exec", "kernels", "probes"};
/// A header in C, for users' libraries: every compiler may see it.
constexpr std::string_view kForEveryCompiler = "assay/subject.h";
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

/// The room of a path: "" for a path outside all rooms.
std::string room_of(std::string_view path) {
  for (auto slash = path.rfind('/'); slash != std::string_view::npos && slash != 0;
       slash = path.rfind('/', slash - 1)) {
    if (const auto room = kRooms.find(path.substr(0, slash)); room != kRooms.end()) return room->first;
  }
  return "";
}

/// The folder above a folder named detail: "kernels/gemm" of "kernels/gemm/detail/crt.hpp"; "" if there is none.
std::string home_of_detail(std::string_view path) {
  const auto at = path.find("/detail/");
  return std::string(at == std::string_view::npos ? std::string_view() : path.substr(0, at));
}

/// The family of a path in a room of families: "gemm" of "kernels/gemm/x.hpp", "tests/kernels/gemm/y.cpp".
std::string family_of(std::string_view path) {
  for (const std::string_view room : {"kernels/", "probes/", "properties/catalog/", "tests/kernels/"}) {
    if (!starts(path, room)) continue;
    const std::string_view rest = path.substr(room.size());
    const auto slash = rest.find('/');
    return std::string(slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash));
  }
  return "";
}

bool is_device_file(std::string_view path) { return path.ends_with(".cu") || path.ends_with(".cuh"); }

bool may_hold_device_files(std::string_view path) {
  constexpr std::array<std::string_view, 8> kPlaces{
      "enclosures/", "exec/", "kernels/", "probes/", "bench/", "examples/", "tests/device/", "tests/mutants/device/"};
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
  constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kPrefixes{{
      {"rapidcheck", "rapidcheck"},
      {"gmp", "gmp"},
      {"mpfr", "mpfr"},
      {"flint", "flint"},
      {"acb_dft", "flint"},
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
      {"sqlite3.h", "sqlite"},
      {"mpi.h", "mpi"},
  }};
  for (const auto& [prefix, library] : kPrefixes) {
    if (starts(header, prefix)) return std::string(library);
  }
  if (header.find_first_of("/.") == std::string_view::npos) return "";
  static const Names system{"unistd.h",    "wordexp.h",   "fnmatch.h",   "fcntl.h",  "poll.h",  "signal.h",
                            "spawn.h",     "dirent.h",    "termios.h",   "fenv.h",   "errno.h", "locale.h",
                            "xmmintrin.h", "immintrin.h", "pmmintrin.h", "cpuid.h",  "dlfcn.h", "link.h",
                            "stdlib.h",    "string.h",    "stdio.h",     "stddef.h", "time.h",  "sched.h",
                            "pthread.h",   "stdint.h",    "emmintrin.h"};
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
    const std::string room = room_of(path);
    const std::string outermost = first_folder(include.name);
    const std::string other = room_of(include.name);
    const auto rules = kRooms.find(room);
    if (include.quoted) check_detail(path, include);
    if (include.quoted && kOutermost.contains(outermost)) {
      if (!kOutermost.contains(first_folder(path))) {
        offence(path, "nothing includes " + outermost + ": " + include.name);
      }
      return;
    }
    if (rules == kRooms.end()) return;
    if (include.quoted) {
      if (other.empty()) {
        offence(path, "does not name its room: " + include.name);
      } else if (other != room && !rules->second.rooms.contains(other)) {
        offence(path, room + " must not include " + other + ": " + include.name);
      }
      return;
    }
    if (!other.empty() && tree_.contains(include.name)) {
      offence(path, "a room's header is included with quotes: " + include.name);
      return;
    }
    const std::string library = library_of(include.name);
    if (!library.empty() && !rules->second.libraries.contains(library)) {
      offence(path, room + " must not include the library " + library + ": " + include.name);
    }
  }

  void check_detail(const std::string& path, const Include& include) {
    const std::string home = home_of_detail(include.name);
    if (home.empty() || starts(path, home + "/")) return;
    const std::string family = home.substr(home.rfind('/') + 1);
    if (starts(path, "bench/")) {
      offence(path, "bench includes public headers only: " + include.name);
    } else if (first_folder(path) != "tests" || (!family_of(path).empty() && family_of(path) != family)) {
      offence(path, "detail/ is included from its own family only: " + include.name);
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
        const std::string other = room_of(include.name);
        if (include.quoted) {
          if (!other.empty() && !kForNvcc.contains(other) && include.name != kForEveryCompiler) {
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
  for (const auto& [room, rules] : kRooms) folders.insert(room.substr(0, room.find('/')));
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
