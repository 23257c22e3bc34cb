#include "errorbounds/qd_theorems.hpp"

#include <utility>

#include "arith/float/ulp.hpp"

#include "kernels/expansion/quad_double.hpp"
#include "probes/qd/qd.hpp"
#include "properties/catalog/dw/properties.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/catalog/qd/merged_sum.hpp"
#include "properties/catalog/qd/networks.hpp"

namespace assay::qd {

namespace {

using oracle::Dyadic;

template <class T>
Domain<QdQd<T>> pairs(Box box) {
  return dw::word_sum_pairs<QdQd<T>>("quad doubles", box);
}

template <class T>
Domain<QdFp<T>> words(Box box) {
  const auto both = [box](Significand kind, dw::Tail tail, Exponents exponents) {
    return drawn<QdFp<T>>([=](Draw& draw) {
      const auto x = dw::draw_word_sum<QuadDouble<T>>(draw, kind, tail, draw_exponent<T>(draw, exponents, box), box);
      return QdFp<T>{x, draw_number<T>(draw, kind, draw_exponent<T>(draw, exponents, box))};
    });
  };
  return {.classes =
              {
                  {"dense, gaps between words", 3, both(Significand::dense, dw::Tail::gap, Exponents::centre)},
                  {"dense, largest words", 3, both(Significand::dense, dw::Tail::adjacent, Exponents::centre)},
                  {"any significand and words", 3, both(Significand::any, dw::Tail::any, Exponents::centre)},
                  {"near powers of two, largest words", 3,
                   both(Significand::low_bits, dw::Tail::adjacent, Exponents::centre)},
                  {"sparse, large words", 2, both(Significand::sparse, dw::Tail::near, Exponents::centre)},
                  {"all ones", 1, both(Significand::all_ones, dw::Tail::adjacent, Exponents::centre)},
                  {"last words zero", 1, both(Significand::any, dw::Tail::zeros, Exponents::centre)},
                  {"full range", 2, both(Significand::any, dw::Tail::any, Exponents::full_range)},
                  {"lowest exponents", 1, both(Significand::any, dw::Tail::any, Exponents::low_edge)},
                  {"highest exponents", 1, both(Significand::any, dw::Tail::any, Exponents::high_edge)},
                  {"words half an ulp, times a number just below a power of two", 2, drawn<QdFp<T>>([box](Draw& draw) {
                     constexpr int p = FloatTraits<T>::precision;
                     // The second word is exactly half an ulp of the power of two, and the others are close to it.
                     const int exponent = draw_exponent<T>(draw, Exponents::centre, {box.low + 3 * p + 8, box.high});
                     const int third = exponent - 2 * p - draw.between(1, 3);
                     const T y = stepped(compose<T>(false, 1, exponent + 1), -draw.between(1, 128));
                     return QdFp<T>{dw::sum_of_words<T>(dw::WordsOf<T, 4>{
                                        compose<T>(draw.coin(), 1, exponent), compose<T>(draw.coin(), 1, exponent - p),
                                        draw_number<T>(draw, Significand::any, third),
                                        draw_number<T>(draw, Significand::any, third - p - draw.between(1, 3))}),
                                    draw.coin() ? negated(y) : y};
                   })},
              },
          .contains = [box](const QdFp<T>& c) { return dw::is_operand(c.x, box) && in_box(c.y, box); },
          .accepts = dw::box_text("quad doubles", box) + " and a number of it"};
}

/// |r_{i+1}| ≤ 3ulp(r_i), and 0 after 0.
template <FloatingPoint T>
bool is_separated(const QuadDouble<T>& r) {
  const dw::WordsOf<T, 4> w = dw::words_in(r);
  for (std::size_t i = 0; i < 3; ++i) {
    const T limit = ulp(w[i]) + ulp(w[i]) + ulp(w[i]);
    if (bits_of(abs(w[i + 1])) != 0 && (bits_of(abs(w[i])) == 0 || smaller_magnitude(limit, w[i + 1]))) {
      return false;
    }
  }
  return true;
}

/// The claims together with those about the structure of the result of the renormalization of five words.
template <class Case, class T>
std::vector<Claim<Case, QuadDouble<T>, Dyadic>> with_structure(std::vector<Claim<Case, QuadDouble<T>, Dyadic>> claims) {
  claims.push_back(
      satisfies("separated", qd_structure_1, [](const auto&, const QuadDouble<T>& r) { return is_separated(r); }));
  claims.push_back(
      expected_refuted(satisfies("bailey_nonoverlapping", qd_structure_2,
                                 [](const auto&, const QuadDouble<T>& r) { return dw::is_quad_double(r); })));
  return claims;
}

/// The property with the probe of a claim. The probe draws words of the box from 2^lowest on.
template <class Probe, class P>
P judged_by(P property, const char* claim, const Probe& probe, const RelativeBound& bound, Box box, int lowest) {
  property.probe = probe_of_words(claim, probe, bound, box, lowest, {3, 3, 2, 3, 3, 3, 2});
  return property;
}

/// The same for the claim `error` of a product. Two exponents sum to at least −800: an error of u⁴ is normal.
template <class Probe, class P>
P product_judged_by(P property, const RelativeBound& bound) {
  constexpr Box box = quad_product_box(format_of<typename Probe::Number>());
  return judged_by(std::move(property), "error", Probe{}, bound, box, -400);
}

template <class T>
auto sloppy_add() {
  constexpr Box box = quad_add_box(format_of<T>());
  auto property = dw::word_operation<expansion::QdSloppyAdd<T>>(
      "expansion.qd_sloppy_add", pairs<T>(box), dw::sum_of<QdQd<T>>,
      with_structure<QdQd<T>, T>(
          {within("error_absolute", qd_sloppy_add_1,
                  [](const auto& bound, const QdQd<T>& c) { return bound(dw::precision<T>, dw::magnitudes_of(c)); }),
           when(
               "x and y have the same sign", [](const QdQd<T>& c) { return signbit(c.x.x0) == signbit(c.y.x0); },
               within("error_same_sign", qd_sloppy_add_2, dw::precision<T>)),
           within_steps<T>(steps_of_sloppy_add<T>),
           expected_refuted(within("error", qd_sloppy_add_3, dw::precision<T>), "error_by_steps")}));
  return judged_by(std::move(property), "error_absolute", probes::qd::SloppyAdd<T>{},
                   factor_of(qd_sloppy_add_1(dw::precision<T>, Dyadic(1))), box, -800);
}

template <class T>
auto ieee_add() {
  auto claims = merged_sum_claims<T>();
  claims.push_back(expected_refuted(
      within("error_as_sloppy_add", qd_ieee_add_2,
             [](const auto& bound, const QdQd<T>& c) { return bound(dw::precision<T>, dw::magnitudes_of(c)); }),
      "error_absolute"));
  claims.push_back(expected_refuted(within("error", qd_ieee_add_3, dw::precision<T>), "error_absolute"));
  constexpr Box box = quad_add_box(format_of<T>());
  auto property = dw::word_operation<expansion::QdIeeeAdd<T>>("expansion.qd_ieee_add", merged_sum_pairs<T>(box),
                                                              dw::sum_of<QdQd<T>>, std::move(claims));
  const RelativeBound sixth = factor_of(qd_ieee_add_1(dw::precision<T>, Dyadic(1), Dyadic()));
  const RelativeBound magnitudes = factor_of(qd_ieee_add_1(dw::precision<T>, Dyadic(), Dyadic(1)));
  probes::qd::IeeeAdd<T> probe{};
  probe.weight = at_most({magnitudes.numerator * sixth.denominator, magnitudes.denominator * sixth.numerator});
  return judged_by(std::move(property), "error_absolute", probe, sixth, box, -800);
}

template <class T>
struct Family {
  static constexpr int p = dw::precision<T>;
  static constexpr Box box = quad_product_box(format_of<T>());
  Registration all[5] = {
      Registration(sloppy_add<T>()),
      Registration(ieee_add<T>()),
      Registration(product_judged_by<probes::qd::SloppyMul<T>>(
          dw::word_operation<expansion::QdSloppyMul<T>>(
              "expansion.qd_sloppy_mul", pairs<T>(box), dw::product_of<QdQd<T>>,
              with_structure<QdQd<T>, T>(
                  {within("error", qd_sloppy_mul_1, p), within_steps<T>(steps_of_sloppy_mul<T>)})),
          qd_sloppy_mul_1(p))),
      Registration(product_judged_by<probes::qd::Mul<T>>(
          dw::word_operation<expansion::QdMul<T>>(
              "expansion.qd_mul", pairs<T>(box), dw::product_of<QdQd<T>>,
              with_structure<QdQd<T>, T>({within("error", qd_mul_1, p), within_steps<T>(steps_of_mul<T>)})),
          qd_mul_1(p))),
      Registration(product_judged_by<probes::qd::MulFp<T>>(
          dw::word_operation<expansion::QdMulFp<T>>("expansion.qd_mul_fp", words<T>(box), dw::product_of<QdFp<T>>,
                                                    with_structure<QdFp<T>, T>({within("error", qd_mul_fp_1, p),
                                                                                within_steps<T>(steps_of_mul_fp<T>)})),
          qd_mul_fp_1(p))),
  };
};

const LateRegistration binary64_family{"expansion", [] { Family<double>(); }};
const LateRegistration binary32_family{"expansion", [] { Family<float>(); }};

}  // namespace

}  // namespace assay::qd
