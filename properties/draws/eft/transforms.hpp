#pragma once
// Cases of error-free transforms: their exact values, the inputs for which the transforms are exact, the sampled
// domains, and the claim that the first word is the rounded exact value.

#include "errorbounds/eft.hpp"
#include "errorbounds/op_theorems.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "properties/draws/op/rules.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/generators.hpp"

namespace assay::eft {

template <class T>
bool are_finite(const Single<T>& c) {
  return oracle::is_finite(format_of<T>(), bits_of(c.a));
}
template <class T>
bool are_finite(const Pair<T>& c) {
  return oracle::is_finite(format_of<T>(), bits_of(c.a)) && oracle::is_finite(format_of<T>(), bits_of(c.b));
}
template <class T>
bool are_finite(const Triple<T>& c) {
  return are_finite(Pair<T>{c.a, c.b}) && oracle::is_finite(format_of<T>(), bits_of(c.c));
}

template <class T>
oracle::Dyadic exact_sum_of(const Pair<T>& c) {
  return value_of(c.a) + value_of(c.b);
}
template <class T>
oracle::Dyadic exact_product_of(const Pair<T>& c) {
  return value_of(c.a) * value_of(c.b);
}
template <class T>
oracle::Dyadic exact_fused_of(const Triple<T>& c) {
  oracle::Dyadic result = value_of(c.c);
  result.add_mul(value_of(c.a), value_of(c.b));
  return result;
}

template <class T>
bool finite_with_finite_sum(const Pair<T>& c) {
  return are_finite(c) && rounds_to_finite(exact_sum_of(c), format_of<T>());
}

/// The first word is the exact value rounded to nearest. A zero has the sign that IEEE 754-2019, §6.3, prescribes for
/// the operation.
template <op::Operation operation>
auto first_word_rounded(std::string id, const std::string& instance) {
  return of_instance(
      instance,
      satisfies(std::move(id), op_rounded_1, [](const auto& c, const oracle::Dyadic& truth, const auto& result) {
        using Traits = ResultTraits<std::remove_cvref_t<decltype(result)>>;
        constexpr oracle::Format format = format_of<typename Traits::Number>();
        op::OperandBits bits{bits_of(c.a), bits_of(c.b), 0};
        if constexpr (requires { c.c; }) {
          bits[2] = bits_of(c.c);
        }
        const oracle::RoundingPolicy policy{
            .negative_zero = op::zero_is_negative(operation, format, bits, oracle::Rounding::nearest)};
        return judge_rounded(bits_of(Traits::word(result, 0)), truth, format, oracle::Rounding::nearest, policy);
      }));
}

// The inputs for which the transforms are exact, as `contains` of domains.

template <class T, bool (*is_exact)(const oracle::Dyadic&, const oracle::Dyadic&, const oracle::Format&)>
bool pair_applies(const Pair<T>& c) {
  return are_finite(c) && is_exact(value_of(c.a), value_of(c.b), format_of<T>());
}
template <class T>
inline constexpr auto two_sum_applies = pair_applies<T, two_sum_is_exact>;
template <class T>
inline constexpr auto fast_two_sum_applies = pair_applies<T, fast_two_sum_is_exact>;
template <class T>
inline constexpr auto two_prod_applies = pair_applies<T, two_prod_is_exact>;
template <class T>
inline constexpr auto dekker_prod_applies = pair_applies<T, dekker_product_is_exact>;
template <class T>
bool veltkamp_split_applies(const Single<T>& c) {
  return are_finite(c) && veltkamp_split_is_exact(value_of(c.a), format_of<T>());
}
template <class T>
bool err_fma_applies(const Triple<T>& c) {
  return are_finite(c) && err_fma_is_exact(value_of(c.a), value_of(c.b), value_of(c.c), format_of<T>());
}

// Sampled domains of the transforms and of native pairs.

/// Numbers below 2^emax, whose sums do not overflow.
template <class T>
inline constexpr Box sum_box{full_box<T>().low, FloatTraits<T>::emax - 1};

/// Two numbers whose sum nearly overflows: |a| a little below Ω, b of the other sign.
template <FloatingPoint T>
Pair<T> draw_near_overflow(Draw& draw) {
  using F = FloatTraits<T>;
  const T a = stepped(number_of<T>(format_of<T>().largest_finite()), -draw.between(1, 4));
  const T b = draw_number<T>(draw, Significand::any, draw.between(F::emax - F::precision - 1, F::emax), true);
  return draw.coin() ? Pair<T>{a, b} : Pair<T>{negated(a), negated(b)};
}

template <class T>
Domain<Pair<T>> two_sum_domain() {
  auto classes = sum_pair_classes<T>(sum_box<T>);
  classes.push_back({"next to overflow", 1, drawn<Pair<T>>([](Draw& draw) { return draw_near_overflow<T>(draw); })});
  classes.push_back(zero_pairs_class<T>(sum_box<T>));
  return {.classes = std::move(classes),
          .contains = two_sum_applies<T>,
          .accepts = "finite a, b with |a| below the largest number and RN(a + b) finite"};
}

template <class T>
Domain<Pair<T>> finite_sums(std::vector<InputClass<Pair<T>>> classes) {
  return {.classes = std::move(classes),
          .contains = finite_with_finite_sum<T>,
          .accepts = "finite a, b with RN(a + b) finite"};
}

template <class T>
Domain<Pair<T>> two_prod_domain() {
  using F = FloatTraits<T>;
  auto classes = product_pair_classes<T>(full_box<T>(), Box{F::emin + F::precision - 1, F::emax - 1});
  classes.push_back(zero_pairs_class<T>(full_box<T>()));
  return {.classes = std::move(classes),
          .contains = two_prod_applies<T>,
          .accepts = "finite a, b with ab = 0, or exponents whose sum is at least emin + p − 1, and RN(ab) finite"};
}

template <class T>
Domain<Pair<T>> dekker_domain() {
  using F = FloatTraits<T>;
  const Box box{full_box<T>().low, F::emax - split_bits(format_of<T>()) - 3};
  auto classes = product_pair_classes<T>(box, Box{F::emin + F::precision, F::emax - 3});
  classes.push_back(zero_pairs_class<T>(box));
  return {.classes = std::move(classes),
          .contains = dekker_prod_applies<T>,
          .accepts =
              "finite a, b with ab = 0 or |ab| ≥ 2^(emin + p), |a|, |b| ≤ 2^(emax − ⌈p/2⌉ − 2), and exponents "
              "whose sum is at most emax − 3"};
}

}  // namespace assay::eft
