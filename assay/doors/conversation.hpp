#pragma once
// A program that is a kernel, started and greeted: what both forms of docs/pipe.md, frames and lines, share.

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

/// How a program is spoken to.
enum class Speech { frames, lines };

/// A text that the program wrote, or a document in its place, in one line.
std::string text_of(const store::Json& value);

/// Pipes to the standard input and from the standard output of a program, which ends with this process.
class Conversation {
 public:
  /// Starts the program and greets it. Errors: SubjectError if it cannot be started, or does not answer as the
  /// protocol says; std::runtime_error.
  Conversation(const std::string& command, const std::string& operation, const std::string& format, Speech speech);

  /// Writes all bytes. Errors: ExecutorError if the program takes no more.
  void write(std::string_view bytes);
  /// Reads so many bytes. Errors: ExecutorError if the program's output ends before.
  void read(void* into, std::size_t size);
  /// Reads a line of at most so many bytes, without its end. Errors: ExecutorError if it is longer, and where the
  /// program's output ends before.
  void read_line(std::string& line, std::size_t most);

 private:
  using Pipe = std::pair<process::Descriptor, process::Descriptor>;

  /// `to` and `from`: pipes to the program's standard input and from its standard output.
  Conversation(const std::vector<std::string>& words, Pipe to, Pipe from);

  [[nodiscard]] bool send(std::string_view bytes) const;
  /// Adds what the program wrote to the buffer. False at its end, and where nothing comes within the limit.
  bool receive(std::optional<std::chrono::milliseconds> limit = std::nullopt);
  /// The line that the program greets with, within the time that it has for that.
  bool read_greeting(std::string& line);
  /// How the program ended, or that it did not answer.
  std::string ending();

  process::Child child_;
  process::Descriptor to_;
  process::Descriptor from_;
  std::array<char, 65536> buffer_;
  std::size_t received_ = 0;  ///< so many bytes of the buffer …
  std::size_t taken_ = 0;     ///< … of which so many were read
};

}  // namespace assay::doors
