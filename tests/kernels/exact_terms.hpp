#pragma once
// Terms of exact sums: classes of inputs that are hard to add, and the executors that add them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "exec/executor.hpp"

namespace assay::exact_terms {

/// ±1.xxx·2^e with low ≤ e ≤ high.
inline double number(std::mt19937_64& random, int low, int high) {
  const auto m = static_cast<double>(random() >> 11 | std::uint64_t{1} << 52);
  const int e = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  return std::ldexp((random() & 1) != 0 ? m : -m, e - 52);
}

/// A class of terms: a name, and term j of n.
struct Class {
  std::string name;
  double (*term)(std::mt19937_64& random, std::size_t j, double before);
};

/// Terms of few binades, so that their sums have a window of 128 bits; of more; of all. `before` is the term before.
inline const std::vector<Class>& classes() {
  using Random = std::mt19937_64;
  static const std::vector<Class> all{
      {"a few binades", [](Random& random, std::size_t, double) { return number(random, -20, 10); }},
      {"integers, many sums of which are ties",
       [](Random& random, std::size_t j, double) {
         return j % 3 == 0 ? std::ldexp(static_cast<double>(random() % 8), 52) : static_cast<double>(random() % 3) - 1;
       }},
      {"more binades than 128 bits hold", [](Random& random, std::size_t, double) { return number(random, -70, 10); }},
      {"every binade", [](Random& random, std::size_t, double) { return number(random, -1074, 1023); }},
      {"neighbors that cancel",
       [](Random& random, std::size_t j, double before) {
         return j % 16 == 15 ? 0x1p-1074 : j % 2 == 0 ? number(random, -400, 400) : -before;
       }},
      {"subnormal numbers", [](Random& random, std::size_t, double) { return number(random, -1074, -1020); }},
      {"partial sums beyond the largest number",
       [](Random& random, std::size_t, double) { return number(random, 1020, 1023); }},
      {"ties and their neighbors",
       [](Random& random, std::size_t j, double) {
         const double tie[] = {1, 0x1p-53, 0x1p-52, -0x1p-53, 0x1p-106, -0x1p-106, 0x1p-54, 0x1.8p-53};
         return j % 2 == 0 ? 1.0 : tie[random() % 8];
       }},
      {"zeros of both signs",
       [](Random& random, std::size_t, double) {
         return (random() % 8) == 0 ? 0.0 : (random() % 8) == 0 ? 1.0 : -0.0;
       }},
  };
  return all;
}

inline std::vector<double> terms(const Class& of, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> x(n);
  double before = 0;
  for (std::size_t j = 0; j < n; ++j) x[j] = before = of.term(random, j, before);
  return x;
}

/// Some terms in a thousand become infinities and NaNs.
inline void make_special(std::vector<double>& x, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double& each : x) {
    const std::uint64_t kind = random() % 3000;
    if (kind < 2) each = kind == 0 ? infinity : -infinity;
    if (kind == 2) each = std::numeric_limits<double>::quiet_NaN();
  }
}

/// The host in all orders, with few blocks, and the device where there is one.
inline std::vector<Executor> executors() {
  std::vector<Executor> all{Executor::host(), Executor::host(Order::descending), Executor::host(Order::shuffled, 7),
                            Executor::host().with_most_blocks(3)};
  if (Executor::cuda_device_count() > 0) all.push_back(Executor::cuda());
  return all;
}

/// Whether two numbers have the same bits, or both are NaN.
inline bool same(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

}  // namespace assay::exact_terms
