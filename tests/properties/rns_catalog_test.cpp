#include <gtest/gtest.h>

#include <string>

#include "catalog_property.hpp"

namespace assay {
namespace {

/// As many cases as fit into the time of a test: those of many moduli take longer.
std::uint64_t cases_of(const PropertyModel& model) {
  return model.info().name.ends_with("128") || model.info().name.ends_with("64") ? 300 : 1000;
}

class RnsProperty : public testing::TestWithParam<const PropertyModel*> {};

TEST_P(RnsProperty, KeepsItsClaims) { expect_kept_by(cases_of(*GetParam()), *GetParam()); }

TEST_P(RnsProperty, DrawsOnlyCasesOfItsDomain) { expect_draws_inside(*GetParam(), 300); }

INSTANTIATE_TEST_SUITE_P(Catalog, RnsProperty, testing::ValuesIn(properties_of({"rns."})), test_name);

TEST(RnsCatalog, HasEveryOperationForEveryStandardSet) {
  for (const char* operation :
       {"from_limbs", "from_double", "to_limbs", "to_limbs_crt", "add", "sub", "mul", "scale_up"}) {
    for (const char* n : {"8", "16", "32", "64", "128"}) {
      EXPECT_NE(find_property(std::string("rns.") + operation + n), nullptr) << operation << n;
    }
  }
}

}  // namespace
}  // namespace assay
