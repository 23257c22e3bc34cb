#pragma once
// The answers of a program, as docs/pipe.md has them: what they hold, and whether they are answers at all.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "oracle/format.hpp"

namespace assay::doors {

/// Reads so many bytes, or throws.
using ReadBytes = std::function<void(void* into, std::size_t size)>;

/// A line that is not an answer: what is wrong, and what is accepted.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The patterns of so many numbers in a frame. Errors: those of `read`; ExecutorError if the bytes are no such frame
/// and where the frame tells of an error.
std::vector<std::uint64_t> numbers_of_frame(const ReadBytes& read, std::size_t numbers, const oracle::Format& format);

/// The patterns of so many numbers in a line. Without a format they are integers of 32 bits. A decimal number stands
/// for the nearest number of binary64 or, in narrower formats, of binary32. Errors: NoAnswer; ExecutorError if the
/// line tells of an error.
std::vector<std::uint64_t> numbers_of_line(std::string_view line, std::size_t numbers,
                                           const std::optional<oracle::Format>& format);

}  // namespace assay::doors
