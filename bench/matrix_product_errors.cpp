#include "bench/matrix_product_errors.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "oracle/decode.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/exact.hpp"

namespace assay::bench {

using oracle::Dyadic;

struct ExactSample::Entries {
  struct Entry {
    std::size_t at;
    Dyadic exact;
    double magnitude;
  };
  std::vector<Entry> all;
};

ExactSample::ExactSample(std::size_t n, std::span<const double> a, std::span<const double> b, std::size_t count)
    : entries_(std::make_unique<Entries>()) {
  std::mt19937_64 random(n);
  std::vector<Dyadic> row(n);
  std::vector<Dyadic> column(n);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at_row = random() % n;
    const std::size_t at_column = random() % n;
    for (std::size_t l = 0; l < n; ++l) {
      row[l] = oracle::exact(a[at_row + l * n]);
      column[l] = oracle::exact(b[l + at_column * n]);
    }
    entries_->all.push_back({at_row + at_column * n, oracle::exact_dot(row, column),
                             oracle::exact_abs_dot(row, column).to_double_nearest()});
  }
}

ExactSample::~ExactSample() = default;

SampledErrors ExactSample::errors(std::span<const double> c) const {
  SampledErrors worst;
  for (const Entries::Entry& each : entries_->all) {
    const double error = abs(oracle::exact(c[each.at]) - each.exact).to_double_nearest();
    worst.scaled = std::max(worst.scaled, error / each.magnitude);
    worst.relative = std::max(worst.relative, error / abs(each.exact).to_double_nearest());
  }
  return worst;
}

}  // namespace assay::bench
