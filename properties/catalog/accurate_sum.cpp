#include "kernels/exact_sum.hpp"
#include "properties/accurate_sum_cases.hpp"
#include "properties/property.hpp"

namespace assay {

namespace {

using oracle::Dyadic;

constexpr const char* page = "docs/bounds/accurate_sum.md";

/// The sums of packed vectors, one each.
template <class T>
using BatchSums = std::vector<T> (*)(const Executor&, const Packed<T>&);

template <class Case, class T>
using OrderedClaim = Claim<Ordered<Case>, std::vector<T>, Dyadic>;

/// Results of several words: `kernels` give a word each for the terms as they stand, then one each for the other order.
template <class Case, class T>
Property<Ordered<Case>, std::vector<T>, Dyadic> in_two_orders(std::string name, const Domain<Case>& domain,
                                                              const std::vector<BatchSums<T>>& kernels,
                                                              std::vector<OrderedClaim<Case, T>> claims) {
  return {.name = std::move(name),
          .domain = with_orders(domain),
          .subject =
              [kernels](const Executor& on, std::span<const Ordered<Case>> cases) {
                const Packed<T> all = packed_twice(cases);
                std::vector<std::vector<T>> results(cases.size(), std::vector<T>(2 * kernels.size()));
                for (std::size_t k = 0; k < kernels.size(); ++k) {
                  const std::vector<T> sums = kernels[k](on, all);
                  for (std::size_t i = 0; i < cases.size(); ++i) {
                    results[i][k] = sums[2 * i];
                    results[i][kernels.size() + k] = sums[2 * i + 1];
                  }
                }
                return results;
              },
          .reference = exact_sum_of<Ordered<Case>>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

/// Both halves of a result have the same bits.
auto order_free(Source source) {
  return satisfies("order_free", "the same bits for the terms in another order", source,
                   [](const auto&, const auto& result) {
                     const std::size_t half = result.size() / 2;
                     for (std::size_t i = 0; i < half; ++i) {
                       if (!same_bits(result[i], result[half + i])) return false;
                     }
                     return true;
                   });
}

/// Word `at` of a result is s rounded in the direction, −0 where all terms are −0.
auto rounded_word(std::string id, std::string statement, Source source, std::size_t at, oracle::Rounding direction) {
  return claim_spec(std::move(id), std::move(statement), source,
                    [at, direction](const auto& c, const Dyadic& truth, const auto& result) {
                      constexpr auto format = detail::result_format<std::remove_cvref_t<decltype(result)>>();
                      return judge_rounded(bits_of(result[at]), truth, format, direction,
                                           {.negative_zero = sums_to_negative_zero(c)}, at);
                    });
}

/// f(x, y) of each packed vector, or pair of vectors.
template <class F>
std::vector<double> one_by_one(const Packed<double>& all, F&& f) {
  std::vector<double> sums;
  for (std::size_t i = 0; i + 1 < all.offsets.size(); ++i) {
    const std::size_t n = all.offsets[i + 1] - all.offsets[i];
    const auto x = std::span(all.x).subspan(all.offsets[i], n);
    sums.push_back(f(x, all.y.empty() ? x.first(0) : std::span(all.y).subspan(all.offsets[i], n)));
  }
  return sums;
}

template <Rounding to>
std::vector<double> rounded_sums(const Executor& on, const Packed<double>& all) {
  return one_by_one(all, [&](auto x, auto) { return exact_sum(on, x, to); });
}
template <Rounding to>
std::vector<double> rounded_dots(const Executor& on, const Packed<double>& all) {
  return one_by_one(all, [&](auto x, auto y) { return exact_dot(on, x, y, to); });
}

/// Rounded in every direction: to nearest, up, down, toward zero.
template <class Case>
std::vector<OrderedClaim<Case, double>> rounded_claims() {
  return {rounded_word("nearest", "ŝ = RN(s)", page, 0, oracle::Rounding::nearest),
          rounded_word("up", "ŝ = RU(s)", page, 1, oracle::Rounding::up),
          rounded_word("down", "ŝ = RD(s)", page, 2, oracle::Rounding::down),
          rounded_word("toward_zero", "ŝ = RZ(s)", page, 3, oracle::Rounding::zero), order_free(page)};
}

const Registration exact_forms[] = {
    Registration(in_two_orders<SumCase<double>, double>("sum.exact", accurate_sum_domain<double>(SumRoom::any),
                                                        {rounded_sums<Rounding::rn>, rounded_sums<Rounding::ru>,
                                                         rounded_sums<Rounding::rd>, rounded_sums<Rounding::rz>},
                                                        rounded_claims<SumCase<double>>())),
    Registration(in_two_orders<DotCase<double>, double>("dot.exact", exact_dot_domain<double>(),
                                                        {rounded_dots<Rounding::rn>, rounded_dots<Rounding::ru>,
                                                         rounded_dots<Rounding::rd>, rounded_dots<Rounding::rz>},
                                                        rounded_claims<DotCase<double>>())),
};

}  // namespace

}  // namespace assay
