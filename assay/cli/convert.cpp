#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/conversions/document.hpp"
#include "assay/doors/conversion.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::cli {
namespace {

/// Errors: UsageError.
conversions::Question question_of(const Options& options) {
  if (options.text) throw UsageError("--text: a conversion is asked for arrays; lines are for single cases");
  if (options.on == "cuda") throw UsageError("--on cuda: a conversion is asked on the host");
  if (options.contracts.size() > 1) throw UsageError("--contract: a conversion follows one rule");
  if (options.format.empty()) throw UsageError("--format: source and target of the conversion, such as f32:e4m3fn");
  try {
    conversions::Question question = conversions::question_of(
        options.format, options.contracts.empty() ? "" : options.contracts.front(), false, options.seed);
    question.every_input = options.tier == "exhaustive" || options.tier == "nightly";
    if (question.every_input && !conversions::can_ask_every_input(question)) question.every_input = false;
    return question;
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

int run_convert(const Options& options) {
  const conversions::Question question = question_of(options);
  const auto limit = options.limits.timeout_case;
  doors::ConversionProcess process(subject_of(options), 7 * limit, 2 * limit);
  conversions::Answer answer;
  try {
    answer = conversions::asked(question, conversions::on_patterns(*question.from, *question.to,
                                                                   [&](auto inputs, std::size_t count, auto codes) {
                                                                     process.convert(inputs, count, codes);
                                                                   }));
  } catch (const ExecutorError& error) {
    to_stderr("assay: convert {}: {}\n", options.format, error.what());
    return report::exit_stopped;
  }
  std::filesystem::create_directories(options.out);
  store::write_file_atomically(options.out / "convert.json", store::pretty(conversions::document_of(question, answer)));
  fmt::print("{}", conversions::text_of(question, answer));
  const bool is_broken = answer.unsteady || (answer.promised && answer.promised->breaks != 0);
  return is_broken ? report::exit_violated : report::exit_holds;
}

}  // namespace assay::cli
