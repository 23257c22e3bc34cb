// The promises of elementary functions of words, for the mutants that break them.

#include "arith/words/elementary.hpp"
#include "mutated/F1/arith/words/elementary.hpp"
#include "mutated/F2/arith/words/elementary.hpp"
#include "mutated/F3/arith/words/elementary.hpp"
#include "mutated/F4/arith/words/elementary.hpp"
#include "mutated/F5/arith/words/elementary.hpp"
#include "mutated/F6/arith/words/elementary.hpp"
#include "mutated/F7/arith/words/elementary.hpp"
#include "mutated/F8/arith/words/elementary.hpp"

#include "properties/catalog/elementary/properties.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using elementary::WordFunction;
using Word = DoubleWord<double>;
using Words = QuadDouble<double>;

/// The promise of a function of one operand, computed by f.
template <class W>
auto unary_promise(WordFunction function, const BoundedTheorem auto& theorem, W (*f)(const W&)) {
  return TypedModel(
      elementary::unary<W>("mutants", function, theorem,
                           Subject<OperandOf<W>, W>([f](const Executor&, const OperandOf<W>& c) { return f(c.x); })));
}
template <class W>
auto binary_promise(WordFunction function, W (*draw)(Draw&, const W&), const BoundedTheorem auto& theorem,
                    W (*f)(const W&, const W&)) {
  return TypedModel(elementary::binary<W>(
      "mutants", function, draw, theorem,
      Subject<OperandsOf<W, W>, W>([f](const Executor&, const OperandsOf<W, W>& c) { return f(c.x, c.y); })));
}

template <class W>
Row unary_row(const Planted& planted, WordFunction function, const BoundedTheorem auto& theorem, W (*wrong)(const W&),
              W (*right)(const W&)) {
  return kernel_row(planted, unary_promise(function, theorem, wrong), unary_promise(function, theorem, right));
}

}  // namespace

Rows elementary_rows() {
  namespace right = elementary;
  using F = WordFunction;
  return {
      unary_row<Words>({"F1", "exp of quad doubles reduces with ln 2 to 128 bits", 4}, F::exp, elementary_exp_1,
                       right::f1::exp, right::exp),
      unary_row<Word>({"F2", "the logarithm near 1 takes x − 1 from x rounded to limbs", 4}, F::log, elementary_log_1,
                      right::f2::log, right::log),
      unary_row<Word>({"F3", "cos x after one quarter turn has the sign of sin x", 4}, F::cos, elementary_cos_1,
                      right::f3::cos, right::cos),
      unary_row<Words>({"F4", "tanh of quad doubles is 1 from 40 on, as is enough for double words", 4}, F::tanh,
                       elementary_tanh_1, right::f4::tanh, right::tanh),
      unary_row<Word>({"F5", "sinh of a small x is made of eˣ − 1 as a difference", 4}, F::sinh, elementary_sinh_1,
                      right::f5::sinh, right::sinh),
      unary_row<Word>({"F6", "log1p near −1 takes 1 + x from x rounded to limbs", 4}, F::log1p, elementary_log1p_1,
                      right::f6::log1p, right::log1p),
      kernel_row(
          {"F7", "the angle of a point whose first coordinate is −0 is that for +0", 4},
          binary_promise<Word>(F::atan2, elementary::draw_other_coordinate<Word>, elementary_atan2_1, right::f7::atan2),
          binary_promise<Word>(F::atan2, elementary::draw_other_coordinate<Word>, elementary_atan2_1, right::atan2)),
      kernel_row({"F8", "a power takes the first word of its exponent alone", 4},
                 binary_promise<Word>(F::pow, elementary::draw_power<Word>, elementary_pow_1, right::f8::pow),
                 binary_promise<Word>(F::pow, elementary::draw_power<Word>, elementary_pow_1, right::pow)),
  };
}

}  // namespace assay::mutants
