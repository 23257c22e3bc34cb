// Quantizers of blocks in the C interface.

#include <nlohmann/json.hpp>
#include <span>

#include "assay/judge/objects.hpp"
#include "assay/quantizations/document.hpp"

using assay::judge::guarded;
using assay::judge::require;
using assay::judge::taken;

namespace {

/// Asks a quantizer, which returns 0 or a status. Errors: those of taken(), question_of() and asked().
void answer(const assay_quantization_options& given, bool has_words, const auto& call, assay_report** out) {
  require(given.source, "source");
  require(given.target, "target");
  if (has_words && given.random_bits == 0) throw std::invalid_argument("options.random_bits: 0");
  const assay::quantizations::Question question = assay::quantizations::question_of(
      std::string(given.source) + ":" + given.target, given.contract == nullptr ? "" : given.contract,
      given.every_entry != 0, given.seed, given.random_bits, !has_words && given.random_bits != 0);
  const auto ask = [&](std::size_t rows, std::size_t columns, std::span<const std::byte> x,
                       std::span<const std::uint32_t> words, std::span<std::byte> codes, std::span<std::byte> scales,
                       std::span<std::byte> seconds) {
    if (call(rows, columns, x.data(), words.data(), codes.data(), scales.data(), seconds.data()) != 0) {
      throw assay::judge::SubjectFailed("the quantizer gave no answer");
    }
  };
  const assay::quantizations::Answer found = assay::quantizations::asked(question, ask);
  auto report = std::make_unique<assay_report>();
  report->json = assay::store::compact(assay::quantizations::document_of(question, found));
  *out = report.release();
}

}  // namespace

assay_status assay_quantize(const assay_quantization_options* options, assay_quantizer quantizer, void* self,
                            assay_report** out) {
  return guarded([&] {
    require(reinterpret_cast<const void*>(quantizer), "quantizer");
    require(out, "out");
    const auto call = [&](std::size_t rows, std::size_t columns, const void* x, const std::uint32_t*, void* codes,
                          void* scales,
                          void* seconds) { return quantizer(self, rows, columns, x, codes, scales, seconds); };
    answer(taken(options, "options"), false, call, out);
  });
}

assay_status assay_quantize_stochastic(const assay_quantization_options* options, assay_stochastic_quantizer quantizer,
                                       void* self, assay_report** out) {
  return guarded([&] {
    require(reinterpret_cast<const void*>(quantizer), "quantizer");
    require(out, "out");
    const auto call = [&](auto... arguments) { return quantizer(self, arguments...); };
    answer(taken(options, "options"), true, call, out);
  });
}

const char* assay_quantizations_json(void) {
  static const std::string& text = *new std::string(assay::store::pretty(assay::quantizations::document_of_words()));
  return text.c_str();
}
