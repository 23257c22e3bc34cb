#pragma once
// Sampled entries of products on a device, compared with those of the superaccumulator.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arith/bits/traits.hpp"
#include "bench/common.hpp"
#include "kernels/gemm/superaccumulator.hpp"

namespace assay::bench {

/// How many of some sampled entries of g.c are not those of the superaccumulator. `expected` has the c of β·c.
inline std::string wrong_entries(const Executor& on, const gemm::GemmArguments& g,
                                 const DeviceArray<double>& expected) {
  std::vector<std::uint64_t> entries;
  for (std::uint64_t i = 0; i < 4096; ++i) entries.push_back(random_word(i) % expected.size());
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  const DeviceArray<std::uint64_t> list(on, std::span<const std::uint64_t>(entries));
  gemm::GemmArguments g_expected = g;
  g_expected.c = expected.data();
  gemm::recompute_entries(on, g_expected, expected.data(), list.data(), list.size());
  const std::vector<double> want = expected.all();
  std::vector<double> got(expected.size());
  copy_from(on, got.data(), g.c, got.size() * sizeof(double));
  const auto wrong = std::count_if(entries.begin(), entries.end(),
                                   [&](std::uint64_t at) { return to_bits(want[at]) != to_bits(got[at]); });
  return std::to_string(wrong) + " of " + std::to_string(entries.size());
}

}  // namespace assay::bench
