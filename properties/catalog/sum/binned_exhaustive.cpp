// Binned sums of few terms over all inputs of a toy precision, up to exact symmetries and within windows of exponents.

#include <string>
#include <utility>
#include <vector>

#include "arith/accumulators/binned.hpp"
#include "arith/float/small_float.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "properties/catalog/sum/binned_claims.hpp"
#include "properties/catalog/sum/toy_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::sum::toy {

namespace {

using oracle::Dyadic;
using Number = Toy<5>;
constexpr int width = 2;  // a word holds two terms between two calls of renormalize()

/// The lists of every_sum(), multiplied by 1, 2, …, 2^(W − 1).
Domain<SumCase<Number>> every_scaled_sum(std::size_t n, int window) {
  const Domain<SumCase<Number>> unscaled = every_sum<Number>(n, window);
  return exhaustive<SumCase<Number>>({.size = unscaled.enumeration.size * width,
                                      .at =
                                          [at = unscaled.enumeration.at](std::uint64_t i, SumCase<Number>& out) {
                                            if (!at(i / width, out)) return false;
                                            for (Number& each : out.x) {
                                              if (each != Number{})
                                                each = moved(each, static_cast<int>(i % width), false);
                                            }
                                            return true;
                                          }},
                                     unscaled.contains, unscaled.accepts + ", times 1 … 2^(W − 1)");
}

/// The terms from first to last, from last to first, and the last one merged with the others.
template <int K>
void append_results(const SumCase<Number>& c, std::vector<Number>& results) {
  using Sum = BinnedSum<Number, K, width>;
  Sum forwards = Sum::empty();
  Sum backwards = Sum::empty();
  Sum others = Sum::empty();
  Sum last = Sum::empty();
  const std::size_t n = c.x.size();
  for (std::size_t i = 0; i < n; ++i) {
    forwards.add(c.x[i]);
    backwards.add(c.x[n - 1 - i]);
    (i + 1 < n ? others : last).add(c.x[i]);
  }
  last.add(others);
  results.insert(results.end(), {forwards.value(), backwards.value(), last.value()});
}

void register_all(std::size_t n, int window) {
  const auto terms = [](const SumCase<Number>& c) { return binned::terms_of(c); };
  Registration(Property<SumCase<Number>, std::vector<Number>, Dyadic>{
      .name = "sum.binned_n" + std::to_string(n) + format_suffix<Number>(),
      .domain = every_scaled_sum(n, window),
      .subject =
          [](const Executor&, const SumCase<Number>& c) {
            std::vector<Number> results;
            append_results<1>(c, results);
            append_results<2>(c, results);
            append_results<3>(c, results);
            return results;
          },
      .reference = exact_sum_of<SumCase<Number>>,
      .claims = {binned::all_stored_within("error", sum_binned_4,
                                           [](int folds, const auto& c) {
                                             return sum_binned_4(folds, width, c.x.size(), binned::largest(c));
                                           }),
                 binned::definition<Number>(sum_binned_3, width, terms),
                 binned::nearest_where_all_fits<Number>(sum_binned_5, width, 3), binned::order_free(sum_binned_2)},
      .host_only = true});
}

// n = 2 belongs to the quick tier, n = 3 to the nightly one.
const LateRegistration binned_sums{"sum", [] {
                                     register_all(2, 8);
                                     register_all(3, 3);
                                   }};

}  // namespace
}  // namespace assay::sum::toy
