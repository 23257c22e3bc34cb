#pragma once
// Properties of operations whose operands or results are double words, triple words or quad doubles.

#include "errorbounds/dw_theorems.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/elementwise.hpp"
#include "properties/draws/dw/double_words.hpp"
#include "properties/draws/dw/word_operations.hpp"
#include "properties/framework/property.hpp"

namespace assay::dw {

/// The element-wise operation Op with its claims; a case is inexact if the last word is not zero.
template <class Op, class Truth = oracle::Dyadic>
Property<typename Op::Input, typename Op::Output, Truth> word_operation(
    const std::string& name, Domain<typename Op::Input> domain,
    std::type_identity_t<SharedFunction<Truth(const typename Op::Input&)>> reference,
    std::type_identity_t<std::vector<Claim<typename Op::Input, typename Op::Output, Truth>>> claims) {
  using Traits = ResultTraits<typename Op::Output>;
  return {.name = name + format_suffix<typename Traits::Number>(),
          .domain = std::move(domain),
          .subject = [](const Executor& on,
                        std::span<const typename Op::Input> cases) { return elementwise<Op>(on, cases); },
          .reference = std::move(reference),
          .claims = std::move(claims),
          .inexact =
              [](const auto&, const auto&, const typename Op::Output& z) {
                return bits_of(abs(Traits::word(z, Traits::per_component - 1))) != 0;
              }};
}

/// A word_operation with the claim that all of them make besides the claim about the error: a normalized result.
template <class Op, class Truth>
Property<typename Op::Input, typename Op::Output, Truth> double_word_operation(
    const std::string& name, Domain<typename Op::Input> domain,
    SharedFunction<Truth(const typename Op::Input&)> reference,
    std::vector<Claim<typename Op::Input, typename Op::Output, Truth>> claims,
    const Theorem<NoBound>& normalised = dw_normalized_1) {
  claims.push_back(normalised_result(normalised));
  return word_operation<Op, Truth>(name, std::move(domain), std::move(reference), std::move(claims));
}

}  // namespace assay::dw
