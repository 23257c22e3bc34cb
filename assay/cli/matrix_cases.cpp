#include "assay/cli/matrix_cases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "assay/cli/commands.hpp"
#include "assay/cli/saved_case.hpp"
#include "assay/cli/screen.hpp"
#include "assay/cli/selection.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/report/overview.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/matrix_market.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/shaped_call.hpp"

namespace assay::cli {
namespace {

constexpr const char* sparse_product = "spmv";

/// Whether a case of the operation is a matrix, or a matrix and a right side.
bool takes_a_matrix(const std::string& operation) {
  const ShapedCall* const call = find_shaped_call(operation);
  if (call == nullptr) return operation == sparse_product;
  const std::vector<ShapedArgument>& arguments = call->arguments;
  return !arguments.empty() && arguments.size() <= 2 && arguments[0].name == "a" &&
         (arguments.size() == 1 || (arguments[1].name == "b" && arguments[1].dimensions.size() == 1));
}

void refuse_other_operations(const Options& options) {
  std::string other = options.kernels.empty() ? options.operation : "";
  for (const auto& [operation, format] : options.kernels) {
    if (!takes_a_matrix(operation)) other = operation;
  }
  if (other.empty()) return;
  std::string accepted;
  for (const Operation* each : operations()) {
    if (takes_a_matrix(each->name)) accepted += (accepted.empty() ? "" : ", ") + each->name;
  }
  throw UsageError(fmt::format("--case: a matrix is no case of {}; accepted: {}", other, accepted));
}

void refuse_other_options(const Options& options) {
  if (options.subject.empty()) throw UsageError("--case: needs --subject");
  for (const auto& [option, is_given] :
       {std::pair{"--formula", !options.formula.empty()}, std::pair{"--shape", !options.shape.empty()},
        std::pair{"--cases", options.cases.has_value()}, std::pair{"--numbers", options.numbers.has_value()},
        std::pair{"--time", options.time.has_value()}, std::pair{"--shard", options.shard.count != 1},
        std::pair{"--resume", options.resume}, std::pair{"--mpi", options.mpi}, std::pair{"--dry-run", options.dry_run},
        std::pair{"--digests", !options.digests.empty()}, std::pair{"--update-corpus", options.update_corpus},
        std::pair{"--judge", options.judge != "oracle"}, std::pair{"--tier", options.tier != "quick"}}) {
    if (is_given) throw UsageError(fmt::format("{}: not with --case, whose files are the cases", option));
  }
}

/// A·(1, …, 1), rounded once.
std::vector<std::uint64_t> row_sums(const store::MatrixFile& matrix, const oracle::Format& format) {
  std::vector<oracle::Dyadic> sums(static_cast<std::size_t>(matrix.rows));
  for (const store::MatrixFile::Entry& each : matrix.entries) {
    sums[static_cast<std::size_t>(each.row)] += oracle::decode_finite(format, each.bits);
  }
  std::vector<std::uint64_t> bits;
  for (const oracle::Dyadic& each : sums) bits.push_back(oracle::round(each, format, oracle::Rounding::nearest));
  return bits;
}

std::vector<std::uint64_t> column_by_column(const store::MatrixFile& matrix) {
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(matrix.rows * matrix.columns));
  for (const auto& [row, column, number] : matrix.entries) {
    bits[static_cast<std::size_t>(row + column * matrix.rows)] = number;
  }
  return bits;
}

/// Field `name` of a case of spmv, x = (1, …, 1).
std::vector<std::uint64_t> sparse_field(const std::string& name, const store::MatrixFile& matrix,
                                        const oracle::Format& format) {
  std::vector<std::uint64_t> words;
  if (name == "x") {
    words.assign(static_cast<std::size_t>(matrix.columns),
                 oracle::round(oracle::Dyadic(1), format, oracle::Rounding::nearest));
  } else if (name == "row_offsets") {
    words.resize(static_cast<std::size_t>(matrix.rows) + 1);
    for (const store::MatrixFile::Entry& each : matrix.entries) ++words[static_cast<std::size_t>(each.row) + 1];
    for (std::size_t i = 1; i < words.size(); ++i) words[i] += words[i - 1];
  } else {
    for (const store::MatrixFile::Entry& each : matrix.entries) {
      words.push_back(name == "values" ? each.bits : static_cast<std::uint64_t>(each.column));
    }
  }
  return words;
}

/// The case of the property, which is made of the fields of `drawn`, another case of it.
Record case_of(Record drawn, const std::string& operation, const store::MatrixFile& matrix,
               const oracle::Format& format) {
  const ShapedCall* const call = find_shaped_call(operation);
  std::map<std::string, std::int64_t> lengths{{"rows", matrix.rows}, {"columns", matrix.columns}};
  if (call != nullptr) {
    const std::vector<std::string>& names = call->arguments[0].dimensions;
    if (names[0] == names[1] && matrix.rows != matrix.columns) {
      throw std::invalid_argument(
          fmt::format("{} × {}, but {} takes square matrices", matrix.rows, matrix.columns, operation));
    }
    lengths = {{names[0], matrix.rows}, {names[1], matrix.columns}};
  }
  for (FieldValue& field : drawn.fields) {
    auto* const words = std::get_if<Words>(&field.value);
    if (words == nullptr) {
      field.value = lengths.at(field.name);
    } else if (call == nullptr) {
      words->bits = sparse_field(field.name, matrix, format);
    } else {
      words->bits = field.name == "a" ? column_by_column(matrix) : row_sums(matrix, format);
    }
  }
  return drawn;
}

/// The format of the entries of the matrix.
oracle::Format format_of(const Record& drawn) {
  for (const FieldValue& field : drawn.fields) {
    if (field.name == "a" || field.name == "values") return std::get<Words>(field.value).format;
  }
  throw std::logic_error("a case without a matrix");
}

/// The case of a file, which is in the domain of the property. Errors: UsageError, store::DamagedFile.
store::CaseFile case_of_file(const std::string& path, const PropertyModel& property) {
  const std::string operation = report::operation_name(property.info().name);
  Record drawn = *property.make(1, 0);
  const oracle::Format format = format_of(drawn);
  store::CaseFile file;
  file.property = property.info().name;
  file.format = property.info().format;
  try {
    file.inputs = case_of(std::move(drawn), operation, store::read_matrix_market(path, format), format);
  } catch (const store::OtherMatrix& error) {
    throw UsageError(error.what());
  } catch (const std::invalid_argument& error) {
    throw UsageError(path + ": " + error.what());
  }
  return admitted(std::move(file), property, path);
}

/// "backward (0.0132 of its bound)".
std::string with_ratio(const std::string& id, double ratio) {
  return ratio == 0 ? id : fmt::format("{} ({} of its bound)", id, short_number(ratio));
}

/// Judges one case, prints the answer and returns the exit code.
int judge_file(const Selected& selected, const std::string& executor, const std::string& path, store::CaseFile file,
               const Options& options) {
  const PropertyModel& property = *selected.property;
  const PropertyInfo& info = property.info();
  const std::unique_ptr<process::Asker> asker =
      process::ask_in_worker(property, executor, options.seed, options.limits);
  const process::Answer<std::vector<CaseOutcome>> answer = asker->judge(std::span<const Record>(&file.inputs, 1));
  const std::string head = fmt::format("{}: {} on {}", path, info.name, executor);
  file.executor = executor;
  file.why = store::Why::violated;
  file.expected = "holds";
  if (const auto* stop = std::get_if<process::Stop>(&answer)) {
    fmt::print("{} {}: {}\n", head, store::word(stop->kind), stop->what);
    store::write_case(store::folder_of_cases(options.out), file);
    fmt::print("  {}\n", replay_line(file, options));
    return report::exit_stopped;
  }
  const CaseOutcome& outcome = std::get<std::vector<CaseOutcome>>(answer).front();
  std::map<std::string, std::string> lists;
  const auto add = [&](const char* list, const std::string& id) {
    lists[list] += (lists[list].empty() ? "" : ", ") + id;
  };
  std::vector<store::CaseFile> broken;
  int code = report::exit_holds;
  bool is_judged = false;
  for (std::size_t c = 0; c < info.claims.size(); ++c) {
    const std::string& id = info.claims[c].id;
    const Judgement& judgement = outcome.claims[c].judgement;
    const bool is_unasked = report::is_unasked(id);
    if (!outcome.claims[c].applies || (!selected.claims.empty() && !selected.claims[c])) continue;
    if (is_unasked && judgement.verdict == Verdict::holds) continue;
    is_judged = is_judged || !is_unasked;
    if (judgement.verdict == Verdict::holds) {
      add("keeps ", with_ratio(id, judgement.tightness));
    } else if (judgement.verdict == Verdict::undecided) {
      add("not decided: ", id);
      code = report::graver(code, report::exit_trouble);
    } else {
      add("breaks ", with_ratio(id, judgement.tightness));
      file.claim = id;
      file.evidence = campaign::evidence_of(outcome, c);
      broken.push_back(file);
      if (is_unasked || !options.contracts.empty()) code = report::graver(code, report::exit_violated);
    }
  }
  std::string text;
  for (const char* const list : {"keeps ", "breaks ", "not decided: "}) {
    if (lists.contains(list)) text += (text.empty() ? "" : "; ") + (list + lists[list]);
  }
  fmt::print("{} {}\n", head, text.empty() ? "is not judged" : text);
  for (const store::CaseFile& each : broken) {
    store::write_case(store::folder_of_cases(options.out), each);
    fmt::print("  {}\n", replay_line(each, options));
  }
  if (is_judged || code != report::exit_holds) return code;
  to_stderr("assay: {}: no contract that is asked says anything of this matrix\n", path);
  return report::exit_trouble;
}

}  // namespace

int run_matrix_cases(const Options& options) {
  refuse_other_options(options);
  refuse_other_operations(options);
  struct Asked {
    Selected selected;
    std::string path;
    store::CaseFile file;
  };
  std::vector<Asked> asked;
  for (const std::string& path : options.case_files) {
    for (Selected& each : select(options)) {
      store::CaseFile file = case_of_file(path, *each.property);
      asked.push_back({std::move(each), path, std::move(file)});
    }
  }
  const std::vector<std::string> on = executors(options);
  if (on.empty()) return report::exit_skipped;
  if (!passes_self_tests(on)) return report::exit_trouble;
  process::watch_signals();
  int code = report::exit_holds;
  for (const Asked& each : asked) {
    for (const std::string& executor : on) {
      if (!each.selected.property->info().runs_on(executor)) continue;
      code = report::graver(code, judge_file(each.selected, executor, each.path, each.file, options));
    }
  }
  return code;
}

}  // namespace assay::cli
