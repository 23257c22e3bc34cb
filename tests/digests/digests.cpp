// digests_test: every kernel gives the bits that it gave when tests/digests/digests.inc was written. For each property
// of the catalog, and for a few kernels without one, it draws the cases of a fixed seed, runs the kernel, and
// compares a hash of the inputs and a hash of the results with those of the file. A property without a line fails, and
// so does a line without a property. Host and device have one line: they give the same bits.
//
//   digests_test [--on host|cuda|all] [--write FILE] [--wrong] [PATTERN | !PATTERN]…
//
// Patterns choose by name, as a shell's do; those with '!' take away. --on all, the default, is the host and, if there
// is one, the device. --write writes digests.inc anew: lines of kernels that were not chosen, and of those that do not
// run there, stay as they are; so a run on a device adds those that only a device has. --wrong changes a bit of every
// hash of results before it is compared, to see that the comparison notices.
//
// Exit 0 if all agree, 1 otherwise, 2 for wrong options, 77 for a device that is not there.

#include <fnmatch.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exec/executor.hpp"
#include "properties/framework/giant.hpp"
#include "tests/digests/digest.hpp"

namespace assay {
namespace {

/// Where a kernel runs.
enum class Runs { everywhere, host, cuda };

struct Line {
  Runs runs = Runs::everywhere;
  std::uint64_t cases = 0;
  Digests digests;
};

using Lines = std::map<std::string, Line>;

struct StoredLine {
  const char* name;
  Runs runs;
  std::uint64_t cases;
  std::uint64_t inputs;
  std::uint64_t outputs;
};

Lines stored_lines() {
  using enum Runs;
  static constexpr StoredLine stored[] = {
#include "tests/digests/digests.inc"
  };
  Lines lines;
  for (const StoredLine& each : stored) {
    lines[each.name] = {each.runs, each.cases, {each.inputs, each.outputs}};
  }
  return lines;
}

constexpr const char* regenerate = "if that is meant, digests_test --write tests/digests/digests.inc";

struct Options {
  bool on_host = true;
  bool on_cuda = true;
  bool needs_cuda = false;
  bool wrong = false;
  std::string write;
  std::vector<std::string> with;
  std::vector<std::string> without;

  [[nodiscard]] bool choose(const std::string& name) const {
    const auto matches = [&](const std::string& pattern) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0; };
    return (with.empty() || std::ranges::any_of(with, matches)) && std::ranges::none_of(without, matches);
  }
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--on" && i + 1 < argc) {
      const std::string_view where = argv[++i];
      if (where != "host" && where != "cuda" && where != "all") return false;
      options.on_host = where != "cuda";
      options.on_cuda = where != "host";
      options.needs_cuda = where == "cuda";
    } else if (word == "--write" && i + 1 < argc) {
      options.write = argv[++i];
    } else if (word == "--wrong") {
      options.wrong = true;
    } else if (word.starts_with("-")) {
      return false;
    } else if (word.starts_with("!")) {
      options.without.emplace_back(word.substr(1));
    } else {
      options.with.emplace_back(word);
    }
  }
  return true;
}

Runs where(const DigestSubject& subject) {
  return subject.on_host && subject.on_cuda ? Runs::everywhere : subject.on_host ? Runs::host : Runs::cuda;
}

bool has(Runs runs, const Executor& on) {
  return runs == Runs::everywhere || (runs == Runs::host) == (on.kind() == Executor::Kind::host);
}

/// The chosen subjects, sorted by name.
std::vector<DigestSubject> chosen_subjects(const Options& options) {
  std::vector<DigestSubject> subjects = fixed_inputs();
  for (const auto& property : properties()) {
    if (giant_need(property->info().name) == nullptr) subjects.push_back(digest_subject(*property));
  }
  std::erase_if(subjects, [&](const DigestSubject& each) { return !options.choose(each.name); });
  std::ranges::sort(subjects, {}, &DigestSubject::name);
  return subjects;
}

/// Whether the subject has the stored hashes on the executor. Prints one line if not.
bool agrees(const DigestSubject& subject, const Executor& on, const Line& want, bool wrong) {
  const std::string name = subject.name + " on " + std::string(on.name());
  try {
    Digests got = subject.run(on, want.cases);
    if (wrong) got.outputs ^= 1;
    const bool same_inputs = got.inputs == want.digests.inputs;
    const bool same_outputs = got.outputs == want.digests.outputs;
    if (same_inputs && same_outputs) return true;
    const char* const what = same_inputs    ? "the outputs differ, the inputs do not"
                             : same_outputs ? "the inputs differ, the outputs do not"
                                            : "the inputs differ, and so do the outputs";
    std::printf("%s: %s: expected inputs %016" PRIx64 " outputs %016" PRIx64 ", got inputs %016" PRIx64
                " outputs %016" PRIx64 " (%" PRIu64 " cases)\n",
                name.c_str(), what, want.digests.inputs, want.digests.outputs, got.inputs, got.outputs, want.cases);
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", name.c_str(), error.what());
  }
  return false;
}

int check(const std::vector<DigestSubject>& subjects, const std::vector<Executor>& executors, const Options& options) {
  Lines unused = stored_lines();
  std::erase_if(unused, [&](const auto& each) {
    const auto runs = [&](const Executor& on) { return has(each.second.runs, on); };
    return !options.choose(each.first) || std::ranges::none_of(executors, runs);
  });
  std::size_t compared = 0;
  std::size_t differ = 0;
  std::size_t without_line = 0;
  const Lines stored = stored_lines();
  for (const DigestSubject& subject : subjects) {
    unused.erase(subject.name);
    const auto line = stored.find(subject.name);
    for (const Executor& on : executors) {
      if (!has(where(subject), on)) continue;
      ++compared;
      if (line == stored.end() || line->second.runs != where(subject)) {
        std::printf("%s: digests.inc has no line for it: %s\n", subject.name.c_str(), regenerate);
        ++without_line;
        break;
      }
      if (!agrees(subject, on, line->second, options.wrong)) ++differ;
    }
  }
  for (const auto& each : unused) {
    std::printf("%s: digests.inc has a line for it, but there is no such kernel: %s\n", each.first.c_str(), regenerate);
  }
  std::printf("%zu compared: %zu differ, %zu have no line; %zu lines have no kernel\n", compared, differ, without_line,
              unused.size());
  return compared != 0 && differ == 0 && without_line == 0 && unused.empty() ? 0 : 1;
}

bool write(const std::vector<DigestSubject>& subjects, const std::vector<Executor>& executors, const Options& options) {
  Lines lines = stored_lines();
  const auto runs_here = [&](Runs runs) {
    return std::ranges::any_of(executors, [&](const Executor& on) { return has(runs, on); });
  };
  std::erase_if(lines, [&](const auto& each) { return options.choose(each.first) && runs_here(each.second.runs); });
  for (const DigestSubject& subject : subjects) {
    for (const Executor& on : executors) {
      if (!has(where(subject), on)) continue;
      lines[subject.name] = {where(subject), subject.cases, subject.run(on, subject.cases)};
      break;
    }
  }
  std::ofstream file(options.write);
  file << "// Written by digests_test --write: a kernel, where it runs, how many cases, a hash of them, a hash of the "
          "results.\n";
  for (const auto& [name, line] : lines) {
    static constexpr const char* names[] = {"everywhere", "host", "cuda"};
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, "%s, %" PRIu64 ", 0x%016" PRIx64 ", 0x%016" PRIx64,
                  names[static_cast<std::size_t>(line.runs)], line.cases, line.digests.inputs, line.digests.outputs);
    file << "{\"" << name << "\", " << numbers << "},\n";
  }
  file.close();
  std::printf("%zu lines written to %s\n", lines.size(), options.write.c_str());
  return file.good();
}

int run(const Options& options) {
  std::vector<Executor> executors;
  if (options.on_host) executors.push_back(Executor::host());
  if (options.on_cuda && Executor::cuda_device_count() > 0) {
    executors.push_back(Executor::cuda());
  } else if (options.needs_cuda) {
    std::puts("no CUDA device is present");
    return 77;
  }
  const std::vector<DigestSubject> subjects = chosen_subjects(options);
  if (options.write.empty()) return check(subjects, executors, options);
  return write(subjects, executors, options) ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  assay::Options options;
  if (!assay::parse(argc, argv, options)) {
    std::fputs("digests_test [--on host|cuda|all] [--write FILE] [--wrong] [PATTERN | !PATTERN]...\n", stderr);
    return 2;
  }
  try {
    return assay::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "digests_test: %s\n", error.what());
    return 1;
  }
}
