#include "assay/campaign/ladder.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "errorbounds/verdicts_alone.hpp"
#include "properties/framework/open_claims.hpp"

namespace assay::campaign {

namespace {

/// This many cases of each control are judged, and more if no contract about an error has refused it by then. The cases
/// of an enumeration are spread over all patterns, because few of them distinguish a control from the kernel.
CaseRange control_cases(const PropertyInfo& info, bool more) {
  constexpr std::uint64_t of_enumeration = 2000;
  if (info.enumeration_size == 0) return {0, 1, more ? 200U : 40U};
  const std::uint64_t count = std::min(of_enumeration, info.enumeration_size);
  return {0, info.enumeration_size / count, count};
}

/// Whether the claim has refused the kernel that the tally is about.
bool is_refused(const Tally& tally, std::size_t claim) { return tally.claims[claim].violated != 0; }

/// A control, and its results.
struct Judged {
  Control control;
  std::unique_ptr<PropertyModel> property;
  Tally tally;
  BitSums first;  ///< of the first cases

  /// Whether every contract about an error has refused it.
  [[nodiscard]] bool is_refused_by_all(const Operation& operation) const {
    for (std::size_t c = 0; c < property->info().claims.size(); ++c) {
      const Contract* const contract = operation.find(property->info().claims[c].id);
      if (contract != nullptr && contract->is_about_error && !is_refused(tally, c)) return false;
    }
    return true;
  }
};

/// Judges all controls case by case: they share the exact result; only the last case's is kept. A contract that has
/// refused a control is not judged for it any more.
std::vector<Judged> judged_controls(const Operation& operation, const Question& question, std::uint64_t seed) {
  std::vector<Judged> all;
  for (const Control control : operation.controls()) {
    std::unique_ptr<PropertyModel> property = operation.property(question, {.control = control});
    Tally tally = property->empty_tally();
    all.push_back({control, std::move(property), std::move(tally), {}});
  }
  if (all.empty()) return all;
  const VerdictsAlone alone;
  const CaseRange few = control_cases(all.front().property->info(), false);
  const CaseRange many = control_cases(all.front().property->info(), true);
  std::vector<bool> is_done(all.size());
  for (std::uint64_t k = 0; k < many.count; ++k) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (k == few.count) all[i].first = all[i].tally.bits;
      if (k == few.count) is_done[i] = all[i].is_refused_by_all(operation);
      if (is_done[i]) continue;
      std::optional<OpenClaims> open;
      if (all[i].control != Control::previous) {  // its results depend on how often it was called
        open.emplace([&of = all[i], &operation](std::size_t claim) {
          const Contract* const contract = operation.find(of.property->info().claims[claim].id);
          return contract != nullptr && !is_refused(of.tally, claim);
        });
      }
      all[i].tally.merge(all[i].property->run(Executor::host(), seed, {many.at(k), 1, 1}, [](const CaseRange&) {}));
    }
  }
  return all;
}

}  // namespace

bool is_asked(const Operation& operation, const std::string& claim, const std::vector<std::string>& promised) {
  const Contract* const contract = operation.find(claim);
  if (contract == nullptr) return true;
  const auto is_promised = [&](const std::string& id) { return operation.find(id) == contract; };
  return promised.empty() ? contract->is_rung : std::ranges::any_of(promised, is_promised);
}

Unrefused judge_controls(const Operation& operation, const Question& question, std::uint64_t seed) {
  Unrefused found;
  for (const auto& [control, property, tally, first] : judged_controls(operation, question, seed)) {
    found.first = control_cases(property->info(), false);
    found.bits.emplace_back(control,
                            found.first.count < control_cases(property->info(), true).count ? first : tally.bits);
    for (std::size_t c = 0; c < property->info().claims.size(); ++c) {
      const std::string& id = property->info().claims[c].id;
      const Contract* const contract = operation.find(id);
      if (contract == nullptr || is_refused(tally, c)) continue;
      if (!contract->is_rung && tally.claims[c].executed == 0) continue;  // no control is asked by name
      if (contract->is_about_error) {
        found.passed.push_back(property->info().name + "/" + id + ": " + std::string(name_of(control)));
      } else {
        found.blind[id].emplace_back(name_of(control));
      }
    }
  }
  return found;
}

}  // namespace assay::campaign
