#pragma once
// What no bound of a number of a gradient of attention exceeds, and whether a result is farther from it: theorem
// attention.gradient.3. Compiled as enclosures/entries.cuh is.

#include "enclosures/gradient_entries.cuh"

namespace assay::enclosures {

/// u and the smallest subnormal number of the format in which a machine may store definitions; 0 for none.
struct GradientCeiling {
  double unit, eta;
};

/// What makes the ceilings of the numbers of a head.
struct CeilingRow {
  int is_open;       ///< there is none
  double unit;       ///< as above
  double of_logits;  ///< an error of a logit, with `of_keys` for each unit of the query's largest one and 15 more
  double of_keys;
  double growth;     ///< of the terms of an entry
  double of_output;  ///< of the terms of an output
  double of_slopes;  ///< an error of Σ dO∘O
  double lost;       ///< an absolute error
  double factor;     ///< of the sums
  double largest;    ///< the magnitude of a term for each unit of p
};

/// The ceilings of a head, of whose numbers `known` tells by the floor of a machine that stores all definitions.
ASSAY_ENTRY CeilingRow ceilings_of_head(const GradientArrays& all, Gradient gradient, const GradientFacts& head,
                                        const GradientRow& known, const GradientCeiling& ceiling) {
  constexpr double u = 0x1p-24, least = 0x1p-14;
  const Attention& of = all.of;
  const double keys = static_cast<double>(of.keys), width = static_cast<double>(of.width);
  const double columns = static_cast<double>(of.columns);
  const double terms = terms_of_gradient(all, gradient), size = size_of_factors(gradient, head);
  const double product = size_of_slopes(gradient, head);
  const double lifted = (head.o.longest + least) * (head.v.longest + least);
  const double of_units = magnitude_of(of.scale) * (head.q.longest + least) * (head.k.longest + least) * (1 + 0x1p-20);
  const double stored = 1 + ceiling.unit;
  const double of_outputs = 5.3 * (keys + columns + 2) * u;
  CeilingRow row;
  row.is_open = known.is_open != 0 || !(size_of_programs(all, gradient, head) <= 0x1p60) ? 1 : 0;
  row.unit = ceiling.unit;
  row.of_logits = 4 * u * (width + 20) * of_units;
  row.of_keys = 4 * u * keys;
  row.of_output = stored * stored * (1 + of_outputs);
  row.of_slopes = 10 * (columns + 3) * u * lifted + (1 + sqrt(columns) * head.o.longest) * (5 + 4 * head.v.size) *
                                                        (least * of_outputs + 0.3 * (keys + 4) * ceiling.eta);
  if (is_of_slopes(gradient)) {
    const double of_sum = 2.1 * (terms + 3) * u;
    row.growth = (1 + of_sum) * stored * stored * stored * (1 + u) * (1 + u);
    const double of_slopes = 8 * product + 3 * row.of_slopes;
    row.lost = terms * size * (of_slopes + 2) * ceiling.eta + of_sum * least * (of_slopes + size + 1);
    row.factor = magnitude_of(of.scale);
    row.largest = 2 * product * size;
  } else {
    const double of_sum = 5.2 * (terms + 1) * u;
    row.growth = (1 + of_sum) * stored;
    row.lost = 2 * terms * size * ceiling.eta + of_sum * least * (size + 4);
    row.factor = 1;
    row.largest = size;
  }
  return row;
}

/// Not below the relative error of a weight in any program, before it is stored; infinite where there is no ceiling.
ASSAY_ENTRY double off_of_weight(const QueryFacts& query, double logit, const CeilingRow& row) {
  const double alone = row.of_logits + row.of_keys * (query.widest + 15);
  const double most = row.unit * query.widest + alone;
  if (!(most <= 0.25)) return infinity();
  return (1 + 5 * most) * (row.unit * (magnitude_of(logit) + query.spread) + alone);
}
/// Not below the error of a term of an output, for each unit of the other factor.
ASSAY_ENTRY double off_of_output(double p, double logit, const QueryFacts& query, const CeilingRow& row) {
  return p * (row.of_output * (1 + off_of_weight(query, logit, row)) - 1);
}
/// The same of a term of an entry: of p, or of dS where there are slopes dO·v.
ASSAY_ENTRY double off_of_term(double p, double logit, double slope, bool has_slopes, const QueryFacts& query,
                               const CeilingRow& row) {
  double least = 1, most = 1;
  if (has_slopes) {
    const double of_delta = (1 + row.unit) * (query.off + row.of_slopes) + row.unit * magnitude_of(query.delta);
    least = magnitude_of(slope - query.delta);
    most = least + row.unit * magnitude_of(slope) + of_delta;
  }
  return p * (row.growth * (1 + off_of_weight(query, logit, row)) * most - least);
}

/// Of a row: how many numbers are shown to break a rule, and the one that is farthest from keeping it: what a kernel
/// gave, its enclosure, and error/bound, which is at least `ratio` for a bound that is at most `bound`.
struct Refuted {
  Integer broken = 0, column = 0;
  double ratio = 0, got = 0, value = 0, radius = 0, bound = 0;
};

/// The truth, and a ceiling, from the sums of an entry with the terms of off_of_term() as magnitudes.
struct Refutable {
  Known truth;
  double ceiling;
};
ASSAY_ENTRY Refutable refutable_of(const GradientSums& sums, const GradientRow& known, const CeilingRow& row) {
  const double ceiling = (row.factor * (sums.magnitude + row.lost) + 0x1p-120) * (1 + 0x1p-6);
  return {number_of_gradient({sums.value, row.largest * sums.mass, sums.mass}, known), ceiling};
}

/// What is known of a number that breaks the rule; ratio 0 for one that is not shown to.
ASSAY_ENTRY_ONCE Refuted refuted_by(const Refutable& of, double got, Rule rule, const Numbers& numbers) {
  constexpr double down = 1 - 0x1p-40;
  Refuted all;
  all.got = got;
  all.value = of.truth.value;
  all.radius = of.truth.radius;
  // What is rounded to an infinity is beyond the largest number, and what is faithfully rounded to that may be.
  const double last = power_of_two(1 - numbers.emin) * (2 - power_of_two(1 - numbers.precision));
  const bool is_infinite = !is_number(got) && got == got;
  const double number = got != got ? of.truth.value : !is_infinite ? got : got < 0 ? -last : last;
  const double gap = number == 0 ? power_of_two(numbers.emin - numbers.precision + 1) : gap_at(number, numbers);
  all.bound = rule == rule_within ? of.ceiling : rule == rule_rounded ? gap : 2 * gap;
  double error = infinity();
  if (got == got) {
    const double off = number - of.truth.value;
    const bool is_outward = is_infinite || (rule == rule_faithful && magnitude_of(number) == last);
    const double distance = !is_outward ? magnitude_of(off) : number < 0 ? -off : off;
    const double rounded = rule == rule_within && numbers.is_stored != 0 ? gap : 0;
    error = distance * down - of.truth.radius - rounded;
  }
  if (error > all.bound) all.ratio = error / all.bound * down;
  return all;
}

}  // namespace assay::enclosures
