#pragma once
// Kernels for NVRTC that enclose all numbers of softmax(scale·QKᵀ)V in global memory, a block for some rows of a head.
// ASSAY_ELEMENT names the type of the numbers. A test on the host has its own threads, and calls the templates.

#include "enclosures/attention_entries.cuh"
#include "enclosures/blocks.cuh"
#include "enclosures/elements.cuh"

#ifdef __CUDACC__
#define ASSAY_UNROLL _Pragma("unroll")
#else
#define ASSAY_UNROLL
#endif

namespace assay::enclosures {

using Tiles = AttentionTiles<threads>;
constexpr unsigned across = Tiles::across, down = Tiles::down;
constexpr unsigned own_rows = Tiles::own_rows, own_keys = Tiles::own_keys, own_columns = Tiles::own_columns;
constexpr unsigned tile_rows = Tiles::rows, tile_keys = Tiles::keys, tile_columns = Tiles::columns;
constexpr unsigned part = 8;  // of a row of queries or keys, and of the keys of a tile, that are in shared memory

/// The rows of one array of a head.
struct HeadRows {
  const void* data;
  Integer start, row_step;
};
ASSAY_ENTRY HeadRows rows_of(const Heads& of, const Attention& all, Integer head) {
  return {of.data, start_of(of, all, head), of.row_step};
}
template <Element element>
ASSAY_ENTRY double number_at(const HeadRows& of, Integer row, Integer column) {
  return element_at<element>(of.data, of.start + row * of.row_step + column);
}

/// Not below the length of a row of queries or keys; infinite or NaN if one of its numbers is.
template <Element element>
ASSAY_ENTRY double length_of(const HeadRows& of, Integer width, Integer row) {
  double squares = 0;
  for (Integer i = 0; i < width; ++i) {
    const double x = number_at<element>(of, row, i);
    squares = fma(x, x, squares);
  }
  return sqrt(squares) * (1 + 0x1p-30);
}

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

struct AttentionFactors {
  double queries[part][tile_rows], keys[part][tile_keys];
};
/// What a block has in common.
struct AttentionTile {
  double weights[tile_rows][tile_keys + 1];  ///< the logits, then their exponentials
  union {
    AttentionFactors factors;
    double values[part][tile_columns];
  };
};

/// The logits of the thread's rows and keys; NaN for those that a query does not see.
template <Element element>
ASSAY_ENTRY void find_logits(const Attention& of, const AttentionBlock& at, Integer first_key, AttentionTile& tile,
                             double (&logits)[own_rows][own_keys]) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) logits[r][c] = 0;
  }
  for (Integer first = 0; first < of.width; first += part) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < part * tile_rows; i += threads) {
      const Integer query = at.first_row + i / part, l = first + i % part;
      const bool is_there = query < of.queries && l < of.width;
      tile.factors.queries[i % part][i / part] = is_there ? number_at<element>(at.q, query, l) : 0;
    }
    for (unsigned i = threadIdx.x; i < part * tile_keys; i += threads) {
      const Integer key = first_key + i / part, l = first + i % part;
      const bool is_there = key < of.keys && l < of.width;
      tile.factors.keys[i % part][i / part] = is_there ? number_at<element>(at.k, key, l) : 0;
    }
    __syncthreads();
    ASSAY_UNROLL for (unsigned l = 0; l < part; ++l) {
      ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
        const double x = tile.factors.queries[l][r * down + row];
        ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
          logits[r][c] = fma(x, tile.factors.keys[l][c * across + column], logits[r][c]);
        }
      }
    }
  }
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer seen = keys_of_query(of, at.first_row + r * down + row) - first_key;
    ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
      const bool is_seen = static_cast<Integer>(c * across + column) < seen;
      logits[r][c] = is_seen ? of.scale * logits[r][c] : number_of(0x7ff8000000000000ULL);
    }
  }
}

/// The sums of the thread's rows and columns.
struct OwnSums {
  double largest[own_rows], weights[own_rows];
  double values[own_rows][own_columns], magnitudes[own_rows][own_columns];
};

/// exp(logit − largest); 0 for a logit that is NaN.
ASSAY_ENTRY_ONCE double weight_of(double largest, double logit) { return exponential_of(difference(largest, logit)); }

/// Makes exponentials of the logits of a tile, less the largest one so far, and scales what was added before.
ASSAY_ENTRY void find_weights(const double (&logits)[own_rows][own_keys], AttentionTile& tile, OwnSums& sums) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
      tile.weights[r * down + row][c * across + column] = logits[r][c];
    }
  }
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    double largest = sums.largest[r];
    for (unsigned c = 0; c < tile_keys; ++c) {
      const double logit = tile.weights[r * down + row][c];
      if (logit > largest) largest = logit;
    }
    const double factor = weight_of(largest, sums.largest[r]);
    sums.largest[r] = largest;
    sums.weights[r] *= factor;
    ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
      sums.values[r][c] *= factor;
      sums.magnitudes[r][c] *= factor;
    }
  }
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
      tile.weights[r * down + row][c * across + column] = weight_of(sums.largest[r], logits[r][c]);
    }
  }
}

/// Adds the values of a tile, with their weights.
template <Element element>
ASSAY_ENTRY void add_values(const Attention& of, const AttentionBlock& at, Integer first_key, AttentionTile& tile,
                            OwnSums& sums) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  for (unsigned first = 0; first < tile_keys; first += part) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < part * tile_columns; i += threads) {
      const Integer key = first_key + first + i / tile_columns, of_column = at.first_column + i % tile_columns;
      const bool is_there = key < of.keys && of_column < of.columns;
      tile.values[i / tile_columns][i % tile_columns] = is_there ? number_at<element>(at.v, key, of_column) : 0;
    }
    __syncthreads();
    ASSAY_UNROLL for (unsigned j = 0; j < part; ++j) {
      double values[own_columns];
      ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) values[c] = tile.values[j][c * across + column];
      ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
        const double weight = tile.weights[r * down + row][first + j];
        sums.weights[r] += weight;
        ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
          sums.values[r][c] = fma(weight, values[c], sums.values[r][c]);
          sums.magnitudes[r][c] = fma(weight, magnitude_of(values[c]), sums.magnitudes[r][c]);
        }
      }
    }
  }
}

/// visit(r, row, column, sums) for the numbers of the block that are the thread's, where r is the place of the row
/// among its own. For all threads.
template <Element element, class Visit>
ASSAY_ENTRY void each_of_attention(const Attention& of, const AttentionBlock& at, AttentionTile& tile,
                                   const Visit& visit) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  OwnSums sums;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    sums.largest[r] = -0x1p1000;  // a logit is never so small
    sums.weights[r] = 0;
    ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) sums.values[r][c] = sums.magnitudes[r][c] = 0;
  }
  const Integer last_row = at.first_row + tile_rows < of.queries ? at.first_row + tile_rows : of.queries;
  for (Integer key = 0; key < keys_of_query(of, last_row - 1); key += tile_keys) {
    double logits[own_rows][own_keys];
    find_logits<element>(of, at, key, tile, logits);
    find_weights(logits, tile, sums);
    add_values<element>(of, at, key, tile, sums);
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
  __shared__ AttentionTile tile;
  const AttentionBlock at = this_block(of);
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  double kept[own_rows], nearest[own_rows];
  AttentionRow rows[own_rows];
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer query = at.first_row + r * down + row;
    const double length = query < of.queries ? length_of<element>(at.q, of.width, query) : 0;
    rows[r] = row_of_attention(of, heads[at.head], length, query, tile_keys, floor);
    kept[r] = 0;
    nearest[r] = -1;
  }
  each_of_attention<element>(of, at, tile,
                             [&](unsigned r, Integer of_row, Integer of_column, const WeightedSums& sums) {
                               if (rows[r].is_open != 0) return;
                               const double got = number_at<element>(at.got, of_row, of_column);
                               const double share = share_of_sums(sums, rows[r], got, rule, numbers);
                               if (share >= 0) kept[r] += 1;
                               if (share > nearest[r]) nearest[r] = share;
                             });
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    tile.weights[r * down + row][column] = kept[r];
    tile.weights[r * down + row][across + column] = nearest[r];
  }
  __syncthreads();
  for (unsigned r = threadIdx.x; r < tile_rows && at.first_row + r < of.queries; r += threads) {
    BlockCount all;
    for (unsigned c = 0; c < across; ++c) {
      all.kept += static_cast<Integer>(tile.weights[r][c]);
      if (tile.weights[r][across + c] > all.nearest) all.nearest = tile.weights[r][across + c];
    }
    const Integer group = at.first_column / tile_columns;
    out[(group * all_heads(of) + at.head) * of.queries + at.first_row + r] = all;
  }
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
