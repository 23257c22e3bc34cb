#pragma once
// What the threads of a block do with tiles of matrices: products of rows, and sums of rows with weights.

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

struct TileFactors {
  double first[part][tile_rows], second[part][tile_keys];
};
/// What a block has in common.
struct Tile {
  double weights[tile_rows][tile_keys + 1];
  union {
    TileFactors factors;
    double values[part][tile_columns];
  };
};

/// Rows `first` to `end` of an array of a head.
struct RowRange {
  HeadRows rows;
  Integer first, end;
};

/// The products of the thread's rows of one array with those of another. For all threads.
template <Element element>
ASSAY_ENTRY void find_products(const RowRange& a, const RowRange& b, Integer width, Tile& tile,
                               double (&products)[own_rows][own_keys]) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) products[r][c] = 0;
  }
  for (Integer first = 0; first < width; first += part) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < part * tile_rows; i += threads) {
      const Integer at = a.first + i / part, l = first + i % part;
      tile.factors.first[i % part][i / part] = at < a.end && l < width ? number_at<element>(a.rows, at, l) : 0;
    }
    for (unsigned i = threadIdx.x; i < part * tile_keys; i += threads) {
      const Integer at = b.first + i / part, l = first + i % part;
      tile.factors.second[i % part][i / part] = at < b.end && l < width ? number_at<element>(b.rows, at, l) : 0;
    }
    __syncthreads();
    ASSAY_UNROLL for (unsigned l = 0; l < part; ++l) {
      ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
        const double x = tile.factors.first[l][r * down + row];
        ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
          products[r][c] = fma(x, tile.factors.second[l][c * across + column], products[r][c]);
        }
      }
    }
  }
}

/// The logits that are products of queries and keys; NaN for the keys that a query does not see.
ASSAY_ENTRY void make_logits(const Attention& of, Integer first_query, Integer first_key,
                             double (&logits)[own_rows][own_keys]) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer seen = keys_of_query(of, first_query + r * down + row) - first_key;
    ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
      const bool is_seen = static_cast<Integer>(c * across + column) < seen;
      logits[r][c] = is_seen ? of.scale * logits[r][c] : number_of(0x7ff8000000000000ULL);
    }
  }
}

constexpr double no_logit = -0x1p1000;  // a logit is never so small

/// exp(logit − largest); 0 for a logit that is NaN.
ASSAY_ENTRY_ONCE double weight_of(double largest, double logit) { return exponential_of(difference(largest, logit)); }

/// The largest logit of the thread's rows, of a tile and of all before. scale(r, factor) for what belongs to the
/// largest one before this tile. For all threads.
template <class Scale>
ASSAY_ENTRY void find_largest(const double (&logits)[own_rows][own_keys], Tile& tile, double (&largest)[own_rows],
                              const Scale& scale) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
      tile.weights[r * down + row][c * across + column] = logits[r][c];
    }
  }
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const double before = largest[r];
    for (unsigned c = 0; c < tile_keys; ++c) {
      const double logit = tile.weights[r * down + row][c];
      if (logit > largest[r]) largest[r] = logit;
    }
    scale(r, weight_of(largest[r], before));
  }
  __syncthreads();
}

/// add(r, weight, values) for each row of `of` that belongs to a column of the tile of weights, with its numbers in the
/// thread's columns. For all threads.
template <Element element, class Add>
ASSAY_ENTRY void each_weighted(const RowRange& of, Integer first_column, Integer columns, Tile& tile, const Add& add) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  for (unsigned first = 0; first < tile_keys; first += part) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < part * tile_columns; i += threads) {
      const Integer at = of.first + first + i / tile_columns, of_column = first_column + i % tile_columns;
      tile.values[i / tile_columns][i % tile_columns] =
          at < of.end && of_column < columns ? number_at<element>(of.rows, at, of_column) : 0;
    }
    __syncthreads();
    ASSAY_UNROLL for (unsigned j = 0; j < part; ++j) {
      double values[own_columns];
      ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) values[c] = tile.values[j][c * across + column];
      ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) add(r, tile.weights[r * down + row][first + j], values);
    }
  }
}

/// visit(r, sum) for so many rows of the block, with the sum of a number of each thread of the row. For all threads.
template <class Visit>
ASSAY_ENTRY void each_sum_of_rows(const double (&own)[own_rows], Integer rows, Tile& tile, const Visit& visit) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) tile.weights[r * down + row][column] = own[r];
  __syncthreads();
  for (unsigned r = threadIdx.x; r < tile_rows && r < rows; r += threads) {
    double sum = 0;
    for (unsigned c = 0; c < across; ++c) sum += tile.weights[r][c];
    visit(r, sum);
  }
}

/// What the thread's numbers come to. `nearest` is above 1 in a row with a number that is not shown to be kept, the
/// more the farther that is from it.
struct OwnCount {
  double kept[own_rows], nearest[own_rows];
};
ASSAY_ENTRY OwnCount no_count() {
  OwnCount count;
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    count.kept[r] = 0;
    count.nearest[r] = -1;
  }
  return count;
}
ASSAY_ENTRY void add_share(double share, unsigned r, OwnCount& count) {
  if (share >= 0) count.kept[r] += 1;
  const double far = magnitude_of(share);
  if (far > count.nearest[r]) count.nearest[r] = far;
}
/// Writes the counts of so many rows of the block. For all threads.
ASSAY_ENTRY void write_rows(const OwnCount& count, Integer rows, Tile& tile, BlockCount* out) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    tile.weights[r * down + row][column] = count.kept[r];
    tile.weights[r * down + row][across + column] = count.nearest[r];
  }
  __syncthreads();
  for (unsigned r = threadIdx.x; r < tile_rows && r < rows; r += threads) {
    BlockCount all;
    for (unsigned c = 0; c < across; ++c) {
      all.kept += static_cast<Integer>(tile.weights[r][c]);
      if (tile.weights[r][across + c] > all.nearest) all.nearest = tile.weights[r][across + c];
    }
    out[r] = all;
  }
}

}  // namespace assay::enclosures
