#include <gtest/gtest.h>

#include <string>

#include "catalog_property.hpp"

namespace assay {
namespace {

class RnsProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(RnsProperty, DrawsOnlyCasesOfItsDomain) { expect_draws_inside(*GetParam(), 300); }

INSTANTIATE_TEST_SUITE_P(Catalog, RnsProperty, testing::ValuesIn(properties_of({"rns."})), test_name);

TEST(RnsCatalog, HasEveryOperationForEveryStandardSet) {
  expect_every_operation("rns",
                         {"from_limbs", "from_double", "to_limbs", "to_limbs_crt", "add", "sub", "mul", "scale_up"});
}

}  // namespace
}  // namespace assay
