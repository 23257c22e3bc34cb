#pragma once
// The terms of exact sums and dot products, in the form that kernels/sum/exact_sum_block.hpp adds.

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/accumulators/window.hpp"
#include "arith/bits/bits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"

namespace assay::sum::detail {

/// Whether a number other than 0 with these high_bits is more than `binades` below one with `high`.
ASSAY_HD inline bool is_far_below(std::int32_t of, std::int32_t high, int binades) {
  return of != 0 && of < high - (binades << 20);
}

/// The numbers of a sum.
struct ExactSumTerms {
  static constexpr int words = 3;      ///< of the window
  static constexpr int margin = 14;    ///< binades above the first numbers that the window has room for
  static constexpr int room = 64;      ///< binades below them whose numbers fit into the window
  static constexpr int tile = 8;       ///< terms that a thread adds at a time
  static constexpr int additions = 8;  ///< of a word by a tile
  static constexpr int blocks_per_multiprocessor = 3;
  static constexpr int columns = 32;  ///< of the block's superaccumulator
  struct Tile {
    double x[tile];
  };

  const double* x;

  ASSAY_HD void load(Tile& t, int j, std::int64_t i) const { t.x[j] = x[i]; }
  /// −0 changes no sum.
  ASSAY_HD static void load_nothing(Tile& t, int j) { t.x[j] = -0.0; }

  /// The largest high_bits of a term.
  ASSAY_HD static std::int32_t measure(Tile& t) {
    std::int32_t high = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      const std::int32_t each = bits::high_bits(t.x[j]);
      high = high < each ? each : high;
    }
    return high;
  }

  /// How many terms are too far below a term with these high_bits for one window.
  ASSAY_HD static int far_below(const Tile& t, std::int32_t high) {
    int far = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) far += is_far_below(bits::high_bits(t.x[j]), high, room) ? 1 : 0;
    return far;
  }

  /// Adds the tile to `window`, and terms outside the window to `exact`; returns whether there were any. far(k): k
  /// terms were outside. Requires:
  /// Requires: `high` is the result of measure() (not checked).
  template <class Exact, class Far>
  ASSAY_HD static bool add(Tile& t, std::int32_t high, WindowAccumulator<words>& window, Exact& exact, Far&& far) {
    const std::int32_t limit = bits::high_bits(window.limit());
    std::uint64_t other = 0;  // than −0
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      other |= to_bits(t.x[j]) ^ bits::sign_bit<double>;
    }
    exact.flags |= other == 0 ? accumulators::saw_minus_zero : accumulators::saw_number;
    if (high >= limit) {
      int outside = 0;
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        if (bits::high_bits(t.x[j]) >= limit) {
          exact.add(t.x[j]);
          t.x[j] = 0;
          ++outside;
        }
      }
      far(outside);
    }
    std::uint64_t rest = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      t.x[j] = window.add(t.x[j]);
      rest |= bits::magnitude_bits(t.x[j]);
    }
    if (rest != 0) {
      int outside = 0;
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        if (t.x[j] != 0) {
          exact.add(t.x[j]);
          ++outside;
        }
      }
      far(outside);
    }
    return high >= limit || rest != 0;
  }

  /// Adds term j of a tile to `exact`.
  template <class Exact>
  ASSAY_HD static void add_exactly(const Tile& t, int j, Exact& exact) {
    exact.add(t.x[j]);
  }
};

/// The products of a dot product, each as the two numbers of TwoProd.
struct ExactDotTerms {
  static constexpr int words = 5;
  static constexpr int error_word = 1;  ///< of the window: the first word that an error of TwoProd reaches
  static constexpr int margin = 24;
  static constexpr int room = 89;
  static constexpr int tile = 8;
  static constexpr int additions = 16;
  static constexpr int blocks_per_multiprocessor = 2;
  static constexpr int columns = 32;
  struct Tile {
    double x[tile], y[tile];
    Product<double> z[tile];
  };
  /// high_bits of 2⁻⁹⁶⁸: from there on TwoProd is exact.
  static constexpr std::int32_t least = (1023 - 968) << 20;

  const double* x;
  const double* y;

  ASSAY_HD void load(Tile& t, int j, std::int64_t i) const {
    t.x[j] = x[i];
    t.y[j] = y[i];
  }
  /// −0·0 changes no sum.
  ASSAY_HD static void load_nothing(Tile& t, int j) {
    t.x[j] = -0.0;
    t.y[j] = 0.0;
  }

  ASSAY_HD static std::int32_t measure(Tile& t) {
    std::int32_t high = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      t.z[j] = two_prod(t.x[j], t.y[j]);
      const std::int32_t each = bits::high_bits(t.z[j].p);
      high = high < each ? each : high;
    }
    return high;
  }

  ASSAY_HD static int far_below(const Tile& t, std::int32_t high) {
    int far = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) far += is_far_below(bits::high_bits(t.z[j].p), high, room) ? 1 : 0;
    return far;
  }

  template <class Exact, class Far>
  ASSAY_HD static bool add(Tile& t, std::int32_t high, WindowAccumulator<words>& window, Exact& exact, Far&& far) {
    const std::int32_t limit = bits::high_bits(window.limit());
    std::int32_t low = high;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      const std::int32_t each = bits::high_bits(t.z[j].p);
      low = each < low ? each : low;
    }
    if (high >= least) {
      exact.flags |= accumulators::saw_number;
    }
    if (high >= limit || low < least) {
      int outside = 0;
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        const std::int32_t each = bits::high_bits(t.z[j].p);
        if (each >= limit || each < least) {
          exact.add_product(t.x[j], t.y[j]);
          t.z[j] = {0, 0};
          ++outside;
        }
      }
      far(outside);
    }
    std::uint64_t rest = 0;
    ASSAY_UNROLL(8)
    for (int j = 0; j < tile; ++j) {
      t.z[j] = {window.add(t.z[j].p), window.add(t.z[j].e, error_word)};
      rest |= bits::magnitude_bits(t.z[j].p) | bits::magnitude_bits(t.z[j].e);
    }
    if (rest != 0) {
      int outside = 0;
      ASSAY_UNROLL(8)
      for (int j = 0; j < tile; ++j) {
        if (t.z[j].p != 0) {
          exact.add(t.z[j].p);
        }
        if (t.z[j].e != 0) {
          exact.add(t.z[j].e);
        }
        outside += t.z[j].p != 0 || t.z[j].e != 0 ? 1 : 0;
      }
      far(outside);
    }
    return high >= limit || rest != 0;
  }

  template <class Exact>
  ASSAY_HD static void add_exactly(const Tile& t, int j, Exact& exact) {
    exact.add_product(t.x[j], t.y[j]);
  }
};

}  // namespace assay::sum::detail
