// assay-curves [GLOB…] [--exclude=GLOB] [--on=host|cuda|all] [--most-milliseconds=N] [--most-bytes=N] [--benchmark_…]
//
// Times every cost curve from size 1 to the largest size whose arrays fit the limit of memory and whose call fits the
// limit of time. The names of the benchmarks are those that `assay bench` reads:
// "sum.exact/peer:std::accumulate/on:host/n:1024". Exit code 2: no kernel matches.
#include <benchmark/benchmark.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string_view>

#include "bench/curves/curve.hpp"

namespace assay::bench {
namespace {

struct Settings {
  std::vector<std::string> patterns;
  std::vector<std::string> excluded;
  std::string on = "all";
  double most_seconds = 0.1;
  double most_bytes = 1 << 30;
};

/// Measures one curve on one executor. Sizes are timed in ascending order.
struct Course {
  Curve curve;
  Executor on;
  double most_seconds;
  std::size_t size = 0;  ///< of the prepared call
  Call call;
  double seconds = 0;  ///< of one call at that size
  bool is_over = false;

  /// Prepares the call for a size, unless it would take longer than the limit, and returns whether it did.
  bool prepare(std::size_t n) {
    if (n == size) return !is_over;
    const double grown = size == 0 ? 0 : std::pow(static_cast<double>(n) / static_cast<double>(size), curve.power);
    is_over = is_over || seconds * grown > most_seconds;
    size = n;
    call = nullptr;
    if (is_over) return false;
    call = curve.prepare(on, n);
    run();
    const auto begin = std::chrono::steady_clock::now();
    run();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return true;
  }
  void run() const {
    call();
    wait(on);
  }
};

void measure(benchmark::State& state, Course& course, std::size_t n) {
  try {
    if (!course.prepare(n)) {
      state.SkipWithError("past the limit of time");
      return;
    }
    for (auto _ : state) course.run();
  } catch (const std::exception& error) {
    course.is_over = true;
    state.SkipWithError(error.what());
  }
}

bool is_any(const std::vector<std::string>& patterns, const std::string& name) {
  const std::string kernel = name.substr(0, name.find('/'));
  return std::ranges::any_of(patterns,
                             [&](const std::string& each) { return fnmatch(each.c_str(), kernel.c_str(), 0) == 0; });
}

void enter(const Curve& curve, const Executor& on, const Settings& settings) {
  const auto course = std::make_shared<Course>(Course{curve, on, settings.most_seconds, 0, nullptr, 0, false});
  const std::size_t factor = curve.power == 1 ? 4 : 2;
  for (std::size_t n = 1; curve.bytes(static_cast<double>(n)) <= settings.most_bytes; n *= factor) {
    const std::string name = curve.name + "/on:" + std::string(on.name()) + "/n:" + std::to_string(n);
    auto* const entered = benchmark::RegisterBenchmark(
        // NOLINTNEXTLINE(readability-redundant-string-cstr): version 1.7 of the library takes no string.
        name.c_str(), [course, n](benchmark::State& state) { measure(state, *course, n); });
    if (on.kind() == Executor::Kind::cuda) {
      entered->UseRealTime();
    } else {
      entered->MeasureProcessCPUTime();  // of all threads
    }
  }
}

/// Registers the selected curves and returns how many.
std::size_t enter_all(const Settings& settings) {
  std::vector<Curve> curves;
  add_elementwise(curves);
  add_sums(curves);
  add_products(curves);
  add_residues(curves);
  add_words(curves);
  add_sparse(curves);
  add_limbs(curves);
  std::size_t entered = 0;
  const bool device = Executor::cuda_device_count() > 0 && settings.on != "host";
  for (const Curve& curve : curves) {
    if ((!settings.patterns.empty() && !is_any(settings.patterns, curve.name)) ||
        is_any(settings.excluded, curve.name)) {
      continue;
    }
    ++entered;
    if (curve.on_host && settings.on != "cuda") enter(curve, Executor::host(), settings);
    if (curve.on_device && device) enter(curve, Executor::cuda(0), settings);
  }
  if (device) benchmark::AddCustomContext("device", Executor::cuda(0).model());
  return entered;
}

/// Parses the arguments that Google Benchmark left. Returns whether they are valid.
bool read(int argc, char** argv, Settings& settings) {
  const auto number = [](std::string_view text, double& into) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    return error == std::errc() && end == text.data() + text.size() && into > 0;
  };
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const std::string_view key = word.substr(0, word.find('='));
    const std::string_view value = word.substr(std::min(word.size(), key.size() + 1));
    bool is_good = true;
    if (key == "--exclude") {
      settings.excluded.emplace_back(value);
    } else if (key == "--on") {
      settings.on = value;
      is_good = value == "host" || value == "cuda" || value == "all";
    } else if (key == "--most-milliseconds") {
      is_good = number(value, settings.most_seconds);
      settings.most_seconds /= 1000;
    } else if (key == "--most-bytes") {
      is_good = number(value, settings.most_bytes);
    } else {
      is_good = !word.starts_with('-');
      settings.patterns.emplace_back(word);
    }
    if (!is_good) {
      std::fprintf(stderr, "assay-curves: %s is not understood\n", argv[i]);
      return false;
    }
  }
  return true;
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  Settings settings;
  if (!read(argc, argv, settings)) return 2;
  if (enter_all(settings) == 0) {
    std::fprintf(stderr, "assay-curves: no kernel matches\n");
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) {
  try {
    return assay::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay-curves: %s\n", error.what());
    return 3;
  }
}
