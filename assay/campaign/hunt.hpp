#pragma once
// Hunts: searches for the inputs nearest to the bounds of claims, in worker processes.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "assay/campaign/campaign.hpp"

namespace assay::campaign {

/// One search is split into this many independent islands, however many processes there are.
inline constexpr unsigned hunt_islands = 8;

struct HuntSettings {
  std::uint64_t seed = 1;
  std::chrono::milliseconds time{60000};     ///< of one search, if `evaluations` is empty
  std::optional<std::uint64_t> evaluations;  ///< of one search: repeatable on every machine
  CrewSettings crew;
};

/// Whether a search has a start: a case with an error, or with a distance to a boundary of rounding.
bool has_slope(const std::optional<Climber>& best);

/// The result of a search.
struct HuntFound {
  std::optional<Climber> best;  ///< empty: no case of the domain was drawn
  std::uint64_t evaluations = 0;
  double seconds = 0;
  std::vector<std::string> terms;  ///< terms of the bounds that occurred
  std::uint64_t undecided = 0;     ///< cases for which the judge could not tell whether the claim holds
  std::optional<Record> first_undecided;
  std::optional<process::Stop> stop;  ///< the subject gave no answer: the search ended there
};

/// Searches for one goal. `starts`: cases that the first island starts from. A search without a slope ends early.
/// Errors: Interrupted; std::runtime_error for a harness that does not work.
HuntFound hunt(const HuntSettings& settings, const PropertyModel& property, const std::string& executor,
               const ClimbGoal& goal, const std::vector<Record>& starts);

}  // namespace assay::campaign
