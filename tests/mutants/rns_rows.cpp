// The promises of arithmetic in residues, for the mutants that break them.

#include <algorithm>
#include <string>
#include <vector>

#include "errorbounds/rns_theorems.hpp"
#include "properties/catalog/rns/cases.hpp"
#include "properties/catalog/rns/results.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/rns_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

/// The base moduli as the oracle's system.
template <class Set = Moduli>
const oracle::ResidueSystem& moduli() {
  static const oracle::ResidueSystem system([] {
    std::vector<std::uint32_t> m;
    for (int i = 0; i < Set::n; ++i) {
      m.push_back(Set::modulus(i));
    }
    return m;
  }());
  return system;
}

/// The domain with only the class of inputs that must expose a mistake; all classes for "".
template <class Case>
Domain<Case> only(Domain<Case> domain, const std::string& exposing) {
  if (!exposing.empty()) {
    std::erase_if(domain.classes, [&](const InputClass<Case>& each) { return each.name != exposing; });
  }
  return domain;
}

std::vector<LimbPair> limb_pairs(std::span<const rns::RnsPairCase> cases) {
  std::vector<LimbPair> pairs;
  for (const rns::RnsPairCase& c : cases) {
    LimbPair& pair = pairs.emplace_back();
    std::copy(c.x.begin(), c.x.end(), pair.x);
    std::copy(c.y.begin(), c.y.end(), pair.y);
  }
  return pairs;
}

/// Residues of XY, reduced.
template <class Reduction>
auto residue_product_promise(const std::string& exposing) {
  return TypedModel(Property<rns::RnsPairCase>{
      .name = "mutants.residue_product",
      .domain = only(rns::rns_pair_domain(moduli()), exposing),
      .subject =
          [](const Executor& on, std::span<const rns::RnsPairCase> cases) {
            std::vector<std::vector<double>> results;
            for (const auto& z : elementwise<ResidueProduct<Reduction>>(on, limb_pairs(cases))) {
              results.emplace_back(z.r, z.r + Moduli::size);
            }
            return results;
          },
      .reference =
          [](const rns::RnsPairCase& c) {
            const oracle::Dyadic product = oracle::integer_of_limbs(c.x) * oracle::integer_of_limbs(c.y);
            std::vector<oracle::Dyadic> residues;
            for (int i = 0; i < Moduli::size; ++i) {
              residues.emplace_back(oracle::residue(product, Moduli::modulus(i)));
            }
            return residues;
          },
      .claims = {of_instance("f = XY", exact("exact", rns_residues_1))}});
}

/// Which claim must detect a mistake in an evaluation.
enum class Bounds { containment, width };

/// An interval around X/M: whether it encloses, or how wide it is.
template <class Mutant, class Set = Moduli>
auto evaluation_promise(Bounds seen, const std::string& exposing) {
  using oracle::Exact;
  std::vector<Claim<rns::RnsCase, Interval, Exact>> claims;
  if (seen == Bounds::containment) {
    claims.push_back(
        satisfies("encloses", rns_evaluate_1,
                  [](const rns::RnsCase&, const Exact& truth, const Interval& x) { return judge_encloses(x, truth); }));
  } else {
    claims.push_back(
        claim_spec("width", rns_evaluate_2,
                   [bound = rns_evaluate_2(Set::n)](const rns::RnsCase& c, const Exact&, const Interval& x) {
                     const Bound most{bound.numerator * oracle::integer_of_limbs(c.x),
                                      bound.denominator * moduli<Set>().product()};
                     return judge_within(value_of(x.upper), value_of(x.lower), most, 2);
                   }));
  }
  return TypedModel(Property<rns::RnsCase, Interval, Exact>{
      .name = "mutants.evaluation",
      .domain = only(rns::rns_domain(moduli<Set>()), exposing),
      .subject =
          [](const Executor& on, std::span<const rns::RnsCase> cases) {
            std::vector<LimbInteger<Set>> inputs;
            for (const rns::RnsCase& c : cases) {
              std::copy(c.x.begin(), c.x.end(), inputs.emplace_back().x);
            }
            return elementwise<Evaluation<Mutant, Set>>(on, inputs);
          },
      .reference = [](const rns::RnsCase& c) -> Exact {
        return oracle::quotient(oracle::integer_of_limbs(c.x), moduli<Set>().product());
      },
      .claims = std::move(claims)});
}

/// The sign of X − Y.
template <class Mutant>
auto comparison_promise(const std::string& exposing) {
  return TypedModel(Property<rns::RnsPairCase, double, oracle::Dyadic>{
      .name = "mutants.comparison",
      .domain = only(rns::rns_pair_domain(moduli()), exposing),
      .subject =
          [](const Executor& on, std::span<const rns::RnsPairCase> cases) {
            return elementwise<Comparison<Mutant>>(on, limb_pairs(cases));
          },
      .reference = [](const rns::RnsPairCase& c) -> oracle::Dyadic {
        return (oracle::integer_of_limbs(c.x) - oracle::integer_of_limbs(c.y)).sign();
      },
      .claims = {exact("exact", rns_compare_1)}});
}

/// The mutant must fail on the class `exposing` alone; the correct kernel is tested on all classes.
template <class Mutant, class Set = Moduli>
Row evaluation_row(const Planted& planted, Bounds seen, const std::string& exposing) {
  return kernel_row(planted, evaluation_promise<Mutant, Set>(seen, exposing), evaluation_promise<Right, Set>(seen, ""));
}

}  // namespace

Rows rns_rows() {
  return {
      evaluation_row<NearestUpperSum>({"N2", "the upper sum is rounded to nearest", 214}, Bounds::containment,
                                      "every length"),
      evaluation_row<NearestUpper>({"N3", "the upper bound is rounded to nearest throughout", 8}, Bounds::containment,
                                   ""),
      evaluation_row<NearestUpperProducts, ManyModuli>({"N4", "upper products are rounded to nearest", 1728},
                                                       Bounds::containment, ""),
      evaluation_row<NeverAmbiguous>({"N6", "bounds with an integer between them are not told apart", 214},
                                     Bounds::containment, "near M"),
      evaluation_row<NeverRefines>({"N7", "a small X is not scaled up", 8}, Bounds::width, "every length"),
      evaluation_row<ExponentOffByOne>({"N8", "the exponent of a scaled X is off by one", 8}, Bounds::containment,
                                       "every length"),
      kernel_row({"N10", "a quotient in binary64 is not corrected by 1", 54},
                 residue_product_promise<FloatingReduction<false>>("products 0, ±1 modulo each modulus"),
                 residue_product_promise<FloatingReduction<true>>("")),
      kernel_row({"N11", "the shift of Barrett's reduction is too small by 1", 54},
                 residue_product_promise<BarrettReduction<1>>("residues near the moduli"),
                 residue_product_promise<BarrettReduction<0>>("")),
      kernel_row({"N15", "overlapping intervals are equal numbers", 214},
                 comparison_promise<OverlappingAreEqual>("X and X, X ± 1, X ± 2^j"), comparison_promise<Right>("")),
  };
}

}  // namespace assay::mutants
