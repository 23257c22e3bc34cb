// How many cases per second are drawn, run and judged exactly, compared with the MPFR calls that judge one case by
// hand. Run: build/default/bin/verified_cases --benchmark_min_time=2

#include <benchmark/benchmark.h>
#include <mpfr.h>

#include <array>
#include <vector>

#include "arith/words/operands.hpp"
#include "kernels/dw/double_word.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/model.hpp"

namespace {

using namespace assay;

constexpr std::uint64_t batch = 1 << 14;

const PropertyModel& accurate_add() { return *find_property("dw.accurate_add"); }

/// Generation, subject in three thread orders, every claim judged.
void verified_cases(benchmark::State& state) {
  std::uint64_t first = 0;
  for (auto _ : state) {
    const Tally tally = accurate_add().run(Executor::host(), 1, {first, 1, batch}, {});
    if (tally.claims[0].violated != 0) {
      state.SkipWithError("violated");
    }
    first += batch;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(first));
}
BENCHMARK(verified_cases)->Unit(benchmark::kMillisecond);

/// |(zh + zl) − (xh + xl + yh + yl)| ≤ 3u²|truth|, and nothing else, on results computed before, at a precision that
/// makes every step of these cases exact.
void bare_mpfr(benchmark::State& state) {
  std::vector<DwDw<double>> cases;
  for (std::uint64_t i = 0; i < batch; ++i) {
    cases.push_back(*from_record<DwDw<double>>(*accurate_add().make(1, i)));
  }
  const std::vector<DoubleWord<double>> results = elementwise<dw::DwAccurateAdd<double>>(Executor::host(), cases);
  std::array<mpfr_t, 3> number;
  for (auto& each : number) {
    mpfr_init2(each, 2200);
  }
  auto& [truth, error, bound] = number;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < batch; ++i) {
      const auto& [x, y] = cases[i];
      mpfr_set_d(truth, x.h, MPFR_RNDN);
      mpfr_add_d(truth, truth, x.l, MPFR_RNDN);
      mpfr_add_d(truth, truth, y.h, MPFR_RNDN);
      mpfr_add_d(truth, truth, y.l, MPFR_RNDN);
      mpfr_sub_d(error, truth, results[i].h, MPFR_RNDN);
      mpfr_sub_d(error, error, results[i].l, MPFR_RNDN);
      mpfr_mul_ui(bound, truth, 3, MPFR_RNDN);
      mpfr_mul_2si(bound, bound, -106, MPFR_RNDN);
      benchmark::DoNotOptimize(mpfr_cmpabs(error, bound));
    }
  }
  for (auto& each : number) {
    mpfr_clear(each);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}
BENCHMARK(bare_mpfr)->Unit(benchmark::kMillisecond);

}  // namespace
