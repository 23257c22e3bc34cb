#pragma once
// The field lists of the framework's types. For sources that write or read documents.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "assay/store/bits_document.hpp"
#include "assay/store/document.hpp"
#include "assay/store/json.hpp"
#include "assay/store/listing.hpp"
#include "assay/store/name_documents.hpp"
#include "assay/store/summary.hpp"
#include "assay/store/trait_documents.hpp"
#include "oracle/format.hpp"

namespace assay::store {

/// A word for a value of an enumeration.
template <class Enum>
struct WordOf {
  static Json write(Enum value) { return word(value); }
  static void read(const Json& value, const Place& place, Enum& into) {
    std::string text;
    Codec<std::string>::read(value, place, text);
    into = of_word(text, into);
  }
  static Json schema(Json& definitions) {
    const auto make = [] { return Json::object({{"enum", words_of(Enum{})}}); };
    if constexpr (std::is_same_v<Enum, Finding>) return reference(definitions, "verdict", make);
    return make();
  }

 private:
  static Finding of_word(const std::string& text, Finding) { return finding_of_word(text); }
  static Why of_word(const std::string& text, Why) { return why_of_word(text); }
};
template <>
struct Codec<Finding> : WordOf<Finding> {};
template <>
struct Codec<Why> : WordOf<Why> {};

/// The expected verdict of a claim, as text.
struct ExpectedWord : Codec<std::string> {
  static void read(const Json& value, const Place& place, std::string& into) {
    Codec<std::string>::read(value, place, into);
    if (into != "holds" && into != "violated") place.wrong("\"holds\" or \"violated\"");
  }
  static Json schema(Json&) { return Json::object({{"enum", {"holds", "violated"}}}); }
};
/// The same if only `violated` matters.
struct ExpectedRefuted {
  static Json write(bool refuted) { return refuted ? "violated" : "holds"; }
  static void read(const Json& value, const Place& place, bool& into) {
    std::string text;
    ExpectedWord::read(value, place, text);
    into = text == "violated";
  }
  static Json schema(Json& definitions) { return ExpectedWord::schema(definitions); }
};

/// Empty if it is not known yet where a case ran.
struct ExecutorName : Codec<std::string> {
  static void read(const Json& value, const Place& place, std::string& into) {
    Codec<std::string>::read(value, place, into);
    if (!into.empty() && into != "host" && into != "cuda") place.wrong("\"host\" or \"cuda\"");
  }
  static Json schema(Json&) { return Json::object({{"enum", {"", "host", "cuda"}}}); }
};

struct Rigor : Codec<std::string> {
  static Json schema(Json&) { return Json::object({{"enum", {"exhaustive", "sampled"}}}); }
};

struct Ratio {
  static Json write(double ratio) { return ratio_to_json(ratio); }
  static void read(const Json& value, const Place&, double& into) { into = ratio_from_json(value); }
  static Json schema(Json& definitions) {
    return reference(definitions, "ratio", [] {
      return Json::object(
          {{"oneOf", Json::array({Json{{"type", "number"}, {"minimum", 0}}, Json::object({{"const", "inf"}})})}});
    });
  }
};

struct Ulps {
  static Json write(const std::optional<double>& ulps) { return ulps_to_json(ulps); }
  static void read(const Json& value, const Place&, std::optional<double>& into) { into = ulps_from_json(value); }
  static Json schema(Json&) {
    return Json::object({{"oneOf", Json::array({Json::object({{"type", "number"}}),
                                                Json::object({{"enum", Json::array({"inf", "-inf"})}})})}});
  }
};

/// The number of a case, null for no_case.
struct CaseNumber {
  static Json write(std::uint64_t number) { return number == no_case ? Json(nullptr) : Json(number); }
  static void read(const Json& value, const Place& place, std::uint64_t& into) {
    into = no_case;
    if (!value.is_null()) Count<std::uint64_t>::read(value, place, into);
  }
  static Json schema(Json&) { return {{"type", {"integer", "null"}}, {"minimum", 0}}; }
};

template <>
struct Document<Worst> {
  static constexpr auto what = "a worst case";
  static constexpr bool as_array = true;
  static constexpr auto fields =
      std::tuple(field<Ratio>("ratio", &Worst::ratio), field<CaseNumber>("number", &Worst::number));
};
/// [ratio, number]; null if there is none.
struct WorstOrNull {
  static Json write(const Worst& worst) { return worst == Worst{} ? Json(nullptr) : Codec<Worst>::write(worst); }
  static void read(const Json& value, const Place& place, Worst& into) {
    into = {};
    if (!value.is_null()) Codec<Worst>::read(value, place, into);
  }
  static Json schema(Json& definitions) {
    return reference(definitions, "worst", [&] {
      Json made = Json::object({{"description", "[ratio, case number], or null for none."}});
      made.update(or_null({{"type", "array"},
                           {"prefixItems", {Ratio::schema(definitions), CaseNumber::schema(definitions)}},
                           {"items", false},
                           {"minItems", 2}}));
      return made;
    });
  }
};

template <>
struct Document<Closest> {
  static constexpr auto what = "a closest case";
  static constexpr auto definition = "closest";
  static constexpr auto fields =
      std::tuple(field<Signed>("log2_ulps", &Closest::log2_ulps), field<CaseNumber>("number", &Closest::number));
};

template <>
struct Document<Swaps> {
  static constexpr auto what = "\"swaps\"";
  static constexpr auto definition = "swaps";
  static constexpr auto fields = std::tuple(field("tried", &Swaps::tried), field("seen", &Swaps::seen));
  static void check(const Swaps& swaps) {
    if (swaps.seen > swaps.tried) throw JsonError("\"swaps\": more are seen than tried");
  }
};

template <>
struct Document<Silence> {
  static constexpr auto what = "\"silence\"";
  static constexpr auto definition = "silence";
  static constexpr auto fields = std::tuple(field("components", &Silence::components),
                                            field<CaseNumber>("first", &Silence::first), field("why", &Silence::why));
};
inline bool has_silence(const ClaimTally& tally) { return tally.silence.components != 0; }

/// The terms of a bound: {"<name>": [ratio, number], …}.
using Terms = decltype(ClaimTally::terms);
template <>
struct Codec<Terms> {
  static Json write(const Terms& terms) {
    Json object = Json::object();
    for (const auto& [name, worst] : terms) object[name] = WorstOrNull::write(worst);
    return object;
  }
  static void read(const Json& value, const Place& place, Terms& into) {
    if (!value.is_object()) place.wrong("an object");
    into.clear();
    for (const auto& [name, worst] : value.items()) WorstOrNull::read(worst, {name.c_str(), place.key}, into[name]);
  }
  static Json schema(Json& definitions) {
    return {{"type", "object"}, {"additionalProperties", WorstOrNull::schema(definitions)}};
  }
};

template <>
struct Document<Sample> {
  static constexpr auto what = "\"sample\"";
  static constexpr auto definition = "sample";
  static constexpr auto fields = std::tuple(field("judged", &Sample::judged), field("of", &Sample::of));
  static void check(const Sample& sample) {
    if (sample.judged > sample.of) throw JsonError("\"sample\": more are judged than there are");
  }
};

template <>
struct Document<Tally::ByClass> {
  static constexpr auto what = "a class of a tally";
  static constexpr bool as_array = true;
  static constexpr auto fields =
      std::tuple(field("planned", &Tally::ByClass::planned), field("executed", &Tally::ByClass::executed),
                 field("rejected", &Tally::ByClass::rejected), field("inexact", &Tally::ByClass::inexact));
};

template <>
struct Document<ClaimTally> {
  static constexpr auto what = "a claim's tally";
  static constexpr auto fields = std::tuple(
      field("executed", &ClaimTally::executed), field("rejected", &ClaimTally::rejected),
      field("violated", &ClaimTally::violated), field("undecided", &ClaimTally::undecided),
      field("components", &ClaimTally::components), field("violated_components", &ClaimTally::violated_components),
      field<CaseNumber>("first_violated", &ClaimTally::first_violated),
      field<CaseNumber>("first_undecided", &ClaimTally::first_undecided),
      field<WorstOrNull>("worst", &ClaimTally::worst),
      field("terms", &ClaimTally::terms).if_there([](const ClaimTally& tally) { return !tally.terms.empty(); }),
      field("closest", &ClaimTally::closest).if_there([](const ClaimTally& tally) {
        return tally.closest.number != no_case;
      }),
      field("swaps", &ClaimTally::swaps).if_there([](const ClaimTally& tally) { return tally.swaps.tried != 0; }),
      field("sample", &ClaimTally::sample).if_there([](const ClaimTally& tally) { return tally.sample.of != 0; }),
      field("silence", &ClaimTally::silence).if_there(has_silence), field("histogram", &ClaimTally::histogram),
      field("executed_by_class", &ClaimTally::executed_by_class),
      field<List<List<WorstOrNull>>>("features", &ClaimTally::features));
};

/// Whether any signed error was counted; none in documents of older programs.
inline bool has_errors(const Tally& tally) {
  return std::any_of(tally.errors.begin(), tally.errors.end(), [](std::uint64_t count) { return count != 0; });
}

template <>
struct Document<Cost> {
  static constexpr auto what = "a cost";
  static constexpr auto definition = "cost";
  static constexpr auto fields = std::tuple(field("kernel", &Cost::kernel), field("judge", &Cost::judge));
};

/// Whether the calls of a kernel were timed.
bool has_cost(const auto& of) { return of.cost.kernel != 0; }
inline constexpr const char* about_cost =
    "The time of the calls of a kernel from outside, and of everything else, in nanoseconds; absent of other kernels.";

template <>
struct Document<Tally> {
  static constexpr auto what = "a tally";
  static constexpr auto fields = std::tuple(
      field("classes", &Tally::classes), field("claims", &Tally::claims),
      field<SetOfPairs>("pairs", &Tally::pairs).if_there([](const Tally& tally) { return !tally.pairs.empty(); }),
      field("bits", &Tally::bits).if_there([](const Tally& tally) { return !(tally.bits == BitSums{}); }),
      field("errors", &Tally::errors).if_there(has_errors), field("cost", &Tally::cost).if_there(has_cost<Tally>));
};

template <>
struct Document<ClassInfo> {
  static constexpr auto what = "a class";
  static constexpr auto fields = std::tuple(field("name", &ClassInfo::name), field("weight", &ClassInfo::weight));
};

template <>
struct Document<FeatureInfo> {
  static constexpr auto what = "a feature";
  static constexpr auto fields = std::tuple(field("name", &FeatureInfo::name), field("low", &FeatureInfo::low),
                                            field("high", &FeatureInfo::high), field("bins", &FeatureInfo::bins));
};

template <>
struct Document<ClaimInfo> {
  static constexpr auto what = "a claim";
  static constexpr auto fields =
      std::tuple(field("claim", &ClaimInfo::id), field("statement", &ClaimInfo::statement),
                 field<NotEmpty>("source", &ClaimInfo::source),
                 field<TheoremName>("theorem", &ClaimInfo::theorem)
                     .if_there([](const ClaimInfo& claim) { return !claim.theorem.empty(); })
                     .says("The id of the theorem that the claim cites; absent in documents of older programs."),
                 field("loose_because", &ClaimInfo::loose_because)
                     .if_there([](const ClaimInfo& claim) { return !claim.loose_because.empty(); })
                     .says("Why no case comes near to the bound or to one of its terms; absent if cases do."),
                 field("preconditions", &ClaimInfo::preconditions),
                 field<ExpectedRefuted>("expected", &ClaimInfo::expected_refuted),
                 field("open", &ClaimInfo::is_open)
                     .if_there([](const ClaimInfo& claim) { return claim.is_open; })
                     .says("Tested for a kernel from outside that did not promise it; absent if it did."),
                 field("ceiling", &ClaimInfo::ceiling)
                     .if_there([](const ClaimInfo& claim) { return !claim.ceiling.empty(); })
                     .says("For a negative control: the true claim that says how far the same result may err; "
                           "absent if there is none."));
};

inline constexpr auto about_formats = "binary64, …, or p8:-126:127 for any other format.";

template <>
struct Document<PropertyInfo> {
  static constexpr auto what = "a property";
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", &PropertyInfo::name), field("format", &PropertyInfo::format).says(about_formats),
      field("accepts", &PropertyInfo::accepts), field("enumeration_size", &PropertyInfo::enumeration_size),
      field("quick_cases", &PropertyInfo::quick_cases), field("classes", &PropertyInfo::classes),
      field("features", &PropertyInfo::features), field("claims", &PropertyInfo::claims),
      traits_field([](auto& info) -> auto& { return info; }),
      impossible_pairs_field([](auto& info) -> auto& { return info; }));
};

template <>
struct Document<CaseFile::Evidence> {
  using Evidence = CaseFile::Evidence;
  static constexpr auto what = "\"evidence\"";
  static constexpr auto definition = "evidence";
  static constexpr auto of_several = [](const Evidence& evidence) { return evidence.components > 1; };
  static constexpr auto fields = std::tuple(
      field<List<Hexadecimal>>("got", &Evidence::got)
          .says("The words of the result; empty for a hardest case whose result has more than 64."),
      field("exact", &Evidence::exact).says("The truth, decimal."), field<Ratio>("ratio", &Evidence::ratio),
      field<Ulps>("ulps", &Evidence::ulps)
          .if_there([](const Evidence& evidence) { return evidence.ulps.has_value(); })
          .says("The signed error of the judged component in ulps of the exact value; absent if it has none."),
      field<Count<std::size_t, 2>>("components", &Evidence::components)
          .if_there(of_several)
          .says("The number of components of a result with several. With worst and bad, or none of the three."),
      field("worst", &Evidence::worst)
          .only_when(of_several)
          .says("The judged component: the one with the largest error/bound."),
      field("bad", &Evidence::bad).only_when(of_several).says("How many components violate the claim."));
  static void check(const Evidence& evidence) {
    if (of_several(evidence) && (evidence.worst >= evidence.components || evidence.bad > evidence.components)) {
      throw JsonError("\"evidence\" names a component that the result does not have");
    }
  }
  static void restrict_schema(Json& schema) {
    schema["dependentRequired"] = {
        {"components", {"worst", "bad"}}, {"worst", Json::array({"components"})}, {"bad", Json::array({"components"})}};
  }
};

template <>
struct Document<Stops> {
  static constexpr auto what = "\"stops\"";
  static constexpr auto fields =
      std::tuple(field("count", &Stops::count).says("Cases of the run; those of the corpus are not counted."),
                 field<CaseNumber>("first", &Stops::first).says("The smallest of their case numbers."),
                 field("kind", &Stops::kind).says("How the kernel failed on that case."), field("what", &Stops::what),
                 field("cut_short", &Stops::cut_short).says("So many that the remaining cases were not run."),
                 field("corpus", &Stops::corpus).says("A corpus case was one as well."));
};

/// The number that every document has first.
struct SchemaNumber {
  static Json write(int) { return schema_number; }
  static void read(const Json& value, const Place&, int) {
    if (value != schema_number) {
      throw JsonError("schema " + compact(value) + " is unknown; this program reads schema " +
                      std::to_string(schema_number));
    }
  }
  static Json schema(Json&) { return Json::object({{"const", schema_number}}); }
};
/// The field for that number.
inline constexpr auto schema_field = field<SchemaNumber>("schema", [](const auto&) { return schema_number; });

/// The schema of a case's inputs.
Json inputs_schema(Json& definitions);

/// The inputs of a case. `format`: the format of the file.
template <class File>
struct Inputs {
  File& file;
};
template <class File>
struct Codec<Inputs<File>> {
  static Json write(const Inputs<File>& inputs) {
    return record_to_json(inputs.file.inputs, oracle::format_named(inputs.file.format));
  }
  static void read(const Json& value, const Place&, Inputs<File>& into) {
    oracle::Format format{};
    try {
      format = oracle::format_named(into.file.format);
    } catch (const std::invalid_argument&) {
      throw JsonError("the format \"" + into.file.format + "\" is unknown");
    }
    into.file.inputs = record_from_json(value, format);
  }
  static Json schema(Json& definitions) { return inputs_schema(definitions); }
};

/// The checksum of a document: its file's writer adds it and its reader checks it.
struct Checksum {
  static Json write(int) { return nullptr; }
  static void read(const Json&, const Place&, int) {}
  static Json schema(Json&) { return {{"type", "string"}, {"pattern", "^[0-9a-f]{16}$"}}; }
};

template <>
struct Document<CaseFile> {
  static constexpr auto what = "the case file";
  static constexpr auto fields = std::tuple(
      schema_field, field<PropertyName>("property", &CaseFile::property),
      field("claim", &CaseFile::claim)
          .may_be_left_out_by_hand()
          .says("The claim's id in its property; empty for a case of no particular claim."),
      field<ExecutorName>("executor", &CaseFile::executor).may_be_left_out_by_hand(),
      field("format", &CaseFile::format).says(about_formats),
      field("case", [](auto& file) { return Inputs<std::remove_reference_t<decltype(file)>>{file}; }),
      field<Present<Codec<CaseFile::Evidence>>>("evidence", &CaseFile::evidence).if_there([](const CaseFile& file) {
        return file.evidence.has_value();
      }),
      field<ExpectedWord>("expected", &CaseFile::expected).may_be_left_out_by_hand(),
      field("why", &CaseFile::why).may_be_left_out_by_hand(),
      field<Day>("date", &CaseFile::date)
          .if_there([](const CaseFile& file) { return !file.date.empty(); })
          .says("The day on which the case was found (UTC); absent in the cases of a run, whose run.json has the time, "
                "and in files of older programs."),
      field<Checksum>("checksum", [](const CaseFile&) {
        return 0;
      }).if_there([](const CaseFile&) {
          return false;
        }).says("FNV-1a, 64 bits, of the document without it, compact. Required in a corpus."));
};
/// A saved case inside another document: omitted members have their usual values.
template <>
struct Codec<std::optional<CaseFile>> {
  static Json write(const std::optional<CaseFile>& file) { return file ? case_to_json(*file) : Json(nullptr); }
  static void read(const Json& value, const Place&, std::optional<CaseFile>& into) {
    into = value.is_null() ? std::nullopt : std::optional(case_from_json(value));
  }
};

template <>
struct Document<ClaimFinding> {
  static constexpr auto what = "a finding";
  static constexpr auto fields = std::tuple(
      field("verdict", &ClaimFinding::verdict), field<CaseNumber>("failing_number", &ClaimFinding::failing_number),
      field("failure", &ClaimFinding::failure), field("shrink_tried", &ClaimFinding::shrink_tried),
      field("shrink_minimal", &ClaimFinding::shrink_minimal), field("reproduced", &ClaimFinding::reproduced),
      field("hardest", &ClaimFinding::hardest), field("corpus_executed", &ClaimFinding::corpus_executed),
      field<Ratio>("corpus_ratio", &ClaimFinding::corpus_ratio).if_there([](const ClaimFinding& finding) {
        return finding.corpus_ratio >= 0;
      }),
      field<CaseId>("corpus_hardest", &ClaimFinding::corpus_hardest).if_there([](const ClaimFinding& finding) {
        return !finding.corpus_hardest.empty();
      }),
      field<Day>("corpus_date", &ClaimFinding::corpus_date).if_there([](const ClaimFinding& finding) {
        return !finding.corpus_date.empty();
      }),
      field("corpus_surprises", &ClaimFinding::corpus_surprises), field("other_ratios", &ClaimFinding::other_ratios));
};

inline constexpr auto has_stops = [](const PropertySummary& property) { return !(property.stops == Stops{}); };

template <>
struct Document<PropertySummary> {
  static constexpr auto what = "a property's summary";
  static constexpr auto fields =
      std::tuple(field("info", &PropertySummary::info), field<ExecutorName>("executor", &PropertySummary::executor),
                 field("rigor", &PropertySummary::rigor), field("requested", &PropertySummary::requested),
                 field("partial", &PropertySummary::partial), field("note", &PropertySummary::note),
                 field("tally", &PropertySummary::tally), field("findings", &PropertySummary::findings),
                 field("stops", &PropertySummary::stops).or_null_unless(has_stops),
                 field("stopped_by", &PropertySummary::stopped_by));
};

template <>
struct Document<Summary::MutantRow> {
  using Row = Summary::MutantRow;
  static constexpr auto what = "a mutant";
  static constexpr auto fields =
      std::tuple(field("id", &Row::id), field("what", &Row::what), field("caught", &Row::caught),
                 field("caught_by", &Row::caught_by), field("cases_to_kill", &Row::cases_to_kill),
                 field("reproducer", &Row::reproducer), field("significant_bits", &Row::significant_bits));
};

/// The document of `assay eval`.
struct Evaluation {
  struct Result {
    std::string executor;
    std::string format;
    std::vector<std::string> words;
    std::vector<std::string> bits;
    std::vector<std::string> decimals;
  };
  std::string property;
  CaseFile file;
  std::vector<Result> results;
};
struct BitPattern {
  static constexpr auto text = "^0x[0-9a-f]+$";
};
template <>
struct Document<Evaluation::Result> {
  using Result = Evaluation::Result;
  static constexpr auto what = "a result";
  static constexpr auto fields = std::tuple(
      field<ExecutorName>("executor", &Result::executor), field("format", &Result::format).says(about_formats),
      field<List<Hexadecimal>>("words", &Result::words),
      field<List<Matching<BitPattern>>>("bits", &Result::bits).says("The same as bit patterns."),
      field("decimal", &Result::decimals).says("The same as shortest decimals."));
};
template <>
struct Document<Evaluation> {
  static constexpr auto what = "the evaluation";
  static constexpr auto fields =
      std::tuple(schema_field, field<PropertyName>("property", &Evaluation::property),
                 field("format", [](auto& of) -> auto& { return of.file.format; }).says(about_formats),
                 field("case", [](auto& of) { return Inputs<std::remove_reference_t<decltype((of.file))>>{of.file}; }),
                 field("results", &Evaluation::results));
};

}  // namespace assay::store
