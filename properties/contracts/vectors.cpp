// y ← αx + y and prefix sums of vectors, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/sum_theorems.hpp"
#include "properties/catalog/sum/claims.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/narrow_cases.hpp"
#include "properties/contracts/stored.hpp"

namespace assay::contracts::vectors {
namespace {

using oracle::Dyadic;
using sum::detail::draw_length;

/// α, x and y of y ← αx + y.
template <FloatingPoint T>
struct AxpyCase {
  T alpha{};
  std::vector<T> x, y;
  static constexpr auto fields() {
    return std::tuple{field("alpha", &AxpyCase::alpha), field("x", &AxpyCase::x), field("y", &AxpyCase::y)};
  }
};

template <FloatingPoint T>
std::vector<Dyadic> exact_axpy(const AxpyCase<T>& c) {
  const Dyadic alpha = value_of(c.alpha);
  std::vector<Dyadic> exact;
  for (std::size_t i = 0; i < c.x.size(); ++i) exact.push_back(value_of(c.y[i]).add_mul(alpha, value_of(c.x[i])));
  return exact;
}

template <FloatingPoint T>
void call_axpy(const ForeignKernel& kernel, const Executor& on, const AxpyCase<T>& c, T* y) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  const std::size_t n = c.x.size();
  switch (kernel.form) {
    case CallForm::plain:
      function<void(std::size_t, T, const T*, T*)>(kernel)(n, c.alpha, x.data(), y);
      break;
    case CallForm::cblas:
      function<void(int, T, const T*, int, T*, int)>(kernel)(static_cast<int>(n), c.alpha, x.data(), 1, y, 1);
      break;
    case CallForm::fortran: {
      const FortranNumber length(static_cast<std::int64_t>(n));
      const FortranNumber one(1);
      function<void(const int*, const T*, const T*, const int*, T*, const int*)>(kernel)(
          length.address(), &c.alpha, x.data(), one.address(), y, one.address());
      break;
    }
    default:
      break;  // no signature of the operation
  }
  check_input(x, on, c.x, "x");
}

/// Exponents of α, of the products αxᵢ and of yᵢ.
struct AxpyRange {
  int alpha_low, alpha_high;
  int product_low, product_high;
  int y_low, y_high;
};

template <FloatingPoint T>
AxpyCase<T> draw_axpy(Draw& draw, Significand kind, const AxpyRange& range) {
  constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  AxpyCase<T> c;
  const int exponent = draw.between(range.alpha_low, range.alpha_high);
  c.alpha = draw_number<T>(draw, kind, exponent);
  for (std::size_t n = draw_length(draw); n != 0; --n) {
    const int product = draw.between(range.product_low, range.product_high);
    c.x.push_back(draw_number<T>(draw, kind, std::clamp(product - exponent, least, FloatTraits<T>::emax - 4)));
    c.y.push_back(draw_number<T>(draw, kind, draw.between(range.y_low, range.y_high)));
  }
  return c;
}

/// The products meet y with about their magnitude and the other sign: all but some last places cancel.
template <FloatingPoint T>
AxpyCase<T> draw_cancelling_axpy(Draw& draw) {
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {-2, 2, -4, 4, 0, 0});
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    c.y[i] = stepped(negated(nearest_to<T>(value_of(c.alpha) * value_of(c.x[i]))), draw.between(-2, 2));
  }
  return c;
}

/// α is a power of two, and a product is half the last place of its y, or just beside it.
template <FloatingPoint T>
AxpyCase<T> draw_tied_axpy(Draw& draw) {
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {-2, 2, 0, 0, -2, 2});
  const int exponent = parts_of(c.alpha).leading();
  c.alpha = compose<T>(draw.coin(), 1, exponent);
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const T half_place = compose<T>(draw.coin(), 1, parts_of(c.y[i]).exponent - 1 - exponent);
    c.x[i] = stepped(half_place, draw.between(-1, 1));
  }
  return c;
}

/// Each product is a tie of the format, and y so far below that binary32 loses it.
template <FloatingPoint T>
AxpyCase<T> draw_product_at_tie(Draw& draw) {
  constexpr int p = FloatTraits<T>::precision;
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {0, 0, 0, 0, -20, -16});
  const auto one_and = [&](int place, int exponent) {
    return compose<T>(draw.coin(), (std::uint64_t{1} << place) + 1, exponent - place);
  };
  c.alpha = one_and(p / 2, draw.between(0, 4));
  for (T& each : c.x) each = one_and(p - p / 2, draw.between(4, 8));
  return c;
}

/// α is 0, 1 or −1, and zeros of both signs stand in x and y.
template <FloatingPoint T>
AxpyCase<T> draw_plain_axpy(Draw& draw) {
  AxpyCase<T> c = draw_axpy<T>(draw, Significand::any, {0, 0, -4, 4, -4, 4});
  const bool is_zero = draw.one_in(3);
  c.alpha = compose<T>(draw.coin(), is_zero ? 0 : 1, 0);
  for (std::vector<T>* const each : {&c.x, &c.y}) {
    for (T& number : *each) number = draw.one_in(3) ? compose<T>(draw.coin(), 0, 0) : number;
  }
  return c;
}

/// Whether no |αxᵢ| + |yᵢ| overflows in A. Requires: finite numbers (not checked).
template <FloatingPoint A, FloatingPoint T>
bool fits(const AxpyCase<T>& c) {
  const Dyadic alpha = value_of(c.alpha);
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    if (!stays_finite<A>(abs(alpha * value_of(c.x[i])) + abs(value_of(c.y[i])))) return false;
  }
  return true;
}

template <FloatingPoint T>
Domain<AxpyCase<T>> axpy_domain() {
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  constexpr int least = F::emin - p + 1;
  constexpr int most = F::emax - 4;
  const auto range = [](Significand kind, AxpyRange range) {
    return drawn<AxpyCase<T>>([=](Draw& draw) { return draw_axpy<T>(draw, kind, range); });
  };
  const auto from = [](auto make) { return drawn<AxpyCase<T>>(make); };
  std::vector<InputClass<AxpyCase<T>>> classes{
      {"dense", 3, range(Significand::dense, {-4, 4, -4, 4, -4, 4})},
      {"any significand, exponents within ±p", 3, range(Significand::any, {-4, 4, -p, p, -p, p})},
      {"near powers of two", 1, range(Significand::low_bits, {-1, 1, -2, 2, -2, 2})},
      {"the sum cancels", 3, from(draw_cancelling_axpy<T>)},
      {"tie, tie ± tiny", 2, from(draw_tied_axpy<T>)},
      {"α of 0, 1 or −1, and zeros", 1, from(draw_plain_axpy<T>)},
      {"full range", 2, range(Significand::any, {F::emin / 2, F::emax / 2, F::emin / 2, F::emax / 2, least, most})},
      {"products in the range of underflow", 2,
       range(Significand::any, {F::emin / 2, 4, least - 3, F::emin + p, least, F::emin + p})},
      {"near overflow", 1, range(Significand::any, {0, F::emax / 2, most - 3, most, most - 3, most})}};
  if (is_narrow<T>) classes.push_back({"16 bits: a tie, and y lost in binary32", 2, from(draw_product_at_tie<T>)});
  if (F::emax < 100) {
    classes.push_back({"16 bits: around the largest number", 2,
                       range(Significand::any, {4, 7, F::emax - 3, F::emax + 1, most, F::emax})});
  }
  return {.classes = std::move(classes),
          .contains =
              [](const AxpyCase<T>& c) {
                if (c.x.size() != c.y.size() || std::ssize(c.x) > most_of(sum::longest_sum)) return false;
                if (!sum::detail::all_finite(c.x) || !sum::detail::all_finite(c.y)) return false;
                return oracle::is_finite(format<T>, bits_of(c.alpha)) && fits<Wide<T>>(c);
              },
          .features = {{"log2 of n + 1, rounded up", 0, 14, 14,
                        [](const AxpyCase<T>& c) { return static_cast<double>(std::bit_width(c.x.size())); }}},
          .accepts = "finite α and up to 8192 finite xᵢ and yᵢ, |αxᵢ| + |yᵢ| at most 2^" +
                     std::to_string(FloatTraits<Wide<T>>::emax - 2)};
}

/// The sign of αxᵢ + yᵢ = 0, as fma has it: minus where both summands are negative zeros.
template <FloatingPoint T>
bool has_negative_zero(const AxpyCase<T>& c, std::size_t i) {
  const auto is_minus = [](T each) { return oracle::is_negative(format<T>, bits_of(each)); };
  const bool is_zero = value_of(c.alpha).is_zero() || value_of(c.x[i]).is_zero();
  return is_zero && is_minus(c.y[i]) && is_minus(c.alpha) != is_minus(c.x[i]);
}

template <FloatingPoint T>
std::vector<Claim<AxpyCase<T>, std::vector<T>, std::vector<Dyadic>>> axpy_claims() {
  std::vector<Claim<AxpyCase<T>, std::vector<T>, std::vector<Dyadic>>> claims{
      claim_spec("fma", contract_fma_1,
                 [](const AxpyCase<T>& c, const std::vector<Dyadic>& truth, const std::vector<T>& result) {
                   return assay::detail::by_number(
                       truth, result, [&](std::uint64_t got, const Dyadic& exact, std::size_t i) {
                         return judge_rounded(got, exact, format<T>, oracle::Rounding::nearest,
                                              {.negative_zero = has_negative_zero(c, i)}, i);
                       });
                 }),
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1)};
  const auto claims_in = []<class A>(A) -> decltype(claims) {
    return {
        computed_within<T, A>("two_roundings", contract_two_roundings_1, [](const auto& bound, const AxpyCase<T>& c) {
          const std::vector<Dyadic> exact = exact_axpy(c);
          std::vector<Bound> bounds;
          for (std::size_t i = 0; i < c.x.size(); ++i) {
            bounds.push_back(bound(value_of(c.alpha) * value_of(c.x[i]), exact[i], format<A>));
          }
          return bounds;
        })};
  };
  const std::string each = "for each i " + staying_finite<T>();
  append_computed<T>(claims, claims_in, each, [](const AxpyCase<T>& c) { return fits<T>(c); });
  return claims;
}

constexpr auto axpy_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(ArrayOperation<T, AxpyCase<T>>{"axpy", axpy_domain<T>(), [](const AxpyCase<T>& c) { return c.y; },
                                                    call_axpy<T>, exact_axpy<T>, &AxpyCase<T>::x, axpy_claims<T>()},
                     question, kernel);
};

template <FloatingPoint T>
using PrefixCase = sum::SumCase<T>;

/// sᵢ = x₁ + … + xᵢ and Sᵢ = |x₁| + … + |xᵢ| for each i.
template <FloatingPoint T>
std::vector<sum::ExactSums> exact_prefixes(const PrefixCase<T>& c) {
  std::vector<sum::ExactSums> prefixes;
  sum::ExactSums sums;
  for (const T& each : c.x) {
    const Dyadic x = value_of(each);
    sums.sum += x;
    sums.magnitudes += abs(x);
    prefixes.push_back(sums);
  }
  return prefixes;
}

template <FloatingPoint T>
std::vector<Dyadic> exact_cumsum(const PrefixCase<T>& c) {
  std::vector<Dyadic> exact;
  for (const sum::ExactSums& each : exact_prefixes(c)) exact.push_back(each.sum);
  return exact;
}

template <FloatingPoint T>
void call_cumsum(const ForeignKernel& kernel, const Executor& on, const PrefixCase<T>& c, T* y) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  function<void(std::size_t, const T*, T*)>(kernel)(c.x.size(), x.data(), y);
  check_input(x, on, c.x, "x");
}

/// |ŷᵢ − sᵢ| ≤ bound_of(theorem, i, sums of the prefix), i from 1 on, n the length of the whole, computed in A.
template <FloatingPoint T, FloatingPoint A, class BoundOf>
auto of_each_prefix(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of) {
  return computed_within<T, A>(std::move(id), theorem, [bound_of](const auto& bound, const PrefixCase<T>& c) {
    std::vector<Bound> bounds;
    for (const sum::ExactSums& each : exact_prefixes(c)) {
      bounds.push_back(bound_of(bound, bounds.size() + 1, c.x.size(), each));
    }
    return bounds;
  });
}

/// No number of the result is below the one before where xᵢ ≥ 0, and none above it where xᵢ ≤ 0.
template <FloatingPoint T>
bool is_monotone(const PrefixCase<T>& c, const std::vector<T>& result) {
  for (std::size_t i = 1; i < result.size(); ++i) {
    const int sign = value_of(c.x[i]).sign();
    if ((sign >= 0 && !(result[i - 1] <= result[i])) || (sign <= 0 && !(result[i] <= result[i - 1]))) return false;
  }
  return true;
}

template <FloatingPoint T>
std::vector<Claim<PrefixCase<T>, std::vector<T>, std::vector<Dyadic>>> cumsum_claims() {
  std::vector<Claim<PrefixCase<T>, std::vector<T>, std::vector<Dyadic>>> claims{
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1)};
  const auto claims_in = []<class A>(A) {
    decltype(claims) bounds;
    if constexpr (!is_narrow<A>) {
      bounds.push_back(of_each_prefix<T, A>("compensated", contract_prefix_1,
                                            [](const auto& bound, std::size_t i, std::size_t, const auto& each) {
                                              return bound(i, each.sum, each.magnitudes, sum::precision<A>);
                                            }));
    }
    bounds.push_back(of_each_prefix<T, A>("pairwise", contract_prefix_2,
                                          [](const auto& bound, std::size_t i, std::size_t, const auto& each) {
                                            return bound(pairwise_height(i), each.magnitudes, sum::precision<A>);
                                          }));
    bounds.push_back(of_each_prefix<T, A>("tree", contract_prefix_3,
                                          [](const auto& bound, std::size_t, std::size_t n, const auto& each) {
                                            return bound(2 * pairwise_height(n), each.magnitudes, sum::precision<A>);
                                          }));
    bounds.push_back(of_each_prefix<T, A>("any_order", contract_prefix_4,
                                          [](const auto& bound, std::size_t i, std::size_t, const auto& each) {
                                            return bound(i, each.magnitudes, sum::precision<A>);
                                          }));
    return bounds;
  };
  append_computed<T>(claims, claims_in, staying_finite<T>(),
                     [](const PrefixCase<T>& c) { return stays_finite<T>(sum::exact_sums(c).magnitudes); });
  claims.push_back(satisfies("monotone", contract_monotone_1, is_monotone<T>));
  return claims;
}

constexpr auto cumsum_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(
      ArrayOperation<T, PrefixCase<T>>{"cumsum", sum_domain<T>(),
                                       [](const PrefixCase<T>& c) { return unwritten<T>(c.x.size()); }, call_cumsum<T>,
                                       exact_cumsum<T>, &PrefixCase<T>::x, cumsum_claims<T>()},
      question, kernel);
};

const OperationRegistration all[] = {
    OperationRegistration(
        {"axpy",
         "y ← αx + y of vectors of n numbers",
         with_narrow_formats(),
         {{CallForm::plain, "void f(size_t n, T alpha, const T* x, T* y)"},
          {CallForm::cblas, "void cblas_f(int n, T alpha, const T* x, int incx, T* y, int incy)"},
          {CallForm::fortran,
           "void f_(const int* n, const T* alpha, const T* x, const int* incx, T* y, const int* incy)"}},
         with_stored({{"fma", &contract_fma_1.words, {}, {"correctly_rounded"}},
                      {"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "two_roundings"}},
                      {"faithful", &contract_faithful_1.words}},
                     {{"two_roundings", &contract_two_roundings_1.words}}, {}),
         property_in_any_format<axpy_of>}),
    OperationRegistration({"cumsum",
                           "yᵢ = x₁ + … + xᵢ for each of n numbers",
                           with_narrow_formats(),
                           {{CallForm::plain, "void f(size_t n, const T* x, T* y)"}},
                           with_stored({{"correctly_rounded",
                                         &contract_correctly_rounded_1.words,
                                         {},
                                         {"faithful", "compensated", "pairwise", "any_order", "monotone"}},
                                        {"faithful", &contract_faithful_1.words}},
                                       {{"compensated", &contract_prefix_1.words, {}, {}, true, wide_formats()},
                                        {"pairwise", &contract_prefix_2.words, {}, {"tree"}},
                                        {"tree", &contract_prefix_3.words},
                                        {"any_order", &contract_prefix_4.words}},
                                       {{"monotone", &contract_monotone_1.words, {}, {}, false}}),
                           property_in_any_format<cumsum_of>}),
};

}  // namespace
}  // namespace assay::contracts::vectors
