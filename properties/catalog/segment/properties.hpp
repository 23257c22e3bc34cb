#pragma once
// The promises of sums for many targets.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/judge.hpp"
#include "errorbounds/segment_theorems.hpp"
#include "kernels/segment/segmented_sum.hpp"
#include "properties/catalog/segment/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::segment {

template <class T>
using Values = std::vector<T>;
template <class Case>
using ValuesOf = Values<typename Case::Number>;
using Truth = std::vector<oracle::Dyadic>;

/// judge(row, i, ŷᵢ) for the result of each target with a special value, or of each one without, in both orders.
template <class Case, class T, class Judge>
Judgement of_targets(const Case& c, const Values<T>& result, bool special, Judge judge) {
  const std::vector<Row<T>> rows = rows_of(c);
  Judgement worst;
  for (std::size_t i = 0; i < 2 * rows.size(); ++i) {
    const Row<T>& row = rows[i % rows.size()];
    if ((sum::special_sum(row) != 0) == special) worst.worsen(judge(row, i % rows.size(), result[i]));
  }
  worst.judged = result.size();
  return worst;
}

/// A property of both kernels. subject(on, c) gives the results for the terms as given and in another order.
template <class Case>
Property<Case, ValuesOf<Case>, Truth> property(const std::string& name, const std::string& accepts,
                                               Subject<Case, ValuesOf<Case>> subject) {
  using T = typename Case::Number;
  return {.name = name + format_suffix<T>(),
          .domain = domain<Case>(accepts),
          .subject = std::move(subject),
          .reference =
              [](const Case& c) {
                Truth truth;
                for (const Row<T>& row : rows_of(c)) {
                  truth.push_back(sum::special_sum(row) == 0 ? sum::exact_sums(row).sum : oracle::Dyadic());
                }
                return truth;
              },
          .claims = {claim_spec("rounded", segment_rounded_1,
                                [](const Case& c, const Truth& truth, const Values<T>& y) {
                                  return of_targets(c, y, false, [&](const Row<T>& row, std::size_t i, T got) {
                                    return judge_rounded(bits_of(got), truth[i], format_of<T>(),
                                                         oracle::Rounding::nearest,
                                                         {.negative_zero = sum::sums_to_negative_zero(row)}, i);
                                  });
                                }),
                     when(
                         "a term is infinite or NaN",
                         [](const Case& c) {
                           return std::ranges::any_of(rows_of(c),
                                                      [](const Row<T>& row) { return sum::special_sum(row) != 0; });
                         },
                         satisfies("special_values", segment_special_values_1,
                                   [](const Case& c, const Values<T>& y) {
                                     return of_targets(c, y, true, [](const Row<T>& row, std::size_t, T got) {
                                       return sum::special_results(row, Values<T>{got});
                                     });
                                   })),
                     satisfies("order_free", segment_order_free_1,
                               [](const Case& c, const Values<T>& y) {
                                 const std::size_t m = rows_of(c).size();
                                 for (std::size_t i = 0; i < m; ++i) {
                                   if (!same_bits(y[i], y[m + i])) return Judgement::fail(i);
                                 }
                                 return Judgement::pass();
                               })},
          .inexact =
              [](const Case&, const Truth& truth, const Values<T>& y) {
                for (std::size_t i = 0; i < truth.size(); ++i) {
                  if (!is_finite(y[i]) || value_of(y[i]) != truth[i]) return true;
                }
                return false;
              },
          .quick_cases = 1000};
}

/// scatter(on, x, index, y) is a scatter-add. The last number of a result counts the terms outside.
template <FloatingPoint T, class Scatter>
auto scatter_property(const std::string& name, Scatter scatter) {
  auto both_orders = [scatter](const Executor& on, const ScatterCase<T>& c) {
    std::vector<T> x = c.x;
    std::vector<std::int32_t> index;
    for (const std::uint32_t each : c.index) index.push_back(static_cast<std::int32_t>(each));
    ScatterResult<T> result = scatter(on, x, index, c.y);
    std::ranges::reverse(x);
    std::ranges::reverse(index);
    const ScatterResult<T> other = scatter(on, x, index, c.y);
    result.y.insert(result.y.end(), other.y.begin(), other.y.end());
    result.y.push_back(static_cast<T>(result.outside));
    result.y.push_back(static_cast<T>(other.outside));
    return result.y;
  };
  auto made = property<ScatterCase<T>>(
      name, "up to 8192 terms with any indices, and up to 1024 targets; any numbers, infinities and NaN among them",
      both_orders);
  made.claims.push_back(satisfies("outside", segment_outside_1, [](const ScatterCase<T>& c, const Values<T>& y) {
    const auto outside =
        static_cast<double>(std::ranges::count_if(c.index, [&](std::uint32_t each) { return each >= c.y.size(); }));
    return y[y.size() - 2] == outside && y.back() == outside;
  }));
  return made;
}

/// sums(on, x, offsets) are the sums of segments.
template <FloatingPoint T, class Sums>
auto segmented_property(const std::string& name, Sums sums) {
  auto both_orders = [sums](const Executor& on, const SegmentCase<T>& c) {
    std::vector<T> x = c.x;
    std::vector<std::int64_t> offsets(c.offsets.begin(), c.offsets.end());
    Values<T> result = sums(on, x, offsets);
    std::ranges::reverse(x);
    std::ranges::reverse(offsets);
    for (std::int64_t& each : offsets) each = static_cast<std::int64_t>(x.size()) - each;
    const Values<T> other = sums(on, x, offsets);
    result.insert(result.end(), other.rbegin(), other.rend());
    return result;
  };
  return property<SegmentCase<T>>(
      name, "up to 8192 terms in up to 1024 segments, empty ones, too; any numbers, infinities and NaN among them",
      both_orders);
}

}  // namespace assay::segment
