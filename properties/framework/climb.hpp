#pragma once
// A search for the inputs nearest to a bound: many climbers, each on its way to a worse case of one claim.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "properties/framework/model.hpp"

namespace assay {

/// What is searched for: the largest error/bound of a claim, or the largest need for one named term of its bound; for a
/// claim of correct rounding, the truth nearest to a boundary of rounding.
struct ClimbGoal {
  std::size_t claim = 0;  ///< index into PropertyInfo::claims
  std::string term{};     ///< empty: the bound as a whole
  bool blind = false;     ///< starts from cases that no construction made
  bool by_probe = false;  ///< the claim's probe climbs, which is fast and rounds; the judge looks at what it found
};

/// How bad a case is. Larger is worse.
struct Height {
  double ratio = -1;            ///< error/bound, or the need for the term; −1 where the claim does not apply
  long boundary = no_boundary;  ///< Judgement::boundary: among equal ratios, the smaller one is worse

  bool operator==(const Height&) const = default;
  bool operator<(const Height& other) const {
    return ratio < other.ratio || (ratio == other.ratio && boundary > other.boundary);
  }
};
Height height_of(const std::optional<Judgement>& judgement, const std::string& term);

/// One of those who climb.
struct Climber {
  Record at;
  Height height;
  std::uint64_t idle = 0;  ///< candidates since it rose last
};

/// All of a search between two rounds, so that a round may be made by any process.
struct ClimbState {
  std::uint64_t random = 0;       ///< of SplitMix64
  std::uint64_t drawn = 0;        ///< case numbers that were looked at for starts
  std::uint64_t evaluations = 0;  ///< cases that were run and judged
  std::vector<Record> starts{};   ///< the first climbers stand here; all others at cases of the classes
  std::vector<Climber> climbers{};
  std::optional<Climber> best{};
  std::vector<std::string> terms{};  ///< names of the terms of the bounds that were met
  std::uint64_t undecided = 0;       ///< cases of which the judge could not tell whether the claim holds
  std::optional<Record> first_undecided{};
};

/// Goes on until at least `until` cases were judged since the start, or nothing inside the domain can be found. Each
/// climber tries eight neighbors at a time and goes to the worst of them, unless it is less bad than where it stands;
/// one that has not risen for long starts anew, from a case of the property's classes or beside the best one. The state
/// afterwards is a pure function of the first state, the seed and the last `until`, and not of the rounds that the
/// search was cut into. A probe that climbs makes rounds of a fixed size, and the highest cases as the judge has them
/// are the starts of the next one. `before_batch` is told of each batch. Errors: what the subject throws;
/// ExecutorError. Requires: goal.by_probe only for the claim of a probe that climbs, and its bound as a whole.
void climb(const PropertyModel& property, const Executor& on, const ClimbGoal& goal, std::uint64_t seed,
           std::uint64_t until, const PropertyModel::BatchObserver& before_batch, ClimbState& state);

}  // namespace assay
