#pragma once
// The numbers that one index of a launch writes of generated terms.

#include <cstddef>
#include <cstdint>

#include "arith/bits/bits.hpp"
#include "arith/bits/split_mix64.hpp"
#include "arith/hd.hpp"
#include "kernels/sum/generated_terms.hpp"

namespace assay::sum::detail {

/// The places that one index of a launch fills.
inline constexpr std::int64_t part = 1024;

constexpr std::size_t parts(std::int64_t n) { return static_cast<std::size_t>((n + part - 1) / part); }

/// ±2^e, −8 ≤ e ≤ 8.
ASSAY_HD constexpr double power_at(std::uint64_t seed, std::int64_t pair) {
  const std::uint64_t word = bits::SplitMix64::mixed(bits::SplitMix64::mixed(~seed) + static_cast<std::uint64_t>(pair));
  return from_bits<double>((word >> 63) << 63 | (1015 + word % 17) << 52);
}

/// The same for the places i and n − 1 − i.
ASSAY_HD constexpr double symmetric_power_at(std::uint64_t seed, std::int64_t n, std::int64_t i) {
  return power_at(seed, i < n - 1 - i ? i : n - 1 - i);
}

struct MirroredTerms {
  double* x;
  std::int64_t n;
  std::uint64_t seed;
  SingleTerms single;

  ASSAY_HD constexpr double at(std::int64_t i) const {
    const bool upper = i >= n - n / 2;
    const std::int64_t pair = upper ? n - 1 - i : i;
    if (!upper && pair >= n / 2) return 0;
    for (int s = 0; s < single_terms; ++s) {
      if (single.term[s].pair == pair) return (single.term[s].upper != 0) == upper ? single.term[s].value : 0;
    }
    const double g = generated_number(seed, static_cast<std::uint64_t>(pair));
    return upper ? -g : g;
  }
  ASSAY_HD constexpr void operator()(std::size_t index) const {
    const auto first = static_cast<std::int64_t>(index) * part;
    for (std::int64_t i = first; i < n && i < first + part; ++i) x[i] = at(i);
  }
};

struct SymmetricPowers {
  double* y;
  std::int64_t n;
  std::uint64_t seed;
  ASSAY_HD constexpr void operator()(std::size_t index) const {
    const auto first = static_cast<std::int64_t>(index) * part;
    for (std::int64_t i = first; i < n && i < first + part; ++i) y[i] = symmetric_power_at(seed, n, i);
  }
};

struct GeneratedColumn {
  double* a;
  std::int64_t m, lda;
  std::uint64_t seed;
  ASSAY_HD constexpr void operator()(std::size_t column) const {
    const auto j = static_cast<std::int64_t>(column);
    for (std::int64_t i = 0; i < m; ++i) a[i + j * lda] = generated_number(seed, static_cast<std::uint64_t>(i + j * m));
  }
};

}  // namespace assay::sum::detail
