#pragma once
// Properties of the tier `giant`: their cases are a seed and sizes, and their operands of more than 2³¹ elements are
// generated in the memory of the executor. They run only if they are requested and there is enough memory.

#include <cstdint>
#include <string>

namespace assay {

/// The memory for the largest case of a property, in bytes.
struct GiantNeed {
  std::uint64_t host = 0;
  std::uint64_t device = 0;
};

/// Puts a property into the tier. For a static object next to the property's Registration.
class Giant {
 public:
  Giant(std::string property, const GiantNeed& need);
};

/// The memory that a property needs, or nullptr for a property of another tier.
const GiantNeed* giant_need(const std::string& property);

}  // namespace assay
