#pragma once
// Contracts about order (docs/bounds/contract.md): the same bits in every batch, from every place and in every run.
//
// An Order says how cases of an operation are asked:
//   Case data(const Case& like, std::size_t n, next)   a case with n terms a sum whose sums show another order
//   std::size_t terms(const Case&)                     the terms of each sum; 0 where nothing is added
//   void swap(Case&, i, j)                             lets terms i and j of every sum trade places
//   bool is_same(const Result&, const Result&, i, j)   whether the second result, with i and j swapped, is the first
// and, of operations on rows,
//   std::size_t rows(const Case&)
//   Case row(const Case&, r)                           row r alone
//   std::size_t numbers(const Case& row)               that one more row of the batch needs
//   Case in_batch(const Case& row, size, first, next)  the row at the places first, first + 2, …, and others between
// and, of operations that take chunks,
//   Case chunk(const Case&, from, to)                  the terms from … to − 1
//   Case behind(const Result&, Case rest)              the rest with the result of the chunk before it as first term
//   Result together(const Result&, const Result&)      the result of both calls

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "exec/fenced.hpp"
#include "properties/contracts/increments.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/order_data.hpp"
#include "properties/framework/device_turn.hpp"

namespace assay::contracts {

/// So many pairs of terms trade places in the data of a case.
inline constexpr std::size_t swaps_of_case = 4;

/// A pair of different terms. Requires: n ≥ 2 (not checked).
inline std::pair<std::size_t, std::size_t> pair_of_terms(bits::SplitMix64& next, std::size_t n) {
  const std::size_t i = next() % n;
  const std::size_t j = (i + 1 + next() % (n - 1)) % n;
  return {i, j};
}

/// The data with pairs of terms in each other's place, behind the other cases of a call, and how many of them show.
template <class Order, class Case>
class SwappedData {
 public:
  SwappedData(const Case& data, bits::SplitMix64& next, std::vector<Case>& cases) : first_(cases.size()) {
    const std::size_t n = Order::terms(data);
    for (std::size_t k = 0; n > 1 && k < swaps_of_case; ++k) {
      pairs_.push_back(pair_of_terms(next, n));
      cases.push_back(data);
      Order::swap(cases.back(), pairs_.back().first, pairs_.back().second);
    }
  }
  [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& pairs() const { return pairs_; }
  /// `results`: of all cases; `of_data`: of the data as they are.
  template <class Result>
  [[nodiscard]] Swaps seen(const std::vector<Result>& results, const Result& of_data) const {
    Swaps swaps{pairs_.size(), 0};
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const auto [i, j] = pairs_[k];
      swaps.seen += Order::is_same(of_data, results[first_ + k], i, j) ? 0 : 1;
    }
    return swaps;
  }

 private:
  std::size_t first_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

/// The first place at which the bits differ, a NaN equal to any NaN; nothing where there is none. A place behind the
/// shorter one differs.
template <class Number>
std::optional<std::size_t> first_difference(std::span<const Number> x, std::span<const Number> y) {
  const std::size_t n = std::min(x.size(), y.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (!same_bits(x[i], y[i])) return i;
  }
  return x.size() == y.size() ? std::nullopt : std::optional(n);
}
/// The numbers of a result.
template <class Number>
std::span<const Number> numbers_of(const std::vector<Number>& result) {
  return result;
}
template <FloatingPoint Number>
std::span<const Number> numbers_of(const Number& result) {
  return {&result, 1};
}

/// "0x1p+0 alone, 0x1.8p+0 in place 3 of 4 rows".
template <class Number>
std::string told_difference(std::span<const Number> x, std::span<const Number> y, std::size_t at,
                            const std::string& of_x, const std::string& of_y) {
  const auto text = [&](std::span<const Number> of) { return at < of.size() ? text_of(of[at]) : "no number"; };
  return text(x) + " " + of_x + ", " + text(y) + " " + of_y;
}

/// How many rows a batch has, of several sizes with at most `most` numbers, each row of `numbers`.
inline std::size_t size_of_batch(bits::SplitMix64& next, std::size_t numbers, std::size_t most) {
  static constexpr std::array<std::size_t, 16> sizes{2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257};
  const auto fits = [&](std::size_t size) { return size == 2 || size * numbers <= most; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(sizes, fits));
  return sizes[next() % count];
}

/// A row of the case has the bits that it has alone and in every place of a batch, and so has a row whose sums show
/// another order. `most`: numbers of a batch.
template <class Order, class Case, class Result, class Run>
Judgement judge_batches(const Run& run, const Case& c, const Result& result, std::size_t most) {
  if (Order::rows(c) == 0 || result.empty()) return Judgement::pass();
  bits::SplitMix64 next = words_of(record_of(c));
  const std::size_t r = next() % Order::rows(c);
  const std::array<Case, 2> rows{Order::row(c, r), Order::data(c, Order::terms(c), next)};
  std::array<std::size_t, 2> sizes{};
  std::vector<Case> cases;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    sizes[k] = size_of_batch(next, Order::numbers(rows[k]), most);
    cases.push_back(rows[k]);
    for (const std::size_t first : {0U, 1U}) cases.push_back(Order::in_batch(rows[k], sizes[k], first, next));
  }
  const SwappedData<Order, Case> swapped(rows[1], next, cases);
  const std::vector<Result> results = run_fenced(run, Executor::host(), std::span<const Case>(cases));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::span alone = numbers_of(results[3 * k]);
    const auto differs = [&](auto others, const std::string& where) {
      const auto at = first_difference(alone, others);
      if (!at) return false;
      take_remark();
      remark((k == 0 ? "row " + std::to_string(r) : "a row of " + std::to_string(Order::terms(c)) + " terms") +
             " has " + told_difference(alone, others, *at, "alone", where));
      return true;
    };
    if (k == 0) {
      const std::size_t width = result.size() / Order::rows(c);
      if (differs(numbers_of(result).subspan(r * width, width), "in the case")) return Judgement::fail(r * width);
    }
    for (const std::size_t first : {0U, 1U}) {
      const std::span batch = numbers_of(results[3 * k + 1 + first]);
      const std::size_t width = batch.size() / sizes[k];
      for (std::size_t p = first; p < sizes[k]; p += 2) {
        if (differs(batch.subspan(p * width, width),
                    "in place " + std::to_string(p) + " of " + std::to_string(sizes[k]) + " rows")) {
          return Judgement::fail();
        }
      }
    }
  }
  Judgement judgement = Judgement::pass();
  judgement.swaps = swapped.seen(results, results[3]);
  return judgement;
}

/// The case and data with another order have the same bits in a second run, behind other calls.
template <class Order, class Case, class Result, class Run>
Judgement judge_again(const Run& run, const Case& c, const Result& result) {
  bits::SplitMix64 next = words_of(record_of(c));
  const std::size_t n = Order::terms(c);
  const Case data = Order::data(c, n, next);
  const Case other = Order::data(c, n + 1 + next() % (n + 1), next);
  std::vector<Case> cases{data, other, c, data};
  const SwappedData<Order, Case> swapped(data, next, cases);
  const std::vector<Result> results = run_fenced(run, Executor::host(), std::span<const Case>(cases));
  Judgement judgement = Judgement::pass();
  for (const auto& [before, after] : {std::pair(&result, &results[2]), std::pair(&results[0], &results[3])}) {
    const auto at = first_difference(numbers_of(*before), numbers_of(*after));
    if (!at) continue;
    take_remark();
    remark((before == &result ? "" : "of " + std::to_string(n) + " terms ") +
           told_difference(numbers_of(*before), numbers_of(*after), *at, "before", "behind other calls"));
    return Judgement::fail(before == &result ? *at : 0);
  }
  judgement.swaps = swapped.seen(results, results[0]);
  return judgement;
}

/// The case and data with another order have the same bits where the arrays stand elsewhere, and with other increments.
template <class Order, class Case, class Result, class Run>
Judgement judge_places(const Run& run, const Case& c, const Result& result) {
  static constexpr std::array<std::size_t, 8> distances{1, 2, 3, 4, 7, 8, 16, 33};
  constexpr std::size_t places = 3;
  bits::SplitMix64 next = words_of(record_of(c));
  const Case data = Order::data(c, Order::terms(c), next);
  std::vector<Case> cases{c, data};
  const SwappedData<Order, Case> swapped(data, next, cases);
  const std::vector<Result> here = run_fenced(run, Executor::host(), std::span<const Case>(cases));
  for (std::size_t k = 0; k < places; ++k) {
    const std::size_t distance = distances[k == 0 ? 0 : next() % distances.size()];
    const Displaced displaced(distance);
    const OtherIncrements other(next());
    const std::vector<Result> there = run_fenced(run, Executor::host(), std::span<const Case>(cases).first(2));
    for (std::size_t i = 0; i < there.size(); ++i) {
      const Result& before = i == 0 ? result : here[i];
      const auto at = first_difference(numbers_of(before), numbers_of(there[i]));
      if (!at) continue;
      take_remark();
      remark((i == 0 ? "" : "of " + std::to_string(Order::terms(c)) + " terms ") +
             told_difference(numbers_of(before), numbers_of(there[i]), *at, "at the end of a page",
                             "from " + std::to_string(distance) + " elements in front of it"));
      return Judgement::fail(i == 0 ? *at : 0);
    }
  }
  Judgement judgement = Judgement::pass();
  judgement.swaps = swapped.seen(here, here[1]);
  return judgement;
}

/// The case and data with another order have the same bits in one call and in two chunks.
template <class Order, class Case, class Result, class Run>
Judgement judge_splits(const Run& run, const Case& c, const Result& result) {
  constexpr std::size_t splits = 3;
  const std::size_t n = Order::terms(c);
  if (n < 2) return Judgement::pass();
  bits::SplitMix64 next = words_of(record_of(c));
  const std::array<Case, 2> whole{c, Order::data(c, n, next)};
  std::vector<Case> cases{whole[1]};
  const SwappedData<Order, Case> swapped(whole[1], next, cases);
  const std::size_t from = cases.size();
  std::vector<std::size_t> at;
  for (std::size_t k = 0; k < splits * whole.size(); ++k) {
    at.push_back(1 + next() % (n - 1));
    cases.push_back(Order::chunk(whole[k % whole.size()], 0, at[k]));
  }
  const std::vector<Result> first = run_fenced(run, Executor::host(), std::span<const Case>(cases));
  std::vector<Case> rests;
  for (std::size_t k = 0; k < at.size(); ++k) {
    rests.push_back(Order::behind(first[from + k], Order::chunk(whole[k % whole.size()], at[k], n)));
  }
  const std::vector<Result> second = run_fenced(run, Executor::host(), std::span<const Case>(rests));
  for (std::size_t k = 0; k < at.size(); ++k) {
    const bool is_case = k % whole.size() == 0;
    const Result& before = is_case ? result : first[0];
    const Result after = Order::together(first[from + k], second[k]);
    const auto differs = first_difference(numbers_of(before), numbers_of(after));
    if (!differs) continue;
    take_remark();
    remark((is_case ? "" : "of " + std::to_string(n) + " terms ") +
           told_difference(numbers_of(before), numbers_of(after), *differs, "in one call",
                           "in chunks of " + std::to_string(at[k]) + " and " + std::to_string(n - at[k])));
    return Judgement::fail(is_case ? *differs : 0);
  }
  Judgement judgement = Judgement::pass();
  judgement.swaps = swapped.seen(first, first[0]);
  return judgement;
}

/// Whether an operation has a form that takes chunks.
template <class Order, class Case>
concept HasChunks = requires(const Case& c) { Order::chunk(c, 0, 1); };

/// Whether the arrays of the kernel stand in fenced memory of this process.
inline bool has_places(const ForeignKernel& kernel) {
  if (kernel.on_device || kernel.control) return false;
  return kernel.program == nullptr ? kernel.function != nullptr : kernel.program->has_places();
}

/// A run of a kernel that takes its turn on the device.
template <class Run>
auto in_turn(const ForeignKernel& kernel, const Run& run) {
  return [kernel, run](const Executor& on, auto cases) {
    const DeviceTurn turn(kernel.on_device);
    return run(on, cases);
  };
}

/// So many numbers a batch of rows of the kernel has. The results of a control are exact ones, which cost more.
inline std::size_t most_in_batch(const ForeignKernel& kernel) { return kernel.control ? 32 : 8192; }

/// The claim that a row is the same in every batch.
template <class Order, class Case, class Result, class Truth, class Run>
Claim<Case, Result, Truth> batch_invariant(const ForeignKernel& kernel, const Run& run) {
  return claim_spec(
      "batch_invariant", contract_batch_invariant_1,
      [run = in_turn(kernel, run), most = most_in_batch(kernel)](const Case& c, const Truth&, const Result& result) {
        return judge_batches<Order>(run, c, result, most);
      });
}

/// Appends the claims of `with_order`, in the order of its contracts. `again`: a run that takes its turn on the device.
template <class Order, class Case, class Result, class Truth, class Run>
void append_order(std::vector<Claim<Case, Result, Truth>>& claims, const Question& question,
                  const ForeignKernel& kernel, const Run& again) {
  const auto is_asked = [&](const char* contract) { return question.names(contract) && !kernel.control; };
  claims.push_back(when(
      "the arrays stand in memory of the judge",
      [moves = is_asked("place_invariant") && has_places(kernel)](const Case&) { return moves; },
      claim_spec("place_invariant", contract_place_invariant_1,
                 [again](const Case& c, const Truth&, const Result& result) {
                   return judge_places<Order>(again, c, result);
                 })));
  claims.push_back(when(
      "it is asked by name", [is_named = is_asked("run_to_run")](const Case&) { return is_named; },
      claim_spec("run_to_run", contract_run_to_run_1, [again](const Case& c, const Truth&, const Result& result) {
        return judge_again<Order>(again, c, result);
      })));
  if constexpr (HasChunks<Order, Case>) {
    claims.push_back(when(
        "it is asked by name", [is_named = is_asked("split_invariant")](const Case&) { return is_named; },
        claim_spec("split_invariant", contract_split_invariant_1,
                   [again](const Case& c, const Truth&, const Result& result) {
                     return judge_splits<Order>(again, c, result);
                   })));
  }
}

/// The contracts, and those about order that are asked where they are promised, in these formats; empty for all.
inline std::vector<Contract> with_order(std::vector<Contract> contracts, const std::vector<std::string>& formats = {}) {
  contracts.push_back({"place_invariant", &contract_place_invariant_1.words, {}, {}, false, formats, {}, false});
  contracts.push_back({"run_to_run", &contract_run_to_run_1.words, {}, {}, false, formats, {}, false});
  return contracts;
}
/// The same of an operation that has a form that takes chunks.
inline std::vector<Contract> with_order_of_chunks(std::vector<Contract> contracts) {
  contracts = with_order(std::move(contracts));
  contracts.push_back({"split_invariant", &contract_split_invariant_1.words, {}, {}, false, {}, {}, false});
  return contracts;
}
/// The same of an operation on rows.
inline std::vector<Contract> with_order_of_rows(std::vector<Contract> contracts) {
  contracts.push_back({"batch_invariant", &contract_batch_invariant_1.words, {}, {}, false});
  return with_order(std::move(contracts));
}

}  // namespace assay::contracts
