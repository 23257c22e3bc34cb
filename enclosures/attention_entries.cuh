#pragma once
// What arithmetic in binary64 knows of the numbers of softmax(scale·QKᵀ)V, and what no bound of theirs falls below.
// Compiled as enclosures/entries.cuh is.

#include "enclosures/row_entries.cuh"

namespace assay::enclosures {

constexpr int head_axes = 4;  // that tell the heads of an array apart

/// Rows of numbers of all heads: numbers of a row lie beside each other.
struct Heads {
  const void* data;
  Integer steps[head_axes];
  Integer row_step;
};

/// The arguments of attention and what a kernel gave. A query sees all keys, or with `is_causal` those up to its own
/// place + keys − queries.
struct Attention {
  Heads q, k, v, got;
  Integer heads[head_axes];               ///< lengths of the axes of heads
  Integer queries, keys, width, columns;  ///< of a head; width: of queries and keys; columns: of values
  double scale;
  int is_causal;
};
ASSAY_ENTRY Integer all_heads(const Attention& of) { return of.heads[0] * of.heads[1] * of.heads[2] * of.heads[3]; }
/// The place of the first number of a head, whose last axis runs first.
ASSAY_ENTRY Integer start_of(const Heads& array, const Attention& of, Integer head) {
  Integer start = 0;
  for (int axis = head_axes - 1; axis >= 0; --axis) {
    start += head % of.heads[axis] * array.steps[axis];
    head /= of.heads[axis];
  }
  return start;
}

/// The tiles of a block: its threads lie in a grid, and each has some rows, keys and columns, `down` or `across` apart.
template <unsigned threads>
struct AttentionTiles {
  static constexpr unsigned across = threads < 256 ? 4 : 16, down = threads / across;
  static constexpr unsigned own_rows = 4, own_keys = 4, own_columns = 128 / across;
  static constexpr unsigned rows = own_rows * down, keys = own_keys * across, columns = own_columns * across;
};
/// How many blocks have all numbers: those of a head's rows come first, then groups of columns, then heads.
template <unsigned threads>
ASSAY_ENTRY Integer row_blocks(const Attention& of) {
  return (of.queries + AttentionTiles<threads>::rows - 1) / AttentionTiles<threads>::rows;
}
template <unsigned threads>
ASSAY_ENTRY Integer column_blocks(const Attention& of) {
  return (of.columns + AttentionTiles<threads>::columns - 1) / AttentionTiles<threads>::columns;
}
template <unsigned threads>
ASSAY_ENTRY Integer all_blocks(const Attention& of) {
  return row_blocks<threads>(of) * column_blocks<threads>(of) * all_heads(of);
}

/// How many keys a query sees.
ASSAY_ENTRY Integer keys_of_query(const Attention& of, Integer query) {
  const Integer seen = of.is_causal != 0 ? query + 1 + of.keys - of.queries : of.keys;
  return seen < 0 ? 0 : seen < of.keys ? seen : of.keys;
}

/// What a kernel finds of the keys and values of a head: no key is longer than `longest`, no value larger than `size`;
/// infinite or NaN if one is. With the values of a head that no kernel reached, nothing is known of its rows.
struct HeadFacts {
  double longest = 0, size = 0;
  int is_known = 0;
};

/// What makes a number that no bound of an entry falls below: so much of Σ pⱼ|vⱼ|, and of |o| for each key that a query
/// sees but the first.
struct AttentionFloor {
  double of_weights, of_factor;
};

/// What a row's numbers are known within.
struct AttentionRow {
  int is_open;   ///< nothing is known
  double slack;  ///< a relative error of Σ pⱼ|vⱼ|
  double lost;   ///< an absolute one
  double of_weights, of_factor;
};

/// Σ wⱼ, Σ wⱼvⱼ and Σ wⱼ|vⱼ| of a row, with one factor for all weights wⱼ.
struct WeightedSums {
  double weights, values, magnitudes;
};

/// The row of a query that is not longer than `length`, in tiles of `tile` keys: theorem attention.enclosure.1. It is
/// open also where a bound may be infinite: theorem attention.enclosure.2.
ASSAY_ENTRY AttentionRow row_of_attention(const Attention& of, const HeadFacts& head, double length, Integer query,
                                          Integer tile, const AttentionFloor& floor) {
  constexpr double up = 1 + 0x1p-20, unit = 0x1p-53;
  const double keys = static_cast<double>(of.keys), width = static_cast<double>(of.width);
  const double tiles = static_cast<double>((of.keys + tile - 1) / tile);
  const Integer seen = keys_of_query(of, query);
  const double scale = magnitude_of(of.scale);
  const double largest = scale * length * head.longest * up;  // of the logits and of the sums of their terms
  const double of_logits = (width + 4) * unit * largest * up;
  const double gamma = (keys + 8 * tiles + 16) * unit * up;
  const double inverse = scale == 0 ? 0 : scale > 1 ? scale * scale : 1 / scale;
  const double moved = 3 * width * (1 + length) * (1 + head.longest) * (inverse + 1);
  AttentionRow row;
  row.slack = (2 * gamma + 2 * of_logits + 4 * unit) * up;
  row.lost = keys * head.size * 0x1p-870;
  row.of_weights = floor.of_weights;
  row.of_factor = floor.of_factor * static_cast<double>(seen - 1);
  const double of_units = scale * (length + 0x1p-14) * (head.longest + 0x1p-14) * up;
  const bool is_said = keys * (2 * of_units + 1) <= 0x1p26 && of_units <= 0x1p13 && moved <= 0x1p100 &&
                       keys * head.size <= 0x1p100 && keys <= 0x1p20 && width <= 0x1p16;
  row.is_open = head.is_known != 0 && seen > 0 && is_said && row.slack <= 0x1p-20 ? 0 : 1;
  return row;
}

/// A number of a row, and a floor: theorems attention.enclosure.1 and 2.
ASSAY_ENTRY Known number_of_attention(const WeightedSums& sums, const AttentionRow& row) {
  constexpr double up = 1 + 0x1p-20, down = 1 - 0x1p-40;
  const double value = sums.values / sums.weights;
  const double magnitude = sums.magnitudes / sums.weights;
  const double radius = magnitude * row.slack * up + row.lost;
  const double of_weights = magnitude * (1 - 2 * row.slack) - row.lost, of_value = magnitude_of(value) - radius;
  double floor = 0;
  if (of_weights > 0) floor += row.of_weights * of_weights;
  if (of_value > 0) floor += row.of_factor * of_value;
  return {value, radius, floor * down};
}

}  // namespace assay::enclosures
