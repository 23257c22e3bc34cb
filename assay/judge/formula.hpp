#pragma once
// Formulas in the C interface: the operation of a formula, and its cases as arrays in the shapes of its parameters.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/judge/arrays.hpp"
#include "properties/formulas/door/operation.hpp"

namespace assay::judge {

/// A formula that a judge was opened for.
class OfFormula {
 public:
  /// `formula`: a file, a text, or the name of a shipped formula. `shape`: lengths of its axes, "n=64,d=32"; empty if
  /// each case has its own lengths. `formats`: formats of its parameters; empty ones are taken from the formula.
  /// Errors:
  /// FormulaError.
  OfFormula(const std::string& formula, const std::string& shape, const std::vector<std::string>& formats);

  [[nodiscard]] const formulas::Formula& formula() const { return *formula_; }
  [[nodiscard]] const Operation& operation() const { return operation_; }
  /// The formula with the formats of its numbers, and the machines of a format. Errors: FormulaError.
  [[nodiscard]] formulas::Typed typed(const std::string& format) const;
  [[nodiscard]] std::vector<formulas::Machine> machines(const std::string& format, const std::string& contract) const;
  /// The contract for a result if the caller names none.
  [[nodiscard]] std::string usual_contract(const std::string& format) const;

  /// The case with these arguments, whose shapes give the lengths of the axes; an axis of integers that no array has is
  /// one longer than the largest of them. Errors: std::invalid_argument for a number of arguments, types or shapes that
  /// do not fit; OutsideDomain for lengths that give the formula no shape, and for an integer that is not a place of
  /// its axis.
  [[nodiscard]] Record record_of(const std::string& format, std::span<const assay_tensor> arguments) const;
  /// The parameters of a case as arrays.
  [[nodiscard]] std::vector<Array> arguments_of(const Record& record) const;
  [[nodiscard]] Layout layout_of_result(const Record& record) const;

 private:
  /// One more than the largest integer that names a place of the axis. Errors: std::invalid_argument where none does,
  /// and for an axis of the result.
  [[nodiscard]] std::int64_t length_by_places(std::size_t axis, std::span<const assay_tensor> arguments) const;
  /// Before anything is copied, refuses cases that take too long or do not fit into memory.
  void refuse_too_large(std::span<const std::int64_t> lengths) const;
  [[nodiscard]] std::vector<std::int64_t> lengths_of(const Record& record) const;
  [[nodiscard]] std::vector<std::int64_t> shape_of(std::span<const std::size_t> axes,
                                                   std::span<const std::int64_t> lengths) const;

  std::shared_ptr<const formulas::Formula> formula_;
  std::vector<std::int64_t> lengths_;
  Operation operation_;
};

/// The formula of the options; empty if they name an operation. Errors: those of the constructor.
std::shared_ptr<const OfFormula> formula_of(const assay_judge_options& given);

}  // namespace assay::judge
