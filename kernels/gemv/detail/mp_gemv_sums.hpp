#pragma once
// The kernel of the decomposed GEMV that adds up its products.

#include <cstddef>
#include <cstdint>

#include "arith/bits/ceil_div.hpp"
#include "arith/residues/mp_number.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemv_products.hpp"
#include "kernels/gemv/detail/mp_head.hpp"

namespace assay::gemv::detail {

/// The action of a sum on the digits of its next term: `keep` its own, `take` the term's, or add or subtract one of
/// them scaled up by 2^shift, and then scale down by `left` bits. In one word.
class MpStep {
 public:
  enum Kind { keep, take, add, subtract, subtract_from };
  MpStep() = default;
  /// The operand with the larger exponent is the sum if `scales_sum`, otherwise the term. subtract: this operand minus
  /// the other; subtract_from: the other minus this operand.
  ASSAY_HD MpStep(Kind kind, bool scales_sum, std::int64_t shift, std::int32_t left)
      : word_(static_cast<std::uint32_t>(kind) | (scales_sum ? 8u : 0u) | static_cast<std::uint32_t>(left) << 4 |
              static_cast<std::uint32_t>(shift) << 18) {}
  [[nodiscard]] ASSAY_HD int left() const { return static_cast<int>(word_ >> 4 & 0x3FFF); }

  /// Residue q of the sum after the addition, before it is scaled down.
  template <class Set>
  [[nodiscard]] ASSAY_HD std::uint32_t applied(std::uint32_t sum, std::uint32_t term, int q) const {
    const auto kind = static_cast<Kind>(word_ & 7);
    if (kind == keep) return sum;
    if (kind == take) return term;
    const std::uint32_t m = rns::tables<Set>().m[q];
    const bool scales_sum = (word_ & 8) != 0;
    std::uint32_t scaled = scales_sum ? sum : term;
    const std::uint32_t other = scales_sum ? term : sum;
    const int shift = static_cast<int>(word_ >> 18);
    if (shift > 0) scaled = rns::shifted_up<Set>(scaled, shift, q);
    return kind == add        ? rns::add_mod(scaled, other, m)
           : kind == subtract ? rns::sub_mod(scaled, other, m)
                              : rns::sub_mod(other, scaled, m);
  }

 private:
  std::uint32_t word_;
};

/// The places of the terms of a sum in an array: number first + i·step is term i < count.
struct MpTerms {
  std::int64_t first, step, count;
  ASSAY_HD std::size_t operator[](std::int64_t i) const { return static_cast<std::size_t>(first + i * step); }
};

/// The sums of a block, one number for each: sum v has its head in thread v, its digits in shared memory. Results are
/// those of mp::add, bit for bit: heads by the same formulas, digits exactly.
///
/// The heads of a sum do not depend on its digits unless enclosures overlap or become wide. So one thread for each sum
/// processes the heads of up to `most_steps` terms and records the steps of the digits; these are done by one thread
/// for each residue, without a barrier, if nothing must be rounded, and otherwise term by term, by eight threads for
/// `count` sums. If the digits decide, one thread calls mp::add.
template <class Set>
struct MpSums {
  static constexpr int threads = 256;
  static constexpr int lanes = 8;
  static constexpr int groups = threads / lanes;
  static constexpr int number_bits = Set::n > 32 ? 5 : 6;
  static constexpr int numbers = 1 << number_bits;
  static constexpr int count = numbers / groups;
  static constexpr int most_steps = 32;
  static constexpr int pitch = (Set::size + 23) / 32 * 32 + 8;  ///< groups of a warp lie in different banks
  static_assert(Set::n % lanes == 0 && Set::guards == 1);
  static_assert(rns::product_exponent<Set> < 1 << 13);
  struct Shared {
    std::uint32_t digits[numbers * pitch];
    MpTerms terms[numbers];
    MpStep steps[most_steps][numbers];
    std::int32_t planned[numbers];  ///< steps of this turn
    std::int64_t done[numbers];     ///< steps before
    std::uint32_t rank[count * threads];
    std::uint32_t rest[count * threads];
    bool empty[numbers];  ///< zero or out of range
  };
  using Team = Block<Shared, threads>;
  using Head = MpHead<Set>;
  using Heads = PerThread<Head, threads>;

  ASSAY_HD static std::uint32_t* digits_of(Shared& shared, int number) { return shared.digits + number * pitch; }
  ASSAY_HD static const std::uint32_t* digits_of(const Shared& shared, int number) {
    return shared.digits + number * pitch;
  }

  /// Number v of the group of thread t, and f(q) for the residues that the thread has of it.
  ASSAY_HD static int number_of(int t, int v) { return v * groups + t / lanes; }
  template <class F>
  ASSAY_HD static void for_each_residue(int t, F&& f) {
    ASSAY_UNROLL(2)
    for (int q = t % lanes; q < Set::n; q += lanes) f(q);
    if (t % lanes == 0) f(Set::n);
  }

  /// Every sum is 0.
  ASSAY_HD static Heads begin(Team& block) {
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < numbers) shared.empty[t] = true;
    });
    return block.per_thread(Head::zero());
  }

  /// The sums with place(v) ≥ 0 to numbers place(v) of an array.
  template <class Place>
  ASSAY_HD static void store(Team& block, Heads& sum, const mp::MpView<Set>& x, Place&& place) {
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < numbers && place(t) >= 0) sum[t].store(x, static_cast<std::size_t>(place(t)));
      for (int item = t; item < numbers * Set::size; item += threads) {
        const int v = item / Set::size;
        const int q = item % Set::size;
        const std::int64_t k = place(v);
        if (k >= 0)
          x.digits[x.digit_at(static_cast<std::size_t>(k), q)] = shared.empty[v] ? 0 : digits_of(shared, v)[q];
      }
    });
  }

  /// sum ← (…((sum + x_0) + x_1) + …), of the terms shared.terms[v] of every sum v, at most `most` of them.
  ASSAY_HD static void add(Team& block, Heads& sum, const mp::MpView<Set>& x, std::int64_t most) {
    auto plan = block.per_thread(Plan{});
    while (block.any([&](int t, const Shared& s) { return t < numbers && plan[t].done < s.terms[t].count; })) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < numbers) make_plan(t, shared, plan[t], sum[t], x);
      });
      if (!block.any([&](int t, Shared&) { return plan[t].rounds; })) {
        block.for_each_thread([&](int t, Shared& shared) { apply_all(t, shared, x); });
      } else {
        const bool is_long = block.any([&](int t, Shared&) { return plan[t].rounds_long; });
        for (int i = 0; i < most_steps && i < most; ++i) apply_step(block, x, i, is_long);
      }
      if (!block.any([&](int t, Shared&) { return plan[t].alone; })) continue;
      block.for_each_thread([&](int t, Shared& shared) {
        if (t >= numbers || !plan[t].alone) return;
        sum[t] = add_alone(digits_of(shared, t), sum[t], x, shared.terms[t][plan[t].done]);
        shared.empty[t] = sum[t].is_empty();
        plan[t].alone = false;
        plan[t].done += 1;
      });
    }
  }

 private:
  struct Plan {
    std::int64_t done;  ///< terms that are added
    bool rounds, rounds_long, alone;
  };

  /// Continues with the head of sum v, up to a term that needs the digits.
  ASSAY_HD static void make_plan(int v, Shared& shared, Plan& plan, Head& sum, const mp::MpView<Set>& x) {
    const MpTerms terms = shared.terms[v];
    shared.done[v] = plan.done;
    const std::int64_t left = terms.count - plan.done;
    const int most = left < most_steps ? static_cast<int>(left) : most_steps;
    plan.rounds = plan.rounds_long = false;
    int i = 0;
    Head next = most > 0 ? Head::of(x, terms[plan.done]) : sum;
    ASSAY_UNROLL(1)
    for (; i < most; ++i) {
      const Head term = next;
      if (i + 1 < most) next = Head::of(x, terms[plan.done + i + 1]);
      const Next step = next_head(sum, term);
      if (step.alone) {
        plan.alone = true;
        break;
      }
      sum = step.sum;
      shared.steps[i][v] = step.step;
      plan.rounds = plan.rounds || step.step.left() > 0;
      plan.rounds_long = plan.rounds_long || step.step.left() > 32;
    }
    plan.done += i;
    shared.planned[v] = i;
    shared.empty[v] = sum.is_empty();
  }

  struct Next {
    Head sum;
    MpStep step;
    bool alone;  ///< the digits decide: neither sum nor step is valid
  };
  ASSAY_HD static Next next_head(const Head& sum, const Head& term) {
    using Bound = typename Head::Bound;
    if (sum.is_out_of_range() || term.is_zero()) return {sum, {MpStep::keep, false, 0, 0}, false};
    if (term.is_out_of_range() || sum.is_zero()) return {term, {MpStep::take, false, 0, 0}, false};
    const bool scales_sum = sum.exponent >= term.exponent;
    const std::int64_t shift = scales_sum ? sum.exponent - term.exponent : term.exponent - sum.exponent;
    const Head& high = scales_sum ? sum : term;
    const Head& low = scales_sum ? term : sum;
    if (high.upper.exponent() + shift >= -1) {
      return {high, {scales_sum ? MpStep::keep : MpStep::take, false, 0, 0}, false};
    }
    const Bound lower = high.lower.scaled(shift);
    const Bound upper = high.upper.scaled(shift);
    const auto result = [&](const Bound& l, const Bound& u, std::int32_t sign, MpStep::Kind kind) -> Next {
      Head next{l, u, low.exponent, sign};
      if (next.is_wide()) return {sum, {MpStep::keep, false, 0, 0}, true};
      const std::int32_t left = next.round();
      return {next, {kind, scales_sum, shift, left}, false};
    };
    if (sum.sign == term.sign) {
      return result(Bound::add_rd(lower, low.lower), Bound::add_ru(upper, low.upper), sum.sign, MpStep::add);
    }
    if (Bound::greater(lower, low.upper)) {
      return result(Bound::sub_rd(lower, low.upper), Bound::sub_ru(upper, low.lower), high.sign, MpStep::subtract);
    }
    if (Bound::greater(low.lower, upper)) {
      return result(Bound::sub_rd(low.lower, upper), Bound::sub_ru(low.upper, lower), low.sign, MpStep::subtract_from);
    }
    return {sum, {MpStep::keep, false, 0, 0}, true};
  }

  /// All steps of this turn, none of which rounds, one residue of a sum after the other.
  ASSAY_HD static void apply_all(int t, Shared& shared, const mp::MpView<Set>& x) {
    ASSAY_UNROLL(1)
    for (int item = t; item < numbers * Set::size; item += threads) {
      const int v = item / Set::size;
      const int q = item % Set::size;
      const int planned = shared.planned[v];
      if (planned == 0) continue;
      const MpTerms& all = shared.terms[v];
      const std::int64_t done = shared.done[v];
      const std::uint32_t* place = x.digits + x.digit_at(all[done], q);
      const std::int64_t step = all.step * static_cast<std::int64_t>(x.number_step);
      std::uint32_t digit = digits_of(shared, v)[q];
      constexpr int batch = 8;  // terms that are read at a time
      ASSAY_UNROLL(1)
      for (int i = 0; i < planned; i += batch) {
        std::uint32_t term[batch];
        ASSAY_UNROLL(8)
        for (int k = 0; k < batch; ++k) term[k] = i + k < planned ? place[(i + k) * step] : 0;
        ASSAY_UNROLL(8)
        for (int k = 0; k < batch; ++k) {
          if (i + k < planned) digit = shared.steps[i + k][v].template applied<Set>(digit, term[k], q);
        }
      }
      digits_of(shared, v)[q] = digit;
    }
  }

  /// Step i of this turn of all sums: digits ← ⌊X/2^left⌋ of the sum's X, 32 bits at a time as in rns::scale_down: the
  /// rank ρ of X = Σ s_i·M_i − ρM from the guard, then X mod 2^j, then an exact division. `is_long`: more than 32 bits
  /// somewhere.
  ASSAY_HD static void apply_step(Team& block, const mp::MpView<Set>& x, int i, bool is_long) {
    block.for_each_thread([&](int t, Shared& shared) {
      ASSAY_UNROLL(count)
      for (int v = 0; v < count; ++v) {
        const int number = number_of(t, v);
        if (i >= shared.planned[number]) continue;
        const std::uint32_t* place = x.digits + x.digit_at(shared.terms[number][shared.done[number] + i], 0);
        const MpStep step = shared.steps[i][number];
        std::uint32_t* digits = digits_of(shared, number);
        for_each_residue(t, [&](int q) {
          digits[q] = step.template applied<Set>(digits[q], place[static_cast<std::size_t>(q) * x.digit_step], q);
        });
        if (step.left() > 0) sum_rest(t, shared, v);
      }
    });
    for (int from = 0;; from += 32) {
      block.for_each_thread([&](int t, Shared& shared) {
        ASSAY_UNROLL(count)
        for (int v = 0; v < count; ++v) {
          const int left = left_of(shared, number_of(t, v), i) - from;
          if (left > 0) divide(t, shared, v, left < 32 ? left : 32);
        }
      });
      if (!is_long || !block.any([&](int t, const Shared& shared) {
            bool found = false;
            for (int v = 0; v < count; ++v) found = found || left_of(shared, number_of(t, v), i) > from + 32;
            return found;
          })) {
        return;
      }
      block.for_each_thread([&](int t, Shared& shared) {
        for (int v = 0; v < count; ++v) {
          if (left_of(shared, number_of(t, v), i) > from + 32) sum_rest(t, shared, v);
        }
      });
    }
  }
  ASSAY_HD static int left_of(const Shared& shared, int number, int i) {
    return i < shared.planned[number] ? shared.steps[i][number].left() : 0;
  }

  /// A thread's parts of ρ modulo the guard and of Σ s_i·M_i modulo 2³², of number v of its group.
  ASSAY_HD static void sum_rest(int t, Shared& shared, int v) {
    const auto& table = rns::tables<Set>();
    const std::uint32_t guard = table.m[Set::n];
    const std::uint32_t* digits = digits_of(shared, number_of(t, v));
    std::uint64_t rank = 0;
    std::uint32_t rest = 0;
    for_each_residue(t, [&](int q) {
      if (q == Set::n) {
        rank += std::uint64_t{guard - digits[q]} * table.guard_product_inverse;
      } else {
        const std::uint32_t s = rns::mul_shoup(digits[q], table.w[q], table.w_shoup[q], table.m[q]);
        rank += std::uint64_t{s} * table.guard_inverse[q];
        rest += s * table.cofactor32[q];
      }
    });
    shared.rank[v * threads + t] = rns::reduce(rank, guard, table.barrett[Set::n]);
    shared.rest[v * threads + t] = rest;
  }

  /// digits ← ⌊X/2^j⌋, 1 ≤ j ≤ 32, of number v of a thread's group, after sum_rest of its threads.
  ASSAY_HD static void divide(int t, Shared& shared, int v, int j) {
    const auto& table = rns::tables<Set>();
    std::uint64_t rank = 0;
    std::uint32_t rest = 0;
    ASSAY_UNROLL(8)
    for (int lane = 0; lane < lanes; ++lane) {
      rank += shared.rank[v * threads + t / lanes * lanes + lane];
      rest += shared.rest[v * threads + t / lanes * lanes + lane];
    }
    const std::uint32_t mask = ~std::uint32_t{0} >> (32 - j);
    rest -= rns::reduce(rank, table.m[Set::n], table.barrett[Set::n]) * table.product32;
    rest &= mask;
    std::uint32_t* digits = digits_of(shared, number_of(t, v));
    for_each_residue(t, [&](int q) {
      const std::uint32_t multiple = ((rest - digits[q]) * table.inverse32[q]) & mask;
      digits[q] = static_cast<std::uint32_t>((std::uint64_t{multiple} * table.m[q] + digits[q] - rest) >> j);
    });
  }

  /// A sum + x_k by one thread.
  ASSAY_HD static ASSAY_NOINLINE Head add_alone(std::uint32_t* digits, const Head& head, const mp::MpView<Set>& x,
                                                std::size_t k) {
    mp::Number<Set> sum;
    ASSAY_UNROLL(1)
    for (int q = 0; q < Set::size; ++q) sum.digits.r[q] = digits[q];
    sum.magnitude = {static_cast<Extended>(head.lower), static_cast<Extended>(head.upper)};
    sum.exponent = static_cast<std::int32_t>(head.exponent);
    sum.sign = head.sign;
    sum = mp::add(sum, x.load(k));
    ASSAY_UNROLL(1)
    for (int q = 0; q < Set::size; ++q) digits[q] = sum.digits.r[q];
    return Head::of(sum.magnitude, sum.exponent, sum.sign);
  }
};

/// Σⱼ b(i, j) by T sums for each entry: sum c of entry i adds the terms c, c + T, …; then the tree; then y(i) is the
/// last sum, plus start(i) if there is one. Sums are passed on in b(i, c). `across`: neighbors in a block belong to
/// neighboring entries, else to neighboring terms of one.
template <class Set>
struct MpReductionBlock {
  using Sums = MpSums<Set>;
  using Shared = typename Sums::Shared;
  static constexpr int threads = Sums::threads;
  static constexpr int blocks_per_multiprocessor = 4;

  std::int64_t outputs, terms;
  int sum_bits;  ///< T = 2^sum_bits sums per entry
  bool across;
  MpEntries<Set> b, start, y;
  bool adds_start;

  [[nodiscard]] static std::size_t blocks(std::int64_t outputs, int sum_bits) {
    return static_cast<std::size_t>(bits::ceil_div(outputs, Sums::numbers >> sum_bits));
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int sums = 1 << sum_bits;
    const int entry_bits = Sums::number_bits - sum_bits;
    const std::int64_t first = static_cast<std::int64_t>(block.index()) << entry_bits;
    const auto entry = [&](int v) { return first + (across ? v & ((1 << entry_bits) - 1) : v >> sum_bits); };
    const auto sum_of = [&](int v) { return across ? v >> entry_bits : v & (sums - 1); };
    const auto is_last = [&](int v) { return entry(v) < outputs && sum_of(v) == 0; };
    auto heads = Sums::begin(block);
    // Stage 0 adds the terms, the next stages are those of the tree, the last one adds start.
    const int last = sum_bits + 1;
    ASSAY_UNROLL(1)
    for (int stage = 0; stage < last || (stage == last && adds_start); ++stage) {
      const int d = sums >> stage;
      if (stage > 0 && stage < last) {
        Sums::store(block, heads, b.numbers, [&](int v) {
          const std::int64_t i = entry(v);
          const int c = sum_of(v);
          const bool hands_on = i < outputs && c >= d && c < 2 * d && c < terms;
          return hands_on ? static_cast<std::int64_t>(b.at(i, c)) : -1;
        });
      }
      block.for_each_thread([&](int t, Shared& shared) {
        if (t >= Sums::numbers) return;
        const std::int64_t i = entry(t);
        const int c = sum_of(t);
        shared.terms[t] = {0, 0, 0};
        if (i >= outputs) return;
        if (stage == 0 && c < terms) {
          shared.terms[t] = {static_cast<std::int64_t>(b.at(i, c)), b.column_step << sum_bits,
                             (terms - c + sums - 1) >> sum_bits};
        } else if (stage > 0 && stage < last && c < d && c + d < terms) {
          shared.terms[t] = {static_cast<std::int64_t>(b.at(i, c + d)), 0, 1};
        } else if (stage == last && c == 0) {
          shared.terms[t] = {static_cast<std::int64_t>(start.at(i, 0)), 0, 1};
        }
      });
      Sums::add(block, heads, stage == last ? start.numbers : b.numbers,
                stage == 0 ? (terms + sums - 1) >> sum_bits : 1);
    }
    Sums::store(block, heads, y.numbers,
                [&](int v) { return is_last(v) ? static_cast<std::int64_t>(y.at(entry(v), 0)) : -1; });
  }
};

}  // namespace assay::gemv::detail
