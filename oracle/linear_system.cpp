#include "oracle/linear_system.hpp"

#include <stdexcept>
#include <utility>

#include "oracle/flint.hpp"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <flint/fmpq_mat.h>
#pragma GCC diagnostic pop

namespace assay::oracle {
namespace {

/// The owner of an fmpq_mat_t.
struct Fractions {
  fmpq_mat_t all;
  Fractions(long rows, long columns) { fmpq_mat_init(all, rows, columns); }
  Fractions(const Fractions&) = delete;
  Fractions& operator=(const Fractions&) = delete;
  ~Fractions() { fmpq_mat_clear(all); }
};

}  // namespace

std::optional<std::vector<Rational>> exact_solution(std::span<const Dyadic> a, std::span<const Dyadic> b) {
  const auto n = static_cast<long>(b.size());
  if (a.size() != b.size() * b.size()) throw std::invalid_argument("a system whose matrix is not square");
  const Fractions matrix(n, n);
  const Fractions right(n, 1);
  Fractions x(n, 1);
  for (long i = 0; i < n; ++i) {
    arf_get_fmpq(fmpq_mat_entry(right.all, i, 0), b[static_cast<std::size_t>(i)].arf());
    for (long j = 0; j < n; ++j) {
      arf_get_fmpq(fmpq_mat_entry(matrix.all, i, j), a[static_cast<std::size_t>(i * n + j)].arf());
    }
  }
  if (fmpq_mat_solve(x.all, matrix.all, right.all) == 0) return std::nullopt;
  std::vector<Rational> solution(b.size());
  for (long i = 0; i < n; ++i) fmpq_swap(solution[static_cast<std::size_t>(i)].get(), fmpq_mat_entry(x.all, i, 0));
  return solution;
}

}  // namespace assay::oracle
