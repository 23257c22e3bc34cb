#pragma once
// Numbers of L limbs, drawn. Significands are integers of at most p = 32L bits, in the form of the oracle.

#include <cstdint>
#include <vector>

#include "oracle/limb_float.hpp"
#include "oracle/residues.hpp"
#include "properties/catalog/limb/cases.hpp"
#include "properties/framework/draw.hpp"

namespace assay::limb {

class LimbDraw {
 public:
  using Dyadic = oracle::Dyadic;
  using Number = oracle::LimbFloat;

  LimbDraw(int limbs, Draw& draw) : limbs_(limbs), draw_(draw) {}

  [[nodiscard]] int limbs() const { return limbs_; }
  [[nodiscard]] int p() const { return 32 * limbs_; }
  Draw& draw() { return draw_; }
  int between(int low, int high) { return draw_.between(low, high); }
  bool coin() { return draw_.coin(); }

  /// Any bits below 2^bits.
  Dyadic dense(int bits) {
    if (bits <= 0) return {};
    std::vector<std::uint32_t> word(static_cast<std::size_t>(bits + 31) / 32);
    for (std::uint32_t& each : word) each = static_cast<std::uint32_t>(draw_.word());
    word.back() >>= (32 - bits % 32) % 32;
    return oracle::integer_of_limbs(word);
  }
  /// An integer of that many bits, its first and last set, the others any.
  Dyadic odd(int bits) {
    if (bits <= 1) return 1;
    return Dyadic::scaled(1, bits - 1) + Dyadic::scaled(1, 1) * dense(bits - 2) + Dyadic(1);
  }
  /// A significand of p bits: any bits, all ones, a power of two, few bits, runs of ones and zeros, ones down to a
  /// place, a few leading bits.
  Dyadic significand() {
    const Dyadic top = Dyadic::scaled(1, p() - 1);
    switch (draw_.below(8)) {
      case 0:
        return Dyadic::scaled(1, p()) - Dyadic(1) - few_bits();
      case 1:
        return top + few_bits();
      case 2: {
        Dyadic x = top;
        for (int at = p() - 1; at > 0;) {
          const int run = between(1, p());
          const int end = at > run ? at - run : 0;
          if (coin()) x += Dyadic::scaled(1, at) - Dyadic::scaled(1, end);
          at = end;
        }
        return x;
      }
      case 3: {
        const int place = between(0, p() - 1);
        return Dyadic::scaled(1, p()) - Dyadic::scaled(1, place);
      }
      case 4: {
        const int bits = between(1, p());
        return odd(bits).mul_2exp(p() - bits);
      }
      default:
        return full();
    }
  }
  /// Any bits after the first.
  Dyadic full() { return Dyadic::scaled(1, p() - 1) + dense(p() - 1); }
  /// At most two bits below the first of p.
  Dyadic few_bits() {
    Dyadic x;
    const int count = between(0, 2);
    for (int k = 0, at = p() - 2; k < count && at >= 0; ++k) {
      at = between(0, at);
      x += Dyadic::scaled(1, at);
      --at;
    }
    return x;
  }
  /// An integer of 1 … bits bits.
  Dyadic log_uniform(int bits) { return odd(between(1, bits)); }
  Dyadic with_sign(Dyadic x) { return coin() ? x.negate() : x; }

  /// x·2^e; if x has more than p bits, it is rounded.
  [[nodiscard]] Number number(Dyadic x, std::int64_t e = 0) const {
    return oracle::limb_rounded(x.mul_2exp(static_cast<long>(e)), static_cast<std::size_t>(limbs_),
                                oracle::Rounding::nearest);
  }
  /// An exponent from which no operation of two or three numbers leaves the range.
  std::int64_t exponent() { return draw_.one_in(3) ? 0 : between(-100000, 100000); }
  /// An exponent next to an end of the range.
  std::int64_t end() { return coin() ? most_exponent - between(0, 2) : least_exponent + between(0, 2); }
  /// ±0, ±∞, a NaN, or any number.
  Number any_kind() {
    using Kind = Number::Kind;
    const std::uint64_t kind = draw_.below(5);
    if (kind > 2) return number(with_sign(significand()), exponent() - p());
    Number x;
    x.kind = kind == 0 ? Kind::zero : kind == 1 ? Kind::infinite : Kind::nan;
    x.negative = kind != 2 && coin();
    return x;
  }

  LimbCase one(const Number& x) const {
    LimbCase c;
    assign(x, limbs_, c.sx, c.ex, c.x);
    return c;
  }
  LimbPairCase pair(const Number& x, const Number& y) const {
    LimbPairCase c;
    assign(x, limbs_, c.sx, c.ex, c.x);
    assign(y, limbs_, c.sy, c.ey, c.y);
    return c;
  }
  LimbTripleCase triple(const Number& x, const Number& y, const Number& z) const {
    LimbTripleCase c;
    assign(x, limbs_, c.sx, c.ex, c.x);
    assign(y, limbs_, c.sy, c.ey, c.y);
    assign(z, limbs_, c.sz, c.ez, c.z);
    return c;
  }

 private:
  int limbs_;
  Draw& draw_;
};

/// x mod 2^k, at least 0, of an integer x.
inline oracle::Dyadic low_bits(const oracle::Dyadic& x, int k) { return x - oracle::floor_scaled(x, k).mul_2exp(k); }

/// 1/y modulo 2^k of an odd y, by Newton's iteration: y·v ≡ 1 mod 2^j gives y·v(2 − yv) ≡ 1 mod 2^(2j).
inline oracle::Dyadic inverse(const oracle::Dyadic& y, int k) {
  oracle::Dyadic v = y;  // y² ≡ 1 mod 8
  for (int j = 3; j < k; j *= 2) v = low_bits(v * (oracle::Dyadic(2) - low_bits(y * v, 2 * j)), 2 * j);
  return low_bits(v, k);
}

/// An odd t with t² ≡ r modulo 2^k of r ≡ 1 mod 8: t = rv for v² ≡ 1/r, by Newton's iteration: rv² ≡ 1 mod 2^j gives
/// the same of v(3 − rv²)/2 mod 2^(2j − 2).
inline oracle::Dyadic square_root_modulo(const oracle::Dyadic& r, int k) {
  oracle::Dyadic v = 1;
  for (int j = 3; j < k; j = 2 * j - 2) v = low_bits((v * (oracle::Dyadic(3) - r * v * v)).mul_2exp(-1), k);
  return low_bits(r * v, k);
}

}  // namespace assay::limb
