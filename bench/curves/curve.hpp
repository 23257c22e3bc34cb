#pragma once
// Cost curves: the time of one call against the size n. The program assay-curves times the curves that the other files
// of this folder add; `assay bench` runs it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "exec/executor.hpp"

namespace assay::bench {

/// One call with its own data.
using Call = std::function<void()>;

/// A program whose time is measured against n.
struct Curve {
  /// "family.kernel" for a kernel; "family.kernel/peer:NAME" for another implementation of the same operation;
  /// "family.kernel/limit:NAME" for a limit of the machine.
  std::string name;
  /// From one size to the next the time grows at most with this power of n: 1 for vectors, 3 for matrix products. A
  /// vector's size grows by a factor of 4, a matrix' by 2.
  int power = 1;
  /// Bytes of the arrays for size n.
  std::function<double(double n)> bytes;
  /// The call for size n on an executor.
  std::function<Call(const Executor& on, std::size_t n)> prepare;
  bool on_host = true;
  bool on_device = true;
};

void add_elementwise(std::vector<Curve>& curves);
void add_sums(std::vector<Curve>& curves);
void add_products(std::vector<Curve>& curves);
void add_residues(std::vector<Curve>& curves);
void add_words(std::vector<Curve>& curves);
void add_sparse(std::vector<Curve>& curves);
void add_limbs(std::vector<Curve>& curves);

/// Numbers for arrays: ±r, r uniform in [1/2, 1).
class Numbers {
 public:
  double operator()() {
    const std::uint64_t word = random_();
    const double r = 0.5 + static_cast<double>(word >> 12) * 0x1p-53;
    return (word & 1) != 0 ? r : -r;
  }
  std::uint64_t word() { return random_(); }
  std::vector<double> many(std::size_t n) {
    std::vector<double> x(n);
    for (double& each : x) each = (*this)();
    return x;
  }

 private:
  std::mt19937_64 random_{1};
};

/// Keeps a result that is not used.
template <class T>
void keep(const T& result) {
  asm volatile("" : : "r,m"(&result) : "memory");
}

/// A call that moves as many bytes of memory as a kernel that reads and writes `bytes`: a copy of half of them.
inline Call copy_of(double bytes) {
  const auto half = static_cast<std::size_t>(bytes / 2) + 1;
  return [from = std::vector<char>(half, 1), to = std::vector<char>(half)]() mutable {
    std::copy(from.begin(), from.end(), to.begin());
    keep(to);
  };
}

}  // namespace assay::bench
