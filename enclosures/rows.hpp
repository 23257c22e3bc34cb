#pragma once
// All numbers of softmax, log_softmax, layer_norm and rms_norm of rows in a device's memory, enclosed there by
// arithmetic in binary64.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "enclosures/product.hpp"
#include "enclosures/row_rule.hpp"

namespace assay::enclosures {

/// Number i of an array of the host.
double number_at(ElementType type, const void* data, std::int64_t i);

/// Rows of numbers, one after the other, and what a kernel gave for them.
struct DeviceRows {
  RowOperation operation;
  ElementType type;
  std::int64_t rows;
  Rows arrays;  ///< addresses of the device
};

/// Rows on their device, for some questions.
class RowScreen {
 public:
  /// Errors: those of Device and Kernels.
  explicit RowScreen(const DeviceRows& rows);

  /// Which numbers of each row keep the rule, by the theorems softmax.enclosure.1 to 3 and normalization.enclosure.1.
  /// Memory on the device: 200 bytes a row. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<BlockCount> screen(const RowRule& rule) const;

 private:
  DeviceRows rows_;
  Device device_;
  Kernels kernels_;
};

/// The definitions with which the kernels of such rows are compiled, and their source; for tests.
std::vector<std::string> definitions_of(RowOperation operation, ElementType type);
const char* rows_source();
std::vector<Kernels::Header> rows_headers();

}  // namespace assay::enclosures
