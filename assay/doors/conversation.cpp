#include "assay/doors/conversation.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "assay/doors/program.hpp"
#include "assay/doors/subject.hpp"
#include "assay/store/json.hpp"
#include "assay/store/printable.hpp"
#include "exec/executor.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/shaped_call.hpp"

namespace assay::doors {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int protocol = 1;
constexpr std::chrono::seconds greeting_limit{60};
constexpr std::size_t longest_greeting = 4096;

/// The two ends of a pipe.
std::pair<process::Descriptor, process::Descriptor> new_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw SubjectError(std::string("no pipe: ") + std::strerror(errno));
  constexpr int frame_of_vectors = 1 << 20;  // a whole frame goes through at once, if the system permits the size
  ::fcntl(ends[0], F_SETPIPE_SZ, frame_of_vectors);
  return {process::Descriptor(ends[0]), process::Descriptor(ends[1])};
}

process::Command command_of(const std::vector<std::string>& words, int input, int output) {
  std::signal(SIGPIPE, SIG_IGN);  // write() reports a program that has ended
  process::Command command{"/proc/self/exe",
                           {"assay", "subject-program", std::to_string(::getpid())},
                           {{input, STDIN_FILENO}, {output, STDOUT_FILENO}}};
  command.words.insert(command.words.end(), words.begin(), words.end());
  return command;
}

}  // namespace

std::string text_of(const store::Json& value) {
  return store::printable(value.is_string() ? value.get<std::string>()
                                            : value.dump(-1, ' ', false, store::Json::error_handler_t::replace));
}

Conversation::Conversation(const std::vector<std::string>& words, Pipe to, Pipe from)
    : child_(command_of(words, to.first.number(), from.second.number())),
      to_(std::move(to.second)),
      from_(std::move(from.first)) {}

Conversation::Conversation(const std::string& command, const std::string& operation, const std::string& format,
                           Speech speech)
    : Conversation(words_of_command(command), new_pipe(), new_pipe()) {
  store::Json greeting{{"protocol", protocol}, {"operation", operation}, {"format", format}};
  if (speech == Speech::lines) greeting["text"] = true;
  if (const ShapedCall* const call = find_shaped_call(operation)) {
    for (const ShapedArgument& each : call->arguments) greeting["arguments"].push_back({each.name, each.dimensions});
  }
  if (const Operation* const formula = find_registered_operation(operation);
      formula != nullptr && !formula->graph.empty()) {
    greeting["graph"] = store::Json::parse(formula->graph);
  }
  // The output of a program that ends without reading its input is still read.
  (void)send(greeting.dump() + "\n");
  std::string line;
  if (!read_greeting(line)) throw SubjectError(command + ": " + ending());
  const store::Json answer = store::Json::parse(line, nullptr, false);
  if (answer.is_object() && answer.contains("error")) {
    throw SubjectError(command + ": it says: " + text_of(answer.at("error")));
  }
  if (!answer.is_object() || !answer.contains("protocol") || answer.at("protocol") != protocol) {
    throw SubjectError(command + ": its first line is not an answer of protocol " + std::to_string(protocol) + ": " +
                       store::printable(line.substr(0, 80)));
  }
  const bool speaks_lines = answer.contains("text") && answer.at("text") == true;
  if (speaks_lines != (speech == Speech::lines)) {
    throw SubjectError(command + (speaks_lines ? ": it writes text lines, which need --text"
                                               : ": it uses frames, not text: its first line has no \"text\": true"));
  }
}

void Conversation::write(std::string_view bytes) {
  if (!send(bytes)) throw ExecutorError(ending());
}

void Conversation::read(void* into, std::size_t size) {
  auto* at = static_cast<char*>(into);
  while (size != 0) {
    if (taken_ == received_ && !receive()) throw ExecutorError(ending());
    const std::size_t part = std::min(size, received_ - taken_);
    std::memcpy(at, buffer_.data() + taken_, part);
    taken_ += part;
    at += part;
    size -= part;
  }
}

void Conversation::read_line(std::string& line, std::size_t most) {
  line.clear();
  for (char next = 0; line.size() <= most; line += next) {
    read(&next, 1);
    if (next == '\n') return;
  }
  throw ExecutorError("a line of its answers has more than " + std::to_string(most) + " bytes");
}

bool Conversation::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to_.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool Conversation::receive(std::optional<std::chrono::milliseconds> limit) {
  pollfd ready{from_.number(), POLLIN, 0};
  if (limit && ::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(0, limit->count()))) <= 0) return false;
  received_ = taken_ = 0;
  ssize_t got = 0;
  do {
    got = ::read(from_.number(), buffer_.data(), buffer_.size());
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  received_ = static_cast<std::size_t>(got);
  return true;
}

bool Conversation::read_greeting(std::string& line) {
  const Clock::time_point until = Clock::now() + greeting_limit;
  for (char next = 0; line.size() < longest_greeting; line += next) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (taken_ == received_ && !receive(left)) return false;
    next = buffer_[taken_++];
    if (next == '\n') return true;
  }
  return true;
}

std::string Conversation::ending() {
  const std::optional<int> status = child_.wait(std::chrono::seconds(1));
  if (!status) return "it gave no answer";
  if (WIFSIGNALED(*status)) return std::string("it was ended by SIG") + ::sigabbrev_np(WTERMSIG(*status));
  const int code = WEXITSTATUS(*status);
  return code == exit_not_found ? "it was not found, or is not executable"
                                : "it ended with exit code " + std::to_string(code);
}

}  // namespace assay::doors
