#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/conversions/document.hpp"
#include "assay/conversions/runs.hpp"
#include "assay/conversions/stochastic_document.hpp"
#include "assay/doors/conversion.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::cli {
namespace {

/// Errors: UsageError.
void refuse_other_options(const Options& options) {
  if (!options.shape.empty()) throw UsageError("--shape: a conversion takes no shapes");
  if (options.text)
    throw UsageError(
        "--text: a conversion is called with whole arrays; the text protocol "
        "passes single cases");
  if (options.contracts.size() > 1) throw UsageError("--contract: a conversion follows one rule");
  if (options.format.empty()) throw UsageError("--format: source and target of the conversion, such as f32:e4m3fn");
}

std::string promise_of(const Options& options) { return options.contracts.empty() ? "" : options.contracts.front(); }

/// Errors: std::invalid_argument.
conversions::Question question_of(const Options& options) {
  conversions::Question question = conversions::question_of(options.format, promise_of(options), false, options.seed);
  question.every_input = options.tier == "exhaustive" || options.tier == "nightly";
  if (question.every_input && !conversions::can_ask_every_input(question)) question.every_input = false;
  return question;
}

conversions::StochasticQuestion stochastic_question_of(const Options& options) {
  const bool is_drawn = options.draws != 0;
  return conversions::stochastic_question_of(options.format, promise_of(options),
                                             static_cast<int>(is_drawn ? options.draws : options.words), is_drawn,
                                             options.seed);
}

bool breaks_promise(const conversions::Answer& answer) {
  return answer.unsteady || (answer.promised && answer.promised->breaks != 0);
}
bool breaks_promise(const conversions::StochasticAnswer& answer) {
  return answer.unsteady || (answer.drawn && answer.drawn->dependent) || (answer.promised && !answer.holds());
}

/// Writes and prints an answer. Returns the exit code.
template <class Question, class Answer>
int told(const Options& options, const Question& question, const Answer& answer) {
  std::filesystem::create_directories(options.out);
  store::write_file_atomically(options.out / "convert.json", store::pretty(conversions::document_of(question, answer)));
  fmt::print("{}", conversions::text_of(question, answer));
  return breaks_promise(answer) ? report::exit_violated : report::exit_holds;
}

/// The answer about a file of runs. Errors: UsageError, store::DamagedFile.
int answered_by_runs(const Options& options) {
  if (!options.symbol.empty()) throw UsageError("--symbol: a file of runs has no symbols");
  if (options.on == "cuda") throw UsageError("--on cuda: a file of runs calls nothing");
  if (options.words + options.draws != 0) throw UsageError("--words, --draws: a file of runs has no random words");
  const conversions::Question question =
      conversions::question_of(options.format, promise_of(options), true, options.seed);
  if (question.from->is_pair || question.to->is_pair) throw UsageError("--format: a file of runs has no pairs");
  return told(options, question,
              conversions::answer_of(question, conversions::read_runs(options.subject, *question.from, *question.to)));
}

/// Calls `ask` with a process that runs the subject, then writes and prints the answer. Errors: doors::SubjectError.
template <class Question, class Asking>
int answered(const Options& options, const Question& question, const Asking& ask) {
  std::optional<doors::Subject> subject = placed_subject_of(options);
  if (!subject) return report::exit_skipped;
  if (options.words != 0) subject->operation = doors::conversion_with_words;
  const auto limit = options.limits.timeout_case;
  doors::ConversionProcess process(*subject, 7 * limit, 2 * limit);
  decltype(ask(process)) answer;
  try {
    answer = ask(process);
  } catch (const ExecutorError& error) {
    to_stderr("assay: convert {}: {}\n", options.format, error.what());
    return report::exit_stopped;
  }
  return told(options, question, answer);
}

}  // namespace

int run_convert(const Options& options) {
  refuse_other_options(options);
  try {
    if (conversions::is_file_of_runs(options.subject)) return answered_by_runs(options);
    if (options.words + options.draws == 0) {
      const conversions::Question question = question_of(options);
      return answered(options, question, [&](doors::ConversionProcess& process) {
        return conversions::asked(question, conversions::on_patterns(*question.from, *question.to,
                                                                     [&](auto inputs, std::size_t count, auto codes) {
                                                                       process.convert(inputs, count, codes);
                                                                     }));
      });
    }
    const conversions::StochasticQuestion question = stochastic_question_of(options);
    return answered(options, question, [&](doors::ConversionProcess& process) {
      return conversions::asked(question,
                                conversions::on_patterns(*question.from, *question.to,
                                                         [&](auto inputs, auto words, std::size_t count, auto codes) {
                                                           if (question.is_drawn) {
                                                             process.convert(inputs, count, codes);
                                                           } else {
                                                             process.convert(inputs, words, codes);
                                                           }
                                                         }));
    });
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

}  // namespace assay::cli
