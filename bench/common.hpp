#pragma once
// The common parts of benchmarks: arrays, random numbers, tables, and the frame of a program.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exec/launch.hpp"
#include "exec/workspace.hpp"

namespace assay::bench {

/// n numbers on an executor; they have no values at first on a device.
template <class T>
class DeviceArray {
 public:
  DeviceArray(const Executor& on, std::size_t n)
      : on_(on),
        size_(n),
        memory_(std::make_unique<Workspace>(on, Workspace::bytes_of<T>(std::max<std::size_t>(1, n)))),
        data_(memory_->take<T>(n)) {}
  DeviceArray(const Executor& on, std::span<const T> x) : DeviceArray(on, x.size()) {
    copy_to(on, data_, x.data(), x.size_bytes());
  }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The first `count` numbers, on the host, after all work that was queued.
  [[nodiscard]] std::vector<T> first(std::size_t count) const {
    std::vector<T> x(count);
    copy_from(on_, x.data(), data_, count * sizeof(T));
    return x;
  }
  [[nodiscard]] std::vector<T> all() const { return first(size_); }

 private:
  Executor on_;
  std::size_t size_;
  std::unique_ptr<Workspace> memory_;
  T* data_;
};

/// Word i of the sequence of SplitMix64: Steele, Lea, Flood 2014.
ASSAY_HD inline std::uint64_t random_word(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Uniform in [0, 1), a multiple of 2⁻⁵³.
ASSAY_HD inline double random_uniform(std::uint64_t i) { return static_cast<double>(random_word(i) >> 11) * 0x1p-53; }

/// The start of sequence number `stream`, for arrays whose numbers must be independent.
ASSAY_HD constexpr std::uint64_t stream_begin(std::uint64_t stream) { return stream << 40; }

/// x[i] = (r − ½)·exp(φ·g), r uniform in [0, 1), g normal by Box and Muller, 1958.
struct GradedFill {
  double* x;
  double phi;
  std::uint64_t stream;
  ASSAY_HD void operator()(std::size_t i) const {
    const std::uint64_t k = stream_begin(stream) + 3 * i;
    const double angle = 6.283185307179586 * random_uniform(k + 2);
    const double normal = ::sqrt(-2 * ::log(1 - random_uniform(k + 1))) * ::cos(angle);
    x[i] = (random_uniform(k) - 0.5) * ::exp(phi * normal);
  }
};

/// Milliseconds.
struct Times {
  double median;
  double minimum;
};

/// A number with this many decimals.
inline std::string fixed(double x, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, x);
  return text;
}

/// A part as a percentage.
inline std::string percent(double part) { return fixed(100 * part, 1) + " %"; }

/// A table in Markdown that is printed row by row.
class Table {
 public:
  explicit Table(std::initializer_list<std::string> head) {
    std::printf("\n");
    row(head);
    for (std::size_t i = 0; i < head.size(); ++i) std::printf("| --- ");
    std::printf("|\n");
  }
  void row(std::initializer_list<std::string> cells) const {
    for (const std::string& cell : cells) std::printf("| %s ", cell.c_str());
    std::printf("|\n");
    std::fflush(stdout);
  }
};

/// The sizes on the command line, or the given default sizes.
inline std::vector<std::int64_t> sizes_of(int argc, char** argv, std::initializer_list<std::int64_t> otherwise) {
  std::vector<std::int64_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));
  return sizes.empty() ? std::vector<std::int64_t>(otherwise) : sizes;
}

/// Prints the model of device number 0 and calls measure(executor). The exit code of the program: 77 without a device,
/// 3 after an error.
template <class Measure>
int run_on_device(const char* program, Measure&& measure) {
  if (Executor::cuda_device_count() == 0) {
    std::fprintf(stderr, "%s: no CUDA device\n", program);
    return 77;
  }
  try {
    const Executor on = Executor::cuda(0);
    std::printf("%s\n", on.model().c_str());
    measure(on);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 3;
  }
  return 0;
}

}  // namespace assay::bench
