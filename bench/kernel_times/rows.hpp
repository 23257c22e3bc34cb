#pragma once
// The rows of kernel_times: the time of one call of a kernel on data that lies on the executor, and the memory it
// moves.

#include <cstdint>
#include <functional>
#include <string>

#include "bench/common.hpp"
#include "exec/executor.hpp"

namespace assay::bench {

/// Measures and prints rows of one table.
class Rows {
 public:
  enum class Sizes { full, tiny };  ///< tiny: sizes for which the host executor takes milliseconds
  enum class Calls { timed, profiled };

  /// Prints the rate of a copy, and the head of the table.
  Rows(const Executor& on, Sizes sizes, Calls way);

  [[nodiscard]] const Executor& on() const { return on_; }
  [[nodiscard]] std::int64_t size(std::int64_t full, std::int64_t tiny) const {
    return sizes_ == Sizes::tiny ? tiny : full;
  }

  /// Median and least time of 21 calls, after one call that is not measured. `before` runs before each call and is not
  /// timed. `bytes`: of all operands and results, each read once and written once. When profiling: the name of the row,
  /// one call that is not profiled, and one between cudaProfilerStart() and cudaProfilerStop().
  void time(const std::string& kernel, const std::string& numbers, const std::string& shape, double bytes,
            const std::function<void()>& call, const std::function<void()>& before = {}) const;

 private:
  Executor on_;
  Sizes sizes_;
  Calls calls_;
  double copy_rate_;  ///< bytes per second, read and written
  Table table_;
};

/// "n × m"
inline std::string shape(std::int64_t rows, std::int64_t columns) {
  return std::to_string(rows) + " × " + std::to_string(columns);
}

/// The entries of a triangle.
inline double triangle(std::int64_t n) { return static_cast<double>(n) * static_cast<double>(n + 1) / 2; }

void time_vectors(const Rows& rows);
void time_matrices(const Rows& rows);
void time_triangular(const Rows& rows);
void time_systems(const Rows& rows);
void time_sparse(const Rows& rows);
void time_binned(const Rows& rows);
void time_segments(const Rows& rows);
void time_scans(const Rows& rows);
void time_residues(const Rows& rows);
void time_factorizations(const Rows& rows);

}  // namespace assay::bench
