#pragma once
// The entries of a matrix product, each judged by an exact sum of all its terms. A probe lists them; its pointers lie
// in the memory of the executor that judges.

#include <cstdint>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/bits/traits.hpp"
#include "arith/hd.hpp"
#include "probes/exact.hpp"
#include "probes/probe.hpp"
#include "probes/residual.hpp"

namespace assay::probes::matrix {

/// Entry (i, j) is at[i·row_step + j·column_step].
struct View {
  const double* at;
  std::int64_t row_step, column_step;

  [[nodiscard]] ASSAY_HD double entry(std::int64_t i, std::int64_t j) const {
    return at[i * row_step + j * column_step];
  }
};

/// α·Σ_l a_il·b_lj + β·start_ij for an m × k matrix of a and a k × n matrix of b. With α = 0 or k = 0 neither a nor b
/// is read, with β = 0 `start` is not.
struct Product {
  std::int64_t m, n, k;
  double alpha;
  View a, b;
  double beta;
  View start;
};

struct Place {
  std::int64_t row, column;
};

/// The entries of `results` by number, column by column.
struct Entries {
  using Input = Place;
  using Output = double;
  static constexpr int classes = 1;
  static constexpr std::uint64_t cell = 256;
  Product product;
  View results;

  [[nodiscard]] ASSAY_HD std::uint64_t size(int) const { return static_cast<std::uint64_t>(product.m * product.n); }
  [[nodiscard]] ASSAY_HD Place at(int, std::uint64_t number) const {
    const auto place = static_cast<std::int64_t>(number);
    return {place % product.m, place / product.m};
  }
  [[nodiscard]] ASSAY_HD double run(const Place& c) const { return results.entry(c.row, c.column); }
  /// Calls body(a_il, b_lj) for each l.
  template <class Body>
  ASSAY_HD void for_terms(const Place& c, const Body& body) const {
    for (std::int64_t l = 0; l < product.k; ++l) body(product.a.entry(c.row, l), product.b.entry(l, c.column));
  }
};

/// Whether an entry is the exact value rounded to nearest: proved if it is.
struct Rounded : Entries {
  [[nodiscard]] ASSAY_HD Scaled error(const Place& c, double z) const {
    Superaccumulator sum{};
    if (product.alpha != 0) {
      for_terms(c, [&](double a, double b) { sum.add_product(a, b); });
    }
    const double start = product.beta != 0 ? product.start.entry(c.row, c.column) : 0;
    const bool has_terms = product.alpha != 0 && product.k > 0;
    const double right = scaled_sum(sum, has_terms ? product.alpha : 0.0, product.beta, start, Rounding::rn);
    return exact_or_unknown(to_bits(z) == to_bits(right) || (is_nan(z) && is_nan(right)));
  }
};

/// |z − Σ_l a_il·b_lj| against Σ_l |a_il·b_lj|. α and β are not read.
struct Within : Entries {
  [[nodiscard]] ASSAY_HD Scaled error(const Place& c, double z) const {
    Superaccumulator sum{};
    double magnitudes = 0;
    for_terms(c, [&](double a, double b) {
      sum.add_product(a, b);
      const double product_size = absolute(a * b);
      // A subnormal product may be rounded up by more than u of it.
      magnitudes += product_size >= 0x1p-1022 ? product_size : 0;
    });
    sum.add(-z);
    const double above = absolute(sum.round(Rounding::ru));
    const double below = absolute(sum.round(Rounding::rd));
    // For k products and sums, each gains at most the factor 1 + u, the last rounding one more.
    const double lost = static_cast<double>(product.k + 3) * 0x1p-53;
    return {above > below ? above : below, magnitudes * (1 - lost)};
  }
};

}  // namespace assay::probes::matrix
