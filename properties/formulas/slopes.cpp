#include "properties/formulas/slopes.hpp"

namespace assay::formulas {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Elementary;

namespace {

Ball slope_at(const Node& node, const Ball& x) {
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
      return mul(Dyadic(node.exponent),
                 node.exponent == 2 ? x : function_of(Op::power, x, node.exponent - 1, bits_of_adjoints),
                 bits_of_adjoints);
    case Op::exp:
    case Op::expm1:
      return oracle::exp(x, bits_of_adjoints);
    case Op::exp2:
      return mul(oracle::elementary_of(Elementary::exp2, x, bits_of_adjoints),
                 oracle::elementary_of(Elementary::log, Dyadic(2), bits_of_adjoints), bits_of_adjoints);
    case Op::log:
      return div(one, x, bits_of_adjoints);
    case Op::log1p:
      return div(one, add(one, x, bits_of_adjoints), bits_of_adjoints);
    case Op::sqrt:
      return div(Dyadic::scaled(1, -1), oracle::sqrt(x, bits_of_adjoints), bits_of_adjoints);
    case Op::rsqrt: {
      const Ball root = oracle::elementary_of(Elementary::rsqrt, x, bits_of_adjoints);
      return mul(Dyadic::scaled(-1, -1), mul(root, mul(root, root, bits_of_adjoints), bits_of_adjoints),
                 bits_of_adjoints);
    }
    case Op::tanh: {
      const Ball y = oracle::elementary_of(Elementary::tanh, x, bits_of_adjoints);
      return sub(one, mul(y, y, bits_of_adjoints), bits_of_adjoints);
    }
    case Op::erf: {
      const Ball e = oracle::exp(sub(Ball(), mul(x, x, bits_of_adjoints), bits_of_adjoints), bits_of_adjoints);
      return mul(e, div(Dyadic(2), oracle::sqrt(oracle::pi(bits_of_adjoints), bits_of_adjoints), bits_of_adjoints),
                 bits_of_adjoints);
    }
    case Op::sigmoid: {
      const Ball y = function_of(Op::sigmoid, x, 0, bits_of_adjoints);
      return mul(y, sub(one, y, bits_of_adjoints), bits_of_adjoints);
    }
    case Op::sin:
      return oracle::elementary_of(Elementary::cos, x, bits_of_adjoints);
    default:
      return sub(Ball(), oracle::elementary_of(Elementary::sin, x, bits_of_adjoints), bits_of_adjoints);
  }
}

}  // namespace

Ball united(const Ball& a, const Ball& b) {
  Ball both;
  arb_union(both.get(), a.get(), b.get(), bits_of_adjoints);
  return both;
}

Ball zero_to_one() { return {Dyadic::scaled(1, -1), Dyadic::scaled(1, -1)}; }

Ball slope_of(const Node& node, const Ball& x) {
  const bool is_root = node.op == Op::sqrt || node.op == Op::rsqrt;
  // Monotone: its values at the ends are sharper than the value at a wide ball.
  if (is_root && oracle::less(Ball(), x) == oracle::Answer::yes)
    return united(slope_at(node, x.lower()), slope_at(node, x.upper()));
  return slope_at(node, x);
}

}  // namespace assay::formulas
