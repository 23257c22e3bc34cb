#include "assay/prober/entries.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "assay/prober/questions.hpp"

namespace assay::prober {
namespace {

/// Every entry is computed on this many random products.
constexpr std::size_t samples = 48;
constexpr std::uint64_t seed = 1;

/// The entries with the bits of the first entry in every sample.
std::vector<std::size_t> alike(const Unit& unit) {
  std::vector<int> places(static_cast<std::size_t>(unit.products));
  std::iota(places.begin(), places.end(), 0);
  std::vector<std::size_t> found(static_cast<std::size_t>(unit.rows));
  std::iota(found.begin(), found.end(), std::size_t{0});
  for (const Product& sample : random_products(unit, places, samples, seed)) {
    const std::vector<std::uint64_t> d =
        unit.compute(std::vector<Product>(static_cast<std::size_t>(unit.rows), sample));
    std::erase_if(found, [&](std::size_t each) { return d[each] != d.front(); });
  }
  return found;
}

}  // namespace

Unit of_entries_alike(const Unit& unit) {
  if (unit.rows == 0 || is_integer(unit.input)) return unit;  // sums of integers are exact in every order
  const std::vector<std::size_t> entries = alike(unit);
  const auto rows = static_cast<std::size_t>(unit.rows);
  if (entries.size() == rows) return unit;
  Unit chosen = unit;
  chosen.entries = fmt::format("{} of {} on the diagonal: those computed like the first", entries.size(), rows);
  chosen.compute = [unit, rows, entries](std::span<const Product> asked) {
    std::vector<std::uint64_t> answers;
    for (std::size_t first = 0; first < asked.size(); first += entries.size()) {
      const auto part = asked.subspan(first, std::min(entries.size(), asked.size() - first));
      std::vector<Product> all(rows, zeros(unit));
      for (std::size_t i = 0; i < part.size(); ++i) all[entries[i]] = part[i];
      const std::vector<std::uint64_t> d = unit.compute(all);
      for (std::size_t i = 0; i < part.size(); ++i) answers.push_back(d[entries[i]]);
    }
    return answers;
  };
  return chosen;
}

}  // namespace assay::prober
