// The interval evaluation over sets of few moduli, of moduli of other lengths and of odd numbers of moduli. Over five
// tiny moduli every X is tested.

#include "kernels/rns/small_sets.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arith/residues/interval.hpp"
#include "properties/catalog/rns/evaluation.hpp"
#include "properties/catalog/rns/probed.hpp"

namespace assay::rns {
namespace {

/// A set with the oracle's system for its base.
struct NamedSet {
  std::string name;
  RnsSmallSet set;
  oracle::ResidueSystem base;
  std::uint32_t guard;
};

NamedSet named(std::string name, RnsSmallSet set) {
  Words32 moduli = rns_moduli(set);
  const std::uint32_t guard = moduli.back();
  moduli.pop_back();
  return {std::move(name), set, oracle::ResidueSystem(std::move(moduli)), guard};
}

/// The residues of a batch, by the oracle.
Words32 residues_of_cases(const NamedSet& of, std::span<const RnsCase> cases) {
  Words32 all;
  for (const RnsCase& c : cases) {
    const oracle::Dyadic x = x_of(c);
    const Words32 residues = of.base.residues(x);
    all.insert(all.end(), residues.begin(), residues.end());
    all.push_back(oracle::residue(x, of.guard));
  }
  return all;
}

/// Every X below M.
Domain<RnsCase> every_integer(const oracle::ResidueSystem& system) {
  Domain<RnsCase> domain = rns_domain(system);
  domain.classes = {{"every X", 1, drawn<RnsCase>([](Draw&) { return RnsCase{}; })}};
  domain.enumeration = {static_cast<std::uint64_t>(system.product().to_double_nearest()),
                        [](std::uint64_t number, RnsCase& out) {
                          out.x = {static_cast<std::uint32_t>(number)};
                          return true;
                        }};
  return domain;
}

/// The property with a probe, for sets of few moduli.
template <class P>
P with_probe(RnsSmallSet set, RnsEvaluation form, P property) {
  switch (set) {
    case RnsSmallSet::three_of_16_bits:
      return judged_in_form<ThreeOf16Bits>(std::move(property), form);
    case RnsSmallSet::five_of_30_bits:
      return judged_in_form<FiveOf30Bits>(std::move(property), form);
    case RnsSmallSet::seven_of_any_length:
      return judged_in_form<SevenOfAnyLength>(std::move(property), form);
    default:
      return property;
  }
}

/// The width must be at most ε·X/M. For one modulus, and for several tiny ones, no width comes near this bound: no X/M
/// other than 0 is as small as the threshold of refinement. There the width must be at most ω.
Registration evaluation(const char* operation, const NamedSet& of, RnsEvaluation form, Domain<RnsCase> domain) {
  const std::string name = "rns." + std::string(operation) + "_over_" + of.name;
  const auto run = [&of, form](const Executor& on, std::span<const RnsCase> cases) {
    Words32 moduli = of.base.moduli();
    moduli.push_back(of.guard);
    if (rns_moduli(of.set) != moduli) throw std::logic_error("a set of moduli has others than before");
    return rns_evaluate(on, form, of.set, residues_of_cases(of, cases));
  };
  constexpr std::uint64_t quick_cases = 2000;
  if (of.base.product() > oracle::Dyadic(std::uint64_t{1} << 32)) {
    return Registration(
        with_probe(of.set, form, evaluation_property(name, of.base, std::move(domain), run, quick_cases)));
  }
  const int n = static_cast<int>(of.base.moduli().size());
  auto property = evaluation_of(name, of.base.product(), std::move(domain), rns_sums_1,
                                [width = rns_sums_1(n)](const RnsCase&) { return width; });
  property.subject = run;
  property.quick_cases = quick_cases;
  return Registration(std::move(property));
}

std::vector<Registration> every_set() {
  static const NamedSet sets[] = {
      named("1_of_31_bits", RnsSmallSet::one_of_31_bits), named("3_of_16_bits", RnsSmallSet::three_of_16_bits),
      named("5_of_30_bits", RnsSmallSet::five_of_30_bits), named("7_of_any_length", RnsSmallSet::seven_of_any_length),
      named("33_of_16_bits", RnsSmallSet::thirty_three_of_16_bits)};
  static const NamedSet tiny = named("5_tiny", RnsSmallSet::five_tiny);
  std::vector<Registration> all;
  for (const NamedSet& each : sets) {
    all.push_back(evaluation("evaluate", each, RnsEvaluation::general, rns_domain(each.base)));
    all.push_back(evaluation("evaluate_mixed_radix", each, RnsEvaluation::mixed_radix, rns_domain(each.base)));
    all.push_back(evaluation("evaluate_fast", each, RnsEvaluation::fast, below_top(each.base)));
  }
  all.push_back(evaluation("evaluate", tiny, RnsEvaluation::general, every_integer(tiny.base)));
  all.push_back(evaluation("evaluate_mixed_radix", tiny, RnsEvaluation::mixed_radix, every_integer(tiny.base)));
  return all;
}

/// Few small moduli, and the guard after them.
template <std::uint32_t guard, std::uint32_t... moduli>
struct SmallSet {
  static constexpr int n = sizeof...(moduli);
  static constexpr int guards = 1;
  static constexpr int size = n + guards;
  static constexpr std::uint32_t modulus(int i) {
    constexpr std::uint32_t all[] = {moduli..., guard};
    return all[i];
  }
  static constexpr std::uint64_t M = (std::uint64_t{moduli} * ...);
};

/// An evaluation of every X of a small set, by arith/residues/interval.hpp on the host: the kernels are for the
/// standard sets.
template <class Set>
Registration evaluation_of_all(const char* operation, Interval (*evaluate)(const Residues<Set>&)) {
  using oracle::Dyadic;
  auto property = evaluation_of(name_of(operation, Set::n), Dyadic(Set::M),
                                {.classes = {},
                                 .contains = [](const RnsCase& c) { return x_of(c) < Dyadic(Set::M); },
                                 .enumeration = {.size = Set::M,
                                                 .at =
                                                     [](std::uint64_t i, RnsCase& out) {
                                                       out.x.assign(1, static_cast<std::uint32_t>(i));
                                                       return true;
                                                     }},
                                 .accepts = "every X below M = " + std::to_string(Set::M)},
                                rns_sums_1, [width = rns_sums_1(Set::n)](const RnsCase&) { return width; });
  property.subject = [evaluate](const Executor&, const RnsCase& c) {
    Residues<Set> x{};
    for (int i = 0; i < Set::size; ++i) x.r[i] = (c.x.empty() ? 0 : c.x[0]) % Set::modulus(i);
    return evaluate(x);
  };
  property.host_only = true;
  return Registration(std::move(property));
}

template <class Set>
std::vector<Registration> evaluations_of_all() {
  return {evaluation_of_all<Set>("evaluate_all", rns::evaluate<Set>),
          evaluation_of_all<Set>("evaluate_mixed_radix_all", rns::evaluate_mixed_radix<Set>)};
}

const LateRegistration every_small_set{"rns", [] { every_set(); }};
/// The last one, with 8 965 109 integers, belongs to the nightly tier.
const LateRegistration small_sets{"rns", [] {
                                    evaluations_of_all<SmallSet<227, 211, 223>>();
                                    evaluations_of_all<SmallSet<47, 37, 41, 43>>();
                                    evaluations_of_all<SmallSet<17, 3, 5, 7, 11, 13>>();
                                    evaluations_of_all<SmallSet<67, 47, 53, 59, 61>>();
                                  }};

}  // namespace
}  // namespace assay::rns
