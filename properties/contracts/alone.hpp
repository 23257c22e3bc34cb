#pragma once
// The same entries without what is beside them.

#include <cstddef>
#include <span>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "exec/executor.hpp"
#include "properties/contracts/foreign.hpp"
#include "properties/framework/codec.hpp"

namespace assay::contracts {

/// Whether the results for the cases `entries`, each of one entry, have the bits that `result` has at `places`.
template <class Case, class Result, class Run>
Judgement judge_alone(const Run& run, const std::vector<Case>& entries, const std::vector<std::size_t>& places,
                      const Result& result) {
  const std::vector<Result> again = run_fenced(run, Executor::host(), std::span<const Case>(entries));
  Judgement worst;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool is_same = again[i].size() == 1 && same_bits(again[i].front(), result[places[i]]);
    worst.worsen(Judgement::of(is_same, places[i]));
  }
  worst.judged = places.size();
  return worst;
}

}  // namespace assay::contracts
