// Theorem formula.mean.1: reverse accumulation over the boxes of FORWARD, for what an entry depends on alone.

#include <algorithm>
#include <utility>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "properties/formulas/errors.hpp"
#include "properties/formulas/slopes.hpp"

namespace assay::formulas {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Elementary;
using oracle::Magnitude;

constexpr long bits = bits_of_adjoints;
}  // namespace

class Mean::Reverse {
 public:
  Reverse(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors)
      : shaped_(shaped),
        inputs_(inputs),
        nodes_(shaped.formula().nodes),
        values_(values),
        errors_(errors),
        adjoints_(nodes_.size()),
        reached_(nodes_.size()),
        is_reached_(nodes_.size()),
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
    forget();
    const std::size_t result = shaped_.formula().result;
    add(result, entry, Dyadic(1));
    end_use(result);
    Magnitude sum;
    for (std::size_t k = result + 1; k-- > 0;) {
      if (reached_[k].empty()) continue;
      std::ranges::sort(reached_[k]);
      steps_ += reached_[k].size();
      Share share{k, {}, {}, 0};
      Magnitude most;
      for (const std::size_t i : reached_[k]) {
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

  /// By node and entry, empty if a node was not reached.
  Balls adjoints() const {
    Balls reached(nodes_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (!reached_[k].empty()) reached[k] = adjoints_[k];
    }
    return reached;
  }
  /// The entries that all passes have visited.
  std::size_t steps() const { return steps_; }

 private:
  /// Makes all that the last pass has visited 0.
  void forget() {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      for (const std::size_t i : reached_[k]) {
        adjoints_[k][i] = Ball();
        uses_[k][i] = Magnitude();
        counts_[k][i] = 0;
        is_reached_[k][i] = 0;
      }
      reached_[k].clear();
      reaches_copies_[k] = false;
    }
    copies_of_user_ = 1;
  }
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
    if (most_copies(k) < 2) return false;
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
  /// Of the entries of a node: the largest number of copies.
  int most_copies(std::size_t k) const {
    int most = 0;
    for (const std::size_t i : reached_[k]) most = std::max<int>(most, counts_[k][i]);
    return most;
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
    std::vector<Ball> adjoints;
    adjoints.reserve(reached_[k].size());
    for (const std::size_t i : reached_[k]) {
      adjoints.push_back(std::exchange(adjoints_[k][i], oracle::widened(Ball(), uses_[k][i])));
    }
    is_adjoint_ = false;
    node(k);
    is_adjoint_ = true;
    for (std::size_t j = 0; j < adjoints.size(); ++j) adjoints_[k][reached_[k][j]] = std::move(adjoints[j]);
  }
  void reach(std::size_t k, std::size_t i) {
    if (adjoints_[k].empty()) {
      adjoints_[k].resize(shaped_.size(k));
      uses_[k].resize(shaped_.size(k));
      counts_[k].resize(shaped_.size(k));
      is_reached_[k].resize(shaped_.size(k));
      reached_[k].reserve(shaped_.size(k));
    }
    if (std::exchange(is_reached_[k][i], 1) != 0) return;
    reached_[k].push_back(i);
  }
  void add(std::size_t k, std::size_t i, const Ball& more) { add(k, i, more, Magnitude(more)); }
  /// ∂result/∂entry grows by `more`. `of_uses`: the magnitudes of several uses, whose adjoints are `more` together.
  void add(std::size_t k, std::size_t i, const Ball& more, const Magnitude& of_uses) {
    if (!has_error_[k] && k != shaped_.formula().result) return;
    reach(k, i);
    if (is_adjoint_) {
      adjoints_[k][i] = oracle::add(adjoints_[k][i], more, bits);
      counts_[k][i] = static_cast<std::uint8_t>(std::min(2, counts_[k][i] + copies_of_user_));
    }
    if (is_counted_ && is_adjoint_ && nodes_[k].op == Op::softmax && !is_mixed(k)) {
      in_use_[k].resize(uses_[k].size());
      in_use_[k][i] = oracle::add(in_use_[k][i], more, bits);
      used_.emplace_back(k, i);
    } else if (is_counted_) {
      uses_[k][i] += of_uses;
    }
  }
  /// The entries of a node use the weights of a softmax together: the quotient comes last in all of them, or in none. A
  /// flush to zero may come in each use alone.
  void end_use(std::size_t k) {
    std::erase_if(used_, [&](const auto& each) {
      if (each.first != k) return false;
      uses_[k][each.second] += Magnitude(std::exchange(in_use_[k][each.second], Ball()));
      return true;
    });
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
  Ball box(std::size_t k, std::size_t a, std::size_t i, std::size_t step) const {
    return box(nodes_[k].arguments[a], shaped_.places(k, a)[i] + step);
  }

  void node(std::size_t k) {
    const Node& node = nodes_[k];
    // The entries of a row share their copies.
    copies_of_user_ = copies(k) ? most_copies(k) : 1;
    if (node.op == Op::softmax) return softmax(k);
    if (node.op == Op::cumsum) return cumsum(k);
    if (node.op == Op::sort) return sort(k);
    for (const std::size_t i : reached_[k]) {
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
          for (std::size_t a = 0; a < 2; ++a) {
            if (!has_error_[node.arguments[a]]) continue;
            for (std::size_t j = 0; j < shaped_.steps(k, 0).size(); ++j) {
              add_to(k, a, i, shaped_.steps(k, a)[j], mul(adjoint, box(k, 1 - a, i, shaped_.steps(k, 1 - a)[j]), bits));
            }
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
        case Op::norm:
        case Op::argmax:  // steps: formula.argmax.1, formula.sign.1, formula.stochastic.1
        case Op::sign:
        case Op::stochastic:
          break;
        case Op::logsumexp:
          logsumexp(k, i);
          break;
        case Op::variance:
          variance(k, i);
          break;
        default:
          if (shaped_.is_excluded(k, i)) break;
          add_to(k, 0, i, 0, mul(adjoint, slope_of(node, box(k, 0, i, 0)), bits));
      }
    }
  }

  static Ball add_balls(const Ball& a, const Ball& b) { return oracle::add(a, b, bits); }

  /// The largest number is one of those whose boxes are not below that of another.
  void maximum_over(std::size_t k, std::size_t i) {
    std::vector<std::pair<std::size_t, Ball>> boxes;
    for (const std::size_t step : shaped_.steps(k, 0)) {
      if (!shaped_.is_excluded(k, shaped_.places(k, 0)[i] + step)) boxes.emplace_back(step, box(k, 0, i, step));
    }
    const Ball* top = nullptr;  // the box with the largest lower end: what is below any box is below it
    for (const auto& [step, x] : boxes) {
      if (x.is_finite() && (top == nullptr || top->lower() < x.lower())) top = &x;
    }
    std::vector<std::size_t> candidates;
    for (const auto& [step, x] : boxes) {
      if (top == nullptr || oracle::less(x, *top) != oracle::Answer::yes) candidates.push_back(step);
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
        if (is_reached_[k][first + step] == 0) continue;
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

  bool reaches_row(std::size_t k, const Shaped::Rows& rows, std::size_t first) const {
    return std::ranges::any_of(rows.steps, [&](std::size_t step) { return is_reached_[k][first + step] != 0; });
  }

  void cumsum(std::size_t k) {
    const Shaped::Rows& rows = shaped_.rows(k);
    const int of_node = copies_of_user_;
    for (const std::size_t first : rows.first) {
      if (!reaches_row(k, rows, first)) continue;
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
      if (!reaches_row(k, rows, rows.first[r])) continue;
      Ball sum;
      for (const std::size_t step : rows.steps) {
        const std::size_t i = rows.first[r] + step;
        if (is_reached_[k][i] != 0) arb_addmul(sum.get(), adjoints_[k][i].get(), box(k, i).get(), bits);
      }
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
  std::vector<std::vector<std::size_t>> reached_;      ///< entries, by node
  std::vector<std::vector<std::uint8_t>> is_reached_;  ///< whether an entry is
  std::size_t steps_ = 0;
  Magnitudes uses_;                                             ///< Σ of the magnitudes that the uses pass on
  std::vector<std::pair<std::size_t, std::size_t>> used_ = {};  ///< node and entry of what in_use_ has
  Balls in_use_;  ///< of a softmax: what the entries of the current node have passed on
  std::vector<std::vector<std::uint8_t>> counts_;  ///< copies of each entry: 0, 1, or 2 for several
  int copies_of_user_ = 1;                         ///< of the entry that passes its adjoint on
  std::vector<bool> reaches_copies_;               ///< nodes that copies with different arguments use
  bool is_adjoint_ = true;                         ///< the values passed on belong to adjoints
  bool is_counted_ = true;                         ///< and to uses
  std::vector<bool> has_error_;
};

Mean::Mean(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors)
    : forward_(errors.total[shaped.formula().result]),
      reverse_(std::make_unique<Reverse>(shaped, inputs, values, errors)) {}
Mean::~Mean() = default;

Magnitude Mean::of(std::size_t entry, std::vector<Share>* shares) {
  return forward_[entry].is_finite() ? reverse_->run(entry, shares) : Magnitude::infinity();
}
Balls Mean::adjoints() const { return reverse_->adjoints(); }
std::size_t Mean::steps() const { return reverse_->steps(); }

Magnitude mean(const Shaped& shaped, const Inputs& inputs, const Balls& values, const Errors& errors, std::size_t entry,
               std::vector<Share>* shares, Balls* adjoints) {
  Mean passes(shaped, inputs, values, errors);
  Magnitude bound = passes.of(entry, shares);
  if (adjoints != nullptr && bound.is_finite()) *adjoints = passes.adjoints();
  return bound;
}

}  // namespace assay::formulas
