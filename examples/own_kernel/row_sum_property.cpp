#include "matrices.hpp"
#include "properties/framework/property.hpp"
#include "row_sum.hpp"
#include "row_sum_bound.hpp"

namespace {

using namespace assay;
using own::Matrix;

std::vector<oracle::Dyadic> row_sums(const Matrix& a) {
  return own::by_row(a, [](const auto& row) { return oracle::exact_sum(row); });
}

std::vector<Bound> row_sum_bounds(const decltype(own::row_sum_1)& theorem, const Matrix& a) {
  return own::by_row(a, [&](const auto& row) { return theorem(row.size(), oracle::exact_abs_sum(row)); });
}

/// |ŝ − s| ≤ γ_h Σ|xⱼ| in every row.
const Registration row_sum{Property<Matrix>{
    .name = "own.row_sum",
    .domain = own::matrices(300),
    .subject = [](const Executor& on, const Matrix& a) { return own::row_sum(on, a.x, a.columns); },
    .reference = [](const Matrix& a) { return row_sums(a); },
    .claims = {within("error", own::row_sum_1, row_sum_bounds)},
    .quick_cases = 1000,
}};

}  // namespace
