#pragma once
// Cases that are drawn, run and judged by rounded operations with rigorous bounds, on the host or on a device, far more
// of them than an oracle can judge (docs/decisions/device_judge.md). The framework knows such a probe by this alone.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "properties/framework/record.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay {

/// What the cases of one cell showed. A cell has so many cases with consecutive numbers in one class.
struct CellFinding {
  double largest = -1;         ///< an upper bound of error/bound, rounded to nearest
  std::uint64_t number = 0;    ///< the first case that has it
  std::uint64_t unproved = 0;  ///< cases for which the claim is not proved
};

/// What a climb of a probe met.
struct Climbed {
  std::vector<Record> highest{};
  std::uint64_t evaluations = 0;  ///< at most so many cases were run and judged
};
/// The indices of the highest ratios, at most `most` of them, from the highest on. Equal ones come in their order.
std::vector<std::size_t> highest_of(std::span<const double> ratios, std::size_t most);

/// A probe of a claim of a property.
struct Probed {
  std::string claim;  ///< its id
  /// Further claims that hold for each case for which the probe proves that one. The oracle judges them where it judges
  /// that one.
  std::vector<std::string> implied{};
  struct InputClass {
    std::string name;
    unsigned weight = 1;
    std::uint64_t size = 0;  ///< of a class that is a list: how many cases there are, of which a last cell has the rest
  };
  std::vector<InputClass> classes;
  std::uint64_t cell = 1;  ///< cases of a cell

  /// Cells first … first + count − 1 of a class. Errors: ExecutorError.
  SharedFunction<std::vector<CellFinding>(const Executor& on, std::uint64_t seed, std::size_t input_class,
                                          std::uint64_t first, std::size_t count)>
      judge;
  /// A case of the property, and what the probe says of it: an upper bound of error/bound.
  SharedFunction<Record(std::uint64_t seed, std::size_t input_class, std::uint64_t number)> make;
  SharedFunction<double(std::uint64_t seed, std::size_t input_class, std::uint64_t number)> ratio;
  /// The numbers of the cases of some cells for which the claim is not proved. `cells`: what judge() gave for them.
  /// Errors: ExecutorError.
  SharedFunction<std::vector<std::uint64_t>(const Executor& on, std::uint64_t seed, std::size_t input_class,
                                            std::span<const CellFinding> cells)>
      unproved;
  /// A climb from drawn cases and from beside the starts: the highest cases that it met, as the probe's rounded bounds
  /// have it, the highest first. Null for a probe that cannot climb. Errors: ExecutorError.
  SharedFunction<Climbed(const Executor& on, std::uint64_t seed, std::span<const Record> starts)> climb{};
};

}  // namespace assay
