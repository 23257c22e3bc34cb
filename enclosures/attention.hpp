#pragma once
// All numbers of softmax(scale·QKᵀ)V in a device's memory, enclosed there by arithmetic in binary64.

#include <string>
#include <vector>

#include "enclosures/attention_entries.cuh"
#include "enclosures/product.hpp"

namespace assay::enclosures {

/// What the numbers must be, with a floor of their bounds.
template <class Floor>
struct FloorRule {
  Rule kind;            ///< rule_within, rule_rounded or rule_faithful
  int precision, emin;  ///< of the results
  bool is_stored;       ///< the bound is of what is computed, which is then rounded to nearest
  Floor floor;
};
using AttentionRule = FloorRule<AttentionFloor>;

/// Attention on its device, for some questions.
class AttentionScreen {
 public:
  /// `of`: addresses of the device. Errors: those of Device and Kernels.
  AttentionScreen(const Attention& of, ElementType type);

  /// Which numbers of each row keep the rule, by the theorems attention.enclosure.1 and 2: rows of a head one after the
  /// other. Memory on the device: 16 bytes a row for each 128 columns. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<BlockCount> screen(const AttentionRule& rule) const;

 private:
  Attention of_;
  Device device_;
  Kernels kernels_;
};

/// The counts of rows, from those of each group of their columns.
std::vector<BlockCount> counts_of_rows(const DeviceMemory& groups, std::size_t rows);

/// The source of the kernels, for tests.
const char* attention_source();
std::vector<Kernels::Header> attention_headers();

}  // namespace assay::enclosures
