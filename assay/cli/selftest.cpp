#include "assay/cli/selftest.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/cli/commands.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"

namespace assay::cli {
namespace {

/// What a program wrote to its standard output, and how it ended.
struct Output {
  std::string text;
  int code = 0;
};

Output output_of(const std::string& program, const std::string& argument) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) {
    throw std::runtime_error("no pipe to " + program);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string name = program;
  std::string option = argument;
  std::array<char*, 3> arguments{name.data(), option.data(), nullptr};
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Output output;
  std::array<char, 65536> bytes{};
  for (ssize_t size = 0; failed == 0 && (size = ::read(ends[0], bytes.data(), bytes.size())) != 0;) {
    if (size > 0) {
      output.text.append(bytes.data(), static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      break;
    }
  }
  ::close(ends[0]);
  if (failed != 0) {
    throw std::runtime_error(program + " could not be started");
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

std::optional<std::filesystem::path> mutants_program() {
  std::error_code failed;
  const std::filesystem::path beside =
      std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / "assay-mutants";
  return std::filesystem::exists(beside, failed) ? std::optional(beside) : std::nullopt;
}

}  // namespace

std::vector<store::Summary::MutantRow> mutant_rows(const store::Json& document) {
  std::vector<store::Summary::MutantRow> rows;
  try {
    for (const store::Json& each : document.at("mutants")) {
      store::Summary::MutantRow& row = rows.emplace_back();
      row.id = each.at("id").get<std::string>();
      row.what = each.at("what").get<std::string>();
      row.caught_by = each.at("caught_by").get<std::string>();
      row.cases_to_kill = each.at("cases_to_kill").get<std::uint64_t>();
      row.reproducer = each.at("reproducer").get<std::string>();
      row.significant_bits = each.at("significant_bits").get<std::uint64_t>();
      row.caught = each.at("caught").get<bool>();
    }
  } catch (const nlohmann::json::exception& error) {
    throw store::JsonError(std::string("no table of mutants: ") + error.what());
  }
  return rows;
}

std::vector<store::Summary::MutantRow> mutant_rows(const std::filesystem::path& path) {
  try {
    return mutant_rows(store::parse_json(store::read_file(path)));
  } catch (const store::JsonError& error) {
    throw store::DamagedFile(path, error.what());
  }
}

int run_selftest(const Options& options) {
  const std::vector<std::string> on = executors(options);
  if (on.empty()) {
    return report::exit_skipped;
  }
  const std::vector<std::string> wrong = cheap_self_tests(on);
  int code = wrong.empty() ? report::exit_holds : report::exit_trouble;
  store::Json document{
      {"schema", store::schema_number}, {"executors", on}, {"failures", wrong}, {"mutants", store::Json::array()}};
  if (!options.json) {
    for (const std::string& each : wrong) {
      fmt::print("{}\n", each);
    }
    fmt::print("oracle, framework, arithmetic on {}: {}\n", on.size() == 1 ? on.front() : "host and cuda",
               wrong.empty() ? "as they should be" : fmt::format("{} failures", wrong.size()));
  }
  if (options.mutants) {
    const std::optional<std::filesystem::path> program = mutants_program();
    if (!program) {
      fmt::print(stderr, "assay: the program assay-mutants is not beside this one: no planted mistake was tried\n");
      code = report::graver(code, report::exit_skipped);
    } else {
      const Output output = output_of(program->string(), "--json");
      store::Json table = store::parse_json(output.text);
      const std::vector<store::Summary::MutantRow> rows = mutant_rows(table);
      bool all_caught = !rows.empty();
      for (const store::Summary::MutantRow& row : rows) {
        all_caught = all_caught && row.caught;
        if (!options.json) {
          fmt::print("{:<6} {:<9} {}{}\n", row.id, row.caught ? "caught" : "SURVIVED", row.what,
                     row.caught ? fmt::format(" (by {} after {} cases)", row.caught_by, row.cases_to_kill) : "");
        }
      }
      if (!all_caught || output.code != 0) {
        code = report::graver(code, report::exit_trouble);
      }
      document["mutants"] = std::move(table.at("mutants"));
    }
  }
  if (options.json) {
    fmt::print("{}", store::pretty(document));
  }
  return code;
}

}  // namespace assay::cli
