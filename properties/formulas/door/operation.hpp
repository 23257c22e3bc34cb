#pragma once
// Formulas as operations that kernels from outside may compute.

#include <memory>
#include <string>
#include <vector>

#include "properties/formulas/door/case.hpp"
#include "properties/framework/operation.hpp"

namespace assay::formulas {

/// The formula of a file or, of a name without folder and ending, the shipped one; of a text with several lines that
/// text. Errors: FormulaError, with the names of the shipped ones.
Formula formula_named(const std::string& path);

/// Reads formula_named() and adds its operation to the program, once. `shape`: lengths of axes, "n=64,d=32", or
/// empty. Returns the name of the operation. Errors: FormulaError.
std::string register_file(const std::string& path, const std::string& shape);

/// The lengths of the free axes, in their order. Errors: FormulaError if one is missing or is no axis.
std::vector<std::int64_t> lengths_of(const Formula& formula, const std::string& shape);
/// The shapes of a text with several shapes or ranges of lengths. Each names all free axes. Empty for a single shape,
/// which lengths_of() reads. Errors: as lengths_of(), and ShapeError.
std::vector<AskedShape> several_shapes_of(const Formula& formula, const std::string& shape);
/// The lengths of a single shape. Empty for several shapes.
std::vector<std::int64_t> single_lengths_of(const Formula& formula, const std::string& shape);

/// The operation of a formula: a contract for each machine of its ladder, from strong to weak.
Operation operation_of(const std::shared_ptr<const Formula>& formula, const std::vector<std::int64_t>& lengths);

/// The machine that a result is held to where nobody names one: the first one of the formula's own; else the weakest
/// one of the ladder that neither takes the variance in one pass alone nor adds in the narrow format of the inputs.
/// Inputs of f64 and f32: sums in any order, functions within 4 ulps, and the ways; of f16 and bf16 also matrix units
/// and definitions that are stored.
std::string usual_machine(const Formula& formula, const oracle::Format& inputs);

/// A batch whose bounds have derivations.
class Derives {
 public:
  virtual ~Derives() = default;
  /// The lines of the derivation of what a claim lets a component of the case that was referred to err by; empty if
  /// it has no number.
  virtual std::string derivation(std::size_t claim, std::size_t component) const = 0;
};

/// The judgement of one number: its error is at most `bound` where the machine computes in the format of the result;
/// else it is the rounding of such a number.
Judgement judge_machine(std::uint64_t got, const oracle::Exact& exact, const oracle::Magnitude& bound,
                        const Machine& machine, const oracle::Format& format, std::size_t i);

/// What a machine lets the entries of a result err by, the rounding to its format included.
struct Tolerance {
  std::vector<double> bounds;  ///< by entry, rounded up; NaN where nothing is said
  std::size_t silent = 0;      ///< of how many entries nothing is said
  double largest = 0;
  double median = 0;
  double relative = 0;    ///< the largest of bound/|value|, of values other than 0
  std::size_t blind = 0;  ///< at how many entries other than 0 a kernel that returns 0 is within the bound
  std::size_t at = 0;     ///< the entry with the largest bound
};
/// `place`: of the machine in the ladder of the truth.
Tolerance tolerance_of(const Truth& truth, std::size_t place, const Machine& machine, const oracle::Format& format);

/// The property of a kernel that is to compute the formula.
std::unique_ptr<PropertyModel> property_of(const std::shared_ptr<const Formula>& formula,
                                           const std::vector<std::int64_t>& lengths, const Question& question,
                                           const ForeignKernel& kernel);

}  // namespace assay::formulas
