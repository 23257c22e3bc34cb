#pragma once
// The first kernel of the sparse product in residues, and the places of the terms for its last kernel.

#include <cstddef>
#include <cstdint>

#include "arith/residues/limbs.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_finish.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_operands.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"
#include "kernels/sparse/places.hpp"

namespace assay::gemv {
namespace detail {

/// The terms of a row are its places; a place of ELLPACK may have no term.
template <class Matrix>
struct SpmvTerms {
  static constexpr int finish_blocks = 7;
  static constexpr bool all = Matrix::row_by_row;

  Matrix matrix;

  [[nodiscard]] ASSAY_HD std::int64_t count(const GemvExactTask&, std::int64_t row) const {
    return places_of(matrix, row).count;
  }
  [[nodiscard]] ASSAY_HD std::int64_t of_a(const GemvExactTask&, std::int64_t row, std::int64_t k) const {
    const sparse::Places places = places_of(matrix, row);
    return places.first + k * places.step;
  }
  [[nodiscard]] ASSAY_HD std::int64_t of_x(const GemvExactTask& task, std::int64_t row, std::int64_t k) const {
    return matrix.column_indices[of_a(task, row, k)];
  }
};

/// For each row: the exponent of its window's lowest bit, Σ ±a·x·2^s modulo every m over the products with the
/// exponents base + s, 0 ≤ s < W, and a list of the products below. A block has 32 rows, and eight threads of a row
/// share its places, then its moduli. Exact: the order of the terms is free.
template <class Matrix>
struct SpmvSums {
  static constexpr int threads = 256;
  static constexpr int rows = 32;
  static constexpr int lanes = threads / rows;
  // Summands of a residue that are added before a reduction: below 2⁵⁵ each, or for a guard below 2⁶³.
  static constexpr int summands_at_once = 256;
  static constexpr int guard_summands_at_once = 1;
  struct Shared {
    std::int32_t top[lanes][rows];
    std::int32_t base[rows];
  };

  GemvExactPlan plan;
  Matrix a;
  MpPlanes x;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const rns::LimbTablesView tables = standard_limb_tables(plan.n);
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * rows;
    block.for_each_thread([&](int t, Shared& shared) {
      const int row = t % rows;
      const int lane = t / rows;
      std::int32_t top = INT32_MIN;
      for_each_place(first + row, lane, lanes, [&](std::int64_t, std::int64_t at, std::int64_t column) {
        const std::int32_t e = exponent(at, column);
        top = e > top ? e : top;
      });
      shared.top[lane][row] = top;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      if (t >= rows || first + t >= plan.outputs) return;
      std::int32_t top = GemvExactPlan::least_exponent;
      for (int lane = 0; lane < lanes; ++lane) top = shared.top[lane][t] > top ? shared.top[lane][t] : top;
      shared.base[t] = top - plan.window + 1;
      plan.bases[first + t] = shared.base[t];
      plan.outside[first + t] = 0;
    });
    block.for_each_thread([&](int t, Shared& shared) {
      const int row = t % rows;
      const int lane = t / rows;
      if (first + row >= plan.outputs) return;
      const std::int32_t base = shared.base[row];
      for_each_place(first + row, lane, lanes, [&](std::int64_t k, std::int64_t at, std::int64_t column) {
        const std::int32_t e = exponent(at, column);
        if (e < base && e >= GemvExactPlan::least_exponent) plan.list(first + row, k);
      });
      for (int i = lane; i < tables.size; i += lanes) {
        plan.partial[(first + row) * plan.pitch + i] = residue_of_window(tables, i, first + row, base);
      }
    });
  }

 private:
  /// f(k, place of a value, its column) for the places number `from`, from + step, … that hold an entry.
  template <class F>
  ASSAY_HD void for_each_place(std::int64_t row, int from, int step, F&& f) const {
    if (row >= plan.outputs) return;
    const sparse::Places places = places_of(a, row);
    for (std::int64_t k = from; k < places.count; k += step) {
      const std::int64_t at = places.first + k * places.step;
      const std::int64_t column = a.column_indices[at];
      if (Matrix::row_by_row || column >= 0) f(k, at, column);
    }
  }

  /// The exponent of a product, or less than least_exponent.
  ASSAY_HD std::int32_t exponent(std::int64_t at, std::int64_t column) const {
    return (a.values.words[at] >> 1) + (x.words[column] >> 1);
  }

  /// The sum over the window modulo m_i. A factor of a negative product is taken as m − x, so that no summand is
  /// negative.
  ASSAY_HD std::uint32_t residue_of_window(const rns::LimbTablesView& tables, int i, std::int64_t row,
                                           std::int32_t base) const {
    const std::uint32_t m = tables.modulus[i];
    const std::uint64_t reciprocal = tables.reciprocal[i];
    const std::uint32_t* const digits = a.values.digits + i * a.values.plane;
    const std::uint32_t* const factors = x.digits + i * x.plane;
    const int at_once = i < tables.n ? summands_at_once : guard_summands_at_once;
    std::uint64_t sum = 0;
    int added = 0;
    for_each_place(row, 0, 1, [&](std::int64_t, std::int64_t at, std::int64_t column) {
      const std::uint32_t shift = static_cast<std::uint32_t>(exponent(at, column)) - static_cast<std::uint32_t>(base);
      if (shift >= static_cast<std::uint32_t>(plan.window)) return;
      const bool negative = ((a.values.words[at] ^ x.words[column]) & 1) != 0;
      const std::uint32_t factor = negative ? m - factors[column] : factors[column];
      sum += std::uint64_t{rns::shifted_residue(digits[at], static_cast<int>(shift), m, tables.shift_quotient[i])} *
             factor;
      if (++added < at_once) return;
      sum = rns::reduce(sum, m, reciprocal);
      added = 0;
    });
    return rns::reduce(sum, m, reciprocal);
  }
};

}  // namespace detail
}  // namespace assay::gemv
