#pragma once
// Delta debugging: the steps by which a failing case becomes smaller, first in its structure (rows, columns, terms),
// then in its values, in chunks of a half, a quarter, …, a single place.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "properties/framework/axes.hpp"
#include "properties/framework/record.hpp"

namespace assay {

class PropertyModel;

/// Steps of one kind and one size for a record, generated on demand.
struct ShrinkPass {
  std::size_t size = 0;
  /// The smaller record of step i; empty if there is none.
  std::function<std::optional<Record>(std::size_t)> at = {};
  /// After a step that is taken, the search continues with the first step, not with the next one.
  bool restarts = false;
};

/// Chunks have at most 2^(chunk_sizes − 1) places.
inline constexpr std::size_t chunk_sizes = 16;

/// The total length of the lists of a record.
std::size_t numbers_in(const Record& record);

/// The axes of a record, in every possible reading.
using AxesOf = std::function<std::vector<Axes>(const Record&)>;

/// Steps in the structure: integers lowered, gaps closed, only one place of an axis kept; chunks of places removed,
/// pairs of terms that cancel or nearly cancel removed or merged; and as the last merge_passes passes, runs of terms
/// merged to their sum, and all terms but one.
inline constexpr std::size_t merge_passes = chunk_sizes + 1;
inline constexpr std::size_t structure_passes = 3 + 2 * chunk_sizes + merge_passes;
ShrinkPass structure_pass(const Record& record, const AxesOf& axes, std::size_t which);

/// Steps that shorten a record of more than 2^16 numbers: all axes at once, to 1, 2, 4, … of their first places; and an
/// axis of more than 2^16 places to few of its first places, to a half, and to more than half.
ShrinkPass part_pass(const Record& record, const AxesOf& axes);

/// Steps in the values: chunks of numbers set to 0, shortened, cut off at one weight, moved to the exponent of the
/// leading number, made positive; numbers of one magnitude changed together; a few numbers made powers of two; single
/// numbers shortened; single bits cleared; two numbers shortened at once.
inline constexpr std::size_t value_passes = 5 * chunk_sizes + 6;
ShrinkPass value_pass(const Record& record, std::size_t which);

/// Hashes of candidates that were tried and not taken.
struct PassedOver {
  std::unordered_set<std::uint64_t> all{};
  std::unordered_set<std::uint64_t> others{};  ///< those that fail in another way
};

/// A case that is being made smaller. Passes repeat until no step of any pass is taken; a pass of many steps waits
/// until the shorter passes have nothing more to offer. Every record is offered once.
class Shrinking {
 public:
  /// `property` is kept by reference. `backward`: the steps of a pass come from the last one to the first. `tried`:
  /// candidates that are not offered.
  Shrinking(const PropertyModel& property, Record start, bool backward = false, PassedOver tried = {});

  /// The smallest record so far.
  const Record& record() const { return record_; }
  /// The next candidates in their order, at most `most`; none if no single step is left. None of the last candidates
  /// was taken unless take() said so.
  std::span<const Record> next(std::size_t most);
  /// Candidate i of the last call is the record from now on; the candidates after it are forgotten.
  void take(std::size_t i);
  /// Candidate i of the last call fails, but in another way.
  void note_other(std::size_t i);
  /// Whether a single step from record() leads to a case that fails in another way. Requires: next() gave none.
  bool has_others() const { return has_others_; }
  /// All candidates that were offered or must not be offered, and were not taken. Ends the object's use.
  PassedOver passed_over();

 private:
  /// Starts a pass for the record.
  void enter(std::size_t which);

  const PropertyModel& property_;
  Record record_;
  bool backward_;
  std::vector<std::size_t> cursors_;      ///< by pass: the next step
  std::size_t longest_;                   ///< passes with more steps are deferred
  bool put_off_ = false;                  ///< whether a pass was deferred since the last step that was taken
  std::size_t idle_ = 0;                  ///< passes in a row that ended without a step taken
  std::size_t which_ = 0;                 ///< the current pass
  ShrinkPass pass_{};                     ///< its steps
  std::size_t untried_ = 0;               ///< steps of it that are neither offered nor skipped for this record
  std::vector<Record> offered_{};         ///< the last candidates
  std::vector<std::uint64_t> hashes_{};   ///< theirs
  std::vector<std::size_t> last_step_{};  ///< by candidate: its step, counted from the cursor
  std::size_t passed_ = 0;                ///< steps from the cursor on that are offered or skipped
  PassedOver seen_;                       ///< candidates that were tried
  bool has_others_ = false;               ///< whether a step from the record leads to one of seen_.others
  std::vector<std::uint64_t> taken_{};    ///< the hashes of candidates that were taken
};

}  // namespace assay
