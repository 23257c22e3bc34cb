#pragma once
// Kernels for NVRTC that enclose all numbers of softmax(scale·QKᵀ)V in global memory, a block for some rows of a head.
// ASSAY_ELEMENT names the type of the numbers. A test on the host has its own threads, and calls the templates.

#include "enclosures/attention_tiles.cuh"

namespace assay::enclosures {

/// The facts of the block's head.
template <Element element>
ASSAY_ENTRY void find_head(const Attention& of, HeadFacts* out) {
  const HeadRows keys = rows_of(of.k, of, blockIdx.x), values = rows_of(of.v, of, blockIdx.x);
  HeadFacts mine;
  mine.is_known = 1;
  for (Integer j = threadIdx.x; j < of.keys; j += threads) {
    const double length = length_of<element>(keys, of.width, j);
    if (!is_number(length)) mine.is_known = 0;
    if (length > mine.longest) mine.longest = length;
    for (Integer c = 0; c < of.columns; ++c) {
      const double size = magnitude_of(number_at<element>(values, j, c));
      if (!is_number(size)) mine.is_known = 0;
      if (size > mine.size) mine.size = size;
    }
  }
  const HeadFacts all = joined(mine, [](const HeadFacts& other, HeadFacts& to) {
    to.is_known &= other.is_known;
    if (other.longest > to.longest) to.longest = other.longest;
    if (other.size > to.size) to.size = other.size;
  });
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

/// Where a block works.
struct AttentionBlock {
  Integer head, first_row, first_column;
  HeadRows q, k, v, got;
};
ASSAY_ENTRY AttentionBlock this_block(const Attention& of) {
  const Integer of_rows = row_blocks<threads>(of), of_columns = column_blocks<threads>(of);
  const Integer rest = blockIdx.x / of_rows;
  const Integer head = rest / of_columns;
  return {head,
          blockIdx.x % of_rows * tile_rows,
          rest % of_columns * tile_columns,
          rows_of(of.q, of, head),
          rows_of(of.k, of, head),
          rows_of(of.v, of, head),
          rows_of(of.got, of, head)};
}

/// The sums of the thread's rows and columns.
struct OwnSums {
  double largest[own_rows], weights[own_rows];
  double values[own_rows][own_columns], magnitudes[own_rows][own_columns];
};

/// visit(r, row, column, sums) for the numbers of the block that are the thread's, where r is the place of the row
/// among its own. For all threads.
template <Element element, class Visit>
ASSAY_ENTRY void each_of_attention(const Attention& of, const AttentionBlock& at, Tile& tile, const Visit& visit) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  OwnSums sums;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    sums.largest[r] = no_logit;
    sums.weights[r] = 0;
    ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) sums.values[r][c] = sums.magnitudes[r][c] = 0;
  }
  const Integer last_row = at.first_row + tile_rows < of.queries ? at.first_row + tile_rows : of.queries;
  for (Integer key = 0; key < keys_of_query(of, last_row - 1); key += tile_keys) {
    double logits[own_rows][own_keys];
    find_products<element>({at.q, at.first_row, of.queries}, {at.k, key, of.keys}, of.width, tile, logits);
    make_logits(of, at.first_row, key, logits);
    find_largest(logits, tile, sums.largest, [&](unsigned r, double factor) {
      sums.weights[r] *= factor;
      ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
        sums.values[r][c] *= factor;
        sums.magnitudes[r][c] *= factor;
      }
    });
    ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
      ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
        tile.weights[r * down + row][c * across + column] = weight_of(sums.largest[r], logits[r][c]);
      }
    }
    each_weighted<element>({at.v, key, of.keys}, at.first_column, of.columns, tile,
                           [&](unsigned r, double weight, const double(&values)[own_columns]) {
                             sums.weights[r] += weight;
                             ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
                               sums.values[r][c] = fma(weight, values[c], sums.values[r][c]);
                               sums.magnitudes[r][c] = fma(weight, magnitude_of(values[c]), sums.magnitudes[r][c]);
                             }
                           });
  }
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer of_row = at.first_row + r * down + row;
    if (of_row >= of.queries) continue;
    ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
      const Integer of_column = at.first_column + c * across + column;
      if (of_column >= of.columns) continue;
      visit(r, of_row, of_column, WeightedSums{sums.weights[r], sums.values[r][c], sums.magnitudes[r][c]});
    }
  }
}

ASSAY_ENTRY_ONCE double share_of_sums(const WeightedSums& sums, const AttentionRow& row, double got, Rule rule,
                                      const Numbers& numbers) {
  return share_of(number_of_attention(sums, row), got, rule, numbers);
}

/// What the numbers of the block's rows come to: a count for each row, for each group of columns.
template <Element element>
ASSAY_ENTRY void count_attention(const Attention& of, const HeadFacts* heads, const AttentionFloor& floor, Rule rule,
                                 const Numbers& numbers, BlockCount* out) {
  __shared__ Tile tile;
  const AttentionBlock at = this_block(of);
  AttentionRow rows[own_rows];
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer query = at.first_row + r * down + threadIdx.x / across;
    const double length = query < of.queries ? length_of<element>(at.q, of.width, query) : 0;
    rows[r] = row_of_attention(of, heads[at.head], length, query, tile_keys, floor);
  }
  OwnCount count = no_count();
  each_of_attention<element>(of, at, tile,
                             [&](unsigned r, Integer of_row, Integer of_column, const WeightedSums& sums) {
                               if (rows[r].is_open != 0) return;
                               const double got = number_at<element>(at.got, of_row, of_column);
                               add_share(share_of_sums(sums, rows[r], got, rule, numbers), r, count);
                             });
  const Integer group = at.first_column / tile_columns;
  const Integer first = (group * all_heads(of) + at.head) * of.queries + at.first_row;
  write_rows(count, of.queries - at.first_row, tile, out + first);
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(threads) head_facts(Attention of, HeadFacts* out) {
  find_head<ASSAY_ELEMENT>(of, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    decide_attention(Attention of, const HeadFacts* heads, AttentionFloor floor, Rule rule, Numbers numbers,
                     BlockCount* out) {
  count_attention<ASSAY_ELEMENT>(of, heads, floor, rule, numbers, out);
}
#endif

}  // namespace assay::enclosures
