#pragma once
// All numbers of a gradient of attention in a device's memory, enclosed there by arithmetic in binary64.

#include <vector>

#include "enclosures/attention.hpp"
#include "enclosures/ceiling_entries.cuh"

namespace assay::enclosures {

struct GradientRule : FloorRule<GradientFloor> {
  GradientCeiling ceiling;
};

/// A gradient on its device, for some questions.
class GradientScreen {
 public:
  /// `all`: addresses of the device. Errors: those of Device and Kernels.
  GradientScreen(const GradientArrays& all, Gradient gradient, ElementType type);

  /// Which numbers of each row keep the rule, by the theorems attention.gradient.1 and 2: rows of a head one after the
  /// other. Memory on the device: 64 bytes a query, and 16 bytes a row for each 128 columns. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<BlockCount> screen(const GradientRule& rule) const;
  /// Which numbers of each row break it, by the theorems attention.gradient.1 and 3. Memory: 64 bytes a query, and 56
  /// bytes a row for each 128 columns. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<Refuted> refuted(const GradientRule& rule) const;

 private:
  /// What kernels find of heads and queries.
  struct Facts {
    explicit Facts(const GradientArrays& all);
    DeviceMemory heads, queries;
  };
  void find(const Facts& facts) const;
  /// How many rows the result has.
  [[nodiscard]] std::size_t rows() const;
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
