#include "enclosures/gradient.hpp"

#include <cstddef>

#include "enclosures/device_sources.hpp"

namespace assay::enclosures {

std::vector<std::string> definitions_of(Gradient gradient, ElementType type) {
  constexpr const char* gradients[] = {"of_queries", "of_keys", "of_values", "outputs"};
  return {std::string("ASSAY_GRADIENT=") + gradients[gradient], std::string("ASSAY_ELEMENT=") + name_of(type)};
}
const char* gradient_source() { return gradient_cuh; }
std::vector<Kernels::Header> gradient_headers() {
  std::vector<Kernels::Header> all = attention_headers();
  all.push_back({"enclosures/gradient_entries.cuh", gradient_entries_cuh});
  return all;
}

GradientScreen::GradientScreen(const GradientArrays& all, Gradient gradient, ElementType type)
    : all_(all),
      gradient_(gradient),
      device_(reinterpret_cast<std::uint64_t>(all.of.q.data)),
      kernels_(device_, gradient_source(), gradient_headers(), definitions_of(gradient, type)) {}

std::vector<BlockCount> GradientScreen::screen(const GradientRule& rule) const {
  const auto heads = static_cast<std::size_t>(all_heads(all_.of));
  const std::size_t rows = heads * static_cast<std::size_t>(rows_of_gradient(all_, gradient_));
  const auto groups = static_cast<std::size_t>(gradient_groups<block_threads>(all_, gradient_));
  const auto grid = [](auto blocks) { return Grid{.x = static_cast<unsigned>(blocks), .threads = block_threads}; };
  // Of a row that no kernel reached nothing is known, and no number is kept.
  const DeviceMemory facts(heads * sizeof(GradientFacts));
  const DeviceMemory queries(heads * static_cast<std::size_t>(all_.of.queries) * sizeof(QueryFacts));
  const DeviceMemory counts(groups * rows * sizeof(BlockCount));
  facts.clear();
  queries.clear();
  counts.clear();
  kernels_.launch("gradient_heads", grid(heads), all_, facts.address());
  kernels_.launch("gradient_queries", grid(row_blocks<block_threads>(all_.of) * all_heads(all_.of)), all_,
                  queries.address());
  // Of more columns than a group has, nothing is known of the outputs.
  if (gradient_ == of_keys && gradient_groups<block_threads>(all_, outputs) == 1) {
    kernels_.launch("gradient_outputs", grid(gradient_blocks<block_threads>(all_, outputs)), all_, facts.address(),
                    queries.address());
  }
  const Numbers numbers{rule.precision, rule.emin, 0, rule.is_stored ? 1 : 0};
  kernels_.launch("decide_gradient", grid(gradient_blocks<block_threads>(all_, gradient_)), all_, facts.address(),
                  queries.address(), rule.floor, rule.kind, numbers, counts.address());
  return counts_of_rows(counts, rows);
}

}  // namespace assay::enclosures
