#pragma once

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/float/ulp.hpp"
#include "arith/hd.hpp"

namespace assay {

/// The bits of a bin: 40 in binary64, 13 in binary32.
template <class T>
inline constexpr int bin_width = 0;
template <>
inline constexpr int bin_width<double> = 40;
template <>
inline constexpr int bin_width<float> = 13;

/// A sum in K bins of W bits: the same bits in every order of the terms and for every tree of merges. Bin b has the
/// grid g_b = 2^(bW)·η and is the first one for 2^(bW − 1)·η ≤ |x| < 2^(bW + W − 1)·η, in which b may be negative. A
/// term is rounded to the grid of bin b, to nearest with ties away from 0, its remainder to the grid of bin b − 1, and
/// so on. The sum has the K bins from the first bin of the largest term on; the remainder of a term after these bins is
/// dropped. Bounds and proofs: docs/bounds/sum.md, sum.binned.1 and the following theorems. The indexed format of
/// Demmel, Nguyen, "Parallel reproducible summation", IEEE Trans. Comput. 64(7), 2015, and of Ahrens, Demmel, Nguyen,
/// "Algorithms for efficient reproducible floating point summation", ACM TOMS 46(3), 2020; here all bins lie where the
/// first one has the numbers below 1/2, so that no word and no product over- or underflows, and carries are integers.
///
/// A trivially copyable value without pointers: it may travel as bytes between processes of one architecture.
/// `BinnedSum::empty()` is the empty sum. Holds 2⁶² terms. Bit-identical on every executor: each operation is exact.
template <class T, int K, int W = bin_width<T>>
struct BinnedSum {
  static constexpr int precision = FloatTraits<T>::precision;
  static_assert(1 <= K && K <= 4 && 2 <= W && W <= precision - 3);
  static constexpr int folds = K;
  static constexpr int width = W;
  static constexpr int additions = 1 << (precision - W - 2);           ///< that a word holds between two renormalize()
  static constexpr int lowest = FloatTraits<T>::emin - precision + 1;  ///< η = 2^lowest
  static constexpr int empty_bin = -(1 << 14);

  std::int64_t carry[K];  ///< in units of 2^(p − 3) grids
  T word[K];              ///< base(k) and a multiple of the grid of bin − k, scaled
  std::int32_t bin;       ///< of word[0]
  std::uint32_t flags;    ///< accumulators::SeenTerms of the terms that are not finite
  std::int32_t pending;   ///< terms since renormalize()

  [[nodiscard]] ASSAY_HD static constexpr BinnedSum empty() {
    BinnedSum z{};
    ASSAY_UNROLL(4)
    for (int k = 0; k < K; ++k) {
      z.word[k] = base(k);
    }
    z.bin = empty_bin;
    return z;
  }

  /// this += x. An infinity or a NaN is kept for value(). 4K + 2 operations while no larger term comes.
  ASSAY_HD constexpr void add(T x) {
    const T scaled = x * scale();
    if (abs(scaled) < bits::power_of_two<T>(-1)) {
      take_in(scaled);
    } else {
      apart([x](BinnedSum& z) { z.add_first(x); });
    }
  }

  /// this += a·b as the two numbers of TwoProd, whatever the magnitude of the product is.
  ASSAY_HD constexpr void add_product(T a, T b) {
    const Product<T> z = two_prod(a, b);
    if (abs(z.p) >= bits::power_of_two<T>(FloatTraits<T>::emin + precision) && is_finite(z.p)) {
      add(z.p);
      add(z.e);
    } else {
      apart([a, b](BinnedSum& sum) { sum.add_unusual_product(a, b); });
    }
  }

  /// this += x₀ + … + x₍ₙ₋₁₎: add() for each, with one comparison for all of them, and bins that are raised at most
  /// once. The largest term is known by the upper half of its encoding. 4K − 2 operations for each term if all lie in
  /// the bins.
  template <int n>
  ASSAY_HD constexpr void add_tile(const T (&x)[n]) {
    std::uint32_t top = top_bits(x[0]);
    ASSAY_UNROLL(16)
    for (int j = 1; j < n; ++j) {
      top = larger(top, top_bits(x[j]));
    }
    if (makes_room(top, n)) {
      const T by = scale();
      ASSAY_UNROLL(16)
      for (int j = 0; j < n; ++j) {
        take_in_bins(x[j] * by);
      }
    } else {
      Tile<n> terms{};
      ASSAY_UNROLL(16)
      for (int j = 0; j < n; ++j) {
        terms.x[j] = x[j];
      }
      apart([&terms](BinnedSum& z) { z.add_each(terms); });
    }
  }

  /// this += a₀b₀ + … + a₍ₙ₋₁₎b₍ₙ₋₁₎: add_product() for each, with one comparison for all products, as add_tile.
  template <int n>
  ASSAY_HD constexpr void add_tile_of_products(const T (&a)[n], const T (&b)[n]) {
    constexpr std::uint32_t least = top_bits(bits::power_of_two<T>(FloatTraits<T>::emin + precision));
    T p[n]{};
    T e[n]{};
    std::uint32_t top = 0;
    bool exact = true;  // every TwoProd
    ASSAY_UNROLL(16)
    for (int j = 0; j < n; ++j) {
      const Product<T> z = two_prod(a[j], b[j]);
      p[j] = z.p;
      e[j] = z.e;
      top = larger(top, top_bits(z.p));
      exact = exact && (top_bits(z.p) >= least || a[j] == T(0) || b[j] == T(0));
    }
    if (exact && makes_room(top, 2 * n)) {
      const T by = scale();
      ASSAY_UNROLL(16)
      for (int j = 0; j < n; ++j) {
        take_in_bins(p[j] * by);
        take_in_bins(e[j] * by);
      }
    } else {
      Tile<n> left{};
      Tile<n> right{};
      ASSAY_UNROLL(16)
      for (int j = 0; j < n; ++j) {
        left.x[j] = a[j];
        right.x[j] = b[j];
      }
      apart([&left, &right](BinnedSum& z) { z.add_each(left, right); });
    }
  }

  /// this += other. Renormalizes this.
  ASSAY_HD constexpr void add(const BinnedSum& other) {
    BinnedSum y = other;
    y.raise(bin);
    raise(y.bin);
    ASSAY_UNROLL(4)
    for (int k = 0; k < K; ++k) {
      carry[k] += y.carry[k];
      set(k, offset(k) + y.offset(k));
    }
    flags |= y.flags;
    pending = 0;
  }

  /// Moves whole units of the carries there: 0 ≤ offset(k) < 2^(p − 3) afterwards. Sums of the same terms then have the
  /// same members.
  ASSAY_HD constexpr void renormalize() {
    ASSAY_UNROLL(4)
    for (int k = 0; k < K; ++k) {
      set(k, offset(k));
    }
    pending = 0;
  }

  /// The sum in the bins, rounded once to nearest with ties to even; overflow per IEEE 754. An exact 0 is +0.
  /// With terms that are not finite: NaN if one is a NaN or a product 0·∞, or if there are both infinities; otherwise
  /// the infinity. About 100 operations.
  [[nodiscard]] ASSAY_HD constexpr T value() const {
    if (accumulators::saw_special(flags)) {
      return static_cast<T>(accumulators::special_sum(flags));
    }
    const Digits z = digits();
    if constexpr (precision == 53) {
      return accumulators::rounded_digits(z.word, limbs, z.exponent, false, Rounding::rn);
    } else {
      // Toward 0 with a sticky last bit: 53 ≥ p + 2 bits, so that the second rounding gives the rounding of the sum.
      const double cut = accumulators::rounded_digits(z.word, limbs, z.exponent, false, Rounding::rz);
      const bool is_cut = accumulators::rounded_digits(z.word, limbs, z.exponent, false, Rounding::ru) !=
                          accumulators::rounded_digits(z.word, limbs, z.exponent, false, Rounding::rd);
      return static_cast<T>(from_bits<double>(to_bits(cut) | (is_cut ? 1 : 0)));
    }
  }

  /// The square root of the sum: of the sum rounded to 53 bits, without over- or underflow, then the root is rounded
  /// to 53 bits, and to T. NaN for a negative sum.
  [[nodiscard]] ASSAY_HD T root() const {
    if (accumulators::saw_special(flags)) {
      return static_cast<T>(sqrt(accumulators::special_sum(flags)));
    }
    const Digits z = digits();
    const int odd = z.exponent & 1;
    const double root = sqrt(accumulators::rounded_digits(z.word, limbs, odd, false, Rounding::rn));
    if (root == 0) {
      return T(0);
    }
    const int half = (z.exponent - odd) / 2;
    const int quarter = half / 2;
    return static_cast<T>(root * bits::power_of_two<double>(quarter) * bits::power_of_two<double>(half - quarter));
  }

 private:
  /// fraction·2^exponent, 1 ≤ |fraction| < 2.
  struct Parts {
    T fraction;
    int exponent;
  };

  /// The sum as Σ word_i·2^(32i)·2^exponent.
  static constexpr int limbs = ((K - 1) * W + precision - 3 + 64) / 32 + 2;
  struct Digits {
    std::int64_t word[limbs];
    int exponent;
  };

  /// 1.5·2^(p − 1) grids, where bin − k has the grid 2^(−(k + 1)W).
  [[nodiscard]] ASSAY_HD static constexpr T base(int k) {
    return from_bits<T>(static_cast<BitsOf<T>>(to_bits(bits::power_of_two<T>(precision - 1 - (k + 1) * W)) |
                                               BitsOf<T>{1} << (precision - 2)));
  }

  /// The content of word k above base(k), in grids.
  [[nodiscard]] ASSAY_HD constexpr std::int64_t offset(int k) const {
    return static_cast<std::int64_t>(to_bits(word[k])) - static_cast<std::int64_t>(to_bits(base(k)));
  }
  ASSAY_HD constexpr void set(int k, std::int64_t grids) {
    carry[k] += grids >> (precision - 3);
    const auto rest = static_cast<std::uint64_t>(grids) & ((std::uint64_t{1} << (precision - 3)) - 1);
    word[k] = from_bits<T>(static_cast<BitsOf<T>>(to_bits(base(k)) + static_cast<BitsOf<T>>(rest)));
  }

  /// 2^−((bin + 1)W)/η, which scales the numbers of the bin below 1/2; an infinity if the format does not have it.
  [[nodiscard]] ASSAY_HD constexpr T scale() const {
    const int e = -(bin + 1) * W - lowest;
    return e >= lowest && e <= FloatTraits<T>::emax
               ? bits::power_of_two_or_subnormal<T>(e)
               : from_bits<T>(static_cast<BitsOf<T>>(bits::max_finite_bits<T> + 1));
  }

  /// Requires: x finite and not 0 (not checked).
  [[nodiscard]] ASSAY_HD static constexpr Parts parts(T x) {
    const int up = abs(x) < bits::power_of_two<T>(FloatTraits<T>::emin) ? precision : 0;
    const T normal = x * bits::power_of_two<T>(up);
    return {bits::normal_fraction(normal), bits::normal_exponent(normal) - up};
  }

  /// Terms in memory.
  template <int n>
  struct Tile {
    T x[n];
  };
  template <int n>
  ASSAY_HD ASSAY_NOINLINE constexpr void add_each(const Tile<n>& terms) {
    ASSAY_UNROLL(1)
    for (int j = 0; j < n; ++j) {
      add(terms.x[j]);
    }
  }
  template <int n>
  ASSAY_HD ASSAY_NOINLINE constexpr void add_each(const Tile<n>& left, const Tile<n>& right) {
    ASSAY_UNROLL(1)
    for (int j = 0; j < n; ++j) {
      add_product(left.x[j], right.x[j]);
    }
  }

  /// f(this), on a copy: a function that is not inlined gets the address of the copy, and this stays in registers.
  template <class F>
  ASSAY_HD constexpr void apart(const F& f) {
    BinnedSum copy = *this;
    f(copy);
    *this = copy;
  }

  /// The encoding of |x|, and of one with 64 bits the upper half. It grows with |x|.
  static constexpr int top_shift = sizeof(BitsOf<T>) == 8 ? 32 : 0;
  [[nodiscard]] ASSAY_HD static constexpr std::uint32_t top_bits(T x) {
    return static_cast<std::uint32_t>(bits::magnitude_bits(x) >> top_shift);
  }
  [[nodiscard]] ASSAY_HD static constexpr std::uint32_t larger(std::uint32_t a, std::uint32_t b) {
    return a < b ? b : a;
  }

  /// Whether scale() brings every number with these top bits below 1/2.
  [[nodiscard]] ASSAY_HD constexpr bool holds(std::uint32_t top) const {
    constexpr auto below = static_cast<BitsOf<T>>((BitsOf<T>{1} << top_shift) - 1);
    return from_bits<T>(static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(top) << top_shift | below)) * scale() <
           bits::power_of_two<T>(-1);
  }

  /// Raises the bins to numbers with these top bits, and renormalizes if n more terms do not fit into a word. Counts n
  /// terms. Otherwise false: numbers that scale() does not bring into range, and numbers that are not finite.
  ASSAY_HD constexpr bool makes_room(std::uint32_t top, int n) {
    if (!holds(top)) {
      if (top == 0 || top > top_bits(from_bits<T>(bits::max_finite_bits<T>))) {
        return false;
      }
      apart([top](BinnedSum& z) { z.raise_for(top); });
      if (!holds(top)) {
        return false;
      }
    }
    if (n > additions) {
      return false;
    }
    if (pending > additions - n) {
      renormalize();
    }
    pending += n;
    return true;
  }

  /// Takes in a scaled term below 1/2.
  ASSAY_HD constexpr void take_in(T x) {
    if (pending == additions) {
      renormalize();
    }
    ++pending;
    take_in_bins(x);
  }

  /// Takes in a scaled term below 1/2, without a count. Its last bit is set, so that no term is a tie, and the added
  /// part does not depend on the word. The bits below the format's last grid do not matter: they are those of a term
  /// below half the last grid.
  ASSAY_HD constexpr void take_in_bins(T x) {
    ASSAY_UNROLL(4)
    for (int k = 0; k < K; ++k) {
      const T sum = word[k] + from_bits<T>(static_cast<BitsOf<T>>(to_bits(x) | 1));
      x = x - (sum - word[k]);
      word[k] = sum;
    }
  }

  /// A term that is larger than all before, or that scale() does not bring to its place.
  ASSAY_HD constexpr void add_first(T x) {
    if (!is_finite(x)) {
      flags |= accumulators::seen(static_cast<double>(x));
    } else if (bits::magnitude_bits(x) != 0) {
      const Parts z = parts(x);
      deposit(z.fraction, z.exponent);
    }
  }

  /// A product that is small, overflows, or has a factor that is not finite.
  ASSAY_HD ASSAY_NOINLINE constexpr void add_unusual_product(T a, T b) {
    if (!is_finite(a) || !is_finite(b)) {
      flags |= accumulators::seen(static_cast<double>(a * b));
    } else if (bits::magnitude_bits(a) != 0 && bits::magnitude_bits(b) != 0) {
      const Parts x = parts(a);
      const Parts y = parts(b);
      const Product<T> m = two_prod(x.fraction, y.fraction);
      deposit(m.p, x.exponent + y.exponent);
      if (m.e != T(0)) {
        deposit(m.e, x.exponent + y.exponent);
      }
    }
  }

  /// The first bin of a number of magnitude in [2^top, 2^(top + 1)).
  [[nodiscard]] ASSAY_HD static constexpr int first_bin(int top) {
    constexpr int below = 64;  // bins below 0
    return (top - lowest + 1 + below * W) / W - below;
  }

  /// Bins for numbers with these top bits, which belong to a finite number other than 0.
  ASSAY_HD ASSAY_NOINLINE constexpr void raise_for(std::uint32_t top) {
    raise(first_bin(parts(from_bits<T>(static_cast<BitsOf<T>>(static_cast<BitsOf<T>>(top) << top_shift))).exponent));
  }

  /// this += x·2^e. Requires: x normal (not checked).
  ASSAY_HD ASSAY_NOINLINE constexpr void deposit(T x, int e) {
    const int top = bits::normal_exponent(x) + e;
    raise(first_bin(top));
    const int place = top - lowest - (bin + 1) * W;
    if (place >= -K * W - 1) {
      take_in(bits::normal_fraction(x) * bits::power_of_two<T>(place));
    }
  }

  /// Bins from `to` on, if that is above the first one.
  ASSAY_HD constexpr void raise(int to) {
    for (int step = 0; step < K && step < to - bin; ++step) {
      ASSAY_UNROLL(4)
      for (int k = K - 1; k > 0; --k) {
        word[k] = from_bits<T>(static_cast<BitsOf<T>>(to_bits(word[k - 1]) - (BitsOf<T>{W} << (precision - 1))));
        carry[k] = carry[k - 1];
      }
      word[0] = base(0);
      carry[0] = 0;
    }
    bin = to > bin ? to : bin;
  }

  [[nodiscard]] ASSAY_HD constexpr Digits digits() const {
    Digits z{};
    const auto put = [&z](std::int64_t n, int position) {
      const auto [m, minus] = bits::signed_magnitude(n);
      accumulators::scatter(m, position, minus, [&z](int i, std::int64_t d) { z.word[i] += d; });
    };
    ASSAY_UNROLL(4)
    for (int k = 0; k < K; ++k) {
      put(offset(k), (K - 1 - k) * W);
      put(carry[k], (K - 1 - k) * W + precision - 3);
    }
    z.exponent = lowest + (bin - K + 1) * W;
    return z;
  }
};

}  // namespace assay
