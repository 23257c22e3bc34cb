#include "enclosures/elementwise.hpp"

#include <algorithm>

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
  return {{"enclosures/entries.cuh", entries_cuh},     {"enclosures/elements.cuh", elements_cuh},
          {"enclosures/blocks.cuh", blocks_cuh},       {"enclosures/row_entries.cuh", row_entries_cuh},
          {"enclosures/functions.cuh", functions_cuh}, {"enclosures/elementwise_entries.cuh", elementwise_entries_cuh}};
}

ElementwiseScreen::ElementwiseScreen(const ElementwiseArrays& arrays, const ElementwiseRule& rule)
    : arrays_(arrays),
      rule_(rule),
      device_(reinterpret_cast<std::uint64_t>(arrays.got)),
      kernels_(device_, elementwise_source(), elementwise_headers(), {"ASSAY_ELEMENTWISE"}),
      nodes_(rule.floor.nodes.size() * sizeof(ElementwiseNode)),
      constants_(rule.floor.constants.size() * sizeof(ElementwiseNumber)),
      graphs_(rule.floor.graphs.size() * sizeof(ElementwiseGraph)) {
  fill(nodes_, rule.floor.nodes);
  fill(constants_, rule.floor.constants);
  fill(graphs_, rule.floor.graphs);
}

ElementwiseProgram ElementwiseScreen::program() const {
  return rule_.floor.program(address_of<ElementwiseNode>(nodes_), address_of<ElementwiseNumber>(constants_),
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

}  // namespace assay::enclosures
