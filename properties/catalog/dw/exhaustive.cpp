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

template <class Op, class Truth, class... ErrorClaims>
Registration operation(const std::string& name, Domain<typename Op::Input> domain,
                       Truth (*reference)(const typename Op::Input&), ErrorClaims... errors) {
  return Registration(double_word_operation<Op, Truth>(name, std::move(domain), reference, {errors...}));
}

template <class T>
Registration accurate_add(int low_words) {
  return operation<DwAccurateAdd<T>>("dw.accurate_add", all_of(every_double_word_pair<T>(low_words, gaps<T>, false)),
                                     sum_of<DwDw<T>>, within("error", dw_accurate_add_1, precision<T>));
}

template <class T>
Registration sloppy_add(int low_words) {
  return Registration(double_word_operation<DwSloppyAdd<T>, Dyadic>(
      "dw.sloppy_add", all_of(every_double_word_pair<T>(low_words, gaps<T>, false)), sum_of<DwDw<T>>,
      {expected_refuted(within("error", dw_sloppy_add_3, dw_accurate_add_1(precision<T>)), "error_absolute"),
       within("error_absolute", dw_sloppy_add_1,
              [](const auto& bound, const DwDw<T>& c) { return bound(precision<T>, magnitudes_of(c)); })}));
}

template <class T>
Registration add_fp() {
  return operation<DwAddFp<T>>("dw.add_fp", all_of(every_double_word_and_number<T>(depth<T>, gaps<T>, false)),
                               sum_of<DwFp<T>>, within("error", dw_add_fp_1, precision<T>));
}

/// Op on a double word and a number: a product or a quotient.
template <class Op, class T = typename ResultTraits<typename Op::Output>::Number, class Truth, class... MoreClaims>
Registration with_number(const std::string& name, Truth (*reference)(const DwFp<T>&),
                         const BoundedTheorem auto& theorem, MoreClaims... more) {
  return operation<Op>(name, all_of(every_double_word_and_number<T>(depth<T>, 0, true)), reference,
                       within("error", theorem, precision<T>), more...);
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
Registration mul(const std::string& name, const BoundedTheorem auto& theorem) {
  return operation<Op>(name, all_of(every_double_word_pair<T>(depth<T>, 0, true)), product_of<DwDw<T>>,
                       within("error", theorem, precision<T>));
}

template <class T>
Registration div2() {
  return operation<DwDiv2<T>>("dw.div2", all_of(every_double_word_pair<T>(depth<T>, 0, true)), quotient_of<DwDw<T>>,
                              within("error_sharp", dw_div2_2, precision<T>));
}

template <class T>
Registration sqrt() {
  return operation<DwSqrt<T>>("dw.sqrt", all_of(every_radicand<T>(depth<T>)), root_of<Dw<T>>,
                              within("error", dw_sqrt_1, precision<T>));
}

/// The operations whose theorems hold for the precision of T.
template <class T>
struct Family {
  Family() {
    constexpr int p = precision<T>;
    constexpr int low_words = p == 3 ? 5 : depth<T>;  // for p = 3 the deepest within the quick tier's 2²⁰ cases
    accurate_add<T>(low_words);
    add_fp<T>();
    with_number<DwMulFp2<T>>("dw.mul_fp2", product_of<DwFp<T>>, dw_mul_fp2_1);
    with_number<DwMulFp3<T>>("dw.mul_fp3", product_of<DwFp<T>>, dw_mul_fp3_1);
    if constexpr (p <= 4) sloppy_add<T>(low_words);
    if constexpr (p >= 4) {
      with_number<DwMulFp1<T>>("dw.mul_fp1", product_of<DwFp<T>>, dw_mul_fp1_1);
      with_number<DwDivFp2<T>>("dw.div_fp2", quotient_of<DwFp<T>>, dw_div_fp2_1,
                               within("error_sharp", dw_div_fp2_2, p));
      with_number<DwDivFp3<T>>("dw.div_fp3", quotient_of<DwFp<T>>, dw_div_fp3_1);
    }
    if constexpr (p >= 5) {
      mul<DwMul2<T>>("dw.mul2", dw_mul2_1);
      mul<DwMul3<T>>("dw.mul3", dw_mul3_1);
      div2<T>();
      sqrt<T>();
    }
  }
};

const LateRegistration of_p3{"dw", [] { Family<Toy<3>>(); }};
const LateRegistration of_p4{"dw", [] { Family<Toy<4>>(); }};
const LateRegistration of_p5{"dw", [] { Family<Toy<5>>(); }};

}  // namespace

}  // namespace assay::dw
