#pragma once
// Shapes that a user names: lengths of the dimensions of an operation.

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/framework/draw.hpp"

namespace assay {

/// A shape that is not accepted. The message is one line: the fault, and what is accepted.
class ShapeError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A dimension whose length is from `low` to `high`.
struct Dimension {
  std::string name;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Dimensions with their lengths. The lengths of all other dimensions are drawn as without a shape.
using AskedShape = std::vector<Dimension>;

/// "n=8193", "m=1..64, n=7".
std::string text_of(const AskedShape& shape);

/// The shapes of a text: "m=4096,n=64,k=200". "n=8193,100000" gives two lengths of n; with several such lists, every
/// combination is a shape. "n=1..4096" draws the length for each case. Semicolons separate shapes. Errors: ShapeError
/// for another form, a dimension given twice, or more than 64 shapes.
std::vector<AskedShape> shapes_of(std::string_view text);

/// Errors: ShapeError if a shape names a dimension that the operation does not have.
void require_dimensions(std::span<const AskedShape> shapes, std::string_view operation,
                        std::span<const std::string> dimensions);

/// The most bytes that a case may need, including the exact result and the data to judge it.
inline constexpr double most_bytes_of_case = 0x1p33;

/// Errors: ShapeError if a case with `numbers` numbers needs more than most_bytes_of_case.
void require_memory(const AskedShape& shape, double numbers, double bytes_a_number);

/// During the lifetime of an object, asked_length() on its thread gives the lengths of the shape. Each length is drawn
/// once, by the constructor.
class AskedLengths {
 public:
  AskedLengths(Draw& draw, const AskedShape& shape);
  ~AskedLengths();
  AskedLengths(const AskedLengths&) = delete;
  AskedLengths& operator=(const AskedLengths&) = delete;

 private:
  std::vector<std::pair<std::string, std::int64_t>> lengths_;
  const std::vector<std::pair<std::string, std::int64_t>>* outer_;
};

/// The length that the current shape gives the dimension. Empty if it gives none.
std::optional<std::int64_t> asked_length(std::string_view dimension);

}  // namespace assay
