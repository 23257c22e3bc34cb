#pragma once
// Cases of a formula: lengths of its axes and the numbers of its parameters, as bit patterns.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "oracle/exact.hpp"
#include "properties/formulas/door/aims.hpp"
#include "properties/formulas/entries.hpp"
#include "properties/formulas/errors.hpp"
#include "properties/formulas/kinds.hpp"
#include "properties/framework/axes.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/record.hpp"
#include "properties/framework/shapes.hpp"

namespace assay::formulas {

/// A class of inputs of a formula.
struct FormulaClass {
  std::string name;
  unsigned weight;
  Drawing drawing = Drawing::normal;
  bool is_large = false;                   ///< larger shapes
  std::optional<Aim> aim = {};             ///< what the numbers are changed for after drawing
  std::optional<std::size_t> own = {};     ///< the place in Formula::classes
  std::vector<std::int64_t> lengths = {};  ///< of the free axes, of a large shape for the tier nightly; empty: drawn
};
/// The longest axis that is drawn and accepted where no shape is asked for.
inline constexpr std::int64_t longest_axis = 4097;

/// The classes of a formula: of every formula, then an aim for each kind of definition that it has, then those of the
/// formula's author. Errors: FormulaError if one of the latter has the name of another class.
std::vector<FormulaClass> input_classes(const Formula& formula);
/// Large shapes, up to three.
std::vector<FormulaClass> large_classes(const Formula& formula);

/// A formula with the formats of its numbers.
struct Typed {
  std::shared_ptr<const Formula> formula;
  std::vector<oracle::Format> parameters;
  oracle::Format result;
  std::vector<FormulaClass> classes;
  std::vector<std::int64_t> lengths = {};  ///< lengths of the free axes, if a user gives them; empty: drawn
  std::vector<AskedShape> shapes = {};     ///< if a user gives several shapes or ranges: each case has one of them

  std::vector<std::size_t> free_axes() const;
};
/// `formats`: "f32", or "bf16:f32" for another format of the result. Errors: FormulaError.
Typed typed(std::shared_ptr<const Formula> formula, const std::string& formats);

struct Case {
  std::vector<std::int64_t> lengths;              ///< of the free axes
  std::vector<std::vector<std::uint64_t>> words;  ///< by parameter: patterns, or integers
  bool operator==(const Case&) const = default;
};

Record record_of(const Typed& typed, const Case& c);
/// Empty if names, formats or shapes do not fit.
std::optional<Case> case_of(const Typed& typed, const Record& record);
/// Whether the shapes agree, the work is not too much (no limit for a user's shapes and AnySize) or no length is above
/// that of a large shape, and integers are places of their axes.
bool contains(const Typed& typed, const Case& c);
/// The values of the parameters; 0 for infinities and NaN.
Inputs inputs_of(const Typed& typed, const Case& c);
/// The bits of the midpoints of values: twice the precision of the widest format, and room for cancellation.
long first_bits(const Typed& typed);
/// Multiplications and additions of one evaluation.
std::uint64_t work(const Shaped& shaped);
/// How many numbers all nodes have.
std::uint64_t numbers(const Shaped& shaped);
/// The same for lengths of all axes, before tables of that size are made.
double work(const Formula& formula, const std::vector<std::int64_t>& lengths);
double numbers(const Formula& formula, const std::vector<std::int64_t>& lengths);

/// `in_class`: the place in the classes of the formula. `among`: the place of the case among those of its class. The
/// first cases of the class of any numbers have all numbers of the format, if the formula is a function of one number
/// of 16 bits.
Case draw_case(const Typed& typed, std::size_t in_class, Draw& draw, std::optional<std::uint64_t> among = {});
/// A case of nearly standard normal numbers, or of those of a range, with the lengths that a user gives: the default
/// case for tolerances.
Case typical_case(const Typed& typed, std::uint64_t seed);

/// The exact values of a case, and the bounds of the machines for it, computed on demand.
class Truth {
 public:
  Truth(const Typed& typed, const Case& c, const std::vector<Machine>& machines);
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;

  /// For each entry of the result; 0 if it is not defined.
  const std::vector<oracle::Exact>& exact() const { return exact_; }
  /// Whether the error of an entry has a bound: the entry is defined and depends on no special input.
  bool is_number(std::size_t entry) const { return is_number_[entry]; }
  /// The kinds of non-numbers that an entry of the result may be; every kind if the entry has no other rule.
  Kinds kinds(std::size_t entry) const { return kinds_[entry]; }
  /// E of each entry of the result, by FORWARD.
  const Column<oracle::Magnitude>& bounds(std::size_t machine) const;
  /// The smaller bound of FORWARD and MEAN. `steps`: grows by how many numbers were visited for it.
  oracle::Magnitude bound(std::size_t machine, std::size_t entry, std::size_t* steps = nullptr) const;
  /// formula.overflow.1: what an entry of the result may be in some graph that the machine admits.
  struct Outcome {
    bool is_number = false;   ///< a number within the bound, if that is finite, else any number
    oracle::Magnitude bound;  ///< the largest E
    Kinds beyond = 0;         ///< or one of these infinities and NaN
  };
  /// For each entry of the result.
  const std::vector<Outcome>& outcomes(std::size_t machine) const;
  /// Whether the machine says something of an entry, which is a number: it has a bound, or is judged by outcomes().
  bool is_said(std::size_t machine, std::size_t entry) const {
    return bounds(machine)[entry].is_finite() || outcomes(machine)[entry].bound.is_finite();
  }
  /// Why the machine says nothing of an entry.
  std::string why_unsaid(std::size_t machine, std::size_t entry) const;
  /// How the bound of an entry follows, by graph: first the graph of the formula, then the graphs of the ways that the
  /// machine admits.
  struct Derivation {
    const Formula* formula;
    const Balls* values;
    const Errors* errors;
    oracle::Magnitude by_mean;
    oracle::Magnitude by_forward;
    std::vector<Share> shares;  ///< in by_mean
  };
  std::vector<Derivation> derive(std::size_t machine, std::size_t entry) const;
  /// The lines of the derivation of an entry, in the graph with the largest bound.
  std::string derivation(std::size_t machine, std::size_t entry) const;

 private:
  struct Graph {
    const Formula* formula;
    std::unique_ptr<Shaped> shaped;
    Balls values;
    std::vector<std::optional<Errors>> errors;  ///< by machine
    std::unique_ptr<Mean> mean = nullptr;       ///< of one machine
    std::size_t mean_of = 0;
  };
  const Errors& errors(Graph& graph, std::size_t machine) const;
  /// Of the formula and its ways.
  void compute_errors(std::size_t machine) const;
  std::string derivation_of_overflow(std::size_t machine, std::size_t entry) const;
  Errors followed(const Graph& graph, std::size_t machine) const;
  /// f(g) for the first n graphs, at the same time where there is enough work and a given result is judged alone.
  template <class F>
  void for_each_graph(std::size_t n, const F& f) const {
    for_each_apart(n, work(*graphs_.front().shaped), f);
  }
  std::size_t graphs_of(std::size_t machine) const { return machines_[machine].has_ways ? graphs_.size() : 1; }
  Mean& mean_of(Graph& graph, std::size_t machine) const;

  const Typed typed_;
  const std::vector<Machine> machines_;
  std::shared_ptr<const Inputs> shared_inputs_;
  const Inputs& inputs_;
  mutable std::vector<Graph> graphs_;  ///< the formula itself, then its ways
  std::vector<oracle::Exact> exact_;
  std::vector<bool> is_number_;
  std::vector<Kinds> kinds_;
  mutable std::vector<std::optional<Column<oracle::Magnitude>>> bounds_;
  mutable std::vector<std::optional<std::vector<Outcome>>> outcomes_;
};

}  // namespace assay::formulas
