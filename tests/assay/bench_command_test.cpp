// Times against size by the program.
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

/// A document of Google Benchmark with one kernel and one peer; the kernel takes `nanoseconds` at size 4.
std::string document(const std::string& nanoseconds) {
  return R"({"context": {"host_name": "here", "num_cpus": 4}, "benchmarks": [
    {"name": "sum.exact/n:4", "run_type": "iteration", "cpu_time": )" +
         nanoseconds + R"(, "real_time": 1, "time_unit": "ns"},
    {"name": "sum.exact/peer:p/n:4", "run_type": "iteration", "cpu_time": 10, "real_time": 1, "time_unit": "ns"}]})";
}

class BenchTest : public ProgramTest {
 protected:
  Ended bench(const std::string& rest) const { return run("bench " + rest); }
  /// A copy of the program in a separate folder `bin`, with the libraries of a bundle if there are any.
  std::string copied() const {
    std::string copy = in("bin/assay");
    shell("mkdir -p " + in("bin") + "; ln -sfn " + beside("../lib") + " " + in("lib") + "; cp " +
          beside("assay-hostile") + " " + copy);
    return copy;
  }
};
using Bench = BenchTest;

TEST_F(Bench, ReadsWhatGoogleBenchmarkWrote) {
  const std::string file = file_with("google.json", document("20"));
  EXPECT_THAT(bench(file), Ends(0, Out("sum.exact on host, n = 4: 20.0 ns, 2 times the fastest peer\n"), Err("")));
  EXPECT_THAT(bench("'dot.*' " + file), Ends(3, Out(""), Err("assay: no time was measured\n")));
  EXPECT_THAT(bench("--exclude 'sum.*' " + file), Ends(3, Err("assay: no time was measured\n")));
}

TEST_F(Bench, WritesADocumentThatItReadsAgain) {
  const std::string google = file_with("google.json", document("20"));
  const Ended written = bench("--json 'sum.*' " + google);
  EXPECT_THAT(written, Ends(0, Out(::testing::StartsWith("{\n  \"schema\": 1,")), Err("")));
  const std::string own = file_with("bench.json", written.out);
  EXPECT_THAT(bench("--json " + own), Ends(0, Out(written.out)));
  EXPECT_THAT(bench(own + " " + google), Ends(5, Err("assay: the times of sum.exact are there twice\n")));
}

TEST_F(Bench, RefusesWhatIsNoDocumentOfTimes) {
  EXPECT_THAT(bench(in("none.json")), Ends(5, Err(HasSubstr("none.json: "))));
  EXPECT_THAT(bench(file_with("cut.json", document("20").substr(0, 99))), Ends(5, Err(HasSubstr("cut.json: "))));
  EXPECT_THAT(bench(file_with("other.json", "{}")), Ends(5, Err(HasSubstr("other.json: "))));
  EXPECT_THAT(bench(file_with("zero.json", document("0"))),
              Ends(5, Err(HasSubstr("zero.json: \"cpu_time\" of the benchmark \"sum.exact/n:4\""))));
}

TEST_F(Bench, HasNothingToRunWithoutTheBenchmarks) {
  EXPECT_THAT(shell(copied() + " bench"),
              Ends(77, Err(HasSubstr("the program assay-curves is not in the folder of this one"))));
}

TEST_F(Bench, TellsWhatTheBenchmarksDo) {
  // A program of the same name takes the place of the benchmarks.
  const std::string copy = copied();
  const auto benchmarks = [&](const std::string& script) {
    file_with("bin/assay-curves", "#!/bin/sh\n" + script + "\n");
    shell("chmod +x " + in("bin/assay-curves"));
  };
  file_with("google.json", document("20"));
  benchmarks("echo \"$@\" >" + in("words") + "; cat " + in("google.json"));
  EXPECT_THAT(shell(copy + " bench --time 250ms --most-memory 1M --on host --exclude 'dw.*' 'sum.*'"),
              Ends(0, Out(HasSubstr("sum.exact on host"))));
  EXPECT_EQ(content(in("words")),
            "--benchmark_format=json --benchmark_repetitions=3 --benchmark_min_time=0.01 --on=host "
            "--most-milliseconds=250 --most-bytes=1048576 --exclude=dw.* sum.*\n");
  benchmarks("exit 2");
  EXPECT_THAT(shell(copy + " bench nothing"), Ends(2, Err(HasSubstr("no kernel with a cost curve matches"))));
  benchmarks("exit 9");
  EXPECT_THAT(shell(copy + " bench"), Ends(3, Err(HasSubstr("assay-curves ended with 9"))));
  benchmarks("echo '{'");
  EXPECT_THAT(shell(copy + " bench"), Ends(5, Err(HasSubstr("assay: "))));
}

TEST_F(Bench, OfASlowerKernelIsAChangeForTheWorse) {
  const std::string before = file_with("before.json", document("20"));
  const std::string after = file_with("after.json", document("23"));
  const std::string both = "compare " + before + " " + after;
  EXPECT_THAT(run(both), Ends(0, Out(HasSubstr("kernels that became slower or faster:\n  worse    sum.exact on host: "
                                               "2e-08 s at n = 4 -> 2.3e-08 s at n = 4\n"))));
  EXPECT_THAT(run(both + " --strict"), Ends(1, Out(HasSubstr("and 1 times\n"))));
  EXPECT_THAT(run(both + " --strict --slower 20%"), Ends(0, Out(Not(HasSubstr("worse")))));
  EXPECT_THAT(run("compare " + after + " " + before + " --strict"), Ends(0, Out(HasSubstr("better   sum.exact"))));
  for (const std::string wrong : {"0", "-1", "x", "%", "1e9"}) {
    EXPECT_THAT(run(both + " --slower=" + wrong), Ends(2, Err(HasSubstr("--slower " + wrong + ": a positive number"))));
  }
}

TEST_F(Bench, GoesIntoTheLedgerAndTheReport) {
  checked("hostile.benign --cases 100");
  const std::string file = file_with("google.json", document("20"));
  const std::string ledger = "ASSAY_LEDGER=" + in("l.sqlite");
  EXPECT_THAT(run("ledger add " + file, ledger), Ends(0, Out("entry 1 added\n")));
  EXPECT_THAT(run("ledger show 1", ledger), Ends(0, Out(HasSubstr("sum.exact  host  n = 4  20.0 ns\n"))));
  EXPECT_THAT(run("compare last " + file_with("after.json", document("40")) + " --strict", ledger), Ends(1));
  EXPECT_THAT(run("report " + in("run") + " --html -", ledger), Ends(0, Out(Not(HasSubstr("id=costs")))));
  EXPECT_THAT(run("report " + in("run") + " --bench " + file + " --html -", ledger),
              Ends(0, Out(HasSubstr("<h2 id=costs>Cost curves</h2>"))));
  file_with("run/bench.json", document("20"));
  EXPECT_THAT(run("report " + in("run") + " --html -", ledger), Ends(0, Out(HasSubstr("<h2 id=costs>"))));
  EXPECT_THAT(run("ledger add " + in("run"), ledger), Ends(0, Out("entry 2 added\n")));
  EXPECT_THAT(run("ledger show 2", ledger), Ends(0, Out(HasSubstr("sum.exact  host  n = 4  20.0 ns\n"))));
}

}  // namespace
}  // namespace assay::testing_program
