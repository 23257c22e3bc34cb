#pragma once
// All entries of a formula whose operations are elementwise, or reductions of rows, in a device's memory, enclosed
// there by arithmetic in binary64.

#include <string>
#include <vector>

#include "enclosures/attention.hpp"
#include "enclosures/formula_entries.cuh"

namespace assay::enclosures {

/// A formula as the kernels read it: the graph of its definitions, then those of its ways.
struct ElementwiseFormula {
  std::vector<ElementwiseNode> nodes;
  std::vector<ElementwiseNumber> constants;
  std::vector<FormulaPass> passes;
  std::vector<Reduction> reductions;
  std::vector<ElementwiseGraph> graphs;
  int row_numbers = 0;
  bool may_refute = true;  ///< what no graph admits breaks the contract: all ways have one, and no neighbor is admitted
  ElementwiseCosts costs{};

  /// The same with these addresses in place of the vectors'.
  [[nodiscard]] FormulaProgram program(const ElementwiseNode* of_nodes, const ElementwiseNumber* of_constants,
                                       const FormulaPass* of_passes, const Reduction* of_reductions,
                                       const ElementwiseGraph* of_graphs) const {
    return {of_nodes,    of_constants, of_passes, of_reductions, of_graphs, static_cast<int>(graphs.size()),
            row_numbers, costs};
  }
  [[nodiscard]] FormulaProgram program() const {
    return program(nodes.data(), constants.data(), passes.data(), reductions.data(), graphs.data());
  }
  /// The largest number of reductions of a pass.
  [[nodiscard]] int most_at_a_time() const;
};
using ElementwiseRule = FloorRule<ElementwiseFormula>;

/// The entries of a formula on their device, for one question.
class ElementwiseScreen {
 public:
  /// `arrays`: addresses of the device. Makes the passes through the rows. Errors: those of Device and Kernels,
  /// DeviceMemoryFull.
  ElementwiseScreen(const FormulaArrays& arrays, const ElementwiseRule& rule);

  /// What stretches of entries come to, by the theorems of docs/bounds/elementwise.md. Memory on the device: 32 bytes
  /// for each stretch. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<StretchCount> counts() const;
  /// The shares of the entries of a stretch: negative where an entry is not shown to be kept.
  [[nodiscard]] std::vector<double> shares(Integer stretch) const;
  /// What each graph knows of an entry.
  [[nodiscard]] std::vector<KnownEntry> known(Integer entry) const;

 private:
  [[nodiscard]] FormulaProgram program() const;
  [[nodiscard]] Numbers numbers() const;
  void pass_through_rows();

  Device device_;
  FormulaArrays arrays_;
  ElementwiseRule rule_;
  Kernels kernels_;
  DeviceMemory nodes_, constants_, passes_, reductions_, graphs_, numbers_, totals_;
};

/// The source of the kernels, for tests.
const char* elementwise_source();
std::vector<Kernels::Header> elementwise_headers();

}  // namespace assay::enclosures
