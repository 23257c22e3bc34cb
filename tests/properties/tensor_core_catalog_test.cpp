#include <gtest/gtest.h>

#include "catalog_property.hpp"

namespace assay {
namespace {

class MatrixUnitProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(MatrixUnitProperty, ReachesNineTenthsOfEachBoundInTheQuickTier) {
  const PropertyModel& model = *GetParam();
  const Tally tally = tally_of(model, model.info().quick_cases);
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const std::string& claim = model.info().claims[i].id;
    if (claim.starts_with("error")) {
      EXPECT_GE(tally.claims[i].worst.ratio, 0.9) << claim;
    }
  }
}

TEST_P(MatrixUnitProperty, DrawsCasesOfItsDomain) { expect_draws_inside(*GetParam(), 200); }

INSTANTIATE_TEST_SUITE_P(Catalog, MatrixUnitProperty, testing::ValuesIn(properties_of({"tensor_core."})), test_name);

}  // namespace
}  // namespace assay
