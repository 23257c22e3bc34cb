#pragma once
// Kernels for NVRTC that enclose all entries of a formula, a block for each stretch of entries, after passes through
// its rows, a block for each part of a row. A test on the host has its own threads, and calls the templates.

#include "enclosures/blocks.cuh"
#include "enclosures/formula_entries.cuh"

namespace assay::enclosures {

/// f(i) for the entries of a stretch that the thread reads.
template <class F>
ASSAY_ENTRY void each_of_stretch(const FormulaArrays& arrays, Integer stretch, const F& f) {
  const Integer first = stretch * stretch_of_entries;
  for (Integer i = threadIdx.x; i < stretch_of_entries && first + i < arrays.entries; i += threads) f(i, first + i);
}

/// What the entries of the block's stretch come to.
ASSAY_ENTRY void count_stretch_of_entries(const FormulaProgram& program, const FormulaArrays& arrays, Rule rule,
                                          const Numbers& numbers, StretchCount* out) {
  StretchCount mine;
  each_of_stretch(arrays, blockIdx.x, [&](Integer, Integer entry) {
    const double share = share_of_entry(program, arrays, entry, rule, numbers);
    if (share >= 0) ++mine.kept;
    if (share == nan_of_a_nan) ++mine.nans;
    if (share > mine.nearest) mine.nearest = share;
    if (share < mine.farthest) mine.farthest = share;
  });
  const StretchCount all = joined(mine, [](const StretchCount& other, StretchCount& to) {
    to.kept += other.kept;
    to.nans += other.nans;
    if (other.nearest > to.nearest) to.nearest = other.nearest;
    if (other.farthest < to.farthest) to.farthest = other.farthest;
  });
  if (threadIdx.x == 0) out[blockIdx.x] = all;
}

/// The shares of the entries of a stretch, by one block.
ASSAY_ENTRY void write_shares(const FormulaProgram& program, const FormulaArrays& arrays, Rule rule,
                              const Numbers& numbers, Integer stretch, double* out) {
  each_of_stretch(arrays, stretch,
                  [&](Integer i, Integer entry) { out[i] = share_of_entry(program, arrays, entry, rule, numbers); });
}

/// The totals of the block's part of a row for the reductions of a pass: those of a row come one after the other.
ASSAY_ENTRY void reduce_part(const FormulaProgram& program, int number, const FormulaArrays& arrays) {
  const FormulaPass pass = program.passes[number];
  const Integer row = blockIdx.x / arrays.parts, part = blockIdx.x % arrays.parts;
  const Integer length = (arrays.columns + arrays.parts - 1) / arrays.parts;
  const Integer end = (part + 1) * length < arrays.columns ? (part + 1) * length : arrays.columns;
  FormulaSlots slots;
  slots.of_row = arrays.numbers + row * program.row_numbers;
  RowTotals mine[most_reductions];
  for (Integer column = part * length + threadIdx.x; column < end; column += threads) {
    add_column(program, pass, arrays, {row, column}, slots, mine);
  }
  const int count = pass.reduction_end - pass.reduction;
  for (int r = 0; r < count; ++r) {
    const int op = program.reductions[pass.reduction + r].op;
    const RowTotals all = joined(mine[r], [op](const RowTotals& other, RowTotals& to) { add_totals(op, other, to); });
    if (threadIdx.x == 0) arrays.totals[blockIdx.x * count + r] = all;
  }
}

/// The numbers of rows before a pass, a row for each thread.
ASSAY_ENTRY void finish_rows_of_block(const FormulaProgram& program, int pass, bool is_first,
                                      const FormulaArrays& arrays) {
  const Integer row = static_cast<Integer>(blockIdx.x) * threads + threadIdx.x;
  if (row < arrays.rows) finish_row(program, pass, is_first, arrays, row);
}

/// What a graph knows of an entry.
ASSAY_ENTRY void write_known(const FormulaProgram& program, const FormulaArrays& arrays, Integer entry,
                             KnownEntry* out) {
  const int g = static_cast<int>(threadIdx.x);
  if (g < program.graph_count) out[g] = known_by_graph(program, program.graphs[g], arrays, entry);
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(threads)
    decide_entries(FormulaProgram program, FormulaArrays arrays, Rule rule, Numbers numbers, StretchCount* out) {
  count_stretch_of_entries(program, arrays, rule, numbers, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    shares_of_stretch(FormulaProgram program, FormulaArrays arrays, Rule rule, Numbers numbers, Integer stretch,
                      double* out) {
  write_shares(program, arrays, rule, numbers, stretch, out);
}
extern "C" __global__ void __launch_bounds__(threads)
    reduce_rows(FormulaProgram program, int pass, FormulaArrays arrays) {
  reduce_part(program, pass, arrays);
}
extern "C" __global__ void __launch_bounds__(threads)
    finish_rows(FormulaProgram program, int pass, bool is_first, FormulaArrays arrays) {
  finish_rows_of_block(program, pass, is_first, arrays);
}
extern "C" __global__ void __launch_bounds__(threads)
    known_of_entry(FormulaProgram program, FormulaArrays arrays, Integer entry, KnownEntry* out) {
  write_known(program, arrays, entry, out);
}
#endif

}  // namespace assay::enclosures
