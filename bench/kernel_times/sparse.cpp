// Products of sparse matrices and vectors: five entries per row on a grid, 27 in a band.
#include <algorithm>
#include <span>
#include <vector>

#include "bench/kernel_times/operands.hpp"
#include "bench/kernel_times/rows.hpp"
#include "kernels/expansion/spmv.hpp"
#include "kernels/gemv/mp_spmv.hpp"
#include "kernels/mp/mp.hpp"
#include "kernels/sparse/generated.hpp"
#include "kernels/sparse/spmv.hpp"

namespace assay::bench {
namespace {

/// Where the entries of a matrix stand on an executor, in both formats. The caller provides the values.
class Pattern {
 public:
  Pattern(const Executor& on, const sparse::CsrMatrix& a) : Pattern(on, a, sparse::ellpack_of(a)) {}

  [[nodiscard]] sparse::CsrOn csr(const double* values) const { return {rows, offsets_.data(), csr_.data(), values}; }
  [[nodiscard]] sparse::EllpackOn ellpack(const double* values) const { return {rows, width, ellpack_.data(), values}; }
  [[nodiscard]] gemv::MpCsrOn csr(const gemv::MpPlanes& values) const {
    return {rows, offsets_.data(), csr_.data(), values};
  }
  [[nodiscard]] gemv::MpEllpackOn ellpack(const gemv::MpPlanes& values) const {
    return {rows, width, ellpack_.data(), values};
  }
  /// The places of the values.
  [[nodiscard]] std::int64_t csr_places() const { return static_cast<std::int64_t>(csr_.size()); }
  [[nodiscard]] std::int64_t ellpack_places() const { return rows * width; }
  /// The bytes of a product whose values, and the numbers of whose vectors, have this many bytes.
  [[nodiscard]] double csr_bytes(double value, double vector) const {
    return (value + 4) * static_cast<double>(csr_.size()) + 8.0 * static_cast<double>(rows + 1) +
           vector * static_cast<double>(rows + columns);
  }
  [[nodiscard]] double ellpack_bytes(double value, double vector) const {
    return (value + 4) * static_cast<double>(rows * width) + vector * static_cast<double>(rows + columns);
  }

  const std::int64_t rows, columns, width;

 private:
  Pattern(const Executor& on, const sparse::CsrMatrix& a, const sparse::EllpackMatrix& b)
      : rows(a.rows),
        columns(a.columns),
        width(b.width),
        offsets_(on, std::span<const std::int64_t>(a.row_offsets)),
        csr_(on, std::span<const std::int32_t>(a.column_indices)),
        ellpack_(on, std::span<const std::int32_t>(b.column_indices)) {}

  DeviceArray<std::int64_t> offsets_;
  DeviceArray<std::int32_t> csr_, ellpack_;
};

void time_doubles(const Rows& rows, const Pattern& a, const std::string& shape) {
  const Executor& on = rows.on();
  const DeviceArray<double> values = entries(on, 1, std::max(a.csr_places(), a.ellpack_places()), 1);
  const DeviceArray<double> x = entries(on, 1, a.columns, 2);
  const DeviceArray<double> y(on, static_cast<std::size_t>(a.rows));
  rows.time("csr_spmv", "binary64", shape, a.csr_bytes(8, 8),
            [&] { sparse::csr_spmv(on, a.csr(values.data()), x.data(), y.data()); });
  rows.time("ellpack_spmv", "binary64", shape, a.ellpack_bytes(8, 8),
            [&] { sparse::ellpack_spmv(on, a.ellpack(values.data()), x.data(), y.data()); });
}

void time_words(const Rows& rows, const Pattern& a, const std::string& shape, int words) {
  const Executor& on = rows.on();
  const std::string numbers = std::to_string(words) + (words == 1 ? " word" : " words");
  const double width = 8.0 * words;
  const DeviceArray<double> values = entries(on, words, std::max(a.csr_places(), a.ellpack_places()), 1);
  const DeviceArray<double> x = entries(on, words, a.columns, 2);
  const DeviceArray<double> y(on, static_cast<std::size_t>(a.rows * words));
  rows.time("expansion_spmv CSR", numbers, shape, a.csr_bytes(width, width),
            [&] { expansion::expansion_spmv(on, words, a.csr(values.data()), x.data(), y.data()); });
  rows.time("expansion_spmv ELLPACK", numbers, shape, a.ellpack_bytes(width, width),
            [&] { expansion::expansion_spmv(on, words, a.ellpack(values.data()), x.data(), y.data()); });
}

void time_residues(const Rows& rows, const Pattern& a, const std::string& shape, int moduli) {
  const Executor& on = rows.on();
  const std::string numbers = std::to_string(moduli) + " moduli";
  const ResidueNumbers values(on, moduli, std::max(a.csr_places(), a.ellpack_places()), 1);
  const ResidueNumbers x(on, moduli, a.columns, 2);
  const ResidueNumbers y(on, moduli, a.rows, 3);
  const gemv::MpSpmvPlan plan(moduli, a.rows, a.width);
  const DeviceArray<std::byte> workspace(on, plan.workspace());
  const mp::MpArray one = mp::mp_from_double(Executor::host(), moduli, std::vector<double>{1});
  const mp::MpArray zero = mp::mp_zeros(moduli, 1);
  const double width = residue_plane_bytes(moduli);
  rows.time("mp_spmv CSR", numbers, shape, a.csr_bytes(width, width), [&] {
    gemv::mp_spmv(on, plan, one, a.csr(values.planes()), x.planes(), zero, y.result(), workspace.data());
  });
  rows.time("mp_spmv ELLPACK", numbers, shape, a.ellpack_bytes(width, width), [&] {
    gemv::mp_spmv(on, plan, one, a.ellpack(values.planes()), x.planes(), zero, y.result(), workspace.data());
  });
}

}  // namespace

void time_sparse(const Rows& rows) {
  const std::int64_t side = rows.size(1000, 9);
  const std::int64_t order = rows.size(200000, 60);
  const Pattern grid(rows.on(), sparse::laplace_2d(side));
  const Pattern band(rows.on(), sparse::random_band(order, 13, 1));
  const std::string grid_shape = std::to_string(side * side) + " × 5";
  const std::string band_shape = std::to_string(order) + " × 27";
  time_doubles(rows, grid, grid_shape);
  time_doubles(rows, band, band_shape);
  for (const int words : {1, 2, 4}) {
    time_words(rows, grid, grid_shape, words);
    time_words(rows, band, band_shape, words);
  }
  const std::int64_t small_side = rows.size(500, 6);
  const std::int64_t small_order = rows.size(50000, 40);
  const Pattern small_grid(rows.on(), sparse::laplace_2d(small_side));
  const Pattern small_band(rows.on(), sparse::random_band(small_order, 13, 1));
  for (const int moduli : {8, 16, 32, 64, 128}) {
    time_residues(rows, small_grid, std::to_string(small_side * small_side) + " × 5", moduli);
    time_residues(rows, small_band, std::to_string(small_order) + " × 27", moduli);
  }
}

}  // namespace assay::bench
