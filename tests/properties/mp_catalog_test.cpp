#include <gtest/gtest.h>

#include <string>

#include "catalog_property.hpp"
#include "drawn_cases.hpp"
#include "properties/catalog/mp/vector_cases.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

class MpProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(MpProperty, DrawsOnlyCasesOfItsDomain) { expect_draws_inside(*GetParam(), 100); }

INSTANTIATE_TEST_SUITE_P(Catalog, MpProperty, testing::ValuesIn(properties_of({"mp."})), test_name);

TEST(MpCatalogOfPairs, HasAllOfThemInTheQuickTier) {
  for (const char* name : {"mp.axpy8", "mp.scal128", "mp.dot16"}) expect_all_pairs_in_the_quick_tier(property(name));
}

TEST(MpVectorDomain, HasEveryPairOfItsTraitsInTheirRows) {
  for (const int n : {8, 128}) expect_all_pairs(mp::mp_vector_domain(mp::mp_system(n)), 10);
}

TEST(MpCatalog, HasEveryOperationForEveryStandardSet) {
  expect_every_operation("mp", {"add",
                                "sub",
                                "mul",
                                "difference_product",
                                "compare",
                                "round",
                                "from_limbs",
                                "from_double",
                                "to_double",
                                "asum",
                                "sum_of_squares",
                                "dot",
                                "norm_inf",
                                "nrm2",
                                "scal",
                                "axpy",
                                "axpy_scal",
                                "waxpby",
                                "rot",
                                "ger",
                                "syr",
                                "symv"});
}

mp::MpTripleCase cancelling_case(const mp::MpSystem& system) {
  const Dyadic x = system.largest;
  const Dyadic one = 1;
  return {0,
          0,
          0,
          0,
          0,
          0,
          oracle::limbs_of(x, system.limbs),
          oracle::limbs_of(x - one, system.limbs),
          oracle::limbs_of(one, system.limbs)};
}

TEST(MpCatalog, KeepsADifferenceOfOneInTheNextProduct) {
  for (const int n : {8, 16, 32, 64, 128}) {
    const std::string name = "mp.difference_product" + std::to_string(n);
    EXPECT_EQ(judgement_of(name, "error", cancelling_case(mp::mp_system(n))).tightness, 0) << n;
  }
}

TEST(MpCatalog, ComesWithinAThousandthOfTheUnitOfEverySet) {
  for (const int n : {8, 16, 32, 64, 128}) {
    const mp::MpSystem& system = mp::mp_system(n);
    const int dropped = system.h - 1;
    const Dyadic x = oracle::floor_scaled(system.base.product(), system.h + 1) + Dyadic(1);
    const Dyadic y = Dyadic::scaled(1, dropped) - Dyadic(1);
    const mp::MpPairCase c{0, 0, dropped, 0, oracle::limbs_of(x, system.limbs), oracle::limbs_of(y, system.limbs)};
    const Judgement judgement = judgement_of("mp.add" + std::to_string(n), "error", c);
    EXPECT_EQ(judgement.verdict, Verdict::holds) << n;
    EXPECT_GT(judgement.tightness, 0.999) << n;
  }
}

}  // namespace
}  // namespace assay
