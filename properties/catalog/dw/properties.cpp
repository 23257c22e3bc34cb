#include "properties/catalog/dw/properties.hpp"

#include "kernels/dw/double_word.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::dw {

namespace {

using oracle::Dyadic;
using oracle::Exact;

/// The domain without division by zero.
template <class Case>
Domain<Case> divisor_not_zero(Domain<Case> domain) {
  domain.contains = [inside = domain.contains](const Case& c) {
    if constexpr (requires { c.y.h; }) {
      return inside(c) && bits_of(abs(c.y.h)) != 0;
    } else {
      return inside(c) && bits_of(abs(c.y)) != 0;
    }
  };
  domain.accepts += ", y ≠ 0";
  return domain;
}

template <class T>
auto add_fp() {
  const Box box = add_word_box(format_of<T>());
  return double_word_operation<DwAddFp<T>, Dyadic>(
      "dw.add_fp", double_words_and_numbers<T>(box), sum_of<DwFp<T>>,
      {within("error", "|z − (x + y)| ≤ 2u²|x + y|", "Joldes, Muller, Popescu 2017, Theorem 2.2",
              add_word_bound(precision<T>))});
}

template <class T>
auto accurate_add() {
  const Box box = add_box(format_of<T>());
  return double_word_operation<DwAccurateAdd<T>, Dyadic>(
      "dw.accurate_add", double_word_pairs<T>(box), sum_of<DwDw<T>>,
      {within("error", "|z − (x + y)| ≤ 3u²/(1 − 4u)·|x + y|",
              "Joldes, Muller, Popescu 2017, on Algorithm 6; Muller, Rideau 2022, DWPlusDW_relerr_bound",
              accurate_add_bound(precision<T>))});
}

template <class T>
auto sloppy_add() {
  const Box box = add_box(format_of<T>());
  const RelativeBound same_sign = sloppy_add_same_sign_bound(precision<T>);
  return double_word_operation<DwSloppyAdd<T>, Dyadic>(
      "dw.sloppy_add", double_word_pairs<T>(box), sum_of<DwDw<T>>,
      {expected_refuted(within("error", "|z − (x + y)| ≤ 3u²|x + y| (false: the relative error can be 1)",
                               "Joldes, Muller, Popescu 2017, §3, on Algorithm 5", same_sign)),
       when(
           "xh and yh have the same sign", [](const DwDw<T>& c) { return signbit(c.x.h) == signbit(c.y.h); },
           within("error_same_sign", "|z − (x + y)| ≤ 3u²|x + y|", "docs/bounds/dw.md", same_sign)),
       within("error_absolute", "|z − (x + y)| ≤ 3u²(|x| + |y|)", "docs/bounds/dw.md",
              [](const DwDw<T>& c) { return sloppy_add_absolute_bound(precision<T>, magnitudes_of(c)); })});
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto mul_fp(const std::string& name, const char* statement, Source source, const RelativeBound& bound) {
  const Box box = product_box(format_of<T>());
  return double_word_operation<Op, Dyadic>(name, double_words_and_numbers<T>(box), product_of<DwFp<T>>,
                                           {within("error", statement, source, bound)});
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto mul(const std::string& name, const char* statement, Source source, const RelativeBound& bound) {
  const Box box = product_box(format_of<T>());
  return double_word_operation<Op, Dyadic>(name, double_word_pairs<T>(box), product_of<DwDw<T>>,
                                           {within("error", statement, source, bound)});
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto div_fp(const std::string& name, const char* statement, Source source, const RelativeBound& bound) {
  const Box box = quotient_box(format_of<T>());
  return double_word_operation<Op, Exact>(name, divisor_not_zero(double_words_and_numbers<T>(box)),
                                          quotient_of<DwFp<T>>, {within("error", statement, source, bound)});
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto div(const std::string& name, const char* statement, Source source, const RelativeBound& bound,
         Box box = quotient_box(format_of<T>())) {
  return double_word_operation<Op, Exact>(name, divisor_not_zero(double_word_pairs<T>(box)), quotient_of<DwDw<T>>,
                                          {within("error", statement, source, bound)});
}

/// The property with one more claim: the bits of another algorithm for the same operation.
template <class Other, class P>
P same_results(P property, const char* id, const char* statement) {
  using Case = typename Other::Input;
  property.claims.push_back(
      satisfies(id, statement, "Joldes, Muller, Popescu 2017, on Algorithms 14 and 17",
                [](const Case& c, const typename Other::Output& z) { return same_bits(z, Other{}(c)); }));
  return property;
}

template <class T>
auto sqrt() {
  const Box box = sqrt_box(format_of<T>());
  return double_word_operation<DwSqrt<T>, Exact>(
      "dw.sqrt",
      {.classes = double_word_classes<T>(box, true),
       .contains =
           [box](const Dw<T>& c) {
             return is_double_word(c.x) && (bits_of(c.x.h) == 0 || (!signbit(c.x.h) && in_box(c.x.h, box)));
           },
       .features = {},
       .accepts = "double words with 0 or a positive leading word in " + interval_text(box)},
      root_of<Dw<T>>,
      {within("error", "|z − √x| ≤ (25/8)u²·√x",
              "Lefèvre, Louvet, Muller, Picot, Rideau 2023, Algorithm 8; docs/bounds/dw.md",
              sqrt_bound(precision<T>))});
}

template <class T>
struct Family {
  static constexpr int p = precision<T>;
  Registration all[16] = {
      Registration(add_fp<T>()),
      Registration(accurate_add<T>()),
      Registration(sloppy_add<T>()),
      Registration(mul_fp<DwMulFp1<T>>(
          "dw.mul_fp1", "|z − xy| ≤ ((3/2)u² + 4u³)|xy|",
          "Joldes, Muller, Popescu 2017, on Algorithm 7; Muller, Rideau 2022, DWTimesFP_correct", mul_word1_bound(p))),
      Registration(mul_fp<DwMulFp2<T>>(
          "dw.mul_fp2", "|z − xy| ≤ 3u²|xy|",
          "Joldes, Muller, Popescu 2017, on Algorithm 8; Muller, Rideau 2022, DWTimesFP8_correct", mul_word2_bound(p))),
      Registration(mul_fp<DwMulFp3<T>>(
          "dw.mul_fp3", "|z − xy| ≤ 2u²|xy|",
          "Joldes, Muller, Popescu 2017, on Algorithm 9; Muller, Rideau 2022, DWTimesFP9_correct", mul_word3_bound(p))),
      Registration(
          mul<DwMul1<T>>("dw.mul1", "|z − xy| ≤ 5u²/(1 + u)²·|xy|", "Muller, Rideau 2022, Theorem 2.6", mul1_bound(p))),
      Registration(
          mul<DwMul2<T>>("dw.mul2", "|z − xy| ≤ 5u²|xy|", "Muller, Rideau 2022, DWTimesDW11_correct", mul2_bound(p))),
      Registration(
          mul<DwMul3<T>>("dw.mul3", "|z − xy| ≤ 4u²|xy|", "Muller, Rideau 2022, DWTimesDW12_correct", mul3_bound(p))),
      Registration(same_results<DwDivFp2<T>>(
          div_fp<DwDivFp1<T>>("dw.div_fp1", "|z − x/y| ≤ (7/2)u²|x/y|",
                              "Joldes, Muller, Popescu 2017, on Algorithm 14; Muller, Rideau 2022, DWDFP_correct",
                              div_word2_bound(p)),
          "same_as_div_fp2", "the same results as Algorithm 14")),
      Registration(div_fp<DwDivFp2<T>>(
          "dw.div_fp2", "|z − x/y| ≤ (7/2)u²|x/y|",
          "Joldes, Muller, Popescu 2017, on Algorithm 14; Muller, Rideau 2022, DWDFP_correct", div_word2_bound(p))),
      Registration(div_fp<DwDivFp3<T>>(
          "dw.div_fp3", "|z − x/y| ≤ 3u²|x/y|",
          "Joldes, Muller, Popescu 2017, on Algorithm 15; Muller, Rideau 2022, DWDFP3_correct", div_word3_bound(p))),
      Registration(same_results<DwDiv2<T>>(
          div<DwDiv1<T>>("dw.div1", "|z − x/y| ≤ (15u² + 56u³)|x/y|",
                         "Joldes, Muller, Popescu 2017, on Algorithm 17; Muller, Rideau 2022, DWDDW_correct",
                         div2_bound(p)),
          "same_as_div2", "the same results as Algorithm 17")),
      Registration(div<DwDiv2<T>>("dw.div2", "|z − x/y| ≤ (15u² + 56u³)|x/y|",
                                  "Joldes, Muller, Popescu 2017, on Algorithm 17; Muller, Rideau 2022, DWDDW_correct",
                                  div2_bound(p))),
      Registration(div<DwDiv3<T>>("dw.div3", "|z − x/y| ≤ (49/5)u²|x/y|",
                                  "Joldes, Muller, Popescu 2017, on Algorithm 18; Muller, Rideau 2022, DWDDW3_correct",
                                  div3_bound(p), reciprocal_quotient_box(format_of<T>()))),
      Registration(sqrt<T>()),
  };
};

const Family<double> binary64_family;
const Family<float> binary32_family;

}  // namespace

}  // namespace assay::dw
