// Assertions about generated terms: kernels write them only for properties of a size that a quick check has no room
// for.

#include <cstdint>

#include "kernels/sum/detail/generated_bodies.hpp"
#include "tests/constants/digest.hpp"

namespace assay::constants {
namespace {

namespace of = sum::detail;
constexpr bool same(double a, double b) { return to_bits(a) == to_bits(b); }

// Every number in its range, the ends of the range are met, and the words are those of the published terms.
constexpr bool numbers_are_in_range() {
  int least = 100;
  int most = -100;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const int e = bits::normal_exponent(sum::generated_number(5, i));
    least = e < least ? e : least;
    most = e > most ? e : most;
  }
  return least == -20 && most == 20;
}
static_assert(numbers_are_in_range());
constexpr bool powers_are_in_range() {
  int least = 100;
  int most = -100;
  int minus = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    const double x = of::power_at(9, i);
    if (bits::fraction_bits(x) != 0) return false;
    const int e = bits::normal_exponent(x);
    least = e < least ? e : least;
    most = e > most ? e : most;
    minus += signbit(x) ? 1 : 0;
  }
  return least == -8 && most == 8 && minus > 100 && minus < 200;
}
static_assert(powers_are_in_range());
constexpr std::uint64_t drawn() {
  Digest digest;
  for (std::uint64_t i = 0; i < 64; ++i) {
    digest << to_bits(sum::generated_number(i % 3, i)) << to_bits(of::power_at(i % 5, static_cast<std::int64_t>(i)));
  }
  return digest.value();
}
static_assert(drawn() == 7952499343344439559u);

constexpr int room = 2200;
/// An array before and after a kernel writes it.
constexpr double untouched = 0x1.23456789abcdep99;
struct Terms {
  double x[room + 1];
};
template <class Body>
constexpr Terms written(std::int64_t n, Body body) {
  Terms terms{};
  for (double& each : terms.x) each = untouched;
  for (std::size_t index = 0; index < of::parts(n); ++index) body(terms.x, index);
  return terms;
}

/// x_i = g_i, x_(n − 1 − i) = −g_i, 0 in the middle, single terms in their places.
constexpr bool mirrors(std::int64_t n, const sum::SingleTerms& single) {
  const Terms terms = written(n, [&](double* x, std::size_t index) { of::MirroredTerms{x, n, 3, single}(index); });
  for (std::int64_t i = 0; i < n / 2; ++i) {
    double low = sum::generated_number(3, static_cast<std::uint64_t>(i));
    double high = -low;
    bool is_single = false;
    for (const sum::SingleTerm& each : single.term) {
      if (is_single || each.pair != i) continue;
      is_single = true;
      low = each.upper != 0 ? 0 : each.value;
      high = each.upper != 0 ? each.value : 0;
    }
    if (!same(terms.x[i], low) || !same(terms.x[n - 1 - i], high)) return false;
  }
  return (n % 2 == 0 || same(terms.x[n / 2], 0.0)) && same(terms.x[n], untouched);
}
constexpr sum::SingleTerms none{};
constexpr sum::SingleTerms some{{{0, 1, 2.5}, {3, 0, -7.0}, {-1, 0, 1.0}, {2, 1, 1e300}}};
static_assert(mirrors(0, none) && mirrors(1, none) && mirrors(2, none) && mirrors(7, none));
static_assert(mirrors(8, some) && mirrors(9, some) && mirrors(1024, some) && mirrors(1025, some));
static_assert(mirrors(2049, none) && mirrors(2051, some));

constexpr bool is_symmetric(std::int64_t n) {
  const Terms terms = written(n, [&](double* y, std::size_t index) { of::SymmetricPowers{y, n, 4}(index); });
  for (std::int64_t i = 0; i < n - n / 2; ++i) {
    if (!same(terms.x[i], of::power_at(4, i)) || !same(terms.x[n - 1 - i], terms.x[i])) return false;
  }
  return same(terms.x[n], untouched);
}
static_assert(is_symmetric(0) && is_symmetric(1) && is_symmetric(8) && is_symmetric(1025) && is_symmetric(2048));

constexpr bool columns_are_generated() {
  Terms terms{};
  for (double& each : terms.x) each = untouched;
  for (std::size_t j = 0; j < 3; ++j) of::GeneratedColumn{terms.x, 5, 7, 11}(j);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 7; ++i) {
      const double expected = i < 5 ? sum::generated_number(11, static_cast<std::uint64_t>(i + 5 * j)) : untouched;
      if (!same(terms.x[i + 7 * j], expected)) return false;
    }
  }
  return same(terms.x[21], untouched);
}
static_assert(columns_are_generated());
static_assert(of::parts(0) == 0 && of::parts(1) == 1 && of::parts(1024) == 1 && of::parts(1025) == 2 &&
              of::parts(std::int64_t{1} << 31) == 1 << 21);

}  // namespace
}  // namespace assay::constants
