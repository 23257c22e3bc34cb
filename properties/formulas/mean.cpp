// Theorem formula.mean.1: reverse accumulation over the boxes of FORWARD.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "properties/formulas/errors.hpp"

namespace assay::formulas {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Elementary;
using oracle::Magnitude;

constexpr long bits = 64;                                                          ///< of adjoints
Ball zero_to_one() { return Ball(Dyadic::scaled(1, -1), Dyadic::scaled(1, -1)); }  ///< the hull of 0 and 1

class Reverse {
 public:
  Reverse(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors)
      : shaped_(shaped),
        inputs_(inputs),
        nodes_(shaped.formula().nodes),
        values_(values),
        errors_(errors),
        adjoints_(nodes_.size()),
        uses_(nodes_.size()),
        in_use_(nodes_.size()),
        counts_(nodes_.size()),
        reaches_copies_(nodes_.size()),
        has_error_(nodes_.size()) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      has_error_[k] = std::ranges::any_of(errors.total[k], [](const Magnitude& each) { return !each.is_zero(); });
    }
  }

  Magnitude run(std::size_t entry, std::vector<Share>* shares) {
    const std::size_t result = shaped_.formula().result;
    reach(result);
    add(result, entry, Dyadic(1));
    end_use(result);
    Magnitude sum;
    for (std::size_t k = result + 1; k-- > 0;) {
      if (adjoints_[k].empty()) continue;
      Share share{k, {}, {}, 0};
      Magnitude most;
      for (std::size_t i = 0; i < adjoints_[k].size(); ++i) {
        const Magnitude weight = counts_uses(k) ? uses_[k][i] : Magnitude(adjoints_[k][i]);
        if (weight.is_zero()) continue;
        const Magnitude part = weight * errors_.local[k][i];
        share.error += part;
        share.adjoint = max(share.adjoint, weight);
        if (most < part) most = part, share.entry = i;
      }
      sum += share.error;
      if (shares != nullptr && !share.error.is_zero()) shares->push_back(std::move(share));
      if (!nodes_[k].is_constant && nodes_[k].op != Op::input) hand_on(k);
    }
    return sum;
  }

  Balls take_adjoints() { return std::move(adjoints_); }

 private:
  bool is_mixed(std::size_t k) const { return !errors_.mixed.empty() && errors_.mixed[k]; }
  /// Whether a program may have several numbers for an entry of the node, one for each use: a product that is fused in
  /// one place and rounded in another, also after moves; a sum into which a factor moves; weights of a row, whose
  /// quotient may come last in one place; what is read as 0 in one place; nodes that the formula declares so.
  bool copies(std::size_t k) const {
    if (is_mixed(k)) return true;
    switch (nodes_[k].op) {
      case Op::mul:
      case Op::power:
      case Op::prod:
      case Op::cumprod:
      case Op::neg:
      case Op::gather:
      case Op::spread:
      case Op::stack:
      case Op::where:
      case Op::softmax:
        return true;
      default:
        return nodes_[k].is_recomputed || nodes_[k].extra != 0;
    }
  }
  /// Whether several copies of an entry have their own slopes: its arguments are copies, and its slope depends on them.
  bool branches(std::size_t k) const {
    if (std::ranges::none_of(counts_[k], [](std::uint8_t each) { return each > 1; })) return false;
    switch (nodes_[k].op) {
      case Op::add:
      case Op::sub:
      case Op::neg:
      case Op::sum:
      case Op::cumsum:
      case Op::gather:
      case Op::spread:
      case Op::stack:
      case Op::where:
        return false;
      default:
        return copies(k) && std::ranges::any_of(nodes_[k].arguments, [&](std::size_t a) { return copies(a); });
    }
  }
  /// Whether the uses of the node's numbers, or of numbers that copies with other arguments compute from them, do not
  /// cancel.
  bool counts_uses(std::size_t k) const { return copies(k) || reaches_copies_[k]; }

  /// The part of each argument in the result: of the adjoint by the rule of the node, and of the uses by the same rule,
  /// where each use has its own sign.
  void hand_on(std::size_t k) {
    is_counted_ = !counts_uses(k);
    node(k);
    is_counted_ = true;
    for (const std::size_t a : nodes_[k].arguments) end_use(a);
    if (!counts_uses(k)) return;
    if (branches(k) || reaches_copies_[k]) {
      for (const std::size_t a : nodes_[k].arguments) reaches_copies_[a] = true;
    }
    std::vector<Ball> of_uses;
    for (const Magnitude& each : uses_[k]) {
      of_uses.push_back(each.is_zero() ? Ball() : oracle::widened(Ball(), each));
    }
    std::swap(adjoints_[k], of_uses);
    is_adjoint_ = false;
    node(k);
    is_adjoint_ = true;
    std::swap(adjoints_[k], of_uses);
  }
  void reach(std::size_t k) {
    if (!adjoints_[k].empty()) return;
    adjoints_[k].resize(shaped_.size(k));
    uses_[k].resize(shaped_.size(k));
    counts_[k].resize(shaped_.size(k));
  }
  /// ∂result/∂entry grows by this value.
  void add(std::size_t k, std::size_t i, const Ball& more) { add(k, i, more, Magnitude(more)); }
  /// `of_uses`: the magnitudes of several uses, whose adjoints are `more` together.
  void add(std::size_t k, std::size_t i, const Ball& more, const Magnitude& of_uses) {
    if (!has_error_[k] && k != shaped_.formula().result) return;
    reach(k);
    if (is_adjoint_) {
      adjoints_[k][i] = oracle::add(adjoints_[k][i], more, bits);
      counts_[k][i] = static_cast<std::uint8_t>(std::min(2, counts_[k][i] + copies_of_user_));
    }
    if (is_counted_ && is_adjoint_ && nodes_[k].op == Op::softmax && !is_mixed(k)) {
      in_use_[k].resize(uses_[k].size());
      in_use_[k][i] = oracle::add(in_use_[k][i], more, bits);
    } else if (is_counted_) {
      uses_[k][i] += of_uses;
    }
  }
  /// The entries of a node use the weights of a softmax together: the quotient comes last in all of them, or in none. A
  /// flush to zero may come in each use alone.
  void end_use(std::size_t k) {
    for (std::size_t i = 0; i < in_use_[k].size(); ++i) uses_[k][i] += Magnitude(in_use_[k][i]);
    in_use_[k].clear();
  }
  void add_to(std::size_t k, std::size_t a, std::size_t i, std::size_t step, const Ball& more) {
    add(nodes_[k].arguments[a], shaped_.places(k, a)[i] + step, more);
  }

  Ball box(std::size_t k, std::size_t i) const {
    if (errors_.below[k].empty() || !errors_.total[k][i].is_finite())
      return oracle::widened(values_[k][i], errors_.total[k][i]);
    return united(oracle::sub(values_[k][i].lower(), errors_.below[k][i].value(), bits),
                  oracle::add(values_[k][i].upper(), errors_.above[k][i].value(), bits));
  }
  static Ball united(const Ball& a, const Ball& b) {
    Ball both;
    arb_union(both.get(), a.get(), b.get(), bits);
    return both;
  }
  Ball box(std::size_t k, std::size_t a, std::size_t i, std::size_t step) const {
    return box(nodes_[k].arguments[a], shaped_.places(k, a)[i] + step);
  }

  void node(std::size_t k) {
    const Node& node = nodes_[k];
    // The entries of a row share their copies.
    copies_of_user_ = copies(k) && !counts_[k].empty() ? std::ranges::max(counts_[k]) : 1;
    if (node.op == Op::softmax) return softmax(k);
    if (node.op == Op::cumsum) return cumsum(k);
    if (node.op == Op::sort) return sort(k);
    for (std::size_t i = 0; i < adjoints_[k].size(); ++i) {
      if (Magnitude(adjoints_[k][i]).is_zero()) continue;
      const Ball& adjoint = adjoints_[k][i];
      copies_of_user_ = copies(k) ? counts_[k][i] : 1;
      switch (node.op) {
        case Op::add:
          add_to(k, 0, i, 0, adjoint);
          add_to(k, 1, i, 0, adjoint);
          break;
        case Op::sub:
          add_to(k, 0, i, 0, adjoint);
          add_to(k, 1, i, 0, sub(Ball(), adjoint, bits));
          break;
        case Op::mul:
          add_to(k, 0, i, 0, mul(adjoint, box(k, 1, i, 0), bits));
          add_to(k, 1, i, 0, mul(adjoint, box(k, 0, i, 0), bits));
          break;
        case Op::div: {
          const Ball b = box(k, 1, i, 0);
          const Ball slope = div(adjoint, b, bits);
          add_to(k, 0, i, 0, slope);
          add_to(k, 1, i, 0, sub(Ball(), mul(slope, div(box(k, 0, i, 0), b, bits), bits), bits));
          break;
        }
        case Op::maximum:
        case Op::minimum: {
          // The slope of the first argument is 1 if it is not below the second one. For a minimum, if it is not above.
          const bool is_minimum = node.op == Op::minimum;
          const oracle::Answer loses = oracle::less(box(k, is_minimum ? 1 : 0, i, 0), box(k, is_minimum ? 0 : 1, i, 0));
          const Ball of_first =
              loses == oracle::Answer::undecided ? zero_to_one() : Ball(Dyadic(loses == oracle::Answer::no ? 1 : 0));
          add_to(k, 0, i, 0, mul(adjoint, of_first, bits));
          add_to(k, 1, i, 0, mul(adjoint, sub(Dyadic(1), of_first, bits), bits));
          break;
        }
        case Op::sum:
          for (const std::size_t step : shaped_.steps(k, 0)) add_to(k, 0, i, step, adjoint);
          break;
        case Op::dot:
          for (std::size_t j = 0; j < shaped_.steps(k, 0).size(); ++j) {
            const std::size_t a = shaped_.steps(k, 0)[j];
            const std::size_t b = shaped_.steps(k, 1)[j];
            if (has_error_[node.arguments[0]]) add_to(k, 0, i, a, mul(adjoint, box(k, 1, i, b), bits));
            if (has_error_[node.arguments[1]]) add_to(k, 1, i, b, mul(adjoint, box(k, 0, i, a), bits));
          }
          break;
        case Op::prod:
        case Op::cumprod:
          product(k, i);
          break;
        case Op::maximum_over:
          maximum_over(k, i);
          break;
        case Op::gather:
        case Op::logits:
          add_to(k, 0, i, 0, adjoint);
          break;
        case Op::stack:
          add_to(k, i % 2, i, 0, adjoint);
          break;
        case Op::where:
          add_to(k, shaped_.is_in_mask(k, i) ? 0 : 1, i, 0, adjoint);
          break;
        case Op::pick:
          if (const auto step = step_of_pick(shaped_, inputs_, node, k, i)) add_to(k, 0, i, *step, adjoint);
          break;
        case Op::spread:
          if (is_named(shaped_, inputs_, node, k, i)) add_to(k, 0, i, 0, adjoint);
          break;
        case Op::pow:
          pow(k, i);
          break;
        case Op::atan2: {
          const Ball y = box(k, 0, i, 0);
          const Ball x = box(k, 1, i, 0);
          const Ball of_squares = div(adjoint, add_balls(mul(x, x, bits), mul(y, y, bits)), bits);
          add_to(k, 0, i, 0, mul(of_squares, x, bits));
          add_to(k, 1, i, 0, sub(Ball(), mul(of_squares, y, bits), bits));
          break;
        }
        case Op::fmod:  // exact, where anything is said
        case Op::remainder:
        case Op::argmax:  // a step: formula.argmax.1, formula.sign.1
        case Op::sign:
        case Op::norm:
          break;
        case Op::logsumexp:
          logsumexp(k, i);
          break;
        case Op::variance:
          variance(k, i);
          break;
        default:
          add_to(k, 0, i, 0, mul(adjoint, slope(node, box(k, 0, i, 0)), bits));
      }
    }
  }

  /// f′ over a box.
  static Ball slope(const Node& node, const Ball& x) {
    const bool is_root = node.op == Op::sqrt || node.op == Op::rsqrt;
    // Monotone: its values at the ends are sharper than the value at a wide ball.
    if (is_root && oracle::less(Ball(), x) == oracle::Answer::yes)
      return united(slope_at(node, x.lower()), slope_at(node, x.upper()));
    return slope_at(node, x);
  }
  static Ball slope_at(const Node& node, const Ball& x) {
    const Ball one = Dyadic(1);
    const bool is_positive = oracle::less_equal(Ball(), x) == oracle::Answer::yes;
    const bool is_negative = oracle::less_equal(x, Ball()) == oracle::Answer::yes;
    switch (node.op) {
      case Op::neg:
        return Dyadic(-1);
      case Op::abs:
        return is_positive ? one : is_negative ? Ball(Dyadic(-1)) : Ball(Dyadic(0), Dyadic(1));
      case Op::relu:
        return is_positive ? one : is_negative ? Ball() : zero_to_one();
      case Op::power:
        return mul(Dyadic(node.exponent), node.exponent == 2 ? x : function_of(Op::power, x, node.exponent - 1, bits),
                   bits);
      case Op::exp:
      case Op::expm1:
        return oracle::exp(x, bits);
      case Op::exp2:
        return mul(oracle::elementary_of(Elementary::exp2, x, bits),
                   oracle::elementary_of(Elementary::log, Dyadic(2), bits), bits);
      case Op::log:
        return div(one, x, bits);
      case Op::log1p:
        return div(one, add_balls(one, x), bits);
      case Op::sqrt:
        return div(Dyadic::scaled(1, -1), oracle::sqrt(x, bits), bits);
      case Op::rsqrt: {
        const Ball root = oracle::elementary_of(Elementary::rsqrt, x, bits);
        return mul(Dyadic::scaled(-1, -1), mul(root, mul(root, root, bits), bits), bits);
      }
      case Op::tanh: {
        const Ball y = oracle::elementary_of(Elementary::tanh, x, bits);
        return sub(one, mul(y, y, bits), bits);
      }
      case Op::erf: {
        const Ball e = oracle::exp(sub(Ball(), mul(x, x, bits), bits), bits);
        return mul(e, div(Dyadic(2), oracle::sqrt(oracle::pi(bits), bits), bits), bits);
      }
      case Op::sigmoid: {
        const Ball y = function_of(Op::sigmoid, x, 0, bits);
        return mul(y, sub(one, y, bits), bits);
      }
      case Op::sin:
        return oracle::elementary_of(Elementary::cos, x, bits);
      default:
        return sub(Ball(), oracle::elementary_of(Elementary::sin, x, bits), bits);
    }
  }
  static Ball add_balls(const Ball& a, const Ball& b) { return oracle::add(a, b, bits); }

  /// The largest number is one of those whose boxes are not below that of another.
  void maximum_over(std::size_t k, std::size_t i) {
    const auto& steps = shaped_.steps(k, 0);
    std::optional<Ball> top;  // the box with the largest lower end: what is below any box is below it
    for (const std::size_t step : steps) {
      Ball x = box(k, 0, i, step);
      if (x.is_finite() && (!top || top->lower() < x.lower())) top = std::move(x);
    }
    std::vector<std::size_t> candidates;
    for (const std::size_t step : steps) {
      if (!top || oracle::less(box(k, 0, i, step), *top) != oracle::Answer::yes) candidates.push_back(step);
    }
    const Ball slope = candidates.size() == 1 ? Ball(Dyadic(1)) : zero_to_one();
    for (const std::size_t each : candidates) add_to(k, 0, i, each, mul(adjoints_[k][i], slope, bits));
  }

  /// ∂xʸ = xʸ·y/x and xʸ·ln x, with the box of xʸ.
  void pow(std::size_t k, std::size_t i) {
    const Ball x = box(k, 0, i, 0);
    const Ball of_power = mul(adjoints_[k][i], box(k, i), bits);
    if (has_error_[nodes_[k].arguments[0]]) {
      add_to(k, 0, i, 0, mul(of_power, div(box(k, 1, i, 0), x, bits), bits));
    }
    if (has_error_[nodes_[k].arguments[1]]) {
      add_to(k, 1, i, 0, mul(of_power, oracle::elementary_of(Elementary::log, x, bits), bits));
    }
  }

  /// A number in order is one of those whose boxes meet its own.
  void sort(std::size_t k) {
    const Shaped::Rows& rows = shaped_.rows(k);
    for (const std::size_t first : rows.first) {
      for (const std::size_t step : rows.steps) {
        const Ball& adjoint = adjoints_[k][first + step];
        if (Magnitude(adjoint).is_zero()) continue;
        const Ball here = box(k, first + step);
        std::vector<std::size_t> candidates;
        for (const std::size_t other : rows.steps) {
          const Ball x = box(k, 0, first + other, 0);
          const bool is_apart =
              oracle::less(x, here) == oracle::Answer::yes || oracle::less(here, x) == oracle::Answer::yes;
          if (!is_apart) candidates.push_back(first + other);
        }
        const Ball slope = candidates.size() == 1 ? Ball(Dyadic(1)) : zero_to_one();
        for (const std::size_t each : candidates) add_to(k, 0, each, 0, mul(adjoint, slope, bits));
      }
    }
  }

  void cumsum(std::size_t k) {
    const Shaped::Rows& rows = shaped_.rows(k);
    const int of_node = copies_of_user_;
    for (const std::size_t first : rows.first) {
      Ball sum;
      Magnitude of_uses;
      std::size_t used = 0;
      for (std::size_t j = rows.steps.size(); j-- > 0;) {
        const std::size_t i = first + rows.steps[j];
        sum = add_balls(sum, adjoints_[k][i]);
        of_uses += Magnitude(adjoints_[k][i]);
        used += Magnitude(adjoints_[k][i]).is_zero() ? 0 : 1;
        copies_of_user_ = used > 1 ? 2 : of_node;
        add(nodes_[k].arguments[0], shaped_.places(k, 0)[i], sum, of_uses);
      }
    }
  }

  /// The slope in a factor is the product of the others.
  void product(std::size_t k, std::size_t i) {
    const std::vector<std::size_t> places = shaped_.factors(k, i);
    std::vector<Ball> factors;
    for (const std::size_t each : places) factors.push_back(box(nodes_[k].arguments[0], each));
    const std::vector<Ball> others = products_of_others(factors, bits);
    for (std::size_t j = 0; j < places.size(); ++j) {
      add(nodes_[k].arguments[0], places[j], mul(adjoints_[k][i], others[j], bits));
    }
  }

  /// p_j(A_j − Σ A_i p_i) for the logits, Σ A_i p_i/f for the factor f of the row.
  void softmax(std::size_t k) {
    const std::size_t t = nodes_[k].arguments[0];
    const std::size_t factor = nodes_[k].arguments[1];
    const Shaped::Rows& rows = shaped_.rows(t);
    for (std::size_t r = 0; r < rows.first.size(); ++r) {
      Ball sum;
      bool is_reached = false;
      for (const std::size_t step : rows.steps) {
        const std::size_t i = rows.first[r] + step;
        is_reached = is_reached || !Magnitude(adjoints_[k][i]).is_zero();
        arb_addmul(sum.get(), adjoints_[k][i].get(), box(k, i).get(), bits);
      }
      if (!is_reached) continue;
      // The boxes of p hold p·f: p itself is in them divided by the box of f.
      const Ball f = box(factor, r);
      const Ball of_p = div(sum, f, bits);
      for (const std::size_t step : rows.steps) {
        const std::size_t i = rows.first[r] + step;
        add(t, i, mul(box(k, i), sub(adjoints_[k][i], of_p, bits), bits));
      }
      add(factor, r, of_p);
    }
  }

  void logsumexp(std::size_t k, std::size_t i) {
    const std::size_t t = nodes_[k].arguments[0];
    const Shaped::Rows& rows = shaped_.rows(t);
    for (const std::size_t step : rows.steps) {
      const std::size_t at = rows.first[i] + step;
      if (!shaped_.counts(t, at)) continue;
      const Ball p = oracle::exp(sub(box(t, at), box(k, i), bits), bits);
      add(t, at, mul(adjoints_[k][i], p, bits));
    }
  }

  /// ∂/∂x_j of the mean of (x − μ)²: 2(x_j − μ)/n.
  void variance(std::size_t k, std::size_t i) {
    if (!has_error_[nodes_[k].arguments[0]]) return;
    const auto& steps = shaped_.steps(k, 0);
    const Ball n = Dyadic(steps.size());
    Ball sum;
    for (const std::size_t step : steps) sum = add_balls(sum, box(k, 0, i, step));
    const Ball mean = div(sum, n, bits);
    for (const std::size_t step : steps) {
      const Ball slope = div(mul(Dyadic(2), sub(box(k, 0, i, step), mean, bits), bits), n, bits);
      add_to(k, 0, i, step, mul(adjoints_[k][i], slope, bits));
    }
  }

  const Shaped& shaped_;
  const Inputs& inputs_;
  const std::vector<Node>& nodes_;
  const Balls& values_;
  const Errors& errors_;
  Balls adjoints_;
  Magnitudes uses_;  ///< Σ of the magnitudes that the uses pass on
  Balls in_use_;     ///< of a softmax: what the entries of the current node have passed on
  std::vector<std::vector<std::uint8_t>> counts_;  ///< copies of each entry: 0, 1, or 2 for several
  int copies_of_user_ = 1;                         ///< of the entry that passes its adjoint on
  std::vector<bool> reaches_copies_;               ///< nodes that copies with different arguments use
  bool is_adjoint_ = true;                         ///< the values passed on belong to adjoints
  bool is_counted_ = true;                         ///< and to uses
  std::vector<bool> has_error_;
};

}  // namespace

Magnitude mean(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors, std::size_t entry,
               std::vector<Share>* shares, Balls* adjoints) {
  if (!errors.total[shaped.formula().result][entry].is_finite()) return Magnitude::infinity();
  Reverse reverse(shaped, inputs, values, errors);
  Magnitude bound = reverse.run(entry, shares);
  if (adjoints != nullptr) *adjoints = reverse.take_adjoints();
  return bound;
}

}  // namespace assay::formulas
