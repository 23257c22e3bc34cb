#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/layering/include_rules.hpp"

namespace assay::layering {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A tree has one offense.
void expect_offence(const Tree& tree, const std::string& offence) { EXPECT_THAT(offences(tree), ElementsAre(offence)); }

/// A tree of one file has one offense.
void expect_offence(const std::string& path, const std::string& text, const std::string& offence) {
  expect_offence({{path, text}}, offence);
}

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
  expect_offence("oracle/o.cpp", "#include \"arith/float/ulp.hpp\"\n",
                 "oracle/o.cpp: oracle must not include arith: arith/float/ulp.hpp");
}

TEST(Layering, BoundNeverSeesAKernel) {
  expect_offence("errorbounds/e.hpp", "  #  include \"kernels/sum.hpp\"\n",
                 "errorbounds/e.hpp: errorbounds must not include kernels: kernels/sum.hpp");
}

TEST(Layering, BoundReachesLibrariesThroughTheOracleOnly) {
  expect_offence("errorbounds/e.hpp", "#include <mpfr.h>\n",
                 "errorbounds/e.hpp: errorbounds must not include the library mpfr: mpfr.h");
}

TEST(Layering, LowerRoomNeverIncludesAHigherOne) {
  expect_offence("kernels/k.cpp", "#include \"properties/framework/case.hpp\"\n",
                 "kernels/k.cpp: kernels must not include properties/framework: properties/framework/case.hpp");
}

TEST(Layering, MutationTesterIncludesNothingOfOurs) {
  expect_offence("tools/mutate/t.cpp", "#include \"tools/mutate/u.hpp\"\n#include \"assay/process/process.hpp\"\n",
                 "tools/mutate/t.cpp: tools/mutate must not include assay/process: assay/process/process.hpp");
}

TEST(Layering, NothingIncludesTests) {
  expect_offence("assay/m.cpp", "#include \"tests/x.hpp\"\n", "assay/m.cpp: nothing includes tests: tests/x.hpp");
}

TEST(Layering, JsonIsWrittenInAssayAlone) {
  expect_offence("properties/framework/p.cpp", "#include <nlohmann/json.hpp>\n",
                 "properties/framework/p.cpp: properties/framework must not include the library nlohmann_json: "
                 "nlohmann/json.hpp");
}

TEST(Layering, GoogleTestIsForTheJudgeAlone) {
  expect_offence(
      {{"assay/testing.hpp", "#include <gtest/gtest.h>\n"}, {"assay/cli/x.hpp", "#include <gtest/gtest.h>\n"}},
      "assay/cli/x.hpp: assay/cli must not include the library gtest: gtest/gtest.h");
}

TEST(Layering, UnknownLibraryIsAnOffence) {
  expect_offence("arith/a.hpp", "#include <boost/rational.hpp>\n",
                 "arith/a.hpp: arith must not include the library ?: boost/rational.hpp");
}

TEST(Layering, IncludeNamesItsRoom) {
  expect_offence("arith/a.hpp", "#include \"ulp.hpp\"\n", "arith/a.hpp: does not name its room: ulp.hpp");
}

TEST(Layering, RoomHeadersAreIncludedWithQuotes) {
  expect_offence({{"arith/a.hpp", ""}, {"oracle/o.hpp", "#include <arith/a.hpp>\n"}},
                 "oracle/o.hpp: a room's header is included with quotes: arith/a.hpp");
}

TEST(Layering, NvccNeverSeesTheOracleThroughAnotherHeader) {
  expect_offence({{"tests/device/d.cu", "#include \"tests/device/d.hpp\"\n"},
                  {"tests/device/d.hpp", "#include \"oracle/o.hpp\"\n"}},
                 "tests/device/d.cu: nvcc must not see oracle/o.hpp (in tests/device/d.hpp)");
}

TEST(Layering, NvccNeverSeesGoogleTest) {
  expect_offence("tests/device/d.cu", "#include <gtest/gtest.h>\n",
                 "tests/device/d.cu: nvcc must not see gtest/gtest.h (in tests/device/d.cu)");
}

TEST(Layering, FrameworkDoesNotKnowTheKernels) {
  expect_offence("properties/framework/f.hpp", "#include \"kernels/sum/sum.hpp\"\n",
                 "properties/framework/f.hpp: properties/framework must not include kernels: "
                 "kernels/sum/sum.hpp");
}

TEST(Layering, JudgeDoesNotKnowTheLibraryOfKernels) {
  for (const std::string room :
       {"properties/framework", "properties/draws", "properties/contracts", "assay/store", "assay/ledger",
        "assay/process", "assay/doors", "assay/prober", "assay/orders", "assay/explain", "assay/campaign",
        "assay/ranks", "assay/judge", "assay/report", "assay/cli", "assay/cli/outside"}) {
    for (const std::string library : {"kernels", "probes", "properties/catalog"}) {
      const std::string path = room + "/x.cpp";
      const std::string header = library + "/sum/y.hpp";
      expect_offence(path, "#include \"" + header + "\"\n",
                     path + ": " + room + " must not include " + library + ": " + header);
    }
  }
}

TEST(Layering, ProgramDoesNotKnowWhatIsLoadedForKernelsFromOutside) {
  for (const std::string room : {"assay/cli", "assay/doors", "assay/report"}) {
    for (const std::string library : {"assay/conversions", "assay/quantizations", "assay/orders", "assay/cli/outside",
                                      "properties/formulas/door", "properties/contracts"}) {
      const std::string header = library + "/y.hpp";
      expect_offence(room + "/x.cpp", "#include \"" + header + "\"\n",
                     room + "/x.cpp: " + room + " must not include " + library + ": " + header);
    }
  }
}

TEST(Layering, KernelsAndCatalogMeetTheProgramAtItsDoorAlone) {
  EXPECT_THAT(
      offences({{"assay/catalog/d.cpp", "#include \"kernels/sum/sum.hpp\"\n#include \"assay/prober/unit.hpp\"\n"}}),
      IsEmpty());
  expect_offence("assay/cli/x.cpp", "#include \"assay/catalog/d.hpp\"\n",
                 "assay/cli/x.cpp: assay/cli must not include assay/catalog: assay/catalog/d.hpp");
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
  expect_offence("kernels/gemv/gemv.cpp", "#include \"kernels/gemm/detail/crt.hpp\"\n",
                 "kernels/gemv/gemv.cpp: detail/ is included from its own family only: "
                 "kernels/gemm/detail/crt.hpp");
  expect_offence("tests/kernels/gemv/gemv_test.cpp", "#include \"kernels/gemm/detail/crt.hpp\"\n",
                 "tests/kernels/gemv/gemv_test.cpp: detail/ is included from its own family only: "
                 "kernels/gemm/detail/crt.hpp");
}

TEST(Layering, BenchIncludesPublicHeadersOnly) {
  expect_offence("bench/gemm.cu", "#include \"kernels/gemm/detail/crt.hpp\"\n",
                 "bench/gemm.cu: bench includes public headers only: kernels/gemm/detail/crt.hpp");
}

TEST(Layering, CudaFilesStandWhereNvccMayLook) {
  expect_offence("properties/p.cu", "", "properties/p.cu: a CUDA file does not belong here");
}

}  // namespace
}  // namespace assay::layering
