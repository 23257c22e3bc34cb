#pragma once
// Properties of error-free transforms over any domain. Used by the files of sampled and of exhaustive domains.

#include "errorbounds/eft_theorems.hpp"

#include <string>
#include <utility>

#include "kernels/eft/error_free.hpp"
#include "properties/draws/eft/transforms.hpp"
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

/// The transform Op with its claims; a case is inexact if the second word is not zero.
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

inline auto normalised_pair(const char* instance) {
  return of_instance(instance, satisfies("normalised", eft_normalized_1,
                                         [](const auto&, const auto& result) { return is_normalised(result); }));
}

/// The words after the first that are zero are −0 for the cases that negative(case) names, otherwise +0.
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

/// Whether Op transforms a sum; otherwise it transforms a product.
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

/// The pair transform on operands, some of which refute that it is exact.
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

}  // namespace assay::eft
