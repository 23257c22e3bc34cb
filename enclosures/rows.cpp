#include "enclosures/rows.hpp"

#include <algorithm>

#include "enclosures/device_sources.hpp"
#include "enclosures/elements.cuh"

namespace assay::enclosures {
namespace {

template <class T>
std::vector<T> read(const DeviceMemory& memory) {
  std::vector<T> values(memory.bytes() / sizeof(T));
  memory.read(values.data(), memory.bytes());
  return values;
}

}  // namespace

double number_at(ElementType type, const void* data, std::int64_t i) {
  constexpr double (*readers[])(const void*, Integer) = {element_at<binary64>, element_at<binary32>,
                                                         element_at<binary16>, element_at<bfloat16>,
                                                         element_at<e4m3>,     element_at<e5m2>};
  return readers[static_cast<std::size_t>(type)](data, i);
}

std::vector<std::string> definitions_of(RowOperation operation, ElementType type) {
  constexpr const char* operations[] = {"softmax", "log_softmax", "layer_norm", "rms_norm"};
  return {std::string("ASSAY_OPERATION=") + operations[operation], std::string("ASSAY_ELEMENT=") + name_of(type)};
}
const char* rows_source() { return rows_cuh; }
std::vector<Kernels::Header> rows_headers() {
  return {{"enclosures/entries.cuh", entries_cuh},
          {"enclosures/elements.cuh", elements_cuh},
          {"enclosures/blocks.cuh", blocks_cuh},
          {"enclosures/row_entries.cuh", row_entries_cuh}};
}

RowScreen::RowScreen(const DeviceRows& rows)
    : rows_(rows),
      device_(reinterpret_cast<std::uint64_t>(rows.arrays.x)),
      kernels_(device_, rows_source(), rows_headers(), definitions_of(rows.operation, rows.type)) {}

std::vector<BlockCount> RowScreen::screen(const RowRule& rule) const {
  const Grid grid{.x = static_cast<unsigned>(rows_.rows), .threads = block_threads};
  const auto bytes_of_rows = [this](std::size_t of_one) { return static_cast<std::size_t>(rows_.rows) * of_one; };
  // Of a row that no kernel reached nothing is known, and no number is kept.
  const DeviceMemory facts(bytes_of_rows(sizeof(RowFacts)));
  const DeviceMemory counts(bytes_of_rows(sizeof(BlockCount)));
  facts.clear();
  counts.clear();
  kernels_.launch("facts", grid, rows_.arrays, facts.address());
  const std::vector<RowFacts> known = read<RowFacts>(facts);
  std::vector<Row> of_rows(known.size());
  std::ranges::transform(known, of_rows.begin(), rule.row);
  const DeviceMemory rows(bytes_of_rows(sizeof(Row)));
  rows.write(of_rows.data(), rows.bytes());
  const Numbers numbers{rule.precision, rule.emin, 0, rule.is_stored ? 1 : 0};
  kernels_.launch("decide", grid, rows_.arrays, rows.address(), rule.kind, numbers, counts.address());
  return read<BlockCount>(counts);
}

}  // namespace assay::enclosures
