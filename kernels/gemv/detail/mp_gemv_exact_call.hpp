#pragma once
// The plan of the exact-accumulating GEMV, and the order of its kernels.

#include <cstddef>
#include <cstdint>

#include "kernels/gemv/detail/mp_gemv_exact_finish.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_operands.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_sums.hpp"

namespace assay::gemv::detail {

/// The plan of a product without its workspace and without parts of the terms.
/// W = ⌊log₂(M'/M)⌋ − 1 − ⌈log₂ terms⌉, or 26: the sum of the aligned products is below M·2^(W − 1)·terms ≤ M'/4.
/// A product is below 2^27n·2^exponent. D = 27n + P + ⌈log₂ terms⌉ + 2 = sum_bits + P + 2.
/// Requires: outputs ≥ 0, 0 ≤ terms ≤ 2²⁸ (not checked).
inline GemvExactPlan undivided_gemv_exact_plan(int n, std::int64_t outputs, std::int64_t terms) {
  const rns::LimbTablesView tables = standard_limb_tables(n);
  int log_terms = 0;
  while ((std::int64_t{1} << log_terms) < terms) ++log_terms;
  GemvExactPlan plan{};
  plan.n = n;
  plan.size = tables.size;
  plan.outputs = outputs;
  plan.terms = terms;
  plan.window = tables.spare - 1 - log_terms < 26 ? tables.spare - 1 - log_terms : 26;
  plan.sum_bits = 27 * n + log_terms;
  plan.top_splits = plan.guard_splits = plan.sum_splits = 1;
  plan.pitch = n + GemvExactPlan::group;
  return plan;
}

/// The plan of a dense product, without its workspace. Requires: as above.
inline GemvExactPlan gemv_exact_plan(int n, bool transposed, std::int64_t outputs, std::int64_t terms) {
  GemvExactPlan plan = undivided_gemv_exact_plan(n, outputs, terms);
  // Parts of the terms: in the first kernel as many as give some waves of blocks on a device of 132 multiprocessors; in
  // the second, as many parts for the moduli and for the guards as make the waves the shortest, each wave as long as
  // its steps and eight more. A step of the guards takes 3/4 of the time; for op(A) = Aᵀ they get a quarter of the
  // parts. (Measured on an H200.)
  const std::int64_t most = terms / 64 > 1 ? terms / 64 : 1;
  const std::int64_t tile_of_tops = transposed ? GemvExactLayout<true>::outputs : GemvExactLayout<false>::outputs;
  const std::int64_t parts_of_tops = 1055 / ((outputs - 1) / tile_of_tops + 1) + 1;
  plan.top_splits = static_cast<int>(parts_of_tops < most ? parts_of_tops : most);
  using Sums = GemvExactSums<false>;
  const int steps = 2 * (transposed ? GemvExactSums<true>::lanes : Sums::lanes);
  std::int64_t shortest = 0;
  const auto consider = [&](int parts, int guard_parts) {
    GemvExactPlan tried = plan;
    tried.sum_splits = parts;
    tried.guard_splits = guard_parts;
    const std::int64_t blocks = transposed ? GemvExactSums<true>::blocks(tried) : Sums::blocks(tried);
    const std::int64_t waves = (blocks - 1) / (132 * Sums::blocks_per_multiprocessor) + 1;
    const std::int64_t part = terms / parts;
    const std::int64_t guard_part = transposed ? 0 : terms * 3 / (4 * guard_parts);
    const std::int64_t time = waves * ((part > guard_part ? part : guard_part) / steps + 8);
    if (shortest > 0 && time >= shortest) return;
    shortest = time;
    plan = tried;
  };
  for (int parts = 1; parts <= 64 && parts <= most; ++parts) {
    const int quarter = (parts - 1) / 4 + 1;
    for (int guard_parts = quarter; guard_parts <= (transposed ? quarter : parts); ++guard_parts) {
      consider(parts, guard_parts);
    }
  }
  return plan;
}

/// A call and its kernels.
template <bool transposed>
struct GemvExactCall : GemvExactTask {
  /// launch(blocks, kernel) for the three kernels, each of which needs the results of the one before; only the last one
  /// if there are no terms.
  template <class Launch>
  void kernels(Launch&& launch) const {
    if (plan.terms > 0) {
      GemvExactOperand pairs = a;
      pairs.pairs = a.plane % 2 == 0 && a.step % 2 == 0 && reinterpret_cast<std::uintptr_t>(a.digits) % 8 == 0 &&
                    reinterpret_cast<std::uintptr_t>(a.meta) % 8 == 0;
      const auto tiles = [&](std::int64_t tile) { return static_cast<std::size_t>((plan.outputs - 1) / tile + 1); };
      launch(tiles(GemvExactLayout<transposed>::outputs) * static_cast<std::size_t>(plan.top_splits),
             GemvExactTops<transposed>{plan, a, x});
      launch(static_cast<std::size_t>(GemvExactSums<transposed>::blocks(plan)),
             GemvExactSums<transposed>{plan, pairs, x});
    }
    const auto entries = static_cast<std::size_t>(plan.outputs);
    if (plan.n <= 16) {
      launch(entries, GemvExactFinish<GemvExactTerms<transposed>, 64>{*this, {}});
    } else {
      launch(entries, GemvExactFinish<GemvExactTerms<transposed>, 160>{*this, {}});
    }
  }
};

}  // namespace assay::gemv::detail
