#include "properties/contracts/matmul_screen.hpp"

#include <bit>
#include <limits>

#include "errorbounds/bound.hpp"
#include "oracle/decode.hpp"

namespace assay::contracts {
namespace {

/// The largest number of so many significant bits that is at most x. Requires: x ≥ 0.
double cut(double x, int bits) {
  const int dropped = 53 - bits;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> dropped << dropped);
}

}  // namespace

double BoundFloor::operator()(double magnitude, double sum) {
  constexpr double tiny = 0x1p-900;  // below it the bound may leave the range of binary64
  if (magnitude < tiny) return 0;
  magnitude = cut(magnitude, 4);
  sum = sum < magnitude * 0x1p-8 ? 0 : cut(sum, 2);
  const std::uint64_t key = std::bit_cast<std::uint64_t>(magnitude) | std::bit_cast<std::uint64_t>(sum) >> 32;
  const auto [found, is_new] = known_.try_emplace(key, 0);
  if (is_new) {
    const MatmulTerms terms{EntryKind::finite, oracle::exact(sum), oracle::exact(magnitude), {}};
    const Bound bound = bound_of(bound_, {k_, terms, accumulator_, result_});
    found->second = bound.numerator.is_zero() ? 0 : at_most({bound.numerator, bound.denominator});
  }
  return found->second;
}

double gap_at(double got, const oracle::Format& format) {
  if (!std::isfinite(got) || got == 0) return std::numeric_limits<double>::quiet_NaN();
  const int exponent = std::ilogb(got);
  const bool is_power = std::abs(got) == std::ldexp(1.0, exponent);
  const int binade = std::max(exponent - (is_power ? 1 : 0), format.emin);
  return std::ldexp(1.0, binade - format.precision + 1);
}

}  // namespace assay::contracts
