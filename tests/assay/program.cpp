#include "tests/assay/program.hpp"

#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "assay/process/process.hpp"

namespace assay::testing_program {
namespace {

std::string program() { return beside("assay-hostile"); }

}  // namespace

std::string beside(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Ended shell(const std::string& line) {
  const Folder folder;
  const auto finished =
      process::run_to_end({"/bin/sh", {"sh", "-c", "cd " + folder.path().string() + " && " + line + " 2>err"}});
  return {finished.value().code, finished->out, content(folder / "err")};
}

Ended run(const std::string& arguments, const std::string& environment) {
  return shell("env -u ASSAY_CORPUS " + environment + " " + program() + " " + arguments);
}

int run_and_kill(const std::string& arguments, int milliseconds, std::initializer_list<int> signals, const Sign& sign) {
  process::Command command{
      program(), {program()}, {{process::nowhere, STDOUT_FILENO}, {process::nowhere, STDERR_FILENO}}};
  std::istringstream stream(arguments);
  for (std::string word; stream >> word;) {
    command.words.push_back(word);
  }
  process::Child child(command);
  for (int tenth = 0; !sign.text.empty() && tenth < 600; ++tenth) {
    if (std::filesystem::exists(sign.file) && content(sign.file).find(sign.text) != std::string::npos) break;
    ::usleep(100'000);
  }
  for (const int signal : signals) {
    ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
    ::kill(child.id(), signal);
  }
  return process::exit_code_of(child.wait());
}

std::string check(const std::string& rest, const Folder& folder, const std::string& out) {
  return "check " + rest + " --on host --progress none --out " + (folder / out).string();
}

std::string replay_line_in(const std::string& text) {
  const std::size_t at = text.rfind(" replay ");
  if (at == std::string::npos) return "";
  const std::size_t begin = text.find_last_of("\n`>", at) + 1;
  return text.substr(begin, text.find_first_of("\n`<", at) - begin);
}

Ended replay_of(const Ended& checked) {
  const std::string line = replay_line_in(checked.out);
  if (line.empty()) return {-1, "", "the check printed no line to replay"};
  return shell("env -u ASSAY_CORPUS " + line + " --on host");
}

std::string summary(const Folder& folder, const std::string& out) { return content(folder / out / "summary.json"); }

Ended ProgramTest::rebuilt(const std::string& arguments) const {
  const std::filesystem::path other = folder_ / "rebuilt" / "assay-hostile";
  if (std::filesystem::create_directory(other.parent_path())) {
    std::filesystem::create_symlink(beside("assay-hostile-fewer"), other);
  }
  return shell(other.string() + " " + arguments);
}

Ended ProgramTest::merged_from_three_shards(const std::string& rest) const {
  std::string folders;
  for (const std::string shard : {"0", "1", "2"}) {
    checked(rest + " --shard " + shard + "/3", shard);
    folders += " " + in(shard);
  }
  return run("report" + folders + " --json " + in("merged.json"));
}

std::string ProgramTest::file_with(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name) << text;
  return in(name);
}

std::string ProgramTest::case_file(const std::string& property, const std::string& claim, const std::string& fields,
                                   const std::string& name) const {
  return file_with(name, R"({"schema": 1, "property": ")" + property + R"(", "claim": ")" + claim +
                             R"(", "format": "binary64", "case": {)" + fields +
                             R"(}, "expected": "holds", "why": "seed"})");
}

}  // namespace assay::testing_program
