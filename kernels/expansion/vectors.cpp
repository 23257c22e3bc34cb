#include "kernels/expansion/vectors.hpp"

#include "exec/launch.hpp"
#include "kernels/expansion/detail/vector_operands.hpp"

namespace assay::expansion {
namespace {

using Span = std::span<const double>;

void check_vector(std::int64_t n, std::int64_t inc, const char* routine) {
  blas::require_argument(n >= 0, routine, "n is at least 0");
  blas::require_argument(inc != 0, routine, "a stride is not 0");
}

void check_vector(std::int64_t n, std::int64_t inc, Span array, int words, const char* routine) {
  check_vector(n, inc, routine);
  blas::require_argument(blas::holds_vector(detail::entries_in(array, words, routine), n, inc), routine,
                         "a vector is too short");
}

/// The words of the result, at the start of a workspace.
std::vector<double> first_words(std::vector<double> workspace, int words) {
  workspace.resize(static_cast<std::size_t>(words));
  return workspace;
}

}  // namespace

void expansion_axpy(const Executor& on, int words, std::int64_t n, Span alpha, const double* x, std::int64_t incx,
                    double* y, std::int64_t incy) {
  constexpr const char* routine = "expansion_axpy";
  detail::require_words(words, routine);
  detail::require_scalar(words, alpha, routine);
  check_vector(n, incx, routine);
  check_vector(n, incy, routine);
  if (n == 0 || detail::is_zero_expansion(alpha)) return;
  detail::with_entry_words(words, routine, [&](auto w) {
    constexpr int W = w;
    const std::int64_t step = n == 1 ? 1 : incy;
    queue_indices(on, static_cast<std::size_t>(n),
                  detail::AxpyBody<W>{detail::scalar_of<W>(alpha), detail::operand_of<W>(x, n, incx),
                                      y + W * blas::begin_of(n, step), step});
  });
}

std::vector<double> expansion_axpy(const Executor& on, int words, std::int64_t n, Span alpha, Span x, std::int64_t incx,
                                   Span y, std::int64_t incy) {
  constexpr const char* routine = "expansion_axpy";
  detail::require_words(words, routine);
  detail::require_scalar(words, alpha, routine);
  check_vector(n, incy, y, words, routine);
  if (n == 0 || detail::is_zero_expansion(alpha)) {
    x = {};
    check_vector(n, incx, routine);
  } else {
    check_vector(n, incx, x, words, routine);
  }
  return detail::on_executor(on, x, {}, y, [&](const double* a, const double*, double* result) {
    expansion_axpy(on, words, n, alpha, a, incx, result, incy);
  });
}

void expansion_dot(const Executor& on, int words, std::int64_t n, const double* x, std::int64_t incx, const double* y,
                   std::int64_t incy, double* result) {
  constexpr const char* routine = "expansion_dot";
  detail::require_words(words, routine);
  check_vector(n, incx, routine);
  check_vector(n, incy, routine);
  detail::with_operands(words, routine, {x, y}, [&](auto w, auto aligned) {
    using Terms = detail::ProductTerms<w, aligned>;
    const Terms terms{detail::operand_of<w, aligned>(x, n, incx), detail::operand_of<w, aligned>(y, n, incy)};
    detail::queue_lane_sum(on, terms, n, result, detail::StoreSum<w>{result});
  });
}

std::vector<double> expansion_dot(const Executor& on, int words, std::int64_t n, Span x, std::int64_t incx, Span y,
                                  std::int64_t incy) {
  constexpr const char* routine = "expansion_dot";
  detail::require_words(words, routine);
  check_vector(n, incx, x, words, routine);
  check_vector(n, incy, y, words, routine);
  const std::vector<double> workspace(sum_workspace(words, n));
  return first_words(detail::on_executor(on, x, y, workspace,
                                         [&](const double* a, const double* b, double* result) {
                                           expansion_dot(on, words, n, a, incx, b, incy, result);
                                         }),
                     words);
}

void expansion_asum(const Executor& on, int words, std::int64_t n, const double* x, std::int64_t incx, double* result) {
  constexpr const char* routine = "expansion_asum";
  detail::require_words(words, routine);
  check_vector(n, incx, routine);
  detail::with_operands(words, routine, {x}, [&](auto w, auto aligned) {
    const detail::MagnitudeTerms<w, aligned> terms{detail::operand_of<w, aligned>(x, n, incx)};
    detail::queue_lane_sum(on, terms, n, result, detail::StoreSum<w>{result});
  });
}

std::vector<double> expansion_asum(const Executor& on, int words, std::int64_t n, Span x, std::int64_t incx) {
  constexpr const char* routine = "expansion_asum";
  detail::require_words(words, routine);
  check_vector(n, incx, x, words, routine);
  const std::vector<double> workspace(sum_workspace(words, n));
  return first_words(detail::on_executor(on, x, {}, workspace,
                                         [&](const double* a, const double*, double* result) {
                                           expansion_asum(on, words, n, a, incx, result);
                                         }),
                     words);
}

}  // namespace assay::expansion
