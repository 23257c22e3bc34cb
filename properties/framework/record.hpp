#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "oracle/format.hpp"

namespace assay {

/// Floating-point numbers of one field as bit patterns, with the format that reads them.
struct Words {
  enum class Shape {
    scalar,  ///< one number
    fixed,   ///< several numbers whose count belongs to the type, such as the two words of a double word
    list     ///< a vector whose length belongs to the case
  };
  oracle::Format format;
  Shape shape = Shape::scalar;
  std::vector<std::uint64_t> bits;
  bool operator==(const Words&) const = default;
};

/// One named field of a case or a result: numbers or an integer.
struct FieldValue {
  std::string name;
  std::variant<Words, std::int64_t> value;
  bool operator==(const FieldValue&) const = default;
};

/// A case or a result without its C++ type: this form is printed, hashed, stored and shrunk.
struct Record {
  std::vector<FieldValue> fields;
  bool operator==(const Record&) const = default;
};

}  // namespace assay

// Compiled once, in record.cpp.
extern template class std::vector<assay::FieldValue>;
extern template class std::vector<assay::Record>;

namespace assay {

/// The size of a case, compared lexicographically: shrinking simplifies in this order.
struct Complexity {
  std::uint64_t numbers = 0;           ///< how many numbers (dimensions)
  std::uint64_t integers = 0;          ///< Σ |integer fields|
  std::uint64_t non_zero = 0;          ///< how many of the numbers are not +0
  std::uint64_t special = 0;           ///< how many are infinite or NaN
  std::uint64_t significant_bits = 0;  ///< Σ from the leading to the last set bit of each significand
  std::uint64_t set_bits = 0;          ///< Σ set bits of the significands
  std::uint64_t exponents = 0;         ///< |leading exponent| + Σ distance of the others to it
  std::uint64_t negative = 0;          ///< how many signs are minus
  auto operator<=>(const Complexity&) const = default;
};

/// The complexity of a record. Cost: linear in its numbers.
Complexity complexity(const Record& record);

}  // namespace assay
