#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <thread>

#include "assay/cli/commands.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/ranks/ranks.hpp"
#include "exec/executor.hpp"

namespace assay::cli {
namespace {

/// The number of cores for one of `places` ranks on this machine. A launcher may have given each rank cores of its own.
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

std::string device_of(unsigned place, const char* visible, const std::filesystem::path& files) {
  std::vector<std::string> names;
  if (visible != nullptr) {
    std::istringstream rest(visible);
    for (std::string name; std::getline(rest, name, ',');) names.push_back(name);
  } else {
    // A container may contain some of a machine's devices: their files keep the machine's numbers, but CUDA counts from
    // 0.
    for (const auto& file : std::filesystem::directory_iterator(files)) {
      const std::string name = file.path().filename();
      if (name.starts_with("nvidia") && name.size() > 6 && name.find_first_not_of("0123456789", 6) == name.npos) {
        names.push_back(std::to_string(names.size()));
      }
    }
  }
  return names.empty() ? "" : names[place % names.size()];
}

int run_in_job(Options options, Command* command) {
  if (options.isolation == campaign::Isolation::none) {
    throw UsageError(
        "--mpi: the other ranks run kernels in worker processes; accepted are --isolate worker, "
        "--isolate property and --isolate case");
  }
  const std::unique_ptr<ranks::Mpi> mpi = ranks::join_mpi();
  if (const std::string device = device_of(mpi->place(), std::getenv("CUDA_VISIBLE_DEVICES"), "/dev");
      !device.empty()) {
    ::setenv("CUDA_VISIBLE_DEVICES", device.c_str(), 1);  // this process and its workers see one device
  }
  if (!options.jobs_given) options.jobs = share_of_cores(mpi->places());
  const ranks::Greeting greeting = greeting_of(options);
  if (mpi->rank() != 0) {
    ranks::follow(*mpi, greeting, options.limits);
    return 0;
  }
  ranks::Leader leader(*mpi, greeting);
  options.helpers = &leader;
  return command(options);
}

}  // namespace assay::cli
