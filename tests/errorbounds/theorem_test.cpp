#include "errorbounds/theorem.hpp"

#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

constexpr int twice(int p) { return 2 * p; }

constexpr Theorem<NoBound> structural = theorem({"toy.structure.1", "p ≥ 1.", "|l| ≤ ulp(h)", "derived"});
constexpr auto bounded = theorem({"toy.error_2.10", "p ≥ 1.", "|z − x| ≤ 2p", "Author, title, year"}, twice);

TEST(Theorem, HasWordsAndMayHaveABound) {
  EXPECT_EQ(std::string(structural.words.statement.text), "|l| ≤ ulp(h)");
  static_assert(bounded(3) == 6);
  static_assert(BoundedTheorem<decltype(bounded)> && AnyTheorem<decltype(bounded)>);
  static_assert(!BoundedTheorem<decltype(structural)> && AnyTheorem<decltype(structural)>);
  static_assert(!std::is_invocable_v<decltype(structural), int>);
}

TEST(Theorem, IdIsFamilyTopicNumber) {
  static_assert(TheoremId::is_theorem_id("dw.sqrt.1"));
  static_assert(TheoremId::is_theorem_id("sum.acc_sum_k.12"));
  for (const char* wrong : {"", "dw", "dw.sqrt", "dw.sqrt.", "dw..1", ".sqrt.1", "dw.sqrt.01", "dw.sqrt.x",
                            "dw.sqrt.1.2", "Dw.sqrt.1", "2w.sqrt.1", "dw.sq-rt.1"}) {
    EXPECT_FALSE(TheoremId::is_theorem_id(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace assay
