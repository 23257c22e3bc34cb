#pragma once
// Properties of the tier `giant`: their cases are a seed and sizes, and their operands of more than 2³¹ elements are
// made where they lie. They run only where they are asked for and memory is left for them.

#include <cstdint>
#include <string>

namespace assay {

/// What the largest case of a property needs, in bytes.
struct GiantNeed {
  std::uint64_t host = 0;
  std::uint64_t device = 0;
};

/// Puts a property into the tier. For a static object beside its Registration.
class Giant {
 public:
  Giant(std::string property, const GiantNeed& need);
};

/// What a property needs, or nullptr for a property of another tier.
const GiantNeed* giant_need(const std::string& property);

}  // namespace assay
