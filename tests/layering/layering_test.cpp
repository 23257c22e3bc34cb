#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layering/include_rules.hpp"

namespace assay::layering {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Layering, HoldsInThisTree) {
  const Tree tree = read_tree(ASSAY_SOURCE_DIR);
  ASSERT_TRUE(tree.contains("tests/layering/layering_test.cpp"));
  EXPECT_THAT(offences(tree), IsEmpty());
}

TEST(Layering, AllowsWhatTheTableAllows) {
  EXPECT_THAT(
      offences({{"arith/a.hpp", "#include <cmath>\n#include \"arith/b.hpp\"\n"},
                {"kernels/k.cpp", "#include <cuda_runtime.h>\n#include \"arith/a.hpp\"\n"},
                {"oracle/o.cpp", "#include <flint/flint.h>\n#include <gmp.h>\n#include <mpfr.h>\n#include <arb.h>\n"},
                {"errorbounds/e.hpp", "#include \"oracle/o.hpp\"\n"},
                {"properties/catalog/f/p.cpp",
                 "#include <rapidcheck.h>\n#include \"errorbounds/e.hpp\"\n#include \"kernels/f/k.hpp\"\n"},
                {"assay/cli/m.cpp",
                 "#include <CLI/CLI.hpp>\n#include <sys/wait.h>\n#include \"properties/framework/p.hpp\"\n"},
                {"tests/device/d.cu", "#include <cstdio>\n#include \"kernels/k.cpp\"\n"}}),
      IsEmpty());
}

TEST(Layering, OracleIncludesNothingOfOurs) {
  EXPECT_THAT(offences({{"oracle/o.cpp", "#include \"arith/float/ulp.hpp\"\n"}}),
              ElementsAre("oracle/o.cpp: oracle must not include arith: arith/float/ulp.hpp"));
}

TEST(Layering, BoundNeverSeesAKernel) {
  EXPECT_THAT(offences({{"errorbounds/e.hpp", "  #  include \"kernels/sum.hpp\"\n"}}),
              ElementsAre("errorbounds/e.hpp: errorbounds must not include kernels: kernels/sum.hpp"));
}

TEST(Layering, BoundReachesLibrariesThroughTheOracleOnly) {
  EXPECT_THAT(offences({{"errorbounds/e.hpp", "#include <mpfr.h>\n"}}),
              ElementsAre("errorbounds/e.hpp: errorbounds must not include the library mpfr: mpfr.h"));
}

TEST(Layering, LowerRoomNeverIncludesAHigherOne) {
  EXPECT_THAT(
      offences({{"kernels/k.cpp", "#include \"properties/framework/case.hpp\"\n"}}),
      ElementsAre("kernels/k.cpp: kernels must not include properties/framework: properties/framework/case.hpp"));
}

TEST(Layering, NothingIncludesTests) {
  EXPECT_THAT(offences({{"assay/m.cpp", "#include \"tests/x.hpp\"\n"}}),
              ElementsAre("assay/m.cpp: nothing includes tests: tests/x.hpp"));
}

TEST(Layering, JsonIsWrittenInAssayAlone) {
  EXPECT_THAT(
      offences({{"properties/framework/p.cpp", "#include <nlohmann/json.hpp>\n"}}),
      ElementsAre("properties/framework/p.cpp: properties/framework must not include the library nlohmann_json: "
                  "nlohmann/json.hpp"));
}

TEST(Layering, GoogleTestIsForTheJudgeAlone) {
  EXPECT_THAT(offences({{"assay/testing.hpp", "#include <gtest/gtest.h>\n"},
                        {"assay/cli/x.hpp", "#include <gtest/gtest.h>\n"}}),
              ElementsAre("assay/cli/x.hpp: assay/cli must not include the library gtest: gtest/gtest.h"));
}

TEST(Layering, UnknownLibraryIsAnOffence) {
  EXPECT_THAT(offences({{"arith/a.hpp", "#include <boost/rational.hpp>\n"}}),
              ElementsAre("arith/a.hpp: arith must not include the library ?: boost/rational.hpp"));
}

TEST(Layering, IncludeNamesItsRoom) {
  EXPECT_THAT(offences({{"arith/a.hpp", "#include \"ulp.hpp\"\n"}}),
              ElementsAre("arith/a.hpp: does not name its room: ulp.hpp"));
}

TEST(Layering, RoomHeadersAreIncludedWithQuotes) {
  EXPECT_THAT(offences({{"arith/a.hpp", ""}, {"oracle/o.hpp", "#include <arith/a.hpp>\n"}}),
              ElementsAre("oracle/o.hpp: a room's header is included with quotes: arith/a.hpp"));
}

TEST(Layering, NvccNeverSeesTheOracleThroughAnotherHeader) {
  EXPECT_THAT(offences({{"tests/device/d.cu", "#include \"tests/device/d.hpp\"\n"},
                        {"tests/device/d.hpp", "#include \"oracle/o.hpp\"\n"}}),
              ElementsAre("tests/device/d.cu: nvcc must not see oracle/o.hpp (in tests/device/d.hpp)"));
}

TEST(Layering, NvccNeverSeesGoogleTest) {
  EXPECT_THAT(offences({{"tests/device/d.cu", "#include <gtest/gtest.h>\n"}}),
              ElementsAre("tests/device/d.cu: nvcc must not see gtest/gtest.h (in tests/device/d.cu)"));
}

TEST(Layering, FrameworkDoesNotKnowTheKernels) {
  EXPECT_THAT(offences({{"properties/framework/f.hpp", "#include \"kernels/sum/sum.hpp\"\n"}}),
              ElementsAre("properties/framework/f.hpp: properties/framework must not include kernels: "
                          "kernels/sum/sum.hpp"));
}

TEST(Layering, StoreKnowsNeitherReportNorCampaign) {
  EXPECT_THAT(offences({{"assay/store/s.cpp",
                         "#include \"assay/report/html.hpp\"\n#include \"assay/campaign/campaign.hpp\"\n"}}),
              ElementsAre("assay/store/s.cpp: assay/store must not include assay/report: assay/report/html.hpp",
                          "assay/store/s.cpp: assay/store must not include assay/campaign: "
                          "assay/campaign/campaign.hpp"));
}

TEST(Layering, DetailStaysAtHome) {
  EXPECT_THAT(offences({{"kernels/gemm/gemm.cpp", "#include \"kernels/gemm/detail/crt.hpp\"\n"},
                        {"tests/kernels/gemm/crt_test.cpp", "#include \"kernels/gemm/detail/crt.hpp\"\n"}}),
              IsEmpty());
  EXPECT_THAT(offences({{"kernels/gemv/gemv.cpp", "#include \"kernels/gemm/detail/crt.hpp\"\n"}}),
              ElementsAre("kernels/gemv/gemv.cpp: detail/ is included from its own family only: "
                          "kernels/gemm/detail/crt.hpp"));
  EXPECT_THAT(offences({{"tests/kernels/gemv/gemv_test.cpp", "#include \"kernels/gemm/detail/crt.hpp\"\n"}}),
              ElementsAre("tests/kernels/gemv/gemv_test.cpp: detail/ is included from its own family only: "
                          "kernels/gemm/detail/crt.hpp"));
}

TEST(Layering, BenchIncludesPublicHeadersOnly) {
  EXPECT_THAT(offences({{"bench/gemm.cu", "#include \"kernels/gemm/detail/crt.hpp\"\n"}}),
              ElementsAre("bench/gemm.cu: bench includes public headers only: kernels/gemm/detail/crt.hpp"));
}

TEST(Layering, CudaFilesStandWhereNvccMayLook) {
  EXPECT_THAT(offences({{"properties/p.cu", ""}}), ElementsAre("properties/p.cu: a CUDA file does not belong here"));
}

}  // namespace
}  // namespace assay::layering
