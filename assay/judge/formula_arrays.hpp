#pragma once
// The arrays of a formula in the memory of a device, for its judge there.

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "properties/formulas/door/elementwise.hpp"

namespace assay::judge {

class FormulaOnDevice {
 public:
  /// Errors: NoDevice for what the host alone judges, or refuses.
  FormulaOnDevice(const assay_judge& judge, std::span<const assay_tensor> arguments, const assay_tensor& result);

  [[nodiscard]] const enclosures::FormulaArrays& device() const { return device_; }
  [[nodiscard]] const std::vector<double>& scalars() const { return scalars_; }
  [[nodiscard]] const std::vector<std::int64_t>& lengths() const { return lengths_; }  ///< of all axes
  /// Whether entries depend on one number of each array alone.
  [[nodiscard]] bool is_flat() const { return axes_.is_flat; }

  /// Arguments and results of a smaller case in the memory of the host.
  struct Copies {
    struct Array {
      std::vector<std::byte> memory;
      std::vector<std::int64_t> shape, strides;
    };
    std::list<Array> arrays;
    std::vector<assay_tensor> arguments;
    assay_tensor result;
  };
  /// Of some entries, along the first axis. Requires: is_flat() (not checked).
  [[nodiscard]] Copies entries(const std::vector<enclosures::Integer>& places) const;
  /// Of one row. Requires: not is_flat() (not checked).
  [[nodiscard]] Copies row(enclosures::Integer row) const;

  /// The number of the result.
  [[nodiscard]] double got(enclosures::Integer entry) const;
  /// The place of an entry in the result, the last index first.
  [[nodiscard]] std::size_t component_of(enclosures::Integer entry) const;

 private:
  [[nodiscard]] const formulas::Formula& formula() const { return *typed_.formula; }
  void find_lengths();
  [[nodiscard]] enclosures::ArraySteps steps_of(const assay_tensor& tensor, const std::vector<std::size_t>& axes) const;
  [[nodiscard]] std::vector<std::int64_t> index_of(enclosures::Integer row, enclosures::Integer column) const;
  [[nodiscard]] assay_tensor copied_row(const assay_tensor& tensor, const std::vector<std::size_t>& axes,
                                        enclosures::Integer row, Copies& to) const;

  formulas::Typed typed_;
  formulas::RowAxes axes_{};
  std::vector<assay_tensor> arguments_;
  assay_tensor result_;
  std::vector<double> scalars_{};
  std::vector<std::int64_t> lengths_{};
  enclosures::FormulaArrays device_{};
};

}  // namespace assay::judge
