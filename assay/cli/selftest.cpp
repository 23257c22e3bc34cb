#include "assay/cli/selftest.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "assay/cli/commands.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/process/process.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/read_document.hpp"

namespace assay::cli {
namespace {

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
    for (const store::Json& each : document.at("mutants")) rows.push_back(store::mutant_from_json(each));
  } catch (const nlohmann::json::exception& error) {
    throw store::JsonError(std::string("no table of mutants: ") + error.what());
  }
  return rows;
}

std::vector<store::Summary::MutantRow> mutant_rows(const std::filesystem::path& path) {
  return store::read_document(path, [](const store::Json& document) { return mutant_rows(document); });
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
               wrong.empty() ? "all tests pass" : fmt::format("{} failures", wrong.size()));
  }
  if (options.mutants) {
    const std::optional<std::filesystem::path> program = mutants_program();
    if (!program) {
      to_stderr("assay: the program assay-mutants is not in the folder of this one: no planted mistake was tried\n");
      code = report::graver(code, report::exit_skipped);
    } else {
      const auto finished = process::run_to_end({program->string(), {program->string(), "--json"}});
      if (!finished) {
        throw std::runtime_error(program->string() + " could not be started");
      }
      store::Json table = store::parse_json(finished->out);
      const std::vector<store::Summary::MutantRow> rows = mutant_rows(table);
      bool all_caught = !rows.empty();
      for (const store::Summary::MutantRow& row : rows) {
        all_caught = all_caught && row.caught;
        if (!options.json) {
          fmt::print("{:<6} {:<9} {}{}\n", row.id, row.caught ? "caught" : "SURVIVED", row.what,
                     row.caught ? fmt::format(" (by {} after {} cases)", row.caught_by, row.cases_to_kill) : "");
        }
      }
      if (!all_caught || finished->code != 0) {
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
