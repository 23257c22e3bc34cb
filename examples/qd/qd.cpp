// The arithmetic of the QD library compared with the statements in its headers: a subject that was not written for
// Assay.
//
// Operations are those of <qd/dd_real.h> and <qd/qd_real.h> as the distribution configures them: operator+ is the
// sloppy addition unless QD_IEEE_ADD is defined, operator/ and qd_real's operator* are the sloppy ones if QD_SLOPPY_DIV
// and QD_SLOPPY_MUL are. Bounds are relative errors against dd_real::_eps (2⁻¹⁰⁴) and qd_real::_eps (2⁻²⁰⁹), the
// numbers that std::numeric_limits gives as epsilon() of the two types.
//
// Claims marked expected_refuted were found false by running this file; the folder corpora/ next to it has a
// counterexample of each. Without a counterexample in 100 000 cases each: the Cray-style bounds, dd_real's ieee_add and
// accurate_div, and of qd_real every product, accurate_div and sqrt, each within its epsilon. qd_real::ieee_add is
// refuted, though it is the addition for the IEEE-style bound: it drops the second word of its accumulator where the
// operands end after three words of the result, and after cancellation that word is not below epsilon.

#include <qd/dd_real.h>
#include <qd/qd_real.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/dw_theorems.hpp"
#include "oracle/exact.hpp"
#include "properties/framework/double_words.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

/// A quad-double in a case: four words of one number.
template <>
struct assay::Codec<qd_real> {
  static std::variant<Words, std::int64_t> encode(const qd_real& x) {
    return Words{
        format_of<double>(), Words::Shape::fixed, {bits_of(x[0]), bits_of(x[1]), bits_of(x[2]), bits_of(x[3])}};
  }
  static bool decode(const std::variant<Words, std::int64_t>& value, qd_real& out) {
    const auto* words = std::get_if<Words>(&value);
    if (words == nullptr || words->bits.size() != 4 || words->format != format_of<double>()) {
      return false;
    }
    for (int i = 0; i < 4; ++i) out[i] = number_of<double>(words->bits[static_cast<std::size_t>(i)]);
    return true;
  }
};

/// A quad-double as a result: one component, the sum of its four words.
template <>
struct assay::ResultTraits<qd_real> {
  using Number = double;
  static constexpr std::size_t per_component = 4;
  static constexpr std::size_t components(const qd_real&) { return 1; }
  static double word(const qd_real& x, std::size_t i) { return x[static_cast<int>(i)]; }
};

namespace {

using namespace assay;
using oracle::Dyadic;
using oracle::Exact;
using Double = DoubleWord<double>;

Dyadic value_of(const Double& x) { return oracle::exact(x.h) + oracle::exact(x.l); }
Dyadic value_of(const qd_real& x) {
  return oracle::exact(x[0]) + oracle::exact(x[1]) + oracle::exact(x[2]) + oracle::exact(x[3]);
}

dd_real to_qd(const Double& x) { return {x.h, x.l}; }
Double from_qd(const dd_real& x) { return {x._hi(), x._lo()}; }

struct Qd {
  qd_real x;
  static constexpr auto fields() { return std::tuple{field("x", &Qd::x)}; }
};
struct QdQd {
  qd_real x, y;
  static constexpr auto fields() { return std::tuple{field("x", &QdQd::x), field("y", &QdQd::y)}; }
};

// The statements of the library.

constexpr const char* eps_is_generous =
    "the eps of four words is 2^-209 = 8u⁴, and operations that have a fifth word before the renormalization err by "
    "about "
    "half an ulp of the fourth, which is u⁴ only where every word is half an ulp of the one before it";

constexpr auto error_within_eps = [](double eps) { return RelativeBound{oracle::exact(eps), 1}; };

constexpr auto ieee_style =
    theorem({"qd.ieee_style.1", "sums with QD_IEEE_ADD", "|z − exact| ≤ eps·|exact|",
             "QD 2.3.23, qd_config.h, comment on QD_IEEE_ADD: fl(a + b) = (1 + d)(a + b), |d| <= eps; dd_real.h, "
             "qd_real.h: _eps"},
            error_within_eps);
constexpr auto cray_style =
    theorem({"qd.cray_style.1", "sums", "|z − (x + y)| ≤ eps·(|x| + |y|)",
             "QD 2.3.23, qd_config.h, comment on QD_IEEE_ADD: fl(a + b) = (1 + d1)a + (1 + d2)b, |d1|, |d2| <= eps",
             eps_is_generous},
            [](double eps, const Dyadic& magnitudes) {
              return Bound{oracle::exact(eps) * magnitudes, 1};
            });
constexpr auto epsilon_of_type =
    theorem({"qd.epsilon.1", "any operation", "|z − exact| ≤ eps·|exact|",
             "QD 2.3.23, dd_real.h and qd_real.h: _eps, epsilon() of std::numeric_limits", eps_is_generous},
            error_within_eps);
constexpr auto unique_form =
    theorem({"qd.unique_form.1", "results of the library", "every word is the nearest number to itself plus the next",
             "Hida, Li, Bailey, Library for double-double and quad-double arithmetic, 2007, section 3.1: |a(i+1)| <= "
             "ulp(a(i))/2"});

/// Relative error at most the library's own epsilon.
auto within_eps(const BoundedTheorem auto& theorem, double eps) { return within("eps", theorem, eps); }

/// Error at most eps·(|x| + |y|).
auto within_cray(double eps) {
  return within("cray", cray_style, [eps](const auto& bound, const auto& c) {
    return bound(eps, abs(value_of(c.x)) + abs(value_of(c.y)));
  });
}

auto normalised() {
  return satisfies("normalised", unique_form, [](const auto&, const auto& z) {
    using Result = std::remove_cvref_t<decltype(z)>;
    for (std::size_t i = 0; i + 1 < ResultTraits<Result>::per_component; ++i) {
      if (!is_double_word(Double{ResultTraits<Result>::word(z, i), ResultTraits<Result>::word(z, i + 1)})) {
        return false;
      }
    }
    return true;
  });
}

// Double-doubles.

Domain<DwDw<double>> pairs(Box box, bool divide = false) {
  return {.classes = double_word_pair_classes<double>(box),
          .contains =
              [box, divide](const DwDw<double>& c) {
                return is_double_word(c.x) && is_double_word(c.y) && in_box(c.x, box) && in_box(c.y, box) &&
                       !(divide && c.y.h == 0);
              },
          .accepts = "x and y normalised, every non-zero word in 2^" + std::to_string(box.low) + " … 2^" +
                     std::to_string(box.high) + (divide ? ", y ≠ 0" : "")};
}

template <class Op>
Subject<DwDw<double>, Double> dd(Op op) {
  return [op](const Executor&, const DwDw<double>& c) { return from_qd(op(to_qd(c.x), to_qd(c.y))); };
}

template <class Op>
Property<DwDw<double>, Double, Dyadic> dd_add(std::string name, Op op,
                                              std::vector<Claim<DwDw<double>, Double, Dyadic>> claims) {
  return {.name = std::move(name),
          .domain = pairs(add_box(oracle::binary64)),
          .subject = dd(op),
          .reference = [](const DwDw<double>& c) { return value_of(c.x) + value_of(c.y); },
          .claims = std::move(claims),
          .host_only = true};
}

template <class Op>
Property<DwDw<double>, Double, Exact> dd_div(std::string name, Op op,
                                             std::vector<Claim<DwDw<double>, Double, Exact>> claims) {
  return {.name = std::move(name),
          .domain = pairs(quotient_box(oracle::binary64), true),
          .subject = dd(op),
          .reference = [](const DwDw<double>& c) -> Exact { return oracle::quotient(value_of(c.x), value_of(c.y)); },
          .claims = std::move(claims),
          .host_only = true};
}

const Registration default_dd_add{
    dd_add("qd.dd_add", [](const dd_real& x, const dd_real& y) { return x + y; },
           {expected_refuted(within_eps(ieee_style, dd_real::_eps)), within_cray(dd_real::_eps), normalised()})};
const Registration sloppy_dd_add{
    dd_add("qd.dd_sloppy_add", dd_real::sloppy_add,
           {expected_refuted(within_eps(ieee_style, dd_real::_eps)), within_cray(dd_real::_eps), normalised()})};
const Registration ieee_dd_add{
    dd_add("qd.dd_ieee_add", dd_real::ieee_add,
           {within_eps(ieee_style, dd_real::_eps), within("sharp", dw_accurate_add_1, 53), normalised()})};

const Registration dd_mul{Property<DwDw<double>, Double, Dyadic>{
    .name = "qd.dd_mul",
    .domain = pairs(product_box(oracle::binary64)),
    .subject = dd([](const dd_real& x, const dd_real& y) { return x * y; }),
    .reference = [](const DwDw<double>& c) { return value_of(c.x) * value_of(c.y); },
    .claims = {expected_refuted(within_eps(epsilon_of_type, dd_real::_eps)), within("sharp", dw_mul1_1, 53),
               normalised()},
    .host_only = true,
}};

const Registration default_dd_div{dd_div("qd.dd_div", [](const dd_real& x, const dd_real& y) { return x / y; },
                                         {expected_refuted(within_eps(epsilon_of_type, dd_real::_eps)), normalised()})};
const Registration sloppy_dd_div{dd_div("qd.dd_sloppy_div", dd_real::sloppy_div,
                                        {expected_refuted(within_eps(epsilon_of_type, dd_real::_eps)), normalised()})};
const Registration accurate_dd_div{
    dd_div("qd.dd_accurate_div", dd_real::accurate_div, {within_eps(epsilon_of_type, dd_real::_eps), normalised()})};

const Registration dd_sqrt{Property<Dw<double>, Double, Exact>{
    .name = "qd.dd_sqrt",
    .domain = {.classes = double_word_classes<double>({-900, 900}, true),
               .contains =
                   [](const Dw<double>& c) {
                     return is_double_word(c.x) && in_box(c.x, Box{-900, 900}) && c.x.h >= 0;
                   },
               .accepts = "x ≥ 0 normalised, every non-zero word in 2^-900 … 2^900"},
    .subject = [](const Executor&, const Dw<double>& c) { return from_qd(sqrt(to_qd(c.x))); },
    .reference = [](const Dw<double>& c) -> Exact { return oracle::square_root(value_of(c.x)); },
    .claims = {expected_refuted(within_eps(epsilon_of_type, dd_real::_eps)), normalised()},
    .host_only = true,
}};

// Quad-doubles.

/// First words in 2^-100 … 2^100, others down to 2^-400: no product of two words, and no error of one, underflows.
constexpr Box first_words{-100, 100};
constexpr Box later_words{-400, 100};

bool is_quad_double(const qd_real& x) {
  for (int i = 0; i < 3; ++i) {
    if (!is_double_word(Double{x[i], x[i + 1]}) || !in_box(x[i + 1], later_words)) return false;
  }
  return in_box(x[0], first_words);
}

/// Words `from` to 3 of x after those before: each at most half an ulp of the one before, often just below it; the
/// first of them `apart` bits lower.
void draw_tail(Draw& draw, int from, qd_real& x, int apart = 0) {
  for (int i = from; i < 4; ++i) {
    const double before = x[i - 1];
    if (before == 0 || draw.one_in(16)) {
      x[i] = 0;
      continue;
    }
    const int leading =
        parts_of(before).leading() - 54 - (draw.one_in(4) ? draw.between(0, 20) : 0) - (i == from ? apart : 0);
    x[i] = draw_number<double>(draw, Significand::any, leading);
    if (!is_double_word(Double{before, x[i]})) x[i] = negated(x[i]);
  }
}

qd_real draw_quad_double(Draw& draw, int exponent) {
  qd_real x;
  x[0] = draw_number<double>(draw, Significand::any, exponent);
  draw_tail(draw, 1, x);
  return x;
}

Domain<QdQd> quad_pairs(bool divide = false) {
  const auto of_gap = [](int longest) {
    return drawn<QdQd>([longest](Draw& draw) {
      const int exponent = draw.between(-20, 20);
      const qd_real x = draw_quad_double(draw, exponent);
      return QdQd{x, draw_quad_double(draw, exponent - draw.between(0, longest))};
    });
  };
  const auto cancelling = [](int words, int apart) {
    return drawn<QdQd>([words, apart](Draw& draw) {
      const qd_real x = draw_quad_double(draw, draw.between(-20, 20));
      qd_real y;
      for (int i = 0; i < words; ++i) y[i] = -x[i];
      draw_tail(draw, words, y, draw.between(0, apart));
      return QdQd{x, y};
    });
  };
  return {
      .classes = {{"gap 0…3", 3, of_gap(3)},
                  {"gap 0…60", 3, of_gap(60)},
                  {"first words cancel", 2, cancelling(1, 0)},
                  {"two words cancel", 2, cancelling(2, 0)},
                  {"two words cancel, the others far apart", 2, cancelling(2, 110)},
                  {"three words cancel", 1, cancelling(3, 0)},
                  {"full range", 1, drawn<QdQd>([](Draw& draw) {
                     const qd_real x = draw_quad_double(draw, draw.between(-100, 100));
                     return QdQd{x, draw_quad_double(draw, draw.between(-100, 100))};
                   })}},
      .contains =
          [divide](const QdQd& c) { return is_quad_double(c.x) && is_quad_double(c.y) && !(divide && c.y[0] == 0); },
      .accepts = std::string("x and y normalised, first words 0 or in 2^-100 … 2^100, no word below 2^-400") +
                 (divide ? ", y ≠ 0" : "")};
}

template <class Op>
Subject<QdQd, qd_real> qd_subject(Op op) {
  return [op](const Executor&, const QdQd& c) { return op(c.x, c.y); };
}

template <class Op>
Property<QdQd, qd_real, Dyadic> qd_add(std::string name, Op op, std::vector<Claim<QdQd, qd_real, Dyadic>> claims) {
  return {.name = std::move(name),
          .domain = quad_pairs(),
          .subject = qd_subject(op),
          .reference = [](const QdQd& c) { return value_of(c.x) + value_of(c.y); },
          .claims = std::move(claims),
          .host_only = true};
}
template <class Op>
Property<QdQd, qd_real, Dyadic> qd_mul(std::string name, Op op, std::vector<Claim<QdQd, qd_real, Dyadic>> claims) {
  return {.name = std::move(name),
          .domain = quad_pairs(),
          .subject = qd_subject(op),
          .reference = [](const QdQd& c) { return value_of(c.x) * value_of(c.y); },
          .claims = std::move(claims),
          .host_only = true};
}
template <class Op>
Property<QdQd, qd_real, Exact> qd_div(std::string name, Op op, std::vector<Claim<QdQd, qd_real, Exact>> claims) {
  return {.name = std::move(name),
          .domain = quad_pairs(true),
          .subject = qd_subject(op),
          .reference = [](const QdQd& c) -> Exact { return oracle::quotient(value_of(c.x), value_of(c.y)); },
          .claims = std::move(claims),
          .host_only = true};
}

using BinaryQd = qd_real (*)(const qd_real&, const qd_real&);

const Registration default_qd_add{qd_add("qd.qd_add", [](const qd_real& x, const qd_real& y) { return x + y; },
                                         {expected_refuted(within_eps(ieee_style, qd_real::_eps)),
                                          within_cray(qd_real::_eps), expected_refuted(normalised())})};
const Registration sloppy_qd_add{qd_add("qd.qd_sloppy_add", qd_real::sloppy_add,
                                        {expected_refuted(within_eps(ieee_style, qd_real::_eps)),
                                         within_cray(qd_real::_eps), expected_refuted(normalised())})};
const Registration ieee_qd_add{
    qd_add("qd.qd_ieee_add", qd_real::ieee_add,
           {expected_refuted(within_eps(ieee_style, qd_real::_eps)), expected_refuted(normalised())})};
const Registration default_qd_mul{qd_mul("qd.qd_mul", [](const qd_real& x, const qd_real& y) { return x * y; },
                                         {within_eps(epsilon_of_type, qd_real::_eps), expected_refuted(normalised())})};
const Registration sloppy_qd_mul{qd_mul("qd.qd_sloppy_mul", qd_real::sloppy_mul,
                                        {within_eps(epsilon_of_type, qd_real::_eps), expected_refuted(normalised())})};
const Registration accurate_qd_mul{
    qd_mul("qd.qd_accurate_mul", qd_real::accurate_mul,
           {within_eps(epsilon_of_type, qd_real::_eps), expected_refuted(normalised())})};
const Registration default_qd_div{
    qd_div("qd.qd_div", [](const qd_real& x, const qd_real& y) { return x / y; },
           {expected_refuted(within_eps(epsilon_of_type, qd_real::_eps)), expected_refuted(normalised())})};
const Registration sloppy_qd_div{
    qd_div("qd.qd_sloppy_div", static_cast<BinaryQd>(qd_real::sloppy_div),
           {expected_refuted(within_eps(epsilon_of_type, qd_real::_eps)), expected_refuted(normalised())})};
const Registration accurate_qd_div{
    qd_div("qd.qd_accurate_div", static_cast<BinaryQd>(qd_real::accurate_div),
           {within_eps(epsilon_of_type, qd_real::_eps), expected_refuted(normalised())})};

const Registration qd_sqrt{Property<Qd, qd_real, Exact>{
    .name = "qd.qd_sqrt",
    .domain = {.classes = {{"centre", 3, drawn<Qd>([](Draw& draw) {
                              const qd_real x = draw_quad_double(draw, draw.between(-3, 3));
                              return Qd{x[0] < 0 ? -x : x};
                            })},
                           {"full range", 1, drawn<Qd>([](Draw& draw) {
                              const qd_real x = draw_quad_double(draw, draw.between(-100, 100));
                              return Qd{x[0] < 0 ? -x : x};
                            })}},
               .contains = [](const Qd& c) { return is_quad_double(c.x) && c.x[0] >= 0; },
               .accepts = "x ≥ 0 normalised, first word 0 or in 2^-100 … 2^100, no word below 2^-400"},
    .subject = [](const Executor&, const Qd& c) { return sqrt(c.x); },
    .reference = [](const Qd& c) -> Exact { return oracle::square_root(value_of(c.x)); },
    .claims = {within_eps(epsilon_of_type, qd_real::_eps), expected_refuted(normalised())},
    .host_only = true,
}};

}  // namespace
