#pragma once
// Operations whose result is an array of numbers: what their properties share.

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "properties/contracts/foreign.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/order.hpp"

namespace assay::contracts {

/// An operation whose result is an array of numbers of the type T. Truth: oracle::Dyadic or oracle::Exact.
template <FloatingPoint T, class Case, class Truth = oracle::Dyadic>
struct ArrayOperation {
  std::string name;
  Domain<Case> domain;
  std::vector<T> (*before)(const Case&);  ///< what the array of the result holds before the call
  /// Calls the function of a kernel. `result`: the array of the result, filled as before() says.
  void (*call)(const ForeignKernel& kernel, const Executor& on, const Case& c, T* result);
  std::vector<Truth> (*truth)(const Case&);
  std::vector<T> Case::*copied;  ///< the array of the inputs that the control `copy` returns
  std::vector<Claim<Case, std::vector<T>, std::vector<Truth>>> claims;
  std::shared_ptr<const Case> blank = {};  ///< of the property
};

template <FloatingPoint T>
constexpr T not_a_number() {
  return number_of<T>(format_of<T>().nan());
}

/// An array that is written only: n times a NaN before the call.
template <FloatingPoint T>
std::vector<T> unwritten(std::size_t n) {
  return std::vector<T>(n, not_a_number<T>());
}

/// The numbers nearest to the truth of a case.
template <FloatingPoint T, class Truth>
std::vector<T> nearest_to_all(const std::vector<Truth>& truth) {
  std::vector<T> result;
  result.reserve(truth.size());
  for (const Truth& each : truth) result.push_back(nearest_to<T>(each));
  return result;
}

/// What computes the results of a kernel: the members of an ArrayOperation of the same names.
template <FloatingPoint T, class Case, class Truth>
struct ArrayCalls {
  std::vector<T> (*before)(const Case&);
  void (*call)(const ForeignKernel& kernel, const Executor& on, const Case& c, T* result);
  std::vector<Truth> (*truth)(const Case&);
  std::vector<T> Case::*copied;

  explicit ArrayCalls(const ArrayOperation<T, Case, Truth>& of)
      : before(of.before), call(of.call), truth(of.truth), copied(of.copied) {}
};

/// The result of a control.
template <FloatingPoint T, class Case, class Truth>
std::vector<T> controlled(Control control, const ArrayCalls<T, Case, Truth>& operation, const Case& c) {
  thread_local std::vector<T> last;
  std::vector<T> result = operation.before(c);
  const std::size_t size = result.size();
  switch (control) {
    case Control::zeros:
      std::ranges::fill(result, T{});
      break;
    case Control::ones:
      std::ranges::fill(result, T(1));
      break;
    case Control::nan:
      std::ranges::fill(result, not_a_number<T>());
      break;
    case Control::first_term:
      if (size != 0) result.front() = nearest_to<T>(operation.truth(c).front());
      break;
    case Control::copy:
      result = c.*operation.copied;
      break;
    case Control::previous:
      result = std::exchange(last, nearest_to_all<T>(operation.truth(c)));
      break;
    case Control::unwritten:
    case Control::last_product:
      break;
  }
  result.resize(size);
  return result;
}

/// The results of a kernel.
template <FloatingPoint T, class Case, class Truth>
std::vector<std::vector<T>> computed(const ForeignKernel& kernel, const ArrayCalls<T, Case, Truth>& operation,
                                     const Executor& on, std::span<const Case> cases) {
  if (kernel.program != nullptr) {
    return results_of<T>(*kernel.program, on, cases, [&](const Case& c) { return operation.before(c).size(); });
  }
  thread_local FencedMemory memory;
  std::vector<std::vector<T>> results;
  for (const Case& c : cases) {
    if (kernel.control) {
      results.push_back(controlled(*kernel.control, operation, c));
      continue;
    }
    const FencedArray<T> result(memory, operation.before(c));
    operation.call(kernel, on, c, result.data());
    results.push_back(result.take(on));
  }
  return results;
}

/// The property of a kernel that is to compute the operation. `Order`: how it is asked about order, on rows or not;
/// void where nothing is asked.
template <class Order = void, FloatingPoint T, class Case, class Truth>
std::unique_ptr<PropertyModel> property_of(ArrayOperation<T, Case, Truth> operation, const Question& question,
                                           const ForeignKernel& kernel) {
  using Result = std::vector<T>;
  auto& claims = operation.claims;
  const RunOf<Case, Result> run(
      [kernel, calls = ArrayCalls(operation)](const Executor& on, std::span<const Case> cases) {
        return computed(kernel, calls, on, cases);
      });
  if constexpr (requires(const Case& c) { Order::rows(c); }) {
    claims.push_back(batch_invariant<Order, Case, Result, std::vector<Truth>>(kernel, run));
  }
  if constexpr (!std::is_void_v<Order>) append_order<Order>(claims, question, kernel, in_turn(kernel, run));
  return asked(Property<Case, Result, std::vector<Truth>>{.name = {},
                                                          .domain = std::move(operation.domain),
                                                          .subject = run,
                                                          .reference = operation.truth,
                                                          .claims = std::move(claims),
                                                          .blank = operation.blank},
               operation.name + format_suffix<T>(), question);
}

}  // namespace assay::contracts
