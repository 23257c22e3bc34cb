#pragma once
// The score of systematic mutants: what `assay-systematic` writes and `assay report` shows.

#include <cstdint>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// mutants.json in the folder of `assay-systematic`; systematic.json in the folder of a run.
struct Systematic {
  struct Family {
    std::string family;
    std::uint64_t mutants = 0;  ///< those with a result
    std::uint64_t killed = 0;
    std::uint64_t by_tests = 0;  ///< of those that were killed: by a unit test or an assertion, and by no claim
    std::uint64_t survived = 0;
    std::uint64_t not_reached = 0;
    std::uint64_t equivalent = 0;  ///< proved by the program
    std::uint64_t device = 0;      ///< of those that were not reached: code that runs only on a device, counted apart
    std::uint64_t argued = 0;      ///< of those that survived or were not reached: a reason says that nothing changes

    /// killed / (all − equivalent − device); 1 if nothing is left.
    double share() const;
    /// killed / (all − equivalent − device − argued).
    double share_beside_argued() const;
  };
  /// A mutant that was neither killed nor proved equivalent.
  struct Left {
    std::uint64_t number = 0;
    std::string file;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    std::string operation, was, becomes;
    std::string outcome;  ///< "survived" or "not reached"
    std::string asked;    ///< how far it was asked
    std::string kind;     ///< of its reason; empty if it has none
    std::string reason;
  };
  std::string date;             ///< of the results, as YYYY-MM-DD
  std::uint64_t generated = 0;  ///< all mutants of the list
  std::vector<Family> families;
  Family all;
  std::vector<Left> left;
};

Json systematic_to_json(const Systematic& table);
/// Throws JsonError.
Systematic systematic_from_json(const Json& value);

}  // namespace assay::store
