// Sums, products, quotients and roots of double words, as a foreign function computes them.

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "properties/contracts/arrays.hpp"
#include "properties/contracts/left_out.hpp"
#include "properties/contracts/neighbours.hpp"
#include "properties/draws/dw/double_words.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts::double_words {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Exact;

template <class T>
constexpr int precision = FloatTraits<T>::precision;

/// zl = RN(r − zh), a zero of either sign: r lies between the middles of h + l and its neighbours h + l⁻ and h + l⁺,
/// and on one only where l is even.
template <class T>
bool is_nearest_rest(const Exact& r, const DoubleWord<T>& z) {
  const auto middle = [&](T neighbour) {
    Dyadic half = value_of(z.l) + value_of(neighbour);
    return value_of(z.h) + half.mul_2exp(-1);
  };
  const bool is_even = bits_of(z.l) % 2 == 0;
  const auto below = oracle::compare(r, middle(next_smaller(z.l)));
  const auto above = oracle::compare(r, middle(next_larger(z.l)));
  return (is_even ? below >= 0 : below > 0) && (is_even ? above <= 0 : above < 0);
}

template <class Case, class T>
Claim<Case, DoubleWord<T>, Exact> nearest_words_claim() {
  return claim_spec(
      "correctly_rounded", contract_nearest_words_1, [](const Case&, const Exact& r, const DoubleWord<T>& z) {
        constexpr oracle::Format format = format_of<T>();
        if (!is_finite(z.l)) return Judgement::fail();
        const Judgement first = judge_rounded(bits_of(z.h), r, format, oracle::Rounding::nearest,
                                              {.negative_zero = oracle::is_negative(format, bits_of(z.h))});
        return first.verdict == Verdict::violated ? first : Judgement::of(is_nearest_rest(r, z));
      });
}

/// An operation on double words: its domain, the exact result, and the claims about its error.
template <class Operands, class T>
struct WordOperation {
  using Case = Operands;
  const char* name;
  Domain<Case> domain;
  Exact (*truth)(const Case&);
  std::vector<Claim<Case, DoubleWord<T>, Exact>> error_claims;
};

/// The domain, with a class whose x is often 0: algorithms divide by a root, or by a number that is computed from x.
template <class Case>
Domain<Case> with_zeros(Domain<Case> domain) {
  const auto others = domain.classes.front().generator;
  domain.classes.push_back({"x is often 0", 1, drawn<Case>([others](Draw& draw) {
                              Case c = others(rc::Random(draw.word()));
                              if (draw.below(2) == 0) c.x = {};
                              return c;
                            })});
  return domain;
}

constexpr auto of_add = []<class T>(T) {
  return WordOperation<DwDw<T>, T>{
      "dw_add",
      dw::double_word_pairs<T>(add_box(format_of<T>())),
      [](const DwDw<T>& c) { return Exact(dw::sum_of(c)); },
      {within("accurate", dw_accurate_add_1, precision<T>),
       within("sloppy", dw_sloppy_add_1,
              [](const auto& bound, const DwDw<T>& c) { return bound(precision<T>, dw::magnitudes_of(c)); }),
       when("xh and yh have the same sign", dw::have_same_sign<T>,
            within("sloppy_same_sign", dw_sloppy_add_2, precision<T>))}};
};
constexpr auto of_mul = []<class T>(T) {
  return WordOperation<DwDw<T>, T>{"dw_mul",
                                   dw::double_word_pairs<T>(product_box(format_of<T>())),
                                   [](const DwDw<T>& c) { return Exact(dw::product_of(c)); },
                                   {within("mul3", dw_mul3_1, precision<T>), within("mul1", dw_mul1_1, precision<T>),
                                    within("mul2", dw_mul2_1, precision<T>)}};
};
constexpr auto of_div = []<class T>(T) {
  return WordOperation<DwDw<T>, T>{
      "dw_div",
      with_zeros(dw::divisor_not_zero(dw::double_word_pairs<T>(reciprocal_quotient_box(format_of<T>())))),
      dw::quotient_of<DwDw<T>>,
      {within("div3", dw_div3_1, precision<T>), within("div2", dw_div2_1, precision<T>)}};
};
constexpr auto of_sqrt = []<class T>(T) {
  return WordOperation<Dw<T>, T>{"dw_sqrt",
                                 with_zeros(dw::radicands<T>(sqrt_box(format_of<T>()))),
                                 dw::root_of<Dw<T>>,
                                 {within("sqrt", dw_sqrt_1, precision<T>)}};
};

/// A number so near to r that both round to the same double word, or nearly.
Dyadic near_to(const Exact& r) {
  constexpr long bits = 256;
  if (const auto* dyadic = std::get_if<Dyadic>(&r)) return *dyadic;
  if (const auto* rational = std::get_if<oracle::Rational>(&r)) return Ball(*rational, bits).lower();
  return oracle::sqrt(Ball(std::get<oracle::SquareRoot>(r).square, bits), bits).lower();
}

/// Whether the result needs its second word, or is not r.
template <class T>
bool is_inexact(const Exact& r, const DoubleWord<T>& z) {
  Dyadic value;
  return bits_of(abs(z.l)) != 0 || !component_value(z, 0, value) || judge_exact(value, r).verdict != Verdict::holds;
}

template <auto of_operation, class T>
std::unique_ptr<PropertyModel> property_of(const Question& question, const ForeignKernel& kernel) {
  auto operation = of_operation(T{});
  refuse_shapes(question, operation.name);
  using Case = typename decltype(operation)::Case;
  using Result = DoubleWord<T>;
  std::vector<Claim<Case, Result, Exact>> claims{nearest_words_claim<Case, T>()};
  for (auto& each : operation.error_claims) claims.push_back(std::move(each));
  claims.push_back(dw::normalised_result());
  for (auto& each : claims) each.info.is_open = question.is_open;
  return std::make_unique<TypedModel<Case, Result, Exact>>(Property<Case, Result, Exact>{
      .name = question.family + "." + operation.name + format_suffix<T>(),
      .domain = std::move(operation.domain),
      .subject = elementwise_subject<Result, Case>(
          kernel, [truth = operation.truth](
                      const Case& c) { return answers_of_words(c.x.h, nearest_words<Result>(near_to(truth(c)))); }),
      .reference = operation.truth,
      .claims = std::move(claims),
      .inexact = [](const Case&, const Exact& r, const Result& z) { return is_inexact(r, z); },
      .host_only = true});
}

template <auto of_operation>
std::unique_ptr<PropertyModel> property(const Question& question, const ForeignKernel& kernel) {
  if (question.format == "f64") return property_of<of_operation, double>(question, kernel);
  if (question.format == "f32") return property_of<of_operation, float>(question, kernel);
  throw std::invalid_argument("no format " + question.format);
}

/// The strongest contract, which implies the ids of `strongest`, those of the algorithms, and that of the structure.
std::vector<Contract> contracts_with(std::vector<std::string> strongest, std::vector<Contract> of_algorithms) {
  std::vector<Contract> contracts{{"correctly_rounded", &contract_nearest_words_1.words, {}, std::move(strongest)}};
  for (Contract& each : of_algorithms) contracts.push_back(std::move(each));
  contracts.push_back({"normalised", &dw_normalized_1.words, {}, {}, false});
  return contracts;
}

const std::vector<std::string> formats{"f64", "f32"};
const std::vector<Signature> of_two{
    {CallForm::plain, "void f(size_t n, const T* xh, const T* xl, const T* yh, const T* yl, T* zh, T* zl)"}};
const std::vector<Signature> of_one{{CallForm::plain, "void f(size_t n, const T* xh, const T* xl, T* zh, T* zl)"}};

const OperationRegistration all[] = {
    OperationRegistration(
        {"dw_add", "x + y of n pairs of double words", formats, of_two,
         contracts_with({"accurate", "sloppy"}, {{"accurate", &dw_accurate_add_1.words},
                                                 {"sloppy", &dw_sloppy_add_1.words, {}, {"sloppy_same_sign"}},
                                                 {"sloppy_same_sign", &dw_sloppy_add_2.words}}),
         property<of_add>}),
    // The bounds of mul1 and mul2, 5u²/(1 + u)² and 5u² of |xy|, differ by 10u³.
    OperationRegistration({"dw_mul", "xy of n pairs of double words", formats, of_two,
                           leaving_out(contracts_with({"mul3"}, {{"mul3", &dw_mul3_1.words, {}, {"mul1"}},
                                                                 {"mul1", &dw_mul1_1.words, {}, {"mul2"}},
                                                                 {"mul2", &dw_mul2_1.words}}),
                                       {"mul2"}),
                           property<of_mul>}),
    OperationRegistration(
        {"dw_div", "x/y of n pairs of double words", formats, of_two,
         contracts_with({"div3"}, {{"div3", &dw_div3_1.words, {}, {"div2"}}, {"div2", &dw_div2_1.words}}),
         property<of_div>}),
    OperationRegistration({"dw_sqrt", "√x of n double words", formats, of_one,
                           contracts_with({"sqrt"}, {{"sqrt", &dw_sqrt_1.words}}), property<of_sqrt>}),
};

}  // namespace
}  // namespace assay::contracts::double_words
