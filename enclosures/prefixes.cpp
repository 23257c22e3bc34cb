#include "enclosures/prefixes.hpp"

#include "enclosures/device_sources.hpp"

namespace assay::enclosures {
namespace {

std::int64_t stretches(std::int64_t n) { return (n + prefix_length - 1) / prefix_length; }

Grid grid_of(std::int64_t n) { return {.x = static_cast<unsigned>(stretches(n)), .threads = block_threads}; }

/// What a kernel writes for each stretch; a stretch that it does not reach has zeros.
template <class T, class Launch>
std::vector<T> written(std::int64_t n, const Launch& launch) {
  std::vector<T> all(static_cast<std::size_t>(stretches(n)));
  const DeviceMemory memory(all.size() * sizeof(T));
  memory.clear();
  launch(memory.address());
  memory.read(all.data(), memory.bytes());
  return all;
}

}  // namespace

const char* prefixes_source() { return prefixes_cuh; }
std::vector<Kernels::Header> prefixes_headers() {
  return {{"enclosures/entries.cuh", entries_cuh},
          {"enclosures/elements.cuh", elements_cuh},
          {"enclosures/blocks.cuh", blocks_cuh},
          {"enclosures/prefix_entries.cuh", prefix_entries_cuh}};
}

PrefixScreen::PrefixScreen(ElementType type, std::uint64_t x, std::uint64_t got, std::int64_t n)
    : x_(x),
      got_(got),
      n_(n),
      device_(x),
      kernels_(device_, prefixes_source(), prefixes_headers(), {std::string("ASSAY_ELEMENT=") + name_of(type)}) {}

std::vector<PrefixTotals> PrefixScreen::totals(double least_normal) const {
  return written<PrefixTotals>(
      n_, [&](std::uint64_t out) { kernels_.launch("totals", grid_of(n_), x_, n_, least_normal, out); });
}

std::vector<BlockCount> PrefixScreen::screen(const PrefixRule& rule) const {
  const DeviceMemory stretches(rule.stretches.size() * sizeof rule.stretches[0]);
  stretches.write(rule.stretches.data(), stretches.bytes());
  const Numbers numbers{rule.precision, rule.emin, 0, rule.is_stored ? 1 : 0};
  return written<BlockCount>(n_, [&](std::uint64_t out) {
    kernels_.launch("decide", grid_of(n_), x_, got_, n_, stretches.address(), rule.kind, numbers, out);
  });
}

}  // namespace assay::enclosures
