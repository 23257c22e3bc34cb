#pragma once
// The kernels of the decomposed GEMV, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "arith/mp_number.hpp"
#include "kernels/block.hpp"
#include "kernels/mp_array.hpp"

namespace assay::detail {

/// Numbers of an array at places first + i·row_step + j·column_step.
template <class Set>
struct MpEntries {
  MpView<Set> numbers;
  std::int64_t first = 0, row_step = 0, column_step = 0;
  ASSAY_HD std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(first + i * row_step + j * column_step);
  }
};

/// The entrywise products b(i, j) = left(i, j)·right(i, j) of rows × columns entries. An index of a kernel is a row in
/// its low `row_bits` bits, and a column above them: indices of rows that are none do nothing.
template <class Set>
struct MpProducts {
  std::int64_t rows, columns;
  int row_bits;
  MpEntries<Set> left, right, b;

  ASSAY_HD std::int64_t row(std::size_t index) const {
    return static_cast<std::int64_t>(index & ((std::size_t{1} << row_bits) - 1));
  }
  ASSAY_HD std::size_t above(std::size_t index) const { return index >> row_bits; }
  [[nodiscard]] std::size_t indices(std::size_t per_entry) const {
    return (static_cast<std::size_t>(columns) * per_entry) << row_bits;
  }
};

/// Sign, exponent and interval of each product, a thread a number. An exponent that is too large already is marked.
template <class Set>
struct MpProductSigns {
  MpProducts<Set> p;
  ASSAY_HD void operator()(std::size_t index) const {
    const std::int64_t i = p.row(index);
    if (i >= p.rows) return;
    const auto j = static_cast<std::int64_t>(p.above(index));
    const MpView<Set>& x = p.left.numbers;
    const MpView<Set>& y = p.right.numbers;
    const MpView<Set>& z = p.b.numbers;
    const std::size_t kx = p.left.at(i, j);
    const std::size_t ky = p.right.at(i, j);
    const std::size_t kz = p.b.at(i, j);
    const std::int32_t ex = x.exponent[kx];
    const std::int32_t ey = y.exponent[ky];
    const std::int64_t exponent = std::int64_t{ex} + ey;
    const bool marked = ex == mp::out_of_range_exponent || ey == mp::out_of_range_exponent;
    const bool zero = x.upper[kx].fraction == 0 || y.upper[ky].fraction == 0;
    if (marked || zero || exponent > mp::exponent_limit) {
      const bool out = marked || !zero;
      z.sign[kz] = 0;
      z.exponent[kz] = out ? mp::out_of_range_exponent : 0;
      z.lower[kz] = Extended{0, 0};
      z.upper[kz] = Extended{0, 0};
      return;
    }
    const Interval magnitude = mp::product_magnitude<Set>({x.lower[kx], x.upper[kx]}, {y.lower[ky], y.upper[ky]});
    z.sign[kz] = x.sign[kx] ^ y.sign[ky];
    z.exponent[kz] = static_cast<std::int32_t>(exponent);
    z.lower[kz] = magnitude.lower;
    z.upper[kz] = magnitude.upper;
  }
};

/// The digits of each product, a thread a residue, neighbours at one number: 0 where the product is 0 or marked.
template <class Set>
struct MpProductDigits {
  MpProducts<Set> p;
  ASSAY_HD void operator()(std::size_t index) const {
    const std::size_t entry = index / Set::size;
    const int q = static_cast<int>(index % Set::size);
    const std::int64_t i = p.row(entry);
    if (i >= p.rows) return;
    const auto j = static_cast<std::int64_t>(p.above(entry));
    const std::size_t kz = p.b.at(i, j);
    const MpView<Set>& x = p.left.numbers;
    const MpView<Set>& y = p.right.numbers;
    const auto& tables = rns::tables<Set>();
    const std::uint32_t product =
        rns::mul_mod(x.digits[x.digit_at(p.left.at(i, j), q)], y.digits[y.digit_at(p.right.at(i, j), q)], tables.m[q],
                     tables.barrett[q]);
    p.b.numbers.digits[p.b.numbers.digit_at(kz, q)] = p.b.numbers.upper[kz].fraction == 0 ? 0 : product;
  }
};

/// Sign, exponent and enclosure of a number whose digits stand elsewhere. Zero and out of range as in mp::Number.
struct MpHead {
  Interval magnitude;
  std::int64_t exponent;
  std::int32_t sign;
  std::int32_t left;  ///< bits by which the digits are still to be scaled down
  ASSAY_HD bool is_out_of_range() const { return exponent == mp::out_of_range_exponent; }
  ASSAY_HD bool is_zero() const { return magnitude.upper.fraction == 0 && !is_out_of_range(); }
};

/// What the numbers of a group wait for: bits to be scaled down, or that what one thread did alone is taken over.
template <int count>
struct MpPending {
  std::int32_t left[count];
  bool alone;
  ASSAY_HD bool any() const {
    bool found = alone;
    for (const std::int32_t bits : left) found = found || bits > 0;
    return found;
  }
};

/// Groups of eight threads of a block with `count` numbers each. Thread `lane` of a group has the residues lane, lane +
/// 8, … of the base of each of them, the first one also the guard. The digits are in shared memory; heads are with each
/// thread of a group. Results are those of the functions of arith/mp_number.hpp, bit for bit: heads by the same
/// formulas, digits exactly. Several numbers share the reading of the tables.
template <class Set, int block_threads, int count>
struct MpGroups {
  static constexpr int threads = block_threads;
  static constexpr int lanes = 8;
  static constexpr int groups = threads / lanes;
  static constexpr int numbers = groups * count;
  static constexpr int pitch = (Set::size + 23) / 32 * 32 + 8;  ///< groups of a warp lie in different banks
  struct Shared {
    std::uint32_t digits[numbers * pitch];
    std::uint32_t rank[count * threads];
    std::uint32_t rest[count * threads];
    MpHead heads[numbers];
  };
  using Team = Block<Shared, threads>;
  using Pending = PerThread<MpPending<count>, threads>;
  static_assert(Set::n % lanes == 0 && Set::guards == 1);

  /// The digits of number v of the group of thread t.
  ASSAY_HD static std::uint32_t* digits_of(int t, Shared& shared, int v) {
    return shared.digits + (v * groups + t / lanes) * pitch;
  }
  /// f(q) for the residues of thread t.
  template <class F>
  ASSAY_HD static void for_each_residue(int t, F&& f) {
    ASSAY_UNROLL(2)
    for (int q = t % lanes; q < Set::n; q += lanes) f(q);
    if (t % lanes == 0) f(Set::n);
  }

  /// Number k of an array to number v of a group, the digits alone.
  ASSAY_HD static void load_digits(int t, Shared& shared, int v, const MpView<Set>& x, std::size_t k) {
    std::uint32_t* const digits = digits_of(t, shared, v);
    for_each_residue(t, [&](int q) { digits[q] = x.digits[x.digit_at(k, q)]; });
  }
  /// And back, 0 where the number is empty.
  ASSAY_HD static void store_digits(int t, Shared& shared, int v, bool empty, const MpView<Set>& x, std::size_t k) {
    const std::uint32_t* const digits = digits_of(t, shared, v);
    for_each_residue(t, [&](int q) { x.digits[x.digit_at(k, q)] = empty ? 0 : digits[q]; });
  }

  /// The head of number k of an array.
  ASSAY_HD static MpHead head_of(const MpView<Set>& x, std::size_t k) {
    return {{x.lower[k], x.upper[k]}, x.exponent[k], x.sign[k], 0};
  }
  ASSAY_HD static void store_head(const MpHead& head, const MpView<Set>& x, std::size_t k) {
    x.lower[k] = head.magnitude.lower;
    x.upper[k] = head.magnitude.upper;
    x.exponent[k] = static_cast<std::int32_t>(head.exponent);
    x.sign[k] = head.sign;
  }

  /// Number 0 of a group, head and digits, to number k; digits of zero and out of range are 0.
  ASSAY_HD static void store(int t, Shared& shared, const MpHead& head, const MpView<Set>& x, std::size_t k) {
    store_digits(t, shared, 0, head.magnitude.upper.fraction == 0, x, k);
    if (t % lanes == 0) store_head(head, x, k);
  }

  /// The head after the rounding of a significand with this enclosure, which is not wide; `left` is what the digits
  /// lack.
  ASSAY_HD static MpHead rounded(const Interval& magnitude, std::int64_t exponent, std::int32_t sign) {
    MpHead head{magnitude, exponent, sign, 0};
    const std::int64_t excess = magnitude.upper.exponent + mp::significand_bits<Set>;
    if (excess >= 0) {
      const Interval kept = mp::detail::scaled(magnitude, -(excess + 1));
      head.magnitude = {sub_rd(kept.lower, rns::tables<Set>().reciprocal_product.upper), kept.upper};
      head.exponent = exponent + excess + 1;
      head.left = static_cast<std::int32_t>(excess + 1);
    }
    if (head.exponent > mp::exponent_limit || head.exponent < -mp::exponent_limit) {
      head = {{{0, 0}, {0, 0}}, mp::out_of_range_exponent, 0, 0};
    }
    return head;
  }

  /// digits ← ⌊X/2^left⌋ of every number, 32 bits a step as in rns::scale_down: the rank ρ of X = Σ s_i·M_i − ρM from
  /// the guard, then X mod 2^j, then an exact division. take_over(t, shared) for the threads whose group waits for
  /// that.
  template <class TakeOver>
  ASSAY_HD static void scale_down(Team& block, Pending& pending, TakeOver&& take_over) {
    const auto& table = rns::tables<Set>();
    while (block.any([&](int t, Shared&) { return pending[t].any(); })) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (pending[t].alone) take_over(t, shared);
        pending[t].alone = false;
        if (!pending[t].any()) return;
        const std::uint32_t guard = table.m[Set::n];
        std::uint64_t rank[count] = {};
        std::uint32_t rest[count] = {};
        for_each_residue(t, [&](int q) {
          ASSAY_UNROLL(count)
          for (int v = 0; v < count; ++v) {
            const std::uint32_t digit = digits_of(t, shared, v)[q];
            if (q == Set::n) {
              rank[v] += std::uint64_t{guard - digit} * table.guard_product_inverse;
            } else {
              const std::uint32_t s = rns::mul_shoup(digit, table.w[q], table.w_shoup[q], table.m[q]);
              rank[v] += std::uint64_t{s} * table.guard_inverse[q];
              rest[v] += s * table.cofactor32[q];
            }
          }
        });
        ASSAY_UNROLL(count)
        for (int v = 0; v < count; ++v) {
          shared.rank[v * threads + t] = rns::reduce(rank[v], guard, table.barrett[Set::n]);
          shared.rest[v * threads + t] = rest[v];
        }
      });
      block.for_each_thread([&](int t, Shared& shared) {
        if (!pending[t].any()) return;
        std::uint32_t rests[count];
        std::uint32_t masks[count];
        int steps[count];
        ASSAY_UNROLL(count)
        for (int v = 0; v < count; ++v) {
          std::int32_t& left = pending[t].left[v];
          steps[v] = left < 32 ? left : 32;
          masks[v] = left > 0 ? ~std::uint32_t{0} >> (32 - steps[v]) : 0;
          left -= steps[v];
          std::uint64_t rank = 0;
          std::uint32_t rest = 0;
          for (int lane = 0; lane < lanes; ++lane) {
            rank += shared.rank[v * threads + t / lanes * lanes + lane];
            rest += shared.rest[v * threads + t / lanes * lanes + lane];
          }
          rest -= rns::reduce(rank, table.m[Set::n], table.barrett[Set::n]) * table.product32;
          rests[v] = rest & masks[v];
        }
        for_each_residue(t, [&](int q) {
          const std::uint32_t inverse = table.inverse32[q];
          const std::uint32_t m = table.m[q];
          ASSAY_UNROLL(count)
          for (int v = 0; v < count; ++v) {
            if (steps[v] == 0) continue;
            std::uint32_t& digit = digits_of(t, shared, v)[q];
            const std::uint32_t multiple = ((rests[v] - digit) * inverse) & masks[v];
            digit = static_cast<std::uint32_t>((std::uint64_t{multiple} * m + digit - rests[v]) >> steps[v]);
          }
        });
      });
    }
  }
};

/// Sums of groups, a number each.
template <class Set, int block_threads>
struct MpSums : MpGroups<Set, block_threads, 1> {
  using Groups = MpGroups<Set, block_threads, 1>;
  using Shared = typename Groups::Shared;
  using Team = typename Groups::Team;
  using Heads = PerThread<MpHead, block_threads>;
  static constexpr int lanes = Groups::lanes;

  /// The number of a group, for what one thread does alone.
  ASSAY_HD static mp::Number<Set> gathered(int t, Shared& shared, const MpHead& head) {
    mp::Number<Set> x;
    for (int q = 0; q < Set::size; ++q) x.digits.r[q] = Groups::digits_of(t, shared, 0)[q];
    x.magnitude = head.magnitude;
    x.exponent = static_cast<std::int32_t>(head.exponent);
    x.sign = head.sign;
    return x;
  }
  ASSAY_HD static void scatter(int t, Shared& shared, const mp::Number<Set>& x) {
    for (int q = 0; q < Set::size; ++q) Groups::digits_of(t, shared, 0)[q] = x.digits.r[q];
    shared.heads[t / lanes] = {x.magnitude, x.exponent, x.sign, 0};
  }

  /// sum + x_k for every group with k = place(t) ≥ 0. Where enclosures overlap or the sum's is wide, one thread calls
  /// mp::add.
  template <class Place>
  ASSAY_HD static void add(Team& block, Heads& sum, const MpView<Set>& x, Place&& place) {
    auto pending = block.per_thread(MpPending<1>{});
    block.for_each_thread([&](int t, Shared& shared) {
      const std::int64_t at = place(t);
      if (at < 0) return;
      const auto k = static_cast<std::size_t>(at);
      const MpHead term = Groups::head_of(x, k);
      const MpHead acc = sum[t];
      if (acc.is_out_of_range() || term.is_zero()) return;
      const bool copies = term.is_out_of_range() || acc.is_zero();
      const bool scales_acc = acc.exponent >= term.exponent;
      const std::int64_t shift = scales_acc ? acc.exponent - term.exponent : term.exponent - acc.exponent;
      const MpHead& high = scales_acc ? acc : term;
      const MpHead& low = scales_acc ? term : acc;
      const bool drops = !copies && high.magnitude.upper.exponent + shift >= -1;
      if (drops && scales_acc) return;
      if (copies || drops) {
        Groups::load_digits(t, shared, 0, x, k);
        sum[t] = term;
        return;
      }
      const Interval a = mp::detail::scaled(high.magnitude, shift);
      const Interval& b = low.magnitude;
      const bool adds = acc.sign == term.sign;
      const int order = adds                                   ? 1
                        : assay::compare(a.lower, b.upper) > 0 ? 1
                        : assay::compare(b.lower, a.upper) > 0 ? -1
                                                               : 0;
      const Interval& large = order > 0 ? a : b;
      const Interval& small = order > 0 ? b : a;
      const Interval magnitude = adds ? Interval{add_rd(a.lower, b.lower), add_ru(a.upper, b.upper)}
                                      : Interval{sub_rd(large.lower, small.upper), sub_ru(large.upper, small.lower)};
      if (order == 0 || mp::detail::is_wide(magnitude)) {
        pending[t].alone = true;
        if (t % lanes == 0) scatter(t, shared, mp::add(gathered(t, shared, acc), x.load(k)));
        return;
      }
      const auto& table = rns::tables<Set>();
      Groups::for_each_residue(t, [&](int q) {
        std::uint32_t& digit = Groups::digits_of(t, shared, 0)[q];
        const std::uint32_t m = table.m[q];
        const std::uint32_t other = x.digits[x.digit_at(k, q)];
        std::uint32_t p = scales_acc ? digit : other;
        const std::uint32_t r = scales_acc ? other : digit;
        if (shift > 0) p = rns::mul_mod(p, rns::power_of_two_mod<Set>(static_cast<int>(shift), q), m, table.barrett[q]);
        digit = adds ? rns::add_mod(p, r, m) : order > 0 ? rns::sub_mod(p, r, m) : rns::sub_mod(r, p, m);
      });
      sum[t] = Groups::rounded(magnitude, low.exponent, order > 0 ? high.sign : low.sign);
      pending[t].left[0] = sum[t].left;
    });
    Groups::scale_down(block, pending, [&](int t, Shared& shared) { sum[t] = shared.heads[t / lanes]; });
  }
};

/// Rounds each of `length` products in place: a thread a number finds out which need it, then eight threads a number. A
/// number with a wide enclosure is left to one thread.
template <class Set>
struct MpProductRounding {
  static constexpr int count = 4;
  using Groups = MpGroups<Set, 128, count>;
  using Shared = typename Groups::Shared;
  static constexpr int threads = Groups::threads;
  static constexpr int blocks_per_multiprocessor = 6;  ///< registers are for the usual way, not for that of one thread

  std::int64_t length;
  MpView<Set> b;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * Groups::numbers;
    auto changes = block.per_thread(false);
    block.for_each_thread([&](int t, Shared& shared) {
      if (t >= Groups::numbers) return;
      shared.heads[t].left = 0;
      const auto k = static_cast<std::size_t>(first + t);
      if (first + t >= length) return;
      const MpHead product = Groups::head_of(b, k);
      if (product.magnitude.upper.fraction == 0) return;
      if (mp::detail::is_wide(product.magnitude)) {
        b.store(k, mp::round(b.load(k)));
        return;
      }
      const MpHead head = Groups::rounded(product.magnitude, product.exponent, product.sign);
      if (head.is_out_of_range()) {
        b.store(k, mp::out_of_range<Set>());
        return;
      }
      shared.heads[t] = head;
      changes[t] = head.left > 0;
    });
    if (!block.any([&](int t, Shared&) { return changes[t]; })) return;
    auto pending = block.per_thread(MpPending<count>{});
    block.for_each_thread([&](int t, Shared& shared) {
      for (int v = 0; v < count; ++v) {
        const int number = v * Groups::groups + t / Groups::lanes;
        pending[t].left[v] = shared.heads[number].left;
        if (pending[t].left[v] > 0) Groups::load_digits(t, shared, v, b, static_cast<std::size_t>(first + number));
      }
    });
    Groups::scale_down(block, pending, [](int, Shared&) {});
    block.for_each_thread([&](int t, Shared& shared) {
      for (int v = 0; v < count; ++v) {
        const int number = v * Groups::groups + t / Groups::lanes;
        if (shared.heads[number].left > 0) {
          Groups::store_digits(t, shared, v, false, b, static_cast<std::size_t>(first + number));
        }
      }
      if (changes[t]) Groups::store_head(shared.heads[t], b, static_cast<std::size_t>(first + t));
    });
  }
};

/// Σⱼ b(i, j) by T groups of eight threads an entry: group c of entry i adds the terms c, c + T, …; then the tree; then
/// y(i) is the sum, with start(i) added where there is one. Sums of groups are handed on in b(i, c).
template <class Set>
struct MpReductionBlock {
  using Groups = MpSums<Set, 256>;
  using Shared = typename Groups::Shared;
  static constexpr int threads = Groups::threads;
  static constexpr int blocks_per_multiprocessor = 4;

  std::int64_t outputs, terms;
  int sum_bits;  ///< T = 2^sum_bits groups an entry
  MpEntries<Set> b, start, y;
  bool adds_start;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int sums = 1 << sum_bits;
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * (Groups::groups >> sum_bits);
    const auto entry = [&](int t) { return first + (t / Groups::lanes >> sum_bits); };
    const auto group = [&](int t) { return t / Groups::lanes & (sums - 1); };
    auto heads = block.per_thread(MpHead{});
    for (std::int64_t j = 0; j < terms; j += sums) {
      Groups::add(block, heads, b.numbers, [&](int t) {
        const bool is_term = entry(t) < outputs && j + group(t) < terms;
        return is_term ? static_cast<std::int64_t>(b.at(entry(t), j + group(t))) : -1;
      });
    }
    for (int d = sums / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        const int c = group(t);
        if (entry(t) < outputs && c >= d && c < 2 * d && c < terms) {
          Groups::store(t, shared, heads[t], b.numbers, b.at(entry(t), c));
        }
      });
      Groups::add(block, heads, b.numbers, [&](int t) {
        const bool takes = entry(t) < outputs && group(t) < d && group(t) + d < terms;
        return takes ? static_cast<std::int64_t>(b.at(entry(t), group(t) + d)) : -1;
      });
    }
    if (adds_start) {
      Groups::add(block, heads, start.numbers, [&](int t) {
        return entry(t) < outputs && group(t) == 0 ? static_cast<std::int64_t>(start.at(entry(t), 0)) : -1;
      });
    }
    block.for_each_thread([&](int t, Shared& shared) {
      if (entry(t) < outputs && group(t) == 0) Groups::store(t, shared, heads[t], y.numbers, y.at(entry(t), 0));
    });
  }
};

/// The same sums, bit for bit, by one thread each: thread c of entry i adds into b(i, c). Faster where a number has few
/// residues. `across`: neighbours in a block belong to neighbouring entries, else to neighbouring terms of one.
template <class Set>
struct MpThreadReductionBlock {
  static constexpr int threads = 128;
  struct Shared {};

  std::int64_t outputs, terms;
  int sum_bits;  ///< T = 2^sum_bits threads an entry
  bool across;
  MpEntries<Set> b, start, y;
  bool adds_start;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int sums = 1 << sum_bits;
    const int entries = threads >> sum_bits;
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * entries;
    const auto entry = [&](int t) { return first + (across ? t & (entries - 1) : t >> sum_bits); };
    const auto sum_of = [&](int t) { return across ? t / entries : t & (sums - 1); };
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t i = entry(t);
      const int c = sum_of(t);
      if (i >= outputs || c + sums >= terms) return;
      mp::Number<Set> sum = b.numbers.load(b.at(i, c));
      for (std::int64_t j = c + sums; j < terms; j += sums) sum = mp::add(sum, b.numbers.load(b.at(i, j)));
      b.numbers.store(b.at(i, c), sum);
    });
    for (int d = sums / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int t, Shared&) {
        const std::int64_t i = entry(t);
        const int c = sum_of(t);
        if (i >= outputs || c >= d || c + d >= terms) return;
        b.numbers.store(b.at(i, c), mp::add(b.numbers.load(b.at(i, c)), b.numbers.load(b.at(i, c + d))));
      });
    }
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t i = first + t;
      if (t >= entries || i >= outputs) return;
      mp::Number<Set> sum = terms > 0 ? b.numbers.load(b.at(i, 0)) : mp::zero<Set>();
      if (adds_start) sum = mp::add(sum, start.numbers.load(start.at(i, 0)));
      y.numbers.store(y.at(i, 0), sum);
    });
  }
};

}  // namespace assay::detail
