#pragma once
// The kernels of the certificate: a bound of RA − I, exact residuals, and the bound of the error.

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/accumulating_expansion.hpp"
#include "arith/accumulators/neighbors.hpp"
#include "arith/accumulators/superaccumulator.hpp"
#include "arith/float/directed.hpp"
#include "arith/float/ulp.hpp"

namespace assay::refine::detail {

/// The larger magnitude of the two numbers around the sum: no smaller than its own; no number if the sum is not finite.
ASSAY_HD inline double magnitude_above(const Superaccumulator& x) {
  const double up = abs(x.round(Rounding::ru));
  const double down = abs(x.round(Rounding::rd));
  return up < down ? down : up;
}

/// w_j = 2^(−c_j).
struct WeightBody {
  const int* of_column;
  double* weight;
  ASSAY_HD void operator()(std::size_t j) const { weight[j] = bits::power_of_two<double>(-of_column[j]); }
};

/// s_i ≥ Σ_j |e_ij|w_j for E of which `rounded` has the entries RN(e_ij), column-major.
struct DefectBody {
  std::int64_t n;
  const double* rounded;
  const double* weight;
  double* defect;
  ASSAY_HD void operator()(std::size_t row) const {
    const auto i = static_cast<std::int64_t>(row);
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum = add_ru(sum, mul_ru(next_up(abs(rounded[i + j * n])), weight[j]));
    defect[i] = sum;
  }
};

/// m_ij ≥ |Σ_k r_ij| over the words of R.
struct MagnitudeBody {
  std::size_t size;
  int words;
  const double* inverse;
  double* magnitude;
  ASSAY_HD void operator()(std::size_t entry) const {
    double sum = 0;
    for (int word = 0; word < words; ++word) {
      sum = add_ru(sum, abs(inverse[entry + static_cast<std::size_t>(word) * size]));
    }
    magnitude[entry] = sum;
  }
};

/// The residual b_i − Σ_j a_ij x_j of unknowns of some words, exactly: its first words, and a bound of its magnitude.
struct ResidualBody {
  std::int64_t n;
  const double* a;  ///< row-major
  const double* b;
  const double* words;  ///< word w of unknown j at words[w·n + j]
  int count;
  double* residual;  ///< word w of row i at residual[w·n + i]
  int residual_words;
  double* magnitude;

  ASSAY_HD void operator()(std::size_t row) const {
    const auto i = static_cast<std::int64_t>(row);
    Superaccumulator exact{};
    auto front = AccumulatingExpansion<4>::empty();
    front.add(b[i], exact);
    for (int w = 0; w < count; ++w) {
      for (std::int64_t j = 0; j < n; ++j) front.add_product(-a[i * n + j], words[w * n + j], exact);
    }
    front.flush(exact);
    magnitude[i] = magnitude_above(exact);
    for (int w = 0; w < residual_words; ++w) {
      const double word = exact.round(Rounding::rn);
      residual[w * n + i] = word;
      exact.add(-word);
    }
  }
};

/// RN(Σ_j r_ij ρ_j) for a matrix and a vector of some words each.
struct CorrectionBody {
  std::int64_t n;
  const double* inverse;  ///< word w column-major at inverse[w·n²]
  int inverse_words;
  const double* residual;  ///< as ResidualBody has it
  int residual_words;
  double* correction;

  ASSAY_HD void operator()(std::size_t row) const {
    const auto i = static_cast<std::int64_t>(row);
    Superaccumulator exact{};
    auto front = AccumulatingExpansion<4>::empty();
    for (int w = 0; w < inverse_words; ++w) {
      for (std::int64_t j = 0; j < n; ++j) {
        const double entry = inverse[(w * n + j) * n + i];
        for (int v = 0; v < residual_words; ++v) front.add_product(entry, residual[v * n + j], exact);
      }
    }
    front.flush(exact);
    correction[i] = exact.round(Rounding::rn);
  }
};

/// t_i ≥ Σ_j m_ij·ρ_j.
struct ProductBody {
  std::int64_t n;
  const double* magnitude;  ///< M, column-major
  const double* residual;   ///< ρ
  double* product;
  ASSAY_HD void operator()(std::size_t row) const {
    const auto i = static_cast<std::int64_t>(row);
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum = add_ru(sum, mul_ru(magnitude[i + j * n], residual[j]));
    product[i] = sum;
  }
};

/// z_i ≥ t_i + s_i·spread; x̂ = RN(x̃), the correction RN(x̃ − x̂), a bound of the error of their sum, and whether x̂ is
/// faithful for every number within [x̃ − z, x̃ + z].
struct CertificateBody {
  std::int64_t n;
  const double* words;
  int count;
  const double* product;
  const double* defect;
  double spread;
  double* x;
  double* correction;
  double* error;
  std::int32_t* certified;

  ASSAY_HD void operator()(std::size_t i) const {
    Superaccumulator exact{};
    for (int w = 0; w < count; ++w) exact.add(words[static_cast<std::int64_t>(w) * n + static_cast<std::int64_t>(i)]);
    const double z = add_ru(product[i], mul_ru(defect[i], spread));
    const double nearest = exact.round(Rounding::rn);
    x[i] = nearest;
    certified[i] = lies_between_neighbors(exact, z, nearest) ? 1 : 0;
    exact.add(-nearest);
    correction[i] = exact.round(Rounding::rn);
    exact.add(-correction[i]);
    const double bound = add_ru(magnitude_above(exact), z);
    error[i] = is_finite(bound) ? bound : 0x1p1023 * 2;
  }
};

}  // namespace assay::refine::detail
