#pragma once
// The steps of a certified solution: an approximate inverse in words, the refinement, the certificate.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "arith/float/directed.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/refine/certified_solve.hpp"
#include "kernels/refine/detail/certificate.hpp"
#include "kernels/refine/detail/inverse.hpp"

namespace assay::refine::detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// to[i] = from[i mod size].
struct RepeatBody {
  const double* from;
  std::size_t size;
  double* to;
  ASSAY_HD void operator()(std::size_t i) const { to[i] = from[i % size]; }
};

/// The identity, column-major.
struct IdentityBody {
  std::size_t n;
  double* to;
  ASSAY_HD void operator()(std::size_t i) const { to[i] = i % n == i / n ? 1 : 0; }
};

/// to[i] ← to[i] + x[i].
struct AddBody {
  const double* x;
  double* to;
  ASSAY_HD void operator()(std::size_t i) const { to[i] += x[i]; }
};

/// A matrix of n rows, or its negative, into rows of a taller one.
struct StackBody {
  std::size_t n;
  const double* from;
  double sign;
  double* to;
  std::size_t rows;  ///< of `to`
  ASSAY_HD void operator()(std::size_t i) const { to[i % n + i / n * rows] = sign * from[i]; }
};

/// The largest of values[i]/weights[i], rounded up; an infinity if a value is not finite.
inline double weighted_maximum(std::span<const double> values, std::span<const double> weights) {
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_finite(values[i])) return infinity;
    most = std::max(most, div_ru(values[i], weights[i]));
  }
  return most;
}

/// An approximate inverse R of A as a sum of matrices, with |RA − I|w ≤ s ≤ αw.
class Inverse {
 public:
  /// α up to this is small enough for the refinement.
  static constexpr double enough = 0x1p-8;

  Inverse(const Executor& on, std::int64_t n, const double* a)
      : on_(on),
        n_(n),
        size_(static_cast<std::size_t>(n * n)),
        a_(a),
        words_(std::make_unique<Array<double>>(on, size_)),
        identity_(on, size_),
        rounded_(on, size_),
        weight_(on, static_cast<std::size_t>(n)),
        defect_(on, static_cast<std::size_t>(n)) {
    const Array<int> of_column(on, static_cast<std::size_t>(n));
    queue_inverse(on, n, {a, n, 1}, words_->data(), of_column.data());
    queue_indices(on, size_, IdentityBody{static_cast<std::size_t>(n), identity_.data()});
    queue_indices(on, static_cast<std::size_t>(n), WeightBody{of_column.data(), weight_.data()});
    wait(on);
    weights_ = weight_.take();
    measure();
    while (alpha_ > enough && alpha_ < infinity && count_ < most_inverse_words) {
      correct();
      measure();
    }
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] double alpha() const { return alpha_; }
  [[nodiscard]] const double* defect() const { return defect_.data(); }  ///< s
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  /// R₁, R₂, …, each column-major.
  [[nodiscard]] const double* words() const { return words_->data(); }

 private:
  /// RN(RA − I), s and α.
  void measure() {
    const Array<double> rows(on_, size_ * static_cast<std::size_t>(count_));
    queue_indices(on_, rows.size(), RepeatBody{a_, size_, rows.data()});
    queue_indices(on_, size_, RepeatBody{identity_.data(), size_, rounded_.data()});
    gemm::gemm(on_, blas::Transpose::no, blas::Transpose::yes, n_, n_, n_ * count_, 1, words(), n_, rows.data(), n_, -1,
               rounded_.data(), n_);
    queue_indices(on_, static_cast<std::size_t>(n_), DefectBody{n_, rounded_.data(), weight_.data(), defect_.data()});
    wait(on_);
    alpha_ = weighted_maximum(defect_.take(), weights_);
  }

  /// R ← XR with one word more, X ≈ (RA)⁻¹. Word m is RN(XR − the words before it): a product of [X … X I … I] and the
  /// words of R, and minus those of the result, below one another.
  void correct() {
    const auto n = static_cast<std::size_t>(n_);
    const auto words = static_cast<std::size_t>(count_);
    const Array<double> factor(on_, size_);
    {
      const Array<int> of_column(on_, n);
      queue_indices(on_, size_, AddBody{identity_.data(), rounded_.data()});
      queue_inverse(on_, n_, {rounded_.data(), 1, n_}, factor.data(), of_column.data());
    }
    const std::size_t blocks = 2 * words - 1;
    const Array<double> left(on_, size_ * blocks);
    const Array<double> right(on_, size_ * blocks);
    const auto stack = [&](const double* from, double sign, std::size_t block) {
      queue_indices(on_, size_, StackBody{n, from, sign, right.data() + block * n, n * blocks});
    };
    for (std::size_t block = 0; block < blocks; ++block) {
      const double* const from = block < words ? factor.data() : identity_.data();
      queue_indices(on_, size_, RepeatBody{from, size_, left.data() + block * size_});
      if (block < words) stack(words_->data() + block * size_, 1, block);
    }
    auto next = std::make_unique<Array<double>>(on_, size_ * (words + 1));
    for (std::size_t word = 0; word <= words; ++word) {
      double* const c = next->data() + word * size_;
      if (word > 0) queue_indices(on_, size_, RepeatBody{c - size_, size_, c});
      if (word > 1) stack(c - 2 * size_, -1, words + word - 2);
      const std::size_t inner = words + (word > 1 ? word - 1 : 0);
      gemm::gemm(on_, blas::Transpose::no, blas::Transpose::no, n_, n_, static_cast<std::int64_t>(n * inner), 1,
                 left.data(), n_, right.data(), static_cast<std::int64_t>(n * blocks), word > 0 ? -1 : 0, c, n_);
    }
    wait(on_);
    words_ = std::move(next);
    ++count_;
  }

  Executor on_;
  std::int64_t n_;
  std::size_t size_;
  const double* a_;  ///< row-major
  int count_ = 1;
  std::unique_ptr<Array<double>> words_;
  Array<double> identity_, rounded_, weight_, defect_;
  std::vector<double> weights_;
  double alpha_ = infinity;
};

inline CertifiedSolution solve_call(const Executor& on, std::int64_t n, std::span<const double> a,
                                    std::span<const double> b) {
  const auto size = static_cast<std::size_t>(n);
  const std::vector<double> unknown(size, std::numeric_limits<double>::quiet_NaN());
  CertifiedSolution solution{unknown, unknown, std::vector<double>(size, infinity), SolveStatus::not_certified, 0, 0};
  const auto finite = [](double x) { return is_finite(x); };
  if (!std::ranges::all_of(a, finite) || !std::ranges::all_of(b, finite)) return solution;
  if (n == 0) {
    solution.status = SolveStatus::certified;
    return solution;
  }

  const Array<double> matrix(on, a);
  const Array<double> right(on, b);
  const Inverse inverse(on, n, matrix.data());
  solution.inverse_words = inverse.count();
  if (!(inverse.alpha() <= Inverse::enough)) return solution;

  const Array<double> magnitude(on, size * size);
  queue_indices(on, size * size, MagnitudeBody{size * size, inverse.count(), inverse.words(), magnitude.data()});
  const Array<double> words(on, size * most_solution_words);
  const Array<double> residual(on, size * most_inverse_words);
  const Array<double> most(on, size);
  const Array<double> product(on, size);
  const Array<double> x(on, size);
  const Array<double> correction(on, size);
  const Array<double> error(on, size);
  const Array<std::int32_t> certified(on, size);
  queue_indices(on, size, RepeatBody{right.data(), size, residual.data()});
  for (int word = 0; word < most_solution_words; ++word) {
    queue_indices(on, size,
                  CorrectionBody{n, inverse.words(), inverse.count(), residual.data(), word == 0 ? 1 : inverse.count(),
                                 words.data() + word * n});
    queue_indices(on, size,
                  ResidualBody{n, matrix.data(), right.data(), words.data(), word + 1, residual.data(), inverse.count(),
                               most.data()});
    queue_indices(on, size, ProductBody{n, magnitude.data(), most.data(), product.data()});
    wait(on);
    const double tau = weighted_maximum(product.take(), inverse.weights());
    const double spread = div_ru(tau, sub_rd(1.0, inverse.alpha()));
    queue_indices(on, size,
                  CertificateBody{n, words.data(), word + 1, product.data(), inverse.defect(), spread, x.data(),
                                  correction.data(), error.data(), certified.data()});
    wait(on);
    solution.x = x.take();
    solution.correction = correction.take();
    solution.error = error.take();
    solution.solution_words = word + 1;
    if (std::ranges::all_of(certified.take(), [](std::int32_t flag) { return flag == 1; })) {
      solution.status = SolveStatus::certified;
      break;
    }
    queue_indices(on, size, ResidualBody{n, matrix.data(), right.data(), x.data(), 1, nullptr, 0, most.data()});
    wait(on);
    if (std::ranges::all_of(most.take(), [](double residual_of_x) { return residual_of_x == 0; })) {
      solution.correction = solution.error = std::vector<double>(size);
      solution.status = SolveStatus::certified;
      break;
    }
  }
  matrix.compare(a);
  right.compare(b);
  return solution;
}

}  // namespace assay::refine::detail
