#pragma once
// All numbers of a sparse matrix times a vector in a device's memory, enclosed there by arithmetic in binary64.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "enclosures/product.hpp"
#include "enclosures/sparse_entries.cuh"

namespace assay::enclosures {

/// A product and what a kernel gave for it.
struct DeviceSparse {
  ElementType type;     ///< binary64 or binary32
  SparseArrays arrays;  ///< addresses of the device
};

struct ScreenedRows {
  std::int64_t kept = 0;                ///< so many rows are shown to keep the rule
  std::vector<std::int64_t> open;       ///< the first of the others, ascending
  std::optional<std::int64_t> nearest;  ///< the row with about the largest share of its bound, of those that are kept
  double share = 0;                     ///< that share
  std::optional<Enclosure> of_nearest;  ///< of its number, if several parts have it
};

/// The factors of some rows, one row after the other, and what the kernel gave for them.
struct GatheredRows {
  std::vector<std::byte> values, x, got;
};

/// A product on its device, for some questions.
class SparseScreen {
 public:
  /// Requires: rows + entries < 2⁴³ (not checked). Errors: those of Device and Kernels; std::invalid_argument with the
  /// first index that is wrong.
  explicit SparseScreen(const DeviceSparse& product);

  /// Which rows keep the rule, by the theorems sparse.enclosure.1 and 2. At most `most` open rows are listed. Memory on
  /// the device: 4 bytes a row, and a fortieth of a byte for each row and each entry. Errors: DeviceMemoryFull.
  [[nodiscard]] ScreenedRows screen(const SparseRule& rule, std::size_t most) const;
  /// How many entries each of these rows has.
  [[nodiscard]] std::vector<std::int64_t> lengths(const std::vector<std::int64_t>& rows) const;
  /// `of_rows`: their lengths.
  [[nodiscard]] GatheredRows gather(const std::vector<std::int64_t>& rows,
                                    const std::vector<std::int64_t>& of_rows) const;

 private:
  void check(bool are_columns) const;
  [[nodiscard]] std::vector<Integer> read_indices(bool are_columns, std::int64_t first, std::int64_t count) const;
  /// The first entry of a row, and the one after its last.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range_of(std::int64_t row) const;
  /// Names the first index of the stretch that is wrong.
  [[noreturn]] void refuse(bool are_columns, std::int64_t first, std::int64_t length) const;

  DeviceSparse product_;
  Device device_;
  Kernels kernels_;
};

/// The kernels' source and headers; for tests.
const char* sparse_source();
std::vector<Kernels::Header> sparse_headers();

}  // namespace assay::enclosures
