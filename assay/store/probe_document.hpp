#pragma once
// The field lists of probes.json.

#include "assay/store/documents.hpp"
#include "assay/store/probe_rows.hpp"

namespace assay::store {

template <>
struct Document<ProbeCase> {
  static constexpr auto what = "a case of a probe";
  static constexpr auto fields =
      std::tuple(field<CaseNumber>("class", &ProbeCase::input_class), field<CaseNumber>("number", &ProbeCase::number));
};

template <>
struct Document<ProbeTally> {
  static constexpr auto what = "what a probe gathered";
  static constexpr auto fields = std::tuple(
      field("device_judged", &ProbeTally::judged).says("Cases that the probe proved."),
      field("oracle_judged", &ProbeTally::oracle_judged)
          .says("Cases that the oracle judged; some of them are among the proved cases."),
      field("violated", &ProbeTally::violated), field("undecided", &ProbeTally::undecided),
      field("disagreeing", &ProbeTally::disagreeing)
          .says("Cases in which the probe's bound of the error is invalid or not narrow."),
      field<Ratio>("largest", &ProbeTally::largest), field("worst", &ProbeTally::worst),
      field("first_violated", &ProbeTally::first_violated), field("first_disagreeing", &ProbeTally::first_disagreeing));
};

template <>
struct Document<ProbeRow::Class> {
  using Class = ProbeRow::Class;
  static constexpr auto what = "a class of a probe";
  static constexpr auto fields = std::tuple(field("name", &Class::name), field("first", &Class::first),
                                            field("count", &Class::count), field("done", &Class::done));
};

template <>
struct Document<ProbeRow> {
  static constexpr auto what = "a probe";
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", &ProbeRow::property), field("claim", &ProbeRow::claim),
      field("statement", &ProbeRow::statement), field<ExecutorName>("executor", &ProbeRow::executor),
      field("cell", &ProbeRow::cell).says("The number of cases in a cell."),
      field("classes", &ProbeRow::classes).says("Cells: those of this run, and how many of them are judged."),
      field("tally", &ProbeRow::tally), field("seconds", &ProbeRow::seconds), field("hardest", &ProbeRow::hardest),
      field("failure", &ProbeRow::failure));
};

template <>
struct Document<ProbeRows> {
  static constexpr auto what = "the document of the probes";
  static constexpr auto fields = std::tuple(
      schema_field, field("seed", &ProbeRows::seed), field("cases", &ProbeRows::cases),
      field("shard", &ProbeRows::shard), field("provenance", &ProbeRows::provenance), field("rows", &ProbeRows::rows),
      field<Checksum>("checksum", [](const ProbeRows&) { return 0; })
          .if_there([](const ProbeRows&) { return false; })
          .says("FNV-1a, 64 bits, of the file's bytes without this member and the comma before it. "
                "Obligatory."));
};

}  // namespace assay::store
