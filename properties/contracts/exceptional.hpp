#pragma once
// NaN and infinities among the numbers of a case: what becomes of them, domains that have such cases, and claims that
// are about finite ones.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/draws/sum/special_cases.hpp"
#include "properties/contracts/foreign.hpp"
#include "properties/framework/remark.hpp"

namespace assay::contracts {

/// What each number of a result must be: 0 for any finite number, else the pattern of a NaN or of an infinity. A NaN
/// stands for every NaN.
using Due = std::vector<std::uint64_t>;

/// What a NaN or an infinity becomes, in words.
template <FloatingPoint T>
std::string text_of_due(std::uint64_t due) {
  if (due == 0) return "a number is due";
  if (oracle::is_nan(format<T>, due)) return "NaN is due";
  return oracle::is_negative(format<T>, due) ? "-inf is due" : "inf is due";
}

/// Every number of the result is what due_of(case) asks for.
template <FloatingPoint T, class DueOf>
auto becomes(std::string id, const AnyTheorem auto& theorem, DueOf due_of) {
  return satisfies(std::move(id), theorem, [due_of](const auto& c, const auto& result) {
    using Traits = ResultTraits<std::remove_cvref_t<decltype(result)>>;
    const Due due = due_of(c);
    for (std::size_t i = 0; i < due.size(); ++i) {
      const std::uint64_t got = bits_of(Traits::word(result, i));
      const bool is_right = due[i] == 0                         ? oracle::is_finite(format<T>, got)
                            : oracle::is_nan(format<T>, due[i]) ? oracle::is_nan(format<T>, got)
                                                                : got == due[i];
      if (is_right) continue;
      remark(text_of_due<T>(due[i]));
      return Judgement::fail(i);
    }
    return Judgement::pass();
  });
}

/// The claims for cases of finite numbers alone, besides what they require.
template <class Claims, class IsFinite>
Claims of_finite_cases(Claims claims, IsFinite is_finite) {
  for (auto& each : claims) {
    if (each.info.preconditions.empty()) each.info.preconditions = "finite numbers";
    each.applies = [is_finite, applies = each.applies](const auto& c) {
      return is_finite(c) && (!applies || applies(c));
    };
  }
  return claims;
}

/// The vector with 0 in the place of what is no number.
template <FloatingPoint T>
std::vector<T> finite_part(std::vector<T> x) {
  for (T& each : x) {
    if (!oracle::is_finite(format<T>, bits_of(each))) each = T{};
  }
  return x;
}

/// The domain with these classes of cases more, in which some numbers are none. finite_part_of(case) has zeros in their
/// place, and is in the domain.
template <class Case, class FinitePartOf>
Domain<Case> with_exceptional(Domain<Case> domain, std::vector<InputClass<Case>> classes, FinitePartOf finite_part_of) {
  domain.classes = joined(std::move(domain.classes), std::move(classes));
  domain.contains = [inner = domain.contains, finite_part_of](const Case& c) { return inner(finite_part_of(c)); };
  for (Feature<Case>& each : domain.features) {
    each.of = [inner = each.of, finite_part_of](const Case& c) { return inner(finite_part_of(c)); };
  }
  if (domain.traits != nullptr) {
    Traits<Case> traits = *domain.traits;
    for (auto& each : traits.all) {
      each.of = [inner = each.of, finite_part_of](const Case& c) { return inner(finite_part_of(c)); };
    }
    domain.traits = std::make_shared<const Traits<Case>>(std::move(traits));
  }
  domain.accepts += "; NaN and infinities in the place of some of them";
  return domain;
}

/// Numbers of moderate size, one to three of which are replaced: by infinities of one sign or of both, by NaNs, by
/// both.
template <FloatingPoint T>
void put_exceptional(Draw& draw, std::vector<T>& x) {
  if (x.empty()) return;
  const bool negative = draw.coin();
  const std::uint64_t kind = draw.below(5);
  const std::size_t count = kind == 0 ? 1 : 2 + draw.below(2);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_nan = kind == 3 || (kind == 4 && i == 0);
    const bool is_other = kind == 2 && i == 1;
    x[draw.below(x.size())] =
        is_nan ? sum::detail::draw_nan<T>(draw) : sum::detail::draw_infinity<T>(negative != is_other);
  }
}

}  // namespace assay::contracts
