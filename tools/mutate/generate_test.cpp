// The generator: which mistakes it finds in a text, and its output.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/mutate/code.hpp"
#include "tools/mutate/mutants.hpp"

namespace mutate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> texts(const std::string& source) {
  std::vector<std::string> all;
  for (const Token& each : tokens_of(source)) all.emplace_back(each.text);
  return all;
}

/// "operation: was -> becomes" of every mistake.
std::vector<std::string> mistakes(const std::string& source) {
  std::vector<std::string> all;
  for (const Mistake& each : mistakes_of(tokens_of(source))) {
    all.push_back(each.operation + ": " + each.was + " -> " + each.becomes);
  }
  return all;
}

/// The mistakes inside the body of a function.
std::vector<std::string> in_body(const std::string& body) { return mistakes("void f() { " + body + " }"); }

/// The source with all of its mistakes, numbered from 1.
Mutated all_of(const std::string& source) {
  std::vector<Numbered> numbered;
  const std::vector<Token> tokens = tokens_of(source);
  for (Mistake& each : mistakes_of(tokens))
    numbered.push_back({static_cast<int>(numbered.size()) + 1, std::move(each)});
  return mutated(source, tokens, numbered);
}

TEST(Tokens, OfNumbersLiteralsAndLongMarks) {
  EXPECT_THAT(texts("x <<= 0x1p-3 + 1'000u; // c\n\"a;b\" -> 'x' /* d */ 1.5e-3"),
              ElementsAre("x", "<<=", "0x1p-3", "+", "1'000u", ";", "\"a;b\"", "->", "'x'", "1.5e-3"));
}

TEST(Tokens, AnglesOfTemplatesAreBracketsAndComparisonsAreNot) {
  const std::string source = "f<g<int>>(a < b, c > d);";
  const std::vector<Token> tokens = tokens_of(source);
  std::size_t angles = 0;
  for (const Token& each : tokens) angles += each.angle ? 1 : 0;
  EXPECT_EQ(angles, 4u);
}

TEST(Tokens, WhatOnlyADeviceCompilesHasNone) {
  EXPECT_THAT(texts("a\n#if defined(__CUDA_ARCH__)\nb\n#if 1\nc\n#endif\n#else\nd\n#endif\ne"),
              ElementsAre("a", "d", "e"));
}

TEST(Tokens, ABracketThatIsNotClosedIsAnError) { EXPECT_THROW(tokens_of("f(a;"), std::runtime_error); }

TEST(Mistakes, OfASumAreItsTermsAndItsSign) {
  EXPECT_THAT(in_body("return a + b;"),
              ElementsAre("- for +: a + b -> a - b", "term dropped: a + b -> a", "term dropped: a + b -> b"));
}

TEST(Mistakes, TakeOperandsByPrecedence) {
  EXPECT_THAT(in_body("return a + b * c - d;"), Contains("operands swapped: a + b * c - d -> d - (a + b * c)"));
  EXPECT_THAT(in_body("return a + b * c - d;"), Contains("+ for *: b * c -> b + c"));
  EXPECT_THAT(in_body("return a + b * c - d;"), Contains("term dropped: a + b * c -> (b * c)"));
}

TEST(Mistakes, OfAComparison) {
  EXPECT_THAT(in_body("if (i < n) g(i);"), Contains("<= for <: i < n -> i <= n"));
  EXPECT_THAT(in_body("if (i < n) g(i);"), Contains("condition negated: i < n -> !(i < n)"));
}

TEST(Mistakes, OfAnIndexAConstantAndASign) {
  EXPECT_THAT(in_body("return x[i];"), ElementsAre("index + 1: i -> i + 1", "index - 1: i -> i - 1"));
  EXPECT_THAT(in_body("return 7u;"), ElementsAre("constant + 1: 7u -> 8u", "constant - 1: 7u -> 6u"));
  EXPECT_THAT(in_body("return 0.5;"), Contains("constant doubled: 0.5 -> 2 * 0.5"));
  EXPECT_THAT(in_body("return -x;"), ElementsAre("sign dropped: -x -> x"));
}

TEST(Mistakes, OfDirections) {
  EXPECT_THAT(in_body("return to == Rounding::ru;"), Contains("direction rd for ru: Rounding::ru -> Rounding::rd"));
  EXPECT_THAT(in_body("return add<Rounding::rd>(a, b);"),
              Contains("direction rn for rd: add<Rounding::rd>(a, b) -> add<Rounding::rn>(a, b)"));
  EXPECT_THAT(in_body("return B::add_ru(a, b);"), Contains("add_rd for add_ru: B::add_ru(a, b) -> B::add_rd(a, b)"));
}

TEST(Mistakes, OfStatements) {
  EXPECT_THAT(in_body("x = y;"), ElementsAre("statement dropped: x = y; -> "));
  EXPECT_THAT(in_body("x += y;"), Contains("-= for +=: x += y; -> x -= y;"));
  EXPECT_THAT(in_body("const T x = y; T& z = y; auto w = y;"), IsEmpty());
}

TEST(Mistakes, LeaveWaitingForADeviceAlone) {
  EXPECT_THAT(in_body("wait(on);"), IsEmpty());
  EXPECT_THAT(in_body("launch(on);"), ElementsAre("statement dropped: launch(on); -> "));
}

TEST(Mistakes, OfPhases) {
  const std::vector<std::string> found = in_body(
      "block.for_each_thread([&](int t, Shared& s) { s.x[t] = t; });\n"
      "block.for_each_thread([&](int t, Shared& s) { s.y[t] = t; });");
  EXPECT_THAT(found, Contains(::testing::StartsWith("phase dropped: block.for_each_thread(")));
  EXPECT_THAT(found, Contains(::testing::StartsWith("barrier removed: block.for_each_thread(")));
}

TEST(Mistakes, RemoveTheBarrierBesideAPhaseOfOneThread) {
  const auto found = in_body(
      "block.for_each_thread([&](int t, Shared& s) { f(t, s); });\n"
      "block.for_one_thread([&](Shared& s) { g(s); });\n"
      "block.for_one_thread([&](Shared& s) { h(s); });");
  EXPECT_THAT(found, Contains(::testing::StartsWith("phase dropped: block.for_one_thread(")));
  EXPECT_THAT(found, Contains(::testing::AllOf(
                         ::testing::StartsWith("barrier removed: block.for_each_thread("),
                         ::testing::EndsWith("-> block.for_each_thread([&](int assay_thread, auto& assay_shared) { "
                                             "([&](int t, Shared& s) { f(t, s); })(assay_thread, assay_shared); "
                                             "if (assay_thread == 0) ([&](Shared& s) { g(s); })(assay_shared); });"))));
  EXPECT_THAT(found, Not(Contains(::testing::StartsWith("barrier removed: block.for_one_thread("))));
}

TEST(Mistakes, AreOnlyWhereCodeRuns) {
  EXPECT_THAT(mistakes("template <int n = 3 + 4> struct S { int x[n + 1]; enum { a = 1 + 2 }; };"), IsEmpty());
  EXPECT_THAT(in_body("static_assert(1 < 2); constexpr int k = 2 + 3; if constexpr (k < 4) {}"), IsEmpty());
  EXPECT_THAT(in_body("switch (x) { case 1: break; }"), ElementsAre("statement dropped: break; -> "));
  EXPECT_THAT(in_body("int x[4]; ASSAY_UNROLL(8) g<2 + 1>();"), Not(Contains(::testing::StartsWith("constant"))));
  EXPECT_THAT(mistakes("int a = 1 + 2;"), IsEmpty());
}

TEST(Mistakes, LeaveChecksOfArgumentsAlone) {
  EXPECT_THAT(in_body("require_same(a + b, c); if (x < y) throw E(x - y); if (x < y) { throw E(); }"), IsEmpty());
  EXPECT_THAT(in_body("detail::require_vector(x, 1);"), IsEmpty());
  EXPECT_THAT(mistakes("void require_same(int a, int b) { if (a - b < 0) throw E(); }"), IsEmpty());
}

TEST(Mistakes, SwapNoArgumentsOfWhatTakesAnyOrder) {
  EXPECT_THAT(in_body("return two_sum(a, b);"), Not(Contains(::testing::StartsWith("arguments swapped"))));
  EXPECT_THAT(in_body("return wide_product(a, b);"), Not(Contains(::testing::StartsWith("arguments swapped"))));
  EXPECT_THAT(in_body("return three_sum2(a, b, c);"), Not(Contains(::testing::StartsWith("arguments swapped"))));
  EXPECT_THAT(in_body("return fast_two_sum(a, b);"), Contains(::testing::StartsWith("arguments swapped")));
}

TEST(Mistakes, OfAConstructorsInitializers) {
  EXPECT_THAT(mistakes("struct S { S(int a) : b(a + 1), c{a} {} int b, c; };"), Contains("- for +: a + 1 -> a - 1"));
}

TEST(MutatedText, HasTheOriginalBehindEverySwitch) {
  EXPECT_EQ(all_of("bool f() { return a == b; }").text, "bool f() { return (::mutation::on(1) ? (a != b) : a == b); }");
}

TEST(MutatedText, NestsMistakesAndKeepsLines) {
  const Mutated text = all_of("int f() {\n  return -(a ^\n         b);\n}\nint g() { return c; }\n");
  EXPECT_EQ(text.text,
            "int f() {\n  return (::mutation::on(1) ? ((a ^ b)) : -((::mutation::on(2) ? (a | b) : "
            "::mutation::on(3) ? (a) : a ^\n         b)));\n}\nint g() { return c; }\n");
}

TEST(MutatedText, KeepsAnElse) {
  EXPECT_EQ(all_of("void f() { if (c) x = y; else z = y; }").text,
            "void f() { if ((::mutation::on(1) ? (!(c)) : c)) "
            "{ if (::mutation::on(2)) {  } else { x = y; } } else "
            "{ if (::mutation::on(3)) {  } else { z = y; } } }");
}

TEST(MutatedText, TellsWhichMutantAMessageIsAbout) {
  const Mutated text = all_of("int f() {\n  return a ^ b;\n}\n");
  const std::size_t first = text.text.find("(a | b)");
  EXPECT_THAT(mutants_at(text, place_of(text.text, first + 1)), ElementsAre(1));
  EXPECT_THAT(mutants_at(text, {2, 1}), ElementsAre(1, 2)) << "nothing but the line is known";
  EXPECT_THAT(mutants_at(text, {1, 1}), IsEmpty());
}

TEST(List, IsReadAsItWasWritten) {
  const std::vector<Mutant> all{{7, "dw", "kernels/dw/a.cpp", {3, 4}, "< for <=", "a <= b", "a < b"}};
  const std::vector<Mutant> read = mutants_of(mutants_document(all));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].number, 7);
  EXPECT_EQ(read[0].place, (Place{3, 4}));
  EXPECT_EQ(read[0].becomes, "a < b");
}

TEST(List, NamesFamiliesByFolder) {
  EXPECT_EQ(family_of("kernels/dw/detail/a.hpp"), "dw");
  EXPECT_EQ(family_of("arith/float/a.hpp"), "arith/float");
  EXPECT_EQ(family_of("kernels/function.hpp"), "kernels");
}

}  // namespace
}  // namespace mutate
