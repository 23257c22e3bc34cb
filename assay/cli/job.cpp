#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "assay/cli/commands.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/ranks/ranks.hpp"
#include "exec/executor.hpp"

namespace assay::cli {
namespace {

/// The devices of this machine that CUDA may use, by the names that CUDA_VISIBLE_DEVICES gives them. CUDA itself is not
/// asked: it would open all of them.
std::vector<std::string> devices() {
  std::vector<std::string> names;
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    for (std::string_view rest(visible); !rest.empty();) {
      names.emplace_back(rest.substr(0, rest.find(',')));
      rest.remove_prefix(std::min(rest.size(), names.back().size() + 1));
    }
    return names;
  }
  for (std::filesystem::path file = "/dev/nvidia0"; std::filesystem::exists(file);
       file = "/dev/nvidia" + std::to_string(names.size())) {
    names.push_back(std::to_string(names.size()));
  }
  return names;
}

/// This process and its workers see one device, by their place among the ranks of the machine.
void bind_to_device(unsigned place) {
  const std::vector<std::string> all = devices();
  if (!all.empty()) ::setenv("CUDA_VISIBLE_DEVICES", all[place % all.size()].c_str(), 1);
}

/// The cores for one of `places` ranks on this machine. A launcher may have given each rank cores of its own.
unsigned share_of_cores(unsigned places) {
  const unsigned mine = std::max(1U, std::thread::hardware_concurrency());
  const auto all = static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  return mine < all ? mine : std::max(1U, mine / places);
}

ranks::Greeting greeting_of(const Options& options) {
  ranks::Greeting greeting{.jobs = options.jobs, .build = build_id(), .device = {}, .fault = {}};
  std::vector<std::string> on{"host"};
  if (options.on != "host" && Executor::cuda_device_count() > 0) {
    greeting.device = Executor::cuda().model();
    on.emplace_back("cuda");
  }
  const std::vector<std::string> wrong = cheap_self_tests(on);
  if (!wrong.empty()) greeting.fault = "self-test: " + wrong.front();
  return greeting;
}

}  // namespace

int run_in_job(Options options, Command* command) {
  if (options.isolation == campaign::Isolation::none) {
    throw UsageError("--mpi: other ranks ask in worker processes; --isolate property or case is accepted");
  }
  ranks::Mpi mpi;
  bind_to_device(mpi.place());
  if (!options.jobs_given) options.jobs = share_of_cores(mpi.places());
  const ranks::Greeting greeting = greeting_of(options);
  if (mpi.rank() != 0) {
    ranks::follow(mpi, greeting, options.limits);
    return 0;
  }
  ranks::Leader leader(mpi, greeting);
  options.helpers = &leader;
  return command(options);
}

}  // namespace assay::cli
