#pragma once
// Properties of error-free transforms over any domain. Included by the files of sampled and of exhaustive domains.

#include "errorbounds/eft.hpp"
#include "errorbounds/eft_theorems.hpp"
#include "errorbounds/op_theorems.hpp"

#include <string>
#include <utility>

#include "kernels/eft/error_free.hpp"
#include "properties/draws/op/rules.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::eft {

template <class Op>
using TransformCase = typename Op::Input;
template <class Op>
using TransformNumber = typename ResultTraits<typename Op::Output>::Number;
template <class Op>
using TransformProperty = Property<TransformCase<Op>, typename Op::Output, oracle::Dyadic>;
template <class Op>
using TransformClaims = std::vector<Claim<TransformCase<Op>, typename Op::Output, oracle::Dyadic>>;

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

/// The transform Op with its claims; a case is inexact where the second word is not zero.
template <class Op>
TransformProperty<Op> transform(const std::string& name, Domain<TransformCase<Op>> domain,
                                oracle::Dyadic (*reference)(const TransformCase<Op>&), TransformClaims<Op> claims) {
  return {.name = name + format_suffix<TransformNumber<Op>>(),
          .domain = std::move(domain),
          .subject = [](const Executor& on,
                        std::span<const TransformCase<Op>> cases) { return elementwise<Op>(on, cases); },
          .reference = reference,
          .claims = std::move(claims),
          .inexact =
              [](const auto&, const auto&, const typename Op::Output& result) {
                const auto second = ResultTraits<typename Op::Output>::word(result, 1);
                return (bits_of(second) & (format_of<TransformNumber<Op>>().sign_mask() - 1)) != 0;
              }};
}

/// The first word is the truth rounded to nearest. A zero has the sign that IEEE 754-2019, §6.3, gives the operation.
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

inline auto normalised_pair(const char* instance) {
  return of_instance(instance, satisfies("normalised", eft_normalized_1,
                                         [](const auto&, const auto& result) { return is_normalised(result); }));
}

/// The words behind the first that are zero are −0 for the cases that negative(case) names, else +0.
template <class Negative>
auto zeros_signed(const Theorem<NoBound>& theorem, Negative negative) {
  return satisfies("zero_words", theorem,
                   [negative](const auto& c, const auto& result) { return has_no_zero(result, !negative(c), 1); });
}
inline auto zeros_positive() {
  return zeros_signed(eft_zero_words_1, [](const auto&) { return false; });
}

/// Both words of a split have at most `high` and `low` significant bits.
template <class T>
bool split_fits(const Split<T>& split, long high, long low) {
  return is_finite(split.h) && is_finite(split.l) && value_of(split.h).bit_length() <= high &&
         value_of(split.l).bit_length() <= low;
}

/// Whether Op transforms a sum; else it transforms a product.
template <class Op>
inline constexpr bool transforms_sum = std::is_same_v<typename Op::Output, Sum<TransformNumber<Op>>>;

/// A sum or a product as two words: the claim of exactness, and the first word rounded.
template <class Op>
TransformProperty<Op> pair_transform(const std::string& name, Domain<TransformCase<Op>> domain,
                                     Claim<TransformCase<Op>, typename Op::Output, oracle::Dyadic> exactness) {
  using T = TransformNumber<Op>;
  if constexpr (transforms_sum<Op>) {
    return transform<Op>(
        name, std::move(domain), exact_sum_of<T>,
        {std::move(exactness), first_word_rounded<op::Operation::add>("rounded_sum", "s = RN(a + b)")});
  } else {
    return transform<Op>(
        name, std::move(domain), exact_product_of<T>,
        {std::move(exactness), first_word_rounded<op::Operation::mul>("rounded_product", "p = RN(ab)")});
  }
}

/// The pair transform on operands for which the theorem says that it is exact.
template <class Op>
TransformProperty<Op> exact_transform(const std::string& name, Domain<TransformCase<Op>> domain,
                                      const Theorem<NoBound>& theorem) {
  TransformProperty<Op> property = pair_transform<Op>(name, std::move(domain), exact("exact", theorem));
  using T = TransformNumber<Op>;
  property.claims.push_back(normalised_pair(transforms_sum<Op> ? "s = RN(s + e)" : "p = RN(p + e)"));
  if constexpr (std::is_same_v<Op, FastTwoSum<T>>) {
    property.claims.push_back(
        zeros_signed(eft_zero_words_2, [](const Pair<T>& c) { return bits_of(c.b) == format_of<T>().sign_mask(); }));
  } else {
    property.claims.push_back(zeros_positive());
  }
  return property;
}

/// The pair transform on operands among which some refute that it is exact.
template <class Op>
TransformProperty<Op> inexact_transform(const std::string& name, Domain<TransformCase<Op>> domain,
                                        const Theorem<NoBound>& refuted) {
  return pair_transform<Op>(name, std::move(domain), expected_refuted(exact("exact", refuted)));
}

/// A zero low part is +0; for Veltkamp's split of −0 it is −0.
template <class Op>
Claim<TransformCase<Op>, typename Op::Output, oracle::Dyadic> zeros_of_split() {
  using T = TransformNumber<Op>;
  if constexpr (std::is_same_v<Op, VeltkampSplit<T>>) {
    return zeros_signed(eft_zero_words_3,
                        [](const Single<T>& c) { return bits_of(c.a) == format_of<T>().sign_mask(); });
  } else {
    return zeros_positive();
  }
}

template <class Op>
TransformProperty<Op> split_transform(const std::string& name, Domain<TransformCase<Op>> domain, long high, long low,
                                      const Theorem<NoBound>& exactness, const Theorem<NoBound>& widths) {
  using T = TransformNumber<Op>;
  return transform<Op>(
      name, std::move(domain), [](const Single<T>& c) { return value_of(c.a); },
      {exact("exact", exactness),
       of_instance(std::to_string(high) + " and " + std::to_string(low) + " bits",
                   satisfies("widths", widths,
                             [high, low](const auto&, const Split<T>& split) { return split_fits(split, high, low); })),
       zeros_of_split<Op>()});
}

template <class Op>
TransformProperty<Op> fma_error_transform(const std::string& name, Domain<TransformCase<Op>> domain) {
  using T = TransformNumber<Op>;
  return transform<Op>(
      name, std::move(domain), exact_fused_of<T>,
      {exact("exact", eft_err_fma_1), first_word_rounded<op::Operation::fma>("rounded", "r1 = RN(ab + c)"),
       satisfies("tail_normalised", eft_err_fma_2,
                 [](const auto&, const FmaError<T>& r) {
                   return is_normalised(Sum<T>{r.r2, r.r3});
                 }),
       zeros_positive()});
}

// Where the transforms are exact, as domains' `contains`.

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

/// Two numbers whose sum is next to overflow and does not: |a| a little below Ω, b of the other sign.
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
