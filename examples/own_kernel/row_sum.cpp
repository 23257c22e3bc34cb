#include "row_sum.hpp"

#include <stdexcept>

#include "exec/array.hpp"
#include "exec/launch.hpp"

namespace own {
namespace {

struct RowSum {
  static constexpr int threads = 64;
  struct Shared {
    double partial[threads];
  };

  const double* x;
  std::size_t columns;
  double* sums;

  ASSAY_HD void operator()(assay::Block<Shared, threads>& block) const {
    const double* row = x + block.index() * columns;
    const std::size_t count = columns;
    block.for_each_thread([=](int t, Shared& s) {
      double sum = 0;
      for (std::size_t j = static_cast<std::size_t>(t); j < count; j += threads) sum += row[j];
      s.partial[t] = sum;
    });
    for (int half = threads / 2; half > 0; half /= 2) {
      block.for_each_thread([=](int t, Shared& s) {
        if (t < half) s.partial[t] += s.partial[t + half];
      });
    }
    double* const out = sums + block.index();
    block.for_each_thread([=](int t, Shared& s) {
      if (t == 0) *out = s.partial[0];
    });
  }
};

}  // namespace

std::vector<double> row_sum(const assay::Executor& on, std::span<const double> x, std::size_t columns) {
  if (columns == 0 || x.size() % columns != 0) {
    throw std::invalid_argument("row_sum: the columns do not divide the size of the matrix");
  }
  const std::size_t rows = x.size() / columns;
  const assay::Array<double> in(on, x);
  const assay::Array<double> out(on, rows);
  assay::launch_blocks(on, rows, RowSum{in.data(), columns, out.data()});
  in.compare(x);
  return out.take();
}

}  // namespace own
