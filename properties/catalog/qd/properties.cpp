#include "errorbounds/qd.hpp"

#include "arith/float/ulp.hpp"

#include "kernels/expansion/quad_double.hpp"
#include "properties/catalog/dw/word_operations.hpp"

namespace assay::qd {

namespace {

using oracle::Dyadic;

constexpr const char* derivation = "docs/bounds/qd.md";

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

/// The claims with those on the structure of what the renormalisation of five words returns.
template <class Case, class T>
std::vector<Claim<Case, QuadDouble<T>, Dyadic>> with_structure(std::vector<Claim<Case, QuadDouble<T>, Dyadic>> claims) {
  claims.push_back(satisfies("separated", "|r_{i+1}| ≤ 3ulp(r_i)", Source(derivation),
                             [](const auto&, const QuadDouble<T>& r) { return is_separated(r); }));
  claims.push_back(expected_refuted(
      satisfies("bailey_nonoverlapping", "|r_{i+1}| ≤ ulp(r_i)/2 (false: a carry of the last pass is not passed on)",
                "Hida, Li, Bailey 2001, on renormalization",
                [](const auto&, const QuadDouble<T>& r) { return dw::is_quad_double(r); })));
  return claims;
}

template <class T>
auto sloppy_add() {
  return dw::word_operation<expansion::QdSloppyAdd<T>>(
      "expansion.qd_sloppy_add", pairs<T>(quad_add_box(format_of<T>())), dw::sum_of<QdQd<T>>,
      with_structure<QdQd<T>, T>(
          {within("error_absolute", "|r − (x + y)| ≤ 10u⁴(|x| + |y|)", Source(derivation),
                  [](const QdQd<T>& c) { return quad_sloppy_add_bound(dw::precision<T>, dw::magnitudes_of(c)); }),
           when(
               "x and y have the same sign", [](const QdQd<T>& c) { return signbit(c.x.x0) == signbit(c.y.x0); },
               within("error_same_sign", "|r − (x + y)| ≤ 10u⁴|x + y|", Source(derivation),
                      quad_sloppy_add_same_sign_bound(dw::precision<T>))),
           expected_refuted(within("error", "|r − (x + y)| ≤ 8u⁴|x + y| (false: the relative error can be 1)",
                                   "Hida, Li, Bailey 2001, QD 2.3", quad_ieee_style_bound(dw::precision<T>)))}));
}

template <class T>
auto ieee_add() {
  return dw::word_operation<expansion::QdIeeeAdd<T>>(
      "expansion.qd_ieee_add", pairs<T>(quad_add_box(format_of<T>())), dw::sum_of<QdQd<T>>,
      {within("error_absolute", "|r − (x + y)| ≤ 4u²(|x| + |y|)", Source(derivation),
              [](const QdQd<T>& c) { return quad_ieee_add_bound(dw::precision<T>, dw::magnitudes_of(c)); }),
       expected_refuted(within(
           "error_as_sloppy_add", "|r − (x + y)| ≤ 10u⁴(|x| + |y|) (false: see the derivation)", Source(derivation),
           [](const QdQd<T>& c) { return quad_sloppy_add_bound(dw::precision<T>, dw::magnitudes_of(c)); })),
       expected_refuted(within("error", "|r − (x + y)| ≤ 8u⁴|x + y| (false: words of O(u³)|x| may be left out)",
                               "Hida, Li, Bailey 2001, QD 2.3: the error bound of its headers",
                               quad_ieee_style_bound(dw::precision<T>)))});
}

template <class T>
struct Family {
  static constexpr int p = dw::precision<T>;
  static constexpr Box box = quad_product_box(format_of<T>());
  Registration all[5] = {
      Registration(sloppy_add<T>()),
      Registration(ieee_add<T>()),
      Registration(dw::word_operation<expansion::QdSloppyMul<T>>(
          "expansion.qd_sloppy_mul", pairs<T>(box), dw::product_of<QdQd<T>>,
          with_structure<QdQd<T>, T>(
              {within("error", "|r − xy| ≤ 150u⁴|xy|", Source(derivation), quad_sloppy_mul_bound(p))}))),
      Registration(dw::word_operation<expansion::QdMul<T>>(
          "expansion.qd_mul", pairs<T>(box), dw::product_of<QdQd<T>>,
          with_structure<QdQd<T>, T>({within("error", "|r − xy| ≤ 45u⁴|xy|", Source(derivation), quad_mul_bound(p))}))),
      Registration(dw::word_operation<expansion::QdMulFp<T>>(
          "expansion.qd_mul_fp", words<T>(box), dw::product_of<QdFp<T>>,
          with_structure<QdFp<T>, T>(
              {within("error", "|r − xy| ≤ 12u⁴|xy|", Source(derivation), quad_mul_fp_bound(p))}))),
  };
};

const Family<double> binary64_family;
const Family<float> binary32_family;

}  // namespace

}  // namespace assay::qd
