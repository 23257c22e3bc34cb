#pragma once
// The common parts of the properties of matrix units: subjects on patterns, and claims about bits and errors.

#include "errorbounds/tensor_core_theorems.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/tensor_core/cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::tensor_core {

/// How the elements of type T are passed to the model.
template <FloatingPoint T>
inline constexpr Input input_of = Input::tf32;
template <>
inline constexpr Input input_of<binary16> = Input::f16;
template <>
inline constexpr Input input_of<bfloat16> = Input::bf16;
template <>
inline constexpr Input input_of<e4m3> = Input::e4m3;
template <>
inline constexpr Input input_of<e5m2> = Input::e5m2;

/// The elements of a case in the form of the model, each one converted by `convert`.
class Operands {
 public:
  template <class Case>
  explicit Operands(const Case& c, std::uint32_t (*convert)(std::uint32_t) = nullptr)
      : input_(input_of<typename decltype(c.a)::value_type>) {
    for (const auto& each : c.a) a_.push_back(static_cast<std::uint32_t>(bits_of(each)));
    for (const auto& each : c.b) b_.push_back(static_cast<std::uint32_t>(bits_of(each)));
    for (auto* list : {&a_, &b_}) {
      for (std::uint32_t& each : *list) each = convert != nullptr ? convert(each) : each;
    }
  }
  [[nodiscard]] ProductBits bits() const { return {input_, a_, b_}; }

 private:
  Input input_;
  std::vector<std::uint32_t> a_, b_;
};

template <class T, class C>
using ChainClaim = Claim<ChainCase<T, C>, C, oracle::Dyadic>;

/// |d − s| ≤ bound_of(theorem, products).
template <class BoundOf>
auto error_within(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of) {
  return within(std::move(id), theorem,
                [bound_of](const auto& by, const auto& c) { return bound_of(by, exact_products_of(c).products); });
}
/// The same for a bound of a unit and the products.
auto error_within(std::string id, const BoundedTheorem auto& theorem, const MatrixUnit& unit) {
  return error_within(std::move(id), theorem,
                      [unit](const auto& by, const MatrixProducts& products) { return by(unit, products); });
}

/// A unit by the parameters of its step.
constexpr MatrixUnit unit_of(const ChainKind& kind) {
  return {static_cast<std::uint64_t>(kind.step.terms), kind.step.fraction_bits, kind.result_bits};
}

/// The result has the bits that `expected` computes with the oracle's numbers.
template <class Expected>
auto same_as_exact(const AnyTheorem auto& theorem, Expected expected) {
  return satisfies("exact", theorem,
                   [expected](const auto& c, const auto& result) { return bits_of(result) == expected(c); });
}

/// A property of chains whose elements go through `convert` first; `exactly` is the same conversion with the oracle's
/// numbers. `computed` is the step of the subject: the step of `kind` unless a mistake is planted.
template <FloatingPoint T, FloatingPoint C, int p = FloatTraits<T>::precision>
Property<ChainCase<T, C>, C, oracle::Dyadic> chain_property(std::string name, const ChainKind& kind,
                                                            std::vector<ChainClaim<T, C>> claims, const Step& computed,
                                                            std::uint32_t (*convert)(std::uint32_t) = nullptr,
                                                            std::uint32_t (*exactly)(std::uint32_t) = nullptr) {
  using Case = ChainCase<T, C>;
  claims.insert(claims.begin(), same_as_exact(tensor_core_step_1, [kind, exactly](const Case& c) {
                  const Operands operands(c, exactly);
                  return exact_chain(kind.step, operands.bits(), static_cast<std::uint32_t>(bits_of(c.c)));
                }));
  return {.name = std::move(name),
          .domain = chain_domain<T, C, p>(kind),
          .subject =
              [computed, convert](const Executor&, const Case& c) {
                const Operands operands(c, convert);
                const auto [input, a, b] = operands.bits();
                return number_of<C>(chain(computed, input, a, b, static_cast<std::uint32_t>(bits_of(c.c))));
              },
          .reference = [](const Case& c) { return exact_products_of(c).sum; },
          .claims = std::move(claims),
          .quick_cases = 1000,
          .host_only = true};
}

}  // namespace assay::tensor_core
