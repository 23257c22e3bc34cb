#pragma once
// The cases of a property that are known, and the chunks into which the others are cut.

#include <cstdint>
#include <map>

#include "assay/campaign/ask_cases.hpp"

namespace assay::campaign {

/// A range of this many cases from this place on. The cases of a shard have the places 0, 1, ….
struct Chunk {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The seconds for which a slot works on its next chunk, if one slot would need `left` seconds for all cases that no
/// slot has: a quarter of the time that all slots together need, but at least one second. The first chunks are the
/// largest. At the end all are small, and no slot waits long for another.
double seconds_of_chunk(double left, std::size_t slots);

/// The known results of one property on one executor. Chunks may be cut in any way and come back in any order: the
/// gathered results depend on the cases alone. The case with offender number most_offenders is the last one that
/// counts.
class Coverage {
 public:
  Coverage(std::uint64_t cases, Tally empty);

  /// The first cases that no slot has, at most this many; none if all are known or running.
  Chunk cut(std::uint64_t most);
  std::uint64_t open() const { return open_cases_; }
  /// How many offenders end this chunk.
  std::size_t offenders_of(const Chunk& chunk) const;

  /// Adds the results of the first `done` cases of the chunk. The others are open again, unless too many offenders come
  /// before them.
  void take(const Chunk& chunk, std::uint64_t done, AskedCases&& shown);
  /// The same for a chunk of an earlier run that was not cut here. Cases known twice count once.
  void recall(std::uint64_t first, std::uint64_t done, AskedCases&& shown);
  /// All chunks of the earlier run have been added.
  void recalled();

  bool complete() const { return merged_ == cases_; }
  /// Time is up: the known cases count, wherever they lie.
  void end_early();

  Gathered gathered;

 private:
  struct Known {
    std::uint64_t count = 0;
    AskedCases shown;
  };
  void reopen(std::uint64_t first, std::uint64_t end);
  void merge_known();

  std::uint64_t cases_;
  std::uint64_t merged_ = 0;                     ///< the cases before this one are included in `gathered`
  std::map<std::uint64_t, std::uint64_t> open_;  ///< ranges that no slot has: the end by the first place
  std::uint64_t open_cases_ = 0;
  std::map<std::uint64_t, Known> known_;  ///< by the first place: waits for the cases before it
};

}  // namespace assay::campaign
