#pragma once
// The kernels of triangular systems, for the files that launch them.

#include <cstddef>
#include <cstdint>

#include "exec/block.hpp"
#include "kernels/expansion/detail/entry.hpp"

namespace assay::expansion {
namespace detail {

/// L·X = α·B in the order of substitution: unknown number s of a system is the s-th that becomes known. Entry (s, t) of
/// L, t ≤ s, is l at (origin + s·row_step + t·column_step); unknown s of system c is b at (origin + s·row_step +
/// c·column_step). Steps count entries and may be negative.
template <int W>
struct TriangularSystem {
  using Value = typename Entry<W>::Value;
  using Sum = typename Entry<W>::Sum;

  std::int64_t n, systems;
  bool unit;
  bool adds_b;  ///< α ≠ 0
  Value alpha;
  const double* l;
  std::int64_t l_row_step, l_column_step;
  double* b;
  std::int64_t b_row_step, b_column_step;
  double* sums;  ///< the accumulators, one system after the other

  ASSAY_HD Value entry(std::int64_t s, std::int64_t t) const {
    return Entry<W>::load(l + (s * l_row_step + t * l_column_step) * W);
  }
  ASSAY_HD double* unknown(std::int64_t s, std::int64_t system) const {
    return b + (s * b_row_step + system * b_column_step) * W;
  }
  ASSAY_HD Sum& sum(std::int64_t s, std::int64_t system) const { return reinterpret_cast<Sum*>(sums)[s + system * n]; }

  /// Accumulator s adds −l_st·x_t.
  ASSAY_HD void eliminate(std::int64_t s, std::int64_t t, std::int64_t system) const {
    sum(s, system).add(expansion::negate(entry(s, t)), Entry<W>::load(unknown(t, system)));
  }

  /// x_s from its accumulator.
  ASSAY_HD void solve(std::int64_t s, std::int64_t system) const {
    Value rest = sum(s, system).result();
    if (unit) {
      Entry<W>::store(rest, unknown(s, system));
      return;
    }
    constexpr int digits = W == 1 ? 2 : W + 1;
    const Value divisor = entry(s, s);
    Sum quotient{};
    ASSAY_UNROLL(1)
    for (int i = 0; i < digits; ++i) {
      const Value digit{{rest.x[0] / divisor.x[0]}};
      quotient.add(digit, Entry<W>::one());
      Sum left{};
      left.add(Entry<W>::one(), rest);
      left.add(expansion::negate(digit), divisor);
      rest = left.result();
    }
    Entry<W>::store(quotient.result(), unknown(s, system));
  }
};

/// Entry i of all: its accumulator adds α·b; for α = 0 the unknown is 0.
template <int W>
struct StartTriangular {
  TriangularSystem<W> of;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::int64_t s = static_cast<std::int64_t>(i) % of.n;
    const std::int64_t system = static_cast<std::int64_t>(i) / of.n;
    if (of.adds_b) {
      typename Entry<W>::Sum start{};
      start.add(of.alpha, Entry<W>::load(of.unknown(s, system)));
      of.sum(s, system) = start;
    } else {
      Entry<W>::store({}, of.unknown(s, system));
    }
  }
};

/// The unknowns first … first + 63 of one system, computed from one another by one block.
template <int W>
struct SolveTriangularPanel {
  static constexpr int threads = 64;
  struct Shared {
    int unused;
  };

  TriangularSystem<W> of;
  std::int64_t first;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto system = static_cast<std::int64_t>(block.index());
    const std::int64_t end = of.n - first < threads ? of.n : first + threads;
    for (std::int64_t s = first; s < end; ++s) {
      block.for_one_thread([&](Shared&) { of.solve(s, system); });
      block.for_each_thread([&](int t, Shared&) {
        const std::int64_t other = s + 1 + t;
        if (other < end) of.eliminate(other, s, system);
      });
    }
  }
};

/// Subtracts a panel from the later unknowns, each by one thread in the order of substitution.
template <int W>
struct EliminateTriangularPanel {
  TriangularSystem<W> of;
  std::int64_t first, end;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::int64_t behind = of.n - end;
    const std::int64_t s = end + static_cast<std::int64_t>(i) % behind;
    const std::int64_t system = static_cast<std::int64_t>(i) / behind;
    for (std::int64_t t = first; t < end; ++t) of.eliminate(s, t, system);
  }
};

}  // namespace detail
}  // namespace assay::expansion
