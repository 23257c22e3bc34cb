#pragma once
// A conversion of number formats or a quantizer of blocks from outside, in a process of its own: a function of a
// library, in a library's table, or a program.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include "assay/doors/subject.hpp"
#include "assay/process/process.hpp"
#include "oracle/low_precision.hpp"

namespace assay::doors {

/// The name of the operation in tables and programs. Its format is "f32:e4m3fn": source and target.
inline constexpr std::string_view conversion_operation = "convert";
/// The operation of conversions that also take an array of random words.
inline constexpr std::string_view conversion_with_words = "convert_with_words";
/// The operation of quantizers. Its format is "f32:mxfp4": source and block format.
inline constexpr std::string_view quantization_operation = "quantize";
/// The operation of quantizers that also take an array of random words.
inline constexpr std::string_view quantization_with_words = "quantize_with_words";
/// Whether an operation is one of these: the answer is a rule, and a table's kernel is selected by name alone.
constexpr bool has_rules(std::string_view operation) {
  return operation == conversion_operation || operation == quantization_operation;
}
/// Whether a format is one of an operation that has rules.
bool is_format_of_rules(std::string_view operation, std::string_view format);

/// The hidden command of the process that converts.
inline constexpr std::string_view convert_command = "convert-subject";

class ConversionProcess {
 public:
  /// Starts the process, which loads the library or starts the program. The arrays of a library are where the question
  /// says. Errors: SubjectError if it cannot be used.
  ConversionProcess(const Subject& subject, std::chrono::milliseconds to_load, std::chrono::milliseconds to_answer);

  /// Converts `count` numbers, which lie in memory as a kernel gets them. Errors: ExecutorError if the conversion
  /// crashed, hung, reported an error, or wrote outside its result.
  void convert(std::span<const std::byte> inputs, std::size_t count, std::span<std::byte> codes);
  /// The same with a random word for each number. The operation of the subject is conversion_with_words.
  void convert(std::span<const std::byte> inputs, std::span<const std::uint32_t> words, std::span<std::byte> codes);
  /// Quantizes a tensor: the bytes of codes, scales and second numbers, one after the other. `words`: a random word for
  /// each number if the operation of the subject is quantization_with_words. Errors: as above.
  void quantize(std::size_t rows, std::size_t columns, std::span<const std::byte> inputs,
                std::span<const std::uint32_t> words, std::span<std::byte> results);

 private:
  void ask(std::uint64_t word, std::initializer_list<std::span<const std::byte>> inputs, std::span<std::byte> results);
  ConversionProcess(const Subject& subject, std::chrono::milliseconds to_load, std::chrono::milliseconds to_answer,
                    std::array<int, 2> ends);
  /// Reads an answer: its bytes, or the reason why there is none.
  void receive(std::span<std::byte> codes, std::chrono::milliseconds limit);
  void read(void* into, std::size_t size, std::chrono::steady_clock::time_point until);

  std::chrono::milliseconds to_answer_;
  process::Descriptor socket_;
  std::unique_ptr<process::Child> child_;
};

/// The process's side: answers on descriptor 3 until it is closed. Returns the exit code.
int convert_main();

}  // namespace assay::doors
