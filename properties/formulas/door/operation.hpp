#pragma once
// Formulas as operations that kernels from outside may compute.

#include <memory>
#include <string>
#include <vector>

#include "properties/formulas/door/case.hpp"
#include "properties/framework/operation.hpp"

namespace assay::formulas {

/// The formula of a file; for a name without folder and ending, the shipped formula; for a text with several lines, the
/// formula of that text. Errors: FormulaError, with the nearest names of shipped formulas.
Formula formula_named(const std::string& path);
/// A line for each shipped formula: its name and what it computes.
std::vector<std::string> lines_of_shipped();

/// Reads formula_named() and adds its operation to the program, once. `shape`: lengths of axes, "n=64,d=32", or
/// empty. Returns the name of the operation. Errors: FormulaError.
std::string register_file(const std::string& path, const std::string& shape);

/// The lengths of the free axes, in their order. Errors: FormulaError if one is missing or is not an axis.
std::vector<std::int64_t> lengths_of(const Formula& formula, const std::string& shape);
/// The shapes of a text with several shapes or ranges of lengths. Each names all free axes. Empty for a single shape,
/// which lengths_of() reads. Errors: those of lengths_of(), and ShapeError.
std::vector<AskedShape> several_shapes_of(const Formula& formula, const std::string& shape);
/// The lengths of a single shape. Empty for several shapes.
std::vector<std::int64_t> single_lengths_of(const Formula& formula, const std::string& shape);

/// The operation of a formula: a contract for each machine of its ladder, from strong to weak.
Operation operation_of(const std::shared_ptr<const Formula>& formula, const std::vector<std::int64_t>& lengths);

/// A batch whose bounds have derivations.
class Derives {
 public:
  virtual ~Derives() = default;
  /// The lines of the derivation of a claim's bound for a component of the current case; empty if it has no number.
  virtual std::string derivation(std::size_t claim, std::size_t component) const = 0;
};

/// The judgment of one number: its error is at most `bound` if the machine computes in the format of the result; else
/// it is the rounding of such a number.
Judgement judge_machine(std::uint64_t got, const oracle::Exact& exact, const oracle::Magnitude& bound,
                        const Machine& machine, const oracle::Format& format, std::size_t i);

/// The same where a number may overflow: formula.overflow.1.
Judgement judge_outcome(std::uint64_t got, const oracle::Exact& exact, const Truth::Outcome& outcome,
                        const Machine& machine, const oracle::Format& format, std::size_t i);
/// The kinds of which a result is one. A zero is of all finite ones.
Kinds kinds_of_result(const oracle::Format& format, std::uint64_t got);

/// A machine's error bounds for the entries of a result, including the rounding to its format.
struct Tolerance {
  std::vector<double> bounds;  ///< by entry, rounded up; NaN if there is no bound
  std::size_t silent = 0;      ///< number of entries without a bound
  std::string why{};           ///< why the first number of them has none; empty if none of them is a number
  double largest = 0;
  double median = 0;
  double relative = 0;    ///< the largest bound/|value|, over values other than 0
  double mixed = 0;       ///< the largest bound/(1 + |value|): both tolerances of a test by atol + rtol|value|
  std::size_t blind = 0;  ///< number of entries other than 0 for which a kernel that returns 0 is within the bound
  std::size_t at = 0;     ///< the entry with the largest bound
  /// The number of entries whose bound is that of formula.forward.1 alone. Of all others it is the smaller one of
  /// formula.forward.1 and formula.mean.1.
  std::size_t by_forward = 0;
};
/// `place`: the machine's place in the ladder of the truth. formula.mean.1 takes a pass through the formula for each
/// entry. From the largest bound of formula.forward.1 downward, passes are made until they have visited two million
/// numbers.
Tolerance tolerance_of(const Truth& truth, std::size_t place, const Machine& machine, const oracle::Format& format);

/// The property of a kernel that is to compute the formula.
std::unique_ptr<PropertyModel> property_of(const std::shared_ptr<const Formula>& formula,
                                           const std::vector<std::int64_t>& lengths, const Question& question,
                                           const ForeignKernel& kernel);

}  // namespace assay::formulas
