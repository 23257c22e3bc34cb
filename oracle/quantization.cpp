// Scales and codes by integer arithmetic. An operation of binary32 is an exact quotient, product or sum with one
// rounding.

#include "oracle/quantization.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace assay::oracle {
namespace {

constexpr Rule nearest{.overflow = Overflow::infinity, .infinite = OfInfinity::infinity};

const NumberFormat& single() {
  static const NumberFormat& format = *find_number_format("f32");
  return format;
}
std::uint64_t single_code(const Number& x) { return converted(x, single(), nearest).code; }
/// The number of binary32 that is nearest to x.
Number rounded(const Number& x) { return decode(single(), single_code(x)); }

Number integer(std::uint64_t m, int e = 0) { return {Number::Kind::finite, false, m, e}; }
Number with_exponent(const Number& x, int more) { return {x.kind, x.negative, x.m, x.e + more}; }

/// The exponent of the leading bit. Requires: x is finite and not 0.
int exponent(const Number& x) { return static_cast<int>(std::bit_width(x.m)) - 1 + x.e; }

Number negated(const Number& x) { return {x.kind, !x.negative, x.m, x.e}; }

/// a/b to 40 bits or more, to 60 if b.m < 2^30; the last bit is 1 if the remainder is not 0. Requires: 0 < a.m, b.m <
/// 2^40.
Number quotient(const Number& a, const Number& b) {
  const int up = 63 - static_cast<int>(std::bit_width(a.m));
  const std::uint64_t m = a.m << up;
  const std::uint64_t high = m / b.m;
  // A second step of the division: the remainder is below b.m.
  const int more = std::max(0, std::min(std::countl_zero(high) - 2, std::countl_zero(b.m)));
  const std::uint64_t rest = (m % b.m) << more;
  return {Number::Kind::finite, a.negative != b.negative, (high << more) | (rest / b.m) | (rest % b.m != 0 ? 1 : 0),
          a.e - up - more - b.e};
}
/// Requires: numbers with a product of at most 64 bits.
Number product(const Number& a, const Number& b) {
  return {Number::Kind::finite, a.negative != b.negative, a.m * b.m, a.e + b.e};
}
/// a + b to 60 bits; the last bit is 1 if the rest is not 0. Requires: numbers of at most 48 bits.
Number sum(const Number& a, const Number& b) {
  if (a.m == 0 && b.m == 0) return {Number::Kind::finite, a.negative && b.negative, 0, a.e};
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  if (exponent(a) < exponent(b)) return sum(b, a);
  const int up = 60 - static_cast<int>(std::bit_width(a.m));
  const std::uint64_t m = a.m << up;
  const int places = b.e - (a.e - up);
  std::uint64_t shifted = 0;
  bool has_rest = false;
  if (places >= 0) {
    shifted = b.m << places;
  } else if (places > -64) {
    shifted = b.m >> -places;
    has_rest = (shifted << -places) != b.m;
  } else {
    has_rest = true;
  }
  if (a.negative == b.negative) {
    return {Number::Kind::finite, a.negative, (m + shifted) | (has_rest ? 1 : 0), a.e - up};
  }
  if (m < shifted) return {Number::Kind::finite, b.negative, shifted - m, a.e - up};  // equal exponents: no rest
  const std::uint64_t difference = m - shifted - (has_rest ? 1 : 0);
  return {Number::Kind::finite, difference != 0 && a.negative, difference | (has_rest ? 1 : 0), a.e - up};
}

Number single_quotient(const Number& a, const Number& b) { return a.m == 0 ? a : rounded(quotient(a, b)); }
Number single_product(const Number& a, const Number& b) { return rounded(product(a, b)); }
Number single_sum(const Number& a, const Number& b) { return rounded(sum(a, b)); }
Number reciprocal(const Number& x) { return single_quotient(integer(1), x); }

/// The least k with x ≤ 2^k.
int ceil_log2(const Number& x) { return exponent(x) + (std::has_single_bit(x.m) ? 0 : 1); }

Number largest(const NumberFormat& format) { return decode(format, format.largest()); }
/// The number for which M stands.
Number top_of(const QuantizationRule& rule) {
  Number top = largest(rule.format->element);
  if (rule.range == Range::half) return {top.kind, false, 2 * top.m + 1, top.e - 1};
  if (rule.range == Range::full) ++top.m;
  return top;
}

/// The exponent of a scale that is a power of two.
int exponent_of_scale(const QuantizationRule& rule, const Number& amax) {
  const NumberFormat& element = rule.format->element;
  const Number top = largest(element);
  const int emax = exponent(top);
  const int e = exponent(amax);
  const int bits = static_cast<int>(std::bit_width(amax.m));
  switch (rule.scale) {
    case ScaleRule::ceil:
      return ceil_log2(amax) - emax;
    case ScaleRule::round_up:
      return ceil_log2(quotient(amax, top));
    case ScaleRule::round_up_f32: {
      const Number scaled = single_product(amax, reciprocal(top));
      return scaled.m == 0 ? -127 : ceil_log2(scaled);
    }
    case ScaleRule::round_even: {
      // M ≥ (2 − u)·2^e, with u = 2^−p: all p + 1 leading bits are 1.
      const std::uint64_t ones = (std::uint64_t{2} << element.precision) - 1;
      const int down = bits - 1 - element.precision;
      const bool goes_up = (down >= 0 ? amax.m >> down : amax.m << -down) == ones;
      return e + (goes_up ? 1 : 0) - emax;
    }
    case ScaleRule::log2:
      // M² > 2·2^2e; equality does not occur.
      return e + (static_cast<int>(std::bit_width(amax.m * amax.m)) == 2 * bits ? 1 : 0) - emax;
    default:
      return e - emax;
  }
}

Wanted code(std::uint64_t value) { return {Wanted::Kind::code, value}; }
Wanted wanted_of(const Expected& expected) {
  return {expected.kind == Expected::Kind::code ? Wanted::Kind::code : Wanted::Kind::nan, expected.code};
}

Rule element_rule(const QuantizationRule& rule) {
  constexpr std::array of_nan{OfNan::nan, OfNan::nan, OfNan::max, OfNan::signed_max, OfNan::zero, OfNan::nan};
  return {.direction = rule.direction,
          .nan = of_nan[static_cast<std::size_t>(rule.nan)],
          .keeps_sign_of_zero = rule.keeps_sign_of_zero};
}

/// Rounds the numbers of a block to elements. If the rule has a draw, each with its word.
class Rounding {
 public:
  Rounding(const QuantizationRule& rule, std::size_t size, const RandomWords& random, WantedBlock& wanted)
      : rule_(rule), of_element_(element_rule(rule)), random_(random), scaled_(wanted.scaled) {
    scaled_.resize(rule.draw ? size : 0);
  }
  /// The result of entry i, which is y over the scale.
  Wanted operator()(const Number& y, std::size_t i) const {
    const NumberFormat& element = rule_.format->element;
    if (!rule_.draw) return wanted_of(converted(y, element, of_element_));
    scaled_[i] = y;
    const Chances of = chances(y, element, of_element_, *rule_.draw, random_.bits);
    const std::uint64_t all_words = std::uint64_t{1} << random_.bits;
    if (random_.words.empty()) {
      Wanted either = wanted_of(of.words == all_words ? of.far : of.near);
      if (of.words != 0 && of.words != all_words) either.other = of.far.code;
      return either;
    }
    const std::uint64_t word = random_.words[i];
    const bool is_far = rule_.is_reversed ? word < of.words : word + of.words >= all_words;
    return wanted_of(is_far ? of.far : of.near);
  }

 private:
  const QuantizationRule& rule_;
  Rule of_element_;
  const RandomWords& random_;
  std::vector<Number>& scaled_;
};

/// Sets the result of(x, i) of each entry, in the place that the order of nibbles determines.
template <class Of>
void fill(const QuantizationRule& rule, std::span<const Number> block, WantedBlock& wanted, const Of& of) {
  wanted.codes.resize(block.size());
  for (std::size_t i = 0; i < block.size(); ++i) wanted.codes[place_of_code(rule, i)] = of(block[i], i);
}

void fill_anything(std::span<const Number> block, WantedBlock& wanted) {
  wanted.codes.assign(block.size(), Wanted{Wanted::Kind::any});
  wanted.scaled.clear();
}

void of_power_of_two(const QuantizationRule& rule, std::span<const Number> block, const Number& amax,
                     const RandomWords& random, WantedBlock& wanted) {
  int k = amax.m == 0 ? rule.zeros == OfZeros::one ? 0 : -127 : std::max(-127, exponent_of_scale(rule, amax));
  const bool is_largest = std::ranges::any_of(block, [](const Number& x) { return x.kind == Number::Kind::infinite; });
  if (is_largest) k = 127;
  wanted.scale = code(static_cast<std::uint64_t>(k + 127));
  if (amax.m == 0 && rule.zeros == OfZeros::any && !is_largest) wanted.scale.kind = Wanted::Kind::any;
  const Rounding rounding(rule, block.size(), random, wanted);
  fill(rule, block, wanted, [&](const Number& x, std::size_t i) { return rounding(with_exponent(x, -k), i); });
}

/// The least M as a number of binary32.
Number least_of(LeastAmax least) {
  // 0, 1e-4, 1e-10, 1e-12, 1e-5, and 0 if the scale has the minimum.
  constexpr std::array<std::uint32_t, 6> patterns{0, 0x38D1B717, 0x2EDBE6FF, 0x2B8CBCCC, 0x3727C5AC, 0};
  return decode(single(), patterns[static_cast<std::size_t>(least)]);
}

Number amax_in_single(const Number& amax) { return rounded({amax.kind, false, amax.m, amax.e}); }

bool is_less(const Number& a, const Number& b) {
  if (a.m == 0 && b.m == 0) return false;
  const bool a_negative = a.negative && a.m != 0;
  const bool b_negative = b.negative && b.m != 0;
  if (a_negative != b_negative) return a_negative;
  return a_negative ? is_smaller(b, a) : is_smaller(a, b);
}

/// The code of y in a code book: of the nearest number by the borders, or of its neighbor in another direction.
Wanted of_book(const Number& y, const NumberFormat& book, Direction direction) {
  if (y.kind == Number::Kind::nan) return {Wanted::Kind::any};
  const std::uint64_t last = book.largest();
  if (y.kind == Number::Kind::infinite) return code(y.negative ? 0 : last);
  if (!is_less(decode(book, 0), y)) return code(0);
  std::uint64_t below = 0;
  while (below < last && !is_less(y, decode(book, below + 1))) ++below;
  const Number least = decode(book, below);
  if (below == last || !is_less(least, y)) return code(below);
  const Number border = decode(single(), book.book->borders[below]);
  const bool is_below = is_less(y, border);
  const bool is_tie = !is_below && !is_less(border, y);
  const auto nearest = [&](bool tie_up) { return !is_below && (!is_tie || tie_up); };
  const bool is_odd = below % 2 != 0;
  const auto is_up = [&] {
    switch (direction) {
      case Direction::even:
        return nearest(is_odd);
      case Direction::away:
        return nearest(!y.negative);
      case Direction::toward:
        return nearest(y.negative);
      case Direction::ties_up:
        return nearest(true);
      case Direction::ties_down:
        return nearest(false);
      case Direction::zero:
        return y.negative;
      case Direction::up:
        return true;
      case Direction::down:
        return false;
      case Direction::outward:
        return !y.negative;
      case Direction::odd:
        break;
    }
    return !is_odd;
  };
  return code(below + (is_up() ? 1 : 0));
}

void of_factor(const QuantizationRule& rule, std::span<const Number> block, const Number& of_block,
               const RandomWords& random, WantedBlock& wanted) {
  Number amax = amax_in_single(of_block);
  const Number least = least_of(rule.least);
  if (is_smaller(amax, least)) amax = least;
  const NumberFormat& element = rule.format->element;
  const Rounding rounding(rule, block.size(), random, wanted);
  const auto convert = [&](const Number& y, std::size_t i) {
    if (element.book != nullptr) return of_book(y, element, rule.direction);
    Wanted result = rounding(y, i);
    if (element.is_integer() && rule.range == Range::narrow) {
      const auto clamp = [&](std::uint64_t& each) { each += each == element.sign_bit() ? 1 : 0; };
      clamp(result.code);
      if (result.other) clamp(*result.other);
    }
    return result;
  };
  if (amax.m == 0) {
    wanted.scale = code(rule.zeros == OfZeros::one ? single_code(integer(1)) : 0);
    if (rule.zeros == OfZeros::any) wanted.scale.kind = Wanted::Kind::any;
    // With a scale of 0 every code of a book stands for 0.
    if (element.book != nullptr && rule.zeros != OfZeros::one) return fill_anything(block, wanted);
    fill(rule, block, wanted, convert);
    return;
  }
  const Number top = top_of(rule);
  Number scale = single_quotient(amax, top);
  Number multiplier;
  if (rule.scale == ScaleRule::reciprocal) scale = single_product(amax, reciprocal(top));
  if (rule.scale == ScaleRule::power) scale = integer(1, ceil_log2(scale));
  if (rule.scale == ScaleRule::inverse) {
    multiplier = single_quotient(top, amax);
    scale = reciprocal(multiplier);
  } else if (rule.factor == Factor::product) {
    multiplier = reciprocal(scale);
  }
  wanted.scale = code(converted(scale, rule.format->scale, nearest).code);
  fill(rule, block, wanted, [&](const Number& x, std::size_t i) {
    if (x.m == 0) return convert(x, i);
    return convert(rule.factor == Factor::product ? single_product(x, multiplier) : rounded(quotient(x, scale)), i);
  });
}

/// The entry of largest magnitude; the first if there are several.
Number signed_max(std::span<const Number> block) {
  Number max;
  for (const Number& each : block) {
    if (is_smaller(max, each)) max = each;
  }
  return max;
}

/// The largest code, or that of RN(x·id) + offset rounded in the direction.
void of_ggml(const QuantizationRule& rule, std::span<const Number> block, WantedBlock& wanted) {
  const NumberFormat& element = rule.format->element;
  const bool has_minimum = rule.format->scaling == Scaling::minimum;
  Number low = integer(0);
  Number scale;
  if (has_minimum) {
    // The first of equal numbers, which in a block of zeros decides the sign of the difference.
    low = *std::ranges::min_element(block, is_less);
    const Number& high = *std::ranges::max_element(block, is_less);
    scale = single_quotient(single_sum(high, negated(low)), integer(element.mask()));
    wanted.second = code(converted(low, *find_number_format("f16"), nearest).code);
  } else {
    scale = with_exponent(signed_max(block), 1 - element.bits);
    scale.negative = !scale.negative;
    scale = rounded(scale);
  }
  wanted.scale = code(converted(scale, rule.format->scale, nearest).code);
  const Number multiplier = scale.m == 0 ? integer(0) : reciprocal(scale);
  // Half a unit more, so that truncation rounds to nearest with ties up. Other directions round the rest without it.
  const bool is_truncated = rule.direction == Direction::ties_up;
  const std::uint64_t zero = has_minimum ? 0 : std::uint64_t{1} << element.bits;  // twice the code of 0
  const Number offset = integer(zero + (is_truncated ? 1 : 0), -1);
  const Rule of_element{.direction = is_truncated ? Direction::zero : rule.direction};
  fill(rule, block, wanted, [&](const Number& x, std::size_t) {
    const Number shifted = has_minimum ? single_sum(x, negated(low)) : x;
    const Number scaled = product(shifted, multiplier);
    const Number y = rule.factor == Factor::fused ? single_sum(scaled, offset) : single_sum(rounded(scaled), offset);
    return wanted_of(converted(y, element, of_element));
  });
}

/// A number of binary32, rounded to an integer of 32 bits. A sum with a zero point cannot overflow.
std::int64_t integer_of(const Number& x, Direction direction) {
  static constexpr NumberFormat wide{"", "", 32, 32, 31, Codes::integer};
  const Number k = decode(wide, converted(x, wide, Rule{.direction = direction}).code);
  return k.negative ? -static_cast<std::int64_t>(k.m) : static_cast<std::int64_t>(k.m);
}

/// The codes RN(x/s) + z, or the codes by another factor.
void of_zero_point(const QuantizationRule& rule, std::span<const Number> block, WantedBlock& wanted) {
  const NumberFormat& element = rule.format->element;
  const auto least_code = -static_cast<std::int64_t>(element.sign_bit());
  const std::int64_t most_code = static_cast<std::int64_t>(element.largest());
  const auto [min, max] = std::ranges::minmax_element(block, is_less);
  const bool has_zero = rule.span == Span::with_zero;
  const Number low = has_zero && !min->negative ? integer(0) : *min;
  const Number high = has_zero && max->negative ? integer(0) : *max;
  Number width = single_sum(high, negated(low));
  const Number least = least_of(rule.least);
  if (is_smaller(width, least)) width = least;
  const Number steps = integer(static_cast<std::uint64_t>(most_code - least_code));
  Number scale =
      rule.scale == ScaleRule::reciprocal ? single_product(width, reciprocal(steps)) : single_quotient(width, steps);
  const Number least_scale = rounded(integer(1, -23));
  if (rule.least == LeastAmax::scale && is_smaller(scale, least_scale)) scale = least_scale;
  const bool is_zero = scale.m == 0;
  wanted.scale = code(is_zero && rule.zeros == OfZeros::one ? single_code(integer(1)) : single_code(scale));
  if (is_zero && rule.zeros == OfZeros::any) wanted.scale.kind = Wanted::Kind::any;
  const auto code_of = [&](std::int64_t k) {
    return static_cast<std::uint64_t>(std::clamp(k, least_code, most_code)) & element.mask();
  };
  // The code of a zero entry is the zero point.
  const Number ratio = is_zero ? integer(0) : single_quotient(low, scale);
  const Number least_number{Number::Kind::finite, true, element.sign_bit(), 0};
  std::int64_t zero = rule.zero_point == ZeroPoint::of_sum && ratio.kind == Number::Kind::finite
                          ? integer_of(single_sum(least_number, negated(ratio)), rule.direction)
                          : least_code - integer_of(ratio, rule.direction);
  zero = std::clamp(zero, least_code, most_code);
  wanted.second = code(static_cast<std::uint64_t>(zero) & rule.format->second->mask());
  const Number multiplier = is_zero || rule.factor == Factor::quotient ? integer(0) : reciprocal(scale);
  const Number offset{Number::Kind::finite, zero < 0, static_cast<std::uint64_t>(zero < 0 ? -zero : zero), 0};
  fill(rule, block, wanted, [&](const Number& x, std::size_t) {
    if (is_zero || x.m == 0) return code(code_of(zero));
    if (rule.factor == Factor::quotient) {
      return code(code_of(integer_of(single_quotient(x, scale), rule.direction) + zero));
    }
    const Number scaled = product(x, multiplier);
    const Number y = rounded(scaled);
    if (rule.factor == Factor::product || y.kind != Number::Kind::finite) {
      return code(code_of(integer_of(y, rule.direction) + zero));
    }
    return code(code_of(integer_of(single_sum(rule.factor == Factor::fused ? scaled : y, offset), rule.direction)));
  });
}

/// The codes under the scale that the quantizer stored. A scale of 0 has no codes, and one that is no number is wrong.
void of_stored(const QuantizationRule& rule, std::span<const Number> block, const StoredScale& stored,
               WantedBlock& wanted) {
  const Number scale = decode(rule.format->scale, stored.scale);
  const Number minimum = decode(*rule.format->second, stored.second);
  const bool are_numbers = scale.kind == Number::Kind::finite && minimum.kind == Number::Kind::finite;
  wanted.scale = are_numbers ? Wanted{Wanted::Kind::any} : code(0);
  if (!are_numbers || scale.m == 0) {
    fill_anything(block, wanted);
    return;
  }
  const Rule of_element = element_rule(rule);
  const Number multiplier = reciprocal(scale);
  fill(rule, block, wanted, [&](const Number& x, std::size_t) {
    const Number shifted = single_sum(x, negated(minimum));
    if (shifted.kind != Number::Kind::finite) return wanted_of(converted(shifted, rule.format->element, of_element));
    const Number y =
        rule.factor == Factor::product ? single_product(shifted, multiplier) : single_quotient(shifted, scale);
    return wanted_of(converted(y, rule.format->element, of_element));
  });
}

void of_two_level(const QuantizationRule& rule, std::span<const Number> block, const Number& amax, const Number& of_all,
                  const RandomWords& random, WantedBlock& wanted) {
  const NumberFormat& scale_format = rule.format->scale;
  const Number tensor = amax_in_single(of_all);
  const Number most = integer(2688);
  const Rounding rounding(rule, block.size(), random, wanted);
  const auto convert = [&](const Number& y, std::size_t i) { return rounding(y, i); };
  wanted.second = code(single_code(tensor.m == 0 ? tensor : single_quotient(tensor, most)));
  if (tensor.m == 0 || amax.m == 0) {
    wanted.scale = Wanted{Wanted::Kind::any};
    if (tensor.m == 0) wanted.second.kind = Wanted::Kind::any;
    fill(rule, block, wanted, convert);
    return;
  }
  const Number encode = single_quotient(most, tensor);
  const Number ratio = rule.scale == ScaleRule::two_level
                           ? quotient(product(amax, integer(448)), tensor)
                           : single_product(amax_in_single(amax), single_product(encode, reciprocal(integer(6))));
  const std::uint64_t scale_code = converted(ratio, scale_format, Rule{}).code;
  const Number scale = decode(scale_format, scale_code);
  wanted.scale = code(scale_code);
  if (scale.m == 0) {  // the codes have no meaning
    fill_anything(block, wanted);
    return;
  }
  if (rule.scale == ScaleRule::two_level) {
    const Number divisor = product(tensor, scale);
    fill(rule, block, wanted, [&](const Number& x, std::size_t i) {
      return convert(x.m == 0 ? x : quotient(product(x, most), divisor), i);
    });
    return;
  }
  const Number multiplier = reciprocal(single_product(scale, reciprocal(encode)));
  fill(rule, block, wanted,
       [&](const Number& x, std::size_t i) { return convert(x.m == 0 ? x : single_product(x, multiplier), i); });
}

}  // namespace

bool fits(const Wanted& wanted, const NumberFormat& format, std::uint64_t code) {
  if (wanted.kind == Wanted::Kind::any) return true;
  if (wanted.kind == Wanted::Kind::code) return code == wanted.code || (wanted.other && code == *wanted.other);
  return (code & ~format.mask()) == 0 && decode(format, code).kind == Number::Kind::nan;
}

void quantize(const QuantizationRule& rule, std::span<const Number> block, const Number& tensor_amax,
              WantedBlock& wanted, const StoredScale& stored, const RandomWords& random) {
  Number amax;
  bool has_nan = false;
  bool has_infinity = false;
  for (const Number& each : block) {
    has_nan = has_nan || each.kind == Number::Kind::nan;
    has_infinity = has_infinity || each.kind == Number::Kind::infinite;
    if (each.kind == Number::Kind::finite && is_smaller(amax, each)) amax = each;
  }
  amax.negative = false;
  wanted.second = Wanted{Wanted::Kind::any};
  const bool is_anything =
      (has_nan && rule.nan == NanInBlock::any) || (has_infinity && rule.infinite == InfInBlock::any);
  if (is_anything || (has_nan && rule.nan == NanInBlock::block) ||
      (has_infinity && rule.infinite == InfInBlock::block)) {
    wanted.scale = Wanted{is_anything ? Wanted::Kind::any : Wanted::Kind::nan};
    fill_anything(block, wanted);
    return;
  }
  switch (rule.format->scaling) {
    case Scaling::power_of_two:
      return of_power_of_two(rule, block, amax, random, wanted);
    case Scaling::factor:
      return of_factor(rule, block, amax, random, wanted);
    case Scaling::two_level:
      return of_two_level(rule, block, amax, tensor_amax, random, wanted);
    case Scaling::zero_point:
      return of_zero_point(rule, block, wanted);
    case Scaling::stored:
      return of_stored(rule, block, stored, wanted);
    case Scaling::offset_code:
    case Scaling::minimum:
      break;
  }
  of_ggml(rule, block, wanted);
}

}  // namespace assay::oracle
