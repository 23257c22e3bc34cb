#pragma once
// The field lists of the documents of the ledger and of comparisons.

#include "assay/store/changes.hpp"
#include "assay/store/documents.hpp"
#include "assay/store/entry.hpp"

namespace assay::store {

/// The terms of a bound, only with their tightness: {"<name>": ratio, …}.
template <>
struct Codec<std::map<std::string, double>> {
  static Json write(const std::map<std::string, double>& terms) {
    Json object = Json::object();
    for (const auto& [name, ratio] : terms) object[name] = Ratio::write(ratio);
    return object;
  }
  static Json schema(Json& definitions) {
    return {{"type", "object"}, {"additionalProperties", Ratio::schema(definitions)}};
  }
};

template <>
struct Document<EntryClaim> {
  static constexpr auto what = "a claim of an entry";
  static constexpr auto fields = std::tuple(
      field("claim", &EntryClaim::id), field("verdict", &EntryClaim::verdict),
      field<ExpectedRefuted>("expected", &EntryClaim::expected_refuted), field("executed", &EntryClaim::executed),
      field("violated", &EntryClaim::violated),
      field<Ratio>("tightness", &EntryClaim::tightness).or_null_unless([](const EntryClaim& claim) {
        return claim.tightness >= 0;
      }),
      field("terms", &EntryClaim::terms).if_there([](const EntryClaim& claim) { return !claim.terms.empty(); }));
};

template <>
struct Document<EntryProperty> {
  static constexpr auto what = "a property of an entry";
  static constexpr auto fields =
      std::tuple(field<PropertyName>("property", &EntryProperty::name), field("executor", &EntryProperty::executor),
                 field<Rigor>("rigor", &EntryProperty::rigor), field("requested", &EntryProperty::requested),
                 field("executed", &EntryProperty::executed), field("bits", &EntryProperty::bits),
                 field("claims", &EntryProperty::claims));
};

template <>
struct Document<EntryTime> {
  static constexpr auto what = "a time of an entry";
  static constexpr auto fields = std::tuple(
      field("kernel", &EntryTime::kernel), field("executor", &EntryTime::executor),
      field("machine", &EntryTime::machine), field("threads", &EntryTime::threads), field("size", &EntryTime::size),
      field("seconds", &EntryTime::seconds).says("Of one call: the least of the repetitions."));
};

template <>
struct Document<Entry> {
  static constexpr auto what = "an entry";
  static constexpr auto definition = "entry";
  static constexpr auto fields = std::tuple(
      field("entry", &Entry::id).says("Its number in the ledger; 0 for a run that is in none."),
      field("version", &Entry::version), field("commit", &Entry::commit), field("build", &Entry::build),
      field("device", &Entry::device), field("driver", &Entry::driver), field("seed", &Entry::seed),
      field("tier", &Entry::tier),
      field("begun", &Entry::begun).says("Seconds since 1970; null if the run's folder does not record it."),
      field("host", &Entry::host), field("cases_per_second", &Entry::cases_per_second),
      field("knobs", &Entry::knobs)
          .says("The rest of the provenance: compiler, flags, libraries, kernels from outside."),
      field("claim_count", &Entry::claims),
      field("properties", &Entry::properties).if_there([](const Entry& entry) { return !entry.properties.empty(); }),
      field("times", &Entry::times).if_there([](const Entry& entry) { return !entry.times.empty(); }));
};

/// Some entries of a ledger.
struct EntryList {
  const std::vector<Entry>& entries;
};
template <>
struct Document<EntryList> {
  static constexpr auto what = "the document of a ledger";
  static constexpr auto fields =
      std::tuple(schema_field, field("entries", [](const EntryList& list) -> auto& { return list.entries; }));
};

template <>
struct Codec<Change::Kind> : WordOf<Change::Kind> {};
template <>
struct Codec<Change::Direction> : WordOf<Change::Direction> {};

template <>
struct Document<Change> {
  static constexpr auto what = "a change";
  static constexpr auto fields = std::tuple(
      field("kind", &Change::kind), field("direction", &Change::direction),
      field<PropertyName>("property", &Change::property), field("executor", &Change::executor),
      field("claim", &Change::claim).says("Empty for a property as a whole."),
      field("term", &Change::term).says("The named term of the bound; empty for the bound as a whole."),
      field("before", &Change::before)
          .says("A verdict, an error/bound in decimal, 16 digits of the bits' hash, or a time and its size."),
      field("after", &Change::after));
};

template <>
struct Document<Changes> {
  static constexpr auto what = "the document of a comparison";
  static constexpr auto fields = std::tuple(
      schema_field, field("before", &Changes::before), field("after", &Changes::after),
      field("worse", [](const Changes& changes) { return changes.worse(); }),
      field("properties", &Changes::properties).says("In both runs."),
      field("claims", &Changes::claims).says("In both runs."),
      field("times", &Changes::times).says("Times of one kernel at one size on one machine; both runs have them."),
      field("other_inputs", &Changes::other_inputs)
          .says("Properties of both runs whose inputs differ: their tightness and bits are not compared."),
      field("changes", &Changes::changes));
};

}  // namespace assay::store
