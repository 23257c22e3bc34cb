#pragma once
// Functions of this program as kernels from outside, for the tests of contracts.

#include <gtest/gtest.h>

#include <string>

#include "properties/framework/codec.hpp"
#include "tests/assay/subject_ladder.hpp"

namespace assay {

template <class Function>
ForeignKernel kernel_of(Function* function, CallForm form = CallForm::plain) {
  ForeignKernel kernel;
  kernel.function = reinterpret_cast<void*>(function);
  kernel.form = form;
  return kernel;
}

/// The contracts that the function keeps and breaks.
template <class Function>
std::string ladder_of_function(const std::string& operation, const std::string& format, Function* function,
                               CallForm form = CallForm::plain, std::uint64_t cases = 240) {
  return ladder_of_kernel(*find_operation(operation), {.format = format}, kernel_of(function, form), cases);
}

/// How often the claim of the contract was judged, was passed over and was violated.
inline ClaimTally tally_of(const std::string& operation, const std::string& format, const ForeignKernel& kernel,
                           const std::string& contract, std::uint64_t cases = 240) {
  const auto property = find_operation(operation)->property({.format = format}, kernel);
  const Tally tally = judged(*property, cases);
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    if (property->info().claims[i].id == contract) return tally.claims[i];
  }
  ADD_FAILURE() << operation << " has no claim " << contract;
  return {};
}

/// Whether the function keeps the contract in all cases, at least one of which was judged.
template <class Function>
bool keeps(const std::string& operation, const std::string& format, Function* function, const std::string& contract,
           CallForm form = CallForm::plain) {
  const ClaimTally tally = tally_of(operation, format, kernel_of(function, form), contract);
  return tally.executed != 0 && tally.violated == 0;
}

/// The verdict of the contract on one case; empty if the claim does not judge it.
template <class Function, class Case>
std::optional<Verdict> verdict_on(const std::string& operation, const std::string& format, Function* function,
                                  const std::string& contract, const Case& c) {
  const auto property = find_operation(operation)->property({.format = format}, kernel_of(function));
  const Record record = record_of(c);
  EXPECT_TRUE(property->contains(record));
  const CaseOutcome outcome = property->judge(Executor::host(), std::span(&record, 1)).front();
  for (std::size_t i = 0; i < outcome.claims.size(); ++i) {
    if (property->info().claims[i].id != contract) continue;
    return outcome.claims[i].applies ? std::optional(outcome.claims[i].judgement.verdict) : std::nullopt;
  }
  ADD_FAILURE() << operation << " has no claim " << contract;
  return std::nullopt;
}

}  // namespace assay
