#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace assay {

/// A format of arith of at most 8 bits that no kernel uses as a number, and what arith computes with it.
struct SmallFormat {
  const char* name;
  /// The codes of all numbers of binary16; of a format with arithmetic also sum, product, quotient and a·b + a of all
  /// pairs, in the bytes of a word.
  std::vector<std::uint32_t> (*results)(const Executor&);
};
std::span<const SmallFormat> small_formats();

}  // namespace assay
