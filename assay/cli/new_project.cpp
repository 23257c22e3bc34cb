// `assay new`: a kernel, its property and a build of both, from the files of examples/new_project.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "assay/cli/commands.hpp"
#include "assay/cli/new_project_files.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/replay.hpp"
#include "assay/store/case_file.hpp"

namespace assay::cli {
namespace {

constexpr std::string_view name_in_the_files = "my_kernel";

/// Whether the name is valid as a family, a C++ namespace and a CMake target.
bool is_project_name(std::string_view name) {
  constexpr std::array words{
      "alignas",  "alignof", "and",      "asm",       "auto",     "bool",     "break",     "case",    "catch",
      "char",     "class",   "concept",  "const",     "continue", "default",  "delete",    "do",      "double",
      "else",     "enum",    "explicit", "export",    "extern",   "false",    "float",     "for",     "friend",
      "goto",     "if",      "inline",   "int",       "long",     "mutable",  "namespace", "new",     "not",
      "operator", "or",      "private",  "protected", "public",   "register", "requires",  "return",  "short",
      "signed",   "sizeof",  "static",   "struct",    "switch",   "template", "this",      "throw",   "true",
      "try",      "typedef", "typeid",   "typename",  "union",    "unsigned", "using",     "virtual", "void",
      "volatile", "while",   "xor",      "std",       "assay"};
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= 40 && is_letter(name.front()) && std::ranges::all_of(name, is_part) &&
         name.find("__") == std::string_view::npos && std::ranges::find(words, name) == words.end();
}

std::string with_name(std::string_view text, std::string_view name) {
  std::string named(text);
  for (std::size_t at = named.find(name_in_the_files); at != std::string::npos;
       at = named.find(name_in_the_files, at + name.size())) {
    named.replace(at, name_in_the_files.size(), name);
  }
  return named;
}

/// The folder in which this program is installed with its CMake package; "" if it is not installed.
std::filesystem::path prefix_of_the_package() {
  std::error_code failed;
  std::filesystem::path prefix = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
  for (const char* const folder : {"lib", "lib64", "share"}) {
    if (std::filesystem::exists(prefix / folder / "cmake/assay/assayConfig.cmake", failed)) return prefix;
  }
  return {};
}

}  // namespace

int run_new(const Options& options) {
  const std::filesystem::path folder = options.arguments.front();
  const std::string name = folder.filename();
  if (!is_project_name(name)) {
    throw UsageError("new " + folder.string() +
                     ": the last part must be a name in C++: lower-case letters, digits and single underscores, "
                     "a letter first, at most 40");
  }
  std::error_code failed;
  if (std::filesystem::exists(std::filesystem::symlink_status(folder, failed))) {
    throw UsageError("new " + folder.string() + ": it exists already; choose another name");
  }
  for (const NewProjectFile& each : new_project_files) {
    store::write_file_atomically(folder / with_name(each.name, name), with_name(each.text, name));
  }
  const std::filesystem::path prefix = prefix_of_the_package();
  const std::string source = report::shell_word(folder.string());
  const std::string build = report::shell_word((folder / "build").string());
  fmt::print("{} contains a kernel, its property and their build files. Next:\n", folder.string());
  fmt::print("  cmake -S {} -B {} -DCMAKE_PREFIX_PATH={}\n", source, build,
             prefix.empty() ? "PREFIX_OF_ASSAY" : report::shell_word(prefix.string()));
  fmt::print("  cmake --build {}\n", build);
  fmt::print("  ctest --test-dir {} -LE nightly\n", build);
  if (prefix.empty()) {
    fmt::print(
        "PREFIX_OF_ASSAY is the folder into which `cmake --install BUILD --prefix PREFIX_OF_ASSAY` installs "
        "Assay after `cmake --build BUILD`.\n");
  }
  return report::exit_holds;
}

}  // namespace assay::cli
