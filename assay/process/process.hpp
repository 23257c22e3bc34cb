#pragma once
// Starts, feeds, reads, waits for and ends other programs. Needs only the operating system.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::process {

/// A descriptor that is closed with the object; a negative number means no descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  void close();

 private:
  int number_;
};

/// What to start.
struct Command {
  std::string program;             ///< searched in PATH if the name has no slash
  std::vector<std::string> words;  ///< argv: the program's own name, then its arguments
  /// Pairs of a descriptor of this process, or `nowhere`, and its number in the program.
  std::vector<std::pair<int, int>> descriptors = {};
  std::optional<std::vector<std::string>> environment = {};  ///< lines NAME=value; empty: this process's environment
};

/// Stands for /dev/null in Command::descriptors.
inline constexpr int nowhere = -1;

/// The exit code in a wait status; 128 + signal for a process that a signal ended.
int exit_code_of(int status);

/// A child process of this process. It is ended by its id and reaped with the object.
class Child {
 public:
  /// Errors: std::runtime_error, one line, if the program cannot be started.
  explicit Child(const Command& command);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  pid_t id() const { return id_; }
  /// The wait status, once the process has ended. Waits without limit.
  int wait();
  /// The same; empty if the process has not ended after `limit`.
  std::optional<int> wait(std::chrono::milliseconds limit);
  /// Ends the process: Sends SIGTERM, then SIGKILL if the process does not end. Returns its wait status.
  int end();

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
};

/// The result of a program that was run to its end.
struct Finished {
  std::string out;  ///< its standard output
  int code = 0;     ///< exit_code_of()
};

/// Runs a program to its end. `input`, if given, is its standard input. Empty if it cannot be started.
std::optional<Finished> run_to_end(Command command, const std::optional<std::string>& input = std::nullopt);

/// Writes all bytes to a socket. Returns whether the other side read them.
bool send_all(int socket, std::string_view bytes);

/// Lines over a socket.
class Lines {
 public:
  explicit Lines(Descriptor socket) : socket_(std::move(socket)) {}

  bool send(std::string_view line) const { return send_all(socket_.number(), line); }

  enum class Got { line, nothing, closed };
  /// The next line, waiting no longer than `limit`; without a limit, until there is a line or the end.
  Got receive(std::string& line, std::optional<std::chrono::milliseconds> limit = std::nullopt);

 private:
  Descriptor socket_;
  std::string buffer_;
  std::size_t searched_ = 0;  ///< this many bytes of buffer_ contain no end of a line
};

/// Bytes of memory of a process; 0 if the system does not report it.
struct Memory {
  std::uint64_t address_space = 0;
  std::uint64_t resident = 0;
};
Memory memory_of(pid_t process);

}  // namespace assay::process
