#include "properties/catalog/dw/properties.hpp"

#include "kernels/dw/double_word.hpp"
#include "probes/dw/dw.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/double_words.hpp"

namespace assay::dw {

namespace {

using oracle::Dyadic;
using oracle::Exact;

/// The property with the probe of a claim. Bound: the bound of the probe's scale, which the claim's scale implies.
template <class Probe, class P>
P judged_by(P property, const RelativeBound& bound, Box box, const char* claim = "error") {
  property.probe = probe_of_words(claim, Probe{}, bound, box, -800, {3, 3, 2, 3, 1, 3, 2});
  return property;
}

template <class T>
auto add_fp() {
  const Box box = add_word_box(format_of<T>());
  return double_word_operation<DwAddFp<T>, Dyadic>("dw.add_fp", double_words_and_numbers<T>(box), sum_of<DwFp<T>>,
                                                   {within("error", dw_add_fp_1, precision<T>)});
}

template <class T>
auto accurate_add() {
  const Box box = add_box(format_of<T>());
  return double_word_operation<DwAccurateAdd<T>, Dyadic>("dw.accurate_add", double_word_pairs<T>(box), sum_of<DwDw<T>>,
                                                         {within("error", dw_accurate_add_1, precision<T>)});
}

template <class T>
auto sloppy_add() {
  const Box box = add_box(format_of<T>());
  auto property = double_word_operation<DwSloppyAdd<T>, Dyadic>(
      "dw.sloppy_add", double_word_pairs<T>(box), sum_of<DwDw<T>>,
      {expected_refuted(of_instance("even with 3u² for 3u²/(1 − 4u)",
                                    within("error", dw_sloppy_add_3, dw_sloppy_add_2(precision<T>))),
                        "error_absolute"),
       when("xh and yh have the same sign", have_same_sign<T>,
            within("error_same_sign", dw_sloppy_add_2, precision<T>)),
       within("error_absolute", dw_sloppy_add_1,
              [](const auto& bound, const DwDw<T>& c) { return bound(precision<T>, magnitudes_of(c)); })});
  return judged_by<probes::dw::SloppyAddByMagnitudes<T>>(
      std::move(property), factor_of(dw_sloppy_add_1(precision<T>, Dyadic(1))), box, "error_absolute");
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto mul_fp(const std::string& name, const BoundedTheorem auto& theorem) {
  const Box box = product_box(format_of<T>());
  return double_word_operation<Op, Dyadic>(name, double_words_and_numbers<T>(box), product_of<DwFp<T>>,
                                           {within("error", theorem, precision<T>)});
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto mul(const std::string& name, const BoundedTheorem auto& theorem) {
  const Box box = product_box(format_of<T>());
  return double_word_operation<Op, Dyadic>(name, double_word_pairs<T>(box), product_of<DwDw<T>>,
                                           {within("error", theorem, precision<T>)});
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto div_fp(const std::string& name, const BoundedTheorem auto& theorem) {
  const Box box = quotient_box(format_of<T>());
  return double_word_operation<Op, Exact>(name, divisor_not_zero(double_words_and_numbers<T>(box)),
                                          quotient_of<DwFp<T>>, {within("error", theorem, precision<T>)});
}

template <class Op, class T = typename ResultTraits<typename Op::Output>::Number>
auto div(const std::string& name, const BoundedTheorem auto& theorem, Box box = quotient_box(format_of<T>())) {
  return double_word_operation<Op, Exact>(name, divisor_not_zero(double_word_pairs<T>(box)), quotient_of<DwDw<T>>,
                                          {within("error", theorem, precision<T>)});
}

/// A quotient with the published bound, and one more claim with the smaller bound.
template <class P>
P sharp(P property, const BoundedTheorem auto& theorem, int p) {
  property.claims.push_back(within("error_sharp", theorem, p));
  return property;
}

/// The property with one more claim: the result has the same bits as that of another algorithm for the same operation.
template <class Other, class P>
P same_results(P property, const char* id, const AnyTheorem auto& theorem) {
  using Case = typename Other::Input;
  property.claims.push_back(
      satisfies(id, theorem, [](const Case& c, const typename Other::Output& z) { return same_bits(z, Other{}(c)); }));
  return property;
}

template <class T>
auto sqrt() {
  const Box box = sqrt_box(format_of<T>());
  return double_word_operation<DwSqrt<T>, Exact>("dw.sqrt", radicands<T>(box), root_of<Dw<T>>,
                                                 {within("error", dw_sqrt_1, precision<T>)});
}

/// Radicands whose roots' words have squares above 2⁻⁹⁶⁹.
Box probe_sqrt_box(const oracle::Format& of) { return {std::max(sqrt_box(of).low / 2, -450), sqrt_box(of).high}; }

template <class T>
struct Family {
  static constexpr int p = precision<T>;
  static constexpr oracle::Format format = format_of<T>();
  Registration all[16] = {
      Registration(judged_by<probes::dw::AddFp<T>>(add_fp<T>(), dw_add_fp_1(p), add_box(format))),
      Registration(judged_by<probes::dw::AccurateAdd<T>>(accurate_add<T>(), dw_accurate_add_1(p), add_box(format))),
      Registration(sloppy_add<T>()),
      Registration(judged_by<probes::dw::MulFp1<T>>(mul_fp<DwMulFp1<T>>("dw.mul_fp1", dw_mul_fp1_1), dw_mul_fp1_1(p),
                                                    product_box(format))),
      Registration(judged_by<probes::dw::MulFp2<T>>(mul_fp<DwMulFp2<T>>("dw.mul_fp2", dw_mul_fp2_1), dw_mul_fp2_1(p),
                                                    product_box(format))),
      Registration(judged_by<probes::dw::MulFp3<T>>(mul_fp<DwMulFp3<T>>("dw.mul_fp3", dw_mul_fp3_1), dw_mul_fp3_1(p),
                                                    product_box(format))),
      Registration(
          judged_by<probes::dw::Mul1<T>>(mul<DwMul1<T>>("dw.mul1", dw_mul1_1), dw_mul1_1(p), product_box(format))),
      Registration(
          judged_by<probes::dw::Mul2<T>>(mul<DwMul2<T>>("dw.mul2", dw_mul2_1), dw_mul2_1(p), product_box(format))),
      Registration(
          judged_by<probes::dw::Mul3<T>>(mul<DwMul3<T>>("dw.mul3", dw_mul3_1), dw_mul3_1(p), product_box(format))),
      Registration(same_results<DwDivFp2<T>>(sharp(div_fp<DwDivFp1<T>>("dw.div_fp1", dw_div_fp2_1), dw_div_fp2_2, p),
                                             "same_as_div_fp2", dw_div_fp1_1)),
      Registration(
          judged_by<probes::dw::DivFp2<T>>(sharp(div_fp<DwDivFp2<T>>("dw.div_fp2", dw_div_fp2_1), dw_div_fp2_2, p),
                                           dw_div_fp2_2(p), quotient_box(format), "error_sharp")),
      Registration(judged_by<probes::dw::DivFp3<T>>(div_fp<DwDivFp3<T>>("dw.div_fp3", dw_div_fp3_1), dw_div_fp3_1(p),
                                                    quotient_box(format))),
      Registration(same_results<DwDiv2<T>>(sharp(div<DwDiv1<T>>("dw.div1", dw_div2_1), dw_div2_2, p), "same_as_div2",
                                           dw_div1_1)),
      Registration(judged_by<probes::dw::Div2<T>>(sharp(div<DwDiv2<T>>("dw.div2", dw_div2_1), dw_div2_2, p),
                                                  dw_div2_2(p), quotient_box(format), "error_sharp")),
      Registration(judged_by<probes::dw::Div3<T>>(
          sharp(div<DwDiv3<T>>("dw.div3", dw_div3_1, reciprocal_quotient_box(format)), dw_div3_2, p), dw_div3_2(p),
          reciprocal_quotient_box(format), "error_sharp")),
      Registration(judged_by<probes::dw::Sqrt<T>>(sqrt<T>(), of_square(dw_sqrt_1(p)), probe_sqrt_box(format))),
  };
};

const LateRegistration binary64_family{"dw", [] { Family<double>(); }};
const LateRegistration binary32_family{"dw", [] { Family<float>(); }};

}  // namespace

}  // namespace assay::dw
