#pragma once
// Shapes of a user's own: lengths of the dimensions of an operation, by their names.

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

/// A shape that cannot be asked for: one line that names the fault and what is accepted.
class ShapeError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A dimension, of any length from `low` to `high`.
struct Dimension {
  std::string name;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Dimensions with their lengths; those that are not named are drawn as ever.
using AskedShape = std::vector<Dimension>;

/// "n=8193", "m=1..64, n=7".
std::string text_of(const AskedShape& shape);

/// The shapes of a text: "m=4096,n=64,k=200"; "n=8193,100000" are two lengths of n; "n=1..4096" draws the length of
/// each case; a semicolon stands between shapes. Of several lists every combination is a shape. Errors: ShapeError for
/// another form, a dimension given twice, or more than 64 shapes.
std::vector<AskedShape> shapes_of(std::string_view text);

/// Errors: ShapeError where a shape has a name that is not among the dimensions of the operation.
void require_dimensions(std::span<const AskedShape> shapes, std::string_view operation,
                        std::span<const std::string> dimensions);

/// The most bytes that a case may need, with the exact result and what is kept to judge it.
inline constexpr double most_bytes_of_case = 0x1p33;

/// Errors: ShapeError where a case of so many numbers needs more than most_bytes_of_case.
void require_memory(const AskedShape& shape, double numbers, double bytes_a_number);

/// While one lives, the draws of its thread take the lengths of a shape, each drawn once.
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

/// The length that is asked of the dimension; nothing where none is.
std::optional<std::int64_t> asked_length(std::string_view dimension);

}  // namespace assay
