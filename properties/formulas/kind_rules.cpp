#include "properties/formulas/kind_rules.hpp"

#include <algorithm>
#include <string>

namespace assay::formulas::kind_rules {

Kinds negated(Kinds kinds) {
  const auto moved = [&](Kinds from, Kinds to) { return (kinds & from) != 0 ? to : 0U; };
  return (kinds & (zero | not_a_number)) | moved(positive, negative) | moved(negative, positive) |
         moved(plus_infinity, minus_infinity) | moved(minus_infinity, plus_infinity);
}

Kinds sum(Kinds a, Kinds b) {
  return pairs(a, b, [](Kinds x, Kinds y) -> Kinds {
    if (((x | y) & not_a_number) != 0) return not_a_number;
    if ((x & infinite) != 0 && (y & infinite) != 0) return x == y ? x : not_a_number;
    if ((x & infinite) != 0) return x;
    if ((y & infinite) != 0) return y;
    if (x == zero) return y;
    if (y == zero || x == y) return x;
    return finite;
  });
}

Kinds product(Kinds a, Kinds b) {
  return pairs(a, b, [](Kinds x, Kinds y) -> Kinds {
    if (((x | y) & not_a_number) != 0) return not_a_number;
    const bool has_infinity = ((x | y) & infinite) != 0;
    if (x == zero || y == zero) return has_infinity ? not_a_number : zero;
    const bool is_negative = ((x & (negative | minus_infinity)) != 0) != ((y & (negative | minus_infinity)) != 0);
    if (has_infinity) return is_negative ? minus_infinity : plus_infinity;
    return (is_negative ? negative | minus_infinity : positive | plus_infinity) | zero;
  });
}

Kinds product(const std::vector<Kinds>& factors) {
  Kinds so_far = factors[0];
  for (std::size_t j = 1; j < factors.size(); ++j) so_far = product(so_far, factors[j]);
  const auto count = [&](Kinds of) {
    return std::ranges::count_if(factors, [of](Kinds each) { return (each & of) != 0; });
  };
  return count(positive | negative) > 1 && count(zero | infinite) > 0 ? so_far | not_a_number : so_far;
}

Kinds reciprocal(Kinds kinds) {
  return each(kinds, [](Kinds x) -> Kinds {
    if (x == zero) return infinite;
    if ((x & infinite) != 0) return zero;
    return x == positive ? positive | zero | plus_infinity : x == negative ? negative | zero | minus_infinity : x;
  });
}

Kinds maximum(Kinds a, Kinds b) {
  return pairs(a, b, [](Kinds x, Kinds y) -> Kinds {
    if (((x | y) & not_a_number) != 0) return x | y;
    constexpr Kinds order[] = {plus_infinity, positive, zero, negative, minus_infinity};
    for (const Kinds kind : order) {
      if (x == kind || y == kind) return kind;
    }
    return not_a_number;
  });
}

Kinds power_of_two_numbers(Kinds a, Kinds b) {
  return pairs(a, b, [](Kinds x, Kinds y) -> Kinds {
    if (y == zero) return x == positive || x == negative ? positive : positive | not_a_number;
    if (x == not_a_number) return not_a_number;
    if (y == not_a_number) return not_a_number | positive;
    const bool is_up = y == positive || y == plus_infinity;
    if (x == zero) return is_up ? zero : infinite;
    if (x == plus_infinity) return is_up ? plus_infinity : zero;
    if (x != positive) return every_kind;
    return (y & infinite) != 0 ? zero | positive | plus_infinity | not_a_number : zero | positive | plus_infinity;
  });
}

Kinds power_of_two_known(const Known& x, const Known& y) {
  const bool is_number = (x.kind & (positive | negative)) != 0;
  const bool has_exponent = (y.kind & (positive | negative)) != 0;
  if (y.kind == zero) return is_number ? positive : positive | not_a_number;
  const bool is_one = is_number && abs(x.number) == oracle::Dyadic(1);
  const bool is_minus_one = is_one && x.kind == negative;
  if (((x.kind | y.kind) & not_a_number) != 0) return is_one && !is_minus_one ? positive | not_a_number : not_a_number;
  if (is_one && !has_exponent) return positive | not_a_number;
  const bool is_up = (y.kind & (positive | plus_infinity)) != 0;
  const bool is_odd = has_exponent && y.number.is_integer() && y.number.lowest_exponent() == 0;
  if (x.kind == zero) return is_up ? zero : is_odd ? infinite : plus_infinity;
  if (!is_number) return !is_up ? zero : x.kind == minus_infinity && is_odd ? minus_infinity : plus_infinity;
  if (!has_exponent) return (oracle::Dyadic(1) < abs(x.number)) == is_up ? plus_infinity : zero;
  if (is_undefined_power(x, y)) return not_a_number;
  return zero | (x.kind == negative && is_odd ? negative | minus_infinity : positive | plus_infinity);
}

bool is_undefined_power(const Known& x, const Known& y) {
  const bool has_exponent = (y.kind & (positive | negative)) != 0;
  return (x.kind == zero && y.kind == negative) || (x.kind == negative && has_exponent && !y.number.is_integer());
}

Kinds angle(Kinds y, Kinds x) {
  if (((x | y) & not_a_number) != 0) return not_a_number;
  if ((y & infinite) != 0) return y == plus_infinity ? positive : negative;
  if (x == plus_infinity) return zero;
  if (x == minus_infinity && y != zero) return y;
  return finite;
}

Kinds function(Op op, unsigned long exponent, Kinds x) {
  if ((op == Op::relu || op == Op::sign) && x == not_a_number) return not_a_number | zero;
  if (x == not_a_number) return not_a_number;
  const bool is_positive = x == positive || x == plus_infinity;
  switch (op) {
    case Op::neg:
      return negated(x);
    case Op::abs:
      return x == negative ? positive : x == minus_infinity ? plus_infinity : x;
    case Op::relu:
      return is_positive ? x : zero;
    case Op::sign:
      return is_positive ? positive : x == zero ? zero : negative;
    case Op::power:
      if (x == zero) return zero;
      if (exponent % 2 == 1 && !is_positive) return x == negative ? negative | zero | minus_infinity : x;
      return (x & infinite) != 0 ? plus_infinity : positive | zero | plus_infinity;
    case Op::exp:
    case Op::exp2:
      if ((x & infinite) != 0) return x == plus_infinity ? plus_infinity : zero;
      return x == positive ? positive | plus_infinity : x == negative ? positive | zero : positive;
    case Op::expm1:
      return x == plus_infinity ? x : x == minus_infinity ? negative : x == positive ? positive | plus_infinity : x;
    case Op::log:
      return x == zero ? minus_infinity : x == plus_infinity ? x : x == positive ? finite : not_a_number;
    case Op::log1p:
      return x == negative ? negative | minus_infinity | not_a_number : x == minus_infinity ? not_a_number : x;
    case Op::sqrt:
      return is_positive || x == zero ? x : not_a_number;
    case Op::rsqrt:
      return x == zero ? infinite : x == plus_infinity ? zero : x == positive ? positive : not_a_number;
    case Op::tanh:
    case Op::erf:
      return is_positive ? positive | (x == positive ? zero : 0U) : x == zero ? zero : negative | zero;
    case Op::sigmoid:
      return x == minus_infinity ? zero : x == negative ? positive | zero : positive;
    case Op::sin:
    case Op::cos:
      return (x & infinite) != 0 ? not_a_number : finite;
    default:
      return every_kind;
  }
}

}  // namespace assay::formulas::kind_rules

namespace assay::formulas {

std::string describe_kinds(Kinds kinds) {
  std::string text;
  const auto add = [&](Kinds kind, const char* name) {
    if ((kinds & kind) != 0) text += (text.empty() ? "" : " or ") + std::string(name);
  };
  if ((kinds & finite) == finite) {
    add(finite, "finite");
  } else {
    add(zero, "0");
    add(positive, "positive");
    add(negative, "negative");
  }
  add(plus_infinity, "+inf");
  add(minus_infinity, "-inf");
  add(not_a_number, "NaN");
  return text;
}

}  // namespace assay::formulas
