#pragma once
// All entries of a formula that depend on one number of each array in a device's memory, enclosed there by arithmetic
// in binary64.

#include <string>
#include <vector>

#include "enclosures/attention.hpp"
#include "enclosures/elementwise_entries.cuh"

namespace assay::enclosures {

/// A formula as the kernels read it: the graph of its definitions, then those of its ways.
struct ElementwiseFormula {
  std::vector<ElementwiseNode> nodes;
  std::vector<ElementwiseNumber> constants;
  std::vector<ElementwiseGraph> graphs;
  ElementwiseCosts costs{};

  /// The same with these addresses in place of the vectors'.
  [[nodiscard]] ElementwiseProgram program(const ElementwiseNode* of_nodes, const ElementwiseNumber* of_constants,
                                           const ElementwiseGraph* of_graphs) const {
    return {of_nodes, of_constants, of_graphs, static_cast<int>(graphs.size()), costs};
  }
};
using ElementwiseRule = FloorRule<ElementwiseFormula>;

/// The entries of a formula on their device, for one question.
class ElementwiseScreen {
 public:
  /// `arrays`: addresses of the device. Errors: those of Device and Kernels, DeviceMemoryFull.
  ElementwiseScreen(const ElementwiseArrays& arrays, const ElementwiseRule& rule);

  /// What stretches of entries come to, by the theorems of docs/bounds/elementwise.md. Memory on the device: 32 bytes
  /// for each stretch. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<StretchCount> counts() const;
  /// The shares of the entries of a stretch: negative where an entry is not shown to be kept.
  [[nodiscard]] std::vector<double> shares(Integer stretch) const;

 private:
  [[nodiscard]] ElementwiseProgram program() const;
  [[nodiscard]] Numbers numbers() const;

  ElementwiseArrays arrays_;
  ElementwiseRule rule_;
  Device device_;
  Kernels kernels_;
  DeviceMemory nodes_, constants_, graphs_;
};

/// The source of the kernels, for tests.
const char* elementwise_source();
std::vector<Kernels::Header> elementwise_headers();

}  // namespace assay::enclosures
