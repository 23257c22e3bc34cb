#include "properties/catalog/rns/cases.hpp"

#include <gtest/gtest.h>

#include <set>

#include "oracle/decimal.hpp"

namespace assay::rns {
namespace {

using oracle::Dyadic;

const oracle::ResidueSystem& system_of_eight() {
  static const oracle::ResidueSystem system(
      {134217689, 134217649, 134217617, 134217613, 134217593, 134217541, 134217529, 134217509});
  return system;
}

template <class Case>
Case case_of(const InputClass<Case>& from, std::uint64_t seed) {
  return from.generator(rc::Random(seed));
}

/// The class of that name.
template <class Case>
const InputClass<Case>& class_of(const Domain<Case>& domain, const std::string& name) {
  const auto found = std::find_if(domain.classes.begin(), domain.classes.end(),
                                  [&](const InputClass<Case>& each) { return each.name == name; });
  if (found == domain.classes.end()) throw std::out_of_range("no class " + name);
  return *found;
}

/// The first `count` cases of a class.
template <class Case>
std::vector<Case> cases_of(const Domain<Case>& domain, const std::string& name, std::uint64_t count) {
  std::vector<Case> cases;
  for (std::uint64_t seed = 0; seed < count; ++seed) cases.push_back(case_of(class_of(domain, name), seed));
  return cases;
}

template <class Case>
void expect_cases_inside(const Domain<Case>& domain) {
  for (const InputClass<Case>& each : domain.classes) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      ASSERT_TRUE(domain.contains(case_of(each, seed))) << each.name << ' ' << seed;
    }
  }
}

TEST(LimbsInAFile, AreTheirHexadecimalDigits) {
  EXPECT_EQ(oracle::to_hex(limb_format, 0xdeadbeef), "0x0.deadbeefp+32");
  EXPECT_EQ(oracle::parse_hex(limb_format, "0x0.0000002ap+32"), 42u);
}

TEST(LimbsInAFile, ComeBack) {
  const RnsPairCase c{{1, 0xffffffff, 0}, {}};
  const auto back = from_record<RnsPairCase>(record_of(c));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->x, c.x);
  EXPECT_EQ(back->y, c.y);
}

TEST(LimbsInAFile, AreRefusedFrom2To32On) {
  Record record = record_of(RnsCase{{1}});
  std::get<Words>(record.fields[0].value).bits[0] = std::uint64_t{1} << 32;
  EXPECT_FALSE(from_record<RnsCase>(record));
}

TEST(LimbsOfACase, MayBeFewerThanTheRangeHas) {
  const auto domain = rns_domain(system_of_eight());
  EXPECT_TRUE(domain.contains({{}}));
  EXPECT_TRUE(domain.contains({{7}}));
  EXPECT_FALSE(domain.contains({std::vector<std::uint32_t>(8)}));
}

TEST(RnsDomain, EndsBelowM) {
  const auto domain = rns_domain(system_of_eight());
  EXPECT_TRUE(domain.contains({oracle::limbs_of(system_of_eight().product() - Dyadic(1), 7)}));
  EXPECT_FALSE(domain.contains({oracle::limbs_of(system_of_eight().product(), 7)}));
}

TEST(RnsDomain, DrawsInside) { expect_cases_inside(rns_domain(system_of_eight())); }
TEST(RnsPairDomain, DrawsInside) { expect_cases_inside(rns_pair_domain(system_of_eight())); }
TEST(RnsScaleDomain, DrawsInside) { expect_cases_inside(rns_scale_domain(system_of_eight())); }

TEST(RnsDomain, DrawsInsideAverySmallRange) {
  const oracle::ResidueSystem small({3, 5});
  expect_cases_inside(rns_domain(small));
  expect_cases_inside(rns_pair_domain(small));
  expect_cases_inside(rns_scale_domain(small));
}

TEST(RnsDomain, DrawsIntegersOfEveryLength) {
  const auto domain = rns_domain(system_of_eight());
  std::set<double> lengths;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    lengths.insert(detail::length_of(case_of(class_of(domain, "every length"), seed).x));
  }
  EXPECT_EQ(lengths.size(), 217u);  // -1 for zero, 0 … 215
}

TEST(RnsDomain, DrawsTheLastIntegersBelowM) {
  const auto domain = rns_domain(system_of_eight());
  std::set<double> distances;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Dyadic x = oracle::integer_of_limbs(case_of(class_of(domain, "near M"), seed).x);
    const Dyadic distance = system_of_eight().product() - x;
    distances.insert(static_cast<double>(distance.exponent()));
  }
  EXPECT_TRUE(distances.contains(0));
  EXPECT_GT(distances.size(), 150u);
}

TEST(RnsDomain, DrawsAllMaximalResidues) {
  const auto domain = rns_domain(system_of_eight());
  bool found = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Dyadic x = oracle::integer_of_limbs(case_of(class_of(domain, "residues 0, 1, m/2, m − 1"), seed).x);
    found = found || x == system_of_eight().product() - Dyadic(1);
  }
  EXPECT_TRUE(found);
}

TEST(RnsPairDomain, DrawsProductsOf0And1AndMinus1) {
  const auto& system = system_of_eight();
  const auto domain = rns_pair_domain(system);
  std::set<std::uint32_t> distances;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RnsPairCase c = case_of(class_of(domain, "products 0, ±1 modulo each modulus"), seed);
    const Dyadic x = oracle::integer_of_limbs(c.x);
    const auto products = system.residues(x * oracle::integer_of_limbs(c.y));
    for (std::size_t i = 0; i < products.size(); ++i) {
      const std::uint32_t m = system.moduli()[i];
      const std::uint32_t kind = products[i] == m - 1 ? 2 : products[i];
      ASSERT_LE(kind, 2u) << seed;
      distances.insert(kind);
    }
  }
  EXPECT_EQ(distances, (std::set<std::uint32_t>{0, 1, 2}));
}

TEST(RnsPairDomain, DrawsNeighboursAndPowersOfTwoApart) {
  std::set<long> differences;
  for (const auto& c : cases_of(rns_pair_domain(system_of_eight()), "X and X, X ± 1, X ± 2^j", 2000)) {
    const Dyadic difference = abs(oracle::integer_of_limbs(c.x) - oracle::integer_of_limbs(c.y));
    differences.insert(difference.is_zero() ? -1 : difference.exponent());
  }
  EXPECT_TRUE(differences.contains(-1));
  EXPECT_TRUE(differences.contains(0));
  EXPECT_GT(differences.size(), 150u);
}

TEST(RnsPairDomain, DrawsSumsNextToM) {
  int below = 0;
  int above = 0;
  for (const auto& c : cases_of(rns_pair_domain(system_of_eight()), "X and M − X, and those ± 1, ± 2^j", 500)) {
    const Dyadic sum = oracle::integer_of_limbs(c.x) + oracle::integer_of_limbs(c.y);
    below += sum == system_of_eight().product() - Dyadic(1) ? 1 : 0;
    above += sum == system_of_eight().product() ? 1 : 0;
  }
  EXPECT_GT(below, 0);
  EXPECT_GT(above, 0);
}

TEST(RnsPairDomain, OffersThePairModuloEachModulusAsSmallerCases) {
  const auto& system = system_of_eight();
  const RnsPairCase c{oracle::limbs_of(system.product() - Dyadic(2), 7), {5, 0, 1}};
  const auto smaller = rns_pair_domain(system).shrink_shape(c);
  ASSERT_EQ(smaller.size(), 8u);
  EXPECT_EQ(smaller[3].x, std::vector<std::uint32_t>{134217613 - 2});
  EXPECT_EQ(smaller[3].y, std::vector<std::uint32_t>{oracle::residue(Dyadic::scaled(1, 64) + Dyadic(5), 134217613)});
}

TEST(RnsScaleDomain, DrawsMultiplesAndTheIntegersBelowThem) {
  int multiples = 0;
  int below = 0;
  for (const auto& c : cases_of(rns_scale_domain(system_of_eight()), "multiples of 2^d, and those ± 1", 300)) {
    const Dyadic x = oracle::integer_of_limbs(c.x);
    const auto is_multiple = [&](Dyadic y) { return y.mul_2exp(-c.d).is_integer(); };
    multiples += is_multiple(x) ? 1 : 0;
    below += !is_multiple(x) && is_multiple(x + Dyadic(1)) ? 1 : 0;
  }
  EXPECT_GT(multiples, 50);
  EXPECT_GT(below, 50);
}

}  // namespace
}  // namespace assay::rns
