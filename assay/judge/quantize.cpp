// Quantizers of blocks in the C interface.

#include <nlohmann/json.hpp>
#include <span>

#include "assay/judge/objects.hpp"
#include "assay/quantizations/document.hpp"

using assay::judge::guarded;
using assay::judge::require;
using assay::judge::taken;

assay_status assay_quantize(const assay_quantization_options* options, assay_quantizer quantizer, void* self,
                            assay_report** out) {
  return guarded([&] {
    require(reinterpret_cast<const void*>(quantizer), "quantizer");
    require(out, "out");
    const assay_quantization_options given = taken(options, "options");
    require(given.source, "source");
    require(given.target, "target");
    const assay::quantizations::Question question = assay::quantizations::question_of(
        std::string(given.source) + ":" + given.target, given.contract == nullptr ? "" : given.contract,
        given.every_entry != 0, given.seed);
    const auto ask = [&](std::size_t rows, std::size_t columns, std::span<const std::byte> x,
                         std::span<std::byte> codes, std::span<std::byte> scales, std::span<std::byte> seconds) {
      if (quantizer(self, rows, columns, x.data(), codes.data(), scales.data(), seconds.data()) != 0) {
        throw assay::judge::SubjectFailed("the quantizer gave no answer");
      }
    };
    const assay::quantizations::Answer answer = assay::quantizations::asked(question, ask);
    auto report = std::make_unique<assay_report>();
    report->json = assay::store::compact(assay::quantizations::document_of(question, answer));
    *out = report.release();
  });
}

const char* assay_quantizations_json(void) {
  static const std::string& text = *new std::string(assay::store::pretty(assay::quantizations::document_of_words()));
  return text.c_str();
}
