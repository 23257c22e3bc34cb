#pragma once
// Inputs of + − × ÷ √ and fma of numbers of L limbs: carries through all limbs, cancellation, ties and their neighbors,
// quotients and roots next to midpoints, exponents far apart, the ends of the range, special values.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/limb/draw.hpp"
#include "properties/framework/domain.hpp"

namespace assay::limb {

namespace detail {

using oracle::Dyadic;

template <class Case, class F>
InputClass<Case> limb_class(std::string name, unsigned weight, int limbs, F make) {
  return {std::move(name), weight, drawn<Case>([limbs, make](Draw& draw) {
            LimbDraw numbers(limbs, draw);
            return make(numbers);
          })};
}

/// The pair x, y in any order, with any signs, times a power of two.
inline LimbPairCase any_order(LimbDraw& r, const Dyadic& x, const Dyadic& y) {
  const std::int64_t e = r.exponent();
  const auto first = r.number(r.with_sign(x), e);
  const auto second = r.number(r.with_sign(y), e);
  return r.coin() ? r.pair(first, second) : r.pair(second, first);
}

/// An addend that ends in half a unit of x, or at most two steps away from it.
inline Dyadic half_units(LimbDraw& r, bool beside) {
  const int bits = r.between(1, r.p() - (beside ? 2 : 0));
  Dyadic y = r.odd(bits).mul_2exp(-1);
  if (beside) {
    const Dyadic step = Dyadic::scaled(1, -r.between(2, r.p() - bits));
    y += r.coin() ? step : -step;
  }
  return y;
}

/// An integer below 2^(k + 1) whose product with the odd x is next to 2^k modulo 2^(k + 1).
inline Dyadic factor_to_midpoint(LimbDraw& r, const Dyadic& x, int k) {
  const Dyadic rest = Dyadic::scaled(1, k) + Dyadic(r.between(-3, 3));
  return low_bits(rest * inverse(x, k + 1), k + 1);
}

inline std::vector<InputClass<LimbPairCase>> sum_classes(int limbs) {
  const auto of = [limbs](std::string name, unsigned weight, auto make) {
    return limb_class<LimbPairCase>(std::move(name), weight, limbs, make);
  };
  return {
      of("any significands, gaps to p + 40", 4,
         [](LimbDraw& r) {
           const Dyadic x = r.significand();
           return any_order(r, x, r.significand().mul_2exp(-r.between(0, r.p() + 40)));
         }),
      of("carries and borrows through many limbs", 4,
         [](LimbDraw& r) {
           const int place = r.between(0, r.p() - 1);
           const Dyadic ones = Dyadic::scaled(1, r.p()) - Dyadic::scaled(1, place);
           const Dyadic x = r.coin() ? ones : Dyadic::scaled(1, r.p() - 1);
           return any_order(r, x, r.log_uniform(8).mul_2exp(place - r.between(0, 9)));
         }),
      of("cancellation of any number of leading bits", 5,
         [](LimbDraw& r) {
           const Dyadic x = r.full();
           Dyadic y = x + r.with_sign(r.coin() ? r.log_uniform(r.p() - 1) : Dyadic(r.between(0, 2)));
           if (y.exponent() >= r.p()) y = x;
           const std::int64_t e = r.exponent();
           const bool minus = r.coin();
           return r.pair(r.number(minus ? -x : x, e), r.number(minus ? y : -y, e));
         }),
      of("cancellation across exponents", 3,
         [](LimbDraw& r) {
           const int gap = r.between(1, r.p());
           Dyadic y = r.full();
           Dyadic x = oracle::floor_scaled(y, gap) + Dyadic(r.between(0, 1));
           x.mul_2exp(gap);
           return r.pair(r.number(x), r.number(y.negate()));
         }),
      of("ties", 4,
         [](LimbDraw& r) {
           const Dyadic x = r.significand();
           return any_order(r, x, half_units(r, false));
         }),
      of("neighbors of ties", 4,
         [](LimbDraw& r) {
           const Dyadic x = r.significand();
           return any_order(r, x, half_units(r, true));
         }),
      of("a second operand at the last bit and below", 4,
         [](LimbDraw& r) {
           const Dyadic x = r.significand();
           const int gap = r.draw().one_in(3) ? r.between(r.p() + 3, 1 << 29) : r.between(r.p() - 2, r.p() + 66);
           return any_order(r, x, r.significand().mul_2exp(-gap));
         }),
      of("the ends of the range of exponents", 4,
         [](LimbDraw& r) {
           const std::int64_t e = r.end();
           const Dyadic x = r.with_sign(r.significand());
           const std::int64_t f =
               r.draw().one_in(3) ? r.end() : std::min<std::int64_t>(e + r.between(0, 2), most_exponent);
           return r.pair(r.number(x, e - r.p()), r.number(r.with_sign(r.coin() ? x : r.significand()), f - r.p()));
         }),
      of("zeros, infinities and NaN", 2,
         [](LimbDraw& r) {
           const auto x = r.any_kind();
           return r.pair(x, r.any_kind());
         }),
  };
}

/// Exponents of factors whose product, or quotient, is at an end of the range.
inline std::pair<std::int64_t, std::int64_t> ends_of_product(LimbDraw& r, bool quotient) {
  if (r.draw().one_in(6)) return {r.end(), r.end()};
  const std::int64_t e = r.between(-(1 << 29), 1 << 29);
  std::int64_t end = r.coin() ? most_exponent : least_exponent;
  end += r.between(-2, 2);
  const std::int64_t f = quotient ? e - end : end - e;
  return {e, std::clamp<std::int64_t>(f, least_exponent, most_exponent)};
}

/// A power of two, the number above it, or any significand.
inline Dyadic at_end(LimbDraw& r) {
  if (r.draw().one_in(3)) return r.with_sign(r.significand());
  return r.with_sign(Dyadic::scaled(1, r.p() - 1) + Dyadic(r.draw().one_in(3) ? 1 : 0));
}

inline LimbPairCase at_ends(LimbDraw& r, bool quotient) {
  const auto [e, f] = ends_of_product(r, quotient);
  const Dyadic x = at_end(r);
  const Dyadic y = at_end(r);
  return r.pair(r.number(x, e - r.p()), r.number(y, f - r.p()));
}

inline std::vector<InputClass<LimbPairCase>> product_classes(int limbs) {
  const auto of = [limbs](std::string name, unsigned weight, auto make) {
    return limb_class<LimbPairCase>(std::move(name), weight, limbs, make);
  };
  return {
      of("any significands", 4,
         [](LimbDraw& r) {
           const Dyadic x = r.significand();
           return any_order(r, x, r.significand());
         }),
      of("largest significands", 3,
         [](LimbDraw& r) {
           const Dyadic x = Dyadic::scaled(1, r.p()) - Dyadic(1 + r.between(0, 3));
           return any_order(
               r, x, Dyadic::scaled(1, r.p()) - (r.coin() ? Dyadic(1 + r.between(0, 3)) : r.few_bits() + Dyadic(1)));
         }),
      of("products of p and p + 1 bits: exact ones and ties", 4,
         [](LimbDraw& r) {
           const int bits = r.between(1, r.p());
           const Dyadic x = r.odd(bits);
           return any_order(r, x, r.odd(r.p() + 1 - bits));
         }),
      of("products next to midpoints", 4,
         [](LimbDraw& r) {
           const Dyadic x = r.odd(r.p());
           return any_order(r, x, factor_to_midpoint(r, x, r.p() - r.between(1, 2)));
         }),
      of("the ends of the range of exponents", 4, [](LimbDraw& r) { return at_ends(r, false); }),
      of("zeros, infinities and NaN", 2,
         [](LimbDraw& r) {
           const auto x = r.any_kind();
           return r.pair(x, r.any_kind());
         }),
  };
}

inline std::vector<InputClass<LimbPairCase>> quotient_classes(int limbs) {
  const auto of = [limbs](std::string name, unsigned weight, auto make) {
    return limb_class<LimbPairCase>(std::move(name), weight, limbs, make);
  };
  const auto quotient = [](LimbDraw& r, const Dyadic& x, const Dyadic& y) {
    const std::int64_t e = r.exponent();
    const auto first = r.number(r.with_sign(x), e);
    const Dyadic second = r.with_sign(y);
    return r.pair(first, r.number(second, r.coin() ? e : 0));
  };
  return {
      of("any significands", 4,
         [=](LimbDraw& r) {
           const Dyadic x = r.significand();
           return quotient(r, x, r.significand());
         }),
      of("exact quotients, and ± 1 in the last place", 4,
         [=](LimbDraw& r) {
           const int bits = r.between(1, r.p() - 1);
           const Dyadic y = r.odd(bits);
           const Dyadic product = y * r.odd(r.p() - bits);
           return quotient(r, product + Dyadic(r.between(-1, 1)), y);
         }),
      of("quotients next to midpoints", 5,
         [=](LimbDraw& r) {
           const Dyadic y = r.odd(r.p());
           const Dyadic rest = 2 * r.between(-2, 2) + 1;
           const Dyadic q = low_bits(rest * inverse(y, r.p() + 1), r.p() + 1);
           return quotient(r, (q * y - rest).mul_2exp(-r.p() - 1) + Dyadic(q == Dyadic(1) ? 1 : 0), y);
         }),
      of("digits whose estimate is too large", 4,
         [=](LimbDraw& r) {
           const Dyadic half = Dyadic::scaled(1, r.p() - 1);
           const Dyadic y = half + Dyadic::scaled(1, r.p() - 32) - r.log_uniform(16);
           const Dyadic multiple = y * Dyadic(r.between(1, 9));
           const Dyadic x = r.coin() ? r.full() : multiple - r.log_uniform(r.p() - 1);
           return quotient(r, x, y);
         }),
      of("operands next to each other", 2,
         [=](LimbDraw& r) {
           const Dyadic x = r.significand();
           return quotient(r, x, x + Dyadic(r.between(-1, 1)));
         }),
      of("the ends of the range of exponents", 4, [](LimbDraw& r) { return at_ends(r, true); }),
      of("zeros, infinities and NaN", 2,
         [](LimbDraw& r) {
           const auto x = r.any_kind();
           return r.pair(x, r.any_kind());
         }),
  };
}

inline std::vector<InputClass<LimbCase>> root_classes(int limbs) {
  const auto of = [limbs](std::string name, unsigned weight, auto make) {
    return limb_class<LimbCase>(std::move(name), weight, limbs, make);
  };
  return {
      of("any significands, exponents even and odd", 4,
         [](LimbDraw& r) {
           const Dyadic x = r.significand();
           return r.one(r.number(x, r.exponent()));
         }),
      of("squares", 4,
         [](LimbDraw& r) {
           const Dyadic s = r.log_uniform(r.p() / 2);
           return r.one(r.number(s * s, 2 * r.between(-5000, 5000)));
         }),
      of("squares ± 1 in the last place", 4,
         [](LimbDraw& r) {
           const Dyadic s = Dyadic::scaled(1, r.p() / 2 - 1) + r.dense(r.p() / 2 - 1);
           return r.one(r.number(s * s + Dyadic(r.coin() ? 1 : -1), 2 * r.between(-5000, 5000)));
         }),
      of("roots next to midpoints", 4,
         [](LimbDraw& r) {
           const Dyadic rest = 8 * r.between(-3, 3) + 1;
           const int k = r.p() + 2;
           Dyadic t = low_bits(square_root_modulo(rest, k), k - 1);
           if (t.exponent() < r.p()) t = Dyadic::scaled(1, k - 1) - t;
           return r.one(r.number((t * t - rest).mul_2exp(-k), k + 2 * r.between(-5000, 5000)));
         }),
      of("next to powers of two", 2,
         [](LimbDraw& r) {
           const Dyadic x = Dyadic::scaled(1, r.p() - 1) + r.with_sign(r.few_bits());
           return r.one(r.number(x, r.exponent()));
         }),
      of("the ends of the range of exponents", 1,
         [](LimbDraw& r) {
           const Dyadic x = r.significand();
           return r.one(r.number(x, r.end() - r.p()));
         }),
      of("zeros, infinities, NaN and negative numbers", 1, [](LimbDraw& r) { return r.one(r.any_kind()); }),
  };
}

inline std::vector<InputClass<LimbTripleCase>> fused_classes(int limbs) {
  const auto of = [limbs](std::string name, unsigned weight, auto make) {
    return limb_class<LimbTripleCase>(std::move(name), weight, limbs, make);
  };
  const auto fused = [](LimbDraw& r, const Dyadic& x, const Dyadic& y, const Dyadic& z) {
    const std::int64_t e = r.exponent();
    const auto first = r.number(r.with_sign(x), e);
    const auto second = r.number(r.with_sign(y));
    return r.triple(first, second, r.number(r.with_sign(z), e));
  };
  return {
      of("any significands, gaps to 2p + 40", 4,
         [=](LimbDraw& r) {
           const Dyadic x = r.significand();
           const Dyadic y = r.significand();
           return fused(r, x, y, r.significand().mul_2exp(r.between(-r.p() - 40, 2 * r.p() + 40)));
         }),
      of("z next to −xy", 5,
         [=](LimbDraw& r) {
           const Dyadic x = r.significand();
           const Dyadic y = r.significand();
           Dyadic z = oracle::floor_scaled(x * y, r.p()) + Dyadic(r.between(-1, 1));
           return r.triple(r.number(x), r.number(-y), r.number(z.mul_2exp(r.p())));
         }),
      of("−z a power of two next above xy", 2,
         [=](LimbDraw& r) {
           const Dyadic top = Dyadic::scaled(1, r.p());
           const Dyadic x = top - Dyadic(r.between(1, 3));
           const Dyadic y = top - (r.coin() ? Dyadic(r.between(1, 3)) : r.log_uniform(r.p() - 1));
           return r.triple(r.number(x), r.number(y), r.number(Dyadic::scaled(-1, 2 * r.p())));
         }),
      of("z a part of −xy", 2,
         [=](LimbDraw& r) {
           const Dyadic x = r.full();
           const Dyadic y = r.full();
           const int cut = r.between(r.p(), 2 * r.p() - 2);
           return r.triple(r.number(x), r.number(-y), r.number(oracle::floor_scaled(x * y, cut).mul_2exp(cut)));
         }),
      of("a product that makes z a tie, and neighbors", 4,
         [=](LimbDraw& r) {
           const int bits = r.between(1, r.p() - 1);
           const Dyadic x = r.odd(bits);
           Dyadic y = r.odd(r.between(1, r.p() - bits));
           const Dyadic z = r.significand();
           if (r.coin()) y += r.with_sign(Dyadic::scaled(1, -r.between(1, 1 + r.p() - 2)));
           return fused(r, x, y.mul_2exp(-1), z);
         }),
      of("a product that is a tie, broken by a far z", 4,
         [=](LimbDraw& r) {
           const int bits = r.between(1, r.p());
           const Dyadic x = r.odd(bits);
           const Dyadic y = r.odd(r.p() + 1 - bits);
           const int far = r.draw().one_in(3) ? r.between(0, 1 << 29) : r.between(0, 3 * r.p());
           return fused(r, x, y, r.significand().mul_2exp(-r.p() - far));
         }),
      of("a far product", 3,
         [=](LimbDraw& r) {
           const Dyadic x = r.significand();
           const Dyadic y = r.significand();
           const int far = r.draw().one_in(3) ? r.between(0, 1 << 29) : r.between(0, 2 * r.p());
           return fused(r, x, y, r.significand().mul_2exp(r.p() + far));
         }),
      of("the ends of the range of exponents", 4,
         [](LimbDraw& r) {
           const auto [e, f] = ends_of_product(r, false);
           const Dyadic x = r.with_sign(r.significand());
           const Dyadic y = r.with_sign(r.significand());
           const std::int64_t g = std::clamp<std::int64_t>(e + f + r.between(-2, 2), least_exponent, most_exponent);
           const Dyadic z = r.with_sign(r.significand());
           return r.triple(r.number(x, e - r.p()), r.number(y, f - r.p()), r.number(z, g - r.p()));
         }),
      of("zeros, infinities and NaN", 2,
         [](LimbDraw& r) {
           const auto x = r.any_kind();
           const auto y = r.any_kind();
           return r.triple(x, y, r.any_kind());
         }),
  };
}

}  // namespace detail

/// The classes over the operands that the kernels take.
template <class Case>
Domain<Case> limb_domain(int limbs, std::vector<InputClass<Case>> classes) {
  return {.classes = std::move(classes),
          .contains =
              [limbs](const Case& c) {
                const std::vector<LimbOperand> all = operands(c);
                return std::all_of(all.begin(), all.end(), [limbs](const auto& x) { return is_limb_float(x, limbs); });
              },
          .accepts = limb_operand_text(limbs)};
}

}  // namespace assay::limb
