// Functions whose first two arguments may change places: they give the same at all numbers of a toy format. The
// generator of tests/mutants plants no swapped arguments there.

#include <gtest/gtest.h>

#include <concepts>
#include <iterator>
#include <vector>

#include "arith/float/error_free.hpp"
#include "arith/float/small_float.hpp"
#include "arith/words/native_pair.hpp"
#include "arith/words/quad_double.hpp"
#include "arith/words/triple_word.hpp"

namespace assay {
namespace {

using Toy = SmallFloat<4, -7, 6, Specials::ieee>;

/// All numbers of the format below ½, with both zeros and subnormal numbers: no sum of them overflows.
std::vector<Toy> all_numbers() {
  std::vector<Toy> all;
  for (unsigned bits = 0; bits < 1u << Toy::width; ++bits) {
    const Toy x = Toy::of_bits(static_cast<Toy::Bits>(bits));
    if (abs(x) < Toy(0.5)) all.push_back(x);
  }
  return all;
}

// The same bits, except for the sign of a zero error: no contract states it.
bool same_results(Toy a, Toy b) { return a.bits() == b.bits(); }
bool same_errors(Toy a, Toy b) { return a == b; }
bool same(Sum<Toy> a, Sum<Toy> b) { return same_results(a.s, b.s) && same_errors(a.e, b.e); }
bool same(DoubleWord<Toy> a, DoubleWord<Toy> b) { return same_results(a.h, b.h) && same_errors(a.l, b.l); }
bool same(qd::detail::ThreeSum<Toy> a, qd::detail::ThreeSum<Toy> b) {
  return same_results(a.first, b.first) && same_errors(a.second, b.second) && same_errors(a.third, b.third);
}

/// How many pairs of two numbers, of all, give another result in the other order.
template <std::invocable<Toy, Toy> F>
int differing_pairs(F f) {
  int differing = 0;
  const std::vector<Toy> numbers = all_numbers();
  for (auto a = numbers.begin(); a != numbers.end(); ++a) {
    for (auto b = std::next(a); b != numbers.end(); ++b) differing += same(f(*a, *b), f(*b, *a)) ? 0 : 1;
  }
  return differing;
}

/// The same for three numbers, where the first two change places.
template <std::invocable<Toy, Toy, Toy> F>
int differing_triples(F f) {
  int differing = 0;
  for (const Toy c : all_numbers()) {
    differing += differing_pairs([&](Toy a, Toy b) { return f(a, b, c); });
  }
  return differing;
}

TEST(ArgumentOrder, ChangesNoThreeSum) {
  EXPECT_EQ(differing_triples([](Toy a, Toy b, Toy c) { return qd::detail::three_sum(a, b, c); }), 0);
  EXPECT_EQ(differing_triples([](Toy a, Toy b, Toy c) { return qd::detail::three_sum2(a, b, c); }), 0);
}

TEST(ArgumentOrder, ChangesTheThreeSumWhereTheThirdNumberTakesPart) {
  EXPECT_GT(differing_triples([](Toy a, Toy b, Toy c) { return qd::detail::three_sum2(a, c, b); }), 0);
}

TEST(ArgumentOrder, ChangesNoSumOfTwoWordSums) {
  EXPECT_EQ(
      differing_triples([](Toy a, Toy b, Toy e) { return qd::detail::two_word_sum(two_sum(a, e), two_sum(b, e)); }), 0);
}

TEST(ArgumentOrder, ChangesNoProductOfHalves) {
  EXPECT_EQ(differing_pairs(
                [](Toy a, Toy b) { return pair::detail::product_of_halves(veltkamp_split(a), veltkamp_split(b)); }),
            0);
  EXPECT_EQ(differing_pairs([](Toy a, Toy b) { return pair::detail::product_of_halves(mask_split(a), mask_split(b)); }),
            0);
}

TEST(ArgumentOrder, ChangesNoSortedSum) {
  EXPECT_EQ(differing_pairs([](Toy a, Toy b) { return triple::detail::sorted_fast_two_sum(a, b); }), 0);
  EXPECT_GT(differing_pairs([](Toy a, Toy b) { return fast_two_sum(a, b); }), 0);
}

}  // namespace
}  // namespace assay
