#pragma once
// Control flow of mp_gemm.
//
// 1. Lines: the exponents of each row of op(A) and of each column of op(B), and residues for three further primes. 2.
// Lines whose exponents are too far apart: mp_gemv_exact, first for the columns, each into a separate column, from
// which the entries of the other rows are taken; then for the rows. 3. The other entries, in panels that fit the
// workspace: for a part of the moduli at a time slices of A and B, int8
//    products by weight, residues of the sums; then the entries.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemm/cublas.hpp"
#include "kernels/gemv/detail/mp_gemm_arrays.hpp"
#include "kernels/gemv/detail/mp_gemm_entries.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_product.hpp"
#include "kernels/gemv/mp_gemm.hpp"

namespace assay::gemm::detail {

/// Entry e of a column of C ← that of another array, for rows whose exponents are not too far apart.
struct MpCopyColumn {
  gemv::MpResultPlanes from, to;
  int size;
  const MpLine* row;  ///< null: all rows
  int window;
  ASSAY_HD void operator()(std::size_t at) const {
    const auto e = static_cast<std::int64_t>(at);
    if (row != nullptr && row[e].apart >= window) return;
    for (int i = 0; i < size; ++i) to.digits[i * to.plane + e] = from.digits[i * from.plane + e];
    to.sign[e] = from.sign[e];
    to.exponent[e] = from.exponent[e];
    to.lower[e] = from.lower[e];
    to.upper[e] = from.upper[e];
  }
};

/// The planes from a number on.
inline gemv::MpPlanes planes_from(gemv::MpPlanes x, std::int64_t first) {
  x.digits += first;
  x.words += first;
  return x;
}
inline gemv::MpResultPlanes planes_from(gemv::MpResultPlanes x, std::int64_t first) {
  x.digits += first;
  x.sign += first;
  x.exponent += first;
  x.lower += first;
  x.upper += first;
  return x;
}

/// One product with sizes that are not 0 and checked arguments.
class MpGemmCall {
 public:
  MpGemmCall(const Executor& on, const MpGemmShape& shape, const mp::MpArray& alpha, const gemv::MpPlanes& a,
             std::int64_t lda, const gemv::MpPlanes& b, std::int64_t ldb, const mp::MpArray& beta,
             const gemv::MpResultPlanes& c, std::int64_t ldc, const GemmOptions& options)
      : on_(on),
        shape_(shape),
        alpha_(alpha),
        beta_(beta),
        a_(a),
        b_(b),
        lda_(lda),
        ldb_(ldb),
        c_(c),
        ldc_(ldc),
        budget_(options.budget()) {
    panel_.adds_product = shape.k > 0 && !gemv::detail::is_zero(alpha, 0);
    panel_.reads_c = !gemv::detail::is_zero(beta, 0);
    panel_.alpha = gemv::detail::scalar_of(alpha);
    panel_.beta = gemv::detail::scalar_of(beta);
    panel_.c = c;
    panel_.ldc = ldc;
    panel_.exponent_offset = a.exponent_offset + b.exponent_offset;
  }

  MpGemmReport run() {
    MpGemmReport report;
    if (!panel_.adds_product) {
      panel_.rows = shape_.m;
      panel_.columns = shape_.n;
      queue_entries(panel_);
      wait(on_);
      return report;
    }
    const bool ta = shape_.trans_a == blas::Transpose::yes;
    const bool tb = shape_.trans_b == blas::Transpose::yes;
    rows_ = {a_, shape_.m, shape_.k, ta ? lda_ : 1, ta ? 1 : lda_};
    columns_ = {b_, shape_.n, shape_.k, tb ? 1 : ldb_, tb ? ldb_ : 1};
    const auto lines = static_cast<std::size_t>(shape_.m + shape_.n);
    const std::size_t more_a = more_size(rows_);
    const std::size_t more_b = more_size(columns_);
    const std::size_t fixed = Workspace::bytes_of<MpLine>(static_cast<std::size_t>(shape_.m)) +
                              Workspace::bytes_of<MpLine>(static_cast<std::size_t>(shape_.n)) +
                              Workspace::bytes_of<std::uint32_t>(more_a) + Workspace::bytes_of<std::uint32_t>(more_b);
    const Panels panels = panels_within(budget_ > fixed ? budget_ - fixed : 0);
    blas::require_argument(panels.rows > 0, mp_routine, "the workspace is too small");
    Workspace memory(on_, fixed);
    report.workspace_bytes = fixed + panels.bytes;
    MpLine* const row = memory.take<MpLine>(static_cast<std::size_t>(shape_.m));
    MpLine* const column = memory.take<MpLine>(static_cast<std::size_t>(shape_.n));
    rows_.more = memory.take<std::uint32_t>(more_a);
    columns_.more = memory.take<std::uint32_t>(more_b);
    queue_blocks(on_, MpFindLines::blocks(rows_), MpFindLines{rows_, row});
    queue_blocks(on_, MpFindLines::blocks(columns_), MpFindLines{columns_, column});
    queue_indices(on_, static_cast<std::size_t>(rows_.lines * rows_.terms), MpMoreResidues{rows_, shape_.moduli});
    queue_indices(on_, static_cast<std::size_t>(columns_.lines * columns_.terms),
                  MpMoreResidues{columns_, shape_.moduli});

    // |S| < k·M·2^(row_window + column_window − 2) ≤ M'/4.
    int log_terms = 0;
    while ((std::int64_t{1} << log_terms) < shape_.k) ++log_terms;
    const int windows = mp_gemm_tables(shape_.moduli).spare - log_terms;
    panel_.row_window = (windows + 1) / 2;
    panel_.column_window = windows / 2;
    panel_.row = row;
    panel_.column = column;
    std::vector<MpLine> found(lines);
    copy_from(on_, found.data(), row, static_cast<std::size_t>(shape_.m) * sizeof(MpLine));
    copy_from(on_, found.data() + shape_.m, column, static_cast<std::size_t>(shape_.n) * sizeof(MpLine));
    for (std::int64_t j = 0; j < shape_.n; ++j) {
      if (found[static_cast<std::size_t>(shape_.m + j)].apart >= panel_.column_window) columns_apart_.push_back(j);
    }
    for (std::int64_t i = 0; i < shape_.m; ++i) {
      if (found[static_cast<std::size_t>(i)].apart >= panel_.row_window) rows_apart_.push_back(i);
    }
    const auto apart = static_cast<std::int64_t>(columns_apart_.size() + rows_apart_.size());
    const bool all_apart = apart >= std::min(shape_.m, shape_.n);
    if (all_apart) take_all_apart();
    report.columns_apart = static_cast<std::int64_t>(columns_apart_.size());
    report.rows_apart = static_cast<std::int64_t>(rows_apart_.size());
    compute_apart();
    if (!all_apart) compute_panels(panels);
    wait(on_);
    return report;
  }

 private:
  /// The terms of one int8 product of a slice: four products of slices have 2¹⁶ terms of magnitude up to 2¹².
  static constexpr std::int64_t most_terms = std::int64_t{1} << 14;
  static constexpr std::int64_t term_padding = 16;
  static constexpr std::int64_t row_padding = 4;

  /// How the work is cut: into panels of C, terms, and moduli at a time.
  struct Panels {
    std::int64_t rows, columns, terms;
    int moduli;
    std::size_t bytes;
  };

  static std::int64_t padded(std::int64_t x, std::int64_t to) { return (x + to - 1) / to * to; }
  [[nodiscard]] std::size_t more_size(const MpLines& of) const {
    return static_cast<std::size_t>(of.lines * of.terms) * more_moduli;
  }
  [[nodiscard]] int moduli() const { return mp_gemm_tables(shape_.moduli).size; }

  /// Bytes of slices, products and residues of a panel.
  [[nodiscard]] Panels sized(std::int64_t rows, std::int64_t columns, int at_once) const {
    Panels p{rows, columns, std::min(shape_.k, most_terms), at_once, 0};
    const std::int64_t lines = slices * std::int64_t{at_once};
    const std::int64_t products = weights * std::int64_t{at_once};
    const std::int64_t plane = padded(rows, row_padding) * columns;
    const std::int64_t terms = padded(p.terms, term_padding);
    p.bytes = Workspace::bytes_of<std::int8_t>(static_cast<std::size_t>(rows * lines * terms)) +
              Workspace::bytes_of<std::int8_t>(static_cast<std::size_t>(columns * lines * terms)) +
              Workspace::bytes_of<std::int32_t>(static_cast<std::size_t>(plane * products)) +
              Workspace::bytes_of<std::uint32_t>(static_cast<std::size_t>(plane * moduli()));
    return p;
  }

  /// Panels as large as the workspace allows, first with all moduli at a time, then with fewer, then smaller ones.
  [[nodiscard]] Panels panels_within(std::size_t bytes) const {
    std::int64_t rows = shape_.m;
    std::int64_t columns = shape_.n;
    for (;;) {
      for (int at_once = std::min(moduli(), most_at_once); at_once >= 1; at_once /= 2) {
        const Panels p = sized(rows, columns, at_once);
        if (p.bytes <= bytes) return p;
      }
      if (rows == 1 && columns == 1) return {0, 0, 0, 0, 0};
      (rows >= columns ? rows : columns) = (std::max(rows, columns) + 1) / 2;
    }
  }
  /// Enough for cuBLAS to fill a device; more would only need memory.
  static constexpr int most_at_once = 16;

  /// The number of columns or rows that cost no more than the lines with exponents far apart: all columns, or all rows.
  void take_all_apart() {
    const bool by_columns = shape_.n <= shape_.m;
    std::vector<std::int64_t>& lines = by_columns ? columns_apart_ : rows_apart_;
    lines.resize(static_cast<std::size_t>(by_columns ? shape_.n : shape_.m));
    std::iota(lines.begin(), lines.end(), std::int64_t{0});
    (by_columns ? rows_apart_ : columns_apart_).clear();
  }

  void compute_apart() {
    if (columns_apart_.empty() && rows_apart_.empty()) return;
    const int size = shape_.moduli + 1;
    const bool ta = shape_.trans_a == blas::Transpose::yes;
    const bool tb = shape_.trans_b == blas::Transpose::yes;
    if (!columns_apart_.empty()) {
      const auto m = static_cast<std::size_t>(shape_.m);
      const gemv::MpGemvExactPlan plan(shape_.moduli, shape_.trans_a, ta ? shape_.k : shape_.m,
                                       ta ? shape_.m : shape_.k);
      Workspace memory(on_, Workspace::bytes_of<std::uint32_t>(m * static_cast<std::size_t>(size)) +
                                2 * Workspace::bytes_of<std::int32_t>(m) + 2 * Workspace::bytes_of<Extended>(m) +
                                Workspace::bytes_of<std::byte>(plan.workspace()));
      auto* const digits = memory.take<std::uint32_t>(m * static_cast<std::size_t>(size));
      auto* const sign = memory.take<std::int32_t>(m);
      auto* const exponent = memory.take<std::int32_t>(m);
      auto* const lower = memory.take<Extended>(m);
      auto* const upper = memory.take<Extended>(m);
      const gemv::MpResultPlanes own{digits, sign, exponent, lower, upper, shape_.m};
      auto* const workspace = memory.take<std::byte>(plan.workspace());
      for (const std::int64_t j : columns_apart_) {
        const gemv::MpResultPlanes column = planes_from(c_, j * ldc_);
        if (panel_.reads_c) queue_indices(on_, m, MpCopyColumn{column, own, size, nullptr, 0});
        gemv::mp_gemv_exact(on_, plan, alpha_, a_, lda_, planes_from(b_, tb ? j : j * ldb_), tb ? ldb_ : 1, beta_, own,
                            1, workspace);
        queue_indices(on_, m,
                      MpCopyColumn{own, column, size, rows_apart_.empty() ? nullptr : panel_.row, panel_.row_window});
      }
    }
    if (!rows_apart_.empty()) {
      const gemv::MpGemvExactPlan plan(shape_.moduli, tb ? blas::Transpose::no : blas::Transpose::yes,
                                       tb ? shape_.n : shape_.k, tb ? shape_.k : shape_.n);
      Workspace memory(on_, Workspace::bytes_of<std::byte>(plan.workspace()));
      auto* const workspace = memory.take<std::byte>(plan.workspace());
      for (const std::int64_t i : rows_apart_) {
        gemv::mp_gemv_exact(on_, plan, alpha_, b_, ldb_, planes_from(a_, ta ? i * lda_ : i), ta ? 1 : lda_, beta_,
                            planes_from(c_, i), ldc_, workspace);
      }
    }
  }

  void compute_panels(const Panels& p) {
    const std::int64_t lines = slices * std::int64_t{p.moduli};
    const std::int64_t products = weights * std::int64_t{p.moduli};
    const std::int64_t terms = padded(p.terms, term_padding);
    const std::int64_t most_pitch = padded(p.rows, row_padding);
    Workspace memory(on_, p.bytes);
    auto* const a = memory.take<std::int8_t>(static_cast<std::size_t>(p.rows * lines * terms));
    auto* const b = memory.take<std::int8_t>(static_cast<std::size_t>(p.columns * lines * terms));
    auto* const product = memory.take<std::int32_t>(static_cast<std::size_t>(most_pitch * p.columns * products));
    auto* const residue = memory.take<std::uint32_t>(static_cast<std::size_t>(most_pitch * p.columns * moduli()));
    for (std::int64_t column = 0; column < shape_.n; column += p.columns) {
      for (std::int64_t row = 0; row < shape_.m; row += p.rows) {
        MpEntryPanel panel = panel_;
        panel.rows = std::min(p.rows, shape_.m - row);
        panel.columns = std::min(p.columns, shape_.n - column);
        panel.pitch = padded(panel.rows, row_padding);
        panel.plane = static_cast<std::size_t>(panel.pitch * panel.columns);
        panel.residue = residue;
        panel.row += row;
        panel.column += column;
        panel.c = planes_from(c_, row + column * ldc_);
        for (std::int64_t term = 0; term < shape_.k; term += p.terms) {
          const std::int64_t count = std::min(p.terms, shape_.k - term);
          const MpSlices of_a{
              rows_, panel_.row, shape_.moduli, panel_.row_window, 0, false, row, panel.rows, term, count, terms, a};
          const MpSlices of_b{columns_, panel_.column, shape_.moduli, panel_.column_window,
                              0,        true,          column,        panel.columns,
                              term,     count,         terms,         b};
          for (int first = 0; first < moduli(); first += p.moduli) {
            multiply(panel, of_a, of_b, first, std::min(p.moduli, moduli() - first), product, residue);
          }
        }
        queue_entries(panel);
      }
    }
  }

  /// The residues of the sums over the terms of the slices for `count` moduli from the first one on.
  void multiply(const MpEntryPanel& panel, MpSlices a, MpSlices b, int first, int count, std::int32_t* product,
                std::uint32_t* residue) const {
    for (MpSlices* each : {&a, &b}) {
      each->first_modulus = first;
      queue_blocks(on_, each->blocks(count), *each);
    }
    const std::int64_t leading = slices * a.padded;
    const auto plane = static_cast<std::int64_t>(panel.plane);
    for (int w = 0; w < weights; ++w) {
      // Slices p of A and w − p of B: neighbors in both.
      const int from = std::max(0, w - slices + 1);
      const int to = std::min(w, slices - 1);
      cublas::int8_product(on_, panel.rows, panel.columns, (to - from + 1) * a.padded, a.to + from * a.padded, leading,
                           leading * panel.rows, b.to + (slices - 1 - w + from) * a.padded, leading,
                           leading * panel.columns, product + w * plane, panel.pitch, weights * plane, count);
    }
    const MpJoinWeights join{product, residue, plane, shape_.moduli, first, a.first_term == 0};
    queue_blocks(on_, join.blocks(count), join);
  }

  void queue_entries(const MpEntryPanel& panel) const {
    mp::with_moduli(shape_.moduli, mp_routine, [&](auto set) {
      using Kernel = MpEntries<decltype(set)::n>;
      queue_blocks(on_, Kernel::blocks(panel), Kernel{panel});
    });
  }

  Executor on_;
  MpGemmShape shape_;
  const mp::MpArray& alpha_;
  const mp::MpArray& beta_;
  gemv::MpPlanes a_, b_;
  std::int64_t lda_, ldb_;
  gemv::MpResultPlanes c_;
  std::int64_t ldc_;
  std::size_t budget_;
  MpEntryPanel panel_{};
  MpLines rows_{}, columns_{};
  std::vector<std::int64_t> rows_apart_, columns_apart_;
};

}  // namespace assay::gemm::detail
