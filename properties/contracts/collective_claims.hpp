#pragma once
// Claims about the order of collective operations: they ask the kernel again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/collective_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/collective_cases.hpp"
#include "properties/contracts/increments.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/framework/silent.hpp"

namespace assay::contracts::collectives {

template <FloatingPoint T>
using Claims = std::vector<Claim<CollectiveCase<T>, std::vector<T>, std::vector<Dyadic>>>;

/// Asks the kernel for some cases.
template <FloatingPoint T>
using Run = SharedFunction<std::vector<std::vector<T>>(std::span<const CollectiveCase<T>>)>;

/// Whether two numbers have the same bits, or are NaN.
template <FloatingPoint T>
bool same_number(const T& a, const T& b) {
  return same_bits(a, b);
}

/// The column of another case in place of each: columns[j % columns.size()] at index j, for n results.
template <FloatingPoint T>
CollectiveCase<T> spread_out(Collective kind, const CollectiveCase<T>& c, std::span<const std::size_t> columns,
                             std::int64_t n) {
  return of_columns<T>(kind, c.ranks, n, [&](std::size_t j) { return column_of(c, columns[j % columns.size()]); });
}

/// RN of the sum of two numbers in the format.
inline std::uint64_t added(const oracle::Format& in, std::uint64_t a, std::uint64_t b) {
  return oracle::round(oracle::decode_finite(in, a) + oracle::decode_finite(in, b), in, oracle::Rounding::nearest);
}

/// Whether the chains of additions in the format that begin at each rank and go round have different results, rounded
/// to the format of the numbers. Requires: at least one number.
template <FloatingPoint T>
bool shows_order_in(const oracle::Format& in, const std::vector<T>& column) {
  std::vector<std::uint64_t> numbers;
  for (const T& each : column) {
    if (!oracle::is_finite(format<T>, bits_of(each))) return false;
    numbers.push_back(oracle::round(value_of(each), in, oracle::Rounding::nearest));
  }
  std::vector<std::uint64_t> sums;
  for (std::size_t first = 0; first < numbers.size(); ++first) {
    std::uint64_t sum = numbers[first];
    for (std::size_t k = 1; k < numbers.size(); ++k) {
      sum = added(in, sum, numbers[(first + k) % numbers.size()]);
      if (!oracle::is_finite(in, sum)) return false;
    }
    sums.push_back(oracle::round(oracle::decode_finite(in, sum), format<T>, oracle::Rounding::nearest));
  }
  return std::ranges::adjacent_find(sums, std::ranges::not_equal_to{}) != sums.end();
}
template <FloatingPoint T>
bool shows_order(const std::vector<T>& column) {
  return shows_order_in(format<T>, column) || (is_narrow<T> && shows_order_in(oracle::binary32, column));
}

/// A number that is a function of the case.
template <FloatingPoint T>
std::uint64_t hash_of_case(const CollectiveCase<T>& c) {
  return hash_of(c.x) + static_cast<std::uint64_t>(c.ranks * 31 + c.n);
}

/// Up to four columns that `is_fit` accepts, among up to 64 from any index on.
template <FloatingPoint T, class IsFit>
std::vector<std::size_t> some_columns(const CollectiveCase<T>& c, const IsFit& is_fit) {
  constexpr std::size_t most_looked_at = 64;
  constexpr std::size_t most_columns = 4;
  std::vector<std::size_t> columns;
  const std::size_t width = c.width();
  for (std::size_t k = 0; k < std::min(width, most_looked_at) && columns.size() < most_columns; ++k) {
    const std::size_t i = (hash_of_case(c) + k) % width;
    if (is_fit(column_of(c, i))) columns.push_back(i);
  }
  return columns;
}

/// The length of another array: beside the ranks and the case's own, and in one of 16 cases so long that libraries
/// choose another algorithm.
template <FloatingPoint T>
std::int64_t other_length(Collective kind, const CollectiveCase<T>& c) {
  constexpr std::int64_t most_of_all_ranks = 16384;
  const std::int64_t most = most_of_all_ranks / (c.ranks * width_for(kind, c.ranks, 1));
  const std::int64_t lengths[]{2, c.ranks + 1, 2 * c.ranks, c.n + 1, 64, 257};
  const std::uint64_t way = (hash_of_case(c) >> 8) % 16;
  return std::max<std::int64_t>(1, way == 0 ? most : std::min(most, lengths[way % std::size(lengths)]));
}

/// Whether result i of a case stands at every index j of another one that has its column, at every rank.
template <FloatingPoint T>
bool are_at(const std::vector<T>& result, std::size_t width, const std::vector<T>& other,
            std::span<const std::size_t> columns) {
  const std::size_t blocks = width == 0 ? 0 : result.size() / width;
  if (blocks == 0 || other.size() % blocks != 0) return false;
  const std::size_t other_width = other.size() / blocks;
  for (std::size_t k = 0; k < other.size(); ++k) {
    const std::size_t from = k / other_width * width + columns[k % other_width % columns.size()];
    if (!same_number(other[k], result[from])) return false;
  }
  return true;
}

/// The same bits for a column alone, and in every place of an array of another length.
template <FloatingPoint T, class IsFit>
auto place_invariant(Collective kind, const std::string& preconditions, Run<T> run, IsFit is_fit) {
  using Case = CollectiveCase<T>;
  return when(
      preconditions, [](const Case& c) { return !c.x.empty(); },
      satisfies("place_invariant", collective_place_1, [=](const Case& c, const std::vector<T>& result) {
        const std::vector<std::size_t> columns = some_columns(c, is_fit);
        if (columns.empty()) return says_nothing();
        std::vector<Case> cases{spread_out(kind, c, std::span(columns), other_length(kind, c))};
        for (const std::size_t& each : columns) {
          cases.push_back(spread_out(kind, c, std::span(&each, 1), 1));
        }
        const auto again = run_fenced(run, std::span<const Case>(cases));
        if (!are_at(result, c.width(), again.front(), std::span(columns))) {
          take_remark();
          remark("other bits in an array of n = " + std::to_string(cases.front().n));
          return Judgement::fail(columns.front());
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
          if (are_at(result, c.width(), again[i + 1], std::span(&columns[i], 1))) continue;
          take_remark();
          remark("other bits in an array of n = 1");
          return Judgement::fail(columns[i]);
        }
        return Judgement::pass();
      }));
}

/// The same bits again, after calls with other numbers and another length.
template <FloatingPoint T>
auto run_to_run(Collective kind, Run<T> run) {
  using Case = CollectiveCase<T>;
  return when(
      "the arrays are not empty", [](const Case& c) { return !c.x.empty(); },
      satisfies("run_to_run", collective_run_to_run_1, [=](const Case& c, const std::vector<T>& result) {
        const std::int64_t n = other_length(kind, c);
        const auto ones = [&](std::size_t i) {
          return std::vector<T>(static_cast<std::size_t>(c.ranks), T(static_cast<int>(1 + i % 3)));
        };
        const Case other = of_columns<T>(kind, c.ranks, n, ones);
        const std::vector<Case> cases{other, c, of_columns<T>(kind, c.ranks, 1, ones), c};
        const auto again = run_fenced(run, std::span<const Case>(cases));
        return same_bits(result, again[1]) && same_bits(result, again[3]);
      }));
}

/// Every rank has the bits of rank 0.
template <FloatingPoint T>
auto same_bits_on_all_ranks() {
  using Case = CollectiveCase<T>;
  return when(
      "there are at least 2 ranks, and the arrays are not empty",
      [](const Case& c) { return c.ranks > 1 && !c.x.empty(); },
      satisfies("same_bits_on_all_ranks", collective_same_on_ranks_1, [](const Case& c, const std::vector<T>& result) {
        const std::size_t width = result.size() / static_cast<std::size_t>(c.ranks);
        for (std::size_t k = width; k < result.size(); ++k) {
          if (same_number(result[k], result[k % width])) continue;
          remark("rank 0 has " + text_of(result[k % width]));
          return Judgement::fail(k);
        }
        return Judgement::pass();
      }));
}

/// The same bits where the ranks hold the arrays in the reverse order.
template <FloatingPoint T>
auto order_free(Run<T> run) {
  using Case = CollectiveCase<T>;
  return satisfies("order_free", collective_order_free_1, [=](const Case& c, const std::vector<T>& result) {
    Case other{c.ranks, c.n, {}};
    for (auto rank = static_cast<std::ptrdiff_t>(c.ranks); rank-- > 0;) {
      const auto first = c.x.begin() + rank * static_cast<std::ptrdiff_t>(c.width());
      other.x.insert(other.x.end(), first, first + static_cast<std::ptrdiff_t>(c.width()));
    }
    return same_bits(result, run_fenced(run, std::span<const Case>(&other, 1)).front());
  });
}

template <FloatingPoint T>
void call_collective(const ForeignKernel& kernel, const Executor& on, const CollectiveCase<T>& c, T* result) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  function<void(std::size_t, std::size_t, const T*, T*)>(kernel)(static_cast<std::size_t>(c.ranks),
                                                                 static_cast<std::size_t>(c.n), x.data(), result);
  check_input(x, on, c.x, "x");
}

/// The property of a kernel that computes a collective operation: its results, their exact values for finite cases, and
/// claims_of(run), in the order of the contracts.
template <FloatingPoint T, class ClaimsOf>
std::unique_ptr<PropertyModel> collective_property(ArrayOperation<T, CollectiveCase<T>> operation,
                                                   const Question& question, const ForeignKernel& asked_kernel,
                                                   const ClaimsOf& claims_of) {
  using Case = CollectiveCase<T>;
  const ForeignKernel kernel = may_refuse<Case>(asked_kernel, [](const Case& c) { return is_finite_case(c); });
  const Run<T> run = [kernel, calls = ArrayCalls(operation)](std::span<const Case> cases) {
    return computed(kernel, calls, Executor::host(), cases);
  };
  operation.claims = in_order_of_contracts(claims_of(run), operation.name);
  return property_of(std::move(operation), question, kernel);
}

/// What every signature of the operations is.
inline std::vector<Signature> collective_signatures() {
  return {{CallForm::plain, "void f(size_t ranks, size_t n, const T* x, T* y)"}};
}

}  // namespace assay::contracts::collectives
