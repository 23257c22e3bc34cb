// assay-mutants: every row of the mutant catalog, injected one at a time. Each kernel row is tested within the quick
// tier and its first failing case is shrunk; each harness row is a separate program, in the same folder, that the
// self-tests must stop. Prints a table, or with --json the document that `assay selftest --mutants --json` passes on.
// --no-shrink does not shrink the cases, which takes half of the time. Exit code 0 if every mutant was caught and its
// case shrunk below its size, otherwise 3.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <future>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/process/process.hpp"
#include "assay/store/json.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

/// A harness row: the separate program in the same folder prints what noticed the mistake.
Row harness_row(std::string id, std::string what, const std::filesystem::path& folder) {
  Row row;
  std::string program = "assay-mutant-" + id;
  for (char& c : program) {
    c = c == 'H' ? 'h' : c;
  }
  row.id = std::move(id);
  row.what = std::move(what);
  program = (folder / program).string();
  const auto finished = process::run_to_end({program, {program}});
  if (finished) {
    const std::string first_line = finished->out.substr(0, finished->out.find('\n'));
    row.caught_by = finished->out.empty() ? "" : "self-test: " + first_line;
    row.caught = finished->code == 0 && !row.caught_by.empty();
  }
  return row;
}

Rows harness_rows() {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return {
      harness_row("H1", "the reference is rounded before the comparison in ulps", folder),
      harness_row("H2", "a NaN passes the comparison with a bound", folder),
      harness_row("H3", "only the first component is compared", folder),
      harness_row("H4", "bits are compared by value", folder),
      harness_row("H5", "the generator draws all ones", folder),
      harness_row("H6", "a case is made again from another stream", folder),
      harness_row("H7", "a subject out of memory counts as run", folder),
      harness_row("H8", "the oracle computes with the subject's code", folder),
      harness_row("H9", "MPFR rounds subnormals with its own exponent range", folder),
      harness_row("H10", "the floating-point environment is not restored", folder),
  };
}

constexpr std::array families{error_free_rows, native_pair_rows, expansion_rows, quad_double_rows, rns_rows,
                              mp_rows,         harness_rows,     gemv_rows,      product_rows,     accurate_sum_rows,
                              large_case_rows, execution_rows,   address_rows,   word_rows,        tensor_core_rows,
                              binned_rows,     segment_rows,     limb_rows,      elementary_rows,  scan_rows,
                              quantizer_rows,  refine_rows};

/// The rows of a family, computed by a process of its own, so that families run in parallel.
Rows rows_by_process(std::size_t family) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words{self, "--family", std::to_string(family)};
  if (!shrinks) words.emplace_back("--no-shrink");
  const auto finished = process::run_to_end({self, words});
  if (!finished) throw std::runtime_error(self + " could not be started");
  if (finished->code != 0) {
    throw std::runtime_error(fmt::format("{} --family {} ended with code {}", self, family, finished->code));
  }
  Rows rows;
  for (const store::Json& each : store::parse_json(finished->out)) rows.push_back(store::mutant_from_json(each));
  return rows;
}

Rows all_rows() {
  std::vector<std::future<Rows>> parts;
  for (std::size_t i = 0; i < families.size(); ++i) {
    parts.push_back(std::async(std::launch::async, rows_by_process, i));
  }
  Rows all;
  for (std::future<Rows>& each : parts) {
    Rows rows = each.get();
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

void print_family(std::size_t family) {
  store::Json rows = store::Json::array();
  for (const Row& row : families.at(family)()) rows.push_back(store::mutant_to_json(row));
  fmt::print("{}", store::pretty(rows));
}

int run(bool json) {
  const Rows rows = all_rows();
  store::Json table = store::Json::array();
  bool all_caught = true;
  for (const Row& row : rows) {
    all_caught = all_caught && row.caught;
    table.push_back(store::mutant_to_json(row));
    if (!json) {
      fmt::print("{:<11}{:<9}{:<58}{}\n", row.id, row.caught ? "caught" : "SURVIVED", row.what, row.caught_by);
      if (!row.reproducer.empty()) {
        fmt::print("           after {} cases; {} bits: {}\n", row.cases_to_kill, row.significant_bits, row.reproducer);
      }
    }
  }
  if (json) {
    fmt::print("{}", store::pretty(store::Json{{"schema", store::schema_number}, {"mutants", std::move(table)}}));
  }
  return all_caught ? 0 : 3;
}

}  // namespace

}  // namespace assay::mutants

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  assay::mutants::shrinks = std::erase(words, "--no-shrink") == 0;
  if (words.size() == 2 && words[0] == "--family") {
    assay::mutants::print_family(std::stoul(words[1]));
    return 0;
  }
  constexpr const char* usage =
      "assay-mutants [--json] [--no-shrink]: plants every catalogued mistake and says what caught it\n";
  if (words == std::vector<std::string>{"--help"}) {
    std::fputs(usage, stdout);
    return 0;
  }
  const bool json = words == std::vector<std::string>{"--json"};
  if (!words.empty() && !json) {
    std::fprintf(stderr, "assay-mutants: %s is not understood; %s", words[0].c_str(), usage);
    return 2;
  }
  return assay::mutants::run(json);
}
