// C = AB of n × n matrices in single, native pairs of singles and double, on device number 0: the time of the kernels
// that the properties check, and their errors against the exact product at 2000 sampled entries. Operands lie on the
// device in the arithmetic's format; conversions, of order n², are not timed. Data: uniform in [−1, 1). Run:
// build/default/bin/matrix_product [n …]. Prints a table in Markdown. Exit 77 without a device.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/matrix_product_errors.hpp"
#include "exec/launch.hpp"
#include "kernels/pair/detail/matrix_product_tile.hpp"

namespace assay::bench {
namespace {

constexpr std::size_t samples = 2000;
constexpr int runs = 9;

void check(cudaError_t code) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "matrix_product: %s\n", cudaGetErrorString(code));
    std::exit(3);
  }
}

/// A copy on the device.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t n) { check(cudaMalloc(&data_, n * sizeof(T))); }
  explicit OnDevice(const std::vector<T>& x) : OnDevice(x.size()) {
    check(cudaMemcpy(data_, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::vector<T> copied(std::size_t n) const {
    std::vector<T> x(n);
    check(cudaMemcpy(x.data(), data_, n * sizeof(T), cudaMemcpyDeviceToHost));
    return x;
  }

 private:
  T* data_ = nullptr;
};

/// Numbers uniform in [−1, 1), multiples of 2⁻⁵³, from a linear congruential generator.
std::vector<double> uniform(std::size_t count, std::uint64_t seed) {
  std::vector<double> x(count);
  for (double& each : x) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    each = static_cast<double>(static_cast<std::int64_t>(seed >> 10)) * 0x1p-53 - 1;
  }
  return x;
}

template <class T, class F>
std::vector<T> mapped(const std::vector<double>& x, F f) {
  std::vector<T> y;
  y.reserve(x.size());
  for (const double each : x) y.push_back(f(each));
  return y;
}

/// The median time of one product in milliseconds, after two runs that do not count.
template <class Product>
float median_time(Product product) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int run = -2; run < runs; ++run) {
    void* arguments[] = {&product};
    check(cudaEventRecord(start));
    check(cudaLaunchKernel(detail::block_kernel<Product>, dim3(static_cast<unsigned>(Product::blocks(product.shape))),
                           dim3(static_cast<unsigned>(Product::threads)), arguments, 0, nullptr));
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float time = 0;
    check(cudaEventElapsedTime(&time, start, end));
    if (run >= 0) times.push_back(time);
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(end));
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[runs / 2];
}

struct Row {
  const char* arithmetic;
  int bits;  ///< u = 2^−bits, for pairs the square of that of the words
  float time;
  SampledErrors errors;
};

template <class Product>
Row measured(const char* arithmetic, int bits, std::size_t n, const Product& product, const OnDevice<double>& c,
             const ExactSample& exact) {
  const float time = median_time(product);
  return {arithmetic, bits, time, exact.errors(c.copied(n * n))};
}

void measure(std::size_t n) {
  const std::vector<double> a = uniform(n * n, 1);
  const std::vector<double> b = uniform(n * n, 2);
  const ExactSample exact(n, a, b, samples);
  const assay::pair::ProductShape shape{n, n, n};
  const OnDevice<double> c(n * n);

  const auto high = [](double x) { return assay::pair::from_double(x).h; };
  const auto low = [](double x) { return assay::pair::from_double(x).l; };
  const OnDevice<float> a_high(mapped<float>(a, high));
  const OnDevice<float> b_high(mapped<float>(b, high));
  const OnDevice<float> a_low(mapped<float>(a, low));
  const OnDevice<float> b_low(mapped<float>(b, low));
  const OnDevice<DoubleWord<float>> a_pair(mapped<DoubleWord<float>>(a, assay::pair::from_double));
  const OnDevice<DoubleWord<float>> b_pair(mapped<DoubleWord<float>>(b, assay::pair::from_double));
  const OnDevice<double> a_double(a);
  const OnDevice<double> b_double(b);

  const Row rows[] = {
      measured("single", 24, n, assay::pair::detail::SingleProduct{shape, {a_high.data()}, {b_high.data()}, c.data()},
               c, exact),
      measured("native pair, interleaved", 48, n,
               assay::pair::detail::InterleavedProduct{shape, {a_pair.data()}, {b_pair.data()}, c.data()}, c, exact),
      measured("native pair, planes", 48, n,
               assay::pair::detail::PlanesProduct{
                   shape, {a_high.data(), a_low.data()}, {b_high.data(), b_low.data()}, c.data()},
               c, exact),
      measured("double", 53, n,
               assay::pair::detail::DoubleProduct{shape, {a_double.data()}, {b_double.data()}, c.data()}, c, exact)};
  for (const Row& row : rows) {
    const double steps = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    std::printf("| %zu | %s | %.3f | %.2f | %.2f | %.2f | %.2f·2^−%d | %.1e | %.1e |\n", n, row.arithmetic, row.time,
                steps / (static_cast<double>(row.time) * 1e9), static_cast<double>(row.time / rows[0].time),
                static_cast<double>(row.time / rows[3].time), row.errors.scaled * static_cast<double>(1LL << row.bits),
                row.bits, row.errors.scaled, row.errors.relative);
  }
}

int run(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("matrix_product: no CUDA device\n");
    return 77;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s. Median of %d runs; errors at %zu entries, against the exact product.\n\n", properties.name, runs,
              samples);
  std::printf(
      "| n | arithmetic | ms | 10^12 steps c + ab a second | time / single | time / double | "
      "max error / (abs(A)abs(B)) in units | the same | max error / abs(c) |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::stoul(argv[i]));
  if (sizes.empty()) sizes = {1024, 2048, 4096};
  for (const std::size_t n : sizes) measure(n);
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) { return assay::bench::run(argc, argv); }
