// Quantizers and dequantizers on a CUDA device: kernels/quantize on 2³⁰ numbers (8192 columns) that lie on the device,
// (r − 1/2)·exp(g), r uniform in [0, 1), g normal; the rules of published software.
//
// Medians and minima of 15 calls. Bytes are those of numbers, codes and scales, each once, and twice for numbers where
// a scale needs all of the tensor; their rate as a part of the rate of a device copy (read and write) in the same run.
// The results for the first rows are compared with the host's, bit for bit. Run: build/cuda/bin/quantize [NUMBERS].
#include "kernels/quantize/quantize.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/common.hpp"
#include "bench/timer.hpp"

namespace assay::bench {
namespace {

using quantize::Factor;
using quantize::Rule;
using quantize::ScaleRule;

constexpr std::size_t columns = 8192;
constexpr std::size_t compared_rows = 128;
constexpr int calls = 15;

template <class T>
struct Fill {
  T* x;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint64_t k = stream_begin(3) + 3 * i;
    const double angle = 6.283185307179586 * random_uniform(k + 2);
    const double normal = ::sqrt(-2 * ::log(1 - random_uniform(k + 1))) * ::cos(angle);
    x[i] = static_cast<T>(static_cast<float>((random_uniform(k) - 0.5) * ::exp(normal)));
  }
};

/// 16 bytes for each index.
struct alignas(16) Four {
  float x[4];
};
struct Zeros {
  float* x;
  ASSAY_HD void operator()(std::size_t i) const { reinterpret_cast<Four*>(x)[i] = {}; }
};

struct Row {
  const char* format;
  const char* name;
  Rule rule;
};
const Row rows[] = {
    {"mxfp8_e4m3", "round_up.even", {.scale = ScaleRule::round_up}},
    {"mxfp8_e5m2", "floor.even", {.scale = ScaleRule::floor}},
    {"mxfp6_e3m2", "floor.even", {.scale = ScaleRule::floor}},
    {"mxfp6_e2m3", "floor.even", {.scale = ScaleRule::floor}},
    {"mxfp4", "floor.even", {.scale = ScaleRule::floor}},
    {"nvfp4", "two_level_f32.even", {.scale = ScaleRule::two_level_f32}},
    {"e4m3_1x128", "divide.even.product", {.scale = ScaleRule::divide, .factor = Factor::product}},
    {"e4m3_1x128", "divide.even", {.scale = ScaleRule::divide}},
    {"e4m3_128x128", "divide.even.product", {.scale = ScaleRule::divide, .factor = Factor::product}},
    {"e4m3_row", "inverse.even.product", {.scale = ScaleRule::inverse, .factor = Factor::product}},
    {"e4m3_tensor", "inverse.even.product", {.scale = ScaleRule::inverse, .factor = Factor::product}},
    {"int8_row", "divide.even.product", {.scale = ScaleRule::divide, .factor = Factor::product}},
    {"int4_1x32", "divide.even.product", {.scale = ScaleRule::divide, .factor = Factor::product}},
    {"uint8_zero_row", "divide.even", {.scale = ScaleRule::divide}},
    {"uint4_zero_1x128", "divide.even", {.scale = ScaleRule::divide}},
    {"nf4_1x64",
     "divide.ties_down",
     {.scale = ScaleRule::divide,
      .direction = quantize::Direction::ties_down,
      .factor = Factor::product,
      .is_high_half_first = true}},
    {"q8_0",
     "divide.away",
     {.scale = ScaleRule::divide, .direction = quantize::Direction::away, .factor = Factor::product}},
    {"q4_0",
     "divide.ties_up",
     {.scale = ScaleRule::divide, .direction = quantize::Direction::ties_up, .factor = Factor::separate}},
    {"q5_1",
     "divide.ties_up",
     {.scale = ScaleRule::divide, .direction = quantize::Direction::ties_up, .factor = Factor::separate}},
};

template <class T>
void measure(const Executor& on, const char* source, std::size_t numbers, double copy) {
  const DeviceArray<T> x(on, numbers), y(on, numbers);
  queue_indices(on, numbers, Fill<T>{x.data()});
  const std::vector<T> first = x.first(std::min(numbers, compared_rows * columns));
  const DeviceArray<std::uint8_t> codes(on, numbers);
  const Table table(
      {"numbers", "rule", "quantize, ms", "least", "of copy", "dequantize, ms", "least", "of copy", "bits"});
  for (const Row& row : rows) {
    const quantize::Format& format = *quantize::find_format(row.format);
    const std::size_t lines = numbers / columns;
    const quantize::Sizes sizes = quantize::sizes_of(format, lines, columns);
    const DeviceArray<std::uint8_t> scales(on, sizes.scales), seconds(on, sizes.seconds);
    const DeviceArray<std::uint64_t> workspace(on, sizes.workspace / 8 + 1);
    const auto code = [&](std::size_t count) {
      quantize::quantize<T>(on, format, row.rule, count, columns, x.data(), codes.data(), scales.data(), seconds.data(),
                            workspace.data());
    };
    const std::size_t few = first.size() / columns;
    code(few);
    const quantize::Quantized host = quantize::quantize<T>(Executor::host(), format, row.rule, few, columns, first);
    bool same = host.codes == codes.first(host.codes.size()) && host.scales == scales.first(host.scales.size()) &&
                host.seconds == seconds.first(host.seconds.size());
    const Times there = time_calls(on, calls, [&](int) { code(lines); });
    const auto back = [&](int) {
      quantize::dequantize<T>(on, format, row.rule, lines, columns, codes.data(), scales.data(), seconds.data(),
                              y.data());
    };
    const Times again = time_calls(on, calls, back);
    const bool reads_twice = format.rows == 0 || format.scaling == quantize::Scaling::two_level;
    const auto size = static_cast<double>(numbers * sizeof(T));
    const auto results = static_cast<double>(sizes.codes + sizes.scales + sizes.seconds);
    const auto part = [&](double bytes, const Times& times) { return percent(bytes / (times.median * 1e-3) / copy); };
    table.row({source, std::string(row.format) + "." + row.name, fixed(there.median, 3), fixed(there.minimum, 3),
               part((reads_twice ? 2 : 1) * size + results, there), fixed(again.median, 3), fixed(again.minimum, 3),
               part(size + results, again), same ? "same" : "DIFFERENT"});
  }
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  using namespace assay::bench;
  const auto numbers = static_cast<std::size_t>(sizes_of(argc, argv, {std::int64_t{1} << 30}).front());
  return run_on_device("quantize", [&](const assay::Executor& on) {
    const double copy = copy_rate(on);
    const DeviceArray<float> filled(on, numbers);
    const Times fill = time_calls(on, calls, [&](int) { queue_indices(on, numbers / 4, Zeros{filled.data()}); });
    std::printf("copy %.2f TB/s (read and write), writing alone %.2f TB/s; %zu numbers; medians of %d calls\n",
                copy * 1e-12, static_cast<double>(numbers * sizeof(float)) / fill.median * 1e-9, numbers, calls);
    measure<float>(on, "f32", numbers, copy);
    measure<assay::bfloat16>(on, "bf16", numbers, copy);
  });
}
