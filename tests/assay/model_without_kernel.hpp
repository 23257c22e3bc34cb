#pragma once
// A made-up property that has cases, and nothing to run or to judge.

#include <optional>
#include <span>
#include <vector>

#include "properties/framework/model.hpp"

namespace assay {

class ModelWithoutKernel : public PropertyModel {
 public:
  Tally run(const Executor&, std::uint64_t, const CaseRange&, const BatchObserver&) const override {
    return empty_tally();
  }
  std::vector<CaseOutcome> judge(const Executor&, std::span<const Record>, std::optional<std::size_t>) const override {
    return {};
  }
  std::vector<std::optional<Judgement>> judge_claim(const Executor&, std::span<const Record>,
                                                    std::size_t) const override {
    return {};
  }
  std::vector<Words> evaluate(const Executor&, std::span<const Record>) const override { return {}; }
};

}  // namespace assay
