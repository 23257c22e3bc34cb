#pragma once
// Operands of + − × ÷ √ fma that are hard to round, by integer construction.

#include <cstdint>
#include <utility>
#include <vector>

#include "properties/framework/generators.hpp"

namespace assay {

/// The classes with every case changed by `f`.
template <class Case, class F>
std::vector<InputClass<Case>> mapped(std::vector<InputClass<Case>> classes, F f) {
  for (InputClass<Case>& each : classes) {
    each.generator =
        CaseGenerator<Case>([inner = each.generator, f](const rc::Random& random) { return f(inner(random)); });
  }
  return classes;
}

/// A class in which at least one operand is a special value (see draw_special), the others any number of the format.
template <FloatingPoint T, class Case>
InputClass<Case> special_class() {
  return {"special values", 2, drawn<Case>([](Draw& draw) {
            Case made{};
            const std::size_t count = std::tuple_size_v<decltype(Case::fields())>;
            std::size_t left = count;
            bool any_special = false;
            std::apply(
                [&](const auto&... each) {
                  const auto operand = [&]() -> T {
                    --left;
                    if (draw.coin() || (left == 0 && !any_special)) {
                      any_special = true;
                      return draw_special<T>(draw);
                    }
                    const Exponents where = draw.coin() ? Exponents::centre : Exponents::full_range;
                    return draw_number<T>(draw, Significand::any, draw_exponent<T>(draw, where, full_box<T>()));
                  };
                  ((made.*(each.member) = operand()), ...);
                },
                Case::fields());
            return made;
          })};
}

/// a and b whose quotient lies next to a midpoint of two numbers, or next to a number, but is neither: a·2^k = m·b + c
/// with an odd k-bit m, k = p + 1 or p, and c = ±1, ±3, ±5, ±7, so m ≡ −c·b⁻¹ mod 2^k; a/b = (m + c/b)·2⁻ᵏ.
/// Parks, Number-theoretic test generation for directed rounding, IEEE TC 49(7), 2000.
/// `exponent`: the exponent of the quotient, up to one; it and both operands are moved into the box.
template <FloatingPoint T>
Pair<T> draw_hard_quotient(Draw& draw, int exponent, Box box) {
  __extension__ using Wide = __int128;
  constexpr int p = FloatTraits<T>::precision;
  const std::uint64_t b = detail::draw_significand<p>(draw, Significand::any) | 1;
  std::uint64_t inverse = b;  // b·b ≡ 1 mod 8; each step doubles the number of right bits
  for (int step = 0; step < 5; ++step) {
    inverse *= 2 - b * inverse;
  }
  const int k = draw.coin() ? p + 1 : p;
  std::int64_t c = 2 * draw.between(0, 3) + 1;
  std::uint64_t m = (0 - static_cast<std::uint64_t>(c) * inverse) & ((std::uint64_t{1} << k) - 1);
  if ((m >> (k - 1)) == 0) {
    m = (std::uint64_t{1} << k) - m;
    c = -c;
  }
  const auto a = static_cast<std::uint64_t>((static_cast<Wide>(m) * static_cast<Wide>(b) + c) >> k);
  const int low = std::max(box.low, box.low - exponent);
  const int high = std::min(box.high, box.high - exponent);
  const int eb = draw.between(std::min(low, high), std::max(low, high));
  const int ea = std::clamp(exponent + eb, box.low, box.high);
  return {compose<T>(draw.coin(), a, ea - p + 1), compose<T>(draw.coin(), b, eb - p + 1)};
}

/// A number whose root lies next to a midpoint, or next to a number: a·2^k = m² − r with an odd m of p + 1 or p bits
/// and a small r ≡ 1 mod 8, so m is a square root of r mod 2^k, by Hensel lifting.
template <FloatingPoint T>
T draw_hard_square(Draw& draw, Box box) {
  __extension__ using Wide = __int128;
  constexpr int p = FloatTraits<T>::precision;
  const int n = draw.coin() ? p + 1 : p;
  int k = 2 * n - p;
  const std::int64_t r = 8 * draw.between(-4, 4) + 1;
  std::uint64_t m = 1;  // m² ≡ r mod 8
  for (int bit = 3; bit < k; ++bit) {
    if (((m * m - static_cast<std::uint64_t>(r)) >> bit & 1) != 0) {
      m += std::uint64_t{1} << (bit - 1);
    }
  }
  m &= (std::uint64_t{1} << n) - 1;
  if ((m >> (n - 1)) == 0) {
    m = (std::uint64_t{1} << n) - m;
  }
  Wide square = static_cast<Wide>(m) * static_cast<Wide>(m) - r;
  // One place less if the square is short and the lower place is an integer, too: then the root has no leading zero.
  if (square >> (k - 1 + p) == 0 && (square & ((Wide{1} << (k - 1)) - 1)) == 0) {
    --k;
  }
  const auto a = static_cast<std::uint64_t>(square >> k);
  const int exponent = draw_exponent<T>(draw, draw.coin() ? Exponents::centre : Exponents::full_range, box);
  int q = exponent - p + 1;
  q += (q - k) & 1;
  return compose<T>(false, a, q);
}

/// a·b + c next to a rounding boundary: a tie of a·b with c far below; c near −a·b; c at any distance from the product.
/// `sum`: the range of the sum of a's and b's exponents; `addend`: of c's exponent.
template <FloatingPoint T>
Triple<T> draw_fused(Draw& draw, Significand kind, bool tie, Exponents exponents, Box sum, Box addend) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr Box box = full_box<T>();
  const auto [ea, eb] = draw_exponents_with_sum(draw, draw_exponent<T>(draw, exponents, sum), box);
  Pair<T> ab =
      tie ? draw_product_tie<T>(draw, ea, eb) : Pair<T>{draw_number<T>(draw, kind, ea), draw_number<T>(draw, kind, eb)};
  const int gap = tie ? draw.between(p, 3 * p) : draw.between(-2 * p - 3, p + 3);
  const int exponent =
      tie && draw.coin() ? addend.low : std::clamp(ea + eb - (tie ? gap : -gap), addend.low, addend.high);
  return {ab.a, ab.b, draw_number<T>(draw, kind, exponent)};
}

/// a·b + c with c = −RZ(a·b) to p bits, moved by up to two numbers.
template <FloatingPoint T>
Triple<T> draw_fused_cancellation(Draw& draw, Box sum) {
  __extension__ using Wide = unsigned __int128;
  constexpr int p = FloatTraits<T>::precision;
  constexpr Box box = full_box<T>();
  const Exponents where = draw.coin() ? Exponents::centre : Exponents::full_range;
  const auto [ea, eb] = draw_exponents_with_sum(draw, draw_exponent<T>(draw, where, sum), box);
  const T a = draw_number<T>(draw, Significand::any, ea);
  const T b = draw_number<T>(draw, Significand::any, eb);
  const NumberParts x = parts_of(a);
  const NumberParts y = parts_of(b);
  Wide product = static_cast<Wide>(x.significand) * y.significand;
  int exponent = x.exponent + y.exponent;
  while (product >> p != 0) {
    product >>= 1;
    ++exponent;
  }
  const T c = compose<T>(x.negative == y.negative, static_cast<std::uint64_t>(product), exponent);
  return {a, b, stepped(c, draw.between(-2, 2))};
}

/// Classes of operands for a/b over the whole format, including its hard cases; no zero divisor.
template <FloatingPoint T>
std::vector<InputClass<Pair<T>>> quotient_pair_classes() {
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  static constexpr Box box = full_box<T>();
  static constexpr Box quotient{F::emin - p - 2, F::emax + 1};
  const auto hard = [](Exponents where) {
    return drawn<Pair<T>>(
        [=](Draw& draw) { return draw_hard_quotient<T>(draw, draw_exponent<T>(draw, where, quotient), box); });
  };
  const auto any = [](Significand kind, Exponents where) {
    return drawn<Pair<T>>([=](Draw& draw) {
      const T a = draw_number<T>(draw, kind, draw_exponent<T>(draw, where, box));
      return Pair<T>{a, draw_number<T>(draw, kind, draw_exponent<T>(draw, where, box))};
    });
  };
  return {
      {"next to a midpoint or a number", 4, hard(Exponents::centre)},
      {"the same, at the edge of underflow", 2, hard(Exponents::low_edge)},
      {"the same, at the edge of overflow", 1, hard(Exponents::high_edge)},
      {"dense", 2, any(Significand::dense, Exponents::centre)},
      {"any significand", 2, any(Significand::any, Exponents::centre)},
      {"full range", 2, any(Significand::any, Exponents::full_range)},
      {"lowest exponents", 1, any(Significand::any, Exponents::low_edge)},
  };
}

/// Classes of operands for √a, including its hard cases; positive numbers.
template <FloatingPoint T>
std::vector<InputClass<Single<T>>> root_classes() {
  static constexpr Box box = full_box<T>();
  const auto any = [](Significand kind, Exponents where) {
    return drawn<Single<T>>(
        [=](Draw& draw) { return Single<T>{draw_number<T>(draw, kind, draw_exponent<T>(draw, where, box), false)}; });
  };
  return {
      {"next to a midpoint or a number", 4,
       drawn<Single<T>>([](Draw& draw) { return Single<T>{draw_hard_square<T>(draw, box)}; })},
      {"dense", 2, any(Significand::dense, Exponents::centre)},
      {"any significand", 2, any(Significand::any, Exponents::full_range)},
      {"near powers of two", 1, any(Significand::low_bits, Exponents::centre)},
      {"lowest exponents", 1, any(Significand::any, Exponents::low_edge)},
  };
}

/// The exponents of the test operands of a·b + c over a format's whole range: the sum of a's and b's, from below
/// underflow to overflow.
template <FloatingPoint T>
constexpr Box full_product_box() {
  using F = FloatTraits<T>;
  return {F::emin - F::precision - 2, F::emax};
}

/// Classes of operands for a·b + c, with the sum of a's and b's exponents and c's exponent in ranges.
template <FloatingPoint T>
std::vector<InputClass<Triple<T>>> fused_classes(Box sum = full_product_box<T>(), Box addend = full_box<T>()) {
  const auto fused = [sum, addend](Significand kind, bool tie, Exponents where) {
    return drawn<Triple<T>>([=](Draw& draw) { return draw_fused<T>(draw, kind, tie, where, sum, addend); });
  };
  return {
      {"product tie ± tiny", 3, fused(Significand::any, true, Exponents::centre)},
      {"product tie ± tiny, full range", 1, fused(Significand::any, true, Exponents::full_range)},
      {"cancellation", 3, drawn<Triple<T>>([sum](Draw& draw) { return draw_fused_cancellation<T>(draw, sum); })},
      {"dense, every distance", 3, fused(Significand::dense, false, Exponents::centre)},
      {"any significand, every distance", 2, fused(Significand::any, false, Exponents::centre)},
      {"full range", 1, fused(Significand::any, false, Exponents::full_range)},
      {"at the edge of underflow", 2, fused(Significand::any, false, Exponents::low_edge)},
      {"at the edge of overflow", 1, fused(Significand::any, false, Exponents::high_edge)},
  };
}

}  // namespace assay
