#pragma once
// Operands whose product has nearly the largest error that the bounds of triple words allow.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "arith/words/operands.hpp"
#include "arith/words/triple_word.hpp"

namespace assay::probes::triple {

/// The least `start` of one_way_operands(): at least (9/8)·2^(p/2).
template <class T>
inline constexpr std::uint64_t least_start =
    std::uint64_t{FloatTraits<T>::precision % 2 == 0 ? 9 : 13} << (FloatTraits<T>::precision / 2 - 3);

/// x = (1 + 2ku, 2u − 2mu², 2u² − 4iu³) and y = (1 + 2lu, 2u − 2nu², 2u² − 4ju³), for which every rounding of
/// triple.mul_fast.1 errs to one side by nearly half an ulp: the operands of its page. m is `start` or
/// up to 128 more. Requires: least_start<T> ≤ start ≤ (4/3)·least_start<T> (not checked).
template <class T>
ASSAY_HD constexpr TwTw<T> one_way_operands(std::uint64_t start) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr std::uint64_t U = std::uint64_t{1} << p;
  std::uint64_t m = start | 1;
  std::uint64_t n = (U / m - 1) | 1;
  for (int i = 0; i < 64 && (m + n) % 8 != 4; ++i) {
    m += 2;
    n = (U / m - 1) | 1;
  }
  std::uint64_t l = 4 * U / m + 1;
  const std::uint64_t k = 4 * U / n + 1;
  while ((k + l) % 4 != 0) ++l;
  const std::uint64_t s = l * m - 4 * U;
  const std::uint64_t t = k * n - 4 * U;
  const std::uint64_t i = (l - 1 - t) % 2 != 0 ? 1 : 2;
  std::uint64_t j = (k - 1 - s) % 2 != 0 ? 1 : 2;
  const std::uint64_t above = (k - j - s - 1) / 2 + (l - i - t - 1) / 2 - (m + n) / 2 - 3;
  j += 2 * (above % 8);
  const auto word = [](std::uint64_t integer, int e) { return static_cast<T>(integer) * bits::power_of_two<T>(e); };
  return {{word(U + 2 * k, -p), word(U - m, 1 - 2 * p), word(U - 2 * i, 1 - 3 * p)},
          {word(U + 2 * l, -p), word(U - n, 1 - 2 * p), word(U - 2 * j, 1 - 3 * p)}};
}

/// The same with each operand times a power of two and with a sign.
template <class T>
ASSAY_HD constexpr TwTw<T> one_way_operands(std::uint64_t start, T of_x, T of_y) {
  const TwTw<T> c = one_way_operands<T>(start);
  return {{c.x.x0 * of_x, c.x.x1 * of_x, c.x.x2 * of_x}, {c.y.x0 * of_y, c.y.x1 * of_y, c.y.x2 * of_y}};
}

}  // namespace assay::probes::triple
