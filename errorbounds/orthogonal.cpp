#include "errorbounds/orthogonal.hpp"

#include "errorbounds/gamma.hpp"

namespace assay {
namespace {

constexpr std::uint64_t most_rows_of_steps = 256;

/// ⌈√n⌉.
std::uint64_t root_above(std::uint64_t n) {
  std::uint64_t root = 0;
  while (root * root < n) ++root;
  return root;
}

oracle::Dyadic in_units(std::uint64_t count, const oracle::Format& format) {
  return oracle::Dyadic(count) * unit_roundoff(format.precision);
}

}  // namespace

Bound qr_residual_bound(std::uint64_t rows, std::uint64_t pivots, const oracle::Dyadic& norm,
                        const oracle::Format& format) {
  return Bound{in_units(120 * root_above(rows) * pivots * (rows + 2), format) * norm};
}

bool qr_bound_applies(std::uint64_t rows, std::uint64_t pivots, const oracle::Format& format) {
  return rows <= most_rows_of_steps && in_units(320 * rows * pivots * (rows + 2), format) <= oracle::Dyadic(1);
}

oracle::Dyadic least_squares_change(std::uint64_t rows, std::uint64_t columns, const oracle::Format& format) {
  return in_units(50 * columns * (rows + 2), format);
}

Bound least_squares_bound(std::uint64_t rows, std::uint64_t columns, const oracle::Dyadic& lengths,
                          const oracle::Dyadic& root, const oracle::Format& format) {
  return Bound{least_squares_change(rows, columns, format) * lengths + root};
}

Bound eigen_residual_bound(std::uint64_t n, const oracle::Dyadic& norm, const oracle::Format& format) {
  return Bound{in_units(2700 * root_above(n) * n * (n + 2), format) * norm};
}

Bound eigenvalue_bound(std::uint64_t n, const oracle::Dyadic& norm, const oracle::Format& format) {
  return Bound{in_units(1000 * n * (n + 2), format) * norm};
}

bool eigen_bound_applies(std::uint64_t n, const oracle::Format& format) {
  return n <= most_rows_of_steps && in_units(3600 * n * n * (n + 2), format) <= oracle::Dyadic(1);
}

}  // namespace assay
