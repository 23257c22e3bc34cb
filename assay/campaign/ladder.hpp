#pragma once
// The contracts that a kernel from outside keeps and breaks, and whether wrong kernels in its place are refused.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/store/summary_io.hpp"
#include "properties/framework/operation.hpp"

namespace assay::campaign {

using store::kept;

/// Whether a claim is judged for a kernel from outside with these promised contracts. Claims that are not contracts:
/// always. Contracts: if promised; if none is promised, those on the ladder.
bool is_asked(const Operation& operation, const std::string& claim, const std::vector<std::string>& promised);

/// The wrong kernels that contracts do not refuse.
struct Unrefused {
  /// For a contract about an error that lets a control pass: the claim and the control, "subject.dot/faithful: zeros".
  std::vector<std::string> passed;
  /// By contract that is not about an error: the controls that keep it.
  std::map<std::string, std::vector<std::string>> blind;
  /// The first cases, and the bits of inputs and results of each control in them.
  CaseRange first;
  std::vector<std::pair<Control, BitSums>> bits;
};

/// Judges up to 200 cases of each control in place of a kernel; up to 2000 if the domain is enumerated.
Unrefused judge_controls(const Operation& operation, const Question& question, std::uint64_t seed);

}  // namespace assay::campaign
