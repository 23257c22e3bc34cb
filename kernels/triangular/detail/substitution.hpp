#pragma once
// The kernels of triangular systems in binary64, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/certified_sum.hpp"
#include "arith/accumulators/neighbors.hpp"
#include "arith/accumulators/rounded_quotient.hpp"
#include "arith/bits/extremes.hpp"
#include "arith/float/directed.hpp"
#include "exec/atomic.hpp"
#include "exec/block.hpp"
#include "kernels/sum/exact_sum_block.hpp"

namespace assay::triangular {
namespace detail {

/// L in the order of substitution: entry (s, t), t ≤ s, at l[s·row_step + t·column_step]. Steps may be negative.
struct Rows {
  std::int64_t n;
  bool unit;
  const double* l;
  std::int64_t row_step, column_step;

  ASSAY_HD double operator()(std::int64_t s, std::int64_t t) const {
    return unit && s == t ? 1.0 : l[s * row_step + t * column_step];
  }
};

/// A vector in the order of substitution: entry s at x[s·step].
template <class T>
struct Unknowns {
  T* x;
  std::int64_t step;
  ASSAY_HD T& operator[](std::int64_t s) const { return x[s * step]; }
};

/// Substitution by one block. x may be b. `bounds`: x_s = RU((b_s + Σ|l_st|x_t)/|l_ss|), for b ≥ 0; otherwise x_s =
/// RN((b_s − Σ l_st x_t)/l_ss). Each thread has a row of a panel. It adds the products of the unknowns before the panel
/// to a certified sum, and after that the product of each unknown of the panel once it is known. The thread of the next
/// unknown divides at once. Where the quotient is not certified, all threads add the products of the row in a
/// superaccumulator.
struct SubstitutionBlock {
  static constexpr int threads = 512;  ///< rows of a panel
  static constexpr int blocks_per_multiprocessor = 1;
  static constexpr int ahead = 4;  ///< columns that are read ahead
  struct Shared {
    std::int64_t word[Superaccumulator::words];
    std::uint32_t flags;        ///< those of an exact sum while there is one; otherwise saw_nothing
    CertifiedNumber number[2];  ///< the unknown of the panel that is to be used, and the next one
  };
  /// The diagonal of a row, and RN(1/it).
  struct Divisor {
    double d, reciprocal;
  };
  /// The numbers of its row that a thread has, in some columns.
  struct Entries {
    double x[ahead];
  };

  Rows l;
  Unknowns<const double> b;
  Unknowns<double> x;
  bool bounds;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_one_thread([](Shared& shared) { shared.flags = accumulators::saw_nothing; });
    for (std::int64_t first = 0; first < l.n; first += threads) solve_panel(block, first);
  }

  /// The factors of row s from a column on, 0 from the diagonal on.
  ASSAY_HD Entries entries_of(std::int64_t s, std::int64_t column) const {
    Entries z{};
    ASSAY_UNROLL(4)
    for (int k = 0; k < ahead; ++k) {
      if (column + k < s) z.x[k] = factor(s, column + k);
    }
    return z;
  }

 private:
  /// The unknowns first, first + 1, … of a panel.
  ASSAY_HD void solve_panel(Block<Shared, threads>& block, std::int64_t first) const {
    const std::int64_t end = bits::min(l.n, first + threads);
    auto sums = block.per_thread(CertifiedSum::empty());
    auto divisors = block.per_thread(Divisor{});
    auto entries = block.per_thread(Entries{});
    auto next = block.per_thread(Entries{});
    bool failed = block.any([&](int t, Shared& shared) {
      const std::int64_t s = first + t;
      if (s >= end) return false;
      CertifiedSum sum = CertifiedSum::empty();
      sum.add(b[s]);
      ASSAY_UNROLL(8)
      for (std::int64_t k = 0; k < first; ++k) sum.add_product(factor(s, k), x[k]);
      sums[t] = sum;
      divisors[t] = {divisor(s), 1 / divisor(s)};
      next[t] = entries_of(s, first);
      if (t != 0) return false;
      shared.number[0] = quotient(sum, divisors[t]);
      return !shared.number[0].certified;
    });
    for (std::int64_t group = first; group < end; group += ahead) {
      block.for_each_thread([&](int t, Shared&) {
        entries[t] = next[t];
        if (first + t < end) next[t] = entries_of(first + t, group + ahead);
      });
      ASSAY_UNROLL(4)
      for (int k = 0; k < ahead; ++k) {
        if (group + k < end) {
          if (failed) divide_exactly(block, group + k, static_cast<int>((group + k - first) % 2));
          failed = use(block, first, group + k, k, sums, divisors, entries);
        }
      }
    }
  }

  /// Unknown s, the k-th of its group, is stored, and goes to the rows after it; whether the next one is not
  /// certified.
  ASSAY_HD bool use(Block<Shared, threads>& block, std::int64_t first, std::int64_t s, int k,
                    PerThread<CertifiedSum, threads>& sums, PerThread<Divisor, threads>& divisors,
                    PerThread<Entries, threads>& entries) const {
    const int now = static_cast<int>((s - first) % 2);
    return block.any([&](int t, Shared& shared) {
      const std::int64_t row = first + t;
      if (row < s || row >= l.n) return false;
      if (row == s) {
        x[s] = shared.number[now].x;
        return false;
      }
      sums[t].add_product(entries[t].x[k], shared.number[now].x);
      if (row != s + 1) return false;
      shared.number[1 - now] = quotient(sums[t], divisors[t]);
      return !shared.number[1 - now].certified;
    });
  }

  /// The factor of x_t in the sum of row s.
  ASSAY_HD double factor(std::int64_t s, std::int64_t t) const { return bounds ? abs(l(s, t)) : -l(s, t); }
  ASSAY_HD double divisor(std::int64_t s) const { return bounds ? abs(l(s, s)) : l(s, s); }
  [[nodiscard]] ASSAY_HD Rounding to() const { return bounds ? Rounding::ru : Rounding::rn; }

  ASSAY_HD CertifiedNumber quotient(const CertifiedSum& sum, const Divisor& by) const {
    return l.unit ? sum.rounded(to()) : sum.quotient(by.d, by.reciprocal, to());
  }

  /// Unknown s from the exact sum of its row.
  ASSAY_HD ASSAY_NOINLINE void divide_exactly(Block<Shared, threads>& block, std::int64_t s, int now) const {
    block.for_each_thread([&](int t, Shared& shared) {
      for (int k = t; k < Superaccumulator::words; k += threads) shared.word[k] = 0;
    });
    block.for_each_thread([&](int t, Shared& shared) { take_in(s, t, shared); });
    block.for_one_thread([&](Shared& shared) {
      shared.number[now] = {exact_quotient(s, shared), true};
      shared.flags = accumulators::saw_nothing;
    });
  }

  ASSAY_HD void take_in(std::int64_t s, int thread, Shared& shared) const {
    sum::detail::SharedSuperaccumulator exact{{shared.word}, accumulators::saw_nothing};
    auto front = AccumulatingExpansion<4>::empty();
    for (std::int64_t t = thread; t < s; t += threads) {
      front.add_product(factor(s, t), x[t], exact);
    }
    if (thread == 0) front.add(b[s], exact);
    front.flush(exact);
    atomic::fetch_or(&shared.flags, exact.flags);
  }

  ASSAY_HD double exact_quotient(std::int64_t s, const Shared& shared) const {
    Superaccumulator sum{};
    ASSAY_UNROLL(1)
    for (int k = 0; k < Superaccumulator::words; ++k) sum.word[k] = shared.word[k];
    sum.flags = shared.flags;
    return rounded_quotient(sum, divisor(s), to());
  }
};

/// The residual of row s for unknowns of some words: RN(b_s − Σ l_st x_t), and a bound of its magnitude, rounded up.
struct ResidualBody {
  Rows l;
  Unknowns<const double> b;
  const double* words;  ///< word w of unknown s at words[w·n + s]
  int count;
  double* residual;
  double* magnitude;

  ASSAY_HD void operator()(std::size_t number) const {
    const auto s = static_cast<std::int64_t>(number);
    Superaccumulator exact{};
    auto front = AccumulatingExpansion<4>::empty();
    front.add(b[s], exact);
    for (int w = 0; w < count; ++w) {
      for (std::int64_t t = 0; t <= s; ++t) front.add_product(-l(s, t), words[w * l.n + t], exact);
    }
    front.flush(exact);
    residual[s] = exact.round(Rounding::rn);
    const double up = exact.round(Rounding::ru);
    const double down = exact.round(Rounding::rd);
    magnitude[s] = abs(up) < abs(down) ? abs(down) : abs(up);
  }
};

/// x̂ = RN(x̃) of unknown s, and whether every number within [x̃ − z, x̃ + z] lies strictly between the neighbors of
/// x̂.
struct CertificateBody {
  std::int64_t n;
  const double* words;
  int count;
  const double* bound;
  double* rounded;
  std::int32_t* certified;

  ASSAY_HD void operator()(std::size_t s) const {
    Superaccumulator exact{};
    for (int w = 0; w < count; ++w) exact.add(words[static_cast<std::int64_t>(w) * n + static_cast<std::int64_t>(s)]);
    const double x = exact.round(Rounding::rn);
    rounded[s] = x;
    certified[s] = lies_between_neighbors(exact, bound[s], x) ? 1 : 0;
  }
};

}  // namespace detail
}  // namespace assay::triangular
