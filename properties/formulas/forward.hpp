#pragma once
// Theorem formula.forward.1: E of every entry of every node, from the local rules of docs/bounds/formula.md.
// forward.cpp has the entries and sums, forward_products.cpp the products of many factors, forward_rows.cpp the
// functions of rows, forward_grids.cpp the exact data, forward_flush.cpp the flush to zero, forward_sides.cpp the
// numbers that err less to one side, forward_overflow.cpp what follows an overflow.

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "properties/formulas/errors.hpp"

namespace assay::formulas {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Magnitude;

inline constexpr long whole_grid = 100000;  ///< for a tensor of zeros: a multiple of every power of two

/// The error of rounding to a format. `flushed_below`: 2 to it is the number below which a flush to zero may come.
struct Costs {
  explicit Costs(const oracle::Format& format, std::optional<int> flushed_below)
      : u(Magnitude::power_of_two(-format.precision)),
        half_eta(Magnitude::power_of_two(format.emin - format.precision)),
        eta(Magnitude::power_of_two(format.emin - format.precision + 1)),
        limit(Dyadic::scaled(1, format.emax + 1) -
              Dyadic::scaled(format.specials == oracle::Specials::finite_nan ? 3 : 1,
                             format.emax - std::min(format.precision, 28))),
        flushed(flushed_below ? Magnitude::power_of_two(*flushed_below) : Magnitude()),
        least(std::max(format.emin - format.precision + 1, flushed_below.value_or(format.emin - format.precision))),
        precision(format.precision) {}

  /// At least (1 + u)ⁿ − 1.
  Magnitude grown(unsigned long n) const { return expm1(u * Magnitude(n)); }

  Magnitude u;
  Magnitude half_eta;  ///< half the smallest subnormal number
  Magnitude eta;
  Magnitude limit;    ///< results below it do not overflow
  Magnitude flushed;  ///< ν of formula.flush.1: what a flush to zero may lose
  long least;         ///< the exponent of the smallest number that is kept
  int precision;
};

/// The height of a sum of n terms in that order: the largest number of additions that a term goes through.
unsigned long height(Order order, unsigned long n);

class Forward {
 public:
  Forward(const Shaped& shaped, const Balls& values, const Machine& machine,
          const std::vector<oracle::Format>& parameters, long bits, Overflow overflow)
      : shaped_(shaped),
        nodes_(shaped.formula().nodes),
        values_(values),
        machine_(machine),
        parameters_(parameters),
        bits_(bits),
        flushed_below_(machine.flushes ? std::optional(machine.wide.emin) : std::nullopt),
        wide_(machine.wide, flushed_below_),
        stored_(machine.store.value_or(machine.wide), flushed_below_),
        grids_(nodes_.size()),
        base_(nodes_.size()),
        peak_(nodes_.size()),
        counted_(nodes_.size()),
        of_numerators_(nodes_.size()),
        large_(nodes_.size()),
        is_clean_(nodes_.size()),
        is_nonnegative_(nodes_.size()) {
    errors_.total.resize(nodes_.size());
    errors_.local.resize(nodes_.size());
    errors_.below.resize(nodes_.size());
    errors_.above.resize(nodes_.size());
    if (overflow == Overflow::followed) errors_.beyond.resize(nodes_.size());
  }

  Errors run();
  /// Of a way. `of_formula`: its formula on the same machine after run(), whose nodes are not computed again.
  Errors run(const Forward& of_formula);

 private:
  void compute(std::size_t k);
  /// Copies all that is known of a node.
  void take(std::size_t k, const Forward& other, std::size_t of_other);
  std::size_t argument(std::size_t k, std::size_t a) const { return nodes_[k].arguments[a]; }
  std::size_t place(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return shaped_.places(k, a)[i] + step;
  }
  const Ball& value(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return values_[argument(k, a)][place(k, a, i, step)];
  }
  /// E of an entry, read without a claim to change it: several threads may share its column with other graphs.
  const Magnitude& total(std::size_t k, std::size_t i) const { return errors_.total[k][i]; }
  const Magnitude& error(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    return total(argument(k, a), place(k, a, i, step));
  }
  /// The largest magnitude of a computed argument.
  Magnitude large(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const {
    const Column<Magnitude>& of = large_[argument(k, a)];
    return of.empty() ? Magnitude(value(k, a, i, step)) : of[place(k, a, i, step)];
  }

  // formula.sides.1

  /// E⁻ or E⁺ of an argument, by the sign.
  const Magnitude& side(std::size_t k, std::size_t a, std::size_t i, int sign) const {
    const auto& sides = sign < 0 ? errors_.below[argument(k, a)] : errors_.above[argument(k, a)];
    return sides.empty() ? error(k, a, i) : sides[place(k, a, i)];
  }
  /// The smallest magnitude of a computed argument.
  Magnitude least(std::size_t k, std::size_t a, std::size_t i) const {
    const bool is_positive = oracle::less_equal(Ball(), value(k, a, i)) == oracle::Answer::yes;
    return minus_lower(Magnitude::lower(value(k, a, i)), side(k, a, i, is_positive ? -1 : 1));
  }
  bool has_sides(std::size_t k) const { return !errors_.below[k].empty(); }
  bool may_have_sides(std::size_t k) const;
  void set_sides(std::size_t k, std::size_t i, const Magnitude& below, const Magnitude& above);
  void sides_of_sum(std::size_t k, std::size_t i);
  void sides_of_root(std::size_t k, std::size_t i);
  /// The largest magnitude of a computed number.
  Magnitude largest_computed(std::size_t k, std::size_t i) const;

  // GRID

  /// All values of the node are multiples of 2^grid; empty if no grid is known.
  std::optional<long> grid(std::size_t k) const;
  std::optional<long> grid_of_values(std::size_t k) const;
  /// The exponent of a constant that is a power of two.
  std::optional<long> power_of_two(std::size_t k) const;
  /// Whether multiples of 2^grid up to a magnitude are numbers with this many bits, the smallest of which is 2^least.
  static bool fits(std::optional<long> grid, const Magnitude& largest, int precision, long least) {
    return grid && *grid >= least && largest <= Magnitude::power_of_two(std::min(precision + *grid, 2 * whole_grid));
  }
  /// Whether the factors are powers of two, and the terms stay multiples of numbers of the format when the factors are
  /// moved into them.
  bool moves_exactly(std::size_t k) const;
  bool is_exact(std::size_t k, const Magnitude& propagated, const Magnitude& largest) const {
    const int precision = wide_.precision - (machine_.has_unit ? 1 : 0);
    return propagated.is_zero() && fits(grids_[k], largest, precision, wide_.least);
  }

  // formula.flush.1, formula.flush.2

  /// What the number of an entry, which errs by this much, may lose where it is read or written as 0.
  Magnitude lost_by_flush(std::size_t k, std::size_t i, const Magnitude& error) const;
  /// Whether a node has the numbers of its arguments, without a comparison, or none that a program stores.
  bool moves(std::size_t k) const;
  /// Whether a number of the node may be 0 in one of its uses and not in another.
  bool is_mixed(std::size_t k) const;
  void input(std::size_t k);

  // formula.overflow.1

  /// Whether a number of the node may become the largest one of a format in place of an infinity.
  bool may_saturate(std::size_t k) const {
    return machine_.may_saturate() && machine_.stores(nodes_[k]) && k != shaped_.formula().result;
  }
  bool follows() const { return !errors_.beyond.empty(); }
  /// Notes what an entry is if it overflows; false where nothing is said of the node then. `by_partial`: a
  /// partial result may overflow.
  bool note_overflow(std::size_t k, std::size_t i, const Magnitude& own_error, bool by_partial);
  /// Whether an exponential overflows in every program.
  bool is_far_beyond(std::size_t k, std::size_t i) const;
  /// Adds to S and E of a node what follows from arguments that are infinite or NaN.
  void follow(std::size_t k);
  /// The kinds of an argument.
  Kinds kinds(std::size_t k, std::size_t a, std::size_t i, std::size_t step = 0) const;
  struct Followed {
    Kinds beyond = 0;         ///< S
    bool is_certain = false;  ///< whether an argument of every program is no number
    bool is_number = false;   ///< whether the function may be a number then
    Magnitude distance{};     ///< of that number to the value of the entry
    void take(const Magnitude& to) {
      is_number = true;
      distance = max(distance, to);
    }
  };
  Followed followed(std::size_t k, std::size_t i) const;
  Followed followed_by_two(std::size_t k, std::size_t i) const;
  Followed followed_by_sum(std::size_t k, std::size_t i) const;
  Followed followed_by_maximum(std::size_t k, std::size_t i) const;
  Followed followed_by_one(std::size_t k, std::size_t i) const;

  // results

  /// E = P + λ, with STORE and OVERFLOW. `partial`: the largest magnitude of a partial result.
  void finish(std::size_t k, std::size_t i, const Magnitude& propagated, Magnitude local, const Magnitude& partial);
  void finish(std::size_t k, std::size_t i, const Magnitude& propagated, const Magnitude& local) {
    finish(k, i, propagated, local, Magnitude());
  }
  Magnitude largest(std::size_t k, std::size_t i, const Magnitude& propagated) const {
    return Magnitude(values_[k][i]) + propagated;
  }

  void node(std::size_t k);
  /// One entry of a node whose entries do not depend on each other.
  void entry(std::size_t k, std::size_t i);

  /// Whether all numbers of a node are those of an input, and no rule adds an error.
  bool is_of_exact_input(std::size_t k) const;

  /// formula.const.1
  void constant(std::size_t k);

  /// formula.pow.1
  void pow(std::size_t k, std::size_t i);
  Magnitude propagated_by_pow(std::size_t k, std::size_t i) const;
  /// At least |y ln x| of all computed arguments.
  Magnitude largest_exponent(std::size_t k, std::size_t i) const;
  /// The lower or the upper end of a computed argument.
  Ball end(std::size_t k, std::size_t a, std::size_t i, int sign) const;

  /// formula.round.1, formula.quotient.1
  void two(std::size_t k, std::size_t i);

  /// formula.sum.1, formula.dot.1, formula.unit.1
  void sum(std::size_t k, std::size_t i);
  /// The additions that round of a sum of n terms, of which so many may differ from 0.
  unsigned long additions(std::size_t n, std::size_t nonzero) const {
    return std::min<unsigned long>(height(machine_.order, n), std::max<std::size_t>(nonzero, 1) - 1);
  }
  /// The relative error of such a sum with so many further roundings of each term.
  Magnitude of_terms(std::size_t n, std::size_t nonzero, unsigned long extra) const {
    const Magnitude by_height = wide_.grown(additions(n, nonzero) + extra);
    return extra == 0 ? min(by_height, Magnitude(std::max<std::size_t>(nonzero, 1) - 1) * wide_.u) : by_height;
  }
  /// The softmax whose weights are a node's values, perhaps moved or negated.
  std::optional<std::size_t> weights_of(std::size_t k) const {
    while (nodes_[k].op == Op::gather || nodes_[k].op == Op::neg) k = argument(k, 0);
    return nodes_[k].op == Op::softmax ? std::optional(k) : std::nullopt;
  }
  Magnitude of_products(std::size_t k, std::size_t i, std::size_t nonzero, const Magnitude& magnitudes) const;
  /// By how much an error of a weight grows that is divided by the sum of its row after the contraction.
  Magnitude of_late_quotient(std::size_t k) const;
  /// The format of the numbers of a node, if it is known to be narrow.
  std::optional<oracle::Format> narrow_format(std::size_t k) const;
  bool is_narrow(std::size_t k) const { return narrow_format(k).has_value(); }
  Magnitude smallest_normal(std::size_t k) const { return Magnitude::power_of_two(narrow_format(k)->emin); }
  /// Whether the node is an input, or a slice of one.
  bool is_of_input(std::size_t k) const;
  bool has_exact_products(std::size_t k) const;
  /// Whether a factor of an entry of a product by a matrix unit is subnormal: formula.grid.1.
  bool has_subnormal_factor(std::size_t k, std::size_t i) const;
  /// Whether an entry is the product of such a sum and a factor that is only known within half of it.
  bool is_moved_unknown(std::size_t k, std::size_t i) const;

  void cumsum(std::size_t k);

  /// formula.prod.1
  void prod(std::size_t k, std::size_t i);
  void cumprod(std::size_t k);

  /// formula.sort.1
  void sort(std::size_t k);
  /// formula.atan2.1
  void atan2(std::size_t k, std::size_t i);
  /// formula.rest.1
  void rest(std::size_t k, std::size_t i);
  /// formula.sign.1
  void sign(std::size_t k, std::size_t i);
  /// formula.stochastic.1
  void stochastic(std::size_t k, std::size_t i);
  /// formula.argmax.1
  void argmax(std::size_t k, std::size_t i);

  /// formula.function.1
  void function(std::size_t k, std::size_t i);

  /// formula.root.1: whether no program computes a negative number for an entry of the node.
  bool is_nonnegative(std::size_t k) const;

  /// P of a function of one argument, which is monotone in it or whose slope is at most 1.
  Magnitude propagated_by(std::size_t k, std::size_t i, const Magnitude& error) const;

  // rows

  unsigned long rescalings(std::size_t counted) const { return machine_.is_online ? counted - 1 : 0; }
  /// At least −ln(1 − 2ku).
  Magnitude of_exp() const {
    const Magnitude relative = Magnitude(2 * machine_.functions) * wide_.u;
    return divided(relative, minus_lower(Magnitude(1UL), relative));
  }
  /// formula.logits.1
  void logits(std::size_t k);
  /// g of formula.norm.1: the relative error of the sum of the weights of a row.
  Magnitude of_weights(std::size_t logits, std::size_t r) const {
    const std::size_t counted = counted_[logits][r];
    if (machine_.is_online) return wide_.grown(counted - 1 + rescalings(counted));
    return of_terms(shaped_.rows(logits).steps.size(), counted, 0);
  }
  Magnitude sum_of_weights(std::size_t logits, std::size_t r) const {
    const Magnitude g = of_weights(logits, r);
    return divided(g, minus_lower(Magnitude(1UL), g));
  }
  /// The error that weights with underflow add to one weight, and relatively to their sum; the reciprocal of the sum is
  /// at most e^base/(1 − g), and the lost part may have been scaled by as much as e^peak before. `exponent`: the sum of
  /// the two.
  Magnitude of_small_weights(std::size_t logits, std::size_t r, const Magnitude& exponent) const;
  /// A bound of the sum of the weights of a row, also before it is scaled.
  Magnitude largest_sum(std::size_t logits, std::size_t r) const {
    return Magnitude(counted_[logits][r]) * exp(peak_[logits][r]) * (Magnitude(1UL) + of_weights(logits, r));
  }
  /// Of a contraction with weights: a bound of them before they are divided or scaled.
  Magnitude largest_weight(std::size_t k) const;

  /// formula.softmax.1, formula.weight.1
  void softmax(std::size_t k);

  /// formula.logsumexp.1
  void logsumexp(std::size_t k, std::size_t i);

  /// formula.variance.1, formula.variance.2
  void variance(std::size_t k, std::size_t i);

  const Shaped& shaped_;
  const std::vector<Node>& nodes_;
  const Balls& values_;
  const Machine& machine_;
  const std::vector<oracle::Format>& parameters_;
  long bits_;
  std::optional<int> flushed_below_;
  Costs wide_;
  Costs stored_;
  std::vector<std::optional<long>> grids_;
  Magnitude moved_;                                      ///< moved_factor() of the current node
  bool moves_exactly_ = false;                           ///< moves_exactly() of the current node
  Magnitude late_quotient_;                              ///< of_late_quotient() of the current node
  Magnitude late_weight_;                                ///< largest_weight() of the current node
  std::vector<std::vector<Magnitude>> base_;             ///< of logits, by row: the error of the largest weight's logit
  std::vector<std::vector<Magnitude>> peak_;             ///< by row: the largest one of a logit, but for its distance
  std::vector<std::vector<std::size_t>> counted_;        ///< by row: how many entries are not left out, at least 1
  Magnitudes of_numerators_;                             ///< of logits: ln(1 + ν) of formula.weight.1
  Magnitudes large_;                                     ///< empty for a node without an error
  std::map<std::size_t, Column<Magnitude>> zeros_ = {};  ///< by size: the errors of nodes without an error
  std::vector<bool> is_clean_;
  std::vector<bool> is_nonnegative_;
  Errors errors_;
};

}  // namespace assay::formulas
