// Elementary functions of double words and quad doubles.

#include "properties/catalog/elementary/properties.hpp"

#include "kernels/elementary/elementary.hpp"

namespace assay::elementary {

namespace {

template <class Op>
Subject<typename Op::Input, typename Op::Output> by() {
  return [](const Executor& on, std::span<const typename Op::Input> cases) { return elementwise<Op>(on, cases); };
}

template <class W>
struct Family {
  using F = WordFunction;
  Registration all[13] = {
      Registration(unary<W>("exp", F::exp, elementary_exp_1, by<Exp<W>>())),
      Registration(unary<W>("expm1", F::expm1, elementary_expm1_1, by<Expm1<W>>())),
      Registration(unary<W>("log", F::log, elementary_log_1, by<Log<W>>())),
      Registration(unary<W>("log1p", F::log1p, elementary_log1p_1, by<Log1p<W>>())),
      Registration(unary<W>("sin", F::sin, elementary_sin_1, by<Sin<W>>())),
      Registration(unary<W>("cos", F::cos, elementary_cos_1, by<Cos<W>>())),
      Registration(unary<W>("tan", F::tan, elementary_tan_1, by<Tan<W>>())),
      Registration(unary<W>("atan", F::atan, elementary_atan_1, by<Atan<W>>())),
      Registration(binary<W>("atan2", F::atan2, draw_other_coordinate<W>, elementary_atan2_1, by<Atan2<W>>())),
      Registration(unary<W>("sinh", F::sinh, elementary_sinh_1, by<Sinh<W>>())),
      Registration(unary<W>("cosh", F::cosh, elementary_cosh_1, by<Cosh<W>>())),
      Registration(unary<W>("tanh", F::tanh, elementary_tanh_1, by<Tanh<W>>())),
      Registration(binary<W>("pow", F::pow, draw_power<W>, elementary_pow_1, by<Pow<W>>())),
  };
};

const LateRegistration of_double_words{"elementary", [] { Family<DoubleWord<double>>(); }};
const LateRegistration of_quad_doubles{"elementary", [] { Family<QuadDouble<double>>(); }};

}  // namespace

}  // namespace assay::elementary
