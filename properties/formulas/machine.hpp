#pragma once
// The freedom of an implementation of a formula, as a value. One machine may admit everything that another one admits;
// the ladder of contracts follows from this order.

#include <optional>
#include <string>
#include <vector>

#include "oracle/format.hpp"
#include "properties/formulas/graph.hpp"

namespace assay::formulas {

/// The order of additions: trees of the least height, chains of 64 terms whose sums are added in a chain, or any.
enum class Order { tree, chains, any };

struct Machine {
  std::string name;
  oracle::Format wide = oracle::binary32;  ///< the format of all numbers that are not stored
  Order order = Order::any;
  unsigned long functions = 1;       ///< error of elementary functions in ulps
  unsigned long quotient = 1;        ///< roundings of a quotient; 2: by the reciprocal
  unsigned long exp_difference = 1;  ///< c_d and c_m of theorem formula.logits.1
  unsigned long exp_shift = 0;
  bool is_online = false;                ///< softmax may scale its sums again at each entry of a row
  bool has_one_pass = false;             ///< variance as the mean of squares minus the square of the mean
  bool has_unit = false;                 ///< contractions of narrow numbers by any matrix unit with 23 fraction bits
  bool has_ways = false;                 ///< the ways of the formula, too
  bool is_stochastic = false;            ///< the result may be stored as either neighbor: contract.neighbors.1
  bool flushes = false;                  ///< numbers below the normal range of `wide` may be read and written as 0
  std::vector<std::string> stored = {};  ///< definitions that are rounded to the format `store`
  bool stores_all = false;               ///< all definitions are
  std::optional<oracle::Format> store = std::nullopt;

  /// Whether a node is rounded to `store`.
  bool stores(const Node& node) const;
  /// Whether conversions to `store` may saturate where others give an infinity: to formats of at most 8 bits.
  bool may_saturate() const;
};

/// Whether every output of `strong` is an output of `weak`, decided only by their settings.
bool admits(const Machine& weak, const Machine& strong);

/// The machines for inputs of this format, from strong to weak, then the machines of the file. Errors: FormulaError for
/// an unknown setting in the file.
std::vector<Machine> ladder(const Formula& formula, const oracle::Format& inputs);

/// The machine of kernels of which nothing is known: the first one of the file; else the weakest one of the ladder that
/// neither requires the variance in one pass nor adds in the narrow format of the inputs. Inputs of f64 and f32: sums
/// in any order, functions within 4 ulps, and the ways; inputs of f16 and bf16: also matrix units and stored
/// definitions.
Machine usual_machine(const Formula& formula, const oracle::Format& inputs);

/// The contract of kernels that flush to zero. It is asked only by its name.
inline constexpr const char* flushing = "ftz";
/// The usual machine, flushing to zero.
Machine flushing_machine(const Formula& formula, const oracle::Format& inputs);
/// The machine alone for the name of `flushing`, the ladder for another one.
std::vector<Machine> machines_beside(const std::string& name, const Formula& formula, const oracle::Format& inputs);

/// The settings in words.
std::string describe(const Machine& machine);

/// "f64", "f32", "f16", "bf16". Errors: FormulaError for another name.
oracle::Format format_of_name(const std::string& name);
/// The finite numbers of a signed floating-point format of oracle::number_formats(): also "e4m3fn", "e5m2", "e2m1".
/// Errors: FormulaError for another name.
oracle::Format stored_format_of_name(const std::string& name);
std::string name_of_format(const oracle::Format& format);

}  // namespace assay::formulas
