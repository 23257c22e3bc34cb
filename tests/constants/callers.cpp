// Assertions about constants that kernels offer to their callers: no kernel uses them.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "arith/float/small_float.hpp"
#include "kernels/expansion/detail/distill.hpp"
#include "kernels/limb/blas.hpp"
#include "kernels/mp/array.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/rns/rns.hpp"

namespace assay::constants {
namespace {

// Words for an integer below 2^(27n).
constexpr bool limbs_are_enough() {
  for (int n = 0; n <= 300; ++n) {
    int words = 0;
    while (32 * words < 27 * n) ++words;
    if (rns::rns_limbs(n) != words) return false;
  }
  return true;
}
static_assert(limbs_are_enough());

/// The additions of the sum in kernels/mp: the longest lane, the tree over the lanes that have a term, the blocks.
constexpr std::int64_t depth(std::int64_t length) {
  if (length <= 0) return 0;
  std::int64_t blocks = 1;
  while (blocks < 4096 && blocks * 256 < length) ++blocks;
  if (mp::mp_sum_blocks(length) != blocks) return -1;
  std::int64_t longest = 0;
  while (longest * blocks * 32 < length) ++longest;
  std::int64_t tree = 0;
  while (std::int64_t{1} << tree < std::min<std::int64_t>(length, 32)) ++tree;
  return longest - 1 + tree + (blocks == 1 ? 0 : depth(blocks));
}
constexpr bool depths_are_counted() {
  for (std::int64_t length = -2; length < 600; ++length) {
    if (mp::mp_sum_depth(length) != depth(length)) return false;
  }
  for (const std::int64_t length :
       {4096, 8191, 8192, 8193, 16128, 16384, 16385, 32768, 65536, 65537, 100000, 131073, 1048576, 1048577}) {
    if (mp::mp_sum_depth(length) != depth(length)) return false;
  }
  return true;
}
static_assert(depths_are_counted());
static_assert(mp::mp_sum_blocks(0) == 1 && mp::mp_sum_blocks(256) == 1 && mp::mp_sum_blocks(257) == 2);
static_assert(mp::mp_sum_blocks(16128) == 63 && mp::mp_sum_blocks(16129) == 64 && mp::mp_sum_blocks(1 << 30) == 4096);
static_assert(mp::mp_sum_workspace(256) == 1 && mp::mp_sum_workspace(257) == 3);
static_assert(mp::mp_sum_workspace(1 << 20) == 4096 + 16 + 1 && mp::mp_sum_workspace(65537) == 257 + 2 + 1);

// The blocks of a dot product in limbs: four terms per lane, and 1024 blocks at most.
static_assert(limb::limb_dot_splits(0) == 1 && limb::limb_dot_splits(512) == 1 && limb::limb_dot_splits(513) == 2);
static_assert(limb::limb_dot_splits(1024 * 512) == 1024 && limb::limb_dot_splits(1024 * 512 - 512) == 1023);
static_assert(limb::limb_dot_splits(1024 * 512 + 1) == 1024 && limb::limb_dot_splits(std::int64_t{1} << 40) == 1024);

// Arrays of multiple-precision numbers as callers make them, and the numbers that they hold. clang 16 does not evaluate
// std::vector::resize of libstdc++ 12.
#if !defined(__clang__)
using Moduli = rns::Standard<8>;
constexpr bool zeros_are_of_the_shape() {
  for (const bool planes : {false, true}) {
    const mp::MpArray x = mp::mp_zeros(16, 3, planes);
    if (x.n != 16 || x.planes != planes || x.length != 3 || x.digits.size() != 51 || x.sign.size() != 3 ||
        x.exponent.size() != 3 || x.lower.size() != 3 || x.upper.size() != 3) {
      return false;
    }
  }
  return true;
}
static_assert(zeros_are_of_the_shape());

constexpr bool numbers_are_read_where_they_stand() {
  constexpr std::size_t length = 3;
  constexpr std::size_t size = Moduli::size;
  for (const bool planes : {false, true}) {
    mp::MpArray x = mp::mp_zeros(Moduli::n, length, planes);
    for (std::size_t k = 0; k < length; ++k) {
      for (std::size_t i = 0; i < size; ++i) {
        x.digits[planes ? i * length + k : k * size + i] = static_cast<std::uint32_t>(100 * k + i);
      }
      x.sign[k] = static_cast<std::int32_t>(k % 2);
      x.exponent[k] = static_cast<std::int32_t>(10 + k);
      x.lower[k] = {1, static_cast<std::int64_t>(20 + k)};
      x.upper[k] = {1, static_cast<std::int64_t>(30 + k)};
    }
    const mp::MpView<Moduli> view = mp::mp_view<Moduli>(x);
    for (std::size_t k = 0; k < length; ++k) {
      const mp::Number<Moduli> number = view.load(k);
      for (std::size_t i = 0; i < size; ++i) {
        if (number.digits.r[i] != 100 * k + i) return false;
      }
      if (number.sign != x.sign[k] || number.exponent != x.exponent[k] ||
          number.magnitude.lower.exponent != x.lower[k].exponent ||
          number.magnitude.upper.exponent != x.upper[k].exponent) {
        return false;
      }
    }
  }
  return true;
}
static_assert(numbers_are_read_where_they_stand());
#endif

// Which forms of renormalize are offered: to as many words or half as many, and all up to 5 words.
constexpr bool offers_are_right() {
  for (int n = 1; n <= 16; ++n) {
    for (int m = 1; m <= 16; ++m) {
      const bool is_small = m <= n && n <= 5;
      if (expansion::detail::renormalizes<Toy<11>>(n, m) != is_small) return false;
      if (expansion::detail::renormalizes<double>(n, m) != (is_small || m == n || 2 * m == n)) return false;
      if (expansion::detail::renormalizes<float>(n, m) != (is_small || m == n || 2 * m == n)) return false;
    }
  }
  return true;
}
static_assert(offers_are_right());

}  // namespace
}  // namespace assay::constants
