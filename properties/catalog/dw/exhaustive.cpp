// Double-word arithmetic over all inputs of toy precisions, up to exact symmetries. A theorem with a condition p ≥ k
// has no property for smaller p.

#include "arith/float/small_float.hpp"
#include "kernels/dw/double_word.hpp"
#include "probes/dw/every.hpp"
#include "properties/catalog/dw/properties.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/enumeration.hpp"

namespace assay::dw::toy {

namespace {

using oracle::Dyadic;
using oracle::Exact;

/// The range of low words below the high word's last place, and of the exponents between operands: 2p + 3, if that fits
/// the tier.
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

/// A few drawn cases of those that a probe lists: there are too many for the oracle.
template <class Probe>
Domain<typename Probe::Input> drawn_from_list() {
  using Case = typename Probe::Input;
  return {.classes = {{Probe::Classes::names[0], 1,
                       drawn<Case>([](Draw& draw) { return Probe::at(0, draw.below(Probe::size(0))); })}},
          .contains = [](const Case& c) { return is_case(c); },
          .accepts = reduced};
}

/// An operation with a probe that lists all operands. Bound: the bound of `theorem` for the precision.
template <class Op, class Probe, class Truth, class T = typename ResultTraits<typename Op::Output>::Number>
Registration listed(const std::string& name, Domain<DwDw<T>> domain, Truth (*reference)(const DwDw<T>&),
                    const std::string& claim, const BoundedTheorem auto& theorem) {
  auto property =
      double_word_operation<Op, Truth>(name, std::move(domain), reference, {within(claim, theorem, precision<T>)});
  property.probe = probe_of_lists<Probe>(claim, theorem(precision<T>));
  return Registration(std::move(property));
}

template <class Op, class Truth, class... ErrorClaims>
Registration operation(const std::string& name, Domain<typename Op::Input> domain,
                       Truth (*reference)(const typename Op::Input&), ErrorClaims... errors) {
  return Registration(double_word_operation<Op, Truth>(name, std::move(domain), reference, {errors...}));
}

/// The operations on two double words whose operands a probe lists. p = 6 has too many operands for an enumeration on
/// the host.
template <class T>
void pairs_of_words() {
  const auto all = [&]<class Probe>(std::type_identity<Probe>, auto enumeration) {
    if constexpr (precision<T> == 5) return all_of(std::move(enumeration));
    return drawn_from_list<Probe>();
  };
  namespace every = probes::dw;
  const auto products = [&]<class Probe>(std::type_identity<Probe> probe) {
    return all(probe, every_double_word_pair<T>(depth<T>, 0, true));
  };
  listed<DwAccurateAdd<T>, every::EveryAccurateAdd<T>>(
      "dw.accurate_add",
      all(std::type_identity<every::EveryAccurateAdd<T>>{}, every_double_word_pair<T>(depth<T>, gaps<T>, false)),
      sum_of<DwDw<T>>, "error", dw_accurate_add_1);
  listed<DwMul2<T>, every::EveryMul2<T>>("dw.mul2", products(std::type_identity<every::EveryMul2<T>>{}),
                                         product_of<DwDw<T>>, "error", dw_mul2_1);
  listed<DwMul3<T>, every::EveryMul3<T>>("dw.mul3", products(std::type_identity<every::EveryMul3<T>>{}),
                                         product_of<DwDw<T>>, "error", dw_mul3_1);
  listed<DwDiv2<T>, every::EveryDiv2<T>>("dw.div2", products(std::type_identity<every::EveryDiv2<T>>{}),
                                         quotient_of<DwDw<T>>, "error_sharp", dw_div2_2);
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
    constexpr int low_words = p == 3 ? 5 : depth<T>;  // for p = 3 the deepest range within the quick tier's 2²⁰ cases
    if constexpr (p <= 4) accurate_add<T>(low_words);
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
      pairs_of_words<T>();
      sqrt<T>();
    }
  }
};

const LateRegistration of_p3{"dw", [] { Family<Toy<3>>(); }};
const LateRegistration of_p4{"dw", [] { Family<Toy<4>>(); }};
const LateRegistration of_p5{"dw", [] { Family<Toy<5>>(); }};
const LateRegistration of_p6{"dw", [] { pairs_of_words<Toy<6>>(); }};

}  // namespace

}  // namespace assay::dw::toy
