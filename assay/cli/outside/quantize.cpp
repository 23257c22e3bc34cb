#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/doors/conversion.hpp"
#include "assay/quantizations/document.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"

namespace assay::cli {
namespace {

/// Errors: UsageError.
quantizations::Question quantizer_question_of(const Options& options) {
  if (!options.shape.empty()) throw UsageError("--shape: a quantizer takes no shapes");
  if (options.text) throw UsageError("--text: a quantizer is called with whole matrices");
  if (options.contracts.size() > 1)
    throw UsageError(
        "--contract: only one contract of a quantizer can be "
        "checked at a time");
  if (options.format.empty()) throw UsageError("--format: source and block format of the quantizer, such as f32:mxfp4");
  try {
    return quantizations::question_of(options.format, options.contracts.empty() ? "" : options.contracts.front(),
                                      options.tier == "exhaustive" || options.tier == "nightly", options.seed,
                                      static_cast<int>(options.words + options.draws), options.draws != 0);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

int run_quantize(const Options& options) {
  const quantizations::Question question = quantizer_question_of(options);
  std::optional<doors::Subject> subject = placed_subject_of(options);
  if (!subject) return report::exit_skipped;
  if (options.words != 0) subject->operation = doors::quantization_with_words;
  const auto limit = options.limits.timeout_case;
  doors::ConversionProcess process(*subject, 7 * limit, 2 * limit);
  quantizations::Answer answer;
  try {
    answer = quantizations::asked(question, [&](std::size_t rows, std::size_t columns, std::span<const std::byte> x,
                                                std::span<const std::uint32_t> words, std::span<std::byte> codes,
                                                std::span<std::byte> scales, std::span<std::byte> seconds) {
      std::vector<std::byte> results(codes.size() + scales.size() + seconds.size());
      process.quantize(rows, columns, x, words, results);
      auto from = results.begin();
      for (const std::span<std::byte> to : {codes, scales, seconds}) {
        std::copy_n(from, to.size(), to.begin());
        from += static_cast<std::ptrdiff_t>(to.size());
      }
    });
  } catch (const ExecutorError& error) {
    to_stderr("assay: quantize {}: {}\n", options.format, error.what());
    return report::exit_stopped;
  }
  std::filesystem::create_directories(options.out);
  store::write_file_atomically(options.out / "quantize.json",
                               store::pretty(quantizations::document_of(question, answer)));
  fmt::print("{}", quantizations::text_of(question, answer));
  const bool is_promised = question.promise != quantizations::Promise::none;
  const bool is_broken = answer.unsteady || answer.is_dependent() || (is_promised && !answer.holds(question));
  return is_broken ? report::exit_violated : report::exit_holds;
}

}  // namespace assay::cli
