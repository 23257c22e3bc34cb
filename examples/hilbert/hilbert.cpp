// A Hilbert system of order 100, solved in multiple precision, with a certificate of its error.
//
//   hilbert [order] [cuda]
//
// The condition of the matrix is about 10¹⁵⁰. A solution by Cholesky's factorization in 1024 bits has 159 correct
// digits, and each step of the refinement adds as many again, until the residuals in 2048 bits cannot give more. The
// errors that are printed are bounds: exact arithmetic computes them from the solution, whatever the kernels computed.

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "certified_solve.hpp"
#include "oracle/decimal.hpp"

namespace {

constexpr std::size_t most_order = 150;
constexpr int printed_digits = 100;

std::size_t order_of(std::string_view word) {
  std::size_t order = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), order);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size() || order < 1 || order > most_order) {
    throw std::invalid_argument("the order is a number from 1 to 150");
  }
  return order;
}

void solve(const assay::Executor& on, std::size_t order) {
  const hilbert::System system = hilbert::hilbert_system(order);
  int steps = 0;
  const hilbert::Step solution = hilbert::certified_solve(on, system, [&](const hilbert::Step& step) {
    std::printf("step %d: every unknown certified to %ld digits\n", ++steps,
                hilbert::certified_digits(step.x, step.errors));
  });
  for (std::size_t i = 0; i < order; ++i) {
    std::printf("x_%zu = %s\n", i + 1, assay::oracle::decimal(solution.x[i], printed_digits).c_str());
  }
  std::printf("certified: order %zu, relative error of every unknown at most 1e-%ld\n", order,
              hilbert::certified_digits(solution.x, solution.errors));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool on_device = argc > 1 && std::string_view(argv[argc - 1]) == "cuda";
    const int words = argc - (on_device ? 1 : 0);
    if (words > 2) throw std::invalid_argument("usage: hilbert [order] [cuda]");
    solve(on_device ? assay::Executor::cuda() : assay::Executor::host(), words == 2 ? order_of(argv[1]) : 100);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hilbert: %s\n", error.what());
    return 1;
  }
  return 0;
}
