// copysign and nextafter, as a foreign function computes them: docs/bounds/two_numbers.md.

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arith/float/small_float.hpp"
#include "errorbounds/two_numbers_theorems.hpp"
#include "properties/contracts/arrays.hpp"
#include "properties/framework/enumeration.hpp"
#include "properties/framework/hard_cases.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts::two_numbers {
namespace {

using oracle::Dyadic;
using oracle::Format;

bool is_zero(const Format& of, std::uint64_t x) { return (x & ~of.sign_mask()) == 0; }

/// The pattern of copysign(x, y).
std::uint64_t with_sign_of(const Format& of, std::uint64_t x, std::uint64_t y) {
  if (oracle::is_nan(of, x)) return of.nan();
  return (x & ~of.sign_mask()) | (y & of.sign_mask());
}

/// The pattern of nextafter(x, y), by the order of patterns.
std::uint64_t next_after(const Format& of, std::uint64_t x, std::uint64_t y) {
  if (oracle::is_nan(of, x) || oracle::is_nan(of, y)) return of.nan();
  const auto is_negative = [&](std::uint64_t z) { return (z & of.sign_mask()) != 0; };
  if (x == y || (is_zero(of, x) && is_zero(of, y))) return y;
  if (is_zero(of, x)) return (y & of.sign_mask()) | 1U;
  const bool has_one_sign = is_negative(x) == is_negative(y);
  // Magnitudes grow where y lies beyond x on the same side of 0.
  const bool grows = has_one_sign && (y & ~of.sign_mask()) > (x & ~of.sign_mask());
  return grows ? x + 1 : x - 1;
}

/// A function with the contract for all patterns, and the weaker one.
struct Function {
  const char* name;
  const char* computes;
  std::uint64_t (*pattern)(const Format&, std::uint64_t, std::uint64_t);
  const Theorem<NoBound>* all;
  const char* weaker_id;
  const Theorem<NoBound>* weaker;
  bool is_of_any_zero;  ///< the weaker contract: a zero may have either sign; else it is for numbers alone
};
constexpr Function functions[] = {{"copysign", "x with the sign of y, of n pairs of numbers", with_sign_of,
                                   &two_numbers_copysign_1, "numbers", &two_numbers_copysign_2, false},
                                  {"nextafter", "the number next to x on the side of y, of n pairs of numbers",
                                   next_after, &two_numbers_nextafter_1, "any_zero", &two_numbers_nextafter_2, true}};

template <class T>
std::uint64_t due(const Function& function, const Pair<T>& c) {
  return function.pattern(format_of<T>(), bits_of(c.a), bits_of(c.b));
}

/// Whether the result is that pattern; a NaN stands for every NaN.
template <class T>
bool is_due(std::uint64_t pattern, const T& result, bool is_of_any_zero) {
  const Format format = format_of<T>();
  const std::uint64_t got = bits_of(result);
  if (oracle::is_nan(format, pattern)) return oracle::is_nan(format, got);
  return got == pattern || (is_of_any_zero && is_zero(format, got) && is_zero(format, pattern));
}

template <class T>
std::vector<Claim<Pair<T>, T, Dyadic>> claims_of(const Function& function) {
  const auto claim = [&](const char* id, const Theorem<NoBound>& theorem, bool is_of_any_zero) {
    return satisfies(id, theorem, [function, is_of_any_zero](const Pair<T>& c, const Dyadic&, const T& result) {
      const std::uint64_t pattern = due(function, c);
      if (is_due(pattern, result, is_of_any_zero)) return true;
      if (!oracle::is_finite(format_of<T>(), pattern)) {
        remark_due(oracle::is_nan(format_of<T>(), pattern), oracle::is_negative(format_of<T>(), pattern));
      } else if (is_zero(format_of<T>(), pattern)) {
        remark(std::string("the sign of the zero should be ") +
               (oracle::is_negative(format_of<T>(), pattern) ? "negative" : "positive"));
      }
      return false;
    });
  };
  std::vector<Claim<Pair<T>, T, Dyadic>> claims{claim("exact", *function.all, false),
                                                claim(function.weaker_id, *function.weaker, function.is_of_any_zero)};
  if (!function.is_of_any_zero) {
    claims.back().info.preconditions = "neither is NaN";
    claims.back().applies = [](const Pair<T>& c) { return !is_nan(c.a) && !is_nan(c.b); };
  }
  return claims;
}

/// Every pattern is a case.
template <class T>
Domain<Pair<T>> pairs(bool is_enumerated) {
  using Case = Pair<T>;
  Domain<Case> domain{.classes = {},
                      .contains = [](const Case&) { return true; },
                      .accepts = std::string("every pair of patterns of ") + FloatTraits<T>::name};
  if constexpr (2 * format_of<T>().width() <= 32) {
    if (is_enumerated) {
      domain.enumeration = every_pattern<Case, T>();
      return domain;
    }
  }
  constexpr int unused = 64 - format_of<T>().width();
  domain.classes = sum_pair_classes<T>(full_box<T>());
  domain.classes.push_back({"any patterns", 4, drawn<Case>([](Draw& draw) {
                              return Case{number_of<T>(draw.word() >> unused), number_of<T>(draw.word() >> unused)};
                            })});
  domain.classes.push_back({"neighbors", 4, drawn<Case>([](Draw& draw) {
                              const T a = number_of<T>(draw.word() >> unused);
                              return Case{a, is_finite(a) ? stepped(a, draw.between(-2, 2)) : a};
                            })});
  domain.classes.push_back({"special values", 4, drawn<Case>([](Draw& draw) {
                              const T a = draw_special<T>(draw);
                              return Case{a, draw.one_in(4) ? negated(a) : draw_special<T>(draw)};
                            })});
  domain.classes.push_back(special_class<T, Case>());
  return domain;
}

template <class T>
Answers<T> answers_of(const Function& function, const Pair<T>& c) {
  const std::uint64_t one = oracle::round(Dyadic(1), format_of<T>(), oracle::Rounding::nearest);
  return {.one = number_of<T>(one),
          .nan = number_of<T>(format_of<T>().nan()),
          .first_term = c.b,
          .copy = c.a,
          .unwritten = unwritten_number<T>(),
          .right = number_of<T>(due(function, c))};
}

template <class T>
std::unique_ptr<PropertyModel> property_of(const Function& function, const Question& question,
                                           const ForeignKernel& kernel) {
  using Case = Pair<T>;
  refuse_shapes(question, function.name);
  auto claims = claims_of<T>(function);
  for (auto& each : claims) each.info.is_open = question.is_open;
  return std::make_unique<TypedModel<Case, T, Dyadic>>(Property<Case, T, Dyadic>{
      .name = question.family + "." + function.name + format_suffix<T>(),
      .domain = pairs<T>(question.is_exhaustive),
      .subject = elementwise_subject<T, Case>(kernel, [function](const Case& c) { return answers_of(function, c); }),
      .reference =
          [function](const Case& c) {
            const T right = number_of<T>(due(function, c));
            return is_finite(right) ? value_of(right) : Dyadic();
          },
      .claims = std::move(claims),
      .quick_cases = 10000,
      .host_only = true});
}

template <std::size_t index>
std::unique_ptr<PropertyModel> property(const Question& question, const ForeignKernel& kernel) {
  if (question.format == "f64") return property_of<double>(functions[index], question, kernel);
  if (question.format == "f32") return property_of<float>(functions[index], question, kernel);
  if (question.format == "f16") return property_of<binary16>(functions[index], question, kernel);
  if (question.format == "bf16") return property_of<bfloat16>(functions[index], question, kernel);
  throw std::invalid_argument("no format " + question.format);
}

template <std::size_t index>
OperationRegistration registration() {
  const Function& function = functions[index];
  return OperationRegistration(
      {function.name,
       function.computes,
       {"f64", "f32", "f16", "bf16"},
       {{CallForm::plain, "void f(size_t n, const T* x, const T* y, T* z)"}},
       {{"exact", &function.all->words, {}, {function.weaker_id}}, {function.weaker_id, &function.weaker->words}},
       property<index>});
}

const OperationRegistration all[] = {registration<0>(), registration<1>()};

}  // namespace
}  // namespace assay::contracts::two_numbers
