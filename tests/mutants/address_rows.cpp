// The promises of kernels for operands anywhere in memory, for the mutants that break them: places of more than 32
// bits, and addresses that are multiples of 8 but not of 16.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "errorbounds/gemv_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "exec/memory.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "properties/catalog/giant/cases.hpp"
#include "properties/catalog/sum/accurate_cases.hpp"
#include "properties/framework/offset_array.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {
namespace {

/// The matrix-vector product of entries that are read at their places, or at their places modulo 2³².
std::vector<double> product_with(bool short_places, const Executor& on, const giant::GemvCase& c) {
  const LargeMemory memory(on, static_cast<std::size_t>(c.n * c.lda) * sizeof(double));
  auto* const entries = static_cast<double*>(memory.data());
  sum::queue_generated_matrix(on, entries, c.m, c.n, c.lda, static_cast<std::uint64_t>(c.seed));
  std::vector<double> a;
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      const std::int64_t place = i + j * c.lda;
      a.push_back(entries[short_places ? static_cast<std::uint32_t>(place) : place]);
    }
  }
  std::vector<double> x;
  for (std::int64_t l = 0; l < (c.trans != 0 ? c.m : c.n); ++l) x.push_back(giant::entry_of_x(l));
  const std::vector<double> y(static_cast<std::size_t>(c.trans != 0 ? c.n : c.m));
  return gemv::exact_gemv(on, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n, 1, a, c.m, x, 1, 0,
                          y, 1);
}

auto giant_gemv_promise(bool short_places) {
  return TypedModel(Property<giant::GemvCase, std::vector<double>, std::vector<oracle::Dyadic>>{
      .name = "mutants.giant_gemv",
      .domain = giant::gemv_domain(),
      .subject = [short_places](const Executor& on,
                                const giant::GemvCase& c) { return product_with(short_places, on, c); },
      .reference = giant::exact_product_of,
      .claims = {rounded("rounded", gemv_correctly_rounded_1, oracle::Rounding::nearest)},
      .quick_cases = 8});
}

/// The exact sum, or NaN where a device would refuse to load a pair of numbers.
double sum_of_pairs(bool loads_pairs, const Executor& on, const double* x, std::span<const double> numbers) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(x) % (2 * sizeof(double)) == 0;
  if (loads_pairs && !aligned && numbers.size() >= 2) return std::numeric_limits<double>::quiet_NaN();
  return sum::exact_sum(on, numbers);
}

auto pair_loads_promise(bool loads_pairs) {
  using Case = sum::SumCase<double>;
  return TypedModel(Property<Case, double, oracle::Dyadic>{
      .name = "mutants.pair_loads",
      .domain = sum::accurate_sum_domain<double>(sum::SumRoom::any, 200),
      .subject =
          [loads_pairs](const Executor& on, const Case& c) {
            const std::span<const double> numbers = c.x;
            if (numbers.size() % 2 == 0) {
              const Array<double> x(on, numbers);
              return sum_of_pairs(loads_pairs, on, x.data(), numbers);
            }
            const OffsetArray<double> x(on, numbers);
            return sum_of_pairs(loads_pairs, on, x.data(), numbers);
          },
      .reference = sum::exact_sum_of<Case>,
      .claims = {rounded(
          "nearest", sum_superaccumulator_2, oracle::Rounding::nearest,
          [](const Case& c) { return oracle::RoundingPolicy{.negative_zero = sum::sums_to_negative_zero(c)}; })},
      .quick_cases = 200});
}

/// Whether the host can provide as many addresses as the largest matrix needs. Its gaps take no memory.
bool host_has_places() {
  try {
    const LargeMemory all(Executor::host(), static_cast<std::size_t>(giant::largest_array) * sizeof(double));
    return true;
  } catch (const ExecutorError&) {
    return false;
  }
}

}  // namespace

Rows address_rows() {
  Rows rows;
  if (host_has_places()) {
    rows.push_back(kernel_row({"I1", "places in a matrix are counted in 32 bits", 1}, giant_gemv_promise(true),
                              giant_gemv_promise(false)));
  }
  rows.push_back(kernel_row({"I2", "pairs of numbers are loaded from any address", 1}, pair_loads_promise(true),
                            pair_loads_promise(false)));
  return rows;
}

}  // namespace assay::mutants
