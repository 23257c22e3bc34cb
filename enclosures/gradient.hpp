#pragma once
// All numbers of a gradient of attention in a device's memory, enclosed there by arithmetic in binary64.

#include <vector>

#include "enclosures/attention.hpp"
#include "enclosures/gradient_entries.cuh"

namespace assay::enclosures {

using GradientRule = FloorRule<GradientFloor>;

/// A gradient on its device, for some questions.
class GradientScreen {
 public:
  /// `all`: addresses of the device. Errors: those of Device and Kernels.
  GradientScreen(const GradientArrays& all, Gradient gradient, ElementType type);

  /// Which numbers of each row keep the rule, by the theorems attention.gradient.1 and 2: rows of a head one after the
  /// other. Memory on the device: 40 bytes a query, and 16 bytes a row for each 128 columns. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<BlockCount> screen(const GradientRule& rule) const;

 private:
  GradientArrays all_;
  Gradient gradient_;
  Device device_;
  Kernels kernels_;
};

/// The definitions with which the kernels are compiled, and their source; for tests.
std::vector<std::string> definitions_of(Gradient gradient, ElementType type);
const char* gradient_source();
std::vector<Kernels::Header> gradient_headers();

}  // namespace assay::enclosures
