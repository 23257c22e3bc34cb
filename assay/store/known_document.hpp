#pragma once
// The field list of known.json.

#include "assay/store/documents.hpp"
#include "assay/store/known.hpp"

namespace assay::store {

struct KnownSource : Codec<std::string> {
  static Json schema(Json&) { return Json::object({{"enum", {"run", "corpus", "hunt"}}}); }
};

template <>
struct Document<KnownError> {
  static constexpr auto what = "a known error";
  static constexpr auto fields = std::tuple(
      field<KnownSource>("from", &KnownError::from), field<ExecutorName>("executor", &KnownError::executor),
      field<Ratio>("ratio", &KnownError::ratio).says("error/bound."),
      field<CaseId>("case", &KnownError::id)
          .if_there([](const KnownError& error) { return !error.id.empty(); })
          .says("The id of the case; absent where it was not kept."),
      field<Day>("date", &KnownError::date)
          .if_there([](const KnownError& error) { return !error.date.empty(); })
          .says("The day on which the case was found, or on which its run began; absent if it is not recorded."));
};

template <>
struct Document<KnownRow::Published> {
  using Published = KnownRow::Published;
  static constexpr auto what = "a published error";
  static constexpr auto fields =
      std::tuple(field<NotEmpty>("value", &Published::value),
                 field("leading", &Published::leading)
                     .says("The leading term of the bound, in the same unit; empty for a theorem without a bound."),
                 field("ratio", &Published::ratio).says("value/leading; null without a leading term."),
                 field<NotEmpty>("source", &Published::key).says("A key of docs/sources.bib."),
                 field<NotEmpty>("place", &Published::place).says("The place in the source."));
};

template <>
struct Document<KnownRow> {
  static constexpr auto what = "a row of known errors";
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", &KnownRow::property), field("operation", &KnownRow::operation),
      field("format", &KnownRow::format).says(about_formats), field("claim", &KnownRow::claim),
      field("theorem", &KnownRow::theorem).says("The id of the theorem; empty for a claim without a page."),
      field<NotEmpty>("bound", &KnownRow::bound)
          .says("The statement that is proved; for a negative control, the statement that is false."),
      field<NotEmpty>("source", &KnownRow::source),
      field("published", &KnownRow::published).says("The largest error in a published work; null for none."),
      field("here", &KnownRow::here).says("The largest errors of the run, the corpus and hunts, the largest first."));
};

template <>
struct Document<KnownErrors> {
  static constexpr auto what = "the known errors";
  static constexpr auto fields = std::tuple(schema_field, field("rows", &KnownErrors::rows));
};

}  // namespace assay::store
