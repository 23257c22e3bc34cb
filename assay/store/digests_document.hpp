#pragma once
// The field list of a file of digests.

#include "assay/store/bits_document.hpp"
#include "assay/store/digests.hpp"
#include "assay/store/documents.hpp"

namespace assay::store {

template <>
struct Document<DigestRow> {
  static constexpr auto what = "a row of digests";
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", &DigestRow::property), field<ExecutorName>("executor", &DigestRow::executor),
      field("model", &DigestRow::model).says("The processor or the device that computed the results."),
      field("seed", &DigestRow::seed),
      field<BitsInDigits>("inputs", &DigestRow::inputs).says("A hash of the inputs of all cases."),
      field<List<BitsInDigits>>("results", &DigestRow::results)
          .says("For each case, by its number, a hash of its inputs and of the bits of its result; any NaN counts as "
                "any other."));
};

template <>
struct Document<Digests> {
  static constexpr auto what = "the document of digests";
  static constexpr auto fields = std::tuple(schema_field, field("rows", &Digests::rows),
                                            field<Checksum>("checksum", [](const Digests&) { return 0; })
                                                .if_there([](const Digests&) { return false; })
                                                .says("FNV-1a, 64 bits, of the file's bytes without this member and "
                                                      "the comma before it. Obligatory."));
};

}  // namespace assay::store
