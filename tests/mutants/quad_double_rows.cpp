// What four-term arithmetic promises, for the mutants that break it.

#include "mutated/R10/arith/words/quad_double.hpp"

#include "properties/catalog/qd/merged_sum.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using Words = QuadDouble<double>;

/// A quad double as one of the namespace of a mutated header, or back.
template <class To, class From>
To copied(const From& x) {
  return {x.x0, x.x1, x.x2, x.x3};
}

/// What the sum by merged words promises.
auto merged_sum_promise(Words (*sum)(const QdQd<double>&)) {
  return TypedModel(Property<QdQd<double>, Words, oracle::Dyadic>{
      .name = "mutants.merged_sum",
      .domain = qd::merged_sum_pairs<double>(quad_add_box(oracle::binary64)),
      .subject = [sum](const Executor&, const QdQd<double>& c) { return sum(c); },
      .reference = dw::sum_of<QdQd<double>>,
      .claims = qd::merged_sum_claims<double>()});
}

}  // namespace

Rows quad_double_rows() {
  const auto right = merged_sum_promise([](const QdQd<double>& c) { return qd::ieee_add(c.x, c.y); });
  const auto two_words = merged_sum_promise([](const QdQd<double>& c) {
    using Mutated = r10::QuadDouble<double>;
    return copied<Words>(r10::qd::ieee_add(copied<Mutated>(c.x), copied<Mutated>(c.y)));
  });
  return {kernel_row({"R10", "the sum by merged words ignores words 2 and 3 of both operands", 12}, two_words, right)};
}

}  // namespace assay::mutants
