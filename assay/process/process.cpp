#include "assay/process/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace assay::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds grace_after_term{500};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts the command. Returns 0, or the error number.
int spawn(Command command, pid_t& id) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // dup2 onto itself would keep close-on-exec, and one copy could overwrite the source of the next: so every source is
  // first copied to a high number.
  std::vector<Descriptor> high;
  for (const auto& [ours, its] : command.descriptors) {
    if (ours == nowhere) {
      posix_spawn_file_actions_addopen(&actions, its, "/dev/null", O_RDWR, 0);
    } else {
      high.emplace_back(::fcntl(ours, F_DUPFD_CLOEXEC, 64));
      posix_spawn_file_actions_adddup2(&actions, high.back().number(), its);
    }
  }
  std::vector<char*> variables;
  if (command.environment) variables = pointers_to(*command.environment);
  const int error = ::posix_spawnp(&id, command.program.c_str(), &actions, nullptr, pointers_to(command.words).data(),
                                   command.environment ? variables.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// A file without a name that holds `text`, read from its beginning.
Descriptor file_of(std::string_view text) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Descriptor(-1);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

Child::Child(const Command& command) {
  if (const int error = spawn(command, id_); error != 0) {
    throw std::runtime_error(command.program + " could not be started: " + std::strerror(error));
  }
}

int Child::wait() {
  while (!status_) {
    int status = 0;
    const pid_t ended = ::waitpid(id_, &status, 0);
    if (ended == id_ || errno != EINTR) status_ = status;
  }
  return *status_;
}

std::optional<int> Child::wait(std::chrono::milliseconds limit) {
  const Clock::time_point until = Clock::now() + limit;
  while (!status_) {
    int status = 0;
    const pid_t ended = ::waitpid(id_, &status, WNOHANG);
    if (ended == id_ || (ended < 0 && errno == ECHILD)) {
      status_ = status;
    } else if (Clock::now() >= until) {
      return std::nullopt;
    } else {
      ::usleep(1000);
    }
  }
  return status_;
}

int Child::end() {
  if (!status_) {
    ::kill(id_, SIGTERM);
    if (!wait(grace_after_term)) ::kill(id_, SIGKILL);
  }
  return wait();
}

std::optional<Finished> run_to_end(Command command, const std::optional<std::string>& input) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  command.descriptors.emplace_back(writing.number(), STDOUT_FILENO);
  const Descriptor file = input ? file_of(*input) : Descriptor(-1);
  if (input) {
    if (file.number() < 0) return std::nullopt;
    command.descriptors.emplace_back(file.number(), STDIN_FILENO);
  }
  try {
    Child child(command);
    writing.close();
    Finished finished;
    std::vector<char> bytes(65536);
    for (;;) {
      const ssize_t size = ::read(reading.number(), bytes.data(), bytes.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) break;
      finished.out.append(bytes.data(), static_cast<std::size_t>(size));
    }
    finished.code = exit_code_of(child.wait());
    return finished;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Lines::Got Lines::receive(std::string& line, std::optional<std::chrono::milliseconds> limit) {
  const Clock::time_point until = Clock::now() + limit.value_or(std::chrono::milliseconds(0));
  for (;;) {
    if (const std::size_t end = buffer_.find('\n', searched_); end != std::string::npos) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      return Got::line;
    }
    searched_ = buffer_.size();
    if (limit) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      pollfd ready{socket_.number(), POLLIN, 0};
      if (::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(0, left.count()))) <= 0) return Got::nothing;
    }
    std::array<char, 65536> bytes;
    const ssize_t size = ::recv(socket_.number(), bytes.data(), bytes.size(), 0);
    if (size == 0 || (size < 0 && errno != EINTR)) return Got::closed;
    if (size > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(size));
  }
}

Memory memory_of(pid_t process) {
  Memory found;
  const std::string path = "/proc/" + std::to_string(process) + "/statm";
  if (std::FILE* file = std::fopen(path.c_str(), "re")) {
    unsigned long pages = 0;
    unsigned long resident = 0;
    if (std::fscanf(file, "%lu %lu", &pages, &resident) == 2) {
      const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
      found = {pages * page, resident * page};
    }
    std::fclose(file);
  }
  return found;
}

}  // namespace assay::process
