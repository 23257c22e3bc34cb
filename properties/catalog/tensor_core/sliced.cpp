#include "errorbounds/tensor_core_theorems.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "properties/catalog/tensor_core/claims.hpp"

namespace assay::tensor_core {

namespace {

using oracle::Dyadic;

template <FloatingPoint T>
using SliceDraw = SharedFunction<SliceCase<T>(Draw&, ChainCase<T, float>)>;

/// Sums of slices. `longest`: the slices of the domain, from `shortest` on.
template <FloatingPoint T>
Property<SliceCase<T>, float, Dyadic> sliced(const std::string& name, const ChainKind& kind, std::int64_t shortest,
                                             std::int64_t longest, SliceDraw<T> made, auto claim) {
  using Case = SliceCase<T>;
  Domain<Case> domain;
  domain.classes = chain_classes<T, float, FloatTraits<T>::precision, Case>(kind, std::move(made));
  domain.contains = [kind, shortest, longest](const Case& c) {
    return c.slice >= shortest && c.slice <= longest &&
           in_chain_domain<FloatTraits<T>::precision>(kind.start_bits, kind.most, c);
  };
  domain.features = {{"k", 0, 300, 60, [](const Case& c) { return static_cast<double>(c.a.size()); }}};
  domain.accepts = "up to 600 products in slices of " + std::to_string(shortest) + " to " + std::to_string(longest) +
                   "; the sum of magnitudes is at most 2^" + std::to_string(kind.most);
  return {.name = name,
          .domain = std::move(domain),
          .subject =
              [kind](const Executor&, const Case& c) {
                const Operands operands(c);
                const auto [input, a, b] = operands.bits();
                return number_of<float>(sliced_chain(kind.step, input, a, b, static_cast<int>(c.slice)));
              },
          .reference = [](const Case& c) { return exact_products_of(c).sum; },
          .claims = {same_as_exact(tensor_core_step_1,
                                   [kind](const Case& c) {
                                     return exact_sliced_chain(kind.step, Operands(c).bits(),
                                                               static_cast<std::size_t>(c.slice));
                                   }),
                     claim},
          .quick_cases = 1000,
          .host_only = true};
}

/// The bound of the slices of a case.
Bound slices_bound(const auto& theorem, const ChainKind& kind, const auto& c) {
  const auto slice = static_cast<std::uint64_t>(c.slice);
  const std::uint64_t k = c.a.size();
  return theorem(unit_of(kind), (k + slice - 1) / slice, std::min(slice, k), exact_products_of(c).products);
}

const Registration split = [] {
  using T = binary16;
  const ChainKind kind{.step = hopper_f16, .start_bits = 0, .period = 48};
  auto property = sliced<T>(
      "tensor_core.split.f16", kind, 1, 600,
      [](Draw& draw, ChainCase<T, float> c) {
        constexpr std::int64_t slices[] = {48, 48, 48, 1, 16, 96};
        return SliceCase<T>{std::move(c.a), std::move(c.b), draw.coin() ? 48 : slices[draw.below(6)]};
      },
      within("error", tensor_core_slices_1,
             [kind](const auto& by, const auto& c) { return slices_bound(by, kind, c); }));
  property.domain.classes.push_back({"slices of one product, lost one by one", 3, drawn<SliceCase<T>>([](Draw& draw) {
                                       SliceCase<T> c;
                                       const int k = draw.between(2, 300);
                                       const int E = draw.between(0, 20);
                                       const bool negative = draw.coin();
                                       for (int i = 0; i < k; ++i) {
                                         const int exponent = i == 0 ? E : E - 24;
                                         c.a.push_back(compose<T>(negative, 1, exponent / 2));
                                         c.b.push_back(compose<T>(false, 1, exponent - exponent / 2));
                                       }
                                       return c;
                                     })});
  return Registration(std::move(property));
}();

const Registration promoted = [] {
  using T = e4m3;
  const ChainKind kind{.step = hopper_fp8_wgmma, .result_bits = 13, .start_bits = 0, .period = 128};
  return Registration(sliced<T>(
      "tensor_core.promoted.e4m3", kind, 128, 128,
      [](Draw&, ChainCase<T, float> c) {
        return SliceCase<T>{std::move(c.a), std::move(c.b), 128};
      },
      of_instance("slices of 128 products, F = m = 13",
                  within("error", tensor_core_slices_1, [kind](const auto& by, const auto& c) {
                    // The additions contribute 2⁻¹⁷ of the bound: they are not a named term.
                    const Bound bound = slices_bound(by, kind, c);
                    return Bound{bound.numerator, bound.denominator};
                  }))));
}();

}  // namespace

}  // namespace assay::tensor_core
