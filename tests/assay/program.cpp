#include "tests/assay/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace assay::testing_program {
namespace {

std::string program() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "assay-hostile").string();
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Ended run(const std::string& arguments, const std::string& environment) {
  const Folder folder;
  const std::string line = "cd " + folder.path().string() + " && env -u ASSAY_CORPUS " + environment + " " + program() +
                           " " + arguments + " >out 2>err";
  Ended ended;
  ended.code = code_of(std::system(line.c_str()));
  ended.out = content(folder / "out");
  ended.err = content(folder / "err");
  return ended;
}

int run_and_kill(const std::string& arguments, int milliseconds, int signal) {
  std::vector<std::string> words{program()};
  std::istringstream stream(arguments);
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  ::posix_spawn(&pid, words[0].c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
  ::kill(pid, signal);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return code_of(status);
}

}  // namespace assay::testing_program
