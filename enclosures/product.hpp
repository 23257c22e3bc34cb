#pragma once
// All entries of a product whose matrices lie in a device's memory, enclosed there by arithmetic in binary64.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "enclosures/driver.hpp"
#include "enclosures/entry_rule.hpp"

namespace assay::enclosures {

/// Types of numbers in memory; a name is that of the type in enclosures/elements.cuh.
enum class ElementType { binary64, binary32, binary16, bfloat16, e4m3, e5m2 };
std::size_t bytes_of(ElementType type);
const char* name_of(ElementType type);

/// A batch of matrices in a device's memory; strides in elements. Address 0: all entries are 1.
struct DeviceMatrix {
  std::uint64_t address;
  std::int64_t batch_step, row_step, column_step;
};

/// D_p = A_p·B_p for p < batch, A_p of m × k and B_p of k × n, and what a kernel gave for it.
struct DeviceProduct {
  std::int64_t batch, m, n, k;
  ElementType factors, results;
  DeviceMatrix a, b, got;
};

/// Places are those of entries (p, i, j): (p·m + i)·n + j.
struct ScreenedProduct {
  std::size_t entries = 0;
  std::size_t special = 0;  ///< entries of which the rule does not speak
  std::size_t open = 0;     ///< entries that are not shown to keep the rule
  /// The places of the first open entry and of some more, ascending.
  std::vector<std::size_t> open_places;
  /// The places of entries that are shown to keep the rule, with about the largest shares of their bounds.
  std::vector<std::size_t> nearest_places;
  double nearest = -1;  ///< a number that the largest of these shares does not exceed; negative for none
  /// Of a product of few entries with many terms each: entry (0, 0, 0) differs from value + low by at most
  /// `radius`.
  struct First {
    double value, low, radius;
    double got;
  };
  std::optional<First> first;
};

/// The terms of some entries, and what the kernel gave for them, in the types of the product.
struct GatheredEntries {
  std::vector<std::byte> factors;  ///< for each entry k numbers of A, then k of B
  std::vector<std::byte> results;
};

/// A product on its device, for some questions.
class ProductScreen {
 public:
  /// Requires: k < 2³² (not checked). Errors: those of Device and Kernels.
  explicit ProductScreen(const DeviceProduct& product);

  /// Encloses all entries, by the theorems matmul.enclosure.1, 3 and 4, and shows which keep the rule. At most `most`
  /// open places are stored. Memory on the device: 12 bytes an entry, at most about 2 GiB. Errors: DeviceMemoryFull.
  [[nodiscard]] ScreenedProduct screen(const EntryRule& rule, std::size_t most) const;
  [[nodiscard]] GatheredEntries gather(const std::vector<std::size_t>& places) const;

 private:
  [[nodiscard]] ScreenedProduct screen_specials(std::size_t most) const;
  void find_lines(const DeviceMatrix& matrix, std::int64_t line_step, std::int64_t term_step, std::int64_t lines_of_one,
                  const DeviceMemory& out) const;
  /// Of a product of one entry: its terms, of which a contract may ask for more than of its two lines, as a row, with a
  /// column of numbers 1.
  void find_line_of_terms() const;

  DeviceProduct product_;
  Device device_;
  Kernels kernels_;
  DeviceMemory one_;             ///< the number 1
  DeviceMemory rows_, columns_;  ///< what is known of the lines of A and B
};

/// The definitions with which the kernels of such a product are compiled, and their source; for tests.
std::vector<std::string> definitions_of(ElementType factors, ElementType results);
const char* product_source();
std::vector<Kernels::Header> product_headers();

}  // namespace assay::enclosures
