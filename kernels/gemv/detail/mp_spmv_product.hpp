#pragma once
// The checked data of a call of the sparse product in residues.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arith/bits/ceil_div.hpp"
#include "exec/array.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_product.hpp"
#include "kernels/gemv/detail/mp_spmv_sums.hpp"
#include "kernels/gemv/mp_spmv.hpp"
#include "kernels/sparse/arguments.hpp"

namespace assay::gemv {
namespace detail {

inline constexpr const char* spmv_routine = "mp_spmv";

/// Number `from` of x becomes number `to` of y. Requires: the same moduli and layout (not checked).
inline void copy_number(const mp::MpArray& x, std::size_t from, mp::MpArray& y, std::size_t to) {
  const std::size_t size = static_cast<std::size_t>(x.n) + 1;
  for (std::size_t i = 0; i < size; ++i) {
    y.digits[y.planes ? i * y.length + to : to * size + i] = x.digits[x.planes ? i * x.length + from : from * size + i];
  }
  y.sign[to] = x.sign[from];
  y.exponent[to] = x.exponent[from];
  y.lower[to] = x.lower[from];
  y.upper[to] = x.upper[from];
}

inline void require_spmv_scalars(int moduli, const mp::MpArray& alpha, const mp::MpArray& beta) {
  require_moduli(moduli, spmv_routine);
  blas::require_argument(alpha.length == 1 && beta.length == 1, spmv_routine, "alpha and beta are one number each");
  mp::require_mp_array(alpha, moduli, spmv_routine, "alpha");
  mp::require_mp_array(beta, moduli, spmv_routine, "beta");
}

template <class Matrix>
void queue_spmv(const Executor& on, const MpSpmvPlan& plan, const mp::MpArray& alpha, const Matrix& a,
                const MpPlanes& x, const mp::MpArray& beta, const MpResultPlanes& y, std::byte* workspace) {
  require_spmv_scalars(plan.moduli(), alpha, beta);
  blas::require_argument(a.rows == plan.rows(), spmv_routine, "the matrix has the rows of the plan");
  const bool reads_a = !is_zero(alpha, 0);
  if (plan.rows() == 0 || (!reads_a && is_one(beta))) return;
  GemvExactTask task{};
  // Without terms none is read.
  task.plan = undivided_gemv_exact_plan(plan.moduli(), plan.rows(), reads_a ? plan.longest() : 0);
  task.plan.exponent_offset = a.values.exponent_offset + x.exponent_offset;
  WorkspaceParts parts(workspace);
  place(task.plan, parts);
  if (task.plan.terms > 0) {
    task.a = {a.values.digits, a.values.words, a.values.plane, 1, false};
    task.x = {x.digits, x.words, x.plane, 1, false};
    using Sums = SpmvSums<Matrix>;
    queue_blocks(on, static_cast<std::size_t>(bits::ceil_div(plan.rows(), Sums::rows)), Sums{task.plan, a, x});
  }
  task.alpha = scalar_of(alpha);
  task.beta = scalar_of(beta);
  task.reads_y = !is_zero(beta, 0);
  task.y = {y.digits, y.sign, y.exponent, y.lower, y.upper, y.plane, 1};
  using Terms = SpmvTerms<Matrix>;
  const auto entries = static_cast<std::size_t>(plan.rows());
  if (plan.moduli() <= 16) {
    queue_blocks(on, entries, GemvExactFinish<Terms, 64>{task, {a}});
  } else {
    queue_blocks(on, entries, GemvExactFinish<Terms, 160>{task, {a}});
  }
}

/// The numbers that a product reads, including those whose exponents it reads.
inline Metas metas_of_read(const mp::MpArray& x, const std::vector<std::size_t>& read, const char* too_far) {
  return metas_of(
      x, static_cast<std::int64_t>(read.size()), 1,
      [&](std::int64_t i, std::int64_t) { return read[static_cast<std::size_t>(i)]; }, too_far, spmv_routine);
}

/// f(place, column) for the entries of row i.
template <class Matrix, class F>
void for_each_entry(const Matrix& a, std::int64_t i, F&& f) {
  const sparse::Places places = places_of(a, i);
  for (std::int64_t k = 0; k < places.count; ++k) {
    const std::int64_t at = places.first + k * places.step;
    const std::int64_t column = a.column_indices[at];
    if (column != sparse::no_column) f(static_cast<std::size_t>(at), static_cast<std::size_t>(column));
  }
}

/// Marks the entries as out of range for which a number out of range was read. `a`: on the host, its values are not
/// read.
template <class Matrix>
void mark_rows_out_of_range(mp::MpArray& result, const Matrix& a, const mp::MpArray& values, const mp::MpArray& x,
                            const mp::MpArray& alpha, const mp::MpArray& beta, const mp::MpArray& y) {
  const bool reads_a = !is_zero(alpha, 0);
  const bool reads_y = !is_zero(beta, 0);
  mp::MpArray mark = mp::mp_zeros(y.n, 1, true);
  mark.exponent[0] = mp::out_of_range_exponent;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    bool marked = is_out_of_range(alpha, 0) || is_out_of_range(beta, 0) || (reads_y && is_out_of_range(y, k));
    if (reads_a) {
      for_each_entry(a, i, [&](std::size_t at, std::size_t column) {
        marked = marked || is_out_of_range(values, at) || is_out_of_range(x, column);
      });
    }
    if (marked) copy_number(mark, 0, result, k);
  }
}

/// The product of arrays on the host. `pattern` is the matrix on the host without its values; call(columns, values,
/// workspace, …) creates the matrix on the executor.
template <class OnHost, class Call>
mp::MpArray spmv_by(const Executor& on, const mp::MpArray& alpha, const OnHost& pattern,
                    const std::vector<std::int32_t>& columns, const mp::MpArray& values, const mp::MpArray& x,
                    const mp::MpArray& beta, const mp::MpArray& y, std::int64_t longest, Call&& call) {
  const bool reads_a = !is_zero(alpha, 0);
  if (pattern.rows == 0 || (!reads_a && is_one(beta))) return y;
  std::vector<std::size_t> read;
  std::vector<bool> is_read(x.length);
  for (std::int64_t i = 0; reads_a && i < pattern.rows; ++i) {
    for_each_entry(pattern, i, [&](std::size_t at, std::size_t column) {
      read.push_back(at);
      is_read[column] = true;
    });
  }
  std::vector<std::size_t> read_x;
  for (std::size_t j = 0; j < x.length; ++j) {
    if (is_read[j]) read_x.push_back(j);
  }
  const mp::MpArray nothing = mp::mp_zeros(alpha.n, 0, true);
  const mp::MpArray planes_a = mp::with_layout(reads_a ? values : nothing, true);
  const mp::MpArray planes_x = mp::with_layout(reads_a ? x : nothing, true);
  const mp::MpArray planes_y = mp::with_layout(y, true);
  const Metas metas_a = metas_of_read(planes_a, read, "exponents of a are more than 2^29 apart");
  const Metas metas_x = metas_of_read(planes_x, read_x, "exponents of x are more than 2^29 apart");

  const MpSpmvPlan plan(alpha.n, pattern.rows, longest);
  const Array<std::int32_t> column_indices(on, std::span(columns));
  const MpOperandOn values_on(on, planes_a, metas_a);
  const MpOperandOn x_on(on, planes_x, metas_x);
  const MpResultOn y_on(on, planes_y);
  const Array<std::byte> workspace(on, plan.workspace());
  call(plan, column_indices.data(), values_on.planes(), x_on.planes(), y_on.planes(), workspace.data());
  wait(on);
  column_indices.compare(columns);
  values_on.compare();
  x_on.compare();
  mp::MpArray result = y_on.take();
  mark_rows_out_of_range(result, pattern, values, x, alpha, beta, y);
  return mp::with_layout(result, y.planes);
}

/// The checks of a call on arrays of the host.
template <class Matrix>
void require_spmv(const mp::MpArray& alpha, const Matrix& a, const mp::MpArray& x, const mp::MpArray& beta,
                  const mp::MpArray& y) {
  require_spmv_scalars(alpha.n, alpha, beta);
  mp::require_mp_array(a.values, alpha.n, spmv_routine, "the values of a");
  mp::require_mp_array(x, alpha.n, spmv_routine, "x");
  mp::require_mp_array(y, alpha.n, spmv_routine, "y");
  sparse::arguments::require_places(a, a.values.length, x.length, 1, spmv_routine);
  blas::require_argument(std::cmp_equal(y.length, a.rows), spmv_routine, "y has one number for each row");
}

/// y of arrays on the host.
inline mp::MpArray spmv_of_arrays(const Executor& on, const mp::MpArray& alpha, const MpCsrMatrix& a,
                                  const mp::MpArray& x, const mp::MpArray& beta, const mp::MpArray& y) {
  require_spmv(alpha, a, x, beta, y);
  std::int64_t longest = 0;
  for (std::size_t i = 0; i + 1 < a.row_offsets.size(); ++i) {
    longest = std::max(longest, a.row_offsets[i + 1] - a.row_offsets[i]);
  }
  const MpCsrOn on_host{a.rows, a.row_offsets.data(), a.column_indices.data(), {}};
  const Array<std::int64_t> offsets(on, std::span(a.row_offsets));
  mp::MpArray result = spmv_by(
      on, alpha, on_host, a.column_indices, a.values, x, beta, y, longest,
      [&](const MpSpmvPlan& plan, const std::int32_t* columns, const MpPlanes& values, const MpPlanes& x_on,
          const MpResultPlanes& y_on, std::byte* workspace) {
        queue_spmv(on, plan, alpha, MpCsrOn{a.rows, offsets.data(), columns, values}, x_on, beta, y_on, workspace);
      });
  offsets.compare(a.row_offsets);
  return result;
}

inline mp::MpArray spmv_of_arrays(const Executor& on, const mp::MpArray& alpha, const MpEllpackMatrix& a,
                                  const mp::MpArray& x, const mp::MpArray& beta, const mp::MpArray& y) {
  require_spmv(alpha, a, x, beta, y);
  const MpEllpackOn on_host{a.rows, a.width, a.column_indices.data(), {}};
  return spmv_by(
      on, alpha, on_host, a.column_indices, a.values, x, beta, y, a.width,
      [&](const MpSpmvPlan& plan, const std::int32_t* columns, const MpPlanes& values, const MpPlanes& x_on,
          const MpResultPlanes& y_on, std::byte* workspace) {
        queue_spmv(on, plan, alpha, MpEllpackOn{a.rows, a.width, columns, values}, x_on, beta, y_on, workspace);
      });
}

}  // namespace detail
}  // namespace assay::gemv
