// The promises of operations on expansions, for the mutants that break them.

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "errorbounds/expansion_theorems.hpp"

#include "mutated/R11/arith/expansion/expansion.hpp"
#include "mutated/R12/arith/expansion/expansion.hpp"
#include "mutated/R14/arith/expansion/binned_product.hpp"
#include "mutated/R15/arith/expansion/binned_product.hpp"

#include "arith/expansion/binned_product.hpp"
#include "properties/catalog/expansion/binned.hpp"
#include "properties/catalog/expansion/cases.hpp"
#include "properties/catalog/expansion/level_claims.hpp"
#include "properties/catalog/expansion/special_cases.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/expansion_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

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

/// Which claim must detect a mistake: the structure of the words, the error, either, or the signs of zero words.
enum class Seen { words, error, either, signs_of_zeros };

/// What renormalization promises. The bound of the error is so tight that it shows whether the last word was rounded.
auto renormalization_promise(Renormalizing mistake, Seen seen) {
  using Case = expansion::ExpansionCase<double>;
  using Result = Expansions<double>;
  constexpr int p = FloatTraits<double>::precision;
  std::vector<Claim<Case, Result, oracle::Dyadic>> claims;
  if (seen == Seen::signs_of_zeros) {
    claims.push_back(satisfies("zeros_positive", expansion_zeros_positive_1,
                               [](const Case&, const Result& z) { return has_no_zero(z, true, 0); }));
  }
  if (seen == Seen::words || seen == Seen::either) {
    claims.push_back(satisfies("words", expansion_renormalize_1, [](const Case&, const Result& z) {
      ExactWords words;
      return exact_words<double>(z.words, words) ? judge_renormalized(words, p) : Judgement::fail();
    }));
  }
  if (seen == Seen::error || seen == Seen::either) {
    claims.push_back(within("error", expansion_renormalize_7, Renormalize::m, p));
  }
  Domain<Case> domain = expansion::renormalization_domain<double>(Renormalize::n, Renormalize::m, Overlap::in_pairs);
  if (seen != Seen::signs_of_zeros) {
    std::erase_if(domain.classes, [](const auto& each) { return each.name == "zeros of both signs"; });
  }
  return TypedModel(Property<Case, Result, oracle::Dyadic>{
      .name = "mutants.renormalize",
      .domain = std::move(domain),
      .subject = expansion_kernel<Renormalize, Case>(Renormalize{mistake},
                                                     [](const Case& c) { return expansion_of<Renormalize::n>(c.x); }),
      .reference = [](const Case& c) { return sum_of_words<double>(c.x); },
      .claims = std::move(claims)});
}

/// The promise of renormalization for words that are infinite or NaN.
auto special_words_promise(Renormalizing mistake) {
  using Case = expansion::ExpansionCase<double>;
  return TypedModel(expansion::TermsProperty<double>{
      .name = "mutants.renormalize_special",
      .domain = expansion::special_terms_domain<double>(Renormalize::n),
      .subject = expansion_kernel<Renormalize, Case>(Renormalize{mistake},
                                                     [](const Case& c) { return expansion_of<Renormalize::n>(c.x); }),
      .reference = [](const Case&) -> oracle::Exact { return oracle::Dyadic(); },
      .claims = {expansion::begins_with_nan<double>()}});
}

/// The promise of the certified product of three words.
auto multiplication_promise(bool dropped) {
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

/// The promise of a product of K words, with a bound by its levels.
template <int K, class C>
auto level_promise(Expansion<double, K> (*product)(const Expansion<double, K>&, const Expansion<double, K>&), C claim) {
  using Case = expansion::ExpansionPairCase<double>;
  return TypedModel(expansion::PairProperty<double>{
      .name = "mutants.product_by_levels",
      .domain = expansion::product_domain<double>(K, expansion_product_box(oracle::binary64, K)),
      .subject =
          [product](const Executor&, const Case& c) {
            const Expansion<double, K> z = product(expansion_of<K>(c.x), expansion_of<K>(c.y));
            return Expansions<double>{{std::begin(z.x), std::end(z.x)}, std::size(z.x)};
          },
      .reference = [](const Case& c) -> oracle::Exact { return sum_of_words<double>(c.x) * sum_of_words<double>(c.y); },
      .claims = {claim},
      .quick_cases = expansion::quick_cases(K)});
}

/// The promise of the published truncated product of K by L words in R words.
template <int R, int K, int L>
auto binned_promise(Expansion<double, R> (*product)(const Expansion<double, K>&, const Expansion<double, L>&)) {
  return TypedModel(expansion::binned_mul<double>(
      {K, L, R}, [product](const Executor&, const expansion::ExpansionPairCase<double>& c) {
        const Expansion<double, R> z = product(expansion_of<K>(c.x), expansion_of<L>(c.y));
        return Expansions<double>{{std::begin(z.x), std::end(z.x)}, std::size(z.x)};
      }));
}

}  // namespace

Rows expansion_rows() {
  struct Renormalized {
    Planted planted;
    Renormalizing mistake;
    Seen seen;
  };
  const Renormalized all[] = {
      {{"R1", "renormalization ends after VecSum", 4}, Renormalizing::without_branch, Seen::words},
      {{"R2", "VecSumErrBranch without its test for zero", 8}, Renormalizing::without_zero_test, Seen::either},
      {{"R3", "VecSumErrBranch without its last TwoSum", 4}, Renormalizing::without_last_sum, Seen::error},
      {{"R4", "VecSum from the first word to the last", 160}, Renormalizing::top_down, Seen::either},
      {{"R5", "VecSum of FastTwoSums", 110}, Renormalizing::fast_two_sums, Seen::error},
      {{"R6", "one pass of VecSumErr fewer", 160}, Renormalizing::one_pass_fewer, Seen::words},
      {{"R7", "the last word truncated, not rounded", 60}, Renormalizing::truncated_last_word, Seen::error},
      {{"R10", "zero words are -0", 8}, Renormalizing::negative_zeros, Seen::signs_of_zeros},
  };
  Rows rows;
  for (const Renormalized& each : all) {
    rows.push_back(kernel_row(each.planted, renormalization_promise(each.mistake, each.seen),
                              renormalization_promise(Renormalizing::none, each.seen)));
  }
  rows.push_back(kernel_row({"R16", "words that are infinite or NaN are taken for 0", 4},
                            special_words_promise(Renormalizing::special_words_dropped),
                            special_words_promise(Renormalizing::none)));
  rows.push_back(kernel_row({"R9", "a product without the diagonals from i + j = m - 1 on", 8},
                            multiplication_promise(true), multiplication_promise(false)));
  const auto quick = [](auto product) { return level_promise<4>(product, expansion::quick_mul_levels<double>(4)); };
  rows.push_back(kernel_row({"R11", "the quick product leaves out x_i y_j with i, j >= 1 before its last level", 16},
                            quick(&expansion::r11::quick_mul<4, double, 4, 4>),
                            quick(&expansion::quick_mul<4, double, 4, 4>)));
  const auto truncated = [](auto product) {
    return level_promise<16>(product, expansion::truncated_mul_levels<double>(16));
  };
  rows.push_back(kernel_row({"R12", "the truncated product of 16 words leaves out its last diagonal", 40},
                            truncated(&expansion::r12::truncated_mul<16, double, 16, 16>),
                            truncated(&expansion::truncated_mul<16, double, 16, 16>)));
  rows.push_back(
      kernel_row({"R14", "the published truncated product without the errors of its diagonal i + j = R - 1", 64},
                 binned_promise<3, 4, 2>(&expansion::r14::binned_mul<3, double, 4, 2>),
                 binned_promise<3, 4, 2>(&expansion::binned_mul<3, double, 4, 2>)));
  rows.push_back(kernel_row({"R15", "an error term added to a bin that it is no multiple of", 128},
                            binned_promise<4, 2, 4>(&expansion::r15::binned_mul<4, double, 2, 4>),
                            binned_promise<4, 2, 4>(&expansion::binned_mul<4, double, 2, 4>)));
  return rows;
}

}  // namespace assay::mutants
