#pragma once
// The answers of a program in the protocol of docs/pipe.md: reads them, and refuses malformed ones.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "oracle/format.hpp"

namespace assay::doors {

/// Reads this many bytes, or throws.
using ReadBytes = std::function<void(void* into, std::size_t size)>;

/// A line that is not an answer: the error, and what is accepted.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The patterns of this many numbers in a frame. Errors: those of `read`; ExecutorError if the bytes are no such frame,
/// or if the frame reports an error.
std::vector<std::uint64_t> numbers_of_frame(const ReadBytes& read, std::size_t numbers, const oracle::Format& format);

/// The patterns of this many numbers in a line. Without a format they are integers of 32 bits. A decimal number stands
/// for the nearest number of binary64 or, in narrower formats, of binary32. Errors: NoAnswer; ExecutorError if the line
/// reports an error.
std::vector<std::uint64_t> numbers_of_line(std::string_view line, std::size_t numbers,
                                           const std::optional<oracle::Format>& format);

}  // namespace assay::doors
