// Finds arguments of elementary functions whose values lie near a number or a midpoint of binary64, and prints
// worst_cases.inc: `find_worst_cases > tests/peers/worst_cases.inc`.
//
// In a block of 2¹⁵ neighboring arguments a function is nearly a line: f(x₀ + ku) ≈ a + bk in units of half an ulp.
// The first k with (a + bk) mod 1 near 0 comes from the Euclidean algorithm for b (after Lefèvre, Muller, Worst cases
// for correct rounding of the elementary functions in double precision, ARITH 15, 2001), and MPFR computes how near it
// is.

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "worst_case_functions.hpp"

namespace {

using assay::reference::distance_from_a_boundary;
using assay::reference::half_ulp_exponent;
using assay::reference::Real;
using assay::reference::WorstCaseFunction;

__extension__ using Wide = unsigned __int128;

constexpr int block_bits = 15;
constexpr std::uint64_t block = std::uint64_t{1} << block_bits;
constexpr int blocks = 40'000;
constexpr std::size_t kept = 3;
constexpr Wide none = ~Wide{0};

/// The least k ≥ 0 with low ≤ (ak mod m) ≤ high, or none. Requires: 0 ≤ low ≤ high < m, a < m.
Wide first_within(Wide a, Wide m, Wide low, Wide high) {
  if (low == 0) return 0;
  if (a == 0) return none;
  const Wide k = (low + a - 1) / a;
  if (k * a <= high) return k;
  // ak = my + r with r in the range: (my mod a) lies in the range of −r mod a.
  const Wide y = first_within(m % a, a, (a - high % a) % a, (a - low % a) % a);
  return y == none ? none : (low + m * y + a - 1) / a;
}

/// The least k ≥ 0 for which a + bk is nearer than `near` to a multiple of 2⁶⁴, or none.
Wide first_near(std::uint64_t a, std::uint64_t b, std::uint64_t near) {
  const std::uint64_t low = std::uint64_t{0} - near - a;
  const std::uint64_t high = near - a;
  return low > high ? 0 : first_within(b, Wide{1} << 64, low, high);
}

/// The fraction of x, in units of 2⁻⁶⁴.
std::uint64_t fraction_of(mpfr_srcptr x) {
  Real fraction(mpfr_get_prec(x));
  Real floor(mpfr_get_prec(x));
  mpfr_floor(floor.x, x);
  mpfr_sub(fraction.x, x, floor.x, MPFR_RNDN);
  mpfr_mul_2ui(fraction.x, fraction.x, 64, MPFR_RNDN);
  Real high(mpfr_get_prec(x));
  mpfr_div_2ui(high.x, fraction.x, 32, MPFR_RNDN);
  const auto upper = static_cast<std::uint64_t>(mpfr_get_ui(high.x, MPFR_RNDZ));
  mpfr_set_ui(high.x, static_cast<unsigned long>(upper), MPFR_RNDN);
  mpfr_mul_2ui(high.x, high.x, 32, MPFR_RNDN);
  mpfr_sub(fraction.x, fraction.x, high.x, MPFR_RNDN);
  return (upper << 32) + static_cast<std::uint64_t>(mpfr_get_ui(fraction.x, MPFR_RNDZ));
}

using Found = std::pair<double, double>;  ///< the distance, and the argument

/// The nearest arguments of blocks of one binade.
std::vector<Found> search(const WorstCaseFunction& f, int binade) {
  std::vector<Found> found;
  Real x(53);
  Real first(200);
  Real middle(200);
  Real last(200);
  const double u = std::ldexp(1, binade - 52);
  assay::bits::SplitMix64 random{1};
  for (int i = 0; i < blocks; ++i) {
    const std::uint64_t at = random() >> 12;
    const double start = std::ldexp(1, binade) + static_cast<double>(at & ~(block - 1)) * u;
    const auto value = [&](Real& y, std::uint64_t k) {
      mpfr_set_d(x.x, start + static_cast<double>(k) * u, MPFR_RNDN);
      f.mpfr(y.x, x.x, MPFR_RNDN);
    };
    value(first, 0);
    value(middle, block / 2);
    value(last, block);
    const long unit = half_ulp_exponent(first.x);
    if (half_ulp_exponent(last.x) != unit) continue;
    for (Real* each : {&first, &middle, &last}) mpfr_mul_2si(each->x, each->x, -unit, MPFR_RNDN);
    // How far the function is from the line through its ends.
    mpfr_mul_2ui(middle.x, middle.x, 1, MPFR_RNDN);
    mpfr_sub(middle.x, middle.x, first.x, MPFR_RNDN);
    mpfr_sub(middle.x, middle.x, last.x, MPFR_RNDN);
    const double bend = std::abs(mpfr_get_d(middle.x, MPFR_RNDA)) / 2;
    if (bend > 0x1p-16) continue;
    mpfr_sub(last.x, last.x, first.x, MPFR_RNDN);
    mpfr_div_2ui(last.x, last.x, block_bits, MPFR_RNDN);
    std::uint64_t a = fraction_of(first.x);
    const std::uint64_t b = fraction_of(last.x);
    const auto near = static_cast<std::uint64_t>((bend + 0x1p-26) * 0x1p64);
    for (std::uint64_t k = 0; k < block;) {
      const Wide step = first_near(a, b, near);
      if (step >= block - k) break;
      k += static_cast<std::uint64_t>(step);
      const double argument = start + static_cast<double>(k) * u;
      const double distance = distance_from_a_boundary(f, argument);
      if (distance != 0) found.emplace_back(distance, argument);
      a += b * (static_cast<std::uint64_t>(step) + 1);
      ++k;
    }
  }
  std::sort(found.begin(), found.end());
  found.resize(std::min(found.size(), kept));
  return found;
}

}  // namespace

int main() {
  std::puts("// Written by find_worst_cases: function, argument; how near the value is to a number or a midpoint.");
  for (const WorstCaseFunction& f : assay::reference::worst_case_functions) {
    for (const int binade : f.binades) {
      for (const auto& [distance, x] : search(f, binade)) {
        std::printf("{\"%s\", %a},  // 2^%.1f of half an ulp\n", f.name, x, std::log2(distance));
      }
    }
  }
}
