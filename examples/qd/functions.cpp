// The elementary functions of the QD library's double-doubles, compared with the library's own epsilon of 2⁻¹⁰⁴.
//
// The library does not state errors of its functions. Claims marked expected_refuted were found false by running this
// file; the folder corpora/ next to it has a counterexample of each. The operands are moderate: no value overflows or
// is small.

#include <qd/dd_real.h>

#include <string>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "oracle/elementary.hpp"
#include "properties/framework/double_words.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace {

using namespace assay;
using oracle::Dyadic;
using oracle::Elementary;
using oracle::Exact;
using Case = Dw<double>;
using Result = DoubleWord<double>;

Dyadic value_of(const Result& x) { return oracle::exact(x.h) + oracle::exact(x.l); }

constexpr auto epsilon_of_functions = theorem({"qd.function_epsilon.1", "moderate operands", "|z − f(x)| ≤ eps·|f(x)|",
                                               "QD 2.3.23, dd_real.h: _eps, epsilon() of std::numeric_limits"},
                                              [](double eps) {
                                                return RelativeBound{oracle::exact(eps), 1};
                                              });

/// A double word whose first word is c + x with an x of any exponent from low on.
InputClass<Case> near(double c, int low) {
  return {
      c == 0 ? "any exponent" : "near 1", 1, drawn<Case>([c, low](Draw& draw) {
        const double x = draw_number<double>(draw, Significand::any, draw.between(low, -1));
        const double h = c + x;
        const int exponent = parts_of(h).leading();
        const Result tail = draw_double_word<double>(draw, Significand::any, LowWord::any, exponent, Box{-900, 900});
        return Case{normalised_or_high(Result{h, tail.l}, Box{-900, 900})};
      })};
}

struct Range {
  Box box;        ///< exponents of x
  bool positive;  ///< and their signs
};

Domain<Case> operands(Range range, bool is_log) {
  std::vector<InputClass<Case>> classes{{"any significand and low word", 4, drawn<Case>([range](Draw& draw) {
                                           const bool negative = !range.positive && draw.coin();
                                           const int exponent = draw.between(range.box.low, range.box.high);
                                           return Case{draw_double_word<double>(draw, Significand::any, LowWord::any,
                                                                                exponent, negative, Box{-900, 900})};
                                         })}};
  if (is_log) classes.push_back(near(1.0, -40));
  return {.classes = std::move(classes),
          .contains =
              [range](const Case& c) {
                return is_double_word(c.x) && c.x.h != 0 && in_box(c.x.h, range.box) && in_box(c.x.l, Box{-900, 900}) &&
                       !(range.positive && c.x.h < 0);
              },
          .accepts = "x normalised, x ≠ 0, its first word in 2^" + std::to_string(range.box.low) + " … 2^" +
                     std::to_string(range.box.high + 1)};
}

using Function = dd_real (*)(const dd_real&);

template <class C>
Property<Case, Result, Exact> function(const std::string& name, Function f, Elementary truth, Range range, C claim) {
  return {.name = "qd.dd_" + name,
          .domain = operands(range, truth == Elementary::log),
          .subject =
              [f](const Executor&, const Case& c) {
                const dd_real z = f(dd_real(c.x.h, c.x.l));
                return Result{z._hi(), z._lo()};
              },
          .reference = [truth](const Case& c) { return oracle::elementary_by_balls(truth, value_of(c.x)); },
          .claims = {claim},
          .host_only = true};
}

auto within_eps() { return within("eps", epsilon_of_functions, dd_real::_eps); }

constexpr Range exponents{{-40, 8}, false};
constexpr Range small{{-40, 1}, false};

const Registration all[] = {
    Registration(function("exp", exp, Elementary::exp, exponents, expected_refuted(within_eps()))),
    Registration(function("log", log, Elementary::log, {{-40, 40}, true}, expected_refuted(within_eps()))),
    Registration(function("sin", sin, Elementary::sin, exponents, expected_refuted(within_eps()))),
    Registration(function("cos", cos, Elementary::cos, exponents, expected_refuted(within_eps()))),
    Registration(function("tan", tan, Elementary::tan, exponents, expected_refuted(within_eps()))),
    Registration(function("atan", atan, Elementary::atan, {{-40, 40}, false}, expected_refuted(within_eps()))),
    Registration(function("sinh", sinh, Elementary::sinh, small, expected_refuted(within_eps()))),
    Registration(function("cosh", cosh, Elementary::cosh, small, expected_refuted(within_eps()))),
    Registration(function("tanh", tanh, Elementary::tanh, small, expected_refuted(within_eps()))),
};

}  // namespace
