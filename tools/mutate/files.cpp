#include "tools/mutate/files.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace mutate {

namespace fs = std::filesystem;

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& file, std::string_view text) {
  const fs::path beside = file.string() + ".new";
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + beside.string());
  fs::rename(beside, file);
}

Finished run_to_end(const std::vector<std::string>& words) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], 2);
  std::vector<char*> arguments;
  for (const std::string& each : words) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  Finished finished;
  if (error != 0) {
    ::close(pipe[0]);
    finished.code = 127;
    return finished;
  }
  std::array<char, 65536> buffer{};
  for (ssize_t count = 0; (count = ::read(pipe[0], buffer.data(), buffer.size())) != 0;) {
    if (count > 0) finished.out.append(buffer.data(), static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

}  // namespace mutate
