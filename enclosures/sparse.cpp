#include "enclosures/sparse.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "enclosures/device_sources.hpp"

namespace assay::enclosures {
namespace {

std::int64_t blocks_of(std::int64_t count, std::int64_t of_one) { return (count + of_one - 1) / of_one; }
Grid grid_of(std::int64_t blocks) { return {.x = static_cast<unsigned>(blocks), .threads = block_threads}; }

/// Numbers of a device. A block that no kernel reaches has zeros.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::int64_t count) : memory_(static_cast<std::size_t>(count) * sizeof(T)) { memory_.clear(); }
  explicit DeviceArray(const std::vector<T>& from) : memory_(from.size() * sizeof(T)) {
    memory_.write(from.data(), memory_.bytes());
  }
  [[nodiscard]] std::uint64_t address() const { return memory_.address(); }
  [[nodiscard]] std::vector<T> read() const { return read(0, static_cast<std::int64_t>(memory_.bytes() / sizeof(T))); }
  [[nodiscard]] std::vector<T> read(std::int64_t first, std::int64_t count) const {
    std::vector<T> values(static_cast<std::size_t>(count));
    read_device(address() + static_cast<std::uint64_t>(first) * sizeof(T), values.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  DeviceMemory memory_;
};

}  // namespace

const char* sparse_source() { return sparse_cuh; }
std::vector<Kernels::Header> sparse_headers() {
  return {{"enclosures/entries.cuh", entries_cuh},
          {"enclosures/elements.cuh", elements_cuh},
          {"enclosures/blocks.cuh", blocks_cuh},
          {"enclosures/sparse_entries.cuh", sparse_entries_cuh}};
}

SparseScreen::SparseScreen(const DeviceSparse& product)
    : product_(product),
      device_(reinterpret_cast<std::uint64_t>(product.arrays.got)),
      kernels_(device_, sparse_source(), sparse_headers(), {std::string("ASSAY_ELEMENT=") + name_of(product.type)}) {
  check(false);
  check(true);
}

std::vector<Integer> SparseScreen::read_indices(bool are_columns, std::int64_t first, std::int64_t count) const {
  const auto from = reinterpret_cast<std::uint64_t>(are_columns ? product_.arrays.columns : product_.arrays.offsets);
  const auto read = [&]<class T>(T) {
    std::vector<T> copy(static_cast<std::size_t>(count));
    read_device(from + static_cast<std::uint64_t>(first) * sizeof(T), copy.data(), copy.size() * sizeof(T));
    return std::vector<Integer>(copy.begin(), copy.end());
  };
  return (are_columns ? product_.arrays.column_bytes : product_.arrays.offset_bytes) == 4 ? read(std::int32_t{})
                                                                                          : read(Integer{});
}

std::pair<std::int64_t, std::int64_t> SparseScreen::range_of(std::int64_t row) const {
  const std::vector<Integer> offsets = read_indices(false, row, 2);
  return {offsets[0], offsets[1]};
}

void SparseScreen::refuse(bool are_columns, std::int64_t first, std::int64_t length) const {
  const std::int64_t start = are_columns ? first : std::max<std::int64_t>(first - 1, 0);
  const std::vector<Integer> copy = read_indices(are_columns, start, first + length - start);
  const auto number = [&](std::int64_t i) { return copy[static_cast<std::size_t>(i - start)]; };
  const auto is = [&](std::int64_t i) { return std::to_string(i) + " is " + std::to_string(number(i)); };
  for (std::int64_t i = first; i < first + length; ++i) {
    const Integer here = number(i);
    if (are_columns) {
      if (here >= 0 && here < product_.arrays.width) continue;
      throw std::invalid_argument("column_indices: number " + is(i) + ", and x has " +
                                  std::to_string(product_.arrays.width) + " numbers");
    }
    if (i == 0 && here != 0) throw std::invalid_argument("row_offsets: number " + is(i) + ", not 0");
    if (i > 0 && here < number(i - 1)) {
      throw std::invalid_argument("row_offsets: number " + is(i) + ", and number " + is(i - 1));
    }
    if (i == product_.arrays.rows && here != product_.arrays.entries) {
      throw std::invalid_argument("row_offsets: the last is " + std::to_string(here) + ", and there are " +
                                  std::to_string(product_.arrays.entries) + " entries");
    }
  }
  throw std::runtime_error("the device did not check all indices of the matrix");
}

void SparseScreen::check(bool are_columns) const {
  const std::int64_t all = are_columns ? product_.arrays.entries : product_.arrays.rows + 1;
  const std::int64_t blocks = blocks_of(all, sparse_stretch);
  if (blocks == 0) return;
  const DeviceArray<Integer> right(blocks);
  kernels_.launch("indices", grid_of(blocks), product_.arrays, are_columns ? 1 : 0, right.address());
  const std::vector<Integer> found = right.read();
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t first = block * sparse_stretch;
    const std::int64_t length = std::min<std::int64_t>(sparse_stretch, all - first);
    if (found[static_cast<std::size_t>(block)] == length) continue;
    refuse(are_columns, first, length);
  }
}

ScreenedRows SparseScreen::screen(const SparseRule& rule, std::size_t most) const {
  const std::int64_t parts = blocks_of(product_.arrays.rows + product_.arrays.entries, sparse_part);
  const std::int64_t stretches = blocks_of(product_.arrays.rows, sparse_stretch);
  const DeviceArray<float> shares(product_.arrays.rows);
  const DeviceArray<SparseTotals> heads(parts);
  const DeviceArray<SparseTotals> tails(parts);
  const DeviceArray<SparseCount> counts(stretches);
  kernels_.launch("add", grid_of(parts), product_.arrays, rule, shares.address(), heads.address(), tails.address());
  kernels_.launch("join", grid_of(parts), product_.arrays, rule, heads.address(), tails.address(), shares.address());
  kernels_.launch("count", grid_of(stretches), shares.address(), product_.arrays.rows, counts.address());
  ScreenedRows all;
  const std::vector<SparseCount> found = counts.read();
  for (std::int64_t at = 0; at < stretches; ++at) {
    const SparseCount& here = found[static_cast<std::size_t>(at)];
    if (here.nearest >= 1 && (!all.nearest || here.nearest - 1 > all.share)) {
      all.share = here.nearest - 1;
      all.nearest = here.row;
    }
    const std::int64_t first = at * sparse_stretch;
    const std::int64_t length = std::min<std::int64_t>(sparse_stretch, product_.arrays.rows - first);
    if (here.kept == length || all.open.size() >= most) {
      all.kept += here.kept;
      continue;
    }
    const std::vector<float> of_rows = shares.read(first, length);
    for (std::int64_t i = 0; i < length; ++i) {
      const bool is_kept = of_rows[static_cast<std::size_t>(i)] >= 1;
      all.kept += is_kept ? 1 : 0;
      if (!is_kept && all.open.size() < most) all.open.push_back(first + i);
    }
  }
  if (!all.nearest) return all;
  const auto [first, end] = range_of(*all.nearest);
  const std::int64_t part = (first + *all.nearest) / sparse_part;
  if ((end + *all.nearest) / sparse_part == part) return all;
  all.of_nearest = enclosure_of_row(tails.read(part, 1).front(), end - first, block_threads);
  return all;
}

std::vector<std::int64_t> SparseScreen::lengths(const std::vector<std::int64_t>& rows) const {
  const std::vector<Integer> wanted(rows.begin(), rows.end());
  const auto count = static_cast<std::int64_t>(rows.size());
  const DeviceArray<Integer> list(wanted);
  const DeviceArray<Integer> found(count);
  kernels_.launch("lengths", grid_of(1), product_.arrays, list.address(), count, found.address());
  const std::vector<Integer> all = found.read();
  return {all.begin(), all.end()};
}

GatheredRows SparseScreen::gather(const std::vector<std::int64_t>& rows,
                                  const std::vector<std::int64_t>& of_rows) const {
  const std::vector<Integer> wanted(rows.begin(), rows.end());
  std::vector<Integer> starts(rows.size());
  std::exclusive_scan(of_rows.begin(), of_rows.end(), starts.begin(), Integer{0});
  const std::size_t width = bytes_of(product_.type);
  const std::size_t entries = rows.empty() ? 0 : static_cast<std::size_t>(starts.back() + of_rows.back());
  const DeviceArray<Integer> list(wanted);
  const DeviceArray<Integer> places(starts);
  const DeviceMemory values(entries * width);
  const DeviceMemory x(entries * width);
  const DeviceMemory got(rows.size() * width);
  kernels_.launch("gather", grid_of(static_cast<std::int64_t>(rows.size())), product_.arrays, list.address(),
                  places.address(), values.address(), x.address(), got.address());
  GatheredRows all{std::vector<std::byte>(entries * width), std::vector<std::byte>(entries * width),
                   std::vector<std::byte>(rows.size() * width)};
  values.read(all.values.data(), all.values.size());
  x.read(all.x.data(), all.x.size());
  got.read(all.got.data(), all.got.size());
  return all;
}

}  // namespace assay::enclosures
