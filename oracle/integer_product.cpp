#include "oracle/integer_product.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <stdexcept>

#include "oracle/flint.hpp"
#include "oracle/gmp_value.hpp"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <flint/fmpz_mat.h>
#pragma GCC diagnostic pop

namespace assay::oracle {
namespace {

/// A finite number of binary64 as significand·2^exponent with an odd significand, or 0·2⁰.
struct Parts {
  std::int64_t significand;
  long exponent;
};

Parts parts_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const long field = static_cast<long>(bits >> 52 & 0x7ff);
  if (field == 0x7ff) throw std::invalid_argument("a number that is not finite in an exact product");
  std::uint64_t significand = bits & 0xfffffffffffff;
  long exponent = -1074;
  if (field != 0) {
    significand |= std::uint64_t{1} << 52;
    exponent += field - 1;
  }
  if (significand == 0) return {0, 0};
  const int zeros = std::countr_zero(significand);
  const auto odd = static_cast<std::int64_t>(significand >> zeros);
  return {(bits >> 63) != 0 ? -odd : odd, exponent + zeros};
}

/// The limbs of |x|, the lowest first. Requires: x ≠ 0 (not checked); x outlives the object and does not change.
class Limbs {
 public:
  explicit Limbs(const fmpz_t x) {
    if (COEFF_IS_MPZ(*x)) {
      const auto* z = COEFF_TO_PTR(*x);
      limbs_ = z->_mp_d;
      count_ = static_cast<long>(z->_mp_size < 0 ? -z->_mp_size : z->_mp_size);
    } else {
      single_ = static_cast<mp_limb_t>(*x < 0 ? -*x : *x);
      limbs_ = &single_;
      count_ = 1;
    }
  }
  Limbs(const Limbs&) = delete;
  Limbs& operator=(const Limbs&) = delete;
  [[nodiscard]] long bits() const { return 64 * (count_ - 1) + static_cast<long>(std::bit_width(limbs_[count_ - 1])); }
  [[nodiscard]] bool bit(long at) const { return at < 64 * count_ && (limbs_[at / 64] >> (at % 64) & 1) != 0; }
  /// The 64 bits from place `at` on.
  [[nodiscard]] std::uint64_t from(long at) const {
    const long limb = at / 64;
    const long shift = at % 64;
    if (limb >= count_) return 0;
    const std::uint64_t low = limbs_[limb] >> shift;
    return shift == 0 || limb + 1 == count_ ? low : low | limbs_[limb + 1] << (64 - shift);
  }
  /// Whether a bit below place `at` is set.
  [[nodiscard]] bool any_below(long at) const {
    for (long limb = 0; limb < count_ && 64 * limb < at; ++limb) {
      const long left = at - 64 * limb;
      const std::uint64_t word = left >= 64 ? limbs_[limb] : limbs_[limb] << (64 - left);
      if (word != 0) return true;
    }
    return false;
  }

 private:
  const mp_limb_t* limbs_;
  mp_limb_t single_ = 0;
  long count_;
};

/// RN(x·2^e) in binary64: x = 0 gives +0.
std::uint64_t nearest(const fmpz_t x, long e) {
  if (fmpz_is_zero(x) != 0) return 0;
  const std::uint64_t sign = fmpz_sgn(x) < 0 ? std::uint64_t{1} << 63 : 0;
  constexpr std::uint64_t infinity = std::uint64_t{0x7ff} << 52;
  const Limbs limbs(x);
  const long leading = e + limbs.bits() - 1;
  if (leading > 1023) return sign | infinity;
  const long binade = std::max(leading, -1022L);
  const long cut = binade - 52 - e;  // bits of x below the place of the last significand bit
  std::uint64_t significand = 0;
  if (cut <= 0) {
    significand = limbs.from(0) << -cut;
  } else {
    significand = limbs.from(cut) & 0x1fffffffffffff;
    const bool half = limbs.bit(cut - 1);
    if (half && ((significand & 1) != 0 || limbs.any_below(cut - 1))) ++significand;
  }
  // The hidden bit, and a carry out of the significand, count up the exponent's field.
  const std::uint64_t magnitude =
      leading < -1022 ? significand : (static_cast<std::uint64_t>(binade + 1022) << 52) + significand;
  return sign | std::min(magnitude, infinity);
}

}  // namespace

struct IntegerProduct::Integers {
  fmpz_mat_t n;
  std::vector<long> row_exponents, column_exponents;

  Integers(long rows, long columns)
      : row_exponents(static_cast<std::size_t>(rows)), column_exponents(static_cast<std::size_t>(columns)) {
    fmpz_mat_init(n, rows, columns);
  }
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;
  ~Integers() { fmpz_mat_clear(n); }

  [[nodiscard]] long exponent(std::int64_t i, std::int64_t j) const {
    return row_exponents[static_cast<std::size_t>(i)] + column_exponents[static_cast<std::size_t>(j)];
  }
};

namespace {

/// The integers of `x`, and the exponents by which its rows, or its columns, are scaled.
class ScaledIntegers {
 public:
  ScaledIntegers(const MatrixView& x, bool by_rows, bool magnitudes, std::vector<long>& exponents) {
    std::vector<Parts> parts;
    parts.reserve(static_cast<std::size_t>(x.rows * x.columns));
    std::vector<bool> seen(exponents.size());
    for (std::int64_t i = 0; i < x.rows; ++i) {
      for (std::int64_t j = 0; j < x.columns; ++j) {
        const Parts each = parts.emplace_back(parts_of(x.at(i, j)));
        const auto line = static_cast<std::size_t>(by_rows ? i : j);
        if (each.significand == 0) continue;
        exponents[line] = seen[line] ? std::min(exponents[line], each.exponent) : each.exponent;
        seen[line] = true;
      }
    }
    fmpz_mat_init(all, x.rows, x.columns);
    auto next = parts.begin();
    for (std::int64_t i = 0; i < x.rows; ++i) {
      for (std::int64_t j = 0; j < x.columns; ++j, ++next) {
        if (next->significand == 0) continue;
        fmpz* const entry = fmpz_mat_entry(all, i, j);
        fmpz_set_si(entry, magnitudes && next->significand < 0 ? -next->significand : next->significand);
        const long shift = next->exponent - exponents[static_cast<std::size_t>(by_rows ? i : j)];
        if (shift > 0) fmpz_mul_2exp(entry, entry, static_cast<ulong>(shift));
      }
    }
  }
  ScaledIntegers(const ScaledIntegers&) = delete;
  ScaledIntegers& operator=(const ScaledIntegers&) = delete;
  ~ScaledIntegers() { fmpz_mat_clear(all); }

  fmpz_mat_t all;
};

/// Compares entries of the product with sums of fractions: all if they have at most 2^14 terms in total, otherwise
/// about as many entries as that, spread over the matrix.
void watch_entries(const MatrixView& a, const MatrixView& b, IntegerProduct::Of of, const IntegerProduct& product) {
  constexpr std::int64_t most_terms = 1 << 14;
  const std::int64_t entries = a.rows * b.columns;
  const std::int64_t every = std::max<std::int64_t>(1, entries * std::max<std::int64_t>(1, a.columns) / most_terms);
  std::vector<std::uint64_t> row(static_cast<std::size_t>(a.columns));
  std::vector<std::uint64_t> column(row.size());
  for (std::int64_t at = 0; at < entries; at += every) {
    const std::int64_t i = at % a.rows;
    const std::int64_t j = at / a.rows;
    for (std::int64_t l = 0; l < a.columns; ++l) {
      row[static_cast<std::size_t>(l)] = std::bit_cast<std::uint64_t>(a.at(i, l));
      column[static_cast<std::size_t>(l)] = std::bit_cast<std::uint64_t>(b.at(l, j));
    }
    watch::dot(row, column, of == IntegerProduct::Of::magnitudes, product.value(i, j));
  }
}

}  // namespace

IntegerProduct::IntegerProduct(const MatrixView& a, const MatrixView& b, Of of)
    : integers_(std::make_unique<Integers>(a.rows, b.columns)) {
  if (a.columns != b.rows) throw std::invalid_argument("factors whose inner dimensions differ");
  const ScaledIntegers left(a, true, of == Of::magnitudes, integers_->row_exponents);
  const ScaledIntegers right(b, false, of == Of::magnitudes, integers_->column_exponents);
  fmpz_mat_mul(integers_->n, left.all, right.all);
  if (watch::is_on) watch_entries(a, b, of, *this);
}

IntegerProduct::~IntegerProduct() = default;

Dyadic IntegerProduct::value(std::int64_t i, std::int64_t j) const {
  Dyadic x;
  arf_set_fmpz(x.arf(), fmpz_mat_entry(integers_->n, i, j));
  return std::move(x.mul_2exp(integers_->exponent(i, j)));
}

std::vector<std::uint64_t> IntegerProduct::rounded(double alpha, double beta, const MatrixView& c) const {
  const fmpz_mat_struct& n = *integers_->n;
  if (c.rows != n.r || c.columns != n.c) throw std::invalid_argument("C has not the shape of the product");
  const Parts factor = parts_of(alpha);
  const Parts start_factor = parts_of(beta);
  std::vector<std::uint64_t> patterns;
  patterns.reserve(static_cast<std::size_t>(n.r * n.c));
  FlintInteger sum;
  FlintInteger start;
  for (std::int64_t j = 0; j < c.columns; ++j) {
    for (std::int64_t i = 0; i < c.rows; ++i) {
      const fmpz* entry = fmpz_mat_entry(integers_->n, i, j);
      long e = integers_->exponent(i, j) + factor.exponent;
      if (factor.significand == 1 && start_factor.significand == 0) {
        patterns.push_back(nearest(entry, e));
        if (watch::is_on) watch::scaled_entry(value(i, j), alpha, beta, 0, patterns.back());
        continue;
      }
      fmpz_mul_si(sum.z, entry, factor.significand);
      const Parts addend = start_factor.significand == 0 ? Parts{0, 0} : parts_of(c.at(i, j));
      if (addend.significand != 0) {
        fmpz_set_si(start.z, addend.significand);
        fmpz_mul_si(start.z, start.z, start_factor.significand);
        const long below = e - (addend.exponent + start_factor.exponent);
        if (fmpz_is_zero(sum.z) != 0) {
          e -= below;
        } else if (below > 0) {
          fmpz_mul_2exp(sum.z, sum.z, static_cast<ulong>(below));
          e -= below;
        } else {
          fmpz_mul_2exp(start.z, start.z, static_cast<ulong>(-below));
        }
        fmpz_add(sum.z, sum.z, start.z);
      }
      patterns.push_back(nearest(sum.z, e));
      if (watch::is_on) watch::scaled_entry(value(i, j), alpha, beta, c.at(i, j), patterns.back());
    }
  }
  return patterns;
}

}  // namespace assay::oracle
