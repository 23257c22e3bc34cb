#pragma once
// The kernels of triangular systems in binary64, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/rounded_quotient.hpp"
#include "arith/float/directed.hpp"
#include "arith/float/ulp.hpp"
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

/// Substitution, one unknown after the other by one block. x may be b. `bounds`: x_s = RU((b_s + Σ|l_st|x_t)/|l_ss|),
/// for b ≥ 0; otherwise x_s = RN((b_s − Σ l_st x_t)/l_ss).
struct SubstitutionBlock {
  static constexpr int threads = 128;
  struct Shared {
    std::int64_t word[2][Superaccumulator::words];
    std::uint32_t flags[2];
  };

  Rows l;
  Unknowns<const double> b;
  Unknowns<double> x;
  bool bounds;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    block.for_each_thread([&](int t, Shared& shared) { clear(t, shared, 0); });
    for (std::int64_t s = 0; s < l.n; ++s) {
      const int now = static_cast<int>(s % 2);
      block.for_each_thread([&](int t, Shared& shared) {
        take_in(s, t, shared, now);
        clear(t, shared, 1 - now);
      });
      block.for_each_thread([&](int t, Shared& shared) {
        if (t == 0) x[s] = quotient(s, shared, now);
      });
    }
  }

 private:
  ASSAY_HD static void clear(int t, Shared& shared, int which) {
    for (int k = t; k < Superaccumulator::words; k += threads) shared.word[which][k] = 0;
    if (t == 0) shared.flags[which] = accumulators::saw_nothing;
  }

  ASSAY_HD void take_in(std::int64_t s, int thread, Shared& shared, int now) const {
    sum::detail::SharedSuperaccumulator exact{shared.word[now], accumulators::saw_nothing};
    auto front = AccumulatingExpansion<4>::empty();
    for (std::int64_t t = thread; t < s; t += threads) {
      front.add_product(bounds ? abs(l(s, t)) : -l(s, t), x[t], exact);
    }
    if (thread == 0) front.add(b[s], exact);
    front.flush(exact);
    atomic::fetch_or(&shared.flags[now], exact.flags);
  }

  ASSAY_HD double quotient(std::int64_t s, const Shared& shared, int now) const {
    Superaccumulator sum{};
    ASSAY_UNROLL(1)
    for (int k = 0; k < Superaccumulator::words; ++k) sum.word[k] = shared.word[now][k];
    sum.flags = shared.flags[now];
    const double divisor = l(s, s);
    return rounded_quotient(sum, bounds ? abs(divisor) : divisor, bounds ? Rounding::ru : Rounding::rn);
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

/// x̂ = RN(x̃) of unknown s, and whether every number within [x̃ − z, x̃ + z] lies strictly between the neighbours of x̂.
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
    certified[s] = is_below(exact, bound[s], next_up(x)) && is_below(negated(exact), bound[s], -next_down(x)) ? 1 : 0;
  }

 private:
  ASSAY_HD static Superaccumulator negated(const Superaccumulator& x) {
    Superaccumulator z = x;
    ASSAY_UNROLL(1)
    for (int k = 0; k < Superaccumulator::words; ++k) z.word[k] = -x.word[k];
    return z;
  }

  /// x + z < limit; false where one of them is not finite.
  ASSAY_HD static bool is_below(Superaccumulator x, double z, double limit) {
    if (!is_finite(z) || !is_finite(limit)) return false;
    x.add(z);
    x.add(-limit);
    return x.round(Rounding::rd) < 0;
  }
};

}  // namespace detail
}  // namespace assay::triangular
