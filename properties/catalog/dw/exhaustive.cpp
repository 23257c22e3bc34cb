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
  return operation<DwAccurateAdd<T>>("dw.accurate_add", all_of(every_double_word_pair<T>(low_words, gaps<T>, false)),
                                     sum_of<DwDw<T>>, within("error", dw_accurate_add_1, precision<T>));
}

template <class T>
Registration sloppy_add(int low_words) {
  return operation<DwSloppyAdd<T>>("dw.sloppy_add", all_of(every_double_word_pair<T>(low_words, gaps<T>, false)),
                                   sum_of<DwDw<T>>,
                                   expected_refuted(within("error", dw_sloppy_add_3, dw_accurate_add_1(precision<T>))));
}

template <class T>
Registration add_fp() {
  return operation<DwAddFp<T>>("dw.add_fp", all_of(every_double_word_and_number<T>(depth<T>, gaps<T>, false)),
                               sum_of<DwFp<T>>, within("error", dw_add_fp_1, precision<T>));
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
Registration mul_fp(const std::string& name, const BoundedTheorem auto& theorem) {
  return operation<Op>(name, all_of(every_double_word_and_number<T>(depth<T>, 0, true)), product_of<DwFp<T>>,
                       within("error", theorem, precision<T>));
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
Registration div_fp(const std::string& name, const BoundedTheorem auto& theorem) {
  return operation<Op>(name, all_of(every_double_word_and_number<T>(depth<T>, 0, true)), quotient_of<DwFp<T>>,
                       within("error", theorem, precision<T>));
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
Registration mul(const std::string& name, const BoundedTheorem auto& theorem) {
  return operation<Op>(name, all_of(every_double_word_pair<T>(depth<T>, 0, true)), product_of<DwDw<T>>,
                       within("error", theorem, precision<T>));
}

template <class T>
Registration mul_fp1() {
  return mul_fp<DwMulFp1<T>>("dw.mul_fp1", dw_mul_fp1_1);
}
template <class T>
Registration mul_fp2() {
  return mul_fp<DwMulFp2<T>>("dw.mul_fp2", dw_mul_fp2_1);
}
template <class T>
Registration mul_fp3() {
  return mul_fp<DwMulFp3<T>>("dw.mul_fp3", dw_mul_fp3_1);
}
template <class T>
Registration div_fp2() {
  return div_fp<DwDivFp2<T>>("dw.div_fp2", dw_div_fp2_1);
}
template <class T>
Registration div_fp3() {
  return div_fp<DwDivFp3<T>>("dw.div_fp3", dw_div_fp3_1);
}

template <class T>
Registration sqrt() {
  return operation<DwSqrt<T>>("dw.sqrt", all_of(every_radicand<T>(depth<T>)), root_of<Dw<T>>,
                              within("error", dw_sqrt_1, precision<T>));
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
    mul<DwMul2<Toy<5>>>("dw.mul2", dw_mul2_1),
    mul<DwMul3<Toy<5>>>("dw.mul3", dw_mul3_1),
    sqrt<Toy<5>>(),
};

}  // namespace

}  // namespace assay::dw
