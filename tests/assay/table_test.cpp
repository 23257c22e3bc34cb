// Kernels from outside in a library with a table, in the form of assay/subject.h.
#include "assay/subject.h"

#include <algorithm>
#include <cstddef>

#include "tests/assay/program.hpp"

namespace assay::testing_program {

namespace {

/// Checks of the library with a table, which fails in a given way.
class TableTest : public ProgramTest {
 protected:
  Ended assay(const std::string& arguments, const std::string& way = "") const {
    return shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 TABLE=" + way + " " + beside("assay") + " " + arguments);
  }
  Ended judged(const std::string& rest, const std::string& way = "", const std::string& out = "run") const {
    return assay(
        "check --subject " + beside(ASSAY_TABLE) + " --no-shrink --progress none --out " + in(out) + " " + rest, way);
  }
};

TEST_F(TableTest, IsAskedForAllItsOperations) {
  EXPECT_THAT(judged("--cases 60"),
              Ends(0, Out(AllOf(HasSubstr("subject.dot on host: keeps any_order, exceptional; breaks faithful"),
                                HasSubstr("subject.sum on host: keeps any_order, exceptional; breaks faithful"),
                                HasSubstr("subject.gemm on host: keeps grade_a, scaling, exceptional, untouched, "
                                          "not_read; breaks rounded"),
                                HasSubstr("subject.spmv on host: keeps any_order, exceptional; breaks faithful")))));
}

TEST_F(TableTest, IsAskedForOneOfThem) {
  EXPECT_THAT(judged("--cases 60 --operation sum --contract any_order"),
              Ends(0, Out(AllOf(HasSubstr("subject.sum on host"), Not(HasSubstr("subject.dot"))))));
}

TEST_F(TableTest, IsAskedForOneOfThemAtAShapeThatOthersDoNotHave) {
  EXPECT_THAT(judged("--cases 5 --operation sum --contract any_order --shape n=5000"), Ends(0));
}

TEST_F(TableTest, GetsBatchesOfProducts) {
  EXPECT_THAT(judged("--cases 60 --operation gemm", "first_product"),
              Ends(0, Out(HasSubstr("subject.gemm on host: keeps zeros, untouched; breaks exact_grid"))));
}

TEST_F(TableTest, OfTheExampleHasTwoFormats) {
  const Ended ended = assay("check --subject " + beside(ASSAY_TABLE_EXAMPLE) +
                            " --cases 60 --no-shrink --progress none --out " + in("run"));
  EXPECT_THAT(ended, Ends(0, Out(AllOf(HasSubstr("subject.dot on host: keeps any_order"),
                                       HasSubstr("subject.dot.f32 on host: keeps any_order")))));
}

TEST_F(TableTest, IsRecordedWithItsKnobs) {
  ASSERT_EQ(judged("--cases 60 --operation dot").code, 0);
  EXPECT_THAT(content(in("run/summary.json")),
              ContainsRegex("\"subject subject.dot\": \"[^\"]* hostile table 1.2; order=ascending; threads=1\""));
  EXPECT_THAT(judged("--cases 60 --operation dot --resume", "other_knobs"),
              Ends(2, Err(HasSubstr("provenance/subject subject.dot"))));
}

TEST_F(TableTest, IsReplayedByTheLineThatWasPrinted) {
  const Ended checked = judged("--cases 60 --operation dot --contract faithful");
  const std::size_t at = checked.out.rfind("assay replay ");
  ASSERT_NE(at, std::string::npos) << checked;
  EXPECT_EQ(shell(beside(checked.out.substr(at, checked.out.find('\n', at) - at))).code, 1);
}

TEST_F(TableTest, ThatCannotBeUsedIsOneLine) {
  const std::pair<const char*, const char*> ways[] = {
      {"no_table", "assay_subject_v1: it returned no table"},
      {"version", "assay_subject_v1: the table has version 7; this program knows version 1"},
      {"small", "the table's struct_size is 24, less than the"},
      {"no_name", "the table has no name or no version"},
      {"no_run", "the table has no function run"},
      {"no_kernels", "the table has no kernels"},
      {"no_device", "the table's devices are neither host nor CUDA"},
      {"unknown", "the table names an unknown operation, dott"},
      {"format", "the table names an unknown format of dot, s8; there are: f64, f32, f16, bf16"},
      {"of_blocks", "the table names an unknown format of quantize, f32:e4m3"},
      {"twice", "the table names dot in f64 twice"},
      {"open_fails", "open returned status 3"},
      {"close_crashes", "a signal ended the process that loaded it (SIGABRT)"}};
  for (const auto& [way, says] : ways) {
    const Ended ended = judged("--cases 60", way);
    EXPECT_THAT(ended, Ends(2, Err(HasSubstr(says)))) << way;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
}

TEST_F(TableTest, IsNotAskedForWhatItDoesNotHave) {
  const std::pair<const char*, const char*> wishes[] = {
      {"--operation nrm2", "has no nrm2; it has dot in f64, sum in f64, gemm in f64, spmv in f64"},
      {"--format f32", "has no format f32; it has dot in f64"},
      {"--operation dot --format f32", "has no dot in f32; it has dot in f64"},
      {"--operation dott", "no operation dott; nearest: dot"},
      {"--contract any_order", "--contract any_order: needs --operation and --format"},
      {"--on cuda", "--on cuda: the kernels in the table of "}};
  for (const auto& [wish, says] : wishes) EXPECT_THAT(judged(wish), Ends(2, Err(HasSubstr(says)))) << wish;
  EXPECT_THAT(
      assay("check --operation quantize --format f32:int8_row --on host --subject " + beside(ASSAY_TABLE), "cuda"),
      Ends(2, Err(HasSubstr("run on cuda only"))));
  EXPECT_THAT(judged("--on host", "cuda"), Ends(2, Err(HasSubstr("--on host: the kernels in the table of "))));
}

TEST_F(TableTest, OfADeviceIsSkippedWhereThereIsNone) {
  for (const char* const asked : {"", " --operation quantize --format f32:int8_row"}) {
    EXPECT_THAT(shell("env CUDA_VISIBLE_DEVICES= ASSAY_OVERWRITE=1 TABLE=cuda " + beside("assay") +
                      " check --subject " + beside(ASSAY_TABLE) + " --out " + in("run") + asked),
                Ends(77, Err(HasSubstr("nothing runs on cuda"))))
        << asked;
  }
}

TEST_F(TableTest, ThatReturnsAStatusEndsItsCase) {
  EXPECT_THAT(judged("--cases 60 --operation dot", "run_fails"),
              Ends(4, Out(HasSubstr("run returned status 7: not 33, never 33"))));
  EXPECT_THAT(judged("--cases 60 --operation dot", "run_crashes"), Ends(4, Out(HasSubstr("ended by SIGABRT"))));
  EXPECT_THAT(judged("--cases 60 --operation dot", "reset_fails"), Ends(4, Out(HasSubstr("reset returned status 5"))));
}

TEST_F(TableTest, ThatLeavesAnOutputUnwrittenKeepsNoContractAboutAnError) {
  for (const char* const contract : {"faithful", "any_order"}) {
    EXPECT_EQ(judged(std::string("--cases 60 --operation dot --contract ") + contract, "unwritten").code, 1);
  }
}

TEST_F(TableTest, ThatWritesOutsideItsOutputIsToldSo) {
  EXPECT_THAT(judged("--cases 60 --operation dot", "writes_behind"), Ends(4, Out(HasSubstr("ended by SIGSEGV"))));
  EXPECT_THAT(judged("--cases 60 --operation dot", "writes_in_front"),
              Ends(1, Out(HasSubstr("subject.dot/guard_zones on host: violated"))));
  EXPECT_THAT(judged("--cases 60 --operation dot", "changes_input"),
              Ends(1, Out(HasSubstr("subject.dot/inputs_unchanged on host: violated"))));
}

TEST_F(TableTest, ThatResetsIsJudgedAsWithoutEarlierCalls) {
  EXPECT_THAT(judged("--cases 60 --operation dot", "drifts"),
              Ends(1, Out(HasSubstr("subject.dot/same_bits on host: violated"))));
  EXPECT_THAT(judged("--cases 60 --operation dot", "resets"), Out(Not(HasSubstr("subject.dot/same_bits"))));
}

// DLPack 1.0, on a processor with addresses of 8 bytes.
static_assert(sizeof(void*) != 8 ||
              (sizeof(DLTensor) == 48 && offsetof(DLTensor, device) == 8 && offsetof(DLTensor, ndim) == 16 &&
               offsetof(DLTensor, dtype) == 20 && offsetof(DLTensor, shape) == 24 &&
               offsetof(DLTensor, strides) == 32 && offsetof(DLTensor, byte_offset) == 40));
static_assert(sizeof(DLDevice) == 8 && sizeof(DLDataType) == 4 && offsetof(DLDataType, lanes) == 2);

}  // namespace
}  // namespace assay::testing_program
