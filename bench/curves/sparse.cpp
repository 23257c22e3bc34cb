// Products of sparse matrices and vectors, and conjugate gradients. n is the number of rows: second differences, three
// entries per row. The calls take arrays of the host: on a device their times include the copies to it and back.
#include <memory>
#include <string>

#include "bench/curves/curve.hpp"
#include "kernels/expansion/spmv.hpp"
#include "kernels/gemv/mp_spmv.hpp"
#include "kernels/mp/mp.hpp"
#include "kernels/sparse/conjugate_gradients.hpp"
#include "kernels/sparse/generated.hpp"
#include "kernels/sparse/spmv.hpp"

namespace assay::bench {
namespace {

using sparse::CsrMatrix;

/// `width`: the bytes of a number.
void add(std::vector<Curve>& curves, const std::string& name, int power, double width,
         std::function<Call(const Executor&, std::size_t)> prepare) {
  curves.push_back({"sparse." + name, power, [width](double n) { return (5 * width + 20) * n; }, std::move(prepare)});
}

/// Second differences with values of W words, of which only the first one is not 0.
CsrMatrix matrix(std::size_t n, int words) {
  CsrMatrix a = sparse::laplace_1d(static_cast<std::int64_t>(n));
  std::vector<double> values;
  for (const double each : a.values) {
    values.push_back(each);
    values.resize(values.size() + static_cast<std::size_t>(words) - 1);
  }
  a.values = values;
  return a;
}

void add_residue_products(std::vector<Curve>& curves, int moduli) {
  add(curves, "mp_spmv" + std::to_string(moduli), 1, 4.0 * moduli + 40,
      [moduli](const Executor& on, std::size_t n) -> Call {
        const auto array = [&](const std::vector<double>& x) { return mp::mp_from_double(on, moduli, x); };
        const CsrMatrix pattern = matrix(n, 1);
        Numbers number;
        return [=, one = array({1}), y = array(std::vector<double>(n)), x = array(number.many(n)),
                a = gemv::MpCsrMatrix{pattern.rows, pattern.columns, pattern.row_offsets, pattern.column_indices,
                                      array(pattern.values)}] { keep(gemv::mp_spmv(on, one, a, x, one, y)); };
      });
}

}  // namespace

void add_sparse(std::vector<Curve>& curves) {
  add(curves, "csr_spmv", 1, 8, [](const Executor& on, std::size_t n) -> Call {
    return [=, a = matrix(n, 1), x = Numbers().many(n)] { keep(sparse::csr_spmv(on, a, x)); };
  });
  add(curves, "ellpack_spmv", 1, 8, [](const Executor& on, std::size_t n) -> Call {
    return [=, a = sparse::ellpack_of(matrix(n, 1)), x = Numbers().many(n)] { keep(sparse::ellpack_spmv(on, a, x)); };
  });
  const auto in_words = [&](const std::string& name, int words) {
    add(curves, name, 1, 8.0 * words, [words](const Executor& on, std::size_t n) -> Call {
      std::vector<double> x(n * static_cast<std::size_t>(words));
      Numbers number;
      for (std::size_t i = 0; i < x.size(); i += static_cast<std::size_t>(words)) x[i] = number();
      return [=, a = matrix(n, words)] { keep(expansion::expansion_spmv(on, words, a, x)); };
    });
  };
  in_words("csr_dot2_spmv", 1);
  in_words("csr_spmv_dd", 2);
  in_words("csr_spmv_qd", 4);
  for (const int moduli : {8, 32}) add_residue_products(curves, moduli);
  // n iterations or fewer, of n rows each.
  add(curves, "conjugate_gradients", 2, 8, [](const Executor& on, std::size_t n) -> Call {
    return [=, a = matrix(n, 1), b = Numbers().many(n)] {
      keep(sparse::conjugate_gradients(on, a, b, 0x1p-40, 2 * static_cast<std::int64_t>(n)));
    };
  });
}

}  // namespace assay::bench
