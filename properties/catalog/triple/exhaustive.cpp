// The sum and the products of triple words over all words of a window of toy precisions, up to exact symmetries.

#include "errorbounds/triple_theorems.hpp"

#include <string>
#include <utility>

#include "arith/float/small_float.hpp"
#include "kernels/triple/triple_word.hpp"
#include "probes/triple/every.hpp"
#include "properties/catalog/dw/properties.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/double_words.hpp"
#include "properties/framework/enumeration.hpp"

namespace assay::triple::toy {

namespace {

using oracle::Dyadic;

constexpr const char* listed_words = "words of a window up to exact symmetries: docs/bounds/small_formats.md";

/// The most cases that the oracle judges one by one.
constexpr std::uint64_t most_enumerated = 500'000'000;

/// The cases that a probe lists: all of them, or a few drawn ones if there are too many for the oracle.
template <class Probe, class Case = typename Probe::Input>
Domain<Case> of_list(Box box) {
  const auto contains = [box](const Case& c) { return dw::is_operand(c.x, box) && dw::is_operand(c.y, box); };
  if constexpr (Probe::size(0) <= most_enumerated) {
    return exhaustive<Case>({.size = Probe::size(0),
                             .at =
                                 [](std::uint64_t i, Case& out) {
                                   out = Probe::at(0, i);
                                   return true;
                                 }},
                            contains, listed_words);
  } else {
    return {.classes = {{Probe::Classes::names[0], 1,
                         drawn<Case>([](Draw& draw) { return Probe::at(0, draw.below(Probe::size(0))); })}},
            .contains = contains,
            .accepts = listed_words};
  }
}

/// An operation with a probe that lists all operands. Bound: the bound of `theorem` for the precision.
template <class Op, class Probe>
Registration listed(const std::string& name, Box box, Dyadic (*reference)(const typename Op::Input&),
                    const BoundedTheorem auto& theorem) {
  constexpr int p = dw::precision<typename Probe::Number>;
  auto property = dw::word_operation<Op, Dyadic>(
      name, of_list<Probe>(box), reference,
      {within("error", theorem, p), satisfies("p_nonoverlapping", triple_structure_1,
                                              [](const auto&, const auto& r) { return dw::is_triple_word(r); })});
  property.probe = probe_of_lists<Probe>("error", theorem(p));
  return Registration(std::move(property));
}

template <class T>
struct Family {
  static constexpr Box sums = triple_add_box(format_of<T>());
  static constexpr Box products = triple_product_box(format_of<T>());
  Registration all[5] = {
      listed<TwAdd<T>, probes::triple::EveryAdd<T>>("triple.add", sums, dw::sum_of<TwTw<T>>, triple_add_4),
      listed<TwMulAccurate<T>, probes::triple::EveryMulAccurate<T>>("triple.mul_accurate", products,
                                                                    dw::product_of<TwTw<T>>, triple_mul_accurate_3),
      listed<TwMulFast<T>, probes::triple::EveryMulFast<T>>("triple.mul_fast", products, dw::product_of<TwTw<T>>,
                                                            triple_mul_fast_3),
      listed<TwMulDwAccurate<T>, probes::triple::EveryMulDwAccurate<T>>(
          "triple.mul_dw_accurate", products, dw::product_of<DwTw<T>>, triple_mul_dw_accurate_3),
      listed<TwMulDwFast<T>, probes::triple::EveryMulDwFast<T>>("triple.mul_dw_fast", products, dw::product_of<DwTw<T>>,
                                                                triple_mul_dw_fast_3),
  };
};

const LateRegistration of_p3{"triple", [] { Family<Toy<3>>(); }};
const LateRegistration of_p4{"triple", [] { Family<Toy<4>>(); }};

}  // namespace

}  // namespace assay::triple::toy
