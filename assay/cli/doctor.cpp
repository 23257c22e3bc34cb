#include <fmt/core.h>

#include <cfenv>
#include <clocale>
#include <limits>
#include <thread>

#include "assay/cli/commands.hpp"
#include "assay/cli/provenance.hpp"
#include "assay/report/exit_codes.hpp"

namespace assay::cli {
namespace {

const char* rounding_word() {
  switch (std::fegetround()) {
    case FE_TONEAREST:
      return "to nearest";
    case FE_UPWARD:
      return "upward";
    case FE_DOWNWARD:
      return "downward";
    default:
      return "toward zero";
  }
}

/// Whether operands and results below the normal range are kept, not flushed to zero.
bool subnormals_live() {
  volatile double smallest = std::numeric_limits<double>::min();
  volatile double half = smallest / 2;
  return half != 0 && half + half == smallest;
}

}  // namespace

int run_doctor(const Options& options) {
  for (const auto& [name, value] : provenance(false)) {
    fmt::print("{:<24} {}\n", name, value);
  }
  fmt::print("{:<24} {} ({} cores)\n", "host", Executor::host().model(), std::thread::hardware_concurrency());
  fmt::print("{:<24} {}\n", "rounding", rounding_word());
  fmt::print("{:<24} {}\n", "subnormals", subnormals_live() ? "live" : "are flushed");
  fmt::print("{:<24} {}\n", "locale", std::setlocale(LC_ALL, nullptr));
  fmt::print("{:<24} {}\n", "corpus", options.corpus.empty() ? "none found" : options.corpus.string());
  fmt::print("{:<24} {}\n", "CUDA", Executor::built_with_cuda() ? "built in" : "not in this build");
  const int devices = Executor::cuda_device_count();
  for (int i = 0; i < devices; ++i) {
    fmt::print("{:<24} {}\n", fmt::format("device {}", i), Executor::cuda(i).model());
  }
  std::vector<std::string> on{"host"};
  if (devices > 0) {
    on.emplace_back("cuda");
  }
  const std::vector<std::string> wrong = cheap_self_tests(on);
  for (const std::string& each : wrong) {
    fmt::print("{:<24} {}\n", "self-test", each);
  }
  if (wrong.empty()) {
    fmt::print("{:<24} {}\n", "self-tests", "pass");
  }
  return wrong.empty() ? report::exit_holds : report::exit_trouble;
}

}  // namespace assay::cli
