#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "exec/array.hpp"
#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "probes/matrix/entries.hpp"
#include "properties/framework/property.hpp"
#include "tests/probes/probe_suite.hpp"

namespace assay::probes {

using oracle::Dyadic;

/// A product on an executor, row steps of 1, with results that a test chooses.
struct MatrixProduct {
  std::int64_t m, n, k;
  double alpha, beta;
  std::vector<double> a, b, start, results;

  [[nodiscard]] Dyadic sum(std::int64_t i, std::int64_t j, bool of_magnitudes = false) const {
    Dyadic all;
    for (std::int64_t l = 0; l < k; ++l) {
      const Dyadic term =
          oracle::exact(a[static_cast<std::size_t>(i + l * m)]) * oracle::exact(b[static_cast<std::size_t>(l + j * k)]);
      all += of_magnitudes ? abs(term) : term;
    }
    return all;
  }
  [[nodiscard]] Dyadic exact(std::int64_t i, std::int64_t j) const {
    return oracle::exact(alpha) * sum(i, j) +
           oracle::exact(beta) * oracle::exact(start[static_cast<std::size_t>(i + j * m)]);
  }
  /// Runs body(product, results) on an executor.
  template <class Body>
  auto on(const Executor& executor, const Body& body) const {
    const Array<double> left(executor, std::span<const double>(a));
    const Array<double> right(executor, std::span<const double>(b));
    const Array<double> before(executor, std::span<const double>(start));
    const Array<double> after(executor, std::span<const double>(results));
    return body(matrix::Product{m, n, k, alpha, {left.data(), 1, m}, {right.data(), 1, k}, beta, {before.data(), 1, m}},
                matrix::View{after.data(), 1, m});
  }
  template <class Probe>
  [[nodiscard]] std::vector<CellResult> judged(const Executor& executor, double factor) const {
    return on(executor, [&](const matrix::Product& product, const matrix::View& view) {
      const std::size_t cells = static_cast<std::size_t>(m * n + 255) / 256;
      return judge_cells(executor, Probe{{product, view}}, factor, 0, 0, 0, cells);
    });
  }
  [[nodiscard]] std::uint64_t wrong(const Executor& executor = Executor::host()) const {
    std::uint64_t count = 0;
    for (const CellResult& each : judged<matrix::Rounded>(executor, 1)) count += each.undecided;
    return count;
  }
};

double nearest(const Dyadic& x) {
  return from_bits<double>(oracle::round(x, oracle::binary64, oracle::Rounding::nearest));
}

/// Numbers of exponents in ±spread, results rounded by the oracle.
MatrixProduct product_of(std::int64_t m, std::int64_t n, std::int64_t k, int spread) {
  Draw draw(random_for(1, "matrix probes", static_cast<std::uint64_t>(m + n + k + spread)));
  const auto numbers = [&](std::int64_t count) {
    std::vector<double> all(static_cast<std::size_t>(count));
    for (double& each : all) {
      const double x =
          std::ldexp(static_cast<double>(draw.below(std::uint64_t{1} << 53)), draw.between(-spread, spread));
      each = draw.coin() ? x : -x;
    }
    return all;
  };
  MatrixProduct p{m, n, k, 0.75, -3, numbers(m * k), numbers(k * n), numbers(m * n), {}};
  p.results.resize(static_cast<std::size_t>(m * n));
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) p.results[static_cast<std::size_t>(i + j * m)] = nearest(p.exact(i, j));
  }
  return p;
}

TEST(MatrixEntries, RoundedByTheOracleAreProved) {
  for (const int spread : {0, 30, 450}) {
    EXPECT_EQ(product_of(19, 31, 23, spread).wrong(), 0U) << spread;
    EXPECT_EQ(product_of(19, 31, 23, spread).wrong(Executor::host(Order::shuffled, 3)), 0U) << spread;
  }
}

TEST(MatrixEntries, OfEmptySumsAreRoundedStarts) {
  MatrixProduct p = product_of(3, 5, 4, 10);
  p.k = 0;
  for (std::size_t i = 0; i < p.results.size(); ++i) p.results[i] = -3 * p.start[i];
  EXPECT_EQ(p.wrong(), 0U);
  p.beta = 0;
  std::fill(p.start.begin(), p.start.end(), std::numeric_limits<double>::quiet_NaN());
  std::fill(p.results.begin(), p.results.end(), 0.0);
  EXPECT_EQ(p.wrong(), 0U);
  p.results[7] = -0.0;
  EXPECT_EQ(p.wrong(), 1U);
}

TEST(MatrixEntries, WithOneBitChangedAreNamed) {
  MatrixProduct p = product_of(40, 20, 5, 20);
  const std::vector<double> right = p.results;
  for (const std::size_t at : {0U, 255U, 256U, 799U}) {
    p.results[at] = std::nextafter(right[at], 0);
    const std::vector<CellResult> cells = p.judged<matrix::Rounded>(Executor::host(), 1);
    ASSERT_EQ(cells.size(), 4U);
    for (std::size_t k = 0; k < cells.size(); ++k) EXPECT_EQ(cells[k].undecided, k == at / 256 ? 1U : 0U);
    EXPECT_EQ(cells[at / 256].number, at);
    const std::vector<std::uint64_t> listed = p.on(Executor::host(), [&](const auto& product, const auto& view) {
      const CellCount cell[1] = {{at / 256, 1}};
      return undecided_in(Executor::host(), matrix::Rounded{{product, view}}, 1, 0, 0, cell);
    });
    EXPECT_EQ(listed, std::vector<std::uint64_t>{at});
    p.results[at] = right[at];
  }
}

/// Judges of the error of a sum, for all entries of a product with α = 1, β = 0: how often a bound of the error or of
/// the magnitudes is wrong, or too far from the exact value.
template <class Error>
int wrong_bounds(const Error& error_of) {
  int found = 0;
  for (const int spread : {0, 30, 400}) {
    MatrixProduct p = product_of(13, 11, 37, spread);
    p.on(Executor::host(), [&](const matrix::Product& product, const matrix::View& view) {
      const matrix::Within probe{{product, view}};
      for (std::int64_t j = 0; j < p.n; ++j) {
        for (std::int64_t i = 0; i < p.m; ++i) {
          const Dyadic truth = p.sum(i, j);
          const Dyadic magnitudes = p.sum(i, j, true);
          const double near = nearest(truth);
          for (const double z : {near, near * (1 + 0x1p-40), -near, 0.0}) {
            const Scaled error = error_of(probe, matrix::Place{i, j}, z);
            const Dyadic upper = oracle::exact(error.upper);
            const Dyadic scale = oracle::exact(error.scale);
            const Dyadic exact = abs(truth - oracle::exact(z));
            const Dyadic slack = Dyadic(1) + Dyadic::scaled(1, -44);
            const bool is_bound = exact <= upper && scale <= magnitudes;
            found += is_bound && upper <= exact * slack && magnitudes <= scale * slack ? 0 : 1;
          }
        }
      }
      return 0;
    });
  }
  return found;
}

TEST(MatrixEntries, BoundTheErrorAndTheMagnitudes) {
  EXPECT_EQ(
      wrong_bounds([](const matrix::Within& probe, const auto& place, double z) { return probe.error(place, z); }), 0);
}

TEST(MatrixEntries, WithATermDroppedAreCaught) {
  EXPECT_GT(wrong_bounds([](matrix::Within probe, const auto& place, double z) {
              --probe.product.k;
              return probe.error(place, z);
            }),
            0);
}

TEST(MatrixEntries, WithAnErrorRoundedToNearestAreCaught) {
  EXPECT_GT(wrong_bounds([](const matrix::Within& probe, const auto& place, double z) {
              Superaccumulator sum{};
              probe.for_terms(place, [&](double a, double b) { sum.add_product(a, b); });
              sum.add(-z);
              return Scaled{absolute(sum.round(Rounding::rn)), probe.error(place, z).scale};
            }),
            0);
}

TEST(MatrixEntries, WithMagnitudesRoundedToNearestAreCaught) {
  EXPECT_GT(wrong_bounds([](const matrix::Within& probe, const auto& place, double z) {
              double magnitudes = 0;
              probe.for_terms(place, [&](double a, double b) { magnitudes += absolute(a * b); });
              return Scaled{probe.error(place, z).upper, magnitudes};
            }),
            0);
}

TEST(MatrixEntries, AreJudgedTheSameOnADevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  MatrixProduct p = product_of(40, 20, 50, 30);
  p.results[300] = -p.results[300];
  EXPECT_EQ(p.wrong(Executor::cuda()), 1U);
  const auto here = p.judged<matrix::Within>(Executor::host(), 0x1p-53);
  const auto there = p.judged<matrix::Within>(Executor::cuda(), 0x1p-53);
  for (std::size_t k = 0; k < here.size(); ++k) {
    EXPECT_EQ(here[k].largest, there[k].largest);
    EXPECT_EQ(here[k].number, there[k].number);
  }
}

}  // namespace assay::probes
