#pragma once
// Kernels for NVRTC that enclose all numbers of a sparse matrix times a vector in global memory. The numbers are of the
// type ASSAY_ELEMENT. A test on the host has its own threads, and calls the templates.
//
// The matrix is cut into parts of rows and entries: row r is item offsets[r] + r, its entry j item j + r + 1. A block
// has the items of a part, whatever the lengths of the rows are.

#include "enclosures/blocks.cuh"
#include "enclosures/elements.cuh"
#include "enclosures/sparse_entries.cuh"

namespace assay::enclosures {

ASSAY_ENTRY Integer index_at(const void* data, int bytes, Integer at) {
  return bytes == 4 ? static_cast<const int*>(data)[at] : static_cast<const Integer*>(data)[at];
}
ASSAY_ENTRY Integer offset_at(const SparseArrays& of, Integer row) {
  return index_at(of.offsets, of.offset_bytes, row);
}
ASSAY_ENTRY Integer column_at(const SparseArrays& of, Integer entry) {
  return index_at(of.columns, of.column_bytes, entry);
}

/// Whether offset i begins with 0, does not fall, ends with the number of entries; whether column i is one of x.
ASSAY_ENTRY bool is_offset(const SparseArrays& of, Integer i) {
  const Integer here = offset_at(of, i);
  return here >= (i == 0 ? 0 : offset_at(of, i - 1)) && (i != 0 || here == 0) && (i != of.rows || here == of.entries);
}
ASSAY_ENTRY bool is_column(const SparseArrays& of, Integer i) {
  const Integer here = column_at(of, i);
  return here >= 0 && here < of.width;
}

/// How many indices of the block's stretch are right.
ASSAY_ENTRY void count_indices(const SparseArrays& of, int are_columns, Integer* out) {
  const Integer all = are_columns != 0 ? of.entries : of.rows + 1;
  const Integer start = blockIdx.x * sparse_stretch;
  Integer mine = 0;
  for (Integer i = start + threadIdx.x; i < start + sparse_stretch && i < all; i += threads) {
    if (are_columns != 0 ? is_column(of, i) : is_offset(of, i)) ++mine;
  }
  const Integer right = joined(mine, [](Integer other, Integer& to) { to += other; });
  if (threadIdx.x == 0) out[blockIdx.x] = right;
}

/// The first row that is this item or a later one.
ASSAY_ENTRY Integer first_row(const SparseArrays& of, Integer item) {
  Integer low = 0, high = of.rows;
  while (low < high) {
    const Integer middle = (low + high) / 2;
    if (offset_at(of, middle) + middle >= item) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// For the first thread of each `width` neighbors the totals of all of them. For all threads of a block.
ASSAY_ENTRY SparseTotals joined_in_team(const SparseTotals& mine, unsigned width) {
  if (width == 1) return mine;
  __shared__ SparseTotals all[threads];
  all[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = width / 2; half > 0; half /= 2) {
    if (threadIdx.x % width < half) join_to(all[threadIdx.x], all[threadIdx.x + half]);
    __syncthreads();
  }
  const SparseTotals result = all[threadIdx.x];
  __syncthreads();
  return result;
}

/// decide(row, totals) for the rows of the block's part that end in it, once for each. `heads` gets what the part has
/// of a row that began before, and `tails` of a row that goes on. `emin`: of the numbers.
template <Element element, class Decide>
ASSAY_ENTRY void add_part(const SparseArrays& of, int emin, SparseTotals* heads, SparseTotals* tails,
                          const Decide& decide) {
  const Integer start = blockIdx.x * sparse_part, end = start + sparse_part;
  const Integer first = first_row(of, start), last = first_row(of, end);
  const Integer here = first > 0 ? first - 1 : 0;  // the first row that may have entries in the part
  unsigned width = 1;
  while (2 * width <= threads && 2 * width * (last - here) <= threads) width *= 2;
  const unsigned teams = threads / width, lane = threadIdx.x % width;
  for (Integer next = here; next < last; next += teams) {
    const Integer row = next + threadIdx.x / width;
    SparseTotals mine;
    if (row < last) {
      const Integer from = offset_at(of, row), to = offset_at(of, row + 1);
      const Integer before = end - row - 1, begin = start - row - 1;
      for (Integer j = (from > begin ? from : begin) + lane; j < to && j < before; j += width) {
        add_to(mine, element_at<element>(of.values, j), element_at<element>(of.x, column_at(of, j)), emin);
      }
    }
    const SparseTotals all = joined_in_team(mine, width);
    if (row >= last || lane != 0) continue;
    if (row < first) {
      heads[blockIdx.x] = all;
    } else if (offset_at(of, row + 1) + row < end) {
      decide(row, all);
    } else {
      tails[blockIdx.x] = all;
    }
  }
}

/// decide(row, totals) for the row that begins in the block's part and ends in another. `tails` gets its totals.
template <class Decide>
ASSAY_ENTRY void join_parts(const SparseArrays& of, const SparseTotals* heads, SparseTotals* tails,
                            const Decide& decide) {
  const Integer start = blockIdx.x * sparse_part, end = start + sparse_part;
  const Integer row = first_row(of, end) - 1;
  if (row < 0 || offset_at(of, row) + row < start) return;
  const Integer last = (offset_at(of, row + 1) + row) / sparse_part;  // the part of its last item
  if (last == blockIdx.x) return;
  SparseTotals mine;
  if (threadIdx.x == 0) mine = tails[blockIdx.x];
  for (Integer part = blockIdx.x + 1 + threadIdx.x; part <= last; part += threads) join_to(mine, heads[part]);
  const SparseTotals all = joined(mine, [](const SparseTotals& other, SparseTotals& to) { join_to(to, other); });
  if (threadIdx.x != 0) return;
  tails[blockIdx.x] = all;
  decide(row, all);
}

/// Decides rows: 1 + the share of a row that is shown to keep the rule, 0 for another.
template <Element element>
struct WriteShare {
  const SparseArrays& of;
  const SparseRule& rule;
  float* shares;
  ASSAY_ENTRY void operator()(Integer row, const SparseTotals& totals) const {
    const double share = share_of_row(totals, offset_at(of, row + 1) - offset_at(of, row), threads,
                                      element_at<element>(of.got, row), rule);
    shares[row] = share < 0 ? 0 : static_cast<float>(1 + share);
  }
};

/// What the rows of the block's stretch come to.
ASSAY_ENTRY void count_rows(const float* shares, Integer rows, SparseCount* out) {
  const Integer start = blockIdx.x * sparse_stretch;
  SparseCount mine;
  for (Integer i = start + threadIdx.x; i < start + sparse_stretch && i < rows; i += threads) {
    if (shares[i] >= 1) ++mine.kept;
    if (shares[i] <= mine.nearest) continue;
    mine.nearest = shares[i];
    mine.row = i;
  }
  const SparseCount all = joined(mine, [](const SparseCount& other, SparseCount& to) {
    to.kept += other.kept;
    if (other.nearest <= to.nearest) return;
    to.nearest = other.nearest;
    to.row = other.row;
  });
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

/// The lengths of the rows of a list.
ASSAY_ENTRY void find_lengths(const SparseArrays& of, const Integer* rows, Integer count, Integer* out) {
  for (Integer i = threadIdx.x; i < count; i += threads) out[i] = offset_at(of, rows[i] + 1) - offset_at(of, rows[i]);
}

/// Copies the factors of a row of a list, and its result; a block has one. `starts`: where its factors are written. The
/// numbers are of binary64 or binary32.
template <Element element>
ASSAY_ENTRY void gather_row(const SparseArrays& of, const Integer* rows, const Integer* starts, void* values, void* x,
                            void* got) {
  const auto copy = [](const void* from, Integer i, void* to, Integer j) {
    if constexpr (element == binary64) {
      static_cast<Pattern*>(to)[j] = static_cast<const Pattern*>(from)[i];
    } else {
      static_cast<unsigned*>(to)[j] = static_cast<const unsigned*>(from)[i];
    }
  };
  const Integer row = rows[blockIdx.x], first = offset_at(of, row), n = offset_at(of, row + 1) - first;
  for (Integer i = threadIdx.x; i < n; i += threads) {
    copy(of.values, first + i, values, starts[blockIdx.x] + i);
    copy(of.x, column_at(of, first + i), x, starts[blockIdx.x] + i);
  }
  if (threadIdx.x == 0) copy(of.got, row, got, blockIdx.x);
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(threads) indices(SparseArrays of, int are_columns, Integer* out) {
  count_indices(of, are_columns, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    add(SparseArrays of, SparseRule rule, float* shares, SparseTotals* heads, SparseTotals* tails) {
  add_part<ASSAY_ELEMENT>(of, rule.numbers.emin, heads, tails, WriteShare<ASSAY_ELEMENT>{of, rule, shares});
}
extern "C" __global__ void __launch_bounds__(threads)
    join(SparseArrays of, SparseRule rule, const SparseTotals* heads, SparseTotals* tails, float* shares) {
  join_parts(of, heads, tails, WriteShare<ASSAY_ELEMENT>{of, rule, shares});
}
extern "C" __global__ void __launch_bounds__(threads) count(const float* shares, Integer rows, SparseCount* out) {
  count_rows(shares, rows, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    lengths(SparseArrays of, const Integer* rows, Integer count, Integer* out) {
  find_lengths(of, rows, count, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    gather(SparseArrays of, const Integer* rows, const Integer* starts, void* values, void* x, void* got) {
  gather_row<ASSAY_ELEMENT>(of, rows, starts, values, x, got);
}
#endif

}  // namespace assay::enclosures
