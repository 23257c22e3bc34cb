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

/// A pair of different terms. Requires: n ≥ 2 (not checked).
std::pair<std::size_t, std::size_t> pair_of_terms(bits::SplitMix64& next, std::size_t n);

/// A case that is asked about order, with its types erased: what asks is compiled once, in order.cpp. The cases that it
/// makes, and the results of calls with them, have numbers in the order in which they came.
class AskedOrder {
 public:
  /// The number of the case that is judged, and of its result.
  static constexpr std::size_t judged = std::size_t(-1);
  /// Numbers of a result.
  struct Part {
    std::size_t from = 0;
    std::size_t count = std::size_t(-1);
  };
  /// The first place at which two results differ, and what they have there.
  struct Difference {
    std::size_t at;
    std::string told;
  };

  explicit AskedOrder(const Record& record) : next(words_of(record)) {}
  virtual ~AskedOrder();
  AskedOrder(const AskedOrder&) = delete;
  AskedOrder& operator=(const AskedOrder&) = delete;

  bits::SplitMix64 next;

  [[nodiscard]] virtual std::size_t cases() const = 0;
  [[nodiscard]] virtual std::size_t results() const = 0;
  [[nodiscard]] virtual std::size_t numbers_of_result(std::size_t result) const = 0;
  /// The terms of each sum of a case.
  [[nodiscard]] virtual std::size_t terms(std::size_t number) const = 0;
  virtual void swap(std::size_t number, std::size_t i, std::size_t j) = 0;
  // Each of these adds a case.
  virtual void add_copy(std::size_t number) = 0;
  virtual void add_data(std::size_t n) = 0;
  /// Runs the kernel on `count` cases from the first on, and adds their results.
  virtual void run(std::size_t first, std::size_t count) = 0;
  [[nodiscard]] virtual std::optional<Difference> difference(std::size_t x, Part of_x, const std::string& where_x,
                                                             std::size_t y, Part of_y,
                                                             const std::string& where_y) const = 0;
  /// Whether result y, with terms i and j swapped, is result x.
  [[nodiscard]] virtual bool is_same(std::size_t x, std::size_t y, std::size_t i, std::size_t j) const = 0;

  // Of operations on rows.
  [[nodiscard]] virtual std::size_t rows() const { return 0; }
  [[nodiscard]] virtual std::size_t numbers(std::size_t /*row*/) const { return 0; }
  virtual void add_row(std::size_t /*of_judged*/) {}
  virtual void add_batch(std::size_t /*row*/, std::size_t /*size*/, std::size_t /*first*/) {}

  // Of operations that take chunks.
  virtual void add_chunk(std::size_t /*number*/, std::size_t /*from*/, std::size_t /*to*/) {}
  /// The terms of case `number` from `from` on, behind a result.
  virtual void add_rest(std::size_t /*result*/, std::size_t /*number*/, std::size_t /*from*/) {}
  /// Adds the result of both calls.
  virtual void join_results(std::size_t /*first*/, std::size_t /*second*/) {}
};

/// Cases with pairs of terms of some data in each other's place.
class SwappedData {
 public:
  /// Adds the cases.
  SwappedData(AskedOrder& asked, std::size_t data);
  [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& pairs() const { return pairs_; }
  /// How many of the pairs show in the results; `of_data`: the data's. A result has the number of its case, and `shift`
  /// more.
  [[nodiscard]] Swaps seen(const AskedOrder& asked, std::size_t of_data, std::ptrdiff_t shift = 0) const;

 private:
  std::size_t first_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

/// A row of the case has the bits that it has alone and in every place of a batch, and so has a row whose sums show
/// another order. `most`: numbers of a batch.
Judgement judge_batches(AskedOrder& asked, std::size_t most);
/// The case and data with another order have the same bits in a second run, behind other calls.
Judgement judge_again(AskedOrder& asked, std::size_t most);
/// The case and data with another order have the same bits where the arrays stand elsewhere, and with other increments.
Judgement judge_places(AskedOrder& asked, std::size_t most);
/// The case and data with another order have the same bits in one call and in two chunks.
Judgement judge_splits(AskedOrder& asked, std::size_t most);

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

/// Whether an operation is one on rows, and whether it has a form that takes chunks.
template <class Order, class Case>
concept HasRows = requires(const Case& c) { Order::rows(c); };
template <class Order, class Case>
concept HasChunks = requires(const Case& c) { Order::chunk(c, 0, 1); };

/// Runs a kernel on cases.
template <class Case, class Result>
using RunOf = SharedFunction<std::vector<Result>(const Executor&, std::span<const Case>)>;

/// Of an operation with these types.
template <class Order, class Case, class Result>
class AskedOrderOf final : public AskedOrder {
 public:
  /// Keeps all of them by reference.
  AskedOrderOf(const RunOf<Case, Result>& run, const Case& c, const Result& result)
      : AskedOrder(record_of(c)), run_(run), judged_(c), result_(result) {}

  [[nodiscard]] std::size_t cases() const override { return cases_.size(); }
  [[nodiscard]] std::size_t results() const override { return results_.size(); }
  [[nodiscard]] std::size_t numbers_of_result(std::size_t result) const override {
    return numbers_of(result_at(result)).size();
  }
  [[nodiscard]] std::size_t terms(std::size_t number) const override { return Order::terms(case_at(number)); }
  void swap(std::size_t number, std::size_t i, std::size_t j) override { Order::swap(cases_[number], i, j); }
  void add(Case c) { cases_.push_back(std::move(c)); }
  void add_copy(std::size_t number) override { add(Case(case_at(number))); }
  void add_data(std::size_t n) override { add(Order::data(judged_, n, next)); }
  void add_results(std::vector<Result> results) {
    results_.insert(results_.end(), std::move_iterator(results.begin()), std::move_iterator(results.end()));
  }
  void run(std::size_t first, std::size_t count) override {
    add_results(run_fenced(run_, Executor::host(), std::span<const Case>(cases_).subspan(first, count)));
  }
  [[nodiscard]] std::optional<Difference> difference(std::size_t x, Part of_x, const std::string& where_x,
                                                     std::size_t y, Part of_y,
                                                     const std::string& where_y) const override {
    const auto numbers_x = numbers_of(result_at(x)).subspan(of_x.from, of_x.count);
    const auto numbers_y = numbers_of(result_at(y)).subspan(of_y.from, of_y.count);
    const auto at = first_difference(numbers_x, numbers_y);
    if (!at) return std::nullopt;
    return Difference{*at, told_difference(numbers_x, numbers_y, *at, where_x, where_y)};
  }
  [[nodiscard]] bool is_same(std::size_t x, std::size_t y, std::size_t i, std::size_t j) const override {
    return Order::is_same(result_at(x), result_at(y), i, j);
  }

  [[nodiscard]] std::size_t rows() const override {
    if constexpr (HasRows<Order, Case>) return Order::rows(judged_);
    return 0;
  }
  [[nodiscard]] std::size_t numbers(std::size_t row) const override {
    if constexpr (HasRows<Order, Case>) return Order::numbers(cases_[row]);
    return AskedOrder::numbers(row);
  }
  void add_row(std::size_t of_judged) override {
    if constexpr (HasRows<Order, Case>) add(Order::row(judged_, of_judged));
  }
  void add_batch(std::size_t row, std::size_t size, std::size_t first) override {
    if constexpr (HasRows<Order, Case>) add(Order::in_batch(cases_[row], size, first, next));
  }

  void add_chunk(std::size_t number, std::size_t from, std::size_t to) override {
    if constexpr (HasChunks<Order, Case>) add(Order::chunk(case_at(number), from, to));
  }
  void add_rest(std::size_t result, std::size_t number, std::size_t from) override {
    if constexpr (HasChunks<Order, Case>) {
      const Case& c = case_at(number);
      add(Order::behind(results_[result], Order::chunk(c, from, Order::terms(c))));
    }
  }
  void join_results(std::size_t first, std::size_t second) override {
    if constexpr (HasChunks<Order, Case>) results_.push_back(Order::together(results_[first], results_[second]));
  }

  [[nodiscard]] const Case& case_at(std::size_t number) const { return number == judged ? judged_ : cases_[number]; }
  [[nodiscard]] const Result& result_at(std::size_t number) const {
    return number == judged ? result_ : results_[number];
  }

 private:
  const RunOf<Case, Result>& run_;
  const Case& judged_;
  const Result& result_;
  std::vector<Case> cases_;
  std::vector<Result> results_;
};

/// Whether the arrays of the kernel stand in fenced memory of this process.
inline bool has_places(const ForeignKernel& kernel) {
  if (kernel.on_device || kernel.control) return false;
  return kernel.program == nullptr ? kernel.function != nullptr : kernel.program->has_places();
}

/// A run of a kernel that takes its turn on the device.
template <class Case, class Result>
RunOf<Case, Result> in_turn(const ForeignKernel& kernel, const RunOf<Case, Result>& run) {
  return [kernel, run](const Executor& on, std::span<const Case> cases) {
    const DeviceTurn turn(kernel.on_device);
    return run(on, cases);
  };
}

/// So many numbers a batch of rows of the kernel has. The results of a control are exact ones, which cost more.
inline std::size_t most_in_batch(const ForeignKernel& kernel) { return kernel.control ? 32 : 8192; }

/// A claim about order that judge(asked, most) decides.
template <class Order, class Case, class Result, class Truth>
Claim<Case, Result, Truth> order_claim(const char* id, const TheoremWords& theorem, const RunOf<Case, Result>& run,
                                       Judgement (*judge)(AskedOrder& asked, std::size_t most), std::size_t most = 0) {
  return {claim_info(id, theorem),
          [run, judge, most](const Case& c, const Truth&, const Result& result) {
            AskedOrderOf<Order, Case, Result> asked(run, c, result);
            return judge(asked, most);
          },
          {}};
}

/// The claim that a row is the same in every batch.
template <class Order, class Case, class Result, class Truth>
Claim<Case, Result, Truth> batch_invariant(const ForeignKernel& kernel, const RunOf<Case, Result>& run) {
  return order_claim<Order, Case, Result, Truth>("batch_invariant", contract_batch_invariant_1.words,
                                                 in_turn(kernel, run), judge_batches, most_in_batch(kernel));
}

/// Appends the claims of `with_order`, in the order of its contracts. `again`: a run that takes its turn on the device.
template <class Order, class Case, class Result, class Truth>
void append_order(std::vector<Claim<Case, Result, Truth>>& claims, const Question& question,
                  const ForeignKernel& kernel, const std::type_identity_t<RunOf<Case, Result>>& again) {
  const auto append = [&](const char* id, const TheoremWords& theorem, auto* judge, const char* preconditions,
                          bool is_possible) {
    Claim<Case, Result, Truth> claim = order_claim<Order, Case, Result, Truth>(id, theorem, again, judge);
    claim.info.preconditions = preconditions;
    claim.applies = [applies = is_possible && question.names(id) && !kernel.control](const Case&) { return applies; };
    claims.push_back(std::move(claim));
  };
  append("place_invariant", contract_place_invariant_1.words, &judge_places, "the arrays stand in memory of the judge",
         has_places(kernel));
  append("run_to_run", contract_run_to_run_1.words, &judge_again, "it is asked by name", true);
  if constexpr (HasChunks<Order, Case>) {
    append("split_invariant", contract_split_invariant_1.words, &judge_splits, "it is asked by name", true);
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
