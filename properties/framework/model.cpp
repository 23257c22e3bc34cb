#include "properties/framework/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string_view>

#include "errorbounds/execution_theorems.hpp"
#include "properties/framework/fnv.hpp"
#include "properties/framework/libraries.hpp"
#include "properties/framework/names.hpp"
#include "properties/framework/property.hpp"

template class std::vector<assay::ClaimInfo>;
template class std::vector<assay::ClassInfo>;
template class std::vector<assay::FeatureInfo>;

namespace assay {

namespace {

/// In the order of Unasked.
const std::vector<ClaimInfo>& unasked() {
  static const std::vector<ClaimInfo> claims = [] {
    std::vector<ClaimInfo> all = {
        claim_info("same_bits", execution_same_bits_1.words),
        claim_info("batch", execution_batch_1.words),
        claim_info("inputs_unchanged", execution_inputs_unchanged_1.words),
        claim_info("guard_zones", execution_guard_zones_1.words),
        claim_info("environment", execution_environment_1.words),
    };
    all[static_cast<std::size_t>(Unasked::batch)].preconditions =
        "every sixteenth case on the host, one of 1024 on a device";
    return all;
  }();
  return claims;
}

struct Late {
  std::string_view family;
  void (*add)();
};

struct Library {
  std::vector<std::string> families;
  LoadLibrary load;
};

struct Registry {
  std::vector<std::unique_ptr<PropertyModel>> all;
  std::vector<Late> late;          ///< not added yet
  std::string_view adding;         ///< the family that is being added late, or empty
  std::vector<Library> libraries;  ///< not loaded yet
  std::string missing;             ///< why a library could not be loaded
  LoadLibrary load_probes = nullptr;
  std::recursive_mutex mutex;
};

/// Never destroyed: a process ends without running destructors of its start.
Registry& registry() {
  static auto& all = *new Registry;
  return all;
}

/// The text before the dot; empty if the text on either side of the dot is empty.
std::string_view family_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos || dot + 1 == name.size() ? std::string_view() : name.substr(0, dot);
}

/// Loads the libraries with a family for which `is_wanted(family)`.
template <class Wanted>
void load_libraries(Wanted&& is_wanted) {
  Registry& program = registry();
  const auto wanted =
      std::stable_partition(program.libraries.begin(), program.libraries.end(),
                            [&](const Library& each) { return std::ranges::none_of(each.families, is_wanted); });
  const std::vector<Library> now(wanted, program.libraries.end());
  program.libraries.erase(wanted, program.libraries.end());
  for (const Library& each : now) {
    const std::string why = each.load();
    if (!why.empty()) program.missing += (program.missing.empty() ? "" : "; ") + why;
  }
}

/// Adds the late registrations for which `is_wanted(family)`, including those of libraries that are loaded for it.
template <class Wanted>
void add_late(Wanted&& is_wanted) {
  Registry& program = registry();
  const std::lock_guard<std::recursive_mutex> lock(program.mutex);
  load_libraries(is_wanted);
  const auto wanted = std::stable_partition(program.late.begin(), program.late.end(),
                                            [&](const Late& each) { return !is_wanted(each.family); });
  const std::vector<Late> now(wanted, program.late.end());
  program.late.erase(wanted, program.late.end());
  for (const Late& each : now) {
    program.adding = each.family;
    each.add();
  }
  program.adding = {};
}

/// The place of the property with that name among all, or where it would be inserted.
auto place_of(std::string_view name) {
  auto& all = registry().all;
  return std::lower_bound(all.begin(), all.end(), name,
                          [](const auto& each, std::string_view key) { return each->info().name < key; });
}

bool is_true_claim(const PropertyInfo& info, const std::string& id) {
  return std::any_of(info.claims.begin(), info.claims.end(),
                     [&](const ClaimInfo& claim) { return claim.id == id && !claim.expected_refuted; });
}

/// The rows of TraitPairs::rows(), computed once for all properties with these traits, because every process registers
/// them all.
const std::vector<TraitRow>& rows_of(const TraitPairs& pairs, const PropertyInfo& info) {
  static std::map<std::vector<std::vector<std::string>>, std::vector<TraitRow>> known;
  std::vector<std::vector<std::string>> words;
  for (const TraitInfo& each : info.traits) {
    words.push_back(each.values);
    words.push_back({each.name});
  }
  for (const ImpossiblePairs& each : info.impossible_pairs) {
    words.push_back({each.trait, each.other});
    words.push_back(each.values);
    words.push_back(each.other_values);
  }
  const auto [at, is_new] = known.try_emplace(std::move(words));
  if (is_new) at->second = pairs.rows();
  return at->second;
}

}  // namespace

void require_results(std::size_t results, std::size_t cases) {
  if (results == cases) return;
  throw std::runtime_error("the subject returned " + std::to_string(results) + " results for " + std::to_string(cases) +
                           " cases");
}

PropertyModel::PropertyModel() = default;
PropertyModel::~PropertyModel() = default;

std::uint64_t mixture_round(const PropertyInfo& info) {
  std::uint64_t sum = 0;
  for (const ClassInfo& each : info.classes) {
    if (!each.is_late) sum += each.weight;
  }
  return sum;
}

void PropertyModel::add_class_of_pairs() {
  trait_pairs_ = TraitPairs(info_.traits, info_.impossible_pairs);
  trait_rows_ = rows_of(trait_pairs_, info_);
  const std::uint64_t rows = trait_rows_.size();
  const std::uint64_t others = mixture_round(info_);
  info_.quick_cases = std::max(info_.quick_cases, others) + rows;
  std::uint64_t weight = 1;
  while (info_.quick_cases / (others + weight) * weight < rows) ++weight;
  info_.classes.push_back({"pairs of traits", static_cast<unsigned>(weight)});
}

void PropertyModel::finish() {
  if (info_.enumeration_size != 0) {
    info_.classes = {{"all", 1}};
    info_.traits.clear();
    info_.impossible_pairs.clear();
  } else if (!info_.traits.empty()) {
    add_class_of_pairs();
  }
  if (info_.claims.empty() || info_.classes.empty()) {
    throw std::logic_error(info_.name + ": a property needs a claim and a class of inputs");
  }
  for (const ClassInfo& each : info_.classes) {
    if (each.weight == 0) throw std::logic_error(info_.name + ": no case is drawn from '" + each.name + "', weight 0");
  }
  info_.claims.insert(info_.claims.end(), unasked().begin(), unasked().end());
  std::set<std::string> ids;
  for (const ClaimInfo& claim : info_.claims) {
    if (!is_property_name("claim." + claim.id) || claim.id.find('.') != std::string::npos) {
      throw std::logic_error(info_.name + ": a claim's id has letters, digits, _ and -, not '" + claim.id + "'");
    }
    if (!ids.insert(claim.id).second) {
      throw std::logic_error(info_.name + ": two claims named " + claim.id);
    }
  }
  for (const ClaimInfo& claim : info_.claims) {
    if (!claim.ceiling.empty() && !is_true_claim(info_, claim.ceiling)) {
      throw std::logic_error(info_.name + ": " + claim.id + " has the ceiling " + claim.ceiling +
                             ", which is no claim that is to hold");
    }
  }
  for (std::size_t c = 0; c < info_.classes.size(); ++c) {
    const auto place = static_cast<std::uint32_t>(c);
    if (info_.classes[c].is_late) {
      late_classes_.push_back(place);
    } else {
      class_by_slot_.insert(class_by_slot_.end(), info_.classes[c].weight, place);
    }
  }
}

std::size_t PropertyModel::class_of(std::uint64_t number) const {
  constexpr std::uint64_t every = 1000;
  if (number >= info_.quick_cases) {
    const std::uint64_t place = (number - info_.quick_cases) % every;
    if (place < late_classes_.size()) return late_classes_[place];
  }
  return class_by_slot_[number % class_by_slot_.size()];
}

bool PropertyModel::is_watched(std::uint64_t number) const {
  constexpr std::uint64_t every = 1000;
  constexpr std::uint64_t many = 1'000'000;
  std::uint64_t among = std::min(every, info_.quick_cases);
  if (info_.enumeration_size != 0) among = std::min(every, info_.enumeration_size);
  return number % (number < many ? every : many) == fnv1a(info_.name) % std::max<std::uint64_t>(1, among);
}

bool PropertyModel::is_measured(std::uint64_t number) const {
  constexpr std::uint64_t enough = 1000;
  if (info_.enumeration_size == 0 && number >= info_.quick_cases) return false;
  const std::uint64_t all = info_.enumeration_size == 0 ? info_.quick_cases : info_.enumeration_size;
  // Multiples of an odd number spread over all classes, whose places repeat.
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  return (number * odd >> 32) % std::max<std::uint64_t>(1, all / enough) == 0;
}

const TraitRow& PropertyModel::row_of(std::uint64_t number) const {
  const std::uint64_t weight = info_.classes.back().weight;
  const std::uint64_t slots = class_by_slot_.size();
  const std::uint64_t place = number / slots * weight + (number % slots - (slots - weight));
  return trait_rows_[place % trait_rows_.size()];
}

Tally PropertyModel::empty_tally() const {
  Tally tally;
  tally.pairs = trait_pairs_.none();
  tally.classes.resize(info_.classes.size());
  ClaimTally claim;
  claim.executed_by_class.resize(info_.classes.size());
  for (const FeatureInfo& feature : info_.features) {
    claim.features.emplace_back(static_cast<std::size_t>(feature.bins));
  }
  tally.claims.assign(info_.claims.size(), claim);
  return tally;
}

std::size_t PropertyModel::feature_bin(const FeatureInfo& feature, double value) {
  const double position = (value - feature.low) / (feature.high - feature.low) * feature.bins;
  if (!(position > 0)) {
    return 0;
  }
  const auto last = static_cast<std::size_t>(feature.bins - 1);
  return position >= static_cast<double>(last) ? last : static_cast<std::size_t>(position);
}

void PropertyModel::tally_unasked(std::span<const std::size_t> violated, std::span<const std::uint64_t> numbers,
                                  std::span<const std::uint64_t> by_class, ClaimTally& tally) const {
  if (violated.empty()) {
    tally.executed += numbers.size();
    tally.components += numbers.size();
    tally.histogram[0] += numbers.size();
    tally.worst.take(0, *std::min_element(numbers.begin(), numbers.end()));
    for (std::size_t c = 0; c < by_class.size(); ++c) {
      tally.executed_by_class[c] += by_class[c];
    }
    return;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool holds = std::find(violated.begin(), violated.end(), i) == violated.end();
    tally.add(Judgement::of(holds), numbers[i], class_of(numbers[i]));
  }
}

std::span<const std::unique_ptr<PropertyModel>> properties() {
  add_late([](std::string_view) { return true; });
  return registry().all;
}

std::span<const std::unique_ptr<PropertyModel>> properties_of(std::string_view family) {
  add_late([&](std::string_view each) { return each == family; });
  // '/' follows '.' in ASCII.
  return {place_of(std::string(family) + '.'), place_of(std::string(family) + '/')};
}

const PropertyModel* find_property(std::string_view name) {
  const std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  properties_of(family_of(name));
  const auto found = place_of(name);
  return found != registry().all.end() && (*found)->info().name == name ? found->get() : nullptr;
}

bool is_property_name(std::string_view name) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return name.find_first_not_of(plain) == std::string_view::npos && name.find('.') != std::string_view::npos &&
         name.find("..") == std::string_view::npos && !name.starts_with('.') && !name.ends_with('.');
}

void register_property(std::unique_ptr<PropertyModel> property) {
  const std::string name = property->info().name;
  Registry& program = registry();
  if (!is_property_name(name)) {
    throw std::logic_error("a property is named family.kernel, of letters, digits, _ and -, not '" + name + "'");
  }
  if (!program.adding.empty() && program.adding != family_of(name)) {
    throw std::logic_error(name + " is registered late for the family '" + std::string(program.adding) + "'");
  }
  const auto at = place_of(name);
  if (at != program.all.end() && (*at)->info().name == name) {
    throw std::logic_error("two properties named " + name);
  }
  program.all.insert(at, std::move(property));
}

void register_late(std::string_view family, void (*add)()) { registry().late.push_back({family, add}); }

void register_library(std::vector<std::string> families, LoadLibrary load) {
  registry().libraries.push_back({std::move(families), load});
}

std::string missing_properties() {
  const std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  return registry().missing;
}

void register_probes(LoadLibrary load) { registry().load_probes = load; }

void load_probes() {
  const std::lock_guard<std::recursive_mutex> lock(registry().mutex);
  if (registry().load_probes == nullptr) return;
  if (const std::string why = registry().load_probes(); !why.empty()) throw MissingLibrary(why);
}

rc::Random random_for(std::uint64_t seed, const std::string& property, std::uint64_t number) {
  return rc::Random(rc::Random::Key{seed, fnv1a(property), number, 0});
}

std::optional<double> error_in_ulps(const oracle::Dyadic& got, const oracle::Exact& truth,
                                    const oracle::Format& format) {
  try {
    const std::partial_ordering order = oracle::compare(truth, got);
    if (order == std::partial_ordering::unordered) {
      return std::nullopt;
    }
    const double distance = oracle::error_ratio(got, truth, oracle::ulp(truth, format), 1);
    return order > 0 ? -distance : distance;
  } catch (const oracle::Undecided&) {
    return std::nullopt;
  }
}

namespace {

constexpr int digits_of_a_truth = 40;

/// The formula of a number if it is short, else the number rounded to 40 digits, after ≈.
std::string formula_or_digits(const std::string& formula, const oracle::Ball& number) {
  constexpr std::size_t short_formula = 64;
  if (formula.size() <= short_formula) return formula;
  return "≈" + oracle::decimal(number.lower(), digits_of_a_truth);
}

}  // namespace

std::string describe(const oracle::Dyadic& truth) { return oracle::decimal(truth, digits_of_a_truth); }

std::string describe(const oracle::Exact& truth) {
  constexpr long bits = 256;
  if (const auto* dyadic = std::get_if<oracle::Dyadic>(&truth)) {
    return describe(*dyadic);
  }
  if (const auto* rational = std::get_if<oracle::Rational>(&truth)) {
    return formula_or_digits(to_string(*rational), oracle::Ball(*rational, bits));
  }
  if (const auto* root = std::get_if<oracle::SquareRoot>(&truth)) {
    return formula_or_digits("sqrt(" + to_string(root->square) + ")", sqrt(oracle::Ball(root->square, bits), bits));
  }
  return to_string(std::get<oracle::Enclosure>(truth).at(128));
}

}  // namespace assay
