#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "exec/executor.hpp"
#include "properties/framework/covering.hpp"
#include "properties/framework/record.hpp"
#include "properties/framework/tally.hpp"

namespace assay {

struct ClaimInfo {
  std::string id;
  std::string statement;
  std::string source;
  std::string preconditions;
  bool expected_refuted = false;
  std::string theorem{};        ///< the id of the theorem that it cites: "dw.sqrt.1"
  std::string loose_because{};  ///< the theorem's reason why no case comes near to the bound; empty for none
  bool is_open = false;         ///< tested, but not promised: a case that violates it is a result, not a failure
  std::string ceiling{};        ///< for a negative control: the true claim that says how far the same result may err
};

struct ClassInfo {
  std::string name;
  unsigned weight = 1;
  bool constructed = false;  ///< constructed from knowledge of the worst cases: a blind hunt does not start from it
  bool is_late = false;      ///< one case in a thousand after the quick ones, and none of these
};

struct FeatureInfo {
  std::string name;
  double low = 0;
  double high = 0;
  int bins = 0;
};

}  // namespace assay

// Compiled once, in model.cpp.
extern template class std::vector<assay::ClaimInfo>;
extern template class std::vector<assay::ClassInfo>;
extern template class std::vector<assay::FeatureInfo>;

namespace assay {

/// The description of a property, which is known without running it.
struct PropertyInfo {
  std::string name;
  std::string format;   ///< of its inputs, as oracle::name() has it: "binary64", …
  std::string accepts;  ///< the domain in words
  std::vector<ClaimInfo> claims;
  std::vector<ClassInfo> classes;
  std::vector<FeatureInfo> features;
  std::uint64_t enumeration_size = 0;  ///< 0: sampled
  std::uint64_t quick_cases = 10000;
  bool host_only = false;    ///< there is nothing to run on a device: skipped there
  bool device_only = false;  ///< there is nothing to run on the host: skipped there
  std::vector<TraitInfo> traits{};
  std::vector<ImpossiblePairs> impossible_pairs{};

  /// Whether the subject exists on "host" or "cuda".
  bool runs_on(const std::string& executor) const { return executor == "host" ? !device_only : !host_only; }
};

/// Cases of one round of the mixture: Σ weights. A smaller run may miss a class, and with it a claim that needs it.
std::uint64_t mixture_round(const PropertyInfo& info);

/// Implicit claims, checked for every property. They follow the property's own claims in PropertyInfo::claims, in this
/// order. same_bits: every thread order (host), every repetition, few blocks with several rounds, and every executor
/// (cuda against host) give the same bits. batch: the same bits alone and in a batch. inputs_unchanged, guard_zones: no
/// stray writes. environment: rounding direction, FTZ, DAZ and locale are restored.
enum class Unasked : std::size_t { same_bits, batch, inputs_unchanged, guard_zones, environment, count };

/// A set of cases: number = first + k·stride for k < count. Case i is a pure function of (seed, property name, i).
struct CaseRange {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
  std::uint64_t at(std::uint64_t k) const { return first + k * stride; }
};

/// One claim's judgment of one case, with the numbers that explain it.
struct ClaimOutcome {
  bool applies = true;  ///< false: the case is outside the claim's own preconditions
  Judgement judgement;
  std::string exact;  ///< the truth of the judged component, decimal
  /// (result − truth)/ulp(truth) of the judged component, computed by error_in_ulps().
  std::optional<double> ulps;
};

/// The results for one case on one executor.
struct CaseOutcome {
  Words got;                         ///< the result's words
  std::size_t components = 1;        ///< of the result; each component is the sum of equally many words
  std::vector<ClaimOutcome> claims;  ///< in the order of PropertyInfo::claims
  Cost cost{};                       ///< of a case that was judged alone, by all claims
};

/// The subject requested more memory than there is; any other std::bad_alloc is the harness's own.
class SubjectOutOfMemory : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "the subject ran out of memory"; }
};

/// The two paths of the oracle disagree: a failure of the harness, not a verdict about the subject.
class PathsDisagree : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Errors: std::runtime_error if the subject returned another number of results than it had cases.
void require_results(std::size_t results, std::size_t cases);

struct ShrinkPass;
struct Probed;

/// A property with its types erased, for the campaign, the corpus and the command line.
class PropertyModel {
 public:
  virtual ~PropertyModel();
  PropertyModel(const PropertyModel&) = delete;
  PropertyModel& operator=(const PropertyModel&) = delete;

  const PropertyInfo& info() const { return info_; }

  /// The probe for one of its claims, or nullptr.
  const Probed* probe() const { return probe_; }

  /// An empty tally of this property's shape.
  Tally empty_tally() const;

  /// Called before the subject sees a batch: the range of its case numbers.
  using BatchObserver = std::function<void(const CaseRange&)>;

  /// Draws, runs and judges the cases of a range. Results do not depend on how a run is cut into ranges or batches.
  /// If is_watched(), both paths of the oracle compute the truth and the judgments (oracle::Watch). Errors: what the
  /// subject throws; ExecutorError; PathsDisagree, which names property, case and claim.
  virtual Tally run(const Executor& on, std::uint64_t seed, const CaseRange& range,
                    const BatchObserver& before_batch) const = 0;

  /// Case i of the seed; empty if it is rejected (enumerations only). Requires: i below an enumeration's size (not
  /// checked).
  virtual std::optional<Record> make(std::uint64_t seed, std::uint64_t number) const = 0;
  /// Whether both paths of the oracle judge case i: one of a thousand of the first million cases, one of a million of
  /// the others. A property with fewer than a thousand cases in its quick tier has one such case there, too.
  bool is_watched(std::uint64_t number) const;
  /// Whether this case's signed error in ulps is counted: about a thousand of the quick number of cases, or of an
  /// enumeration.
  bool is_measured(std::uint64_t number) const;
  /// The class of case i.
  std::size_t class_of(std::uint64_t number) const;

  /// The pairs of values of the domain's traits, and rows with all of them.
  const TraitPairs& trait_pairs() const { return trait_pairs_; }
  const std::vector<TraitRow>& trait_rows() const { return trait_rows_; }
  /// The row of traits of case i. Requires: the case is of the class "pairs of traits", the last class (not checked).
  const TraitRow& row_of(std::uint64_t number) const;

  /// Whether the record has the fields of a case of this property; `contains`: also whether the case lies in its
  /// domain.
  virtual bool fits(const Record& record) const = 0;
  virtual bool contains(const Record& record) const = 0;

  /// Runs the subject on given cases (all must be contained) and judges every claim, including the implicit claims.
  /// `only`: only this claim is judged, and the property's other own claims do not apply. If it is one of the
  /// property's own claims, the subject is run once, the implicit claims do not apply either, and among several cases
  /// only those that violate the claim have its tightness and the text of its truth.
  virtual std::vector<CaseOutcome> judge(const Executor& on, std::span<const Record> cases,
                                         std::optional<std::size_t> only = std::nullopt) const = 0;

  /// Judges one of the property's own claims, and nothing else: for each case its judgment, or empty if the case is
  /// outside the claim's preconditions. Requires: all cases are contained.
  virtual std::vector<std::optional<Judgement>> judge_claim(const Executor& on, std::span<const Record> cases,
                                                            std::size_t claim) const = 0;

  /// Computes only: the words of each result.
  virtual std::vector<Words> evaluate(const Executor& on, std::span<const Record> cases) const = 0;

  /// Pass `which` of shrink_passes() for a case: its steps lead to smaller cases inside the domain.
  virtual std::size_t shrink_passes() const = 0;
  virtual ShrinkPass shrink(const Record& record, std::size_t which) const = 0;

 protected:
  PropertyModel();
  /// Adds the implicit claims, the class of pairs of traits and the table of weights, once `info_` holds the rest.
  /// Errors: std::logic_error for a property without claims or classes, with two claims of one id, with a ceiling that
  /// is not the id of a claim that is to hold, or with traits that TraitPairs refuses.
  void finish();

  static std::size_t feature_bin(const FeatureInfo& feature, double value);
  /// Adds the judgments of one implicit claim for a batch: violated at the given positions, holds elsewhere.
  void tally_unasked(std::span<const std::size_t> violated, std::span<const std::uint64_t> numbers,
                     std::span<const std::uint64_t> by_class, ClaimTally& tally) const;

  PropertyInfo info_;
  const Probed* probe_ = nullptr;

 private:
  /// Adds the class of pairs of traits, and as many cases to the quick tier as the class has rows. Its weight is the
  /// smallest with which the quick tier contains all rows.
  void add_class_of_pairs();

  std::vector<std::uint32_t> class_by_slot_;
  std::vector<std::uint32_t> late_classes_;
  TraitPairs trait_pairs_;
  std::vector<TraitRow> trait_rows_;
};

/// All properties of the program, sorted by name. Errors: the exceptions of a late registration, here and below.
std::span<const std::unique_ptr<PropertyModel>> properties();
/// The properties whose names begin with `family` and a dot. The span is valid until another family is requested.
std::span<const std::unique_ptr<PropertyModel>> properties_of(std::string_view family);
/// The property of that name, or nullptr.
const PropertyModel* find_property(std::string_view name);
/// Adds a property. Errors: std::logic_error if the name is taken or not of the form family.kernel.
void register_property(std::unique_ptr<PropertyModel> property);
/// Registers `add`, which adds properties of a family when one of the functions above first needs them. Errors:
/// std::logic_error, from the function that needs them, for a property of another family.
void register_late(std::string_view family, void (*add)());

}  // namespace assay
