#pragma once
// Cases that are drawn, run and judged by rounded operations with rigorous bounds, on the host or on a device, far more
// of them than an oracle can judge (docs/decisions/device_judge.md). This is all that the framework knows of such a
// probe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "properties/framework/record.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay {

/// The results of the cases of one cell. The number of cases in a cell; they have consecutive numbers and belong to one
/// class.
struct CellFinding {
  double largest = -1;         ///< an upper bound of error/bound, rounded to nearest
  std::uint64_t number = 0;    ///< the first case with that ratio
  std::uint64_t unproved = 0;  ///< cases for which the claim is not proved
};

/// The cases that a climb of a probe found.
struct Climbed {
  std::vector<Record> highest{};
  std::uint64_t evaluations = 0;  ///< at most this many cases were run and judged
};
/// The indices of the largest ratios, at most `most` of them, the largest first. Equal ratios keep their order.
std::vector<std::size_t> highest_of(std::span<const double> ratios, std::size_t most);

/// A probe for a claim of a property.
struct Probed {
  std::string claim;  ///< its id
  /// Further claims that hold for each case for which the probe proves the first claim. The oracle judges them when it
  /// judges the first claim.
  std::vector<std::string> implied{};
  struct InputClass {
    std::string name;
    unsigned weight = 1;
    std::uint64_t size = 0;  ///< for a class that is a list: the number of its cases; the last cell has the rest
  };
  std::vector<InputClass> classes;
  std::uint64_t cell = 1;  ///< cases of a full cell

  /// Cells first … first + count − 1 of a class. Errors: ExecutorError.
  SharedFunction<std::vector<CellFinding>(const Executor& on, std::uint64_t seed, std::size_t input_class,
                                          std::uint64_t first, std::size_t count)>
      judge;
  /// A case of the property, and the probe's result for it: an upper bound of error/bound.
  SharedFunction<Record(std::uint64_t seed, std::size_t input_class, std::uint64_t number)> make;
  SharedFunction<double(std::uint64_t seed, std::size_t input_class, std::uint64_t number)> ratio;
  /// The numbers of the cases of some cells for which the claim is not proved. `cells`: the results of judge() for
  /// these cells. Errors: ExecutorError.
  SharedFunction<std::vector<std::uint64_t>(const Executor& on, std::uint64_t seed, std::size_t input_class,
                                            std::span<const CellFinding> cells)>
      unproved;
  /// A climb from drawn cases and from cases next to the starts: the cases with the largest ratios by the probe's
  /// rounded bounds, the largest first. Null for a probe that cannot climb. Errors: ExecutorError.
  SharedFunction<Climbed(const Executor& on, std::uint64_t seed, std::span<const Record> starts)> climb{};
};

}  // namespace assay
