#include "properties/framework/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace assay {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest(const std::string& name, std::span<const std::string> names) {
  std::vector<std::pair<std::size_t, std::string>> by_distance;
  for (const std::string& each : names) {
    const std::size_t distance = edit_distance(name, each);
    if (distance <= std::max<std::size_t>(2, name.size() / 2)) {
      by_distance.emplace_back(distance, each);
    }
  }
  std::sort(by_distance.begin(), by_distance.end());
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, by_distance.size()); ++i) {
    found.push_back(by_distance[i].second);
  }
  return found;
}

}  // namespace assay
