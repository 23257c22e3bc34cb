#pragma once
// Tasks in children of this process, which answer in shared memory. A child may crash or hang.

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <vector>

namespace mutate {

/// For a child: a signal ends it after this many seconds of processor time from now, or 20 times as many on the clock.
inline void limit_step(double seconds) {
  const auto timer = [](double s) {
    return itimerval{
        {0, 0},
        {static_cast<time_t>(s), static_cast<suseconds_t>((s - static_cast<double>(static_cast<time_t>(s))) * 1e6)}};
  };
  const itimerval processor = timer(seconds);
  const itimerval clock = timer(20 * seconds);
  ::setitimer(ITIMER_PROF, &processor, nullptr);
  ::setitimer(ITIMER_REAL, &clock, nullptr);
}

/// Whether a wait status is that of a child that limit_step() ended.
inline bool ran_too_long(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
}

/// The processor seconds that this process used.
inline double processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Calls task(i, answer) for i = 0 … count − 1, each in a child of its own, at most `jobs` at a time, then
/// done(i, answer, wait status) in this process, in the order of the ends. An answer begins with zero bytes. A child
/// has at most 8 GiB of addresses and writes no messages. Errors: std::system_error if no child can be created.
template <class Answer, class Task, class Done>
void in_children(std::size_t count, unsigned jobs, const Task& task, const Done& done) {
  static_assert(std::is_trivially_copyable_v<Answer>);
  const std::size_t bytes = sizeof(Answer) * jobs;
  void* const shared = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  auto* const answers = static_cast<Answer*>(shared);
  struct Child {
    pid_t id = 0;
    std::size_t task = 0;
  };
  std::vector<Child> children(jobs);
  std::size_t next = 0;
  std::size_t running = 0;
  const auto start = [&](std::size_t place) {
    if (next == count) return;
    Answer* const answer = new (answers + place) Answer{};
    const pid_t id = ::fork();
    if (id < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (id == 0) {
      const rlimit none{0, 0};
      ::setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__)  // which reserves more
      const rlimit addresses{rlim_t{8} << 30, rlim_t{8} << 30};
      ::setrlimit(RLIMIT_AS, &addresses);
#endif
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (std::FILE* const each : {stdout, stderr}) {
        if (std::freopen("/dev/null", "w", each) == nullptr) std::_Exit(1);
      }
      task(next, *answer);
      std::_Exit(0);
    }
    children[place] = {id, next++};
    ++running;
  };
  for (unsigned place = 0; place < jobs; ++place) start(place);
  while (running != 0) {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended < 0) throw std::system_error(errno, std::generic_category(), "waitpid");
    for (std::size_t place = 0; place < children.size(); ++place) {
      if (children[place].id != ended) continue;
      children[place].id = 0;
      --running;
      done(children[place].task, answers[place], status);
      start(place);
      break;
    }
  }
  ::munmap(shared, bytes);
}

}  // namespace mutate
