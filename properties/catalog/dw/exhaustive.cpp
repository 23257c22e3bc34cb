// Double-word arithmetic over all inputs of toy precisions, up to exact symmetries. A theorem with a condition p ≥ k
// has no property below k.

#include "arith/float/small_float.hpp"
#include "kernels/dw/double_word.hpp"
#include "properties/catalog/dw/properties.hpp"
#include "properties/framework/enumeration.hpp"

namespace assay::dw {

namespace {

using oracle::Dyadic;
using oracle::Exact;

/// How far below the high word's last place low words go, and how far apart operands: 2p + 3, where that fits the tier.
template <class T>
constexpr int depth = 2 * precision<T> + 3;
template <class T>
constexpr int gaps = 2 * precision<T> + 3;

constexpr const char* reduced = "double words up to exact symmetries: docs/bounds/small_formats.md";

template <class T>
bool is_case(const DwDw<T>& c) {
  return is_double_word(c.x) && is_double_word(c.y) && in_box(c.x, product_box(format_of<T>())) &&
         in_box(c.y, product_box(format_of<T>()));
}
template <class T>
bool is_case(const DwFp<T>& c) {
  return is_double_word(c.x) && in_box(c.x, product_box(format_of<T>())) && in_box(c.y, product_box(format_of<T>()));
}
template <class T>
bool is_case(const Dw<T>& c) {
  return is_double_word(c.x) && !signbit(c.x.h) && in_box(c.x, product_box(format_of<T>()));
}

template <class Case>
Domain<Case> all_of(Enumeration<Case> enumeration) {
  return exhaustive<Case>(
      std::move(enumeration), [](const Case& c) { return is_case(c); }, reduced);
}

template <class Op, class Truth, class ErrorClaim>
Registration operation(const std::string& name, Domain<typename Op::Input> domain,
                       Truth (*reference)(const typename Op::Input&), ErrorClaim error) {
  return Registration(double_word_operation<Op, Truth>(name, std::move(domain), reference, {error}));
}

template <class T>
Registration accurate_add(int low_words) {
  return operation<DwAccurateAdd<T>>(
      "dw.accurate_add", all_of(every_double_word_pair<T>(low_words, gaps<T>, false)), sum_of<DwDw<T>>,
      within("error", "|z − (x + y)| ≤ 3u²/(1 − 4u)·|x + y|",
             "Joldes, Muller, Popescu 2017, on Algorithm 6; Muller, Rideau 2022, DWPlusDW_relerr_bound",
             accurate_add_bound(precision<T>)));
}

template <class T>
Registration sloppy_add(int low_words) {
  return operation<DwSloppyAdd<T>>(
      "dw.sloppy_add", all_of(every_double_word_pair<T>(low_words, gaps<T>, false)), sum_of<DwDw<T>>,
      expected_refuted(within("error", "|z − (x + y)| ≤ 3u²/(1 − 4u)·|x + y| (false: the relative error can be 1)",
                              "Joldes, Muller, Popescu 2017, §3, on Algorithm 5", accurate_add_bound(precision<T>))));
}

template <class T>
Registration add_fp() {
  return operation<DwAddFp<T>>("dw.add_fp", all_of(every_double_word_and_number<T>(depth<T>, gaps<T>, false)),
                               sum_of<DwFp<T>>,
                               within("error", "|z − (x + y)| ≤ 2u²|x + y|",
                                      "Joldes, Muller, Popescu 2017, Theorem 2.2", add_word_bound(precision<T>)));
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
Registration mul_fp(const std::string& name, const char* statement, Source source, const RelativeBound& bound) {
  return operation<Op>(name, all_of(every_double_word_and_number<T>(depth<T>, 0, true)), product_of<DwFp<T>>,
                       within("error", statement, source, bound));
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
Registration div_fp(const std::string& name, const char* statement, Source source, const RelativeBound& bound) {
  return operation<Op>(name, all_of(every_double_word_and_number<T>(depth<T>, 0, true)), quotient_of<DwFp<T>>,
                       within("error", statement, source, bound));
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
Registration mul(const std::string& name, const char* statement, Source source, const RelativeBound& bound) {
  return operation<Op>(name, all_of(every_double_word_pair<T>(depth<T>, 0, true)), product_of<DwDw<T>>,
                       within("error", statement, source, bound));
}

template <class T>
Registration mul_fp1() {
  return mul_fp<DwMulFp1<T>>("dw.mul_fp1", "|z − xy| ≤ ((3/2)u² + 4u³)|xy|",
                             "Joldes, Muller, Popescu 2017, on Algorithm 7; Muller, Rideau 2022, DWTimesFP_correct",
                             mul_word1_bound(precision<T>));
}
template <class T>
Registration mul_fp2() {
  return mul_fp<DwMulFp2<T>>("dw.mul_fp2", "|z − xy| ≤ 3u²|xy|",
                             "Joldes, Muller, Popescu 2017, on Algorithm 8; Muller, Rideau 2022, DWTimesFP8_correct",
                             mul_word2_bound(precision<T>));
}
template <class T>
Registration mul_fp3() {
  return mul_fp<DwMulFp3<T>>("dw.mul_fp3", "|z − xy| ≤ 2u²|xy|",
                             "Joldes, Muller, Popescu 2017, on Algorithm 9; Muller, Rideau 2022, DWTimesFP9_correct",
                             mul_word3_bound(precision<T>));
}
template <class T>
Registration div_fp2() {
  return div_fp<DwDivFp2<T>>("dw.div_fp2", "|z − x/y| ≤ (7/2)u²|x/y|",
                             "Joldes, Muller, Popescu 2017, on Algorithm 14; Muller, Rideau 2022, DWDFP_correct",
                             div_word2_bound(precision<T>));
}
template <class T>
Registration div_fp3() {
  return div_fp<DwDivFp3<T>>("dw.div_fp3", "|z − x/y| ≤ 3u²|x/y|",
                             "Joldes, Muller, Popescu 2017, on Algorithm 15; Muller, Rideau 2022, DWDFP3_correct",
                             div_word3_bound(precision<T>));
}

template <class T>
Registration sqrt() {
  return operation<DwSqrt<T>>(
      "dw.sqrt", all_of(every_radicand<T>(depth<T>)), root_of<Dw<T>>,
      within("error", "|z − √x| ≤ (25/8)u²·√x",
             "Lefèvre, Louvet, Muller, Picot, Rideau 2023, Algorithm 8; docs/bounds/dw.md", sqrt_bound(precision<T>)));
}

const Registration of_p3[] = {
    accurate_add<Toy<3>>(5),  // the deepest low words within the quick tier's 2²⁰ cases
    sloppy_add<Toy<3>>(5),   add_fp<Toy<3>>(), mul_fp2<Toy<3>>(), mul_fp3<Toy<3>>(),
};
const Registration of_p4[] = {
    accurate_add<Toy<4>>(depth<Toy<4>>),
    sloppy_add<Toy<4>>(depth<Toy<4>>),
    add_fp<Toy<4>>(),
    mul_fp1<Toy<4>>(),
    mul_fp2<Toy<4>>(),
    mul_fp3<Toy<4>>(),
    div_fp2<Toy<4>>(),
    div_fp3<Toy<4>>(),
};
const Registration of_p5[] = {
    accurate_add<Toy<5>>(depth<Toy<5>>),
    add_fp<Toy<5>>(),
    mul_fp1<Toy<5>>(),
    mul_fp2<Toy<5>>(),
    mul_fp3<Toy<5>>(),
    div_fp2<Toy<5>>(),
    div_fp3<Toy<5>>(),
    mul<DwMul2<Toy<5>>>("dw.mul2", "|z − xy| ≤ 5u²|xy|", "Muller, Rideau 2022, DWTimesDW11_correct", mul2_bound(5)),
    mul<DwMul3<Toy<5>>>("dw.mul3", "|z − xy| ≤ 4u²|xy|", "Muller, Rideau 2022, DWTimesDW12_correct", mul3_bound(5)),
    sqrt<Toy<5>>(),
};

}  // namespace

}  // namespace assay::dw
