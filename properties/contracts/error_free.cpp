// TwoSum and TwoProd, as a foreign function computes them.

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arith/float/small_float.hpp"
#include "errorbounds/contract_theorems.hpp"
#include "properties/contracts/arrays.hpp"
#include "properties/draws/eft/transforms.hpp"
#include "properties/framework/enumeration.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"

namespace assay::contracts::error_free {
namespace {

using oracle::Dyadic;

/// Both words of the result are finite, and their sum is the truth.
template <class Result>
bool is_exact(const Dyadic& truth, const Result& result) {
  Dyadic value;
  return component_value(result, 0, value) && value == truth;
}

/// An error-free transform: the operation whose error it gives, the domain, and the exact result.
template <class T, class Output>
struct Transform {
  using Result = Output;
  const char* name;
  const char* first_word;
  Domain<Pair<T>> domain;
  Dyadic (*truth)(const Pair<T>&);
  bool has_fast_form;  ///< three operations are enough for operands in order
};
constexpr auto of_two_sum = []<class T>(T) {
  return Transform<T, Sum<T>>{"two_sum", "rounded_sum", eft::two_sum_domain<T>(), eft::exact_sum_of<T>, true};
};
constexpr auto of_two_prod = []<class T>(T) {
  return Transform<T, Product<T>>{"two_prod", "rounded_product", eft::two_prod_domain<T>(), eft::exact_product_of<T>,
                                  false};
};

template <class T, class Result>
std::vector<Claim<Pair<T>, Result, Dyadic>> claims_of(const Transform<T, Result>& transform) {
  using Case = Pair<T>;
  using TransformClaim = Claim<Case, Result, Dyadic>;
  const auto first_word = [&]() -> TransformClaim {
    if constexpr (std::is_same_v<Result, Sum<T>>) {
      return eft::first_word_rounded<op::Operation::add>(transform.first_word, "s = RN(a + b)");
    } else {
      return eft::first_word_rounded<op::Operation::mul>(transform.first_word, "s = RN(ab)");
    }
  }();
  const auto error_free = [rounded = first_word.judge](const Case& c, const Dyadic& truth, const Result& result) {
    return is_exact(truth, result) ? rounded(c, truth, result) : Judgement::fail();
  };
  std::vector<TransformClaim> claims{
      claim_spec("error_free", contract_error_free_1, error_free),
      claim_spec("faithful", contract_error_free_3, [](const Case&, const Dyadic& truth, const Result& result) {
        return is_exact(truth, result)
                   ? judge_faithful(bits_of(ResultTraits<Result>::word(result, 0)), truth, format_of<T>())
                   : Judgement::fail();
      })};
  if (transform.has_fast_form) {
    claims.push_back(when(
        "|a| ≥ |b|", [](const Case& c) { return !smaller_magnitude(c.a, c.b); },
        claim_spec("ordered", contract_error_free_2, error_free)));
  }
  if constexpr (std::is_same_v<Result, Product<T>>) {
    claims.push_back(
        when("ab = 0 or |ab| ≥ 2^(emin + p), |a|, |b| ≤ 2^(emax − ⌈p/2⌉ − 2), exponents of a sum ≤ emax − 3",
             eft::dekker_prod_applies<T>, claim_spec("error_free_moderate", contract_error_free_4, error_free)));
  }
  claims.push_back(first_word);
  return claims;
}

template <auto of_transform, class T>
std::unique_ptr<PropertyModel> property_of(const Question& question, const ForeignKernel& kernel) {
  using Case = Pair<T>;
  auto transform = of_transform(T{});
  using Result = typename decltype(transform)::Result;
  std::vector<Claim<Case, Result, Dyadic>> claims = claims_of(transform);
  for (auto& each : claims) each.info.is_open = question.is_open;
  refuse_shapes(question, transform.name);
  if constexpr (2 * format_of<T>().width() <= 32) {
    if (question.is_exhaustive) {
      transform.domain = exhaustive<Case>(every_pattern<Case, T>(transform.domain.contains), transform.domain.contains,
                                          transform.domain.accepts);
    }
  }
  return std::make_unique<TypedModel<Case, Result, Dyadic>>(Property<Case, Result, Dyadic>{
      .name = question.family + "." + transform.name + format_suffix<T>(),
      .domain = std::move(transform.domain),
      .subject = elementwise_subject<Result, Case>(
          kernel,
          [truth = transform.truth](const Case& c) { return answers_of_words(c.a, nearest_words<Result>(truth(c))); }),
      .reference = transform.truth,
      .claims = std::move(claims),
      .inexact = [](const Case&, const Dyadic& truth,
                    const Result&) { return !value_of(nearest_words<Result>(truth).e).is_zero(); },
      .host_only = true});
}

template <auto of_transform>
std::unique_ptr<PropertyModel> property(const Question& question, const ForeignKernel& kernel) {
  if (question.format == "f64") return property_of<of_transform, double>(question, kernel);
  if (question.format == "f32") return property_of<of_transform, float>(question, kernel);
  if (question.format == "f16") return property_of<of_transform, binary16>(question, kernel);
  if (question.format == "bf16") return property_of<of_transform, bfloat16>(question, kernel);
  throw std::invalid_argument("no format " + question.format);
}

/// The contract of the first word alone is kept by a kernel that loses the error.
Contract first_word(const char* id, const char* instance) { return {id, &op_rounded_1.words, instance, {}, false}; }

const std::vector<std::string> formats{"f64", "f32", "f16", "bf16"};
const std::vector<Signature> signatures{{CallForm::plain, "void f(size_t n, const T* a, const T* b, T* s, T* e)"}};

const OperationRegistration all[] = {
    OperationRegistration({"two_sum",
                           "s = RN(a + b) and its error e of n pairs of numbers",
                           formats,
                           signatures,
                           {{"error_free", &contract_error_free_1.words, {}, {"faithful", "ordered", "rounded_sum"}},
                            {"faithful", &contract_error_free_3.words},
                            {"ordered", &contract_error_free_2.words},
                            first_word("rounded_sum", "s = RN(a + b)")},
                           property<of_two_sum>}),
    OperationRegistration(
        {"two_prod",
         "s = RN(ab) and its error e of n pairs of numbers",
         formats,
         signatures,
         {{"error_free", &contract_error_free_1.words, {}, {"faithful", "error_free_moderate", "rounded_product"}},
          {"faithful", &contract_error_free_3.words},
          {"error_free_moderate", &contract_error_free_4.words},
          first_word("rounded_product", "s = RN(ab)")},
         property<of_two_prod>}),
};

}  // namespace
}  // namespace assay::contracts::error_free
