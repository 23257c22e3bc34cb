#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "oracle/dyadic.hpp"

namespace assay::oracle {

/// A matrix of binary64 numbers in the caller's memory: entry (i, j) is data[i·row_step + j·column_step].
struct MatrixView {
  const double* data;
  std::int64_t rows, columns, row_step, column_step;
  [[nodiscard]] double at(std::int64_t i, std::int64_t j) const { return data[i * row_step + j * column_step]; }
};

/// The exact product S = AB, or |A||B|, of two matrices of finite numbers: an integer matrix N with
/// S(i, j) = N(i, j)·2^(e_i + f_j), where e_i is the exponent of the lowest bit set in row i of A, and f_j that of
/// column j of B. The integers are multiplied by FLINT's fmpz_mat_mul.
/// Cost: an entry and inner index takes 1 to 6 ns from 32 × 32 on if rows span up to 150 bits, and 30 to 100 ns if they
/// span a thousand. Threads: several threads may call const members at the same time.
class IntegerProduct {
 public:
  enum class Of { values, magnitudes };

  /// Throws std::invalid_argument if the inner dimensions differ or a number is not finite.
  IntegerProduct(const MatrixView& a, const MatrixView& b, Of of = Of::values);
  IntegerProduct(const IntegerProduct&) = delete;
  IntegerProduct& operator=(const IntegerProduct&) = delete;
  ~IntegerProduct();

  /// S(i, j).
  [[nodiscard]] Dyadic value(std::int64_t i, std::int64_t j) const;

  /// The patterns of RN(α·S + β·C) in binary64, column-major, each from one rounding (ties to even) of the exact value;
  /// an exact zero is +0. With β = 0, C is not read. C has the shape of S (throws std::invalid_argument); α, β and the
  /// entries of C that are read are finite (throws, too). The leading bits are cut out of the integers: about 30 ns for
  /// each entry with α = 1, β = 0, else about 100 ns.
  [[nodiscard]] std::vector<std::uint64_t> rounded(double alpha, double beta, const MatrixView& c) const;

 private:
  struct Integers;
  std::unique_ptr<Integers> integers_;
};

}  // namespace assay::oracle
