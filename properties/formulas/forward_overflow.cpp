// Theorem formula.overflow.1: what follows where a number of a program overflows.

#include "properties/formulas/forward.hpp"
#include "properties/formulas/kind_rules.hpp"

namespace assay::formulas {
namespace {

constexpr Kinds no_finite = infinite | not_a_number;

/// Whether a result of the operation that overflows is infinite, and one with a partial result that does is no number.
bool hands_overflow_on(Op op) {
  switch (op) {
    case Op::norm:
    case Op::logits:
    case Op::softmax:
    case Op::logsumexp:
    case Op::pow:
    case Op::atan2:
    case Op::sort:
    case Op::argmax:
      return false;
    default:
      return true;
  }
}

bool is_exponential(Op op) { return op == Op::exp || op == Op::exp2 || op == Op::expm1; }

}  // namespace

bool Forward::is_far_beyond(std::size_t k, std::size_t i) const {
  // Whatever a function within an eighth of its value and an exponent within a half of it err by.
  if (Magnitude(1UL) < Magnitude(16 * machine_.functions) * wide_.u) return false;
  if (!value(k, 0, i).is_finite() || !error(k, 0, i).is_finite()) return false;
  return oracle::less(Ball(Dyadic(2 * machine_.wide.emax + 4)), end(k, 0, i, -1)) == oracle::Answer::yes;
}

bool Forward::note_overflow(std::size_t k, std::size_t i, const Magnitude& own_error, bool by_partial) {
  const Node& node = nodes_[k];
  const Ball& v = values_[k][i];
  Kinds& beyond = errors_.beyond[k][i];
  if (is_exponential(node.op) && is_far_beyond(k, i)) {
    beyond = plus_infinity | no_number;
    return true;
  }
  if (!v.is_finite() || !own_error.is_finite() || !hands_overflow_on(node.op)) return false;
  const auto is_positive_term = [&](std::size_t step) {
    return (kinds(k, 0, i, step) & (negative | minus_infinity | not_a_number)) == 0;
  };
  if (by_partial && node.op == Op::sum && node.extra == 0) {
    by_partial = !std::ranges::all_of(shaped_.steps(k, 0), is_positive_term);
  }
  const bool is_sure = own_error < Magnitude::lower(v);
  const bool is_positive = is_sure && oracle::less(Ball(), v) == oracle::Answer::yes;
  beyond = by_partial                               ? no_finite
           : is_positive || is_exponential(node.op) ? plus_infinity
           : is_sure                                ? minus_infinity
                                                    : infinite;
  return true;
}

Kinds Forward::kinds(std::size_t k, std::size_t a, std::size_t i, std::size_t step) const {
  const Kinds beyond = errors_.beyond[argument(k, a)][place(k, a, i, step)];
  if ((beyond & no_number) != 0) return beyond & no_finite;
  const Ball& v = value(k, a, i, step);
  const Magnitude& e = error(k, a, i, step);
  if (!v.is_finite() || !(e < Magnitude::lower(v))) return beyond | (Magnitude(v) + e == Magnitude() ? zero : finite);
  const bool may_be_lost = Magnitude(v) + e < Magnitude::power_of_two(machine_.wide.emin + 1);
  return beyond | (oracle::less(Ball(), v) == oracle::Answer::yes ? positive : negative) | (may_be_lost ? zero : 0);
}

void Forward::follow(std::size_t k) {
  const bool has_any = std::ranges::any_of(nodes_[k].arguments, [&](std::size_t a) {
    return std::ranges::any_of(errors_.beyond[a], [](Kinds each) { return each != 0; });
  });
  for (std::size_t i = 0; i < errors_.beyond[k].size(); ++i) {
    Followed more = has_any ? followed(k, i) : Followed();
    Kinds& beyond = errors_.beyond[k][i];
    Magnitude& total = errors_.total[k][i];
    if (more.is_number) {
      // It may be stored, and flushed. The smallest number serves enclosures of a value near 0.
      const Magnitude size = Magnitude(values_[k][i]) + more.distance;
      if (machine_.stores(nodes_[k])) {
        if (!(size < stored_.limit)) more.beyond |= infinite;
        more.distance += stored_.u * size + stored_.eta;
      }
      more.distance += wide_.flushed + wide_.eta;
    }
    const bool is_number = (beyond & no_number) == 0 && !more.is_certain;
    beyond = (beyond & no_finite) | more.beyond;
    if ((beyond & infinite) == infinite) beyond |= not_a_number;  // their sum
    if (!is_number && !more.is_number) {
      total = Magnitude();
      beyond |= no_number;
    } else if (more.is_number) {
      total = is_number ? max(total, more.distance) : more.distance;
      if (has_sides(k)) set_sides(k, i, total, total);
    }
    if (beyond != 0 && may_saturate(k)) total = Magnitude::infinity();
    if (!total.is_finite()) beyond = no_finite;
  }
}

Forward::Followed Forward::followed(std::size_t k, std::size_t i) const {
  const auto moved = [&](std::size_t a, std::size_t step = 0) {
    const Kinds beyond = errors_.beyond[argument(k, a)][place(k, a, i, step)];
    return Followed{.beyond = beyond & no_finite, .is_certain = (beyond & no_number) != 0};
  };
  const Node& node = nodes_[k];
  switch (node.op) {
    case Op::input:
    case Op::constant:
      return {};
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::maximum:
    case Op::minimum:
      return followed_by_two(k, i);
    case Op::sum:
    case Op::dot:
      return followed_by_sum(k, i);
    case Op::maximum_over:
      return followed_by_maximum(k, i);
    case Op::gather:
      return moved(0);
    case Op::stack:
      return moved(i % 2);
    case Op::where:
      return moved(shaped_.is_in_mask(k, i) ? 0 : 1);
    case Op::spread: {
      // An entry that is 0 where x is not is at another place than the one that is named.
      const bool is_named = Magnitude(value(k, 0, i)).is_zero() || !Magnitude(values_[k][i]).is_zero();
      return is_named ? moved(0) : Followed();
    }
    case Op::pick: {
      Followed all;
      for (const std::size_t step : shaped_.steps(k, 0)) all.beyond |= moved(0, step).beyond;
      return all;
    }
    case Op::cumsum:
    case Op::prod:
    case Op::cumprod:
    case Op::variance:  // no number comes of a term or a factor that is none
      return {.beyond = no_finite};
    case Op::neg:
    case Op::abs:
    case Op::relu:
    case Op::sign:
    case Op::power:
    case Op::exp:
    case Op::exp2:
    case Op::expm1:
    case Op::log:
    case Op::log1p:
    case Op::sqrt:
    case Op::rsqrt:
    case Op::tanh:
    case Op::erf:
    case Op::sigmoid:
    case Op::sin:
    case Op::cos:
      return followed_by_one(k, i);
    default:
      return {.beyond = no_finite, .is_number = true, .distance = Magnitude::infinity()};
  }
}

Forward::Followed Forward::followed_by_two(std::size_t k, std::size_t i) const {
  const Op op = nodes_[k].op;
  const auto rule = [op](Kinds a, Kinds b) {
    using namespace kind_rules;
    if (op == Op::add) return kind_rules::sum(a, b);
    if (op == Op::sub) return kind_rules::sum(a, negated(b));
    if (op == Op::mul) return product(a, b);
    if (op == Op::div) return product(a, reciprocal(b));
    return op == Op::maximum ? kind_rules::maximum(a, b) : negated(kind_rules::maximum(negated(a), negated(b)));
  };
  const Kinds of[] = {kinds(k, 0, i), kinds(k, 1, i)};
  const Kinds all = rule(of[0] & no_finite, of[1]) | rule(of[0], of[1] & no_finite);
  Followed more{.beyond = all & no_finite};
  // A factor that moves into a sum is multiplied by terms of both signs, and by 0.
  const bool moves = nodes_[argument(k, 0)].extra != 0 || (op == Op::mul && nodes_[argument(k, 1)].extra != 0);
  if (moves && ((of[0] | of[1]) & no_finite) != 0) more.beyond = no_finite;
  const bool selects = op == Op::maximum || op == Op::minimum;
  for (const std::size_t a : {0UL, 1UL}) {
    more.is_certain = more.is_certain || (of[a] & finite) == 0;
    // The number beside −∞ or NaN.
    const bool is_selected = selects && (of[1 - a] & no_finite) != 0 && (of[a] & finite) != 0;
    if (is_selected && (all & finite) != 0)
      more.take(Magnitude(sub(value(k, a, i), values_[k][i], bits_)) + error(k, a, i));
  }
  if (!selects && (all & finite) != 0) more.take(Magnitude(values_[k][i]));  // a/∞
  return more;
}

Forward::Followed Forward::followed_by_sum(std::size_t k, std::size_t i) const {
  const Node& node = nodes_[k];
  const auto is_masked = [&](std::size_t a, std::size_t j) {
    const auto softmax = weights_of(argument(k, a));
    if (!softmax || *softmax != argument(k, a)) return softmax.has_value();
    const std::size_t logits = argument(*softmax, 0);
    return nodes_[logits].mask && !shaped_.is_in_mask(logits, place(k, a, i, shaped_.steps(k, a)[j]));
  };
  Followed more;
  Kinds so_far = finite;
  for (std::size_t j = 0; j < shaped_.steps(k, 0).size(); ++j) {
    Kinds term = kinds(k, 0, i, shaped_.steps(k, 0)[j]);
    bool is_number = (term & finite) != 0;
    if (node.op == Op::dot) {
      const Kinds other = kinds(k, 1, i, shaped_.steps(k, 1)[j]);
      is_number = is_number && (other & finite) != 0;
      term = kind_rules::product(term & no_finite, other) | kind_rules::product(term, other & no_finite);
    }
    if ((term & no_finite) == 0) continue;
    const Kinds with = kind_rules::sum(so_far, (term & no_finite) | (is_number ? finite : 0));
    const bool may_be_left_out = node.op == Op::dot && (is_masked(0, j) || is_masked(1, j));
    so_far = may_be_left_out ? with | so_far : with;
    more.is_certain = more.is_certain || (!is_number && !may_be_left_out);
  }
  more.beyond = so_far & no_finite;
  if (node.extra != 0 && more.beyond != 0) more.beyond = no_finite;
  return more;
}

Forward::Followed Forward::followed_by_maximum(std::size_t k, std::size_t i) const {
  Followed more;
  Kinds all = minus_infinity;
  Kinds lower = 0;
  Magnitude most;
  for (const std::size_t step : shaped_.steps(k, 0)) {
    if (shaped_.is_excluded(k, place(k, 0, i, step))) continue;
    const Kinds of = kinds(k, 0, i, step);
    all = kind_rules::maximum(all, of);
    lower |= of & (minus_infinity | not_a_number);
    more.is_certain = more.is_certain || (of & finite) == 0;
    if ((of & finite) != 0)
      most = max(most, Magnitude(sub(value(k, 0, i, step), values_[k][i], bits_)) + error(k, 0, i, step));
  }
  more.beyond = all & no_finite;
  if (lower != 0 && (all & finite) != 0) more.take(most);
  return more;
}

Forward::Followed Forward::followed_by_one(std::size_t k, std::size_t i) const {
  const Node& node = nodes_[k];
  if (shaped_.is_excluded(k, i)) return {};
  const Kinds x = kinds(k, 0, i);
  const Kinds all =
      kind_rules::each(x & no_finite, [&](Kinds kind) { return kind_rules::function(node.op, node.exponent, kind); });
  Followed more{.beyond = all & no_finite, .is_certain = (x & finite) == 0};
  if ((all & zero) != 0) more.take(Magnitude(values_[k][i]) + Magnitude(machine_.functions) * wide_.eta);
  for (const Kinds sign : {positive, negative}) {
    if ((all & sign) == 0) continue;
    const bool is_one = node.op == Op::tanh || node.op == Op::erf || node.op == Op::sigmoid || node.op == Op::sign ||
                        node.op == Op::expm1;
    if (!is_one) more.take(Magnitude::infinity());
    const Dyadic limit(sign == positive ? 1 : -1);
    more.take(Magnitude(sub(limit, values_[k][i], bits_)) + Magnitude(2 * machine_.functions + 2) * wide_.u);
  }
  return more;
}

}  // namespace assay::formulas
