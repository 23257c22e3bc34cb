#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "assay/process/worker.hpp"

namespace assay::campaign {

/// The facts that must stay the same while a case shrinks: the claim and the kind of its failure, or the kind of the
/// subject's stop.
struct FailureKind {
  std::size_t claim = 0;                 ///< index into PropertyInfo::claims
  bool non_finite = false;               ///< the worst component of the result is infinite or NaN
  std::optional<store::Finding> stop{};  ///< crashed, hung or out_of_memory instead of a verdict
  bool operator==(const FailureKind&) const = default;
};

/// How `outcome` fails the claim; empty if it does not.
std::optional<FailureKind> failure_of(const CaseOutcome& outcome, std::size_t claim);

struct Shrunk {
  Record record;
  std::optional<CaseOutcome> outcome;  ///< of the record; empty if the subject stops on it
  std::uint64_t tried = 0;             ///< candidates tried, the accepted ones included
  bool whole = false;                  ///< every single step from the record was tried
  bool minimal = false;                ///< no case one step smaller fails, in this way or in another
};

/// A smaller case with the same failure, by delta debugging: the first of the candidates of Shrinking, in order, that
/// fails in the same kind replaces the case, until none does or `steps` candidates were tried. With steps left, a
/// second descent goes through each pass from its end, and the smaller case is the result. The result does not
/// depend on how many candidates are judged together. A descent also ends when its candidates have `numbers` numbers in
/// total. Cost: at most `steps` judgments and one batch more.
Shrunk shrink_case(const PropertyModel& property, process::Asker& asker, const Record& start,
                   const FailureKind& failure, std::uint64_t steps,
                   std::uint64_t numbers = std::numeric_limits<std::uint64_t>::max());

/// How many numbers the candidates of a descent may have in total if the case has a user's shape. This is enough to
/// halve the shape again and again, but allows only few more steps with cases that stay large.
std::uint64_t numbers_for(const Record& start);

}  // namespace assay::campaign
