#include "kernels/sum/generated_terms.hpp"

#include "exec/launch.hpp"

namespace assay::sum {
namespace {

/// The places that one index of a launch fills.
constexpr std::int64_t part = 1024;

std::size_t parts(std::int64_t n) { return static_cast<std::size_t>((n + part - 1) / part); }

/// ±2^e, −8 ≤ e ≤ 8.
ASSAY_HD double power_at(std::uint64_t seed, std::int64_t pair) {
  const std::uint64_t word = bits::SplitMix64::mixed(bits::SplitMix64::mixed(~seed) + static_cast<std::uint64_t>(pair));
  return from_bits<double>((word >> 63) << 63 | (1015 + word % 17) << 52);
}

struct MirroredTerms {
  double* x;
  std::int64_t n;
  std::uint64_t seed;
  SingleTerms single;

  ASSAY_HD double at(std::int64_t i) const {
    const bool upper = i >= n - n / 2;
    const std::int64_t pair = upper ? n - 1 - i : i;
    if (!upper && pair >= n / 2) return 0;
    for (int s = 0; s < single_terms; ++s) {
      if (single.term[s].pair == pair) return (single.term[s].upper != 0) == upper ? single.term[s].value : 0;
    }
    const double g = generated_number(seed, static_cast<std::uint64_t>(pair));
    return upper ? -g : g;
  }
  ASSAY_HD void operator()(std::size_t index) const {
    const auto first = static_cast<std::int64_t>(index) * part;
    for (std::int64_t i = first; i < n && i < first + part; ++i) x[i] = at(i);
  }
};

struct SymmetricPowers {
  double* y;
  std::int64_t n;
  std::uint64_t seed;
  ASSAY_HD void operator()(std::size_t index) const {
    const auto first = static_cast<std::int64_t>(index) * part;
    for (std::int64_t i = first; i < n && i < first + part; ++i) y[i] = power_at(seed, i < n - 1 - i ? i : n - 1 - i);
  }
};

struct GeneratedColumn {
  double* a;
  std::int64_t m, lda;
  std::uint64_t seed;
  ASSAY_HD void operator()(std::size_t column) const {
    const auto j = static_cast<std::int64_t>(column);
    for (std::int64_t i = 0; i < m; ++i) a[i + j * lda] = generated_number(seed, static_cast<std::uint64_t>(i + j * m));
  }
};

}  // namespace

void queue_mirrored_terms(const Executor& on, double* x, std::int64_t n, std::uint64_t seed,
                          const SingleTerms& single) {
  queue_indices(on, parts(n), MirroredTerms{x, n, seed, single});
}

void queue_symmetric_powers(const Executor& on, double* y, std::int64_t n, std::uint64_t seed) {
  queue_indices(on, parts(n), SymmetricPowers{y, n, seed});
}

double symmetric_power(std::uint64_t seed, std::int64_t n, std::int64_t i) {
  return power_at(seed, i < n - 1 - i ? i : n - 1 - i);
}

void queue_generated_matrix(const Executor& on, double* a, std::int64_t m, std::int64_t n, std::int64_t lda,
                            std::uint64_t seed) {
  queue_indices(on, static_cast<std::size_t>(n), GeneratedColumn{a, m, lda, seed});
}

}  // namespace assay::sum
