#include "kernels/gemv/mp_spmv.hpp"

#include <algorithm>

#include "kernels/gemv/detail/mp_spmv_product.hpp"

namespace assay::gemv {

MpSpmvPlan::MpSpmvPlan(int moduli, std::int64_t rows, std::int64_t longest)
    : moduli_(moduli), rows_(rows), longest_(longest) {
  blas::require_argument(rows >= 0, detail::spmv_routine, "rows is at least 0");
  blas::require_argument(longest >= 0 && longest <= sparse::arguments::most_entries, detail::spmv_routine,
                         "a row has fewer than 2^28 entries");
  detail::require_moduli(moduli, detail::spmv_routine);
  detail::GemvExactPlan plan = detail::undivided_gemv_exact_plan(moduli, std::max<std::int64_t>(1, rows), longest);
  detail::WorkspaceParts parts;
  detail::place(plan, parts);
  workspace_ = parts.bytes();
}

MpEllpackMatrix mp_ellpack_of(const MpCsrMatrix& a) {
  // Values that are their own indices tell where each one goes.
  sparse::CsrMatrix numbered{a.rows, a.columns, a.row_offsets, a.column_indices, {}};
  for (std::size_t at = 0; at < a.values.length; ++at) numbered.values.push_back(static_cast<double>(at));
  const sparse::EllpackMatrix places = sparse::ellpack_of(numbered);
  MpEllpackMatrix b{places.rows, places.columns, places.width, places.column_indices,
                    mp::mp_zeros(a.values.n, places.values.size(), a.values.planes)};
  for (std::size_t to = 0; to < places.values.size(); ++to) {
    if (places.column_indices[to] == sparse::no_column) continue;
    detail::copy_number(a.values, static_cast<std::size_t>(places.values[to]), b.values, to);
  }
  return b;
}

void mp_spmv(const Executor& on, const MpSpmvPlan& plan, const mp::MpArray& alpha, const MpCsrOn& a, const MpPlanes& x,
             const mp::MpArray& beta, const MpResultPlanes& y, std::byte* workspace) {
  detail::queue_spmv(on, plan, alpha, a, x, beta, y, workspace);
}

void mp_spmv(const Executor& on, const MpSpmvPlan& plan, const mp::MpArray& alpha, const MpEllpackOn& a,
             const MpPlanes& x, const mp::MpArray& beta, const MpResultPlanes& y, std::byte* workspace) {
  blas::require_argument(a.width >= 0 && a.width <= plan.longest(), detail::spmv_routine,
                         "the width is from 0 to the plan's places");
  detail::queue_spmv(on, plan, alpha, a, x, beta, y, workspace);
}

mp::MpArray mp_spmv(const Executor& on, const mp::MpArray& alpha, const MpCsrMatrix& a, const mp::MpArray& x,
                    const mp::MpArray& beta, const mp::MpArray& y) {
  return detail::spmv_of_arrays(on, alpha, a, x, beta, y);
}

mp::MpArray mp_spmv(const Executor& on, const mp::MpArray& alpha, const MpEllpackMatrix& a, const mp::MpArray& x,
                    const mp::MpArray& beta, const mp::MpArray& y) {
  return detail::spmv_of_arrays(on, alpha, a, x, beta, y);
}

}  // namespace assay::gemv
