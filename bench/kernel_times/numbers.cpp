// Binned sums, BLAS in residues, and factorizations in limbs.
#include "bench/kernel_times/operands.hpp"
#include "bench/kernel_times/rows.hpp"
#include "kernels/limb/cholesky.hpp"
#include "kernels/limb/lengths.hpp"
#include "kernels/limb/lu.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/mp/blas2.hpp"
#include "kernels/sum/binned.hpp"

namespace assay::bench {
namespace {

template <class T, int K>
void time_bins(const Rows& rows, const DeviceArray<T>& x, const DeviceArray<T>& y, const char* format) {
  const Executor& on = rows.on();
  const auto n = static_cast<std::int64_t>(x.size());
  const DeviceArray<BinnedSum<T, K>> partial(on, sum::binned_workspace(on, n, 0));
  const DeviceArray<BinnedSum<T, K>> total(on, 1);
  const std::string numbers = std::string(format) + ", K = " + std::to_string(K);
  const double bytes = sizeof(T) * static_cast<double>(n);
  rows.time("binned_sum", numbers, std::to_string(n), bytes, [&] {
    sum::binned_sum<T, K>(on, sum::BinnedTerms::numbers, x.data(), n, 0, total.data(), partial.data());
  });
  rows.time("binned_dot", numbers, std::to_string(n), 2 * bytes,
            [&] { sum::binned_dot<T, K>(on, x.data(), y.data(), n, 0, total.data(), partial.data()); });
}

}  // namespace

void time_binned(const Rows& rows) {
  const std::int64_t n = rows.size(100000000, 5000);
  {
    const DeviceArray<double> x = entries(rows.on(), 1, n, 1);
    const DeviceArray<double> y = entries(rows.on(), 1, n, 2);
    time_bins<double, 2>(rows, x, y, "binary64");
    time_bins<double, 3>(rows, x, y, "binary64");
    time_bins<double, 4>(rows, x, y, "binary64");
  }
  const DeviceArray<float> x = single_entries(rows.on(), n, 1);
  const DeviceArray<float> y = single_entries(rows.on(), n, 2);
  time_bins<float, 3>(rows, x, y, "binary32");
}

void time_residues(const Rows& rows) {
  const Executor& on = rows.on();
  for (const int moduli : {8, 16, 32, 64, 128}) {
    const std::int64_t n = rows.size(moduli <= 32 ? 1000000 : 200000, 300);
    const std::int64_t m = rows.size(moduli <= 32 ? 1000 : 400, 15);
    const std::string numbers = std::to_string(moduli) + " moduli";
    const ResidueNumbers x(on, moduli, n, 1);
    const ResidueNumbers y(on, moduli, n, 2);
    const ResidueNumbers alpha(on, moduli, 1, 3);
    const ResidueNumbers result(on, moduli, 1, 4);
    const ResidueNumbers partial(on, moduli, mp::mp_sum_workspace(n), 5);
    const double bytes = residue_bytes(moduli) * static_cast<double>(n);
    const std::string length = std::to_string(n);
    rows.time("mp_scal", numbers, length, 2 * bytes, [&] { mp::queue_mp_scal(on, n, alpha.numbers(), x.numbers()); });
    rows.time("mp_axpy", numbers, length, 3 * bytes,
              [&] { mp::queue_mp_axpy(on, n, alpha.numbers(), x.numbers(), y.numbers()); });
    rows.time("mp_asum", numbers, length, bytes,
              [&] { mp::queue_mp_asum(on, n, x.numbers(), partial.numbers(), result.numbers()); });
    rows.time("mp_dot", numbers, length, 2 * bytes,
              [&] { mp::queue_mp_dot(on, n, x.numbers(), y.numbers(), partial.numbers(), result.numbers()); });
    const ResidueNumbers a(on, moduli, m * m, 6);
    rows.time("mp_ger", numbers, shape(m, m), residue_bytes(moduli) * 2 * static_cast<double>(m * m + m),
              [&] { mp::queue_mp_ger(on, m, m, x.numbers(), y.numbers(), a.numbers(), m); });
  }
}

void time_factorizations(const Rows& rows) {
  const Executor& on = rows.on();
  for (const int limbs : limb::offered_limbs) {
    const std::int64_t n = rows.size(limbs <= 8 ? 256 : limbs <= 32 ? 128 : 64, 6);
    const LimbMatrix a(on, limbs, n);
    const LimbWorkspace row(on, limbs, n);
    const LimbWorkspace other(on, limbs, n);
    const LimbWorkspace d(on, limbs, n);
    const DeviceArray<std::int32_t> pivots(on, static_cast<std::size_t>(n));
    const std::string numbers = std::to_string(limbs) + " limbs";
    const double width = 4.0 * limbs + 8;
    const auto refill = [&] { a.fill(); };
    rows.time(
        "limb_cholesky", numbers, shape(n, n), 2 * width * triangle(n),
        [&] { limb::queue_limb_cholesky(on, limbs, n, a.planes(), n, row.planes(), d.planes()); }, refill);
    rows.time(
        "limb_lu", numbers, shape(n, n), 2 * width * static_cast<double>(n * n),
        [&] {
          limb::queue_limb_lu(on, limbs, n, a.planes(), n, pivots.data(), row.planes(), other.planes(), d.planes());
        },
        refill);
  }
}

}  // namespace assay::bench
