#pragma once
// Runs of a conversion: each input at which its result differs from that of the input before, and the result. The runs
// of all inputs say what the conversion gives for every input. `assay check --operation convert --runs FILE` reads
// them.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace runs {

struct Run {
  std::uint32_t first;  ///< the first input of the run, as a pattern
  std::uint32_t code;
};

/// Writes a line for each run: input and result in hexadecimal. Returns whether the file could be written. `all` is in
/// ascending order and begins with input 0; neighbors with the same result are joined.
inline bool write(const std::string& file, const std::vector<Run>& all) {
  std::FILE* const out = std::fopen(file.c_str(), "w");
  if (out == nullptr) return false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i].code != all[i - 1].code) std::fprintf(out, "0x%x 0x%x\n", all[i].first, all[i].code);
  }
  return std::fclose(out) == 0;
}

/// The runs of `of` on the inputs of that many bits, at most 32, on all cores.
template <class Function>
std::vector<Run> of_all_inputs(int bits, const Function& of) {
  const std::uint64_t count = std::uint64_t{1} << bits;
  const std::uint64_t cores = std::min<std::uint64_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::vector<Run>> parts(cores);
  std::vector<std::thread> threads;
  for (std::uint64_t core = 0; core < cores; ++core) {
    threads.emplace_back([&, core] {
      const std::uint64_t end = count * (core + 1) / cores;
      for (std::uint64_t i = count * core / cores; i < end; ++i) {
        const auto input = static_cast<std::uint32_t>(i);
        const std::uint32_t code = of(input);
        if (parts[core].empty() || parts[core].back().code != code) parts[core].push_back({input, code});
      }
    });
  }
  for (std::thread& each : threads) each.join();
  std::vector<Run> all;
  for (const std::vector<Run>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace runs
