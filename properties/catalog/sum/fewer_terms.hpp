#pragma once
// Shrinking of sums and dot products: cases with fewer terms and the same structure.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "properties/catalog/sum/exact_sums.hpp"
#include "properties/framework/generators.hpp"

namespace assay::sum {

namespace detail {

/// Longer vectors are merged by longer runs only: more candidates cost more than they find.
inline constexpr std::size_t most_runs = 256;

template <FloatingPoint T>
void append_terms(SumCase<T>& to, const SumCase<T>& from, std::size_t first, std::size_t last) {
  to.x.insert(to.x.end(), from.x.begin() + static_cast<std::ptrdiff_t>(first),
              from.x.begin() + static_cast<std::ptrdiff_t>(last));
}
template <FloatingPoint T>
void append_terms(DotCase<T>& to, const DotCase<T>& from, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    to.x.push_back(from.x[i]);
    to.y.push_back(from.y[i]);
  }
}
template <FloatingPoint T>
void append_numbers(SumCase<T>& to, const std::vector<T>& numbers) {
  to.x.insert(to.x.end(), numbers.begin(), numbers.end());
}
template <FloatingPoint T>
void append_numbers(DotCase<T>& to, const std::vector<T>& numbers) {
  to.x.insert(to.x.end(), numbers.begin(), numbers.end());
  to.y.insert(to.y.end(), numbers.size(), compose<T>(false, 1, 0));
}

/// What two terms that cancel share, and the sign in which they differ.
template <FloatingPoint T>
std::pair<std::pair<std::uint64_t, std::uint64_t>, bool> key_of(const SumCase<T>& c, std::size_t i) {
  return {{bits_of(abs(c.x[i])), 0}, c.x[i] < T(0)};
}
template <FloatingPoint T>
std::pair<std::pair<std::uint64_t, std::uint64_t>, bool> key_of(const DotCase<T>& c, std::size_t i) {
  return {std::minmax({bits_of(abs(c.x[i])), bits_of(abs(c.y[i]))}), (c.x[i] < T(0)) != (c.y[i] < T(0))};
}

/// Pairs of places whose terms cancel, each place in one pair at most.
template <class Case>
std::vector<std::pair<std::size_t, std::size_t>> cancelling_pairs(const Case& c) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::array<std::vector<std::size_t>, 2>> waiting;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const auto [key, negative] = key_of(c, i);
    auto& [plus, minus] = waiting[key];
    auto& opposite = negative ? plus : minus;
    if (opposite.empty()) {
      (negative ? minus : plus).push_back(i);
    } else {
      pairs.emplace_back(opposite.back(), i);
      opposite.pop_back();
    }
  }
  return pairs;
}

/// Drops pairs that cancel: all of them, a half, a quarter, …, each single one.
template <class Case>
void drop_cancelling_pairs(const Case& c, std::vector<Case>& smaller) {
  const auto pairs = cancelling_pairs(c);
  for (std::size_t chunk = pairs.size(); chunk > 0 && pairs.size() / chunk <= most_runs; chunk /= 2) {
    for (std::size_t start = 0; start + chunk <= pairs.size(); start += chunk) {
      std::vector<bool> dropped(c.x.size());
      for (std::size_t k = start; k < start + chunk; ++k) {
        dropped[pairs[k].first] = true;
        dropped[pairs[k].second] = true;
      }
      Case rest;
      for (std::size_t i = 0; i < c.x.size(); ++i) {
        if (!dropped[i]) append_terms(rest, c, i, i + 1);
      }
      smaller.push_back(std::move(rest));
    }
  }
}

/// Merges neighbours: a run of terms becomes its rounded sum, or the few numbers that make up its sum exactly. Runs of
/// a power of two terms, long ones first, each overlapping the next by a half.
template <FloatingPoint T, class Case>
void merge_runs(const Case& c, std::vector<Case>& smaller) {
  using F = FloatTraits<T>;
  const std::size_t n = c.x.size();
  for (std::size_t run = std::bit_floor(n); run > 1 && n / run <= most_runs; run /= 2) {
    for (std::size_t first = 0; first + run <= n; first += run / 2) {
      Case merged;
      append_terms(merged, c, first, first + run);
      const oracle::Dyadic sum = exact_sum_of(merged);
      const auto offer = [&](const std::vector<T>& numbers) {
        Case rest;
        append_terms(rest, c, 0, first);
        append_numbers(rest, numbers);
        append_terms(rest, c, first + run, n);
        smaller.push_back(std::move(rest));
      };
      if (sum.is_zero() || sum.exponent() >= F::emax) continue;
      offer({nearest<T>(sum)});
      if (sum.lowest_exponent() < F::emin - F::precision + 1) continue;
      std::vector<T> numbers;
      append_exactly(numbers, sum);
      if (numbers.size() > 1 && numbers.size() < run) offer(numbers);
    }
  }
}

/// Fewer terms with nearly or exactly the same sum: what dropping terms alone cannot reach where they cancel.
template <FloatingPoint T, class Case>
std::vector<Case> fewer_terms(const Case& c) {
  std::vector<Case> smaller;
  drop_cancelling_pairs(c, smaller);
  merge_runs<T>(c, smaller);
  return smaller;
}

}  // namespace detail

}  // namespace assay::sum
