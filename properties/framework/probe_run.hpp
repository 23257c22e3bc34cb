#pragma once
// Runs a probe, and then the oracle.

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

/// The results of cells of a probe. Merging is associative and commutative. `judged` counts the cases that the probe
/// proved, the next four members the cases that the oracle judged: the two are never added.
struct ProbeTally {
  std::uint64_t judged = 0;
  std::uint64_t oracle_judged = 0;  ///< of each cell: the worst case, a sample, and all unproved cases
  std::uint64_t violated = 0;
  std::uint64_t undecided = 0;
  std::uint64_t disagreeing = 0;  ///< the probe's bound of the error is below the oracle's error, or far above it
  double largest = -1;            ///< error/bound, computed by the oracle
  ProbeCase worst{};
  ProbeCase first_violated{};
  ProbeCase first_disagreeing{};

  void merge(const ProbeTally& other);
  bool operator==(const ProbeTally&) const = default;
};

/// Judges cells first … first + count − 1 of a class. `before_batch` is called before each cell's worst cases go to the
/// subject. Requires: the property has a probe, and the claims that the probe names. Errors: what the subject throws;
/// ExecutorError.
ProbeTally run_probe(const PropertyModel& property, const Executor& on, std::uint64_t seed, std::size_t input_class,
                     std::uint64_t first, std::size_t count, const PropertyModel::BatchObserver& before_batch);

}  // namespace assay
