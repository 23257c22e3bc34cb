// The report reads the output of the runner of mutants.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "assay/store/systematic.hpp"
#include "tools/mutate/results.hpp"

namespace assay::store {
namespace {

TEST(SystematicTable, IsReadByTheReport) {
  mutate::Result survivor;
  survivor.number = 2;
  survivor.by = "all cases";
  const std::vector<mutate::Mutant> mutants{{2, "dw", "kernels/dw/a.cpp", {5, 6}, "|| for &&", "a && b", "a || b"}};
  const mutate::Table table = mutate::table_of(mutants, {{2, survivor}}, {}, 3);
  const Systematic read = systematic_from_json(parse_json(mutate::table_document(table).dump()));
  EXPECT_EQ(read.date, table.date);
  EXPECT_EQ(read.generated, 3u);
  ASSERT_EQ(read.families.size(), 1u);
  EXPECT_EQ(read.families[0].family, "dw");
  EXPECT_EQ(read.all.survived, 1u);
  EXPECT_EQ(read.all.share(), table.all.share());
  ASSERT_EQ(read.left.size(), 1u);
  EXPECT_EQ(read.left[0].line, 5u);
  EXPECT_EQ(read.left[0].asked, "all cases");
}

}  // namespace
}  // namespace assay::store
