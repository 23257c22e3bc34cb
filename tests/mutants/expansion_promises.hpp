#pragma once
// What operations on expansions promise, for the mutants that break it.

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "errorbounds/expansion_theorems.hpp"
#include "properties/catalog/expansion/cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/expansion_mutants.hpp"

namespace assay::mutants {

/// op(c) for each case, as results of `words` words.
template <class Op, class Case, class InputOf>
Subject<Case, Expansions<double>> expansion_kernel(const Op& op, InputOf input_of) {
  return [op, input_of](const Executor& on, std::span<const Case> cases) {
    std::vector<typename Op::Input> inputs;
    for (const Case& c : cases) {
      inputs.push_back(input_of(c));
    }
    std::vector<Expansions<double>> results;
    for (const auto& z : elementwise(on, std::span<const typename Op::Input>(inputs), op)) {
      results.push_back({{std::begin(z.x), std::end(z.x)}, std::size(z.x)});
    }
    return results;
  };
}

template <int K>
Expansion<double, K> expansion_of(const std::vector<double>& words) {
  Expansion<double, K> z{};
  std::copy(words.begin(), words.end(), z.x);
  return z;
}

/// Which claim has to see a mistake: the structure of the words, the error, or either.
enum class Seen { words, error, either };

/// What renormalization promises. The error is bounded so closely that it shows whether the last word was rounded.
inline auto renormalization_promise(Renormalizing mistake, Seen seen) {
  using Case = expansion::ExpansionCase<double>;
  using Result = Expansions<double>;
  constexpr int p = FloatTraits<double>::precision;
  std::vector<Claim<Case, Result, oracle::Dyadic>> claims;
  if (seen != Seen::error) {
    claims.push_back(satisfies("words", expansion_renormalize_1, [](const Case&, const Result& z) {
      ExactWords words;
      return exact_words<double>(z.words, words) ? judge_renormalized(words, p) : Judgement::fail();
    }));
  }
  if (seen != Seen::words) {
    claims.push_back(within("error", expansion_renormalize_7, Renormalize::m, p));
  }
  return TypedModel(Property<Case, Result, oracle::Dyadic>{
      .name = "mutants.renormalize",
      .domain = expansion::renormalization_domain<double>(Renormalize::n, Renormalize::m, Overlap::in_pairs),
      .subject = expansion_kernel<Renormalize, Case>(Renormalize{mistake},
                                                     [](const Case& c) { return expansion_of<Renormalize::n>(c.x); }),
      .reference = [](const Case& c) { return sum_of_words<double>(c.x); },
      .claims = std::move(claims)});
}

/// What the certified product of three words promises.
inline auto multiplication_promise(bool dropped) {
  using Case = expansion::ExpansionPairCase<double>;
  return TypedModel(Property<Case, Expansions<double>, oracle::Dyadic>{
      .name = "mutants.multiply",
      .domain = expansion::expansion_pair_domain<double>(3, expansion_product_box(oracle::binary64, 3)),
      .subject = expansion_kernel<Multiply, Case>(Multiply{dropped},
                                                  [](const Case& c) {
                                                    return Factors{expansion_of<3>(c.x), expansion_of<3>(c.y)};
                                                  }),
      .reference = [](const Case& c) { return sum_of_words<double>(c.x) * sum_of_words<double>(c.y); },
      .claims = {within("error", expansion_certified_mul_1, 3, FloatTraits<double>::precision)}});
}

}  // namespace assay::mutants
