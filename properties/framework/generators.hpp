#pragma once
// Generators of numbers by integer construction of their patterns; no arithmetic in T takes part.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "errorbounds/dw.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"

namespace assay {

/// Every finite number of T, subnormals included.
template <FloatingPoint T>
constexpr Box full_box() {
  using F = FloatTraits<T>;
  return {F::emin - F::precision + 1, F::emax};
}

/// The kind of a p-bit significand. `any` draws one of the other kinds.
enum class Significand {
  dense,         ///< uniformly random bits
  sparse,        ///< at most three set bits, or the complement of at most two
  all_ones,      ///< 2^p − 1
  power_of_two,  ///< 2^(p−1)
  low_bits,      ///< 2^(p−1) + r or 2^p − 1 − r for a short r: just above or below a power of two
  any
};

/// Where in a box an exponent lies.
enum class Exponents {
  centre,      ///< within ±8 of 0, or of the end of the box that is nearest to 0
  full_range,  ///< anywhere in the box
  low_edge,    ///< the p + 4 lowest: subnormal and smallest normal numbers in a full box
  high_edge    ///< the four highest: near overflow in a full box
};

namespace detail {

/// A p-bit significand, leading bit set.
template <int p>
std::uint64_t draw_significand(Draw& draw, Significand kind) {
  constexpr std::uint64_t top = std::uint64_t{1} << (p - 1);
  constexpr std::uint64_t ones = top | (top - 1);
  const auto single = [&] { return std::uint64_t{1} << draw.below(p); };
  if (kind == Significand::any) {
    constexpr Significand kinds[] = {Significand::dense,    Significand::dense,        Significand::sparse,
                                     Significand::all_ones, Significand::power_of_two, Significand::low_bits};
    kind = kinds[draw.below(std::size(kinds))];
  }
  switch (kind) {
    case Significand::sparse: {
      const std::uint64_t bits = single() | single();
      return draw.coin() ? top | bits : (ones ^ bits) | top;
    }
    case Significand::all_ones:
      return ones;
    case Significand::power_of_two:
      return top;
    case Significand::low_bits: {
      const std::uint64_t low = (draw.word() & (top - 1)) >> draw.below(p);
      const std::uint64_t few = low & ((std::uint64_t{2} << (p / 3)) - 1);
      return draw.coin() ? top | few : (ones ^ few) | top;
    }
    case Significand::dense:
    case Significand::any:
      break;
  }
  return top | (draw.word() >> (64 - p));
}

}  // namespace detail

/// The arguments of compose(), in the order in which they are drawn. The members of a braced list are evaluated in
/// order, but the arguments of a call in any order: a call with more than one draw would give other cases with another
/// compiler.
struct DrawnParts {
  int exponent;
  std::uint64_t significand;
  bool negative;
};

/// (−1)^negative · m·2^q. Bits of m below the smallest subnormal number are cut off; a number beyond the largest finite
/// one becomes the largest finite one. Requires: m < 2^p (not checked). Integer operations only.
template <FloatingPoint T>
constexpr T compose(bool negative, std::uint64_t m, int q) {
  using F = FloatTraits<T>;
  constexpr oracle::Format format = format_of<T>();
  std::uint64_t magnitude = 0;
  if (m != 0) {
    const int length = static_cast<int>(std::bit_width(m));
    const int exponent = q + length - 1;
    if (exponent > F::emax) {
      magnitude = format.largest_finite();
    } else if (exponent >= F::emin) {
      magnitude =
          (static_cast<std::uint64_t>(exponent - F::emin) << (F::precision - 1)) + (m << (F::precision - length));
    } else {
      const int shift = q - (F::emin - F::precision + 1);
      magnitude = shift >= 0 ? m << shift : -shift < 64 ? m >> -shift : 0;
    }
    magnitude = std::min(magnitude, format.largest_finite());
  }
  return number_of<T>(magnitude | (negative ? format.sign_mask() : 0));
}
template <FloatingPoint T>
constexpr T compose(const DrawnParts& parts) {
  return compose<T>(parts.negative, parts.significand, parts.exponent);
}

/// A finite number in parts: (−1)^negative · significand · 2^exponent, the significand as stored (p bits for normal
/// numbers, fewer for subnormal ones, 0 for ±0), the exponent that of its lowest place.
struct NumberParts {
  bool negative;
  std::uint64_t significand;
  int exponent;
  /// ⌊log₂|x|⌋. Requires: a non-zero number (not checked).
  constexpr int leading() const { return exponent + static_cast<int>(std::bit_width(significand)) - 1; }
};

/// Requires: x finite (not checked).
template <FloatingPoint T>
constexpr NumberParts parts_of(T x) {
  using F = FloatTraits<T>;
  constexpr oracle::Format format = format_of<T>();
  const std::uint64_t bits = bits_of(x);
  const int field = static_cast<int>((bits & format.exponent_mask()) >> format.fraction_bits());
  const std::uint64_t fraction = bits & format.fraction_mask();
  const int lowest = F::emin - F::precision + 1;
  return field == 0 ? NumberParts{(bits & format.sign_mask()) != 0, fraction, lowest}
                    : NumberParts{(bits & format.sign_mask()) != 0, fraction | (format.fraction_mask() + 1),
                                  lowest + field - 1};
}

/// Whether x is zero or finite with its exponent in the box.
template <FloatingPoint T>
constexpr bool in_box(T x, Box box) {
  if (!oracle::is_finite(format_of<T>(), bits_of(x))) {
    return false;
  }
  const NumberParts parts = parts_of(x);
  return parts.significand == 0 || (parts.leading() >= box.low && parts.leading() <= box.high);
}

template <FloatingPoint T>
constexpr bool in_box(const DoubleWord<T>& x, Box box) {
  return in_box(x.h, box) && in_box(x.l, box);
}

/// Whether h = RN(h + l), ties to even, and both words are finite: a normalized double word. With h = 0 only l = 0.
/// Decided with integers: |l| against half the distance from h to its neighbor on l's side.
template <FloatingPoint T>
constexpr bool is_double_word(const DoubleWord<T>& x) {
  using F = FloatTraits<T>;
  constexpr oracle::Format format = format_of<T>();
  if (!oracle::is_finite(format, bits_of(x.h)) || !oracle::is_finite(format, bits_of(x.l))) {
    return false;
  }
  const NumberParts h = parts_of(x.h);
  const NumberParts l = parts_of(x.l);
  if (l.significand == 0 || h.significand == 0) {
    return l.significand == 0;
  }
  // The neighbor of a power of two toward zero is half as far away, except for the smallest normal number.
  const bool halved = std::has_single_bit(h.significand) && h.negative != l.negative && h.leading() > F::emin;
  const int half_gap = h.exponent - 1 - (halved ? 1 : 0);
  if (l.leading() != half_gap) {
    return l.leading() < half_gap;
  }
  return std::has_single_bit(l.significand) && (h.significand & 1) == 0;
}

/// An exponent of the box.
template <FloatingPoint T>
int draw_exponent(Draw& draw, Exponents where, Box box) {
  constexpr int edge = FloatTraits<T>::precision + 3;
  switch (where) {
    case Exponents::centre: {
      const int middle = std::clamp(0, box.low, box.high);
      return draw.between(std::max(box.low, middle - 8), std::min(box.high, middle + 8));
    }
    case Exponents::low_edge:
      return draw.between(box.low, std::min(box.high, box.low + edge));
    case Exponents::high_edge:
      return draw.between(std::max(box.low, box.high - 3), box.high);
    case Exponents::full_range:
      break;
  }
  return draw.between(box.low, box.high);
}

/// A number with the given exponent ⌊log₂|x|⌋ and sign. Requires: emin − p + 1 ≤ exponent ≤ emax (not checked).
template <FloatingPoint T>
T draw_number(Draw& draw, Significand kind, int exponent, bool negative) {
  constexpr int p = FloatTraits<T>::precision;
  return compose<T>(negative, detail::draw_significand<p>(draw, kind), exponent - p + 1);
}

/// The same with a random sign.
template <FloatingPoint T>
T draw_number(Draw& draw, Significand kind, int exponent) {
  const bool negative = draw.coin();
  return draw_number<T>(draw, kind, exponent, negative);
}

/// A distance of exponents, uniform in 0…p + 3.
template <FloatingPoint T>
int draw_gap(Draw& draw) {
  return draw.between(0, FloatTraits<T>::precision + 3);
}

/// A special value: ±0, ±∞ and NaNs with any payload and sign if the format has them; ±Ω, ±the smallest normal and
/// subnormal numbers, ±1.
template <FloatingPoint T>
T draw_special(Draw& draw) {
  constexpr oracle::Format format = format_of<T>();
  const std::uint64_t sign = draw.coin() ? format.sign_mask() : 0;
  switch (draw.below(8)) {
    case 0:
    case 1:
      return number_of<T>(sign);
    case 2:
      return number_of<T>(sign | (format.has_infinity() ? format.infinity() : format.largest_finite()));
    case 3: {
      const std::uint64_t payload = draw.word() & format.fraction_mask();
      return number_of<T>(sign | (format.has_infinity() && payload != 0 ? format.infinity() | payload : format.nan()));
    }
    case 4:
      return number_of<T>(sign | format.largest_finite());
    case 5:
      return number_of<T>(sign | (format.fraction_mask() + 1));
    case 6:
      return number_of<T>(sign | 1);
    default:
      return compose<T>(sign != 0, 1, 0);
  }
}

/// −x, by its sign bit.
template <FloatingPoint T>
constexpr T negated(T x) {
  return number_of<T>(bits_of(x) ^ format_of<T>().sign_mask());
}

/// x moved by `steps` numbers away from zero (toward zero if negative), within the finite numbers of its sign.
template <FloatingPoint T>
constexpr T stepped(T x, int steps) {
  constexpr oracle::Format format = format_of<T>();
  const std::uint64_t sign = bits_of(x) & format.sign_mask();
  const auto magnitude = static_cast<std::int64_t>(bits_of(x) ^ sign) + steps;
  return number_of<T>(sign | static_cast<std::uint64_t>(std::clamp<std::int64_t>(
                                 magnitude, 0, static_cast<std::int64_t>(format.largest_finite()))));
}

/// |a| < |b|, by their patterns. Requires: no NaN (not checked).
template <FloatingPoint T>
constexpr bool smaller_magnitude(T a, T b) {
  const std::uint64_t magnitude = format_of<T>().sign_mask() - 1;
  return (bits_of(a) & magnitude) < (bits_of(b) & magnitude);
}

// ---------------------------------------------------------------------------------------------- pairs of numbers

/// The order of the operands of a pair: any, or the one of larger magnitude first or second.
enum class OperandOrder { any, larger_first, smaller_first };

namespace detail {

template <FloatingPoint T>
Pair<T> ordered(Draw& draw, T larger, T smaller, OperandOrder order) {
  if (smaller_magnitude(larger, smaller)) {
    std::swap(larger, smaller);
  }
  const bool swap = order == OperandOrder::any ? draw.coin() : order == OperandOrder::smaller_first;
  return swap ? Pair<T>{smaller, larger} : Pair<T>{larger, smaller};
}

/// The exponent `below` places under `exponent`, or the lowest of the box.
inline int lower(int exponent, int below, Box box) { return std::max(exponent - below, box.low); }

}  // namespace detail

/// Two numbers whose exponents are `gap` apart, if the box allows it.
template <FloatingPoint T>
Pair<T> draw_pair_with_gap(Draw& draw, Significand kind, int gap, Box box, OperandOrder order = OperandOrder::any) {
  const int low = std::min(box.low + gap, box.high);
  const int exponent = draw_exponent<T>(draw, draw.coin() ? Exponents::centre : Exponents::full_range, {low, box.high});
  const T larger = draw_number<T>(draw, kind, exponent);
  const T smaller = draw_number<T>(draw, kind, detail::lower(exponent, gap, box));
  return detail::ordered(draw, larger, smaller, order);
}

/// Two numbers whose sum lies exactly halfway between two neighbors (unless it carries into another binade); with
/// `tiny`, one place of the smaller number's significand away from the halfway point. Requires: at least three
/// exponents in the box (not checked).
template <FloatingPoint T>
Pair<T> draw_tie(Draw& draw, bool tiny, Box box, OperandOrder order = OperandOrder::any) {
  constexpr int p = FloatTraits<T>::precision;
  const Box inner{std::min(box.low + p, box.high), box.high};
  const int exponent = draw_exponent<T>(draw, draw.coin() ? Exponents::centre : Exponents::full_range, inner);
  const T larger = draw_number<T>(draw, Significand::any, exponent);
  const int gap = draw.between(1, std::clamp(exponent - box.low - 1, 1, p));
  // The smaller number is an odd multiple of half the larger one's last place: p − gap + 1 bits, the last one set.
  const std::uint64_t random = detail::draw_significand<p>(draw, Significand::any) >> (gap - 1);
  std::uint64_t m = random | 1;
  int q = exponent - p;
  if (tiny && gap > 1) {
    const int shift = draw.between(1, gap - 1);
    m = (m << shift) + (draw.coin() ? 1 : ~std::uint64_t{0});
    q -= shift;
  }
  return detail::ordered(draw, larger, compose<T>(draw.coin(), m, q), order);
}

/// Two numbers of opposite signs that cancel: from a common leading bit to all but the last place.
template <FloatingPoint T>
Pair<T> draw_cancelling_pair(Draw& draw, Box box, OperandOrder order = OperandOrder::any) {
  constexpr int p = FloatTraits<T>::precision;
  const T a = draw_number<T>(draw, Significand::any, draw_exponent<T>(draw, Exponents::full_range, box));
  const auto cancelling = [&](T b) { return detail::ordered(draw, a, negated(in_box(b, box) ? b : a), order); };
  switch (draw.below(4)) {
    case 0:
      return cancelling(stepped(a, draw.between(-3, 3)));
    case 1: {
      // The same leading bits, other bits below.
      const std::uint64_t changed = (draw.word() & format_of<T>().fraction_mask()) >> draw.below(p);
      return cancelling(number_of<T>(bits_of(a) ^ changed));
    }
    default: {
      const int exponent = std::clamp(parts_of(a).leading() + draw.between(-1, 1), box.low, box.high);
      return cancelling(draw_number<T>(draw, Significand::any, exponent, parts_of(a).negative));
    }
  }
}

/// Classes of operands for a + b and its relatives, exponents in the box.
template <FloatingPoint T>
std::vector<InputClass<Pair<T>>> sum_pair_classes(Box box, OperandOrder order = OperandOrder::any) {
  const auto gap = [box, order](Significand kind) {
    return drawn<Pair<T>>([=](Draw& draw) { return draw_pair_with_gap<T>(draw, kind, draw_gap<T>(draw), box, order); });
  };
  const auto where = [box, order](Exponents exponents) {
    return drawn<Pair<T>>([=](Draw& draw) {
      const T a = draw_number<T>(draw, Significand::any, draw_exponent<T>(draw, exponents, box));
      const T b = draw_number<T>(draw, Significand::any, draw_exponent<T>(draw, exponents, box));
      return detail::ordered(draw, a, b, order);
    });
  };
  return {
      {"dense, gap 0…p+3", 3, gap(Significand::dense)},
      {"sparse, gap 0…p+3", 2, gap(Significand::sparse)},
      {"any significand, gap 0…p+3", 2, gap(Significand::any)},
      {"equal exponents", 1,
       drawn<Pair<T>>([=](Draw& draw) { return draw_pair_with_gap<T>(draw, Significand::any, 0, box, order); })},
      {"tie", 2, drawn<Pair<T>>([=](Draw& draw) { return draw_tie<T>(draw, false, box, order); })},
      {"tie ± tiny", 1, drawn<Pair<T>>([=](Draw& draw) { return draw_tie<T>(draw, true, box, order); })},
      {"cancellation", 2, drawn<Pair<T>>([=](Draw& draw) { return draw_cancelling_pair<T>(draw, box, order); })},
      {"full range", 1, where(Exponents::full_range)},
      {"lowest exponents", 1, where(Exponents::low_edge)},
      {"highest exponents", 1, where(Exponents::high_edge)},
  };
}

/// A zero of either sign, and a zero of either sign or a number of the box, in both orders.
template <FloatingPoint T>
InputClass<Pair<T>> zero_pairs_class(Box box) {
  return {"zeros of both signs", 1, drawn<Pair<T>>([box](Draw& draw) {
            const T zero = compose<T>(draw.coin(), 0, 0);
            const T other = draw.coin() ? compose<T>(draw.coin(), 0, 0)
                                        : draw_number<T>(draw, Significand::any,
                                                         draw_exponent<T>(draw, Exponents::full_range, box));
            return draw.coin() ? Pair<T>{zero, other} : Pair<T>{other, zero};
          })};
}

/// Classes of one number, exponent in the box.
template <FloatingPoint T>
std::vector<InputClass<Single<T>>> number_classes(Box box) {
  const auto one = [box](Significand kind, Exponents exponents) {
    return drawn<Single<T>>(
        [=](Draw& draw) { return Single<T>{draw_number<T>(draw, kind, draw_exponent<T>(draw, exponents, box))}; });
  };
  return {
      {"dense", 3, one(Significand::dense, Exponents::centre)},
      {"sparse", 2, one(Significand::sparse, Exponents::centre)},
      {"near powers of two", 2, one(Significand::low_bits, Exponents::centre)},
      {"full range", 2, one(Significand::any, Exponents::full_range)},
      {"lowest exponents", 1, one(Significand::any, Exponents::low_edge)},
      {"highest exponents", 1, one(Significand::any, Exponents::high_edge)},
  };
}

/// Two exponents of the box with the given sum, or with the nearest sum that the box allows.
inline std::array<int, 2> draw_exponents_with_sum(Draw& draw, int sum, Box box) {
  sum = std::clamp(sum, 2 * box.low, 2 * box.high);
  const int first = draw.between(std::max(box.low, sum - box.high), std::min(box.high, sum - box.low));
  return {first, sum - first};
}

/// Two numbers with odd significands of i and p + 1 − i bits whose product has p + 1: a tie of a·b.
template <FloatingPoint T>
Pair<T> draw_product_tie(Draw& draw, int exponent_a, int exponent_b) {
  constexpr int p = FloatTraits<T>::precision;
  const int length = draw.between(2, p - 1);
  const auto factor = [&](int bits, int exponent) {
    // Both leading bits set: the product of two such numbers carries into its highest possible bit.
    const std::uint64_t m = ((std::uint64_t{3} << 62) | draw.word()) >> (64 - bits) | 1;
    return compose<T>(draw.coin(), m, exponent - bits + 1);
  };
  const T a = factor(length, exponent_a);
  return {a, factor(p + 1 - length, exponent_b)};
}

/// Classes of operands for a·b: each exponent in the box, the sum of both in `sum` (if the box allows it).
template <FloatingPoint T>
std::vector<InputClass<Pair<T>>> product_pair_classes(Box box, Box sum) {
  const auto product = [box, sum](Significand kind, Exponents exponents) {
    return drawn<Pair<T>>([=](Draw& draw) {
      const auto [ea, eb] = draw_exponents_with_sum(draw, draw_exponent<T>(draw, exponents, sum), box);
      const T a = draw_number<T>(draw, kind, ea);
      return Pair<T>{a, draw_number<T>(draw, kind, eb)};
    });
  };
  return {
      {"dense", 3, product(Significand::dense, Exponents::centre)},
      {"sparse", 2, product(Significand::sparse, Exponents::centre)},
      {"near powers of two", 2, product(Significand::low_bits, Exponents::centre)},
      {"any significand", 2, product(Significand::any, Exponents::centre)},
      {"tie", 2, drawn<Pair<T>>([=](Draw& draw) {
         const Exponents exponents = draw.one_in(4) ? Exponents::full_range : Exponents::centre;
         const auto [ea, eb] = draw_exponents_with_sum(draw, draw_exponent<T>(draw, exponents, sum), box);
         return draw_product_tie<T>(draw, ea, eb);
       })},
      {"full range", 2, product(Significand::any, Exponents::full_range)},
      {"lowest products", 2, product(Significand::any, Exponents::low_edge)},
      {"highest products", 1, product(Significand::any, Exponents::high_edge)},
  };
}

}  // namespace assay
