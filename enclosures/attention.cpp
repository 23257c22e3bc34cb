#include "enclosures/attention.hpp"

#include <algorithm>
#include <cstddef>

#include "enclosures/device_sources.hpp"

namespace assay::enclosures {

const char* attention_source() { return attention_cuh; }
std::vector<Kernels::Header> attention_headers() {
  return {{"enclosures/entries.cuh", entries_cuh},
          {"enclosures/elements.cuh", elements_cuh},
          {"enclosures/blocks.cuh", blocks_cuh},
          {"enclosures/row_entries.cuh", row_entries_cuh},
          {"enclosures/attention_entries.cuh", attention_entries_cuh},
          {"enclosures/attention_tiles.cuh", attention_tiles_cuh}};
}

std::vector<BlockCount> counts_of_rows(const DeviceMemory& groups, std::size_t rows) {
  std::vector<BlockCount> all(groups.bytes() / sizeof(BlockCount));
  groups.read(all.data(), groups.bytes());
  for (std::size_t i = rows; i < all.size(); ++i) {
    all[i % rows].kept += all[i].kept;
    all[i % rows].nearest = std::max(all[i % rows].nearest, all[i].nearest);
  }
  all.resize(rows);
  return all;
}

AttentionScreen::AttentionScreen(const Attention& of, ElementType type)
    : of_(of),
      device_(reinterpret_cast<std::uint64_t>(of.q.data)),
      kernels_(device_, attention_source(), attention_headers(), {std::string("ASSAY_ELEMENT=") + name_of(type)}) {}

std::vector<BlockCount> AttentionScreen::screen(const AttentionRule& rule) const {
  const auto heads = static_cast<std::size_t>(all_heads(of_));
  const std::size_t rows = heads * static_cast<std::size_t>(of_.queries);
  const auto groups = static_cast<std::size_t>(column_blocks<block_threads>(of_));
  // Of a row that no kernel reached nothing is known, and no number is kept.
  const DeviceMemory facts(heads * sizeof(HeadFacts));
  const DeviceMemory counts(groups * rows * sizeof(BlockCount));
  facts.clear();
  counts.clear();
  kernels_.launch("head_facts", {.x = static_cast<unsigned>(heads), .threads = block_threads}, of_, facts.address());
  const Numbers numbers{rule.precision, rule.emin, 0, rule.is_stored ? 1 : 0};
  kernels_.launch("decide_attention",
                  {.x = static_cast<unsigned>(all_blocks<block_threads>(of_)), .threads = block_threads}, of_,
                  facts.address(), rule.floor, rule.kind, numbers, counts.address());
  return counts_of_rows(counts, rows);
}

}  // namespace assay::enclosures
