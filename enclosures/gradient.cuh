#pragma once
// Kernels for NVRTC that enclose all numbers of a gradient of attention in global memory, a block for some rows of a
// head. ASSAY_GRADIENT names the gradient, ASSAY_ELEMENT the type of the numbers. A test on the host has its own
// threads, and calls the templates.

#include "enclosures/attention_tiles.cuh"
#include "enclosures/ceiling_entries.cuh"

namespace assay::enclosures {

/// Adds rows of an array to what is known of a head.
template <Element element>
ASSAY_ENTRY void extend(const HeadRows& of, Integer rows, Integer columns, Extent& extent, int& is_known) {
  for (Integer i = threadIdx.x; i < rows; i += threads) {
    const double length = length_of<element>(of, columns, i);
    if (!is_number(length)) is_known = 0;
    if (length > extent.longest) extent.longest = length;
    Integer zeros = 0;
    for (Integer c = 0; c < columns; ++c) {
      const double x = number_at<element>(of, i, c);
      const int low = lowest_bit(x);
      if (magnitude_of(x) > extent.size) extent.size = magnitude_of(x);
      if (low < extent.low) extent.low = low;
      if (x == 0) ++zeros;
    }
    if (zeros > extent.zeros) extent.zeros = zeros;
  }
}
ASSAY_ENTRY void join_to(Extent& extent, const Extent& other) {
  if (other.longest > extent.longest) extent.longest = other.longest;
  if (other.size > extent.size) extent.size = other.size;
  if (other.zeros > extent.zeros) extent.zeros = other.zeros;
  if (other.low < extent.low) extent.low = other.low;
}

/// The facts of the block's head.
template <Gradient gradient, Element element>
ASSAY_ENTRY void find_extents(const GradientArrays& all, GradientFacts* out) {
  const Attention& of = all.of;
  const Integer head = blockIdx.x;
  GradientFacts mine;
  mine.is_known = 1;
  extend<element>(rows_of(of.q, of, head), of.queries, of.width, mine.q, mine.is_known);
  extend<element>(rows_of(of.k, of, head), of.keys, of.width, mine.k, mine.is_known);
  if (gradient != of_values) {
    extend<element>(rows_of(of.v, of, head), of.keys, of.columns, mine.v, mine.is_known);
  }
  extend<element>(rows_of(all.o, of, head), of.queries, of.columns, mine.o, mine.is_known);
  const GradientFacts joint = joined(mine, [](const GradientFacts& other, GradientFacts& to) {
    to.is_known &= other.is_known;
    join_to(to.q, other.q);
    join_to(to.k, other.k);
    join_to(to.v, other.v);
    join_to(to.o, other.o);
  });
  if (threadIdx.x == 0) out[head] = joint;
}

/// The facts of the queries of the block, whose rows come first, then heads.
template <Gradient gradient, Element element>
ASSAY_ENTRY void find_queries(const GradientArrays& all, QueryFacts* out) {
  __shared__ Tile tile;
  const Attention& of = all.of;
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  const Integer head = blockIdx.x / row_blocks<threads>(of),
                first_row = blockIdx.x % row_blocks<threads>(of) * tile_rows;
  const RowRange queries{rows_of(of.q, of, head), first_row, of.queries};
  const RowRange outputs{rows_of(all.o, of, head), first_row, of.queries};
  const HeadRows keys = rows_of(of.k, of, head), values = rows_of(of.v, of, head);
  double largest[own_rows], weights[own_rows], products[own_rows];  // of the thread's keys
  double widest[own_rows], spread[own_rows];
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    largest[r] = no_logit;
    weights[r] = products[r] = widest[r] = spread[r] = 0;
  }
  const Integer last_row = first_row + tile_rows < of.queries ? first_row + tile_rows : of.queries;
  for (Integer key = 0; key < keys_of_query(of, last_row - 1); key += tile_keys) {
    double logits[own_rows][own_keys], slopes[own_rows][own_keys];
    find_products<element>(queries, {keys, key, of.keys}, of.width, tile, logits);
    make_logits(of, first_row, key, logits);
    if (gradient != of_values) find_products<element>(outputs, {values, key, of.keys}, of.columns, tile, slopes);
    find_largest(logits, tile, largest, [&](unsigned r, double factor) {
      weights[r] *= factor;
      products[r] *= factor;
      spread[r] *= factor;
    });
    ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
      ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
        const double weight = weight_of(largest[r], logits[r][c]);
        const double size = is_number(logits[r][c]) ? magnitude_of(logits[r][c]) : 0;
        if (size > widest[r]) widest[r] = size;
        spread[r] = fma(weight, size, spread[r]);
        weights[r] += weight;
        if (gradient != of_values) products[r] = fma(weight, slopes[r][c], products[r]);
      }
    }
  }
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    tile.weights[r * down + row][column] = weights[r];
    tile.weights[r * down + row][across + column] = products[r];
    tile.weights[r * down + row][2 * across + column] = spread[r];
    tile.weights[r * down + row][3 * across + column] = widest[r];
  }
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer query = first_row + r * down + row;
    if (column != 0 || query >= of.queries) continue;
    double weight = 0, product = 0, size = 0, most = 0;
    for (unsigned c = 0; c < across; ++c) {
      weight += tile.weights[r * down + row][c];
      product += tile.weights[r * down + row][across + c];
      size += tile.weights[r * down + row][2 * across + c];
      if (tile.weights[r * down + row][3 * across + c] > most) most = tile.weights[r * down + row][3 * across + c];
    }
    int low = no_numbers;
    for (Integer c = 0; c < of.columns; ++c) {
      const int of_number = lowest_bit(number_at<element>(outputs.rows, query, c));
      if (of_number < low) low = of_number;
    }
    out[head * of.queries + query] = {largest[r], weight, product / weight, 0, low, most, size / weight, infinity()};
  }
}

/// Where a block works: rows of the result first, then groups of columns, then heads.
struct GradientBlock {
  Integer head, first_row, first_column;
};
template <Gradient gradient>
ASSAY_ENTRY GradientBlock this_gradient(const GradientArrays& all) {
  const Integer of_rows = (rows_of_gradient(all, gradient) + tile_rows - 1) / tile_rows;
  const Integer of_columns = gradient_groups<threads>(all, gradient);
  const Integer rest = blockIdx.x / of_rows;
  return {rest / of_columns, blockIdx.x % of_rows * tile_rows, rest % of_columns * tile_columns};
}

/// p of a logit.
ASSAY_ENTRY_ONCE double share_of_query(const QueryFacts& query, double logit) {
  return weight_of(query.largest, logit) / query.weights;
}

/// visit(r, row, column, sums) for the numbers of the block that are the thread's, where r is the place of the row
/// among its own. size(p, logit, slope, term, query) is the magnitude of a term. For all threads.
template <Gradient gradient, Element element, class Size, class Visit>
ASSAY_ENTRY void each_of_gradient(const GradientArrays& all, const QueryFacts* facts, const Size& size_of,
                                  const GradientBlock& at, Tile& tile, const Visit& visit) {
  constexpr bool by_query = is_by_query(gradient), has_slopes = is_of_slopes(gradient);
  const Attention& of = all.of;
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  const HeadRows q = rows_of(of.q, of, at.head), k = rows_of(of.k, of, at.head), v = rows_of(of.v, of, at.head),
                 o = rows_of(all.o, of, at.head);
  const HeadRows& terms = gradient == of_queries ? k : gradient == of_keys ? q : gradient == of_values ? o : v;
  const Integer rows = rows_of_gradient(all, gradient), columns = columns_of_gradient(all, gradient);
  const Integer last_row = at.first_row + tile_rows < rows ? at.first_row + tile_rows : rows;
  const Integer shift = of.is_causal != 0 ? of.keys - of.queries : of.keys;  // a query i sees key j ≤ i + shift
  Integer begin = by_query ? 0 : at.first_row - shift;
  if (begin < 0) begin = 0;
  const Integer end = by_query ? keys_of_query(of, last_row - 1) : of.queries;
  double values[own_rows][own_columns], magnitudes[own_rows][own_columns], mass[own_rows];
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    mass[r] = 0;
    ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) values[r][c] = magnitudes[r][c] = 0;
  }
  for (Integer other = begin; other < end; other += tile_keys) {
    const Integer others = by_query ? of.keys : of.queries;
    double logits[own_rows][own_keys], slopes[own_rows][own_keys];
    find_products<element>({by_query ? q : k, at.first_row, rows}, {by_query ? k : q, other, others}, of.width, tile,
                           logits);
    if (has_slopes) {
      find_products<element>({by_query ? o : v, at.first_row, rows}, {by_query ? v : o, other, others}, of.columns,
                             tile, slopes);
    }
    ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
      ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
        const Integer first = at.first_row + r * down + row, second = other + c * across + column;
        const Integer query = by_query ? first : second, key = by_query ? second : first;
        double weight = 0, size = 0;
        if (query < of.queries && key < keys_of_query(of, query)) {
          const QueryFacts& of_query = facts[at.head * of.queries + query];
          const double logit = of.scale * logits[r][c], slope = has_slopes ? slopes[r][c] : 0;
          const double p = share_of_query(of_query, logit);
          mass[r] += p;
          weight = has_slopes ? p * (slope - of_query.delta) : p;
          size = size_of(p, logit, slope, weight, of_query);
        }
        tile.weights[r * down + row][c * across + column] = weight;
        logits[r][c] = size;
      }
    }
    each_weighted<element>({terms, other, others}, at.first_column, columns, tile,
                           [&](unsigned r, double weight, const double(&numbers)[own_columns]) {
                             ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
                               values[r][c] = fma(weight, numbers[c], values[r][c]);
                             }
                           });
    __syncthreads();
    ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
      ASSAY_UNROLL for (unsigned c = 0; c < own_keys; ++c) {
        tile.weights[r * down + row][c * across + column] = logits[r][c];
      }
    }
    each_weighted<element>({terms, other, others}, at.first_column, columns, tile,
                           [&](unsigned r, double size, const double(&numbers)[own_columns]) {
                             ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
                               magnitudes[r][c] = fma(size, magnitude_of(numbers[c]), magnitudes[r][c]);
                             }
                           });
  }
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) tile.weights[r * down + row][column] = mass[r];
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer of_row = at.first_row + r * down + row;
    if (of_row >= rows) continue;
    double of_all = 0;
    for (unsigned c = 0; c < across; ++c) of_all += tile.weights[r * down + row][c];
    ASSAY_UNROLL for (unsigned c = 0; c < own_columns; ++c) {
      const Integer of_column = at.first_column + c * across + column;
      if (of_column < columns) visit(r, of_row, of_column, GradientSums{values[r][c], magnitudes[r][c], of_all});
    }
  }
}

/// The magnitudes of terms for a floor.
ASSAY_ENTRY auto sizes_of_floor(const GradientRow& row) {
  return [&row](double p, double, double slope, double term, const QueryFacts& query) {
    return magnitude_of_term(p, slope, term, query, row);
  };
}

/// Adds Σ|dO∘O| of the columns of the block to what is known of its queries. Requires: one group of columns.
template <Element element>
ASSAY_ENTRY void find_outputs(const GradientArrays& all, const GradientFacts* heads, QueryFacts* queries) {
  __shared__ Tile tile;
  const GradientBlock at = this_gradient<outputs>(all);
  const HeadRows o = rows_of(all.o, all.of, at.head);
  double own[own_rows];
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) own[r] = 0;
  const GradientRow none{};
  each_of_gradient<outputs, element>(all, queries, sizes_of_floor(none), at, tile,
                                     [&](unsigned r, Integer of_row, Integer of_column, const GradientSums& sums) {
                                       own[r] += least_output(sums.value, heads[at.head]) *
                                                 magnitude_of(number_at<element>(o, of_row, of_column));
                                     });
  each_sum_of_rows(own, all.of.queries - at.first_row, tile, [&](unsigned r, double sum) {
    queries[at.head * all.of.queries + at.first_row + r].outputs = sum * (1 - 0x1p-20);
  });
}

ASSAY_ENTRY_ONCE double share_of_gradient(const GradientSums& sums, const GradientRow& row, double got, Rule rule,
                                          const Numbers& numbers) {
  return share_of(number_of_gradient(sums, row), got, rule, numbers);
}

/// What the numbers of the block's rows come to: a count for each row, for each group of columns.
template <Gradient gradient, Element element>
ASSAY_ENTRY void count_gradient(const GradientArrays& all, const GradientFacts* heads, const QueryFacts* queries,
                                const GradientFloor& floor, Rule rule, const Numbers& numbers, BlockCount* out) {
  __shared__ Tile tile;
  const GradientBlock at = this_gradient<gradient>(all);
  const HeadRows of_got = rows_of(all.of.got, all.of, at.head);
  const GradientRow row = row_of_gradient(all, gradient, heads[at.head], tile_keys, floor);
  OwnCount count = no_count();
  each_of_gradient<gradient, element>(all, queries, sizes_of_floor(row), at, tile,
                                      [&](unsigned r, Integer of_row, Integer of_column, const GradientSums& sums) {
                                        if (row.is_open != 0) return;
                                        const double got = number_at<element>(of_got, of_row, of_column);
                                        add_share(share_of_gradient(sums, row, got, rule, numbers), r, count);
                                      });
  const Integer rows = rows_of_gradient(all, gradient), group = at.first_column / tile_columns;
  const Integer first = (group * all_heads(all.of) + at.head) * rows + at.first_row;
  write_rows(count, rows - at.first_row, tile, out + first);
}

/// The ceilings of the block's head, and what is known of its numbers.
template <Gradient gradient>
struct Ceilings {
  GradientRow known;
  CeilingRow row;
  ASSAY_ENTRY Ceilings(const GradientArrays& all, const GradientFacts& head, const GradientCeiling& ceiling) {
    GradientFloor floor{};
    floor.of_logits = ceiling.unit;
    known = row_of_gradient(all, gradient, head, tile_keys, floor);
    row = ceilings_of_head(all, gradient, head, known, ceiling);
  }
};

/// Adds to what is known of the queries of the block what a ceiling has of their errors, of one group of columns.
template <Gradient gradient, Element element>
ASSAY_ENTRY void add_errors(const GradientArrays& all, const GradientFacts* heads, Integer group,
                            const GradientCeiling& ceiling, QueryFacts* queries) {
  __shared__ Tile tile;
  const Integer of_rows = row_blocks<threads>(all.of);
  const GradientBlock at{blockIdx.x / of_rows, blockIdx.x % of_rows * tile_rows, group * tile_columns};
  const HeadRows o = rows_of(all.o, all.of, at.head);
  const Ceilings<gradient> ceilings(all, heads[at.head], ceiling);
  double own[own_rows];
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) own[r] = 0;
  each_of_gradient<outputs, element>(
      all, queries,
      [&](double p, double logit, double, double, const QueryFacts& query) {
        return off_of_output(p, logit, query, ceilings.row);
      },
      at, tile,
      [&](unsigned r, Integer of_row, Integer of_column, const GradientSums& sums) {
        own[r] += sums.magnitude * magnitude_of(number_at<element>(o, of_row, of_column));
      });
  each_sum_of_rows(own, all.of.queries - at.first_row, tile, [&](unsigned r, double sum) {
    double& off = queries[at.head * all.of.queries + at.first_row + r].off;
    off = group == 0 ? sum : off + sum;
  });
}

/// Writes what the numbers of so many rows of the block come to. For all threads.
ASSAY_ENTRY void write_refuted(const Refuted (&own)[own_rows], Integer rows, Tile& tile, Refuted* out) {
  const unsigned row = threadIdx.x / across, column = threadIdx.x % across;
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    tile.weights[r * down + row][column] = static_cast<double>(own[r].broken);
    tile.weights[r * down + row][across + column] = own[r].ratio;
  }
  __syncthreads();
  ASSAY_UNROLL for (unsigned r = 0; r < own_rows; ++r) {
    const Integer at = r * down + row;
    unsigned farthest = 0;
    double broken = 0;
    for (unsigned c = 0; c < across; ++c) {
      broken += tile.weights[at][c];
      if (tile.weights[at][across + c] > tile.weights[at][across + farthest]) farthest = c;
    }
    if (farthest != column || at >= rows) continue;
    out[at] = own[r];
    out[at].broken = static_cast<Integer>(broken);
  }
}

/// The numbers of the block's rows that are shown to break a rule, for each group of columns.
template <Gradient gradient, Element element>
ASSAY_ENTRY void find_refuted(const GradientArrays& all, const GradientFacts* heads, const QueryFacts* queries,
                              const GradientCeiling& ceiling, Rule rule, const Numbers& numbers, Refuted* out) {
  __shared__ Tile tile;
  const GradientBlock at = this_gradient<gradient>(all);
  const HeadRows of_got = rows_of(all.of.got, all.of, at.head);
  const Ceilings<gradient> ceilings(all, heads[at.head], ceiling);
  Refuted own[own_rows];
  each_of_gradient<gradient, element>(
      all, queries,
      [&](double p, double logit, double slope, double, const QueryFacts& query) {
        return off_of_term(p, logit, slope, is_of_slopes(gradient), query, ceilings.row);
      },
      at, tile,
      [&](unsigned r, Integer of_row, Integer of_column, const GradientSums& sums) {
        if (ceilings.row.is_open != 0) return;
        const double got = number_at<element>(of_got, of_row, of_column);
        Refuted one = refuted_by(refutable_of(sums, ceilings.known, ceilings.row), got, rule, numbers);
        if (!(one.ratio > 0)) return;
        one.column = of_column;
        one.broken = own[r].broken + 1;
        if (one.ratio > own[r].ratio) own[r] = one;
        own[r].broken = one.broken;
      });
  const Integer rows = rows_of_gradient(all, gradient), group = at.first_column / tile_columns;
  const Integer first = (group * all_heads(all.of) + at.head) * rows + at.first_row;
  write_refuted(own, rows - at.first_row, tile, out + first);
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(threads) gradient_heads(GradientArrays all, GradientFacts* out) {
  find_extents<ASSAY_GRADIENT, ASSAY_ELEMENT>(all, out);
}
extern "C" __global__ void __launch_bounds__(threads) gradient_queries(GradientArrays all, QueryFacts* out) {
  find_queries<ASSAY_GRADIENT, ASSAY_ELEMENT>(all, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    gradient_outputs(GradientArrays all, const GradientFacts* heads, QueryFacts* queries) {
  if constexpr (ASSAY_GRADIENT == of_keys) find_outputs<ASSAY_ELEMENT>(all, heads, queries);  // of others not needed
}
extern "C" __global__ void __launch_bounds__(threads)
    decide_gradient(GradientArrays all, const GradientFacts* heads, const QueryFacts* queries, GradientFloor floor,
                    Rule rule, Numbers numbers, BlockCount* out) {
  count_gradient<ASSAY_GRADIENT, ASSAY_ELEMENT>(all, heads, queries, floor, rule, numbers, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    gradient_errors(GradientArrays all, const GradientFacts* heads, Integer group, GradientCeiling ceiling,
                    QueryFacts* queries) {
  if constexpr (ASSAY_GRADIENT != of_values) {
    add_errors<ASSAY_GRADIENT, ASSAY_ELEMENT>(all, heads, group, ceiling, queries);
  }
}
extern "C" __global__ void __launch_bounds__(threads)
    refute_gradient(GradientArrays all, const GradientFacts* heads, const QueryFacts* queries, GradientCeiling ceiling,
                    Rule rule, Numbers numbers, Refuted* out) {
  find_refuted<ASSAY_GRADIENT, ASSAY_ELEMENT>(all, heads, queries, ceiling, rule, numbers, out);
}
#endif

}  // namespace assay::enclosures
