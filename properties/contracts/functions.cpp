// Elementary functions of one number, as a foreign function computes them.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arith/float/small_float.hpp"
#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/elementary_theorems.hpp"
#include "properties/contracts/arrays.hpp"
#include "properties/contracts/claims.hpp"
#include "properties/contracts/controls.hpp"
#include "properties/contracts/function_shapes.hpp"
#include "properties/contracts/inputs.hpp"
#include "properties/contracts/neighbours.hpp"
#include "properties/draws/sum/exact_sums.hpp"
#include "properties/framework/enumeration.hpp"
#include "properties/framework/hard_cases.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts::functions {
namespace {

using oracle::Dyadic;
using oracle::Elementary;
using oracle::Exact;
using sum::detail::nearest;

/// The numbers k of the contracts ulp_k and steps_k, and those of ulp_k_ftz.
constexpr std::array most{1, 2, 4, 8, 16, 64};
constexpr std::array most_flushed{2, 8, 64};
std::string numbered(const char* id, int k) { return id + std::to_string(k); }
std::string flushed(int k) { return numbered("ulp_", k) + "_ftz"; }
/// c of the contract ulp_4_plus_cx. Where f16 has normal results, 4 + c|x| is at most 40. binary32 and binary64 have
/// room for more ulps; bfloat16 has none for its own (elementary.linear.1).
std::string linear(int slope) { return "ulp_4_plus_" + std::to_string(slope) + "x"; }
constexpr int most_linear = 40;
std::string instance_of(int k) { return "k = " + std::to_string(k); }
const char* parity_id(Parity parity) { return parity == Parity::odd ? "odd" : "even"; }

template <class T>
constexpr oracle::Format format = format_of<T>();

/// Whether k ulps are at most an eighth of a number: more would accept a kernel that returns x for √x. In bfloat16 64
/// are half of it.
constexpr bool tells_apart(int k, const oracle::Format& of) { return k <= 1 << std::min(of.precision - 4, 16); }
/// The formats of a contract of k ulps; empty for all.
std::vector<std::string> formats_of(int k) {
  return tells_apart(k, oracle::bfloat16) ? std::vector<std::string>{} : std::vector<std::string>{"f64", "f32", "f16"};
}

/// x·kπ/2 for a k of up to 40 bits, or a neighbour.
template <class T>
T draw_near_quarter_turn(Draw& draw) {
  static const Dyadic half_pi = std::get<oracle::Enclosure>(oracle::elementary(Elementary::acos, 0)).at(128).lower();
  const auto k = static_cast<std::int64_t>(1 + (draw.word() >> (24 + draw.below(40))));
  const T x = nearest<T>(Dyadic(draw.coin() ? k : -k) * half_pi);
  return is_finite(x) ? stepped(x, draw.between(-1, 1)) : T{};
}

/// A number next to an edge of the function.
template <class T>
T draw_near_edge(Draw& draw, const std::vector<double>& all) {
  const T edge = nearest<T>(oracle::exact(all[draw.below(all.size())]));
  const int steps = static_cast<int>(draw.word() >> (48 + draw.below(15)));
  return is_finite(edge) ? stepped(edge, draw.coin() ? steps : -steps) : T{};
}

/// Whether all inputs can be asked, and whether they always are.
template <class T>
constexpr bool has_numbered_patterns = format<T>.width() <= 32;
template <class T>
constexpr bool has_few_patterns = format<T>.width() <= 16;

/// Every pattern, one by one where `enumerated`.
template <class T>
Domain<Single<T>> function_domain(Elementary function, bool enumerated) {
  Domain<Single<T>> domain{.classes = {},
                           .contains = [](const Single<T>&) { return true; },
                           .accepts = std::string("every pattern of ") + FloatTraits<T>::name};
  if constexpr (has_numbered_patterns<T>) {
    if (enumerated) {
      domain.enumeration = every_pattern<Single<T>, T>();
      return domain;
    }
  }
  const bool is_periodic = function == Elementary::sin || function == Elementary::cos || function == Elementary::tan;
  domain.classes = number_classes<T>(full_box<T>());
  domain.classes.push_back({"any pattern", 4, drawn<Single<T>>([](Draw& draw) {
                              return Single<T>{number_of<T>(draw.word() >> (64 - format<T>.width()))};
                            })});
  domain.classes.push_back({"next to an edge", 4, drawn<Single<T>>([all = edges(function, format<T>)](Draw& draw) {
                              return Single<T>{draw_near_edge<T>(draw, all)};
                            })});
  if (is_periodic) {
    domain.classes.push_back({"next to a multiple of π/2", 4,
                              drawn<Single<T>>([](Draw& draw) { return Single<T>{draw_near_quarter_turn<T>(draw)}; })});
  }
  domain.classes.push_back(special_class<T, Single<T>>());
  return domain;
}

/// A number of T as C passes it.
template <class T>
struct AsInC {
  using Type = T;
};
#if defined(__FLT16_MANT_DIG__)
__extension__ typedef _Float16 CHalf;
template <>
struct AsInC<binary16> {
  using Type = CHalf;
};
#endif

/// f(x) for each x, one call each.
template <class T>
std::vector<T> call_one_by_one(const ForeignKernel& kernel, std::span<const Single<T>> cases) {
  using Type = typename AsInC<T>::Type;
  std::vector<T> results;
  for (const Single<T>& each : cases) {
    results.push_back(std::bit_cast<T>(function<Type(Type)>(kernel)(std::bit_cast<Type>(each.a))));
  }
  return results;
}

/// The real value rounded; a NaN where there is none.
template <class T>
T rounded_value(Elementary function, T x) {
  if (!has_real_value(function, format<T>, bits_of(x))) return number_of<T>(format<T>.nan());
  return number_of<T>(real_value(function, format<T>, bits_of(x)).nearest);
}

/// x with its leading bit alone: the first term of x as a sum of powers of two.
template <class T>
T leading_bit(T x) {
  if (!is_finite(x) || value_of(x).is_zero()) return x;
  const Dyadic value = value_of(x);
  return nearest<T>(Dyadic::scaled(value.sign(), value.exponent()));
}

template <class T>
Answers<T> answers_of(Elementary function, T x) {
  return {.one = nearest<T>(Dyadic(1)),
          .nan = number_of<T>(format<T>.nan()),
          .first_term = rounded_value(function, leading_bit(x)),
          .copy = x,
          .unwritten = unwritten_number<T>(),
          .right = rounded_value(function, x)};
}

template <class T, class Run>
T run_once(const Run& run, T x) {
  const Single<T> c{x};
  return run_fenced(run, Executor::host(), std::span<const Single<T>>(&c, 1)).front();
}

/// The claims in the order of contracts_of().
template <class T, class Run>
std::vector<Claim<Single<T>, T, Exact>> claims_of(const FunctionShape& shape, const Run& run) {
  using Case = Single<T>;
  using FunctionClaim = Claim<Case, T, Exact>;
  const auto is_bounded = [f = shape.function](T x) {
    return has_real_value(f, format<T>, bits_of(x)) &&
           oracle::is_finite(format<T>, real_value(f, format<T>, bits_of(x)).nearest);
  };
  const auto bounded = [&](auto claim) {
    return or_undecided(FunctionClaim(when(
        "x with a real value that rounds to a finite number", [is_bounded](const Case& c) { return is_bounded(c.a); },
        std::move(claim))));
  };
  std::vector<FunctionClaim> claims{
      bounded(nearest_with_any_zero<T>("correctly_rounded", contract_correctly_rounded_1)),
      bounded(faithful("faithful", contract_faithful_1))};
  const auto numbered_claim = [&](const char* id, int k, const auto& theorem, auto judge) {
    return bounded(of_instance(instance_of(k),
                               claim_spec(numbered(id, k), theorem,
                                          [k, judge, f = shape.function](const Case& c, const Exact&, const T& result) {
                                            const RealValue& r = real_value(f, format<T>, bits_of(c.a));
                                            return judge(bits_of(result), r, format<T>, k);
                                          })));
  };
  const auto numbers_of = [](const auto& all) {
    return all | std::views::filter([](int k) { return tells_apart(k, format<T>); });
  };
  for (const int k : numbers_of(most)) claims.push_back(numbered_claim("ulp_", k, elementary_ulps_1, judge_ulps));
  for (const int k : numbers_of(most)) claims.push_back(numbered_claim("steps_", k, elementary_steps_1, judge_steps));
  const auto flushed_claim = [&](const std::string& id, const std::string& instance, const auto& theorem, int k,
                                 int slope) {
    claims.push_back(bounded(
        of_instance(instance, claim_spec(id, theorem, [k, slope, shape](const Case& c, const Exact&, const T& result) {
                      return judge_flushed(shape, format<T>, bits_of(c.a), bits_of(result), k, slope);
                    }))));
  };
  for (const int k : numbers_of(most_flushed)) flushed_claim(flushed(k), instance_of(k), elementary_flush_1, k, 0);
  if (shape.slope != 0 && tells_apart(most_linear, format<T>)) {
    flushed_claim(linear(shape.slope), "c = " + std::to_string(shape.slope), elementary_linear_1, 4, shape.slope);
  }
  claims.push_back(or_undecided(FunctionClaim(
      satisfies("special_values", elementary_specials_1, [shape](const Case& c, const Exact&, const T& result) {
        if (keeps_special_values(shape, format<T>, bits_of(c.a), bits_of(result))) return true;
        const std::string due = due_special_value(shape, format<T>, bits_of(c.a));
        if (!due.empty()) remark(due + is_due);
        return false;
      }))));
  if (shape.parity != Parity::none) {
    claims.push_back(when(
        "x with a real value that rounds to a finite number", [is_bounded](const Case& c) { return is_bounded(c.a); },
        satisfies(parity_id(shape.parity), shape.parity == Parity::odd ? elementary_odd_1 : elementary_even_1,
                  [run, is_odd = shape.parity == Parity::odd](const Case& c, const Exact&, const T& result) {
                    const T other = run_once(run, negated(c.a));
                    if (same_bits(result, is_odd ? negated(other) : other)) return true;
                    remark("for -x it returns " + text_of(other));
                    return false;
                  })));
  }
  // Last, because it asks for the value of another number.
  if (shape.growth != Growth::none) {
    claims.push_back(when(
        "x and the next number with real values that round to finite numbers",
        [is_bounded](const Case& c) { return is_bounded(c.a) && is_bounded(next_larger(c.a)); },
        satisfies("monotone", elementary_monotone_1,
                  [run, grows = shape.growth == Growth::increasing](const Case& c, const Exact&, const T& result) {
                    const T next = run_once(run, next_larger(c.a));
                    if (!is_nan(result) && !is_nan(next) &&
                        (grows ? place_of(result) <= place_of(next) : place_of(result) >= place_of(next))) {
                      return true;
                    }
                    remark("for the next number it returns " + text_of(next));
                    return false;
                  })));
  }
  return claims;
}

/// Whether a result tells that subnormal numbers are flushed. The other functions have no subnormal value, and their
/// value for a subnormal number is within u of that for 0, or there is none.
bool shows_flushing(oracle::Elementary f) {
  using enum oracle::Elementary;
  return f != cos && f != cosh && f != acos && f != acosh;
}

std::vector<Contract> contracts_of(const FunctionShape& shape) {
  std::vector<Contract> contracts{
      {"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful"}},
      {"faithful", &contract_faithful_1.words, {}, {numbered("ulp_", most.front()), numbered("steps_", most.front())}}};
  const auto add_ladder = [&](const char* id, const TheoremWords& words) {
    for (std::size_t i = 0; i < most.size(); ++i) {
      contracts.push_back({numbered(id, most[i]), &words, instance_of(most[i]), {}, true, formats_of(most[i])});
      if (i + 1 < most.size()) contracts.back().implies.push_back(numbered(id, most[i + 1]));
    }
  };
  add_ladder("ulp_", elementary_ulps_1.words);
  add_ladder("steps_", elementary_steps_1.words);
  const auto also = [&](const std::string& id, const std::string& implied) {
    std::ranges::find(contracts, id, &Contract::id)->implies.push_back(implied);
  };
  for (std::size_t i = 0; i < most_flushed.size(); ++i) {
    const int k = most_flushed[i];
    contracts.push_back({flushed(k), &elementary_flush_1.words, instance_of(k), {}, true, formats_of(k)});
    contracts.back().is_rung = shows_flushing(shape.function);
    also(numbered("ulp_", k), flushed(k));
    if (i != 0) also(flushed(most_flushed[i - 1]), flushed(k));
  }
  if (shape.slope != 0) {
    contracts.push_back({linear(shape.slope),
                         &elementary_linear_1.words,
                         "c = " + std::to_string(shape.slope),
                         {},
                         true,
                         formats_of(most_linear)});
    also("ulp_4", linear(shape.slope));
    also(flushed(2), linear(shape.slope));
  }
  const auto add_structure = [&](const char* id, const TheoremWords& words) {
    contracts.push_back({id, &words, {}, {}, false});
    const bool has_signs_of_zero = &words == &elementary_specials_1.words || &words == &elementary_odd_1.words;
    if (!has_signs_of_zero) contracts.front().implies.emplace_back(id);
  };
  add_structure("special_values", elementary_specials_1.words);
  if (shape.parity == Parity::odd) add_structure("odd", elementary_odd_1.words);
  if (shape.parity == Parity::even) add_structure("even", elementary_even_1.words);
  if (shape.growth != Growth::none) add_structure("monotone", elementary_monotone_1.words);
  return contracts;
}

template <class T>
std::unique_ptr<PropertyModel> property_of(const FunctionShape& shape, const Question& question,
                                           const ForeignKernel& kernel) {
  using Case = Single<T>;
  const Elementary f = shape.function;
  refuse_shapes(question, shape.name);
  const auto with_arrays = elementwise_subject<T, Case>(kernel, [f](const Case& c) { return answers_of(f, c.a); });
  const auto run = [kernel, with_arrays](const Executor& on, std::span<const Case> cases) {
    const bool is_of_libm = kernel.function != nullptr && kernel.form == CallForm::libm;
    return is_of_libm ? call_one_by_one<T>(kernel, cases) : with_arrays(on, cases);
  };
  std::vector<Claim<Case, T, Exact>> claims = claims_of<T>(shape, run);
  for (auto& each : claims) each.info.is_open = question.is_open;
  return std::make_unique<TypedModel<Case, T, Exact>>(Property<Case, T, Exact>{
      .name = question.family + "." + shape.name + format_suffix<T>(),
      .domain = function_domain<T>(f, has_few_patterns<T> || question.is_exhaustive),
      .subject = run,
      .reference =
          [f](const Case& c) {
            return has_real_value(f, format<T>, bits_of(c.a)) ? real_value(f, format<T>, bits_of(c.a)).value
                                                              : Exact(Dyadic());
          },
      .claims = std::move(claims),
      .inexact =
          [f](const Case& c, const Exact& truth, const T& result) {
            if (!has_real_value(f, format<T>, bits_of(c.a))) return false;
            return std::holds_alternative<oracle::Enclosure>(truth) || !is_finite(result) ||
                   judge_exact(value_of(result), truth).verdict != Verdict::holds;
          },
      .quick_cases = 10000,
      .host_only = true});
}

template <std::size_t index>
std::unique_ptr<PropertyModel> property(const Question& question, const ForeignKernel& kernel) {
  constexpr const FunctionShape& shape = function_shapes[index];
  static_assert(shape.function == static_cast<Elementary>(index));
  if (question.format == "f64") return property_of<double>(shape, question, kernel);
  if (question.format == "f32") return property_of<float>(shape, question, kernel);
  if (question.format == "f16") return property_of<binary16>(shape, question, kernel);
  if (question.format == "bf16") return property_of<bfloat16>(shape, question, kernel);
  throw std::invalid_argument("no format " + question.format);
}

template <std::size_t index>
OperationRegistration registration() {
  const FunctionShape& shape = function_shapes[index];
  const std::string name = shape.name;
  return OperationRegistration({name,
                                std::string(shape.computes) + " of each of n numbers",
                                {"f64", "f32", "f16", "bf16"},
                                {{CallForm::plain, "void f(size_t n, const T* x, T* y)"},
                                 {CallForm::libm, "T " + name + "(T x), in f32 " + name + "f, in f16 " + name +
                                                      "f16, and each with cr_ in front"}},
                                contracts_of(shape),
                                property<index>});
}

template <std::size_t... index>
std::array<OperationRegistration, sizeof...(index)> registrations(std::index_sequence<index...>) {
  return {registration<index>()...};
}

const auto all = registrations(std::make_index_sequence<function_shapes.size()>());

}  // namespace
}  // namespace assay::contracts::functions
