#include "properties/framework/covering.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace assay {

namespace {

/// The index of a name. Errors: std::logic_error.
template <class List, class NameOf>
std::size_t place_of(const std::string& name, const List& list, NameOf&& name_of) {
  const auto at = std::find_if(list.begin(), list.end(), [&](const auto& each) { return name_of(each) == name; });
  if (at == list.end()) throw std::logic_error("impossible pairs of '" + name + "', which is not stated");
  return static_cast<std::size_t>(at - list.begin());
}

}  // namespace

TraitPairs::TraitPairs(const std::vector<TraitInfo>& traits, const std::vector<ImpossiblePairs>& impossible)
    : traits_(traits), first_(traits.size() * traits.size()) {
  const std::size_t n = traits_.size();
  std::size_t count = 0;
  for (std::size_t f = 0; f < n; ++f) {
    if (traits_[f].values.empty()) throw std::logic_error("the trait '" + traits_[f].name + "' has no values");
    sizes_.push_back(traits_[f].values.size());
    for (std::size_t g = f + 1; g < n; ++g) {
      first_[f * n + g] = first_[g * n + f] = count;
      count += traits_[f].values.size() * traits_[g].values.size();
    }
  }
  possible_.assign(count, 1);
  const auto trait_at = [&](const std::string& name) {
    return place_of(name, traits_, [](const TraitInfo& each) { return each.name; });
  };
  const auto value_at = [&](std::size_t f, const std::string& value) {
    return place_of(value, traits_[f].values, [](const std::string& each) { return each; });
  };
  for (const ImpossiblePairs& each : impossible) {
    const std::size_t f = trait_at(each.trait);
    const std::size_t g = trait_at(each.other);
    for (const std::string& value : each.values) {
      for (const std::string& other : each.other_values) {
        possible_[place(f, value_at(f, value), g, value_at(g, other))] = 0;
      }
    }
  }
}

std::size_t TraitPairs::place(std::size_t f, std::size_t v, std::size_t g, std::size_t w) const {
  return first_[f * sizes_.size() + g] + (f < g ? v * sizes_[g] + w : w * sizes_[f] + v);
}

void TraitPairs::see(const TraitRow& values, std::string& seen) const {
  for (std::size_t f = 0; f < sizes_.size(); ++f) {
    if (values[f] >= sizes_[f]) continue;
    for (std::size_t g = f + 1; g < sizes_.size(); ++g) {
      if (values[g] < sizes_[g]) seen[place(f, values[f], g, values[g])] = '1';
    }
  }
}

std::uint64_t TraitPairs::possible() const {
  return static_cast<std::uint64_t>(std::count(possible_.begin(), possible_.end(), 1));
}

std::uint64_t TraitPairs::covered(const std::string& seen) const { return possible() - missing(seen).size(); }

template <class Wanted>
std::vector<std::string> TraitPairs::in_words(Wanted&& wanted) const {
  std::vector<std::string> all;
  for (std::size_t f = 0; f < traits_.size(); ++f) {
    for (std::size_t g = f + 1; g < traits_.size(); ++g) {
      for (std::size_t v = 0; v < traits_[f].values.size(); ++v) {
        for (std::size_t w = 0; w < traits_[g].values.size(); ++w) {
          if (!wanted(place(f, v, g, w))) continue;
          all.push_back(traits_[f].name + " = " + traits_[f].values[v] + " with " + traits_[g].name + " = " +
                        traits_[g].values[w]);
        }
      }
    }
  }
  return all;
}

std::vector<std::string> TraitPairs::missing(const std::string& seen) const {
  return in_words([&](std::size_t at) { return possible_[at] && (at >= seen.size() || seen[at] != '1'); });
}

std::vector<std::string> TraitPairs::contradicting(const std::string& seen) const {
  return in_words([&](std::size_t at) { return !possible_[at] && at < seen.size() && seen[at] == '1'; });
}

int TraitPairs::added(const TraitRow& row, std::size_t f, std::size_t v, const std::string& seen) const {
  int count = 0;
  for (std::size_t g = 0; g < sizes_.size(); ++g) {
    if (g == f || row[g] >= sizes_[g]) continue;
    const std::size_t at = place(f, v, g, row[g]);
    if (!possible_[at]) return -1;
    if (seen[at] != '1') ++count;
  }
  return count;
}

std::vector<TraitRow> TraitPairs::rows() const {
  const std::size_t n = traits_.size();
  std::vector<std::size_t> by_size(n);
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [this](std::size_t f, std::size_t g) { return sizes_[f] > sizes_[g]; });
  const TraitRow& open = sizes_;
  std::string seen = none();
  std::vector<TraitRow> all;
  for (std::size_t f = 0; f < n; ++f) {
    for (std::size_t g = f + 1; g < n; ++g) {
      for (std::size_t k = 0; k < open[f] * open[g]; ++k) {
        const std::size_t at = first_[f * n + g] + k;
        if (!possible_[at] || seen[at] == '1') continue;
        TraitRow row = open;
        row[f] = k / open[g];
        row[g] = k % open[g];
        for (const std::size_t h : by_size) {
          if (row[h] < open[h]) continue;
          int most = -1;
          std::size_t best = open[h];
          for (std::size_t step = 0; step < open[h]; ++step) {
            // If several values add equally many pairs, another one is taken in each row: values that no pair needs are
            // spread.
            const std::size_t value = (all.size() + step) % open[h];
            const int more = added(row, h, value, seen);
            if (more > most) {
              most = more;
              best = value;
            }
          }
          row[h] = best;
        }
        see(row, seen);
        all.push_back(std::move(row));
      }
    }
  }
  return all;
}

}  // namespace assay
