#pragma once
// What arithmetic in binary64 knows of an entry of a formula, by the passes through its row. Compiled as
// enclosures/entries.cuh is.

#include "enclosures/reduction_entries.cuh"

namespace assay::enclosures {

/// A pass through the rows: the nodes of a row that precede it, the nodes of its columns, and what it reduces.
struct FormulaPass {
  int row_first, row_end;
  int first, end;
  int reduction, reduction_end;
};
struct FormulaProgram {
  const ElementwiseNode* nodes;
  const ElementwiseNumber* constants;
  const FormulaPass* passes;
  const Reduction* reductions;
  const ElementwiseGraph* graphs;
  int graph_count;
  int row_numbers;  ///< of a row
  ElementwiseCosts costs;
};

constexpr int most_axes_of_rows = 2, most_axes_of_columns = 2, most_reductions = 6;
enum { integer32 = 32, integer64 = 64 };  // types beside those of Element

/// Where the numbers of an array lie, by the indices of its rows and columns.
struct ArraySteps {
  Integer rows[most_axes_of_rows] = {0, 0}, columns[most_axes_of_columns] = {1, 0};
};
/// The arrays of a formula. Its entries are those of the columns of all rows, or one for each row. By default all lie
/// beside each other, as a row of their own.
struct FormulaArrays {
  const void *inputs[most_arrays], *got;
  int types[most_arrays], type_of_got, count;
  Integer entries;
  Integer rows = 1, columns = 1, entries_of_row = 1;
  Integer last_rows = 1, last_columns = 1;  ///< lengths of the last axes, 1 for the only ones
  ArraySteps steps[most_arrays], steps_of_got;
  ElementwiseNumber* numbers = nullptr;  ///< of all rows
  RowTotals* totals = nullptr;           ///< of all parts of rows, for each reduction of a pass
  Integer parts = 1;                     ///< of a row
};

ASSAY_ENTRY Integer place_of(const ArraySteps& steps, const FormulaArrays& arrays, Integer row, Integer column) {
  Integer place = 0;
  if (arrays.last_rows == 1) {
    place = row * steps.rows[0];
  } else {
    place = row / arrays.last_rows * steps.rows[0] + row % arrays.last_rows * steps.rows[1];
  }
  if (arrays.last_columns == 1) return place + column * steps.columns[0];
  return place + column / arrays.last_columns * steps.columns[0] + column % arrays.last_columns * steps.columns[1];
}
ASSAY_ENTRY double number_of_input(const FormulaArrays& arrays, int a, Integer row, Integer column) {
  return input_at(arrays.types[a], arrays.inputs[a], place_of(arrays.steps[a], arrays, row, column));
}
ASSAY_ENTRY Integer integer_at(const FormulaArrays& arrays, int a, Integer row) {
  const Integer place = place_of(arrays.steps[a], arrays, row, 0);
  if (arrays.types[a] == integer32) return static_cast<const int*>(arrays.inputs[a])[place];
  return static_cast<const Integer*>(arrays.inputs[a])[place];
}

/// A row and a column.
struct EntryPlace {
  Integer row, column;
};
ASSAY_ENTRY EntryPlace place_of_entry(const FormulaArrays& arrays, Integer entry) {
  if (arrays.rows == 1) return {0, entry};
  const Integer row = entry / arrays.entries_of_row;
  return {row, entry - row * arrays.entries_of_row};
}

/// The numbers of a column of a row, or of the row alone.
struct FormulaSlots {
  ElementwiseNumber of_column[most_slots];
  ElementwiseNumber* of_row;

  ASSAY_ENTRY const ElementwiseNumber& at(const FormulaProgram& program, int argument) const {
    if (argument < 0) return program.constants[-1 - argument];
    return argument < most_slots ? of_column[argument] : of_row[argument - most_slots];
  }
  ASSAY_ENTRY void set(int slot, const ElementwiseNumber& to) {
    if (slot < most_slots) {
      of_column[slot] = to;
    } else {
      of_row[slot - most_slots] = to;
    }
  }
};

/// The numbers of some nodes. False where nothing is known of one: it is a NaN, and the nodes behind it have none.
ASSAY_ENTRY bool find_numbers(const FormulaProgram& program, int first, int end, const FormulaArrays& arrays,
                              EntryPlace at, FormulaSlots& slots) {
  for (int k = first; k < end; ++k) {
    const ElementwiseNode node = program.nodes[k];
    ElementwiseNumber y{0, 0, 0, 0};
    if (node.op == op_input) {
      y.value = number_of_input(arrays, node.detail, at.row, at.column);
    } else {
      const ElementwiseNumber a = slots.at(program, node.a);
      const bool is_weight = node.op == op_weight;
      const ElementwiseNumber b = is_weight ? a : slots.at(program, node.b);
      if (!is_number(a.value) || !is_number(b.value)) return false;
      y = is_weight ? number_of_weight(node, program.costs, a, slots.of_row + node.b, slots.of_row + node.detail)
                    : number_of_node(node, program.costs, a, b);
    }
    if (!is_number(y.value)) return false;
    slots.set(node.slot, y);
  }
  return true;
}

/// What the entries of a stretch come to: how many are shown to be kept, how many are the NaN of a NaN, the largest
/// share, and the least one.
constexpr Integer stretch_of_entries = 8192;
struct StretchCount {
  Integer kept = 0, nans = 0;
  double nearest = -1, farthest = 0;
};

constexpr double nothing_known = -1;   // a share: the device decides nothing
constexpr double nan_of_a_nan = -0.5;  // a share: the only input is a NaN, and so is the result

/// What a graph knows of an entry, with a floor of its bound: theorems elementwise.enclosure.1, elementwise.floor.1 and
/// elementwise.rows.1 to 4. Its value is a NaN where nothing is known. `most`: no bound of the graph is larger.
struct KnownEntry {
  Known known;
  double most;
};
ASSAY_ENTRY KnownEntry known_by_graph(const FormulaProgram& program, const ElementwiseGraph& graph,
                                      const FormulaArrays& arrays, Integer entry) {
  FormulaSlots slots;
  const EntryPlace at = place_of_entry(arrays, entry);
  slots.of_row = arrays.numbers + at.row * program.row_numbers;
  const FormulaPass pass = program.passes[graph.end - 1];
  if (!find_numbers(program, pass.first, pass.end, arrays, at, slots)) return {{no_number(), 0, 0}, no_bound()};
  const ElementwiseNumber y = slots.at(program, graph.result);
  return {{y.value, y.radius, y.least}, y.may_overflow ? no_bound() : y.most};
}

/// Whether an exact number is rounded to a stored one, perhaps from the middle of two.
ASSAY_ENTRY bool is_rounded_to(double got, const Known& truth, Rule rule, const Numbers& numbers) {
  if (rule != rule_within || numbers.is_stored == 0 || truth.radius != 0 || !is_number(got)) return false;
  const Difference off = difference(truth.value, got);
  return off.low == 0 && outside_of_stored(got, off.high, numbers) <= 0;
}

/// At most the error of a number, or how far the truth is from the numbers that are rounded to a stored one. `most`:
/// the error that a number may have before it is stored.
ASSAY_ENTRY double least_error(const Known& truth, double got, double most, bool is_stored, const Numbers& numbers) {
  constexpr double down = 1 - 0x1p-40;
  if (!is_number(truth.value)) return 0;
  // Below this, no format of the results overflows.
  const double largest = magnitude_of(truth.value) + truth.radius + most;
  if (!is_number(got)) return got != got || largest < 0x1p14 ? no_bound() : 0;
  const double off = truth.value - got;
  const double outside = is_stored ? outside_of_stored(got, off, numbers) : magnitude_of(off);
  return outside - ((magnitude_of(outside) + magnitude_of(off)) * 0x1p-51 + truth.radius / down);
}

/// No number is farther from a number that is rounded to it, or that is a neighbor of it.
ASSAY_ENTRY double most_distance(double got, Rule rule, const Numbers& numbers) {
  const double gap = got == 0 ? power_of_two(numbers.emin - numbers.precision + 1) : gap_at(got, numbers);
  return rule == rule_rounded ? gap : 2 * gap;  // on the other side of a power of two a gap is twice as wide
}

/// The share of an entry by what the graphs know of it, as many as it takes.
ASSAY_ENTRY double share_of_entry(const FormulaProgram& program, const FormulaArrays& arrays, Integer entry, Rule rule,
                                  const Numbers& numbers) {
  const EntryPlace at = place_of_entry(arrays, entry);
  const double got = input_at(arrays.type_of_got, arrays.got, place_of(arrays.steps_of_got, arrays, at.row, at.column));
  for (int a = 0; program.row_numbers == 0 && a < arrays.count; ++a) {
    const double x = number_of_input(arrays, a, at.row, at.column);
    if (!is_number(x)) return arrays.count == 1 && x != x && got != got ? nan_of_a_nan : nothing_known;
  }
  Known known{0, no_bound(), 0};
  double share = nothing_known;
  for (int g = 0; g < program.graph_count && share < 0; ++g) {
    const Known by_graph = known_by_graph(program, program.graphs[g], arrays, entry).known;
    if (!is_number(by_graph.value)) continue;
    const double floor = known.floor > by_graph.floor ? known.floor : by_graph.floor;
    if (by_graph.radius < known.radius) known = by_graph;
    known.floor = floor;
    share = is_rounded_to(got, known, rule, numbers) ? 0 : share_of(known, got, rule, numbers);
  }
  return share;
}

/// Adds the terms of a column to the reductions of a pass.
ASSAY_ENTRY void add_column(const FormulaProgram& program, const FormulaPass& pass, const FormulaArrays& arrays,
                            EntryPlace at, FormulaSlots& slots, RowTotals* totals) {
  const bool is_known = find_numbers(program, pass.first, pass.end, arrays, at, slots);
  for (int r = pass.reduction; r < pass.reduction_end; ++r) {
    const Reduction& of = program.reductions[r];
    RowTotals& to = totals[r - pass.reduction];
    if (!is_known) {
      to.is_open = 1;
    } else if (of.op == picked_of_row) {
      const Integer label = integer_at(arrays, of.label, at.row);
      const bool is_ignored = of.has_ignored != 0 && label == of.ignored;
      if (!is_ignored && (label < 0 || label >= arrays.columns)) to.is_open = 1;
      add_picked(slots.at(program, of.a), !is_ignored && label == at.column, to);
    } else {
      const bool is_dot = of.op == products_of_row;
      add_term(of, program.costs, slots.at(program, of.a), slots.at(program, is_dot ? of.b : of.a),
               slots.of_row + of.needed, to);
    }
  }
}

/// Finds the numbers of a row that the totals of a pass give, and those that the next one needs. `pass`: the next one.
ASSAY_ENTRY void finish_row(const FormulaProgram& program, int pass, bool is_first, const FormulaArrays& arrays,
                            Integer row) {
  FormulaSlots slots;
  slots.of_row = arrays.numbers + row * program.row_numbers;
  if (!is_first) {
    const FormulaPass before = program.passes[pass - 1];
    const int count = before.reduction_end - before.reduction;
    for (int r = 0; r < count; ++r) {
      const Reduction& of = program.reductions[before.reduction + r];
      RowTotals all;
      for (Integer part = 0; part < arrays.parts; ++part) {
        add_totals(of.op, arrays.totals[(row * arrays.parts + part) * count + r], all);
      }
      write_numbers(of, program.costs, all, slots.of_row);
    }
  }
  const FormulaPass next = program.passes[pass];
  for (int k = next.row_first; k < next.row_end; ++k) {
    const ElementwiseNumber nothing{no_number(), 0, 0, 0};
    if (!find_numbers(program, k, k + 1, arrays, {row, 0}, slots)) slots.set(program.nodes[k].slot, nothing);
  }
}

}  // namespace assay::enclosures
