#pragma once
// The kernels of the decomposed GEMV that form its products, before they are rounded.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/ceil_div.hpp"
#include "arith/residues/mp_number.hpp"
#include "kernels/mp/array.hpp"

namespace assay::gemv::detail {

/// Numbers of an array at places first + i·row_step + j·column_step.
template <class Set>
struct MpEntries {
  mp::MpView<Set> numbers;
  std::int64_t first = 0, row_step = 0, column_step = 0;
  ASSAY_HD std::size_t at(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(first + i * row_step + j * column_step);
  }
};

/// The entrywise products b(i, j) = left(i, j)·right(i, j) of rows × columns entries. An index of a kernel is a row in
/// its low `row_bits` bits, and a column above them: indices without a row do nothing.
template <class Set>
struct MpProducts {
  std::int64_t rows, columns;
  int row_bits;
  MpEntries<Set> left, right, b;

  ASSAY_HD std::int64_t row(std::size_t index) const {
    return static_cast<std::int64_t>(index & ((std::size_t{1} << row_bits) - 1));
  }
  ASSAY_HD std::size_t above(std::size_t index) const { return index >> row_bits; }
  [[nodiscard]] std::size_t indices() const { return static_cast<std::size_t>(columns) << row_bits; }
};

/// Sign, exponent and interval of each product, one thread for each number. An exponent that is too large already is
/// marked.
template <class Set>
struct MpProductSigns {
  MpProducts<Set> p;
  ASSAY_HD void operator()(std::size_t index) const {
    const std::int64_t i = p.row(index);
    if (i >= p.rows) return;
    const auto j = static_cast<std::int64_t>(p.above(index));
    const mp::MpView<Set>& x = p.left.numbers;
    const mp::MpView<Set>& y = p.right.numbers;
    const mp::MpView<Set>& z = p.b.numbers;
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

/// a·b mod m of a, b < m, 2²⁶ < m < 2²⁷, with μ = ⌊2⁶⁴/m⌋. Barrett's reduction (rns::reduce) with words: q =
/// ⌊⌊ab/2²⁶⌋·⌊2⁵⁸/m⌋/2³²⌋ > ab/m − 3, so that ab − qm < 3m. Three multiplications of 32 bits.
ASSAY_HD constexpr std::uint32_t mul_mod_27(std::uint32_t a, std::uint32_t b, std::uint32_t m, std::uint64_t mu) {
  const std::uint64_t product = std::uint64_t{a} * b;
  const std::uint64_t q = (product >> 26) * bits::low_word(mu >> 6) >> 32;
  const std::uint32_t r = bits::low_word(product) - bits::low_word(q) * m;
  const std::uint32_t once = r >= m ? r - m : r;
  return once >= m ? once - m : once;
}

/// The digits of each product, one thread for each residue, neighbors at one number: 0 if the product is 0 or marked.
/// Moduli are those of rns::Standard.
template <class Set>
struct MpProductDigits {
  static constexpr int threads = 256;
  static constexpr int entries = Set::n > 16 ? 32 : 64;  ///< of a block
  struct Place {
    const std::uint32_t* x;  ///< null: the product is 0
    const std::uint32_t* y;
    std::uint32_t* z;  ///< null: there is no entry
  };
  struct Shared {
    Place places[entries];
  };

  MpProducts<Set> p;

  [[nodiscard]] std::size_t blocks() const { return bits::ceil_div(p.indices(), entries); }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) {
      if (t < entries) shared.places[t] = place_of(block.index() * entries + static_cast<std::size_t>(t));
    });
    block.for_each_thread([&](int t, Shared& shared) {
      const auto& table = rns::tables<Set>();
      ASSAY_UNROLL(4)
      for (int item = t; item < entries * Set::size; item += threads) {
        const Place& place = shared.places[item / Set::size];
        const int q = item % Set::size;
        if (place.z == nullptr) continue;
        const auto at = static_cast<std::size_t>(q);
        std::uint32_t product = 0;
        if (place.x != nullptr) {
          const std::uint32_t x = place.x[at * p.left.numbers.digit_step];
          const std::uint32_t y = place.y[at * p.right.numbers.digit_step];
          product = q < Set::n ? mul_mod_27(x, y, table.m[q], table.barrett[q])
                               : rns::mul_mod(x, y, table.m[q], table.barrett[q]);
        }
        place.z[at * p.b.numbers.digit_step] = product;
      }
    });
  }

 private:
  ASSAY_HD Place place_of(std::size_t index) const {
    const std::int64_t i = p.row(index);
    const auto j = static_cast<std::int64_t>(p.above(index));
    if (i >= p.rows || j >= p.columns) return {nullptr, nullptr, nullptr};
    const mp::MpView<Set>& x = p.left.numbers;
    const mp::MpView<Set>& y = p.right.numbers;
    const mp::MpView<Set>& z = p.b.numbers;
    const std::size_t kz = p.b.at(i, j);
    const bool empty = z.upper[kz].fraction == 0;
    return {empty ? nullptr : x.digits + x.digit_at(p.left.at(i, j), 0), y.digits + y.digit_at(p.right.at(i, j), 0),
            z.digits + z.digit_at(kz, 0)};
  }
};

}  // namespace assay::gemv::detail
