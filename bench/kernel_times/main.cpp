// kernel_times [--on=host|cuda] [--tiny] [--profile]
//
// Times of the kernels that have no program of their own: BLAS in one, two and four words, systems, sparse products,
// binned sums, sums of segments, scans, BLAS in residues, and factorizations in limbs. Operands lie on the executor,
// and no row but certified_solve has copies to it. Each row has the median and the least time of 21 calls, the memory
// that the call must move, and the fraction of the rate of a copy in the same run that this is. A kernel that computes
// much for each number stays far below it.
//
// --on: where the kernels run, a device where there is one. --tiny: sizes for a test. --profile: no times; each row is
// called once where a profiler looks, as in ncu --profile-from-start off kernel_times --profile. Exit code 77: no
// device.
#include <cstdio>
#include <exception>
#include <string_view>

#include "bench/kernel_times/rows.hpp"

namespace {

using assay::bench::Rows;

void measure(const assay::Executor& on, Rows::Sizes sizes, Rows::Calls calls) {
  using namespace assay::bench;
  std::printf("%s\n", on.model().c_str());
  const Rows rows(on, sizes, calls);
  time_vectors(rows);
  time_matrices(rows);
  time_triangular(rows);
  time_systems(rows);
  time_sparse(rows);
  time_binned(rows);
  time_segments(rows);
  time_scans(rows);
  time_residues(rows);
  time_factorizations(rows);
}

}  // namespace

int main(int argc, char** argv) {
  using assay::Executor;
  bool host = Executor::cuda_device_count() == 0;
  bool device = !host;
  Rows::Sizes sizes = Rows::Sizes::full;
  Rows::Calls calls = Rows::Calls::timed;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--tiny") {
      sizes = Rows::Sizes::tiny;
    } else if (word == "--profile") {
      calls = Rows::Calls::profiled;
    } else if (word == "--on=host" || word == "--on=cuda") {
      host = word == "--on=host";
      device = !host;
    } else {
      std::fprintf(stderr, "kernel_times: %s is not understood\n", argv[i]);
      return 2;
    }
  }
  if ((device || calls == Rows::Calls::profiled) && Executor::cuda_device_count() == 0) {
    std::fprintf(stderr, "kernel_times: no CUDA device\n");
    return 77;
  }
  try {
    measure(host ? Executor::host() : Executor::cuda(0), sizes, calls);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_times: %s\n", error.what());
    return 3;
  }
  return 0;
}
