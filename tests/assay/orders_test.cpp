// The order of reductions is found again, in four formats; what is no tree of additions, or no fixed one, is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "assay/orders/answer.hpp"
#include "assay/orders/finder.hpp"
#include "assay/orders/picture.hpp"
#include "assay/orders/recognize.hpp"
#include "tests/assay/order_kernels.hpp"

namespace assay::orders {
namespace {

using testing::HasSubstr;

/// What is found of a kernel of n terms.
Answer found(const Kernel& kernel, Number number, std::size_t n, Number result) {
  return probe(reduction_by(kernel, number, result), n, 1);
}
Answer found(const Kernel& kernel, Number number, std::size_t n) { return found(kernel, number, n, number); }

/// Every input is predicted, and the family is the one of that name.
void expect_family(const Kernel& kernel, Number number, std::size_t n, const std::string& name) {
  SCOPED_TRACE(testing::Message() << name << " of " << n << " " << prober::name_of(number));
  const Answer answer = found(kernel, number, n);
  ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
  ASSERT_TRUE(answer.family) << answer.words;
  EXPECT_EQ(name_of(*answer.family), name);
  EXPECT_TRUE(same(tree_of(family_named(name), n), *answer.tree));
  EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
  EXPECT_EQ(answer.prediction.checked, inputs_of(n));
  EXPECT_EQ(answer.bound.has_value(), answer.tree->width() == 2);
}

TEST(Orders, chains_from_both_ends_are_found) {
  for (const Number number : {Number::f64, Number::f32, Number::f16, Number::bf16}) {
    expect_family(chain, number, 100, "chain");
    expect_family(from_the_end, number, 100, "reversed");
  }
}

TEST(Orders, lanes_and_their_joins_are_found) {
  expect_family(lanes(4, chain, chain), Number::f64, 256, "lanes(4,chain,chain)");
  expect_family(lanes(8, chain, pairs), Number::f32, 203, "lanes(8,chain,pairs)");
  expect_family(lanes(16, chain, fold), Number::f16, 160, "lanes(16,chain,folded)");
  expect_family(lanes(256, chain, fold), Number::f64, 1024, "lanes(256,chain,folded)");
}

TEST(Orders, pairwise_trees_and_blocks_are_found) {
  expect_family(pairs, Number::f64, 128, "pairs");
  expect_family(pairs, Number::bf16, 100, "pairs");
  expect_family(halves_up, Number::f32, 100, "halves_up");
  expect_family(blocks(16, pairs, chain), Number::f32, 256, "blocks(16,pairs,chain)");
  expect_family(blocks(32, chain, from_the_end), Number::f64, 200, "blocks(32,chain,reversed)");
}

TEST(Orders, panels_of_a_product_are_found) {
  expect_family(panels_of_32, Number::f64, 100, "panels(32,4,chain,chain)");
  expect_family(panels_of_32, Number::f32, 128, "blocks(32,chain,chain)");
}

TEST(Orders, sums_of_numpy_are_found) {
  for (const std::size_t n : {7U, 100U, 128U, 1001U}) {
    SCOPED_TRACE(n);
    const Answer answer = found(numpy_sum, Number::f64, n);
    ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
    EXPECT_TRUE(same(*answer.tree, tree_of(family_named("split(128,8,lanes_tail(8,chain,pairs))"), n)));
    ASSERT_TRUE(answer.family) << answer.words;
    EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
  }
  const Answer answer = found(numpy_sum, Number::f64, 1001);
  EXPECT_EQ(name_of(*answer.family), "split(128,8,lanes_tail(8,chain,pairs))");
  EXPECT_THAT(answer.words, HasSubstr("8 lanes with stride 8"));
}

TEST(Orders, operations_that_add_several_numbers_are_found) {
  expect_family(fused(4), Number::f32, 64, "chain(4)");
  expect_family(fused(8), Number::f32, 200, "chain(8)");
  expect_family(lanes(2, fused(4), chain), Number::f32, 64, "lanes(2,chain(4),chain)");
}

TEST(Orders, arbitrary_trees_are_found_in_four_formats) {
  for (const Number number : {Number::f64, Number::f32, Number::f16, Number::bf16}) {
    for (const std::size_t n : {2U, 3U, 17U, 270U}) {
      SCOPED_TRACE(testing::Message() << n << " " << prober::name_of(number));
      const Tree tree = random_tree(n, n);
      const Answer answer = found(by(tree), number, n);
      ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
      EXPECT_TRUE(same(tree, *answer.tree));
      EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
    }
  }
}

TEST(Orders, a_tree_of_4096_terms_takes_few_questions) {
  for (const Tree& tree : {random_tree(most_terms, 3), tree_of(family_named("reversed"), most_terms)}) {
    const Reduction reduction = reduction_in(tree)(most_terms);
    Masks masks(reduction);
    const Found answer = find_tree(reduction, masks, 1);
    ASSERT_TRUE(answer.tree) << answer.why;
    EXPECT_TRUE(same(*answer.tree, tree));
    EXPECT_LT(masks.asked(), 15 * most_terms);  // n·ln n + n is 9.3n
  }
}

TEST(Orders, narrow_sums_in_wider_accumulators_are_found) {
  for (const Number number : {Number::f16, Number::bf16}) {
    const Answer answer = found(chain_in(Number::f32), number, 300);
    ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
    EXPECT_EQ(name_of(*answer.family), "chain");
    EXPECT_EQ(answer.prediction.arithmetic.accumulator, Number::f32);
    EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
  }
}

TEST(Orders, long_reductions_of_a_family_are_compared_at_some_pairs) {
  const Answer answer = found(lanes(256, chain, fold), Number::f64, 20011);
  ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
  EXPECT_EQ(name_of(*answer.family), "lanes(256,chain,folded)");
  EXPECT_TRUE(answer.is_sampled);
  EXPECT_GE(answer.pairs, 256U);
  EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
  EXPECT_EQ(name_of(*found(numpy_sum, Number::f64, 9001).family), "split(128,8,lanes_tail(8,chain,pairs))");
}

TEST(Orders, long_halves_of_which_the_first_is_rounded_up_are_found) {
  const Answer answer = found(halves_up, Number::f64, 4999);
  ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
  EXPECT_EQ(name_of(*answer.family), "halves_up");
  EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
}

TEST(Orders, blocks_longer_than_whole_trees_are_found) {
  const Answer answer = found(blocks(8192, numpy_sum, chain), Number::f64, 20011);
  ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
  EXPECT_EQ(answer.family->kind, Family::Kind::blocks);
  EXPECT_TRUE(
      same(*answer.tree, tree_of(family_named("blocks(8192,split(128,8,lanes_tail(8,chain,pairs)),chain)"), 20011)));
  EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
}

TEST(Orders, narrow_accumulators_of_wider_numbers_are_told) {
  const Answer answer = found(chain_in(Number::bf16), Number::f32, 300);
  ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
  EXPECT_EQ(answer.prediction.arithmetic.accumulator, Number::bf16);
  EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
  EXPECT_FALSE(answer.bound);
}

TEST(Orders, long_narrow_reductions_are_compared_by_some_ones) {
  const Answer answer = found(lanes(64, chain, fold), Number::bf16, 5000);
  ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
  EXPECT_EQ(name_of(*answer.family), "lanes(64,chain,folded)");
  EXPECT_TRUE(answer.is_sampled);
}

TEST(Orders, a_long_reduction_of_another_order_is_not_decided) {
  // A chain up to 5000 terms, pairs beyond.
  const Kernel changes = [](const Add& add, Numbers x) { return x.size() > 5000 ? pairs(add, x) : chain(add, x); };
  const Answer answer = found(changes, Number::f64, 6000);
  EXPECT_EQ(answer.verdict, Verdict::not_decided);
  EXPECT_THAT(answer.why, HasSubstr("6000 terms are added otherwise"));
}

TEST(Orders, a_tree_that_changes_between_runs_is_not_fixed) {
  for (const std::size_t n : {40U, 5000U}) {
    int calls = 0;
    const Kernel turns = [&calls](const Add& add, Numbers x) {
      return ++calls % 3 == 0 ? from_the_end(add, x) : chain(add, x);
    };
    const Answer answer = found(turns, Number::f64, n);
    EXPECT_EQ(answer.verdict, Verdict::not_fixed) << name_of(answer.verdict) << answer.why;
  }
}

TEST(Orders, a_rare_change_of_the_order_is_seen_by_random_inputs) {
  int calls = 0;
  const Kernel rarely = [&calls](const Add& add, Numbers x) {
    return ++calls > 3000 && calls % 50 == 0 ? from_the_end(add, x) : chain(add, x);
  };
  const Answer answer = found(rarely, Number::f64, 30);
  EXPECT_EQ(answer.verdict, Verdict::not_fixed) << name_of(answer.verdict);
  EXPECT_THAT(answer.why, HasSubstr("one random input gives"));
}

TEST(Orders, an_order_that_depends_on_the_data_is_told) {
  const Kernel by_sign = [](const Add& add, Numbers x) { return x.front() < 0 ? pairs(add, x) : chain(add, x); };
  const Answer answer = found(by_sign, Number::f64, 64);
  EXPECT_EQ(answer.verdict, Verdict::depends_on_data) << name_of(answer.verdict);
}

TEST(Orders, sorted_sums_are_no_tree_of_additions) {
  const Kernel sorted = [](const Add& add, Numbers x) {
    std::vector<double> in_order(x.begin(), x.end());
    std::ranges::stable_sort(in_order, {}, [](double each) { return std::abs(each); });
    return chain(add, in_order);
  };
  for (const std::size_t n : {20U, 100U}) EXPECT_NE(found(sorted, Number::f64, n).verdict, Verdict::fixed);
}

TEST(Orders, exact_sums_are_no_tree_of_additions) {
  const Answer answer = found(exact_sum, Number::f64, 64);
  EXPECT_EQ(answer.verdict, Verdict::no_tree);
  EXPECT_THAT(answer.why, HasSubstr("beside M nothing is lost"));
}

TEST(Orders, compensated_sums_are_no_tree_of_additions) {
  const Answer answer = found(kahan_sum, Number::f64, 64);
  EXPECT_EQ(answer.verdict, Verdict::no_tree) << name_of(answer.verdict);
  ASSERT_TRUE(answer.prediction.example);
  EXPECT_NE(answer.prediction.example->got, answer.prediction.example->predicted);
  EXPECT_FALSE(answer.bound);
}

TEST(Orders, a_tree_that_predicts_most_inputs_is_not_enough) {
  // Another last bit in an eighth of all sums, but in none of ones.
  const Kernel bent = [](const Add& add, Numbers x) {
    const auto bits = std::bit_cast<std::uint64_t>(chain(add, x));
    return std::bit_cast<double>(bits % 8 == 5 ? bits + 1 : bits);
  };
  const Answer answer = found(bent, Number::f64, 30);
  EXPECT_EQ(answer.verdict, Verdict::no_tree) << name_of(answer.verdict);
  EXPECT_GT(answer.prediction.predicted, answer.prediction.checked / 2);
}

TEST(Orders, kernels_that_add_nothing_have_no_order) {
  const Kernel zero = [](const Add&, Numbers) { return 0.0; };
  const Kernel first = [](const Add&, Numbers x) { return x.front(); };
  const Kernel largest = [](const Add&, Numbers x) { return *std::ranges::max_element(x); };
  const Kernel skips_one = [](const Add& add, Numbers x) { return chain(add, x.first(x.size() - 1)); };
  for (const Kernel& each : {zero, first, largest, skips_one}) {
    EXPECT_EQ(found(each, Number::f64, 20).verdict, Verdict::no_tree);
  }
}

/// Adds products one after another. All but the last `rounded` of them are fused.
ReductionOf dot_that_rounds(std::size_t rounded) {
  return [rounded](std::size_t n) {
    Reduction reduction{Number::f32, Number::f32, n, true, nullptr, {}};
    reduction.compute = [rounded](std::span<const Terms> asked) {
      std::vector<std::uint64_t> answers;
      for (const Terms& each : asked) {
        float sum = 0;
        for (std::size_t i = 0; i < each.x.size(); ++i) {
          const auto x = static_cast<float>(prober::value_of(Number::f32, each.x[i]));
          const auto y = static_cast<float>(prober::value_of(Number::f32, each.y[i]));
          sum = i + rounded < each.x.size() ? std::fma(x, y, sum) : sum + x * y;
        }
        answers.push_back(prober::pattern_of(Number::f32, static_cast<double>(sum)));
      }
      return answers;
    };
    return reduction;
  };
}

TEST(Orders, fused_products_are_told_from_rounded_ones) {
  for (const bool fuses : {false, true}) {
    const Answer answer = probe(dot_that_rounds(fuses ? 0 : 50), 50, 1);
    ASSERT_EQ(answer.verdict, Verdict::fixed) << answer.why;
    EXPECT_EQ(answer.prediction.predicted, answer.prediction.checked);
    // The first product is added to 0.
    EXPECT_EQ(std::ranges::count(answer.prediction.arithmetic.fused, true), fuses ? 49 : 0);
    ASSERT_TRUE(answer.bound);
    EXPECT_EQ(answer.bound->theorem, "dot.tree.1");
    EXPECT_EQ(answer.bound->roundings, 50U);
  }
}

TEST(Orders, fused_products_of_long_reductions_are_asked_at_some_terms) {
  std::size_t largest = 0;
  for (const std::size_t rounded : {0U, 9U, 5001U}) {
    const Reduction reduction = dot_that_rounds(rounded)(5001);
    Reduction counted = reduction;
    std::size_t asked = 0;
    counted.compute = [&](std::span<const Terms> inputs) {
      asked += inputs.size();
      return reduction.compute(inputs);
    };
    const std::vector<bool> fused = fused_products(tree_of(family_named("chain"), 5001), counted, Number::f32);
    EXPECT_EQ(std::ranges::count(fused, true), rounded == 5001 ? 0 : 5000 - static_cast<std::ptrdiff_t>(rounded));
    EXPECT_FALSE(fused.front());
    EXPECT_EQ(fused[5000 - 9], rounded != 5001);
    EXPECT_EQ(fused.back(), rounded == 0);
    largest = std::max(largest, asked);
  }
  EXPECT_LT(largest, 30U);
}

TEST(Orders, the_bound_is_of_the_height_of_the_tree) {
  const Answer answer = found(pairs, Number::f32, 1000);
  ASSERT_TRUE(answer.bound);
  EXPECT_EQ(answer.bound->theorem, "sum.tree.2");
  EXPECT_EQ(answer.bound->roundings, 10U);
  EXPECT_NEAR(answer.bound->factor, 10 * 0x1p-24, 1e-11);
  EXPECT_NEAR(answer.bound->any_order, 999 * 0x1p-24, 1e-8);
}

TEST(Orders, a_wrong_tree_predicts_less) {
  const Reduction reduction = reduction_by(chain, Number::f64, Number::f64)(40);
  const Prediction prediction = predict(tree_of(family_named("reversed"), 40), reduction, 1);
  EXPECT_LT(prediction.predicted, prediction.checked / 2);
  ASSERT_TRUE(prediction.example);
}

TEST(Trees, are_compared_by_the_sets_that_they_add) {
  const Tree here = tree_of(family_named("chain"), 8);
  const Comparison none = compare(here, here);
  EXPECT_EQ(none.common, 7U);
  EXPECT_EQ(none.only_here + none.only_there, 0U);
  EXPECT_TRUE(none.example.empty());
  const Comparison some = compare(here, tree_of(family_named("pairs"), 8));
  EXPECT_EQ(some.common, 3U);  // 0 1, 0 … 3 and all
  ASSERT_EQ(some.example.size(), 1U);
  const Difference& example = some.example.front();
  EXPECT_EQ(example.here, Meeting(here)(example.first, example.second));
  EXPECT_NE(example.here, example.there);
}

TEST(Trees, are_read_by_their_parents) {
  const Tree tree = random_tree(30, 5);
  EXPECT_TRUE(same(tree, tree_of(30, tree.parents())));
  for (const std::vector<Tree::Vertex>& wrong :
       {std::vector<Tree::Vertex>{}, {2, 2}, {2, 0, 2}, {2, 2, 1}, {3, 3, 2, 3}, {3, 3, 4, 3}}) {
    EXPECT_THROW((void)tree_of(2, wrong), std::invalid_argument);
  }
}

TEST(Families, are_read_by_their_names) {
  for (const std::string name :
       {"chain", "chain(4)", "folded_2", "halves_up", "lanes(8,chain,pairs)", "split(128,8,lanes_tail(8,chain,pairs))",
        "rows(4,reversed,blocks(2,chain,halves(8)))", "panels(256,4,chain,chain)"}) {
    EXPECT_EQ(name_of(family_named(name)), name);
  }
  for (const std::string wrong : {"", "chains", "chain(", "chain()", "chain(0)", "pairs(2)", "lanes", "lanes(8)",
                                  "lanes(8,chain)", "lanes(8,chain,pairs,pairs)", "chain)", "split(8,chain)"}) {
    EXPECT_THROW((void)family_named(wrong), std::invalid_argument) << wrong;
  }
}

TEST(Families, are_told_in_words) {
  EXPECT_EQ(
      words_of(family_named("lanes(256,chain,folded)"), 1024),
      "256 lanes with stride 256, each a chain of 4 terms; then a pairwise tree over 256 lanes that adds the second "
      "half to the first");
  EXPECT_EQ(words_of(family_named("lanes(8,chain,pairs)"), 19),
            "8 lanes with stride 8, each a chain of 2 or 3 terms; then a pairwise tree of neighbors over 8 lanes");
  EXPECT_EQ(
      words_of(family_named("panels(256,4,chain,chain)"), 1000),
      "blocks of 256 terms in a row, the last two of half of the rest, rounded up to a multiple of 4, each a chain "
      "of 256 terms; then a chain of the blocks");
  EXPECT_EQ(words_of(family_named("chain(4)"), 64), "a chain of 64 terms, 4 an operation");
}

TEST(Pictures, open_the_largest_parts) {
  const std::string small = picture_of(tree_of(family_named("pairs"), 4), "a < b");
  EXPECT_THAT(small, HasSubstr("a &lt; b"));
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count(small, "<circle"), 3U);
  EXPECT_EQ(count(small, "<line"), 6U);
  const std::string large = picture_of(tree_of(family_named("chain"), 1000), "");
  EXPECT_EQ(count(large, "<circle"), 63U);
  EXPECT_THAT(large, HasSubstr(">937 terms<"));
  EXPECT_THAT(large, HasSubstr(">999<"));
}

}  // namespace
}  // namespace assay::orders
