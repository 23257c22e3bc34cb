#pragma once
// The field list of summary.json. The document is arranged by claims: a claim has its statement, its tally and its
// finding side by side, and names the files of its cases. The lists below contain views into a Summary.

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "assay/store/case_file.hpp"
#include "assay/store/documents.hpp"
#include "assay/store/order_documents.hpp"
#include "assay/store/summary.hpp"

namespace assay::store {

/// The case files of a folder, each read once.
class CaseFolder {
 public:
  explicit CaseFolder(const std::filesystem::path& dir) : dir_(dir) {}
  /// Throws JsonError if the name does not lie in cases/; DamagedFile.
  const CaseFile& at(const std::string& relative);

 private:
  std::filesystem::path dir_;
  std::map<std::string, CaseFile> files_;
};

/// `To`, const if `From` is.
template <class From, class To>
using Like = std::conditional_t<std::is_const_v<From>, const To, To>;

/// A saved case in a summary: the name of its file, and the members that may differ from claim to claim.
template <class File>
struct CaseReference {
  File& file;  ///< optional
  CaseFolder* folder;
};
/// The file's name. Reading takes the case from the folder.
template <class File>
struct FileName {
  CaseReference<File> of;
};
template <class File>
struct Codec<FileName<File>> {
  static Json write(const FileName<File>& name) { return "cases/" + case_id(*name.of.file) + ".json"; }
  static void read(const Json& value, const Place& place, FileName<File>& into) {
    std::string text;
    Codec<std::string>::read(value, place, text);
    into.of.file = into.of.folder->at(text);
    into.of.file->evidence.reset();
  }
  static Json schema(Json&) { return {{"type", "string"}, {"pattern", "^cases/[0-9a-f]{16}\\.json$"}}; }
};

template <class File>
struct Document<CaseReference<File>> {
  using View = CaseReference<File>;
  static constexpr auto what = "a case's reference";
  static constexpr auto is_named = [](const View& view) { return view.file.has_value(); };
  static constexpr auto fields =
      std::tuple(field("file", [](const View& view) { return FileName<File>{view}; }).if_there(is_named),
                 field("of_claim", [](const View& view) -> auto& { return view.file->claim; }).only_when(is_named),
                 field<ExecutorName>("of_executor", [](const View& view) -> auto& { return view.file->executor; })
                     .only_when(is_named),
                 field<ExpectedWord>("expected", [](const View& view) -> auto& { return view.file->expected; })
                     .only_when(is_named),
                 field("why", [](const View& view) -> auto& { return view.file->why; }).only_when(is_named),
                 field<Present<Codec<CaseFile::Evidence>>>("evidence", [](const View& view) -> auto& {
                   return view.file->evidence;
                 }).if_there([](const View& view) {
                     return view.file->evidence.has_value();
                   }).only_when(is_named));
};

/// A property in a summary.
template <class Property>
struct PropertyView {
  Property& property;
  CaseFolder* folder;
};

/// One claim of a property in a summary.
template <class Property>
struct ClaimView {
  Property& property;
  std::size_t c;
  CaseFolder* folder;
  auto& info() const { return property.info.claims[c]; }
  auto& tally() const { return property.tally.claims[c]; }
  auto& finding() const { return property.findings[c]; }
  Tally::ByClass planned() const { return total(property.tally); }
};

/// The parts of a claim in a summary.
enum class Part {
  counts,    ///< the counts of the claim's cases
  by_class,  ///< its executed cases by the classes of its property, where they differ from it: {"<class>": count, …}
  worst,     ///< its hardest case
  failure,   ///< its failing case
  corpus,    ///< the corpus results of the claim
};
template <class Property, Part part>
struct PartOf {
  ClaimView<Property> of;
};

template <class Property>
struct Codec<PartOf<Property, Part::by_class>> {
  static Json write(const PartOf<Property, Part::by_class>& view) {
    Json counts = Json::object();
    const auto& classes = view.of.property.info.classes;
    for (std::size_t i = 0; i < classes.size(); ++i) counts[classes[i].name] = view.of.tally().executed_by_class[i];
    return counts;
  }
  static void read(const Json& value, const Place&, PartOf<Property, Part::by_class>& into) {
    Members members(value, "\"by_class\"");
    for (const ClassInfo& each : into.of.property.info.classes) {
      Count<std::uint64_t>::read(members.at(each.name.c_str()), {each.name.c_str(), members.what()},
                                 into.of.tally().executed_by_class.emplace_back());
    }
    members.finish();
  }
  static Json schema(Json& definitions) {
    return {{"type", "object"}, {"additionalProperties", Count<std::uint64_t>::schema(definitions)}};
  }
};
template <class Property>
struct Document<PartOf<Property, Part::counts>> {
  using View = PartOf<Property, Part::counts>;
  static constexpr auto what = "\"cases\"";
  /// The executed cases of the property by its classes.
  static std::vector<std::uint64_t> of_property(const View& view) {
    std::vector<std::uint64_t> counts;
    for (const auto& each : view.of.property.tally.classes) counts.push_back(each.executed);
    return counts;
  }
  static constexpr auto fields = std::tuple(
      field("planned", [](const View& view) { return view.of.planned().planned; }),
      field("executed", [](const View& view) -> auto& { return view.of.tally().executed; }),
      field("rejected", [](const View& view) { return view.of.planned().rejected + view.of.tally().rejected; }),
      field("outside_preconditions", [](const View& view) -> auto& { return view.of.tally().rejected; }),
      field("violated", [](const View& view) -> auto& { return view.of.tally().violated; }),
      field("undecided", [](const View& view) -> auto& { return view.of.tally().undecided; }),
      field("components", [](const View& view) -> auto& { return view.of.tally().components; })
          .says("Components judged in the executed cases; a claim about a result as a whole counts it as one."),
      field("violated_components", [](const View& view) -> auto& { return view.of.tally().violated_components; }),
      field("by_class", [](const View& view) {
        return PartOf<Property, Part::by_class>{view.of};
      }).if_there([](const View& view) {
          return view.of.tally().executed_by_class != of_property(view);
        }).says("The executed cases by class; absent if they are the executed cases of the property."));
  static void check(const View& view) {
    auto& counts = view.of.tally().executed_by_class;
    if (counts.empty()) counts = of_property(view);
  }
};

/// The fields for a case of a claim: `get(finding)` of the view's claim.
template <class Get>
constexpr auto case_of_claim(Get get) {
  return among([get](const auto& view) {
    auto& file = get(view.of.finding());
    return CaseReference<std::remove_reference_t<decltype(file)>>{file, view.of.folder};
  });
}

template <class Property>
struct Document<PartOf<Property, Part::worst>> {
  using View = PartOf<Property, Part::worst>;
  static constexpr auto what = "\"worst\"";
  static constexpr auto fields =
      std::tuple(field<CaseNumber>("number", [](const View& view) -> auto& { return view.of.tally().worst.number; }),
                 case_of_claim([](auto& finding) -> auto& { return finding.hardest; }));
};

template <class Property>
struct Document<PartOf<Property, Part::failure>> {
  using View = PartOf<Property, Part::failure>;
  static constexpr auto what = "\"failure\"";
  static constexpr auto fields = std::tuple(
      field<CaseNumber>("number", [](const View& view) -> auto& { return view.of.finding().failing_number; }),
      field("shrink_tried", [](const View& view) -> auto& { return view.of.finding().shrink_tried; }),
      field("shrink_minimal", [](const View& view) -> auto& { return view.of.finding().shrink_minimal; }),
      field<Count<int, 0, 3>>("reproduced", [](const View& view) -> auto& { return view.of.finding().reproduced; }),
      case_of_claim([](auto& finding) -> auto& { return finding.failure; }));
};

template <class Property>
struct Document<PartOf<Property, Part::corpus>> {
  using View = PartOf<Property, Part::corpus>;
  static constexpr auto what = "\"corpus\"";
  static constexpr auto fields = std::tuple(
      field("executed", [](const View& view) -> auto& { return view.of.finding().corpus_executed; }),
      field<Ratio>("tightness", [](const View& view) -> auto& { return view.of.finding().corpus_ratio; })
          .if_there([](const View& view) { return view.of.finding().corpus_ratio >= 0; })
          .says("The largest error/bound; absent if no case was judged, and in documents of older programs."),
      field<CaseId>("hardest", [](const View& view) -> auto& { return view.of.finding().corpus_hardest; })
          .if_there([](const View& view) { return !view.of.finding().corpus_hardest.empty(); })
          .says("The id of the corpus case with that error/bound; absent likewise."),
      field<Day>("date", [](const View& view) -> auto& { return view.of.finding().corpus_date; })
          .if_there([](const View& view) { return !view.of.finding().corpus_date.empty(); })
          .says("The day on which that case was found; absent if its file does not record it."),
      field("surprises", [](const View& view) -> auto& { return view.of.finding().corpus_surprises; }),
      field("other_ratios", [](const View& view) -> auto& {
        return view.of.finding().other_ratios;
      }).says("Witnesses of a negative control whose error/bound is not the one that they store."));
};

template <class Property>
struct Document<ClaimView<Property>> {
  using View = ClaimView<Property>;
  static constexpr auto what = "a claim";
  static constexpr auto definition = "claim";
  static constexpr auto was_judged = [](const View& view) { return !(view.tally().worst == Worst{}); };
  static constexpr auto has_hardest = [](const View& view) { return view.finding().hardest || was_judged(view); };
  static constexpr auto has_failed = [](const View& view) {
    return view.finding().failure || view.finding().failing_number != no_case;
  };
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", [](const View& view) { return view.property.info.name; }),
      among([](const View& view) -> auto& { return view.info(); }),
      field<ExecutorName>("executor", [](const View& view) { return view.property.executor; }),
      field<Rigor>("rigor", [](const View& view) { return view.property.rigor; }),
      field("verdict", [](const View& view) -> auto& { return view.finding().verdict; }),
      field("cases", [](const View& view) { return PartOf<Property, Part::counts>{view}; }),
      field<Ratio>("tightness", [](const View& view) -> auto& { return view.tally().worst.ratio; })
          .or_null_unless(was_judged)
          .says("The largest error/bound; null if no case was judged."),
      field("terms", [](const View& view) -> auto& { return view.tally().terms; })
          .if_there([](const View& view) { return !view.tally().terms.empty(); })
          .says("For each named term of the bound, the least factor of it with which the bound holds in every case, "
                "and the case that needs it; absent if the bound has no named terms."),
      field("closest", [](const View& view) -> auto& { return view.tally().closest; })
          .if_there([](const View& view) { return view.tally().closest.number != no_case; })
          .says("For a claim of correct rounding, the smallest distance of an exact value to the nearest boundary, as "
                "the integer part of its binary logarithm in ulps, and its case. The boundary is a midpoint for "
                "rounding to "
                "nearest, a number of the format for a directed "
                "rounding. Truths on a boundary do not count; absent where there is none."),
      field("swaps", [](const View& view) -> auto& { return view.tally().swaps; })
          .if_there([](const View& view) { return view.tally().swaps.tried != 0; })
          .says("Of a contract about order: the pairs of terms that traded places in its data, and those that changed "
                "a result's bits, so that a kernel that adds them in the other order would have been seen. Absent "
                "where none were tried."),
      field("sample", [](const View& view) -> auto& { return view.tally().sample; })
          .if_there([](const View& view) { return view.tally().sample.of != 0; })
          .says("Of results that are so large that a sample of their components was judged: how many of them were, and "
                "how many they have. Absent where all were judged."),
      field("silence", [](const View& view) -> auto& { return view.tally().silence; })
          .if_there([](const View& view) { return has_silence(view.tally()); })
          .says("The components that the claim says nothing of and that no other claim judges, the first case that has "
                "one, and the reason there. Absent where there are none."),
      field("worst", [](const View& view) { return PartOf<Property, Part::worst>{view}; }).or_null_unless(has_hardest),
      field("failure", [](const View& view) { return PartOf<Property, Part::failure>{view}; })
          .or_null_unless(has_failed),
      field<CaseNumber>("first_violated", [](const View& view) -> auto& { return view.tally().first_violated; }),
      field<CaseNumber>("first_undecided", [](const View& view) -> auto& { return view.tally().first_undecided; }),
      field("histogram", [](const View& view) -> auto& { return view.tally().histogram; })
          .says("Cases by error/bound: none, half-octaves from 2^-20 to 1, above 1."),
      field<List<List<WorstOrNull>>>("features", [](const View& view) -> auto& { return view.tally().features; })
          .says("For each feature, the worst case of each bin."),
      field("corpus", [](const View& view) { return PartOf<Property, Part::corpus>{view}; }),
      field("also_accepts", [](const View& view) -> auto& { return view.finding().also_accepts; })
          .if_there([](const View& view) { return !view.finding().also_accepts.empty(); })
          .says("The wrong kernels, such as zeros, that keep this contract in place of a kernel from outside; absent "
                "if there are none."));
};

/// A class of a property with the counts of its cases.
template <class Info, class Counts>
struct ClassView {
  Info& info;
  Counts& counts;
};
template <class Info, class Counts>
struct Document<ClassView<Info, Counts>> {
  using View = ClassView<Info, Counts>;
  static constexpr auto what = "a class";
  static constexpr auto fields =
      std::tuple(field("name", [](const View& view) -> auto& { return view.info.name; }),
                 field("weight", [](const View& view) -> auto& { return view.info.weight; }),
                 field("planned", [](const View& view) -> auto& { return view.counts.planned; }),
                 field("executed", [](const View& view) -> auto& { return view.counts.executed; }),
                 field("rejected", [](const View& view) -> auto& { return view.counts.rejected; }),
                 field("inexact", [](const View& view) -> auto& { return view.counts.inexact; }));
};

/// The pairs of values of two traits that the cases of a property have.
template <class Property>
struct PairsView {
  Property& property;
  /// Empty while the property is read: its traits are checked after its fields.
  TraitPairs all() const {
    if constexpr (std::is_const_v<Property>) return {property.info.traits, property.info.impossible_pairs};
    return {};
  }
};
template <class Property>
struct Document<PairsView<Property>> {
  using View = PairsView<Property>;
  static constexpr auto what = "\"pairs\"";
  static constexpr auto fields =
      std::tuple(field("possible", [](const View& view) { return view.all().possible(); })
                     .says("Pairs that are not stated as impossible."),
                 field("covered", [](const View& view) { return view.all().covered(view.property.tally.pairs); })
                     .says("Possible pairs that occur in a case."),
                 field<SetOfPairs>("seen", [](const View& view) -> auto& { return view.property.tally.pairs; })
                     .says("One character for each pair, including impossible ones: 1 if a case has it. The pairs of "
                           "the first trait "
                           "with the second come first, by the value of the first."));
};

template <class Property>
struct Document<PropertyView<Property>> {
  using View = PropertyView<Property>;
  using File = Like<Property, std::optional<CaseFile>>;
  using Class = ClassView<Like<Property, ClassInfo>, Like<Property, Tally::ByClass>>;
  static constexpr auto what = "a property";
  static constexpr auto definition = "property";
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", [](const View& view) -> auto& { return view.property.info.name; }),
      field<ExecutorName>("executor", [](const View& view) -> auto& { return view.property.executor; }),
      field("format", [](const View& view) -> auto& { return view.property.info.format; }).says(about_formats),
      field("accepts", [](const View& view) -> auto& { return view.property.info.accepts; }),
      field<Rigor>("rigor", [](const View& view) -> auto& { return view.property.rigor; }),
      field("enumeration_size", [](const View& view) -> auto& { return view.property.info.enumeration_size; }),
      field("quick_cases", [](const View& view) -> auto& { return view.property.info.quick_cases; }),
      field("requested", [](const View& view) -> auto& { return view.property.requested; })
          .says("Cases of the whole run, all shards together."),
      field("partial", [](const View& view) -> auto& { return view.property.partial; }),
      field("note", [](const View& view) -> auto& { return view.property.note; }),
      field("stops", [](const View& view) -> auto& { return view.property.stops; })
          .or_null_unless([](const View& view) { return has_stops(view.property); })
          .says("The cases on which the subject gave no answer; null for none."),
      field("stopped_by",
            [](const View& view) {
              return CaseReference<File>{view.property.stopped_by, view.folder};
            })
          .or_null_unless([](const View& view) { return view.property.stopped_by.has_value(); }),
      views(
          "classes", [](const View& view) { return view.property.info.classes.size(); },
          [](const auto& view) {
            view.property.info.classes.emplace_back();
            view.property.tally.classes.emplace_back();
          },
          [](const View& view, std::size_t i) {
            return Class{view.property.info.classes[i], view.property.tally.classes[i]};
          }),
      field("features", [](const View& view) -> auto& { return view.property.info.features; }),
      traits_field([](const View& view) -> auto& { return view.property.info; }),
      impossible_pairs_field([](const View& view) -> auto& { return view.property.info; }),
      field("pairs", [](const View& view) { return PairsView<Property>{view.property}; })
          .if_there([](const View& view) { return !view.property.info.traits.empty(); })
          .says("The pairs of values of two traits that occur in the cases."),
      field("bits", [](const View& view) -> auto& { return view.property.tally.bits; })
          .if_there([](const View& view) { return !(view.property.tally.bits == BitSums{}); })
          .says("Sums modulo 2^64 of hashes of the cases and of their results; they do not depend on the order of the "
                "cases. Absent if no case gave a result, and in documents of older programs."),
      field("errors", [](const View& view) -> auto& { return view.property.tally.errors; })
          .if_there([](const View& view) { return has_errors(view.property.tally); })
          .says("Signed errors of some cases, in ulps of a number with all bits of the result's words: more than 8, 4, "
                "2 and 1 ulp below the exact value, eight bins of an eighth, none, and the same above it."),
      views(
          "claims", [](const View& view) { return view.property.info.claims.size(); },
          [](const auto& view) {
            view.property.info.claims.emplace_back();
            view.property.tally.claims.emplace_back();
            view.property.findings.emplace_back();
          },
          [](const View& view, std::size_t c) {
            return ClaimView<Property>{view.property, c, view.folder};
          }));
  /// Throws JsonError if a claim's counts do not allow its verdict.
  static void check_verdict(const View& view, std::size_t claim) {
    const ClaimTally& tally = view.property.tally.claims[claim];
    const ClaimFinding& finding = view.property.findings[claim];
    const bool failed = tally.violated != 0 || finding.corpus_executed != 0 || !finding.corpus_surprises.empty();
    const bool clean = tally.violated == 0 && tally.undecided == 0 && finding.failing_number == no_case;
    switch (finding.verdict) {
      case Finding::holds:
        if (clean && tally.executed != 0) return;
        break;
      case Finding::violated:
      case Finding::flaky:
      case Finding::refuted_as_expected:
      case Finding::broken:
        if (failed) return;
        break;
      default:
        return;
    }
    throw JsonError(view.property.info.name + "/" + view.property.info.claims[claim].id + ": the verdict \"" +
                    std::string(word(finding.verdict)) + "\" contradicts the counts");
  }
  static void check(const View& view) {
    const PropertyInfo& info = view.property.info;
    for (std::size_t c = 0; c < info.claims.size(); ++c) check_verdict(view, c);
    try {
      const TraitPairs pairs(info.traits, info.impossible_pairs);
      if (pairs.none().size() == view.property.tally.pairs.size()) return;
    } catch (const std::logic_error& error) {
      throw JsonError(info.name + ": " + error.what());
    }
    throw JsonError(info.name + ": \"seen\" has not one character for each pair of values of two traits");
  }
};

/// The whole document.
template <class Of>
struct SummaryView {
  Of& summary;
  CaseFolder* folder;
};
template <class Of>
struct Document<SummaryView<Of>> {
  using View = SummaryView<Of>;
  using Property = Like<Of, PropertySummary>;
  static constexpr auto what = "the summary";
  static constexpr auto fields =
      std::tuple(schema_field, field("seed", [](const View& view) -> auto& { return view.summary.seed; }),
                 field("tier", [](const View& view) -> auto& { return view.summary.tier; }),
                 field("provenance", [](const View& view) -> auto& { return view.summary.provenance; }),
                 views(
                     "properties", [](const View& view) { return view.summary.properties.size(); },
                     [](const auto& view) { view.summary.properties.emplace_back(); },
                     [](const View& view, std::size_t i) {
                       return PropertyView<Property>{view.summary.properties[i], view.folder};
                     }),
                 field("mutants", [](const View& view) -> auto& { return view.summary.mutants; }),
                 field("same_on", [](const View& view) -> auto& { return view.summary.same_on; })
                     .if_there([](const View& view) { return !view.summary.same_on.empty(); })
                     .says("Results whose bits were compared with those of another executor or of a file of digests; "
                           "absent if none were, and in documents of older programs."),
                 field("orders", [](const View& view) -> auto& { return view.summary.orders; })
                     .if_there([](const View& view) { return !view.summary.orders.empty(); })
                     .says("What `assay probe-order --run` found for kernels of these runs; absent likewise."),
                 field<Checksum>("checksum", [](const View&) { return 0; })
                     .if_there([](const View&) { return false; })
                     .says("FNV-1a, 64 bits, of the file's bytes without this member and the comma before it. "
                           "Obligatory."));
};

}  // namespace assay::store
