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

/// The digits of each product, a thread a residue: 0 where the product is 0 or marked.
template <class Set>
struct MpProductDigits {
  MpProducts<Set> p;
  ASSAY_HD void operator()(std::size_t index) const {
    const std::int64_t i = p.row(index);
    if (i >= p.rows) return;
    const std::size_t rest = p.above(index);
    const auto j = static_cast<std::int64_t>(rest / Set::size);
    const int q = static_cast<int>(rest % Set::size);
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

/// Rounds each product, a thread a number; the digits of one that needs it alone are read and written.
template <class Set>
struct MpProductRounding {
  MpProducts<Set> p;
  ASSAY_HD void operator()(std::size_t index) const {
    const std::int64_t i = p.row(index);
    if (i >= p.rows) return;
    const MpView<Set>& z = p.b.numbers;
    const std::size_t k = p.b.at(i, static_cast<std::int64_t>(p.above(index)));
    const Interval magnitude{z.lower[k], z.upper[k]};
    const std::int32_t exponent = z.exponent[k];
    if (magnitude.upper.fraction == 0) return;
    const bool fits = magnitude.upper.exponent + mp::significand_bits<Set> < 0;
    if (fits && exponent >= -mp::exponent_limit && !mp::detail::is_wide(magnitude)) return;
    z.store(k, mp::round(z.load(k)));
  }
};

/// Σⱼ b(i, j) by T threads an entry, in place: thread t of entry i adds into b(i, t); then the tree; then y(i) is the
/// sum, with start(i) added where there is one. `across`: neighbours in a block belong to neighbouring entries, else to
/// neighbouring terms of one.
template <class Set>
struct MpReductionBlock {
  static constexpr int threads = 128;
  struct Shared {};

  std::int64_t outputs, terms;
  int sum_bits;  ///< T = 2^sum_bits threads an entry
  bool across;
  MpEntries<Set> b, start, y;
  bool adds_start;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int sum_threads = 1 << sum_bits;
    const int entries = threads >> sum_bits;
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * entries;
    block.for_each_thread([&](int thread, Shared&) {
      const int t = across ? thread / entries : thread & (sum_threads - 1);
      const std::int64_t i = first + (across ? thread & (entries - 1) : thread >> sum_bits);
      if (i >= outputs || t + sum_threads >= terms) return;
      mp::Number<Set> sum = b.numbers.load(b.at(i, t));
      for (std::int64_t j = t + sum_threads; j < terms; j += sum_threads) {
        sum = mp::add(sum, b.numbers.load(b.at(i, j)));
      }
      b.numbers.store(b.at(i, t), sum);
    });
    for (int d = sum_threads / 2; d > 0; d /= 2) {
      block.for_each_thread([&](int thread, Shared&) {
        const int t = across ? thread / entries : thread & (sum_threads - 1);
        const std::int64_t i = first + (across ? thread & (entries - 1) : thread >> sum_bits);
        if (i >= outputs || t >= d || t + d >= terms) return;
        b.numbers.store(b.at(i, t), mp::add(b.numbers.load(b.at(i, t)), b.numbers.load(b.at(i, t + d))));
      });
    }
    block.for_each_thread([&](int thread, Shared&) {
      const std::int64_t i = first + thread;
      if (thread >= entries || i >= outputs) return;
      mp::Number<Set> sum = terms > 0 ? b.numbers.load(b.at(i, 0)) : mp::zero<Set>();
      if (adds_start) sum = mp::add(sum, start.numbers.load(start.at(i, 0)));
      y.numbers.store(y.at(i, 0), sum);
    });
  }
};

}  // namespace assay::detail
