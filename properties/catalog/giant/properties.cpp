// Properties of the tier `giant`: exact sums, dot products and matrix-vector products whose places need more than 32
// bits, and sums at the limits of their theorems' conditions on n. A device's results are compared with the host's, so
// both need the memory.

#include "errorbounds/dot_theorems.hpp"
#include "errorbounds/gemv_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "kernels/sum/accurate_sum.hpp"
#include "kernels/sum/summation.hpp"
#include "properties/catalog/giant/cases.hpp"
#include "properties/framework/giant.hpp"
#include "properties/framework/property.hpp"

namespace assay::giant {
namespace {

constexpr std::int64_t longest_dot = (std::int64_t{1} << 31) + (1 << 20);
constexpr std::int64_t hundred_million = 100'000'001;
constexpr auto doubles = [](std::int64_t n) { return static_cast<std::uint64_t>(n) * sizeof(double) + (1 << 28); };

template <class Case, class Result, class Truth>
Registration giant(std::string name, Domain<Case> domain, Result (*run)(const Executor&, const Case&),
                   Truth (*reference)(const Case&), Claim<Case, Result, Truth> claim, std::uint64_t cases) {
  return Registration(
      Property<Case, Result, Truth>{.name = std::move(name),
                                    .domain = std::move(domain),
                                    .subject = [run](const Executor& on, const Case& c) { return run(on, c); },
                                    .reference = reference,
                                    .claims = {std::move(claim)},
                                    .quick_cases = cases});
}

/// A sum to the last bit, of as many terms as its theorem allows.
template <const auto& kernel>
double accurate(const Executor& on, const SumCase& c) {
  return kernel(on, std::span<const double>(accurate_terms_of(c)));
}

const LateRegistration all{
    "giant", [] {
      giant<SumCase, double, oracle::Dyadic>("giant.exact_sum", sum_domain(longest), sum_of, exact_sum_of,
                                             rounded("nearest", sum_superaccumulator_2, oracle::Rounding::nearest), 2);
      giant<SumCase, double, oracle::Dyadic>("giant.exact_dot", sum_domain(longest_dot), dot_of, exact_dot_of,
                                             rounded("nearest", dot_exact_1, oracle::Rounding::nearest), 1);
      giant<SumCase, double, oracle::Dyadic>("giant.exact_sum_1e8", hundred_million_domain(), sum_of, exact_sum_of,
                                             rounded("nearest", sum_superaccumulator_2, oracle::Rounding::nearest), 3);
      giant<SumCase, double, oracle::Dyadic>("giant.exact_dot_1e8", hundred_million_domain(), dot_of, exact_dot_of,
                                             rounded("nearest", dot_exact_1, oracle::Rounding::nearest), 3);
      giant<SumCase, double, oracle::Dyadic>("giant.acc_sum", accurate_sum_domain(), accurate<sum::acc_sum<double>>,
                                             exact_sum_of_accurate_terms, faithful("faithful", sum_acc_sum_1), 4);
      giant<SumCase, double, oracle::Dyadic>("giant.near_sum", accurate_sum_domain(), accurate<sum::near_sum<double>>,
                                             exact_sum_of_accurate_terms,
                                             rounded("nearest", sum_near_sum_1, oracle::Rounding::nearest), 4);
      giant<SumCase, double, oracle::Dyadic>("giant.fast_acc_sum", accurate_sum_domain(),
                                             accurate<sum::fast_acc_sum<double>>, exact_sum_of_accurate_terms,
                                             faithful("faithful", sum_fast_acc_sum_1), 4);
      giant<GemvCase, std::vector<double>, std::vector<oracle::Dyadic>>(
          "giant.gemv", gemv_domain(), product_of, exact_product_of,
          rounded("rounded", gemv_correctly_rounded_1, oracle::Rounding::nearest), 4);
    }};

/// Σ|x|: the sum of one sign.
oracle::Dyadic magnitudes_of(const SumCase& c) {
  oracle::Dyadic sum;
  for (const float each : terms_of(c)) sum += abs(value_of(each));
  return sum;
}

const Registration long_sum{Property<SumCase, float, oracle::Dyadic>{
    .name = "giant.recursive_sum.f32",
    .domain = long_sum_domain(),
    .subject = [](const Executor& on,
                  const SumCase& c) { return sum::recursive_sum<float>(on, std::span<const float>(terms_of(c))); },
    .reference = exact_sum_of_terms,
    .claims = {claim_spec("error", sum_recursive_1,
                          [](const SumCase& c, const oracle::Dyadic& truth, const float& got) {
                            const auto bound = sum_recursive_1(static_cast<std::uint64_t>(c.n), magnitudes_of(c),
                                                               FloatTraits<float>::precision);
                            return judge_within(value_of(got), truth, bound);
                          })},
    .quick_cases = 3}};

// On the host the gaps between the columns of a matrix take no memory.
const Giant needs[] = {{"giant.exact_sum", {doubles(longest), doubles(longest)}},
                       {"giant.exact_dot", {doubles(2 * longest_dot), doubles(2 * longest_dot)}},
                       {"giant.exact_sum_1e8", {doubles(hundred_million), doubles(hundred_million)}},
                       {"giant.exact_dot_1e8", {doubles(2 * hundred_million), doubles(2 * hundred_million)}},
                       {"giant.acc_sum", {doubles(3 * most_accurate), doubles(2 * most_accurate)}},
                       {"giant.near_sum", {doubles(3 * most_accurate), doubles(2 * most_accurate)}},
                       {"giant.fast_acc_sum", {doubles(3 * most_accurate), doubles(2 * most_accurate)}},
                       {"giant.recursive_sum.f32", {doubles(1 << 24), doubles(1 << 24)}},
                       {"giant.gemv", {doubles(0), doubles(largest_array)}}};

}  // namespace
}  // namespace assay::giant
