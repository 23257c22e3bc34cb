#pragma once
// A search for the inputs nearest to a bound: many climbers, each moving to worse and worse cases of one claim.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "properties/framework/model.hpp"

namespace assay {

/// The goal of a search: the largest error/bound of a claim, or the largest need for one named term of its bound; for a
/// claim of correct rounding, the exact value nearest to a boundary of rounding.
struct ClimbGoal {
  std::size_t claim = 0;  ///< index into PropertyInfo::claims
  std::string term{};     ///< empty: the bound as a whole
  bool blind = false;     ///< starts from cases that no construction made
  bool by_probe = false;  ///< the claim's probe searches, in rounded arithmetic; the judge checks its cases
};

/// How bad a case is. Larger is worse.
struct Height {
  double ratio = -1;            ///< error/bound, or the need for the term; −1 if the claim does not apply
  long boundary = no_boundary;  ///< Judgement::boundary: among equal ratios, the smaller one is worse

  bool operator==(const Height&) const = default;
  bool operator<(const Height& other) const {
    return ratio < other.ratio || (ratio == other.ratio && boundary > other.boundary);
  }
};
Height height_of(const std::optional<Judgement>& judgement, const std::string& term);

/// One climber.
struct Climber {
  Record at;
  Height height;
  std::uint64_t idle = 0;  ///< candidates since its last improvement
};

/// The whole state of a search between two rounds, so that any process can make a round.
struct ClimbState {
  std::uint64_t random = 0;       ///< of SplitMix64
  std::uint64_t drawn = 0;        ///< case numbers that were tried as starts
  std::uint64_t evaluations = 0;  ///< cases that were run and judged
  std::vector<Record> starts{};   ///< the first climbers start here; all others start at cases of the classes
  std::vector<Climber> climbers{};
  std::optional<Climber> best{};
  std::vector<std::string> terms{};  ///< names of the terms of the bounds that occurred
  std::uint64_t undecided = 0;       ///< cases for which the judge could not tell whether the claim holds
  std::optional<Record> first_undecided{};
};

/// Continues until at least `until` cases were judged since the start, or no candidate is inside the domain. Each
/// climber tries eight neighbors at a time and moves to the worst of them, unless its own case is worse; a climber that
/// has not improved for long starts anew, from a case of the property's classes or next to the best case. The state
/// afterwards is a pure function of the first state, the seed and the last `until`; it does not depend on how the
/// search was cut into rounds. A probe that searches makes rounds of a fixed size; the cases with the largest ratios,
/// as computed by the judge, are the starts of the next round. `before_batch` is called for each batch. Errors: what
/// the subject throws; ExecutorError. Requires: goal.by_probe only for the claim of a probe that can search, and for
/// its bound as a whole.
void climb(const PropertyModel& property, const Executor& on, const ClimbGoal& goal, std::uint64_t seed,
           std::uint64_t until, const PropertyModel::BatchObserver& before_batch, ClimbState& state);

}  // namespace assay
