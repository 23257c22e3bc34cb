#pragma once
// The kernel of the decomposed GEMV that rounds its products.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/residues/scaling.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemv_products.hpp"
#include "kernels/gemv/detail/mp_head.hpp"

namespace assay::gemv::detail {

/// Rounds each of `length` products in place. One thread for each number finds which need rounding, and rounds heads;
/// the digits are scaled down together, by the method of arith/residues/scaling.hpp: a thread has two limbs of four
/// numbers, carries go through a number in one thread, and then a thread has four residues of four numbers. A number
/// with a wide enclosure is handled by one thread.
template <class Set>
struct MpProductRounding {
  static constexpr int threads = Set::n > 64 ? 256 : 128;
  static constexpr int blocks_per_multiprocessor = Set::n > 64 ? 3 : 6;
  static constexpr int numbers = 16 * threads / Set::n;
  static_assert(Set::n % 4 == 0 && numbers % 4 == 0);

  std::int64_t length;
  mp::MpView<Set> b;

  using Scaling = rns::ScalingTables<Set>;
  static constexpr int limbs = Scaling::limbs;
  static constexpr int fours = numbers / 4;
  static constexpr int parts = threads < numbers ? 1 : threads / numbers;  ///< of the sum that is a rank
  static_assert(fours * Scaling::pairs <= threads && Set::n <= 16 * parts && limbs <= Set::n);
  struct alignas(16) Four {
    std::uint32_t of[4];
  };
  struct Shared {
    Four digits[Set::n][fours + 1];  ///< s_i of four numbers, then their limbs; one more place avoids bank conflicts
    std::uint64_t columns[limbs][numbers + 2];
    std::uint32_t rank[parts][numbers];
    std::int32_t left[numbers];
    ASSAY_HD bool rounds(int four) const {
      return left[4 * four] > 0 || left[4 * four + 1] > 0 || left[4 * four + 2] > 0 || left[4 * four + 3] > 0;
    }
  };

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * numbers;
    auto changes = block.per_thread(false);
    block.for_each_thread([&](int t, Shared& shared) {
      for (int v = t; v < numbers; v += threads) {
        shared.left[v] = first + v < length ? round_head(static_cast<std::size_t>(first + v)) : 0;
        changes[t] = changes[t] || shared.left[v] > 0;
      }
    });
    if (!block.any([&](int t, Shared&) { return changes[t]; })) return;
    block.for_each_thread([&](int t, Shared& shared) { load(t, shared, first); });
    block.for_each_thread([&](int t, Shared& shared) {
      for (int item = t; item < parts * numbers; item += threads) sum_rank(item, shared, first);
      if (t < fours * Scaling::pairs && shared.rounds(t % fours)) sum_columns(t % fours, t / fours, shared);
    });
    block.for_each_thread([&](int t, Shared& shared) {
      for (int v = t; v < numbers; v += threads) {
        if (shared.left[v] > 0) carry(v, shared, static_cast<std::size_t>(first + v));
      }
    });
    block.for_each_thread([&](int t, Shared& shared) {
      constexpr int quarter = Set::n / 4;
      if (shared.rounds(t / quarter)) take_residues(t / quarter, t % quarter, shared, first);
    });
  }

 private:
  /// Rounds the head of number k; returns by how many bits its digits must be scaled down.
  ASSAY_HD std::int32_t round_head(std::size_t k) const {
    MpHead<Set> head = MpHead<Set>::of(b, k);
    if (head.is_empty()) return 0;
    if (head.is_wide()) {
      round_alone(b, k);
      return 0;
    }
    const std::int32_t left = head.round();
    if (head.is_out_of_range()) {
      b.store(k, mp::out_of_range<Set>());
    } else if (left > 0) {
      head.store(b, k);
    }
    return left;
  }
  ASSAY_HD static ASSAY_NOINLINE void round_alone(const mp::MpView<Set>& x, std::size_t k) {
    x.store(k, mp::round(x.load(k)));
  }

  /// s_i, with the same number in neighboring threads.
  ASSAY_HD void load(int t, Shared& shared, std::int64_t first) const {
    const auto& table = rns::tables<Set>();
    ASSAY_UNROLL(4)
    for (int item = t; item < numbers * Set::n; item += threads) {
      const int v = item / Set::n;
      const int i = item % Set::n;
      const std::uint32_t digit = shared.left[v] > 0 ? b.digits[b.digit_at(static_cast<std::size_t>(first + v), i)] : 0;
      shared.digits[i][v / 4].of[v % 4] = rns::mul_shoup(digit, table.w[i], table.w_shoup[i], table.m[i]);
    }
  }

  /// A part of the rank of a number modulo the guard.
  ASSAY_HD void sum_rank(int item, Shared& shared, std::int64_t first) const {
    const auto& table = rns::tables<Set>();
    const std::uint32_t guard = table.m[Set::n];
    const int v = item % numbers;
    const int part = item / numbers;
    if (shared.left[v] == 0) return;
    std::uint64_t sum = 0;
    if (part == 0) {
      const std::uint32_t digit = b.digits[b.digit_at(static_cast<std::size_t>(first + v), Set::n)];
      sum = std::uint64_t{guard - digit} * table.guard_product_inverse;
    }
    ASSAY_UNROLL(4)
    for (int i = part; i < Set::n; i += parts) {
      sum += std::uint64_t{shared.digits[i][v / 4].of[v % 4]} * table.guard_inverse[i];
    }
    shared.rank[part][v] = rns::reduce(sum, guard, table.barrett[Set::n]);
  }

  /// Σ_i s_i·(limbs 2·pair and 2·pair + 1 of M_i) of four numbers.
  ASSAY_HD static void sum_columns(int four, int pair, Shared& shared) {
    const auto& scaling = rns::scaling_tables<Set>();
    std::uint64_t sum[2][4] = {};
    ASSAY_UNROLL(4)
    for (int i = 0; i < Set::n; ++i) {
      const Four s = shared.digits[i][four];
      const typename Scaling::Pair cofactor = scaling.cofactor[i][pair];
      ASSAY_UNROLL(2)
      for (int p = 0; p < 2; ++p) {
        ASSAY_UNROLL(4)
        for (int v = 0; v < 4; ++v) sum[p][v] += std::uint64_t{s.of[v]} * cofactor.limb[p];
      }
    }
    ASSAY_UNROLL(2)
    for (int p = 0; p < 2; ++p) {
      ASSAY_UNROLL(4)
      for (int v = 0; v < 4; ++v) {
        if (2 * pair + p < limbs) shared.columns[2 * pair + p][4 * four + v] = sum[p][v];
      }
    }
  }

  /// The limbs of X mod 2^d of number v, to the place of the s_i, and the guard of ⌊X/2^d⌋.
  ASSAY_HD void carry(int v, Shared& shared, std::size_t k) const {
    const auto& table = rns::tables<Set>();
    const auto& scaling = rns::scaling_tables<Set>();
    const std::uint32_t guard = table.m[Set::n];
    const std::uint64_t mu = table.barrett[Set::n];
    std::uint64_t ranks = 0;
    for (int part = 0; part < parts; ++part) ranks += shared.rank[part][v];
    const std::uint32_t rank = rns::reduce(ranks, guard, mu);
    const int d = shared.left[v];
    constexpr std::uint32_t mask = (std::uint32_t{1} << Scaling::limb_bits) - 1;
    std::uint64_t column = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    ASSAY_UNROLL(4)
    for (int i = 0; i < limbs; ++i) {
      column = (column >> Scaling::limb_bits) + shared.columns[i][v] + std::uint64_t{rank} * scaling.negated_product[i];
      const int bits = d - Scaling::limb_bits * i;  // of this limb and those above it
      const std::uint32_t below = bits <= 0                    ? 0
                                  : bits >= Scaling::limb_bits ? mask
                                                               : mask >> (Scaling::limb_bits - bits);
      const std::uint32_t limb = bits::low_word(column) & below;
      shared.digits[i][v / 4].of[v % 4] = limb;
      const std::uint64_t product = std::uint64_t{limb} * scaling.weight[i][Set::n];
      low += bits::low_word(product);
      high += product >> 32;
    }
    std::uint32_t& digit = b.digits[b.digit_at(k, Set::n)];
    const std::uint64_t sum = std::uint64_t{digit} * scaling.inverse[Set::n] + low +
                              std::uint64_t{rns::reduce(high, guard, mu)} * table.power32[1][Set::n];
    digit = rns::shifted_up<Set>(rns::reduce(sum, guard, mu), Scaling::limb_bits * limbs - d, Set::n);
  }

  /// The residues q, q + n/4, q + n/2 and q + 3n/4 of ⌊X/2^d⌋ of four numbers.
  ASSAY_HD void take_residues(int four, int q, const Shared& shared, std::int64_t first) const {
    const auto& table = rns::tables<Set>();
    const auto& scaling = rns::scaling_tables<Set>();
    constexpr int quarter = Set::n / 4;
    std::uint64_t sum[4][4] = {};
    ASSAY_UNROLL(2)
    for (int i = 0; i < limbs; ++i) {
      const Four limb = shared.digits[i][four];
      ASSAY_UNROLL(4)
      for (int p = 0; p < 4; ++p) {
        const std::uint32_t weight = scaling.weight[i][q + p * quarter];
        ASSAY_UNROLL(4)
        for (int v = 0; v < 4; ++v) sum[p][v] += std::uint64_t{limb.of[v]} * weight;
      }
    }
    ASSAY_UNROLL(4)
    for (int v = 0; v < 4; ++v) {
      const int d = shared.left[4 * four + v];
      if (d == 0) continue;
      ASSAY_UNROLL(4)
      for (int p = 0; p < 4; ++p) {
        const int i = q + p * quarter;
        std::uint32_t& digit = b.digits[b.digit_at(static_cast<std::size_t>(first + 4 * four + v), i)];
        const std::uint64_t whole = sum[p][v] + std::uint64_t{digit} * scaling.inverse[i];
        digit =
            rns::shifted_up<Set>(rns::reduce(whole, table.m[i], table.barrett[i]), Scaling::limb_bits * limbs - d, i);
      }
    }
  }
};

}  // namespace assay::gemv::detail
