// C = AB of n × n matrices in single, native pairs of singles and double, on device number 0: the time of
// kernels/pair/matrix_product.hpp, and its errors against the exact product at 2000 sampled entries. Operands lie on
// the device in the arithmetic's format; conversions, of order n², are not timed. Data: uniform in [−1, 1). Medians of
// 9 calls. Run: build/cuda/bin/matrix_product [n …].
#include "kernels/pair/matrix_product.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arith/words/native_pair.hpp"
#include "bench/common.hpp"
#include "bench/matrix_product_errors.hpp"
#include "bench/timer.hpp"

namespace assay::bench {
namespace {

constexpr std::size_t samples = 2000;
constexpr int calls = 9;

/// Numbers uniform in [−1, 1), multiples of 2⁻⁵².
std::vector<double> uniform(std::size_t count, std::uint64_t stream) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = 2 * random_uniform(stream_begin(stream) + i) - 1;
  return x;
}

/// The numbers f(x), on the device.
template <class T, class F>
DeviceArray<T> mapped(const Executor& on, const std::vector<double>& x, F f) {
  std::vector<T> y;
  y.reserve(x.size());
  for (const double each : x) y.push_back(f(each));
  return {on, std::span<const T>(y)};
}

struct Row {
  const char* arithmetic;
  int bits;  ///< u = 2^−bits, for pairs the square of that of the words
  Times time;
  SampledErrors errors;
};

void measure_size(const Executor& on, const Table& table, std::size_t n) {
  const std::vector<double> a = uniform(n * n, 1);
  const std::vector<double> b = uniform(n * n, 2);
  const ExactSample exact(n, a, b, samples);
  const pair::ProductShape shape{n, n, n};
  const DeviceArray<double> c(on, n * n);
  const auto measured = [&](const char* arithmetic, int bits, const auto& left, const auto& right,
                            const auto& multiply) {
    const Times time = time_calls(on, calls, [&](int) { multiply(on, shape, left, right, c.data()); });
    return Row{arithmetic, bits, time, exact.errors(c.all())};
  };
  const auto high = [](double x) { return pair::from_double(x).h; };
  const auto low = [](double x) { return pair::from_double(x).l; };
  const DeviceArray<float> a_high = mapped<float>(on, a, high), b_high = mapped<float>(on, b, high);
  const DeviceArray<float> a_low = mapped<float>(on, a, low), b_low = mapped<float>(on, b, low);
  const auto a_pair = mapped<DoubleWord<float>>(on, a, pair::from_double);
  const auto b_pair = mapped<DoubleWord<float>>(on, b, pair::from_double);
  const DeviceArray<double> a_double(on, std::span<const double>(a)), b_double(on, std::span<const double>(b));
  const auto product_pair = [](const auto&... arguments) { pair::product_pair(arguments...); };
  const Row rows[] = {measured("single", 24, a_high.data(), b_high.data(),
                               [](const auto&... arguments) { pair::product_single(arguments...); }),
                      measured("native pair, interleaved", 48, a_pair.data(), b_pair.data(), product_pair),
                      measured("native pair, planes", 48, pair::PairPlanes{a_high.data(), a_low.data()},
                               pair::PairPlanes{b_high.data(), b_low.data()}, product_pair),
                      measured("double", 53, a_double.data(), b_double.data(),
                               [](const auto&... arguments) { pair::product_double(arguments...); })};
  for (const Row& row : rows) {
    const double steps = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    char relative[32];
    std::snprintf(relative, sizeof relative, "%.1e", row.errors.relative);
    table.row({std::to_string(n), row.arithmetic, fixed(row.time.median, 3), fixed(row.time.minimum, 3),
               fixed(steps / (row.time.median * 1e9), 2), fixed(row.time.median / rows[0].time.median, 2),
               fixed(row.time.median / rows[3].time.median, 2),
               fixed(std::ldexp(row.errors.scaled, row.bits), 2) + "·2^−" + std::to_string(row.bits), relative});
  }
}

void measure(const Executor& on, const std::vector<std::int64_t>& sizes) {
  const Table table({"n", "arithmetic", "ms", "least, ms", "10^12 steps c + ab a second", "time / single",
                     "time / double", "largest error / (abs(A)abs(B))", "largest error / abs(c)"});
  for (const std::int64_t n : sizes) measure_size(on, table, static_cast<std::size_t>(n));
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  using namespace assay::bench;
  const auto sizes = sizes_of(argc, argv, {1024, 2048, 4096});
  return run_on_device("matrix_product", [&](const assay::Executor& on) { measure(on, sizes); });
}
