// Entries that scal and axpy do not change, and numbers out of range among their operands.

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <vector>

#include "errorbounds/mp_theorems.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/mp/mp.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::mp {

namespace {

using oracle::Dyadic;

/// αx, or αx + y with `adds`, for numbers from values of binary64: an infinity becomes a number out of range. α is
/// alpha, alpha·4·¼, (alpha + 1) − 1 or ½alpha + ½alpha: the same number with another integer or another enclosure.
struct MarksCase {
  int adds = 0;
  int planes = 0;
  int form = 0;
  double alpha = 0;
  std::vector<double> x, y;
  static constexpr auto fields() {
    using C = MarksCase;
    return std::tuple{field("adds", &C::adds),   field("planes", &C::planes), field("form", &C::form),
                      field("alpha", &C::alpha), field("x", &C::x),           field("y", &C::y)};
  }
};

constexpr int forms = 4;
constexpr std::array<double, 6> values{0, 1, -1, 3, 0x1.89ABCDEF01234p-3, std::numeric_limits<double>::infinity()};

MarksCase draw_marks(Draw& draw) {
  MarksCase c;
  c.adds = draw.coin() ? 1 : 0;
  c.planes = draw.coin() ? 1 : 0;
  c.form = draw.coin() ? 0 : static_cast<int>(draw.below(forms));
  c.alpha = draw.one_in(4) ? 1 : values[draw.below(values.size())];
  const std::uint64_t length = draw.below(4);
  for (std::uint64_t i = 0; i < length; ++i) {
    c.x.push_back(values[draw.below(values.size())]);
    c.y.push_back(values[draw.below(values.size())]);
  }
  return c;
}

bool same(const Extended& a, const Extended& b) {
  return to_bits(a.fraction) == to_bits(b.fraction) && a.exponent == b.exponent;
}
bool same_numbers(const MpArray& a, const MpArray& b) {
  return a.n == b.n && a.planes == b.planes && a.length == b.length && a.digits == b.digits && a.sign == b.sign &&
         a.exponent == b.exponent && std::equal(a.lower.begin(), a.lower.end(), b.lower.begin(), b.lower.end(), same) &&
         std::equal(a.upper.begin(), a.upper.end(), b.upper.begin(), b.upper.end(), same);
}

/// α in its form.
MpArray alpha_of(const Executor& on, const MarksCase& c) {
  const auto number = [&](double x) { return mp_from_double(on, 8, std::span(&x, 1), c.planes != 0); };
  MpArray alpha = number(c.alpha);
  switch (c.form) {
    case 1:
      return mp_op(on, MpOp::mul, mp_op(on, MpOp::mul, alpha, number(4)), number(0.25));
    case 2:
      return mp_op(on, MpOp::sub, mp_op(on, MpOp::add, alpha, number(1)), number(1));
    case 3:
      return mp_op(on, MpOp::add, mp_op(on, MpOp::mul, alpha, number(0.5)), mp_op(on, MpOp::mul, alpha, number(0.5)));
    default:
      return alpha;
  }
}

/// Whether the call leaves its array unchanged, or the marks in the result are the marks of the operands.
bool holds(const Executor& on, const MarksCase& c) {
  const auto length = static_cast<std::int64_t>(c.x.size());
  const MpArray alpha = alpha_of(on, c);
  const MpArray x = mp_from_double(on, 8, c.x, c.planes != 0);
  const MpArray y = mp_from_double(on, 8, c.y, c.planes != 0);
  const bool adds = c.adds != 0;
  const MpArray z = adds ? mp_axpy(on, length, alpha, x, 1, y, 1) : mp_scal(on, length, alpha, x, 1);
  if (c.alpha == (adds ? 0 : 1)) return same_numbers(z, adds ? y : x);
  bool right = z.length == c.x.size();
  for (std::size_t i = 0; right && i < z.length; ++i) {
    const bool is_marked = !is_finite(c.alpha) || !is_finite(c.x[i]) || (adds && !is_finite(c.y[i]));
    right = (z.exponent[i] == out_of_range_exponent) == is_marked;
  }
  return right;
}

/// Whether an operand is out of range: other cases only test that no mark appears.
bool has_mark(const MarksCase& c) {
  const auto marked = [](double x) { return !is_finite(x); };
  return marked(c.alpha) || std::any_of(c.x.begin(), c.x.end(), marked) || std::any_of(c.y.begin(), c.y.end(), marked);
}

const LateRegistration marks{
    "mp", [] {
      Registration{Property<MarksCase, double, Dyadic>{
          .name = "mp.marks",
          .domain = {.classes = {{"0, 1, other numbers and those out of range", 1, drawn<MarksCase>(draw_marks)}},
                     .contains =
                         [](const MarksCase& c) {
                           return c.x.size() == c.y.size() && c.x.size() <= 16 && (c.adds == 0 || c.adds == 1) &&
                                  (c.planes == 0 || c.planes == 1) && c.form >= 0 && c.form < forms;
                         },
                     .accepts = "up to 16 numbers; the conversion makes numbers out of range of infinities and NaNs"},
          .subject = [](const Executor& on, const MarksCase& c) { return holds(on, c) ? 1.0 : 0.0; },
          .reference = [](const MarksCase&) { return Dyadic(1); },
          .claims = {exact("handed_on", mp_range_2)},
          .inexact = [](const MarksCase& c, const Dyadic&, double) { return has_mark(c); },
          .quick_cases = 500}};
    }};

}  // namespace

}  // namespace assay::mp
