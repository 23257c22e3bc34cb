#pragma once
// What arithmetic in binary64 knows of the gradients of attention, and what no bound of theirs falls below. Compiled as
// enclosures/entries.cuh is.

#include "enclosures/attention_entries.cuh"

namespace assay::enclosures {

/// Whose gradient: scale·dS·K, scale·dSᵀ·Q or Pᵀ·dO with dS = P∘(dO·Vᵀ − row sums of P∘(dO·Vᵀ)). `outputs`: P·V, which
/// is none.
enum Gradient { of_queries, of_keys, of_values, outputs };
ASSAY_ENTRY constexpr bool is_of_slopes(Gradient gradient) { return gradient == of_queries || gradient == of_keys; }
ASSAY_ENTRY constexpr bool is_by_query(Gradient gradient) { return gradient == of_queries || gradient == outputs; }

/// The arguments and what a kernel gave. The gradient of the values has no v.
struct GradientArrays {
  Attention of;
  Heads o;  ///< dO
};
/// The rows of the result of a head, and its columns.
ASSAY_ENTRY Integer rows_of_gradient(const GradientArrays& all, Gradient gradient) {
  return is_by_query(gradient) ? all.of.queries : all.of.keys;
}
ASSAY_ENTRY Integer columns_of_gradient(const GradientArrays& all, Gradient gradient) {
  return is_of_slopes(gradient) ? all.of.width : all.of.columns;
}

/// How many blocks have all numbers: those of a head's rows come first, then groups of columns, then heads.
template <unsigned threads>
ASSAY_ENTRY Integer gradient_groups(const GradientArrays& all, Gradient gradient) {
  return (columns_of_gradient(all, gradient) + AttentionTiles<threads>::columns - 1) / AttentionTiles<threads>::columns;
}
template <unsigned threads>
ASSAY_ENTRY Integer gradient_blocks(const GradientArrays& all, Gradient gradient) {
  const Integer of_rows =
      (rows_of_gradient(all, gradient) + AttentionTiles<threads>::rows - 1) / AttentionTiles<threads>::rows;
  return of_rows * gradient_groups<threads>(all, gradient) * all_heads(all.of);
}

/// Of the rows of one array of a head: none is longer, none has more zeros, and no number is larger; all are multiples
/// of 2^low.
struct Extent {
  double longest = 0, size = 0;
  Integer zeros = 0;
  int low = no_numbers;
};
/// What a kernel finds of a head; not known where a number is infinite or NaN, or no kernel reached it.
struct GradientFacts {
  Extent q, k, v, o;
  int is_known = 0;
};

/// What a kernel finds of a query: its largest logit, Σ exp(s − largest), and Σ pⱼ(dO·vⱼ); a number not above Σ|dO∘O|;
/// its dO are multiples of 2^low; the largest |sⱼ| and Σ pⱼ|sⱼ|; and what a ceiling has of the error of Σ dO∘O,
/// infinite until that is found.
struct QueryFacts {
  double largest, weights, delta, outputs;
  int low;
  double widest, spread, off;
};

/// What makes a number that no bound of an entry falls below: so much of Σ|dS|·|x|, or Σ p|x|, x the other factor of
/// the entry's terms; of Σ|x|; of Σ p|x|·Σ|dO∘O|; of Σ p|dO·v|·|x| where |dO·v| is above 2^(low + stored_bits); and
/// 2⁻²⁴·height of it where it is above 2^(low + 24). All dO·v are multiples of 2^low. A logit is stored with a relative
/// error of at most `of_logits`.
struct GradientFloor {
  double of_magnitude, of_term, of_outputs, of_stored;
  int stored_bits;
  double height, of_logits;
};

/// What the numbers of a head are known within.
struct GradientRow {
  int is_open;                                    ///< nothing is known
  double factor;                                  ///< of the sums
  double slack;                                   ///< a relative error of the magnitudes
  double away;                                    ///< an error of the sums for each unit of Σ p
  double lost;                                    ///< an absolute one
  double of_term, of_outputs, of_stored, of_sum;  ///< beside the magnitudes
  double blurred;                                 ///< an error of dO·v
  int stored_bits;
  int low;  ///< of v
  double of_magnitude;
};

/// A sum, that of the magnitudes of its terms with what a floor adds to them, and Σ p of its row.
struct GradientSums {
  double value, magnitude, mass;
};

/// The largest number of the array whose numbers are the other factors of an entry's terms.
ASSAY_ENTRY double size_of_factors(Gradient gradient, const GradientFacts& head) {
  return gradient == of_queries ? head.k.size : gradient == of_keys ? head.q.size : head.o.size;
}
/// How many terms an entry has at most.
ASSAY_ENTRY double terms_of_gradient(const GradientArrays& all, Gradient gradient) {
  return static_cast<double>(gradient == of_queries ? all.of.keys : all.of.queries);
}
/// Not below D, the magnitude of all terms of a dO·v; 0 where there is none.
ASSAY_ENTRY double size_of_slopes(Gradient gradient, const GradientFacts& head) {
  return gradient == of_values ? 0 : head.o.longest * head.v.longest * (1 + 0x1p-20);
}
/// What numbers of programs may grow to where a factor moves: the product of theorem attention.gradient.2.
ASSAY_ENTRY double size_of_programs(const GradientArrays& all, Gradient gradient, const GradientFacts& head) {
  const double scale = magnitude_of(all.of.scale);
  const double inverse = scale == 0 ? 0 : scale > 1 ? scale * scale : 1 / scale;
  return 3 * static_cast<double>(all.of.width + all.of.keys + all.of.queries) * (1 + head.q.longest) *
         (1 + head.k.longest) * (1 + head.o.longest + head.v.longest + size_of_slopes(gradient, head)) * (inverse + 1);
}

/// The rows of a head, in tiles of `tile` keys: theorem attention.gradient.1. They are open also where a bound may be
/// infinite: theorem attention.gradient.2.
ASSAY_ENTRY GradientRow row_of_gradient(const GradientArrays& all, Gradient gradient, const GradientFacts& head,
                                        Integer tile, const GradientFloor& floor) {
  constexpr double up = 1 + 0x1p-20, unit = 0x1p-53;
  const Attention& of = all.of;
  const double keys = static_cast<double>(of.keys), queries = static_cast<double>(of.queries);
  const double width = static_cast<double>(of.width), columns = static_cast<double>(of.columns);
  const double tiles = static_cast<double>((of.keys + tile - 1) / tile);
  const double scale = magnitude_of(of.scale);
  const double largest = scale * head.q.longest * head.k.longest * up;
  const double of_logits = (width + 4) * unit * largest * up;
  const double gamma = (keys + 8 * tiles + 40) * unit * up;
  const double others = terms_of_gradient(all, gradient);
  const double product = size_of_slopes(gradient, head), size = size_of_factors(gradient, head);
  const double moved = size_of_programs(all, gradient, head);
  GradientRow row;
  row.factor = gradient == of_values ? 1 : of.scale;
  row.of_magnitude = floor.of_magnitude;
  const double terms = columns - static_cast<double>(head.o.zeros + head.v.zeros) - 1;
  const double additions = floor.height < terms ? floor.height : terms;
  const bool has_more = gradient != of_values && floor.of_magnitude > 0;
  row.of_term = floor.of_magnitude > 0 ? floor.of_term / floor.of_magnitude : 0;
  row.of_outputs = floor.of_magnitude > 0 ? floor.of_outputs / floor.of_magnitude : 0;
  row.of_stored = has_more ? floor.of_stored / floor.of_magnitude : 0;
  row.of_sum = has_more && additions > 0 ? additions * 0x1p-24 / floor.of_magnitude : 0;
  row.blurred = (columns + 4) * unit * product * up;
  row.stored_bits = floor.stored_bits;
  row.low = head.v.low;
  const double of_term = (6 * of_logits + 4 * gamma + (2 * columns + 2 * others + 64) * unit) * up;
  row.slack = (others + 16) * unit * up;
  if (gradient == of_values) row.slack = (2 * of_logits + gamma + (others + 16) * unit) * up;
  row.away = of_term * product * size * up;
  row.lost = others * (1 + product) * size * 0x1p-860;
  const bool sees_all = of.is_causal == 0 || of.queries <= of.keys;  // each query sees a key
  // The error of a logit, and of a weight's logarithm, in every program.
  const double of_units = scale * (head.q.longest + 0x1p-14) * (head.k.longest + 0x1p-14) * up;
  const double of_programs = of_units * (floor.of_logits + 0x1p-12) + 0x1p-23 * keys * (of_units + 5);
  const bool is_said = of_programs <= 0.25 && product <= 0x1p12 && head.v.size <= 0x1p14 && moved <= 0x1p100 &&
                       (keys + queries) * size <= 0x1p100 && keys <= 0x1p17 && queries <= 0x1p17 && width <= 0x1p10 &&
                       columns <= 0x1p10;
  const bool is_near = of_term <= 0x1p-20 && row.slack <= 0x1p-20;
  row.is_open = head.is_known != 0 && sees_all && is_said && is_near ? 0 : 1;
  return row;
}

/// Whether |x| is above 2^(low + bits), also where x is `blurred`.
ASSAY_ENTRY bool is_above(double x, int low, int bits, double blurred) {
  const int exponent = low + bits;
  return exponent < 1000 && magnitude_of(x) > power_of_two(exponent < -1022 ? -1022 : exponent) + blurred;
}
/// |p| or |dS| with what a floor adds to it, for a weight p and dO·v of a query.
ASSAY_ENTRY double magnitude_of_term(double p, double slope, double term, const QueryFacts& query,
                                     const GradientRow& row) {
  double more = row.of_outputs * query.outputs;
  if (query.low != no_numbers && row.low != no_numbers) {
    double of_slope = 0;
    if (is_above(slope, query.low + row.low, row.stored_bits, row.blurred)) of_slope += row.of_stored;
    if (is_above(slope, query.low + row.low, 24, row.blurred)) of_slope += row.of_sum;
    more += of_slope * magnitude_of(slope);
  }
  return magnitude_of(term) + row.of_term + more * p;
}
/// Not above |o| where it is known within φ ≤ 2⁻²⁰ of Σ p|v|.
ASSAY_ENTRY double least_output(double value, const GradientFacts& head) {
  const double least = magnitude_of(value) * (1 - 0x1p-20) - head.v.size * 0x1p-19;
  return least > 0 ? least : 0;
}

/// A number of a row, and a floor: theorems attention.gradient.1 and 2.
ASSAY_ENTRY Known number_of_gradient(const GradientSums& sums, const GradientRow& row) {
  constexpr double up = 1 + 0x1p-20, down = 1 - 0x1p-40;
  const double factor = magnitude_of(row.factor);
  const double value = row.factor * sums.value;
  const double away = row.away * sums.mass * up + row.lost;
  const double radius = factor * (sums.magnitude * row.slack * up + away) * up;
  const double least =
      sums.magnitude * (1 - 2 * row.slack) - 2 * away * (1 + row.of_stored + row.of_sum + row.of_outputs);
  return {value, radius, least > 0 ? row.of_magnitude * factor * least * down : 0};
}

}  // namespace assay::enclosures
