#include "kernels/rns/extended_range.hpp"

#include <string>
#include <utility>

#include "errorbounds/rns_theorems.hpp"
#include "properties/catalog/rns/cases.hpp"
#include "properties/catalog/rns/results.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::rns {

namespace {

using oracle::Dyadic;
using oracle::Exact;

constexpr std::int64_t most_exponent = 100000;  ///< beyond this, exact sums become long

Extended left(const ExtendedPairCase& c) { return {c.a, c.ea}; }
Extended right(const ExtendedPairCase& c) { return {c.b, c.eb}; }
double exponent_gap(const ExtendedPairCase& c) { return static_cast<double>(c.ea - c.eb); }

/// A fraction with its sign.
double draw_fraction(Draw& draw) { return draw_number<double>(draw, Significand::any, 0); }

/// Pairs whose exponents are at most `gap` apart, or exactly that.
InputClass<ExtendedPairCase> apart(std::string name, unsigned weight, int low, int high) {
  return {std::move(name), weight, drawn<ExtendedPairCase>([low, high](Draw& draw) {
            const int gap = draw.between(low, high);
            const std::int64_t e = draw.between(-3000, 3000);
            return ExtendedPairCase{draw_fraction(draw), e, draw_fraction(draw), draw.coin() ? e + gap : e - gap};
          })};
}

Domain<ExtendedPairCase> extended_pairs(bool divides) {
  return {
      .classes =
          {
              apart("gaps 0 … 60", 4, 0, 60),
              apart("gaps 50 … 56, where rounding begins to depend on the sign alone", 3, 50, 56),
              apart("gaps 120 … 135", 2, 120, 135),
              apart("gaps 1000 … 1100, past the range of binary64", 3, 1000, 1100),
              apart("gaps to 5000", 2, 0, 5000),
              apart("gaps to 90 000", 1, 60000, 90000),
              {"cancellation", 3, drawn<ExtendedPairCase>([](Draw& draw) {
                 const double a = draw_fraction(draw);
                 const std::int64_t e = draw.between(-3000, 3000);
                 const double near = stepped(a, draw.between(-3, 3));
                 const double b = abs(near) >= 1 && abs(near) < 2 ? near : a;
                 return ExtendedPairCase{a, e, draw.coin() ? -b : b, e + (draw.one_in(3) ? draw.between(-1, 1) : 0)};
               })},
              {"zeros", 1, drawn<ExtendedPairCase>([divides](Draw& draw) {
                 ExtendedPairCase c{0, 0, draw_fraction(draw), draw.between(-3000, 3000)};
                 if (!divides && draw.coin()) {
                   std::swap(c.a, c.b);
                   std::swap(c.ea, c.eb);
                 }
                 return c;
               })},
          },
      .contains =
          [divides](const ExtendedPairCase& c) {
            const auto fits = [](const Extended& x) {
              return is_extended(x) && x.exponent >= -most_exponent && x.exponent <= most_exponent;
            };
            return fits(left(c)) && fits(right(c)) && !(divides && c.b == 0);
          },
      .features = {{"exponent gap", -1200, 1200, 64, exponent_gap}},
      .accepts = std::string("f·2^e with f = 0 and e = 0, or 1 ≤ |f| < 2 and |e| ≤ ") + std::to_string(most_exponent) +
                 (divides ? ", b ≠ 0" : "")};
}

std::vector<ExtendedPair> inputs_of(std::span<const ExtendedPairCase> cases) {
  std::vector<ExtendedPair> inputs;
  inputs.reserve(cases.size());
  for (const ExtendedPairCase& c : cases) {
    inputs.push_back({left(c), right(c)});
  }
  return inputs;
}

/// The worse of the judgments of both bounds.
template <class Judge>
Judgement both_bounds(const Interval& x, const Judge& judge) {
  Judgement worst = judge(value_of(x.lower), 0);
  worst.worsen(judge(value_of(x.upper), 2));
  return worst;
}

template <class Op>
Registration directed(const std::string& name, const std::string& formula, bool divides,
                      Exact (*reference)(const ExtendedPairCase&)) {
  return Registration(Property<ExtendedPairCase, Interval, Exact>{
      .name = name,
      .domain = extended_pairs(divides),
      .subject = [](const Executor& on,
                    std::span<const ExtendedPairCase> cases) { return elementwise<Op>(on, inputs_of(cases)); },
      .reference = reference,
      .claims = {of_instance("z = " + formula, satisfies("encloses", rns_extended_1,
                                                         [](const ExtendedPairCase&, const Exact& truth,
                                                            const Interval& x) { return judge_encloses(x, truth); })),
                 of_instance("z = " + formula,
                             satisfies("error", rns_extended_2,
                                       [bound = rns_extended_2(53)](const ExtendedPairCase&, const Exact& truth,
                                                                    const Interval& x) {
                                         return both_bounds(x, [&](const Dyadic& got, std::size_t at) {
                                           return judge_within(got, truth, bound, at);
                                         });
                                       }))},
      .inexact = [](const auto&, const auto&, const Interval& x) { return compare(x.lower, x.upper) != 0; }});
}

Registration comparison() {
  return Registration(Property<ExtendedPairCase, double, Dyadic>{
      .name = "rns.extended_compare",
      .domain = extended_pairs(false),
      .subject =
          [](const Executor& on, std::span<const ExtendedPairCase> cases) {
            return elementwise<ExtendedCompare>(on, inputs_of(cases));
          },
      .reference = [](const ExtendedPairCase& c) -> Dyadic { return (value_of(left(c)) - value_of(right(c))).sign(); },
      .claims = {exact("exact", rns_extended_3)},
      .inexact = [](const ExtendedPairCase& c, const auto&, const double&) { return c.ea == c.eb; }});
}

const LateRegistration extended_ranges{
    "rns", [] {
      directed<ExtendedAdd>("rns.extended_add", "a + b", false,
                            [](const ExtendedPairCase& c) -> Exact { return value_of(left(c)) + value_of(right(c)); }),
          directed<ExtendedSub>(
              "rns.extended_sub", "a − b", false,
              [](const ExtendedPairCase& c) -> Exact { return value_of(left(c)) - value_of(right(c)); }),
          directed<ExtendedMul>(
              "rns.extended_mul", "ab", false,
              [](const ExtendedPairCase& c) -> Exact { return value_of(left(c)) * value_of(right(c)); }),
          directed<ExtendedDiv>("rns.extended_div", "a/b", true,
                                [](const ExtendedPairCase& c) -> Exact {
                                  return oracle::quotient(value_of(left(c)), value_of(right(c)));
                                }),
          comparison();
    }};

}  // namespace

}  // namespace assay::rns
