#pragma once

#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/hd.hpp"
#include "arith/limbs/scaled.hpp"
#include "arith/words/elementary_constants.hpp"

namespace assay::elementary::detail {

/// x = (4j + quarters)·π/2 + angle for some integer j, |angle| ≤ π/4 up to rounding, 0 ≤ quarters < 4.
template <int N>
struct QuarterTurns {
  limb::Scaled<N> angle;
  int quarters;
};

/// w/(2π) modulo 1, cut off: less than 2^(53 − 64W) too small. Requires: w ≥ 0, finite, W ≤ 11 (not checked).
/// The integer significand of w times the bits of 2/π that do not give whole turns: Payne and Hanek, Radian reduction
/// for trigonometric functions, ACM SIGNUM Newsletter 18(1), 1983.
template <int W>
ASSAY_HD ASSAY_NOINLINE inline limb::Fraction<W> turns_of(double w) {
  const bits::Significand s = bits::significand(w);
  const int shift = s.e - 2;  // of 2/π, against turns
  limb::Fraction<W + 1> window{};
  const int first = shift > 0 ? shift / 64 : 0;
  for (int k = 0; k <= W; ++k) window.v[W - k] = two_over_pi(first + k);
  window = shift >= 0 ? limb::shifted_left(window, shift % 64) : limb::shifted_right(window, -shift);
  limb::Fraction<W> turns{};
  for (int k = 0; k < W; ++k) turns.v[k] = window.v[k + 1];
  return limb::multiply_by_word(turns, s.m);
}

/// The quarter turns of w[0] + … + w[K − 1], and the angle with an absolute error of at most K·2^(56 − 64(2N + 1)) and
/// a relative one of 8Nδ. Requires: finite words (not checked).
template <int N, int K>
ASSAY_HD inline QuarterTurns<N> quarter_turns(const double (&w)[K]) {
  constexpr int W = 2 * N + 1;
  limb::Fraction<W> turns{};
  for (int i = 0; i < K; ++i) {
    const limb::Fraction<W> each = turns_of<W>(abs(w[i]));
    turns = signbit(w[i]) ? limb::subtract(turns, each) : limb::add(turns, each).fraction;
  }
  const limb::Fraction<W> quarter = limb::shifted_left(turns, 2);
  const bool is_nearer_to_next = quarter.v[W - 1] >> 63 != 0;
  const limb::Fraction<W> rest = is_nearer_to_next ? limb::negated(quarter) : quarter;
  const limb::Scaled<W> long_rest = limb::normalized(rest, 0, is_nearer_to_next);
  limb::Scaled<N> angle{{}, long_rest.e, long_rest.minus};
  for (int k = 0; k < N; ++k) angle.m.v[k] = long_rest.m.v[k + W - N];
  const limb::Scaled<N> half_pi{limb::fraction_of<N>([](int k) { return reduction_constant(0, k); }), 1, false};
  const int quarters = static_cast<int>(turns.v[W - 1] >> 62) + (is_nearer_to_next ? 1 : 0);
  return {limb::multiply(angle, half_pi), quarters & 3};
}

}  // namespace assay::elementary::detail
