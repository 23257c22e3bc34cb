#include "assay/campaign/ladder.hpp"

#include <memory>

namespace assay::campaign {

std::optional<bool> kept(const store::PropertySummary& property, const std::string& id) {
  for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
    if (property.info.claims[c].id != id) continue;
    switch (property.findings[c].verdict) {
      case store::Finding::holds:
        return true;
      case store::Finding::violated:
      case store::Finding::broken:
      case store::Finding::flaky:
        return false;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

Unrefused judge_controls(const Operation& operation, const Question& question, std::uint64_t seed) {
  constexpr std::uint64_t cases = 200;
  Unrefused found;
  for (const Control control : all_controls) {
    const std::unique_ptr<PropertyModel> property = operation.property(question, {.control = control});
    const Tally tally = property->run(Executor::host(), seed, {0, 1, cases}, [](const CaseRange&) {});
    for (std::size_t c = 0; c < property->info().claims.size(); ++c) {
      const std::string& id = property->info().claims[c].id;
      const Contract* const contract = operation.find(id);
      if (contract == nullptr || tally.claims[c].violated != 0) continue;
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
