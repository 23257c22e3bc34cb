#pragma once
// Runs of a probe, and the oracle after it.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "properties/framework/model.hpp"
#include "properties/framework/probed.hpp"

namespace assay {

/// A case of a probe, or none.
struct ProbeCase {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t input_class = none;
  std::uint64_t number = none;

  bool is_there() const { return input_class != none; }
  auto operator<=>(const ProbeCase&) const = default;
};

/// What cells of a probe gathered. Merging is associative and commutative. `judged` counts the cases that the probe
/// proved, the four below it those that the oracle judged: the two are never added up.
struct ProbeTally {
  std::uint64_t judged = 0;
  std::uint64_t oracle_judged = 0;  ///< of each cell its worst case, one more as a sample, and all that are not proved
  std::uint64_t violated = 0;
  std::uint64_t undecided = 0;
  std::uint64_t disagreeing = 0;  ///< the probe's bound of the error lies below the oracle's error, or far above it
  double largest = -1;            ///< error/bound as the oracle has it
  ProbeCase worst{};
  ProbeCase first_violated{};
  ProbeCase first_disagreeing{};

  void merge(const ProbeTally& other);
  bool operator==(const ProbeTally&) const = default;
};

/// Judges cells first … first + count − 1 of a class. `before_batch` is told before each cell's worst cases go to the
/// subject. Requires: the property has a probe, and the claims that it names. Errors: what the subject throws;
/// ExecutorError.
ProbeTally run_probe(const PropertyModel& property, const Executor& on, std::uint64_t seed, std::size_t input_class,
                     std::uint64_t first, std::size_t count, const PropertyModel::BatchObserver& before_batch);

}  // namespace assay
