#pragma once
// Kernels for NVRTC that enclose all numbers of rows in global memory, a block for each row. ASSAY_OPERATION names the
// operation, ASSAY_ELEMENT the type of the numbers. A test on the host has its own threads, and calls the templates.

#include "enclosures/blocks.cuh"
#include "enclosures/elements.cuh"
#include "enclosures/row_entries.cuh"

namespace assay::enclosures {

/// f(x) for the numbers of the block's row that the thread reads.
template <Element element, class F>
ASSAY_ENTRY void each_of_row(const Rows& rows, const F& f) {
  const Integer start = blockIdx.x * rows.x_step;
  for (Integer i = threadIdx.x; i < rows.columns; i += threads) f(element_at<element>(rows.x, start + i));
}

constexpr Pattern minus_infinity = 0xfff0000000000000ULL;
template <RowOperation operation>
constexpr bool is_of_exponentials = operation == softmax || operation == log_softmax;

/// The size, the largest number, and what is special.
template <RowOperation operation, Element element>
ASSAY_ENTRY RowFacts range_of(const Rows& rows) {
  RowFacts mine;
  mine.largest = number_of(minus_infinity);
  each_of_row<element>(rows, [&](double x) {
    if (is_of_exponentials<operation> && pattern_of(x) == minus_infinity) return;
    if (!is_number(x)) {
      mine.is_special = 1;
      return;
    }
    ++mine.numbers;
    if (x > mine.largest) mine.largest = x;
    if (magnitude_of(x) > mine.size) mine.size = magnitude_of(x);
    if (operation == layer_norm) add_rounded(x, 1, mine.sums);
  });
  return joined(mine, [](const RowFacts& other, RowFacts& all) {
    all.is_special |= other.is_special;
    all.numbers += other.numbers;
    if (other.largest > all.largest) all.largest = other.largest;
    if (other.size > all.size) all.size = other.size;
    if (operation == layer_norm) add_sums(other.sums, all.sums);
  });
}

/// Of the exponentials of a row: how many are 1, the sum of the others.
struct Exponentials {
  Integer ones = 0;
  double sum = 0, nearest = far_from_largest;
  int has_near = 0, has_far = 0;
};

/// The facts of the block's row.
template <RowOperation operation, Element element>
ASSAY_ENTRY void find_facts(const Rows& rows, RowFacts* out) {
  RowFacts facts = range_of<operation, element>(rows);
  if (is_of_exponentials<operation>) {
    if (facts.numbers == 0) facts.is_special = 1;
    Exponentials mine;
    each_of_row<element>(rows, [&](double x) {
      if (!is_number(x)) return;
      const Difference d = difference(facts.largest, x);
      if (d.high == 0) ++mine.ones;
      if (d.high > far_from_largest) mine.has_far = 1;
      if (!(d.high > 0)) return;
      mine.sum += exponential_of(d);
      if (d.high > mine.nearest) return;
      mine.nearest = d.high;
      mine.has_near = 1;
    });
    const Exponentials all = joined(mine, [](const Exponentials& other, Exponentials& to) {
      to.ones += other.ones;
      to.sum += other.sum;
      if (other.nearest < to.nearest) to.nearest = other.nearest;
      to.has_near |= other.has_near;
      to.has_far |= other.has_far;
    });
    facts.rest = all.sum + static_cast<double>(all.ones - 1);
    facts.has_far = all.has_far;
    facts.second = all.ones == 1 && all.has_near != 0 ? all.nearest : 0;
  } else {
    if (operation == layer_norm) {
      facts.center = (facts.sums.high + facts.sums.low) / static_cast<double>(facts.numbers);
    }
    double mine = 0;
    each_of_row<element>(rows, [&](double x) {
      const double d = x - facts.center;
      mine = fma(d, d, mine);
    });
    facts.rest = joined(mine, [](double other, double& all) { all += other; });
  }
  if (threadIdx.x == 0) out[blockIdx.x] = facts;
}

/// The share of a number.
template <RowOperation operation, Element element>
ASSAY_ENTRY double share_at(const Rows& rows, Integer i, const Row& row, Rule rule, const Numbers& numbers) {
  const double x = element_at<element>(rows.x, blockIdx.x * rows.x_step + i);
  const double got = element_at<element>(rows.got, blockIdx.x * rows.got_step + i);
  if (is_of_exponentials<operation> && pattern_of(x) == minus_infinity) {
    const bool is_right = operation == softmax ? got == 0 : pattern_of(got) == minus_infinity;
    return is_right ? 0 : -1;
  }
  if (operation == softmax) return share_of(number_of_softmax(x, row), got, rule, numbers);
  if (operation == log_softmax) return share_of(number_of_log_softmax(x, row), got, rule, numbers);
  const double weight = element_at<element>(rows.weight, i);
  const double bias = operation == layer_norm ? element_at<element>(rows.bias, i) : 0;
  return share_of(number_of_norm(x, weight, bias, row), got, rule, numbers);
}

/// What the numbers of the block's row come to.
template <RowOperation operation, Element element>
ASSAY_ENTRY void count_row(const Rows& rows, const Row* of_rows, Rule rule, const Numbers& numbers, BlockCount* out) {
  const Row row = of_rows[blockIdx.x];
  BlockCount mine;
  for (Integer i = threadIdx.x; row.is_open == 0 && i < rows.columns; i += threads) {
    add_share(share_at<operation, element>(rows, i, row, rule, numbers), mine);
  }
  write_count(mine, out);
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(threads) facts(Rows rows, RowFacts* out) {
  find_facts<ASSAY_OPERATION, ASSAY_ELEMENT>(rows, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    decide(Rows rows, const Row* of_rows, Rule rule, Numbers numbers, BlockCount* out) {
  count_row<ASSAY_OPERATION, ASSAY_ELEMENT>(rows, of_rows, rule, numbers, out);
}
#endif

}  // namespace assay::enclosures
