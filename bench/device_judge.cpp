// Cases a second that probes draw, run and judge.
// Run: build/cuda/bin/device_judge [cells of 2^20 cases for each class (2048 on a device, 1 on the host)]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "probes/dw/dw.hpp"

namespace {

using namespace assay;
using namespace assay::probes;

template <class Probe>
void judge(const char* name, const Executor& on, const Probe& probe, double factor, std::size_t cells) {
  double largest = 0;
  std::uint64_t undecided = 0;
  double seconds = 0;
  judge_cells(on, probe, factor, 1, 0, 0, 1);  // loads the kernel
  for (int k = 0; k < Probe::classes; ++k) {
    const auto begun = std::chrono::steady_clock::now();
    for (const CellResult& each : judge_cells(on, probe, factor, 1, k, 0, cells)) {
      largest = each.largest > largest ? each.largest : largest;
      undecided += each.undecided;
    }
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }
  const double cases = static_cast<double>(cells) * static_cast<double>(cell) * Probe::classes;
  std::printf("%-20s %.3g cases, %.3g a second, largest error/bound %.6f, undecided %llu\n", name, cases,
              cases / seconds, largest, static_cast<unsigned long long>(undecided));
}

}  // namespace

int main(int count, char** arguments) {
  const Executor on = Executor::cuda_device_count() > 0 ? Executor::cuda() : Executor::host();
  const bool on_device = on.kind() == Executor::Kind::cuda;
  const std::size_t cells = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : on_device ? 2048 : 1;
  if (cells == 0) {
    std::fprintf(stderr, "device_judge: %s is no number of cells\n", arguments[1]);
    return 2;
  }
  std::printf("%s\n", on.model().c_str());
  constexpr double u2 = 0x1p-106;
  namespace probe = assay::probes::dw;
  judge("dw.accurate_add", on, probe::AccurateAdd<double>{Range{-800, 1016}}, 3 * u2, cells);
  judge("dw.add_fp", on, probe::AddFp<double>{Range{-800, 1016}}, 2 * u2, cells);
  judge("dw.mul3", on, probe::Mul3<double>{Range{-484, 484}}, 4 * u2, cells);
  judge("dw.mul_fp3", on, probe::MulFp3<double>{Range{-484, 484}}, 2 * u2, cells);
  judge("dw.div3", on, probe::Div3<double>{Range{-216, 216}}, 9.8 * u2, cells);
  judge("dw.div2", on, probe::Div2<double>{Range{-229, 229}}, 15 * u2, cells);
  judge("dw.sqrt", on, probe::Sqrt<double>{Range{-450, 1022}}, 6.25 * u2, cells);
  judge("dw.accurate_add.f32", on, probe::AccurateAdd<float>{Range{-126, 120}}, 3 * 0x1p-48, cells);
  return 0;
}
