#pragma once
// Which cases of a property are known, and how the others are cut into chunks.

#include <cstdint>
#include <map>

#include "assay/campaign/ask_cases.hpp"

namespace assay::campaign {

/// So many cases from the one with this place on. The cases of a shard have the places 0, 1, ….
struct Chunk {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// How long a slot works on its next chunk, in seconds, where one slot alone needs `left` seconds for all cases that
/// nobody has: a quarter of the time in which all slots are through with them, and no less than a second. The first
/// chunks are the largest. At the end all are small, and no slot waits long for another.
double seconds_of_chunk(double left, std::size_t slots);

/// What is known of one property on one executor. Chunks may be cut in any way and come back in any order: what is
/// gathered depends on the cases alone. The case with the last of most_offenders is the last one that counts.
class Coverage {
 public:
  Coverage(std::uint64_t cases, Tally empty);

  /// The first cases that nobody has, at most so many; none where all are known or asked.
  Chunk cut(std::uint64_t most);
  std::uint64_t open() const { return open_cases_; }
  /// How many offenders end this chunk.
  std::size_t offenders_of(const Chunk& chunk) const;

  /// What the first `done` cases of the chunk showed. The others are open again, but after too many offenders.
  void take(const Chunk& chunk, std::uint64_t done, AskedCases&& shown);
  /// The same, of a chunk of an earlier run that was not cut here. What is known twice counts once.
  void recall(std::uint64_t first, std::uint64_t done, AskedCases&& shown);
  /// Everything recalled is there.
  void recalled();

  bool complete() const { return merged_ == cases_; }
  /// Time is up: what is known counts, wherever it lies.
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
  std::uint64_t merged_ = 0;                     ///< the cases before this one are in `gathered`
  std::map<std::uint64_t, std::uint64_t> open_;  ///< ranges that nobody has: the end by the first place
  std::uint64_t open_cases_ = 0;
  std::map<std::uint64_t, Known> known_;  ///< by the first place: waits for what lies before it
};

}  // namespace assay::campaign
