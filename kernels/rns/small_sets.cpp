#include "kernels/rns/small_sets.hpp"

#include <stdexcept>

#include "arith/residues/interval.hpp"
#include "kernels/rns/detail/launch.hpp"

namespace assay::rns {
namespace {

/// f(Set{}) for the set.
template <class F>
auto with_set(RnsSmallSet set, const F& f) {
  switch (set) {
    case RnsSmallSet::one_of_31_bits:
      return f(OneOf31Bits{});
    case RnsSmallSet::three_of_16_bits:
      return f(ThreeOf16Bits{});
    case RnsSmallSet::five_of_30_bits:
      return f(FiveOf30Bits{});
    case RnsSmallSet::seven_of_any_length:
      return f(SevenOfAnyLength{});
    case RnsSmallSet::thirty_three_of_16_bits:
      return f(ThirtyThreeOf16Bits{});
    case RnsSmallSet::five_tiny:
      return f(FiveTiny{});
  }
  throw std::invalid_argument("there is no such set of moduli");
}

}  // namespace

std::vector<std::uint32_t> rns_moduli(RnsSmallSet set) {
  return with_set(set, [](auto of) {
    std::vector<std::uint32_t> all;
    for (int i = 0; i < of.size; ++i) all.push_back(of.modulus(i));
    return all;
  });
}

std::vector<Interval> rns_evaluate(const Executor& on, RnsEvaluation form, RnsSmallSet set,
                                   std::span<const std::uint32_t> x) {
  return with_set(set, [&](auto of) {
    using Set = decltype(of);
    switch (form) {
      case RnsEvaluation::general:
        return detail::rns_apply_one(on, x, detail::RnsFunction<rns::evaluate<Set>>{});
      case RnsEvaluation::mixed_radix:
        return detail::rns_apply_one(on, x, detail::RnsFunction<rns::evaluate_mixed_radix<Set>>{});
      default:
        return detail::rns_apply_one(on, x, detail::RnsFunction<rns::evaluate_fast<Set>>{});
    }
  });
}

}  // namespace assay::rns
