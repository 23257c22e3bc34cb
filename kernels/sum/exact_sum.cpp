#include "kernels/sum/exact_sum.hpp"

#include <algorithm>
#include <stdexcept>

#include "exec/array.hpp"
#include "exec/dependent_launch.hpp"
#include "exec/launch.hpp"
#include "kernels/sum/exact_sum_block.hpp"
#include "kernels/sum/exact_sum_host.hpp"

namespace assay::sum {
namespace {

constexpr int log_of_block = 28;  // of two blocks or more, one for each 2²⁸ terms, none has 3·2²⁷

double on_host(const detail::ExactSumTerms& terms, std::int64_t n, Rounding to) {
  return exact_sum_on_host(host_vectors(), host_threads(n), terms.x, n, to);
}
double on_host(const detail::ExactDotTerms& terms, std::int64_t n, Rounding to) {
  return exact_dot_on_host(host_vectors(), host_threads(n), terms.x, terms.y, n, to);
}

template <class Terms>
void queue(const Executor& on, const Terms& terms, std::int64_t n, Rounding to, double* result,
           std::int64_t* workspace) {
  if (n < 0 || n >= std::int64_t{1} << 36) throw std::invalid_argument("an exact sum has 0 … 2^36 - 1 terms");
  if (on.kind() == Executor::Kind::host && on.order() == Order::ascending && on.most_blocks() == SIZE_MAX) {
    on.record_call();
    *result = on_host(terms, n, to);
    return;
  }
  using Sum = detail::ExactSumBlock<Terms>;
  // On the host two blocks are used, so that there is more than one; more if a block would have too many terms.
  const bool host = on.kind() == Executor::Kind::host;
  const auto asked = static_cast<std::int64_t>(std::min<std::size_t>(on.most_blocks(), Sum::most_blocks));
  const std::int64_t most_blocks = std::max(host ? std::min<std::int64_t>(2, asked) : asked, n >> log_of_block);
  const std::int64_t tiles = (n + Sum::step - 1) / Sum::step;
  const std::int64_t rounds = (tiles + most_blocks - 1) / most_blocks;
  const std::int64_t blocks = rounds == 0 ? 0 : (tiles + rounds - 1) / rounds;  // as many tiles for each
  queue_blocks(on, static_cast<std::size_t>(blocks), Sum{terms, n, blocks, workspace});
  queue_dependent_blocks(on, 1, detail::ExactSumEnd{workspace, blocks, to, result});
}

}  // namespace

std::size_t exact_sum_workspace() {
  using detail::ExactSumBlock;
  constexpr std::int64_t blocks =
      std::max(ExactSumBlock<detail::ExactSumTerms>::most_blocks, ExactSumBlock<detail::ExactDotTerms>::most_blocks);
  return static_cast<std::size_t>(blocks) * detail::exact_sum_stride;
}

void exact_sum(const Executor& on, const double* x, std::int64_t n, Rounding to, double* result,
               std::int64_t* workspace) {
  queue(on, detail::ExactSumTerms{x}, n, to, result, workspace);
}

void exact_dot(const Executor& on, const double* x, const double* y, std::int64_t n, Rounding to, double* result,
               std::int64_t* workspace) {
  queue(on, detail::ExactDotTerms{x, y}, n, to, result, workspace);
}

double exact_sum(const Executor& on, std::span<const double> x, Rounding to) {
  const Array<double> numbers(on, x);
  const OneElement<double> result(on);
  const Array<std::int64_t> workspace(on, exact_sum_workspace());
  exact_sum(on, numbers.data(), static_cast<std::int64_t>(x.size()), to, result.data(), workspace.data());
  wait(on);
  numbers.compare(x);
  return result.take();
}

double exact_dot(const Executor& on, std::span<const double> x, std::span<const double> y, Rounding to) {
  if (x.size() != y.size()) throw std::invalid_argument("the vectors of a dot product have different sizes");
  const Array<double> left(on, x);
  const Array<double> right(on, y);
  const OneElement<double> result(on);
  const Array<std::int64_t> workspace(on, exact_sum_workspace());
  exact_dot(on, left.data(), right.data(), static_cast<std::int64_t>(x.size()), to, result.data(), workspace.data());
  wait(on);
  left.compare(x);
  right.compare(y);
  return result.take();
}

}  // namespace assay::sum
