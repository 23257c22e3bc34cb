#pragma once
// The arrays of a formula of attention or of its gradients, in the memory of a device.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "enclosures/gradient_entries.cuh"

namespace assay::judge {

/// The arguments of a formula, the last of which is the scale, and the result. Its axes are n of the queries, m of the
/// keys, d and e of their numbers; all others tell heads apart, as do the axes that all arrays have before those of the
/// formula.
class AttentionArrays {
 public:
  /// Requires: an argument for each parameter (not checked). Errors: NoDevice for what the host alone judges, or
  /// refuses.
  AttentionArrays(const formulas::Formula& formula, std::span<const assay_tensor> arguments,
                  const assay_tensor& result);

  [[nodiscard]] enclosures::ElementType type() const { return element_of(arrays_.back().tensor, "got"); }
  [[nodiscard]] enclosures::GradientArrays on_device(bool is_causal) const;

  /// Some rows of an array of one head in the memory of the host, in the shape of the formula.
  struct Copy {
    std::vector<std::byte> memory;
    std::vector<std::int64_t> shape, strides;
    assay_tensor tensor;
  };
  /// Of each argument but the scale, then of the result: the row of a query, or all keys.
  [[nodiscard]] std::vector<std::unique_ptr<Copy>> row(std::int64_t head, std::int64_t query) const;
  [[nodiscard]] const assay_tensor& scale() const { return scale_; }
  /// The length of an axis; 1 where there is none.
  [[nodiscard]] std::int64_t length(const std::string& axis) const;

 private:
  struct Array {
    std::string parameter;
    assay_tensor tensor;
    Layout layout;
    std::vector<std::string> names;  ///< of the formula's axes

    [[nodiscard]] std::size_t leading() const;
    [[nodiscard]] std::string name(std::size_t axis) const;
    [[nodiscard]] std::int64_t step(const std::string& axis) const;
  };
  [[nodiscard]] enclosures::Heads rows_of(const Array& array) const;
  [[nodiscard]] enclosures::Heads rows_of(const std::string& parameter) const;

  assay_tensor scale_;
  std::vector<Array> arrays_{};
  std::map<std::string, std::int64_t> lengths_{};
  std::vector<std::string> heads_{};  ///< the axes of heads in the order of the result's
};

}  // namespace assay::judge
