#include "kernels/sparse/conjugate_gradients.hpp"

#include "arith/bits/bits.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"
#include "kernels/blas/arguments.hpp"
#include "kernels/sparse/arguments.hpp"
#include "kernels/sparse/spmv.hpp"
#include "kernels/sum/exact_sum.hpp"

namespace assay::sparse {
namespace {

/// yᵢ = RN(factor·xᵢ + zᵢ)
struct UpdateBody {
  double factor;
  const double* x;
  const double* z;
  double* y;
  ASSAY_HD void operator()(std::size_t i) const { y[i] = fma(factor, x[i], z[i]); }
};

/// The vectors of an iteration on an executor. After the unknowns, x has −1 and p has 0: (A, b) times them is Ax − b
/// and Ap.
class Iteration {
 public:
  Iteration(const Executor& on, const CsrMatrix& a, std::span<const double> b)
      : on_(on),
        host_(with_column(a, b)),
        size_(b.size()),
        offsets_(on, host_.row_offsets),
        columns_(on, host_.column_indices),
        values_(on, host_.values),
        x_(on, start(size_, -1)),
        p_(on, start(size_, 0)),
        r_(on, size_),
        q_(on, size_),
        scalar_(on, 1),
        workspace_(on, sum::exact_sum_workspace()) {}

  /// p = r = −RN(Ax − b), where −y = −2y + y is exact: the directions begin anew.
  void take_residual() {
    product(x_, r_);
    queue_indices(on_, size_, UpdateBody{-2, r_.data(), r_.data(), p_.data()});
    queue_indices(on_, size_, UpdateBody{-2, r_.data(), r_.data(), r_.data()});
  }
  void multiply() { product(p_, q_); }
  void step(double alpha) {
    queue_indices(on_, size_, UpdateBody{alpha, p_.data(), x_.data(), x_.data()});
    queue_indices(on_, size_, UpdateBody{-alpha, q_.data(), r_.data(), r_.data()});
  }
  void turn(double beta) { queue_indices(on_, size_, UpdateBody{beta, p_.data(), r_.data(), p_.data()}); }

  [[nodiscard]] double residual_squared() { return dot(r_, r_); }
  [[nodiscard]] double direction_product() { return dot(p_, q_); }

  /// x and r.
  void take(CgSolution& solution) {
    wait(on_);
    solution.x = x_.take();
    solution.residual = r_.take();
    solution.x.pop_back();
    offsets_.compare(host_.row_offsets);
    columns_.compare(host_.column_indices);
    values_.compare(host_.values);
    static_cast<void>(p_.take());
    static_cast<void>(q_.take());
    static_cast<void>(workspace_.take());
  }

 private:
  /// 0 for each unknown, then one more number.
  static std::vector<double> start(std::size_t size, double last) {
    std::vector<double> x(size);
    x.push_back(last);
    return x;
  }
  void product(const Array<double>& x, const Array<double>& y) {
    csr_spmv(on_, {host_.rows, offsets_.data(), columns_.data(), values_.data()}, x.data(), y.data());
  }
  double dot(const Array<double>& x, const Array<double>& y) {
    sum::exact_dot(on_, x.data(), y.data(), static_cast<std::int64_t>(size_), Rounding::rn, scalar_.data(),
                   workspace_.data());
    wait(on_);
    return scalar_.take()[0];
  }

  const Executor& on_;
  CsrMatrix host_;
  std::size_t size_;
  Array<std::int64_t> offsets_;
  Array<std::int32_t> columns_;
  Array<double> values_;
  Array<double> x_, p_, r_, q_;
  Array<double> scalar_;
  Array<std::int64_t> workspace_;
};

}  // namespace

CgSolution conjugate_gradients(const Executor& on, const CsrMatrix& a, std::span<const double> b, double tolerance,
                               std::int64_t most) {
  constexpr const char* routine = "conjugate_gradients";
  arguments::require_matrix(a, b.size(), 1, routine);
  blas::require_argument(a.rows == a.columns, routine, "the matrix is square");
  blas::require_argument(tolerance >= 0, routine, "the tolerance is at least 0");
  blas::require_argument(most >= 0, routine, "the number of iterations is at least 0");
  Iteration iteration(on, a, b);
  CgSolution solution;
  iteration.take_residual();
  double rho = iteration.residual_squared();
  const double aim = tolerance * (tolerance * rho);  // the square of a normal tolerance may be subnormal
  double confirmed = rho;
  for (;; ++solution.iterations) {
    if (rho <= aim) {
      iteration.take_residual();
      rho = iteration.residual_squared();
      if (rho <= aim) break;
      if (!(rho < confirmed)) {
        solution.status = CgStatus::stagnated;
        break;
      }
      confirmed = rho;
    }
    if (solution.iterations == most) {
      solution.status = CgStatus::not_converged;
      break;
    }
    iteration.multiply();
    const double product = iteration.direction_product();
    if (!(product > 0) || !is_finite(product) || !is_finite(rho)) {
      solution.status = CgStatus::not_positive;
      break;
    }
    iteration.step(rho / product);
    const double before = rho;
    rho = iteration.residual_squared();
    iteration.turn(rho / before);
  }
  if (solution.status != CgStatus::converged) iteration.take_residual();
  iteration.take(solution);
  return solution;
}

}  // namespace assay::sparse
