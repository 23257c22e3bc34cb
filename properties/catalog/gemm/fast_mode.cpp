#include "properties/catalog/gemm/fast_mode.hpp"

#include <bit>

#include "errorbounds/judge.hpp"
#include "properties/framework/generators.hpp"

namespace assay::gemm {

using oracle::Dyadic;
using oracle::MatrixView;

int slice_bits(std::int64_t k) {
  const int log = k <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(k - 1)));
  return 53 - (53 + log + 1) / 2;
}

int slices_of(long top, long low, int q) { return static_cast<int>((top - low) / (q + 1)) + 1; }

FastBound::FastBound(const GemmCase& c) : k_(static_cast<std::uint64_t>(c.k)), alpha_(abs(value_of(c.alpha))) {
  rows_.resize(static_cast<std::size_t>(c.m));
  columns_.resize(static_cast<std::size_t>(c.n));
  if (!c.reads_ab()) return;
  q_ = slice_bits(c.k);
  const MatrixView a = op_a(c, 0);
  const MatrixView b = op_b(c, 0);
  for (std::int64_t i = 0; i < c.m; ++i) rows_[static_cast<std::size_t>(i)] = line_of(a, true, i);
  for (std::int64_t j = 0; j < c.n; ++j) columns_[static_cast<std::size_t>(j)] = line_of(b, false, j);
}

FastBound::Line FastBound::line_of(const MatrixView& x, bool row, std::int64_t line) const {
  Line found;
  long low = 0;
  bool seen = false;
  for (std::int64_t l = 0; l < (row ? x.columns : x.rows); ++l) {
    const double number = row ? x.at(line, l) : x.at(l, line);
    if (number == 0) continue;
    const Dyadic value = value_of(number);
    found.top = seen ? std::max(found.top, value.exponent() + 1) : value.exponent() + 1;
    low = seen ? std::min(low, value.lowest_exponent()) : value.lowest_exponent();
    seen = true;
  }
  found.slices = seen ? slices_of(found.top, low, q_) : 0;
  return found;
}

Bound FastBound::of(std::int64_t i, std::int64_t j, const Dyadic& truth) const {
  const Line& row = rows_[static_cast<std::size_t>(i)];
  const Line& column = columns_[static_cast<std::size_t>(j)];
  const OzakiEntry entry{k_, q_, row.slices, column.slices, fast_levels, row.top, column.top};
  return ozaki_bound(entry, alpha_, abs(truth), oracle::binary64);
}

}  // namespace assay::gemm
