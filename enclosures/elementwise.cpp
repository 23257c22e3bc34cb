#include "enclosures/elementwise.hpp"

#include <algorithm>
#include <limits>

#include "enclosures/device_sources.hpp"

namespace assay::enclosures {
namespace {

/// Memory with a copy of these numbers.
template <class T>
void fill(const DeviceMemory& memory, const std::vector<T>& values) {
  memory.write(values.data(), values.size() * sizeof(T));
}
template <class T>
const T* address_of(const DeviceMemory& memory) {
  return reinterpret_cast<const T*>(memory.address());
}

}  // namespace

const char* elementwise_source() { return elementwise_cuh; }
std::vector<Kernels::Header> elementwise_headers() {
  return {{"enclosures/entries.cuh", entries_cuh},
          {"enclosures/elements.cuh", elements_cuh},
          {"enclosures/blocks.cuh", blocks_cuh},
          {"enclosures/row_entries.cuh", row_entries_cuh},
          {"enclosures/functions.cuh", functions_cuh},
          {"enclosures/elementwise_entries.cuh", elementwise_entries_cuh},
          {"enclosures/reduction_entries.cuh", reduction_entries_cuh},
          {"enclosures/formula_entries.cuh", formula_entries_cuh}};
}

int ElementwiseFormula::most_at_a_time() const {
  int most = 0;
  for (const FormulaPass& each : passes) most = std::max(most, each.reduction_end - each.reduction);
  return most;
}

namespace {

/// As many parts of a row as keep a device busy, unless they are short.
Integer parts_of(const FormulaArrays& arrays, int processors) {
  constexpr Integer least_columns = 4096, blocks_of_a_processor = 8;
  const Integer wanted = blocks_of_a_processor * processors / arrays.rows;
  return std::clamp<Integer>(std::min(wanted, arrays.columns / least_columns), 1, most_parts / 2);
}
std::size_t bytes_of_numbers(const FormulaArrays& arrays, const ElementwiseFormula& formula) {
  return static_cast<std::size_t>(arrays.rows * formula.row_numbers) * sizeof(ElementwiseNumber);
}
std::size_t bytes_of_totals(const FormulaArrays& arrays, const ElementwiseFormula& formula) {
  return static_cast<std::size_t>(arrays.rows * arrays.parts * formula.most_at_a_time()) * sizeof(RowTotals);
}
FormulaArrays in_parts(FormulaArrays arrays, const Device& device) {
  arrays.parts = parts_of(arrays, device.processors());
  return arrays;
}

}  // namespace

ElementwiseScreen::ElementwiseScreen(const FormulaArrays& arrays, const ElementwiseRule& rule)
    : device_(reinterpret_cast<std::uint64_t>(arrays.got)),
      arrays_(in_parts(arrays, device_)),
      rule_(rule),
      kernels_(device_, elementwise_source(), elementwise_headers(), {"ASSAY_ELEMENTWISE"}),
      nodes_(rule.floor.nodes.size() * sizeof(ElementwiseNode)),
      constants_(rule.floor.constants.size() * sizeof(ElementwiseNumber)),
      passes_(rule.floor.passes.size() * sizeof(FormulaPass)),
      reductions_(rule.floor.reductions.size() * sizeof(Reduction)),
      graphs_(rule.floor.graphs.size() * sizeof(ElementwiseGraph)),
      numbers_(bytes_of_numbers(arrays_, rule.floor)),
      totals_(bytes_of_totals(arrays_, rule.floor)) {
  fill(nodes_, rule.floor.nodes);
  fill(constants_, rule.floor.constants);
  fill(passes_, rule.floor.passes);
  fill(reductions_, rule.floor.reductions);
  fill(graphs_, rule.floor.graphs);
  arrays_.numbers = reinterpret_cast<ElementwiseNumber*>(numbers_.address());
  arrays_.totals = reinterpret_cast<RowTotals*>(totals_.address());
  if (rule.floor.row_numbers != 0) pass_through_rows();
}

void ElementwiseScreen::pass_through_rows() {
  // Of a row that no kernel reached nothing is known.
  numbers_.spoil();
  const auto groups = static_cast<unsigned>((arrays_.rows + block_threads - 1) / block_threads);
  const Grid of_rows{.x = groups, .threads = block_threads};
  const Grid of_parts{.x = static_cast<unsigned>(arrays_.rows * arrays_.parts), .threads = block_threads};
  for (const ElementwiseGraph& graph : rule_.floor.graphs) {
    for (int pass = graph.first; pass < graph.end; ++pass) {
      kernels_.launch("finish_rows", of_rows, program(), pass, pass == graph.first, arrays_);
      if (pass + 1 == graph.end) break;
      totals_.spoil();
      kernels_.launch("reduce_rows", of_parts, program(), pass, arrays_);
    }
  }
}

FormulaProgram ElementwiseScreen::program() const {
  return rule_.floor.program(address_of<ElementwiseNode>(nodes_), address_of<ElementwiseNumber>(constants_),
                             address_of<FormulaPass>(passes_), address_of<Reduction>(reductions_),
                             address_of<ElementwiseGraph>(graphs_));
}
Numbers ElementwiseScreen::numbers() const { return {rule_.precision, rule_.emin, 0, rule_.is_stored ? 1 : 0}; }

std::vector<StretchCount> ElementwiseScreen::counts() const {
  const auto stretches = static_cast<std::size_t>((arrays_.entries + stretch_of_entries - 1) / stretch_of_entries);
  // Of a stretch that no kernel reached nothing is known.
  const DeviceMemory out(stretches * sizeof(StretchCount));
  out.clear();
  const Grid grid{.x = static_cast<unsigned>(stretches), .threads = block_threads};
  kernels_.launch("decide_entries", grid, program(), arrays_, rule_.kind, numbers(), out.address());
  std::vector<StretchCount> counts(stretches);
  out.read(counts.data(), out.bytes());
  return counts;
}

std::vector<double> ElementwiseScreen::shares(Integer stretch) const {
  const auto count = std::min(stretch_of_entries, arrays_.entries - stretch * stretch_of_entries);
  std::vector<double> shares(static_cast<std::size_t>(count), nothing_known);
  const DeviceMemory out(shares.size() * sizeof(double));
  fill(out, shares);
  const Grid grid{.threads = block_threads};
  kernels_.launch("shares_of_stretch", grid, program(), arrays_, rule_.kind, numbers(), stretch, out.address());
  out.read(shares.data(), out.bytes());
  return shares;
}

std::vector<KnownEntry> ElementwiseScreen::known(Integer entry) const {
  std::vector<KnownEntry> known(rule_.floor.graphs.size(), {{std::numeric_limits<double>::quiet_NaN(), 0, 0}, 0});
  const DeviceMemory out(known.size() * sizeof(KnownEntry));
  fill(out, known);
  const Grid grid{.threads = block_threads};
  kernels_.launch("known_of_entry", grid, program(), arrays_, entry, out.address());
  out.read(known.data(), out.bytes());
  return known;
}

}  // namespace assay::enclosures
