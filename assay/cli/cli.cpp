#include "assay/cli/cli.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <new>
#include <string_view>

#include "assay/cli/commands.hpp"
#include "assay/cli/subject.hpp"
#include "assay/cli/to_stderr.hpp"
#include "assay/doors/conversion.hpp"
#include "assay/doors/program.hpp"
#include "assay/doors/subject.hpp"
#include "assay/process/worker.hpp"
#include "assay/ranks/mpi.hpp"
#include "assay/report/exit_codes.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "oracle/memory.hpp"
#include "properties/framework/libraries.hpp"

namespace assay::cli {
namespace {

int perform(const Options& options) {
  struct Named {
    std::string_view name;
    Command* run;  ///< nullptr: of the library for kernels from outside
  };
  constexpr Named commands[] = {
      {"list", run_list},       {"contracts", nullptr},
      {"check", run_check},     {"hunt", run_hunt},
      {"replay", run_replay},   {"eval", run_eval},
      {"shrink", run_shrink},   {"report", run_report},
      {"ledger", run_ledger},   {"compare", run_compare},
      {"new", run_new},         {"selftest", run_selftest},
      {"doctor", run_doctor},   {"probe-device", run_probe_device},
      {"bench", run_bench},     {"tolerance", nullptr},
      {"explain", run_explain}, {"probe-order", nullptr},
  };
  for (const Named& each : commands) {
    if (each.name != options.command) continue;
    Command* const run = each.run != nullptr ? each.run : command_about_kernels_from_outside(options.command);
    return options.mpi ? run_in_job(options, run) : run(options);
  }
  return run_corpus(options);
}

int say(const char* what, int code) {
  to_stderr("assay: {}\n", what);
  return code;
}

/// Why the system's limits are too small for this program and its workers; empty if they suffice.
std::string lack_of_resources() {
  constexpr rlim_t least_files = 128;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < least_files) {
    return fmt::format("the limit of open files is {}, and {} are needed (ulimit -n {})", files.rlim_cur, least_files,
                       least_files);
  }
  // With lower limits, workers would die in the middle of their work again and again.
  constexpr rlim_t least_kib = rlim_t{1} << 18;
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur / 1024 < least_kib) {
    return fmt::format("the limit of memory is {} KiB, and {} are needed (ulimit -v {})", memory.rlim_cur / 1024,
                       least_kib, least_kib);
  }
  return {};
}

int guarded(int argc, char** argv) {
  try {
    if (const std::string lack = lack_of_resources(); !lack.empty()) return say(lack.c_str(), report::exit_trouble);
    Options options;
    if (const std::optional<int> code = parse(argc, argv, options)) {
      return *code;
    }
    open_subject(options);
    return perform(options);
  } catch (const UsageError& error) {
    return say(error.what(), report::exit_usage);
  } catch (const ranks::NoMpi& error) {
    return say(error.what(), report::exit_usage);
  } catch (const MissingLibrary& error) {
    return say(error.what(), report::exit_usage);
  } catch (const doors::SubjectError& error) {
    return say(error.what(), report::exit_usage);
  } catch (const store::DamagedFile& error) {
    return say(error.what(), report::exit_damaged);
  } catch (const store::JsonError& error) {
    return say(error.what(), report::exit_damaged);
  } catch (const process::Interrupted& interrupted) {
    return 128 + interrupted.signal;
  } catch (const std::bad_alloc&) {
    return say("the program itself ran out of memory", report::exit_trouble);
  } catch (const std::exception& error) {
    return say(error.what(), report::exit_trouble);
  }
}

/// Opens the standard descriptors that are closed: no other file may get their numbers. A result that goes to a closed
/// standard output is still an error.
void open_standard_descriptors() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

[[noreturn]] void end_with(std::string_view line) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(report::exit_trouble);
}
void end_without_memory() { end_with("assay: the program itself ran out of memory; --resume continues a check\n"); }
void end_after_fault(int) {
  end_with(
      "assay: the program itself terminated abnormally; --resume continues a "
      "check\n");
}

#if defined(__SANITIZE_ADDRESS__)
constexpr int faults[] = {SIGABRT};  // a sanitizer reports the others
#else
constexpr int faults[] = {SIGABRT, SIGSEGV, SIGBUS};
#endif

/// If the program itself has no memory, even before main(): exit code 3 and one line. Libraries then abort, or use
/// memory that they did not get.
__attribute__((constructor(101))) void watch_own_failures() {
  constexpr rlim_t least_stack = rlim_t{1} << 18;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < least_stack) {
    end_with("assay: the limit of the stack is below 256 KiB (ulimit -s 256)\n");
  }
  std::set_new_handler(end_without_memory);
  oracle::end_without_memory(end_without_memory);
  for (const int each : faults) std::signal(each, end_after_fault);
}

/// A process that runs foreign code fails with the signal that this code raises.
void let_failures_be() {
  std::set_new_handler(nullptr);
  oracle::end_without_memory(nullptr);
  for (const int each : faults) std::signal(each, SIG_DFL);
}

/// A worker: the one process that loads a library with a kernel from outside.
int worker() {
  try {
    if (const std::optional<doors::Subject> subject = doors::subject_of_environment()) {
      for (const doors::Loaded& each : doors::load(*subject)) doors::register_kernel(each);
    }
  } catch (const std::exception& error) {
    return say(error.what(), report::exit_trouble);
  }
  return process::worker_main();
}

}  // namespace

int assay_main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  open_standard_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of its write
  const std::string_view hidden = argc > 1 ? argv[1] : "";
  if (hidden == "try-subject" || hidden == "subject-program" || hidden == "worker" ||
      hidden == doors::convert_command) {
    let_failures_be();
  }
  if (argc == 2 && std::string_view(argv[1]) == "try-subject") {
    return doors::try_main();
  }
  if (argc == 2 && hidden == doors::convert_command) return doors::convert_main();
  if (argc > 3 && std::string_view(argv[1]) == "subject-program") {
    return doors::become_program(argc - 2, argv + 2);
  }
  if (argc == 3 && std::string_view(argv[1]) == "worker") {
    return worker();
  }
  const int code = guarded(argc, argv);
  // A result that did not reach standard output is an error.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return report::graver(code, say("standard output is not writable", report::exit_trouble));
  }
  return code;
}

}  // namespace assay::cli
