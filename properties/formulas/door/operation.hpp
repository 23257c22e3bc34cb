#pragma once
// Formulas as operations that kernels from outside may compute.

#include <memory>
#include <string>
#include <vector>

#include "properties/formulas/door/case.hpp"
#include "properties/framework/operation.hpp"

namespace assay::formulas {

/// The formula of a file or, of a name without folder and ending, the shipped one. Errors: FormulaError, with the names
/// of the shipped ones.
Formula formula_named(const std::string& path);

/// Reads formula_named() and adds its operation to the program, once. `shape`: lengths of axes, "n=64,d=32", or
/// empty. Returns the name of the operation. Errors: FormulaError.
std::string register_file(const std::string& path, const std::string& shape);

/// The lengths of the free axes, in their order. Errors: FormulaError where one is missing or is no axis.
std::vector<std::int64_t> lengths_of(const Formula& formula, const std::string& shape);

/// The operation of a formula: a contract for each machine of its ladder, from strong to weak.
Operation operation_of(const std::shared_ptr<const Formula>& formula, const std::vector<std::int64_t>& lengths);

/// The property of a kernel that is to compute the formula.
std::unique_ptr<PropertyModel> property_of(const std::shared_ptr<const Formula>& formula,
                                           const std::vector<std::int64_t>& lengths, const Question& question,
                                           const ForeignKernel& kernel);

}  // namespace assay::formulas
