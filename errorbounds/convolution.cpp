#include "errorbounds/convolution.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

/// The magnitudes of the matrices of F(m, 3): Bᵀ, scale·G and Aᵀ.
template <std::size_t m>
struct Matrices {
  std::array<std::array<std::uint64_t, m + 2>, m + 2> inputs;
  std::array<std::array<std::uint64_t, 3>, m + 2> taps;
  std::array<std::array<std::uint64_t, m + 2>, m> outputs;
  std::uint64_t scale;

  [[nodiscard]] std::uint64_t weight(std::uint64_t p, std::uint64_t a, std::uint64_t t) const {
    std::uint64_t sum = 0;
    for (std::size_t q = 0; q < m + 2; ++q) sum += outputs[p][q] * inputs[q][a] * taps[q][t];
    return sum;
  }
};

/// The points 0, 1, −1 and ∞.
constexpr Matrices<2> of_two{{{{1, 0, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 0, 1}}},
                             {{{2, 0, 0}, {1, 1, 1}, {1, 1, 1}, {0, 0, 2}}},
                             {{{1, 1, 1, 0}, {0, 1, 1, 1}}},
                             2};
/// The points 0, 1, −1, 2, −2 and ∞.
constexpr Matrices<4> of_four{{{{4, 0, 5, 0, 1, 0},
                                {0, 4, 4, 1, 1, 0},
                                {0, 4, 4, 1, 1, 0},
                                {0, 2, 1, 2, 1, 0},
                                {0, 2, 1, 2, 1, 0},
                                {0, 4, 0, 5, 0, 1}}},
                              {{{6, 0, 0}, {4, 4, 4}, {4, 4, 4}, {1, 2, 4}, {1, 2, 4}, {0, 0, 24}}},
                              {{{1, 1, 1, 1, 1, 0}, {0, 1, 1, 2, 2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, 1, 8, 8, 1}}},
                              24};

}  // namespace

std::uint64_t winograd_weight(std::uint64_t m, std::uint64_t p, std::uint64_t a, std::uint64_t t) {
  return m == 2 ? of_two.weight(p, a, t) : of_four.weight(p, a, t);
}

std::uint64_t winograd_scale(std::uint64_t m) { return m == 2 ? of_two.scale : of_four.scale; }

Bound winograd_bound(std::uint64_t m, std::uint64_t dimensions, std::uint64_t channels, const Dyadic& weighted,
                     const Dyadic& largest, const oracle::Format& format) {
  const std::uint64_t roundings = channels + 1 + (m == 2 ? 5 : 12) * dimensions;
  if (Dyadic(2 * roundings) * unit_roundoff(format.precision) > Dyadic(1)) {
    throw std::domain_error("Winograd's algorithm requires Nu ≤ 1/2: N = " + std::to_string(roundings) + ", u = 2^-" +
                            std::to_string(format.precision));
  }
  Dyadic scale(1);
  for (std::uint64_t d = 0; d < dimensions; ++d) scale *= Dyadic(winograd_scale(m));
  const RelativeBound factor = gamma(roundings, format.precision);
  const Dyadic lost = Dyadic(channels) * (largest + Dyadic(1)) * Dyadic::scaled(1, format.emin + 30);
  return Bound{factor.numerator * weighted, factor.denominator * scale} + Bound{lost};
}

RelativeBound fft_convolution_bound(std::uint64_t height, std::uint64_t convolutions, int p) {
  if (p < 24) throw std::domain_error("a convolution by transforms requires p ≥ 24: p = " + std::to_string(p));
  const Dyadic q = Dyadic(320 * height + 3 * convolutions + 9) * unit_roundoff(p);
  if (q + q > Dyadic(1)) {
    throw std::domain_error("a convolution by transforms requires Q ≤ 1/2: h = " + std::to_string(height) +
                            ", u = 2^-" + std::to_string(p));
  }
  return {q, Dyadic(1) - q};
}

}  // namespace assay
