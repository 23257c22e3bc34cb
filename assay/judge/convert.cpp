// Conversions of number formats in the C interface.

#include <nlohmann/json.hpp>
#include <span>

#include "assay/conversions/document.hpp"
#include "assay/conversions/stochastic_document.hpp"
#include "assay/judge/objects.hpp"

using assay::judge::guarded;
using assay::judge::require;
using assay::judge::taken;

assay_status assay_convert(const assay_conversion_options* options, assay_conversion conversion, void* self,
                           assay_report** out) {
  return guarded([&] {
    require(reinterpret_cast<const void*>(conversion), "conversion");
    require(out, "out");
    const assay_conversion_options given = taken(options, "options");
    require(given.source, "source");
    require(given.target, "target");
    const assay::conversions::Question question =
        assay::conversions::question_of(std::string(given.source) + ":" + given.target,
                                        given.rule == nullptr ? "" : given.rule, given.every_input != 0, given.seed);
    const auto ask = [&](std::span<const std::byte> inputs, std::size_t count, std::span<std::byte> codes) {
      if (conversion(self, inputs.data(), count, codes.data()) != 0) {
        throw assay::judge::SubjectFailed("the conversion gave no answer");
      }
    };
    const assay::conversions::Answer answer =
        assay::conversions::asked(question, assay::conversions::on_patterns(*question.from, *question.to, ask));
    auto report = std::make_unique<assay_report>();
    report->json = assay::store::compact(assay::conversions::document_of(question, answer));
    *out = report.release();
  });
}

assay_status assay_convert_stochastic(const assay_stochastic_options* options, assay_stochastic_conversion conversion,
                                      void* self, assay_report** out) {
  return guarded([&] {
    require(reinterpret_cast<const void*>(conversion), "conversion");
    require(out, "out");
    const assay_stochastic_options given = taken(options, "options");
    require(given.source, "source");
    require(given.target, "target");
    const assay::conversions::StochasticQuestion question = assay::conversions::stochastic_question_of(
        std::string(given.source) + ":" + given.target, given.rule == nullptr ? "" : given.rule, given.bits,
        given.drawn != 0, given.seed);
    const auto ask = [&](std::span<const std::byte> inputs, std::span<const std::uint32_t> words, std::size_t count,
                         std::span<std::byte> codes) {
      const std::uint32_t* const given_words = question.is_drawn ? nullptr : words.data();
      if (conversion(self, inputs.data(), given_words, count, codes.data()) != 0) {
        throw assay::judge::SubjectFailed("the conversion gave no answer");
      }
    };
    const assay::conversions::StochasticAnswer answer =
        assay::conversions::asked(question, assay::conversions::on_patterns(*question.from, *question.to, ask));
    auto report = std::make_unique<assay_report>();
    report->json = assay::store::compact(assay::conversions::document_of(question, answer));
    *out = report.release();
  });
}

const char* assay_conversions_json(void) {
  static const std::string& text = *new std::string(assay::store::pretty(assay::conversions::document_of_words()));
  return text.c_str();
}
