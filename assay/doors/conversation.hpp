#pragma once
// A program that is a kernel, started and greeted: the common part of the two forms of docs/pipe.md, frames and lines.

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/process/process.hpp"
#include "assay/store/json.hpp"

namespace assay::doors {

/// The form of the protocol.
enum class Speech { frames, lines };

/// A text that the program wrote, or a description of it, in one line.
std::string text_of(const store::Json& value);

/// Pipes to the standard input and from the standard output of a program, which ends with this process.
class Conversation {
 public:
  /// Starts the program and greets it. Errors: SubjectError if it cannot be started, or does not answer as the
  /// protocol says; std::runtime_error.
  Conversation(const std::string& command, const std::string& operation, const std::string& format, Speech speech);

  /// Writes all bytes. Errors: ExecutorError if the program reads no more.
  void write(std::string_view bytes);
  /// Reads this many bytes. Errors: ExecutorError if the program's output ends before that.
  void read(void* into, std::size_t size);
  /// Reads a line of at most this many bytes, without its end. Errors: ExecutorError if it is longer, or if the
  /// program's output ends before its end.
  void read_line(std::string& line, std::size_t most);

 private:
  using Pipe = std::pair<process::Descriptor, process::Descriptor>;

  /// `to` and `from`: pipes to the program's standard input and from its standard output.
  Conversation(const std::vector<std::string>& words, Pipe to, Pipe from);

  [[nodiscard]] bool send(std::string_view bytes) const;
  /// Adds the program's output to the buffer. False at the end of the output, and if nothing comes within the limit.
  bool receive(std::optional<std::chrono::milliseconds> limit = std::nullopt);
  /// The program's first line, within the time limit for it.
  bool read_greeting(std::string& line);
  /// How the program ended, or that it did not answer.
  std::string ending();

  process::Child child_;
  process::Descriptor to_;
  process::Descriptor from_;
  std::array<char, 65536> buffer_;
  std::size_t received_ = 0;  ///< number of bytes in the buffer …
  std::size_t taken_ = 0;     ///< … and how many of them were read
};

}  // namespace assay::doors
