// The promises of four-term arithmetic, for the mutants that break them.

#include "mutated/R13/arith/words/quad_double.hpp"
#include "mutated/R17/arith/words/quad_double.hpp"

#include "properties/catalog/qd/merged_sum.hpp"
#include "properties/catalog/qd/networks.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using Words = QuadDouble<double>;

/// A quad double converted to the type in the namespace of a mutated header, or back.
template <class To, class From>
To copied(const From& x) {
  return {x.x0, x.x1, x.x2, x.x3};
}

/// The promise of the sum by merged words.
auto merged_sum_promise(Words (*sum)(const QdQd<double>&)) {
  return TypedModel(Property<QdQd<double>, Words, oracle::Dyadic>{
      .name = "mutants.merged_sum",
      .domain = qd::merged_sum_pairs<double>(quad_add_box(oracle::binary64)),
      .subject = [sum](const Executor&, const QdQd<double>& c) { return sum(c); },
      .reference = dw::sum_of<QdQd<double>>,
      .claims = qd::merged_sum_claims<double>()});
}

/// The promise of the product, with a bound by its steps.
auto product_promise(Words (*product)(const QdQd<double>&)) {
  return TypedModel(Property<QdQd<double>, Words, oracle::Dyadic>{
      .name = "mutants.quad_product",
      .domain = dw::word_sum_pairs<QdQd<double>>("quad doubles", quad_product_box(oracle::binary64)),
      .subject = [product](const Executor&, const QdQd<double>& c) { return product(c); },
      .reference = dw::product_of<QdQd<double>>,
      .claims = {qd::within_steps<double>(qd::steps_of_mul<double>)}});
}

}  // namespace

Rows quad_double_rows() {
  const RightKernel right_sum(
      [&] { return merged_sum_promise([](const QdQd<double>& c) { return qd::ieee_add(c.x, c.y); }); });
  const auto two_words = merged_sum_promise([](const QdQd<double>& c) {
    using Mutated = r17::QuadDouble<double>;
    return copied<Words>(r17::qd::ieee_add(copied<Mutated>(c.x), copied<Mutated>(c.y)));
  });
  const RightKernel right_product(
      [&] { return product_promise([](const QdQd<double>& c) { return qd::mul(c.x, c.y); }); });
  const auto three_orders = product_promise([](const QdQd<double>& c) {
    using Mutated = r13::QuadDouble<double>;
    return copied<Words>(r13::qd::mul(copied<Mutated>(c.x), copied<Mutated>(c.y)));
  });
  return {
      kernel_row({"R17", "the sum by merged words ignores words 2 and 3 of both operands", 12}, two_words, right_sum),
      kernel_row({"R13", "the product of quad doubles rounds the third order and leaves out the fourth", 64},
                 three_orders, right_product)};
}

}  // namespace assay::mutants
