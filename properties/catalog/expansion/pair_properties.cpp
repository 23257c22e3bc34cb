// Operations on two expansions: sums, products, quotients and comparison.

#include "errorbounds/dw_theorems.hpp"

#include "kernels/expansion/expansion.hpp"
#include "properties/catalog/expansion/level_claims.hpp"
#include "properties/catalog/expansion/probed.hpp"
#include "properties/catalog/expansion/properties.hpp"

namespace assay::expansion {

namespace {

using oracle::Dyadic;
using oracle::Exact;

template <class T>
auto binary(ExpansionOp op, std::size_t k) {
  return [=](const Executor& on, std::span<const ExpansionPairCase<T>> cases) {
    const std::vector<T> x = packed_words<T>(cases, &ExpansionPairCase<T>::x);
    const std::vector<T> y = packed_words<T>(cases, &ExpansionPairCase<T>::y);
    return unpacked<T>(expansion_op<T>(on, op, static_cast<int>(k), x, y), k);
  };
}

template <class T>
Exact sum_of_pair(const ExpansionPairCase<T>& c) {
  return sum_of_words<T>(c.x) + sum_of_words<T>(c.y);
}
template <class T>
Exact product_of_pair(const ExpansionPairCase<T>& c) {
  return sum_of_words<T>(c.x) * sum_of_words<T>(c.y);
}
template <class T>
Exact quotient_of_pair(const ExpansionPairCase<T>& c) {
  return oracle::quotient(sum_of_words<T>(c.x), sum_of_words<T>(c.y));
}
template <class T>
PairProperty<T> on_pairs(const char* operation, ExpansionOp op, std::size_t k, Domain<ExpansionPairCase<T>> domain,
                         Exact (*reference)(const ExpansionPairCase<T>&), PairClaims<T> claims,
                         std::optional<Probed> probe = std::nullopt) {
  return {.name = named<T>(operation, k),
          .domain = std::move(domain),
          .subject = binary<T>(op, k),
          .reference = reference,
          .claims = std::move(claims),
          .quick_cases = quick_cases(k),
          .probe = std::move(probe)};
}

/// Claims of an operation with a derived bound and a published one.
template <class T>
PairClaims<T> certified(int R, const BoundedTheorem auto& derived, const BoundedTheorem auto& published) {
  return {within("error", derived, R, precision<T>), within("error_published", published, R, precision<T>),
          is_renormalized("structure"), has_positive_zeros()};
}

template <class T>
auto certified_add(std::size_t k) {
  PairClaims<T> claims = certified<T>(static_cast<int>(k), expansion_certified_add_1, expansion_certified_add_2);
  if (k >= 3) claims.push_back(expected_refuted(is_bailey()));
  return on_pairs<T>("certified_add", ExpansionOp::certified_add, k, expansion_pair_domain<T>(k), sum_of_pair<T>,
                     std::move(claims), probe_of_sum(k, "error", expansion_sum_box(format_of<T>()), []<int n>() {
                       return Bounded<typename probes::expansion::OfWords<n>::template CertifiedAdd<T>>{
                           expansion_certified_add_1(n, precision<T>)};
                     }));
}

template <class T>
auto quick_add(std::size_t k) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{within("error_absolute", expansion_quick_add_1,
                              [R](const auto& bound, const ExpansionPairCase<T>& c) {
                                return bound(R, precision<T>, abs(value_of(c.x[0])) + abs(value_of(c.y[0])));
                              }),
                       has_zeros_last()};
  if (k >= 3) claims.push_back(quick_add_levels<T>());
  if (k >= 2) {
    claims.push_back(expected_refuted(within("error_relative", expansion_quick_add_2, R, precision<T>),
                                      k >= 3 ? "error_by_levels" : "error_absolute"));
  }
  return on_pairs<T>("quick_add", ExpansionOp::quick_add, k, expansion_pair_domain<T>(k), sum_of_pair<T>,
                     std::move(claims),
                     probe_of_sum(k, "error_absolute", expansion_sum_box(format_of<T>()), []<int n>() {
                       return Bounded<typename probes::expansion::OfWords<n>::template QuickAdd<T>>{
                           factor_of(expansion_quick_add_1(n, precision<T>, Dyadic(1)))};
                     }));
}

template <class T>
Domain<ExpansionPairCase<T>> factors(std::size_t k) {
  return product_domain<T>(k, expansion_product_box(format_of<T>(), static_cast<int>(k)));
}

template <class T>
auto certified_mul(std::size_t k) {
  return on_pairs<T>("certified_mul", ExpansionOp::certified_mul, k, factors<T>(k), product_of_pair<T>,
                     certified<T>(static_cast<int>(k), expansion_certified_mul_1, expansion_certified_mul_2),
                     probe_of_product(k, expansion_product_box(format_of<T>(), static_cast<int>(k)), []<int n>() {
                       return Bounded<typename probes::expansion::OfWords<n>::template CertifiedMul<T>>{
                           expansion_certified_mul_1(n, precision<T>)};
                     }));
}

template <class T>
auto truncated_mul(std::size_t k, bool published_fails) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{within("error", expansion_truncated_mul_1, R, precision<T>), has_zeros_last()};
  if (k >= 3) claims.push_back(truncated_mul_levels<T>(R));
  if (published_fails) {
    claims.push_back(expected_refuted(within("error_published", expansion_truncated_mul_2, R, R, R, precision<T>),
                                      "error_by_levels"));
  }
  return on_pairs<T>("truncated_mul", ExpansionOp::truncated_mul, k, factors<T>(k), product_of_pair<T>,
                     std::move(claims), probe_of_product(k, expansion_product_box(format_of<T>(), R), []<int n>() {
                       return Bounded<typename probes::expansion::OfWords<n>::template TruncatedMul<T>>{
                           expansion_truncated_mul_1(n, precision<T>)};
                     }));
}

/// ±2^j, j ≥ 0, and no further words: products with it do not underflow.
template <class T>
bool is_power_of_two(const std::vector<T>& x) {
  const Dyadic first = value_of(x[0]);
  return first.bit_length() == 1 && first.is_integer() &&
         std::all_of(x.begin() + 1, x.end(), [](const T& each) { return parts_of(each).significand == 0; });
}

/// Whether both are double words to which the theorems on products of double words apply.
template <class T>
bool are_double_words(const ExpansionPairCase<T>& c) {
  const Box box = product_box(format_of<T>());
  const auto is_operand = [box](const std::vector<T>& words) {
    const DoubleWord<T> x{words[0], words[1]};
    return is_double_word(x) && in_box(x, box);
  };
  return is_operand(c.x) && is_operand(c.y);
}

template <class T>
auto quick_mul(std::size_t k) {
  const int R = static_cast<int>(k);
  PairClaims<T> claims{when(
      "x or y is ±2^j", [](const ExpansionPairCase<T>& c) { return is_power_of_two(c.x) || is_power_of_two(c.y); },
      exact("exact_for_powers", expansion_quick_mul_1))};
  if (k == 2) {
    claims.push_back(when("x and y are double words, and their words lie in the box of products of double words",
                          are_double_words<T>, within("error_of_double_words", dw_mul2_1, precision<T>)));
  }
  if (k >= 3) claims.push_back(quick_mul_levels<T>(R));
  Domain<ExpansionPairCase<T>> domain = factors<T>(k);
  const Box box = expansion_product_box(format_of<T>(), R);
  domain.classes.push_back(power_of_two_class<T>(k, box));
  if (k >= 5) {
    claims.push_back(
        expected_refuted(within("error_of_truncated_mul", expansion_quick_mul_2, R, precision<T>), "error_by_levels"));
    domain.classes.push_back(gaps_in_products_class<T>(k, box));
  }
  return on_pairs<T>("quick_mul", ExpansionOp::quick_mul, k, std::move(domain), product_of_pair<T>, std::move(claims));
}

template <class T>
auto div(std::size_t k) {
  const int R = static_cast<int>(k);
  Domain<ExpansionPairCase<T>> domain = expansion_pair_domain<T>(k, quotient_box_of<T>(k), true);
  domain.classes.push_back(hard_quotients_class<T>(k, quotient_box_of<T>(k)));
  return on_pairs<T>(
      "div", ExpansionOp::div, k, std::move(domain), quotient_of_pair<T>,
      {newton_error<T>(expansion_div_1, R, 6, 19), is_renormalized("structure")},
      probe_of_quotient(k, quotient_box_of<T>(k), []<int n>() {
        return Bounded<typename probes::expansion::OfWords<n>::template Div<T>>{expansion_div_1(n, precision<T>)};
      }));
}

template <class T>
PairProperty<T> compare(std::size_t k) {
  return {.name = named<T>("compare", k),
          .domain = expansion_pair_domain<T>(k),
          .subject =
              [k](const Executor& on, std::span<const ExpansionPairCase<T>> cases) {
                const std::vector<T> x = packed_words<T>(cases, &ExpansionPairCase<T>::x);
                const std::vector<T> y = packed_words<T>(cases, &ExpansionPairCase<T>::y);
                std::vector<Expansions<T>> results;
                for (const int sign : expansion_compare<T>(on, static_cast<int>(k), x, y)) {
                  results.push_back({{static_cast<T>(sign)}, 1});
                }
                return results;
              },
          .reference = [](const ExpansionPairCase<T>& c) -> Exact {
            return Dyadic((sum_of_words<T>(c.x) - sum_of_words<T>(c.y)).sign());
          },
          .claims = {exact("exact", expansion_compare_1)},
          .inexact = [](const ExpansionPairCase<T>& c, const auto&, const auto&) { return c.x[0] == c.y[0]; },
          .quick_cases = quick_cases(k)};
}

/// The properties of a format: sums of up to `sums` words, products and quotients of up to `products`. From 3 words on
/// the published constant of the truncated product fails; up to 8 few cases show it.
template <class T>
struct PairFamily {
  PairFamily(std::size_t sums, std::size_t products) {
    for (std::size_t k = 1; k <= sums; ++k) {
      Registration{certified_add<T>(k)};
      Registration{quick_add<T>(k)};
      Registration{compare<T>(k)};
    }
    for (std::size_t k = 1; k <= products; ++k) {
      Registration{certified_mul<T>(k)};
      Registration{truncated_mul<T>(k, k >= 3 && k <= 8)};
      Registration{quick_mul<T>(k)};
      Registration{div<T>(k)};
    }
  }
};

const LateRegistration binary64_pairs{"expansion", [] { PairFamily<double>(16, 16); }};
const LateRegistration binary32_pairs{"expansion", [] { PairFamily<float>(10, 5); }};

}  // namespace

}  // namespace assay::expansion
