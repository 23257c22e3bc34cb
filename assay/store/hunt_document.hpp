#pragma once
// The field list of hunt.json.

#include "assay/store/documents.hpp"
#include "assay/store/hunt.hpp"

namespace assay::store {

/// A case file inside another document.
struct WholeCase {
  static Json write(const CaseFile& file) { return case_to_json(file); }
  static void read(const Json& value, const Place&, CaseFile& into) { into = case_from_json(value); }
  static Json schema(Json& definitions) {
    return reference(definitions, "case_file", [&] { return Codec<CaseFile>::schema(definitions); });
  }
};

template <>
struct Document<HuntRow> {
  static constexpr auto what = "a row of a hunt";
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", &HuntRow::property), field("claim", &HuntRow::claim),
      field("term", &HuntRow::term).says("The named term of the bound; empty: the bound as a whole."),
      field<ExecutorName>("executor", &HuntRow::executor),
      field("ratio", &HuntRow::ratio).says("error/bound of the case, computed by the oracle, in decimal; or inf."),
      field("boundary", &HuntRow::boundary)
          .says("For a claim of correct rounding: the exponent of the distance of the exact value to the nearest "
                "boundary of rounding, in ulps."),
      field("evaluations", &HuntRow::evaluations).says("How many cases were run and judged."),
      field("undecided", &HuntRow::undecided)
          .says("Of these, cases for which the judge could not tell whether the claim holds."),
      field("seconds", &HuntRow::seconds), field<WholeCase>("case", &HuntRow::hardest));
};

template <>
struct Document<HuntRows> {
  static constexpr auto what = "the document of a hunt";
  static constexpr auto fields =
      std::tuple(schema_field, field("seed", &HuntRows::seed), field("blind", &HuntRows::blind),
                 field("provenance", &HuntRows::provenance), field("rows", &HuntRows::rows),
                 field<Checksum>("checksum", [](const HuntRows&) { return 0; })
                     .if_there([](const HuntRows&) { return false; })
                     .says("FNV-1a, 64 bits, of the file's bytes without this member and the comma before it. "
                           "Obligatory."));
};

}  // namespace assay::store
