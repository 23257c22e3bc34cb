// Binned sums, sums of magnitudes, dot products and norms, each in 1 … 4 bins. Each is computed for the terms as given
// by one thread, for the terms in another order in three parts, and by a grid.

#include "kernels/sum/binned.hpp"

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arith/float/small_float.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "properties/catalog/sum/binned_claims.hpp"
#include "properties/draws/sum/exact_norm.hpp"
#include "properties/draws/sum/special_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::sum {

namespace {

using oracle::Dyadic;

enum class Operation { sum, asum, dot, nrm2 };

constexpr BinnedTerms terms_of(Operation operation) {
  return operation == Operation::asum ? BinnedTerms::magnitudes : BinnedTerms::numbers;
}

/// The accumulator of each vector.
template <class T, int K>
std::vector<BinnedSum<T, K>> serial(const Executor& on, Operation operation, const Packed<T>& all) {
  const std::span<const T> x = all.x;
  if (operation == Operation::dot) return binned_dots<T, K>(on, x, std::span<const T>(all.y), all.offsets);
  if (operation == Operation::nrm2) return binned_dots<T, K>(on, x, x, all.offsets);
  return binned_sums<T, K>(on, terms_of(operation), x, all.offsets);
}

/// The accumulator of a case by a grid of three blocks.
template <class T, int K, class Case>
BinnedSum<T, K> by_grid(const Executor& on, Operation operation, const Case& c) {
  constexpr std::size_t blocks = 3;
  const std::span<const T> x = c.x;
  if constexpr (std::is_base_of_v<DotCase<T>, Case>) {
    return binned_dot<T, K>(on, x, std::span<const T>(c.y), blocks);
  } else {
    return operation == Operation::nrm2 ? binned_dot<T, K>(on, x, x, blocks)
                                        : binned_sum<T, K>(on, terms_of(operation), x, blocks);
  }
}

template <class Sum>
auto result_of(Operation operation, const Sum& sum) {
  return operation == Operation::nrm2 ? sum.root() : sum.value();
}

/// The three results in K bins of each case, after the results in fewer bins.
template <class T, int K, class Case>
void append_results(const Executor& on, Operation operation, std::span<const Ordered<Case>> cases, const Packed<T>& all,
                    std::vector<std::vector<T>>& results) {
  const auto sums = serial<T, K>(on, operation, all);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    BinnedSum<T, K> parts = sums[4 * i + 3];
    BinnedSum<T, K> others = sums[4 * i + 2];
    others.add(sums[4 * i + 1]);
    parts.add(others);
    results[i].push_back(result_of(operation, sums[4 * i]));
    results[i].push_back(result_of(operation, parts));
    results[i].push_back(result_of(operation, by_grid<T, K, Case>(on, operation, cases[i])));
  }
}

/// A case in its given order, and in its other order in three parts.
template <class T, class Case>
Packed<T> packed_in_parts(std::span<const Ordered<Case>> cases) {
  std::vector<Case> vectors;
  for (const Ordered<Case>& each : cases) {
    vectors.push_back(each);
    const Case other = reordered(each);
    const std::size_t n = other.x.size();
    const std::size_t ends[] = {0, n / 3, n - n / 4, n};
    for (int part = 0; part < 3; ++part) {
      vectors.emplace_back();
      detail::append_terms(vectors.back(), other, ends[part], ends[part + 1]);
    }
  }
  return packed(std::span<const Case>(vectors));
}

template <class T, class Case, class Truth>
Property<Ordered<Case>, std::vector<T>, Truth> in_bins(
    const std::string& name, Operation operation, const Domain<Case>& domain, Truth (*reference)(const Ordered<Case>&),
    std::vector<Claim<Ordered<Case>, std::vector<T>, Truth>> claims) {
  return {.name = name + format_suffix<T>(),
          .domain = with_orders(domain),
          .subject =
              [operation](const Executor& on, std::span<const Ordered<Case>> cases) {
                const Packed<T> all = packed_in_parts<T>(cases);
                std::vector<std::vector<T>> results(cases.size());
                append_results<T, 1>(on, operation, cases, all, results);
                append_results<T, 2>(on, operation, cases, all, results);
                append_results<T, 3>(on, operation, cases, all, results);
                append_results<T, 4>(on, operation, cases, all, results);
                return results;
              },
          .reference = reference,
          .claims = std::move(claims),
          .quick_cases = 600};
}

using binned::all_stored_within;
using binned::definition;
using binned::order_free;
using binned::stored_within;

constexpr int most_folds = 4;

template <class T>
constexpr auto bound_of_sum = [](int k, const auto& c) {
  return sum_binned_4(k, width_of_bins<T>, c.x.size(), binned::largest(static_cast<const SumCase<T>&>(c)));
};
template <class T>
auto error_of_sum(int folds) {
  return stored_within("error", folds, sum_binned_4, bound_of_sum<T>);
}
template <class T>
auto error_of_dot(int folds) {
  return stored_within("error", folds, dot_binned_2, [](int k, const auto& c) {
    return dot_binned_2(k, width_of_bins<T>, c.x.size(), binned::largest(static_cast<const DotCase<T>&>(c)),
                        FloatTraits<T>::precision);
  });
}
template <class T>
auto error_of_norm() {
  return all_stored_within("norm", dot_binned_3, [](int k, const auto& c) {
    return dot_binned_3(k, width_of_bins<T>, c.x.size(), FloatTraits<T>::precision);
  });
}

template <class T>
oracle::Exact norm_of(const Ordered<SumCase<T>>& c) {
  return exact_norm<T>(c);
}

template <class T>
Dyadic magnitudes_of(const Ordered<SumCase<T>>& c) {
  return exact_sums(c).magnitudes;
}

template <class T>
std::vector<binned::Term> absolute_terms(const SumCase<T>& c) {
  std::vector<binned::Term> terms = binned::terms_of(c);
  for (binned::Term& each : terms) each.negative = false;
  return terms;
}

template <class T>
void register_sums() {
  constexpr int width = width_of_bins<T>;
  const auto terms = [](const SumCase<T>& c) { return binned::terms_of(c); };
  Registration(in_bins<T, SumCase<T>, Dyadic>(
      "sum.binned", Operation::sum, binned_sum_domain<T>(), exact_sum_of<Ordered<SumCase<T>>>,
      {error_of_sum<T>(1), error_of_sum<T>(2), error_of_sum<T>(3), error_of_sum<T>(4),
       definition<T>(sum_binned_3, width, terms), binned::nearest_where_all_fits<T>(sum_binned_5, width, most_folds),
       order_free(sum_binned_2)}));
  Registration(in_bins<T, SumCase<T>, Dyadic>(
      "sum.binned_asum", Operation::asum, binned_sum_domain<T>(), magnitudes_of<T>,
      {all_stored_within("error", sum_binned_4, bound_of_sum<T>), definition<T>(sum_binned_3, width, absolute_terms<T>),
       order_free(sum_binned_2)}));
}

template <class T>
void register_dots() {
  const auto terms = [](const DotCase<T>& c) { return binned::terms_of(c); };
  Registration(in_bins<T, DotCase<T>, Dyadic>(
      "dot.binned", Operation::dot, binned_dot_domain<T>(), exact_sum_of<Ordered<DotCase<T>>>,
      {error_of_dot<T>(1), error_of_dot<T>(2), error_of_dot<T>(3), error_of_dot<T>(4),
       definition<T>(dot_binned_1, width_of_bins<T>, terms), order_free(dot_binned_4)}));
  Registration(in_bins<T, SumCase<T>, oracle::Exact>("dot.binned_nrm2", Operation::nrm2, binned_sum_domain<T>(),
                                                     norm_of<T>, {error_of_norm<T>(), order_free(dot_binned_4)}));
}

/// Terms that are not finite. There is no exact result.
template <class T, class Case>
void register_special(const char* name, Operation operation, const Domain<Case>& domain,
                      const AnyTheorem auto& theorem) {
  auto property = in_bins<T, Case, Dyadic>(name, operation, domain, [](const Ordered<Case>&) { return Dyadic(); },
                                           {satisfies("special_values", theorem, special_results)});
  property.quick_cases = 200;
  Registration(std::move(property));
}

const LateRegistration binned_sums{
    "sum", [] {
      register_sums<double>();
      register_sums<float>();
      register_special<double>("sum.binned_special", Operation::sum, special_sum_domain<double>(), sum_binned_6);
      register_special<float>("sum.binned_special", Operation::sum, special_sum_domain<float>(), sum_binned_6);
    }};
const LateRegistration binned_dots{
    "dot", [] {
      register_dots<double>();
      register_dots<float>();
      register_special<double>("dot.binned_special", Operation::dot, special_dot_domain<double>(), dot_binned_5);
      register_special<float>("dot.binned_special", Operation::dot, special_dot_domain<float>(), dot_binned_5);
    }};

}  // namespace
}  // namespace assay::sum
