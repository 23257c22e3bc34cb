#pragma once
// Properties of operations on double words. Included by the files of sampled and of exhaustive domains, and by that of
// native pairs.

#include "errorbounds/dw_theorems.hpp"

#include <string>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "properties/catalog/dw/word_operations.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::dw {

template <class T>
Domain<DwDw<T>> double_word_pairs(Box box) {
  return operand_pairs<DwDw<T>>(double_word_pair_classes<T>(box), 64, "double words", box);
}

template <class T>
Domain<DwFp<T>> double_words_and_numbers(Box box) {
  return operand_pairs<DwFp<T>>(double_word_number_classes<T>(box), 64, "double words", box);
}

/// A word_operation with the claim that all of them make besides their error: a normalised result.
template <class Op, class Truth>
Property<typename Op::Input, typename Op::Output, Truth> double_word_operation(
    const std::string& name, Domain<typename Op::Input> domain,
    SharedFunction<Truth(const typename Op::Input&)> reference,
    std::vector<Claim<typename Op::Input, typename Op::Output, Truth>> claims,
    const Theorem<NoBound>& normalised = dw_normalized_1) {
  claims.push_back(satisfies("normalised", normalised, [](const auto&, const auto& z) { return is_normalised(z); }));
  return word_operation<Op, Truth>(name, std::move(domain), std::move(reference), std::move(claims));
}

}  // namespace assay::dw
