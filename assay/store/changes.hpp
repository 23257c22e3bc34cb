#pragma once
// The differences between two runs.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/store/entry.hpp"
#include "assay/store/json.hpp"

namespace assay::store {

/// One difference between two runs.
struct Change {
  enum class Kind {
    verdict,    ///< of a claim
    tightness,  ///< of a claim or of a term of its bound, on the same inputs
    bits,       ///< of the results, on the same inputs
    time,       ///< of a kernel, at one size on one machine; `property` is the kernel's name
    gone,       ///< a property or a claim that only the first run has
    added,      ///< a property or a claim that only the second run has
  };
  enum class Direction { neutral, better, worse };
  Kind kind = Kind::verdict;
  Direction direction = Direction::neutral;
  std::string property;
  std::string executor;
  std::string claim;  ///< empty for a property as a whole
  std::string term;   ///< empty for the bound as a whole
  std::string before;
  std::string after;
};

/// All differences between two runs.
struct Changes {
  Entry before;  ///< without properties
  Entry after;
  std::uint64_t properties = 0;           ///< in both
  std::uint64_t claims = 0;               ///< in both
  std::uint64_t times = 0;                ///< in both
  std::vector<std::string> other_inputs;  ///< properties in both whose inputs differ: "dw.sqrt on host"
  std::vector<Change> changes;            ///< by kind, then property, executor, claim, term

  bool worse() const;
};

/// Times vary from run to run: a change of at most this fraction is not reported.
inline constexpr double default_slower = 0.1;

/// What differs. Tightness and bits are compared if both runs had the same inputs. Worse are: a claim that fails or is
/// no longer judged; an error/bound that grew by more than 1 %, unless the claim is a negative control; other bits,
/// unless a verdict or a tightness of the property improved and none got worse. A kernel is slower if its time grew by
/// more than the fraction `slower` at two neighboring sizes, or at its only size; one change reports the pair of sizes
/// at which it grew most. A faster kernel is reported in the same way.
Changes changes_between(const Entry& before, const Entry& after, double slower = default_slower);

/// The document of `assay compare --json` (docs/compare.schema.json).
Json changes_document(const Changes& changes);

std::string_view word(Change::Kind kind);
std::string_view word(Change::Direction direction);
std::span<const std::string_view> words_of(Change::Kind);
std::span<const std::string_view> words_of(Change::Direction);

}  // namespace assay::store
