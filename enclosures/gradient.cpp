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
  all.push_back({"enclosures/ceiling_entries.cuh", ceiling_entries_cuh});
  return all;
}

GradientScreen::GradientScreen(const GradientArrays& all, Gradient gradient, ElementType type)
    : all_(all),
      gradient_(gradient),
      device_(reinterpret_cast<std::uint64_t>(all.of.q.data)),
      kernels_(device_, gradient_source(), gradient_headers(), definitions_of(gradient, type)) {}

std::size_t GradientScreen::rows() const {
  return static_cast<std::size_t>(all_heads(all_.of) * rows_of_gradient(all_, gradient_));
}

namespace {

Grid grid(std::int64_t blocks) { return {.x = static_cast<unsigned>(blocks), .threads = block_threads}; }
Numbers numbers_of(const GradientRule& rule) { return {rule.precision, rule.emin, 0, rule.is_stored ? 1 : 0}; }

}  // namespace

GradientScreen::Facts::Facts(const GradientArrays& all)
    : heads(static_cast<std::size_t>(all_heads(all.of)) * sizeof(GradientFacts)),
      queries(static_cast<std::size_t>(all_heads(all.of) * all.of.queries) * sizeof(QueryFacts)) {}

void GradientScreen::find(const Facts& facts) const {
  // Of what no kernel reached nothing is known.
  facts.heads.clear();
  facts.queries.clear();
  kernels_.launch("gradient_heads", grid(all_heads(all_.of)), all_, facts.heads.address());
  kernels_.launch("gradient_queries", grid(row_blocks<block_threads>(all_.of) * all_heads(all_.of)), all_,
                  facts.queries.address());
}

std::vector<BlockCount> GradientScreen::screen(const GradientRule& rule) const {
  const auto groups = static_cast<std::size_t>(gradient_groups<block_threads>(all_, gradient_));
  const Facts facts(all_);
  find(facts);
  // Of a row that no kernel reached no number is kept.
  const DeviceMemory counts(groups * rows() * sizeof(BlockCount));
  counts.clear();
  // Of more columns than a group has, nothing is known of the outputs.
  if (gradient_ == of_keys && gradient_groups<block_threads>(all_, outputs) == 1) {
    kernels_.launch("gradient_outputs", grid(gradient_blocks<block_threads>(all_, outputs)), all_,
                    facts.heads.address(), facts.queries.address());
  }
  kernels_.launch("decide_gradient", grid(gradient_blocks<block_threads>(all_, gradient_)), all_, facts.heads.address(),
                  facts.queries.address(), rule.floor, rule.kind, numbers_of(rule), counts.address());
  return counts_of_rows(counts, rows());
}

std::vector<Refuted> GradientScreen::refuted(const GradientRule& rule) const {
  const Integer groups = gradient_groups<block_threads>(all_, gradient_);
  const Facts facts(all_);
  find(facts);
  const DeviceMemory refuted(static_cast<std::size_t>(groups) * rows() * sizeof(Refuted));
  refuted.clear();
  const Grid of_queries = grid(row_blocks<block_threads>(all_.of) * all_heads(all_.of));
  const Integer of_outputs = is_of_slopes(gradient_) ? gradient_groups<block_threads>(all_, outputs) : 0;
  for (Integer group = 0; group < of_outputs; ++group) {
    kernels_.launch("gradient_errors", of_queries, all_, facts.heads.address(), group, rule.ceiling,
                    facts.queries.address());
  }
  kernels_.launch("refute_gradient", grid(gradient_blocks<block_threads>(all_, gradient_)), all_, facts.heads.address(),
                  facts.queries.address(), rule.ceiling, rule.kind, numbers_of(rule), refuted.address());
  std::vector<Refuted> all(refuted.bytes() / sizeof(Refuted));
  refuted.read(all.data(), refuted.bytes());
  for (std::size_t i = rows(); i < all.size(); ++i) {
    Refuted& row = all[i % rows()];
    const Integer broken = row.broken + all[i].broken;
    if (all[i].ratio > row.ratio) row = all[i];
    row.broken = broken;
  }
  all.resize(rows());
  return all;
}

}  // namespace assay::enclosures
