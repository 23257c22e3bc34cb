#pragma once
// All prefix sums of a vector in a device's memory, enclosed there by arithmetic in binary64.

#include <cstdint>
#include <string>
#include <vector>

#include "enclosures/prefix_rule.hpp"
#include "enclosures/product.hpp"

namespace assay::enclosures {

/// A vector of n numbers on its device and what a kernel gave for its prefix sums, one after the other.
class PrefixScreen {
 public:
  /// Errors: those of Device and Kernels.
  PrefixScreen(ElementType type, std::uint64_t x, std::uint64_t got, std::int64_t n);

  /// Of each stretch of prefix_length numbers. `least_normal`: the smallest normal number of their format.
  [[nodiscard]] std::vector<PrefixTotals> totals(double least_normal) const;
  /// Which sums of each stretch keep the rule, by theorem scan.enclosure.1. Errors: DeviceMemoryFull.
  [[nodiscard]] std::vector<BlockCount> screen(const PrefixRule& rule) const;

 private:
  std::uint64_t x_, got_;
  std::int64_t n_;
  Device device_;
  Kernels kernels_;
};

/// The kernels' source and headers; for tests.
const char* prefixes_source();
std::vector<Kernels::Header> prefixes_headers();

}  // namespace assay::enclosures
