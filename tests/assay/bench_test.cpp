#include "assay/store/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/report/costs.hpp"
#include "assay/report/html.hpp"
#include "assay/store/case_file.hpp"
#include "assay/store/changes.hpp"
#include "tests/assay/folder.hpp"
#include "tests/assay/sample.hpp"

namespace assay::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// One benchmark of a document of Google Benchmark.
std::string benchmark(const std::string& name, double nanoseconds, const std::string& rest = "") {
  return R"({"name": ")" + name + R"(", "run_type": "iteration", "real_time": )" + std::to_string(7 * nanoseconds) +
         R"(, "cpu_time": )" + std::to_string(nanoseconds) + R"(, "time_unit": "ns")" + rest + "}";
}

std::string google(const std::vector<std::string>& benchmarks) {
  std::string text = R"({"context": {"host_name": "here", "num_cpus": 4, "device": "a device"}, "benchmarks": [)";
  for (std::size_t i = 0; i < benchmarks.size(); ++i) text += (i == 0 ? "" : ", ") + benchmarks[i];
  return text + "]}";
}

struct Read {
  Bench bench;
  std::vector<std::string> left_out;
};
Read read(const std::vector<std::string>& benchmarks) {
  Read read;
  read.bench.curves = curves_of_google_benchmark(parse_json(google(benchmarks)), read.left_out);
  relate(read.bench);
  return read;
}

std::string refusal(const std::string& text) {
  try {
    std::vector<std::string> left_out;
    (void)curves_of_google_benchmark(parse_json(text), left_out);
    return "";
  } catch (const JsonError& error) {
    return error.what();
  }
}

TEST(GoogleBenchmark, GivesACurveForEachKernelPeerAndLimit) {
  const Read all = read({benchmark("sum.exact/on:host/n:8", 80), benchmark("sum.exact/on:host/n:1", 10),
                         benchmark("sum.exact/peer:std::accumulate/n:8", 20), benchmark("sum.exact/peer:slow/n:8", 160),
                         benchmark("sum.exact/limit:copy/n:8", 5), benchmark("sum.exact/on:cuda/n:8/real_time", 1)});
  EXPECT_THAT(all.left_out, IsEmpty());
  ASSERT_THAT(all.bench.curves, SizeIs(5));
  const BenchCurve& device = all.bench.curves[0];
  EXPECT_EQ(device.executor, "cuda");
  EXPECT_EQ(device.machine, "here, 4 CPUs, a device");
  EXPECT_DOUBLE_EQ(device.points.at(0).seconds, 7e-9) << "the time on the clock";
  EXPECT_EQ(device.points[0].of_peer, std::nullopt);
  const BenchCurve& kernel = all.bench.curves[1];
  EXPECT_EQ(kernel.kernel, "sum.exact");
  EXPECT_EQ(kernel.machine, "here, 4 CPUs");
  ASSERT_THAT(kernel.points, SizeIs(2));
  EXPECT_EQ(kernel.points[0].size, 1u);
  EXPECT_EQ(kernel.points[0].of_peer, std::nullopt);
  EXPECT_DOUBLE_EQ(*kernel.points[1].of_peer, 4) << "the fastest peer";
  EXPECT_DOUBLE_EQ(*kernel.points[1].of_limit, 16);
  EXPECT_EQ(all.bench.curves[3].name, "std::accumulate");
}

TEST(GoogleBenchmark, GivesMedianAndLeastOfRepetitions) {
  const Read all = read({benchmark("f/4", 30), benchmark("f/4", 10), benchmark("f/4", 20),
                         benchmark("f/4_mean", 20, R"(, "run_type2": 0)")});
  const BenchPoint& point = all.bench.curves.at(0).points.at(0);
  EXPECT_DOUBLE_EQ(point.seconds, 20e-9);
  EXPECT_DOUBLE_EQ(point.least, 10e-9);
  EXPECT_EQ(point.repetitions, 3u);
  EXPECT_THAT(all.left_out, ElementsAre(HasSubstr("f/4_mean: the name has no size")));
}

TEST(GoogleBenchmark, GivesTheMedianWhereOnlyAggregatesAre) {
  const std::string entry =
      R"({"name": "f/4_median", "run_name": "f/4", "run_type": "aggregate", "aggregate_name": "median",
          "cpu_time": 3, "real_time": 3, "time_unit": "us"})";
  const std::string mean =
      R"({"name": "f/4_mean", "run_name": "f/4", "run_type": "aggregate", "aggregate_name": "mean",
          "cpu_time": 9, "real_time": 9, "time_unit": "us"})";
  EXPECT_DOUBLE_EQ(read({mean, entry}).bench.curves.at(0).points.at(0).seconds, 3e-6);
}

TEST(GoogleBenchmark, KeepsThreadsAndFurtherArgumentsApart) {
  const Read all = read({benchmark("BM_x/64/3/threads:2", 1), benchmark("BM_x/64/3/threads:1", 1),
                         benchmark("BM_x/64/4/min_time:0.5", 1)});
  ASSERT_THAT(all.bench.curves, SizeIs(3));
  EXPECT_EQ(all.bench.curves[1].kernel, "BM_x/3");
  EXPECT_EQ(all.bench.curves[1].threads, 2u);
  EXPECT_DOUBLE_EQ(all.bench.curves[1].points[0].seconds, 7e-9) << "threads add their processor time up";
  EXPECT_EQ(all.bench.curves[2].kernel, "BM_x/4");
}

TEST(GoogleBenchmark, NamesWhatWasNotMeasured) {
  const Read all = read({benchmark("f/4", 0, R"(, "error_occurred": true, "error_message": "no memory")"),
                         benchmark("verified_cases", 5)});
  EXPECT_THAT(all.bench.curves, IsEmpty());
  EXPECT_THAT(all.left_out, ElementsAre("f/4: no memory", HasSubstr("verified_cases: the name has no size")));
}

TEST(GoogleBenchmark, OfAnotherFormIsRefused) {
  EXPECT_THAT(refusal("[]"), HasSubstr("\"benchmarks\" is not an array"));
  EXPECT_THAT(refusal(R"({"benchmarks": 1})"), HasSubstr("\"benchmarks\" is not an array"));
  EXPECT_THAT(refusal(R"({"benchmarks": [1]})"), HasSubstr("is not an object"));
  EXPECT_THAT(refusal(R"({"benchmarks": [{}]})"), HasSubstr("has no name"));
  EXPECT_THAT(refusal(google({benchmark("f/4", 0)})), HasSubstr("\"cpu_time\" of the benchmark \"f/4\""));
  EXPECT_THAT(refusal(R"({"benchmarks": [{"name": "f/1", "cpu_time": 1, "time_unit": "h"}]})"),
              HasSubstr("the unknown unit of time \"h\""));
  EXPECT_THAT(refusal(R"({"benchmarks": [{"name": "f/1", "cpu_time": "1"}]})"), HasSubstr("is not a number above 0"));
}

TEST(Bench, IsReadAsItWasWritten) {
  const test::Folder folder;
  Bench bench = read({benchmark("sum.exact/n:8", 80), benchmark("sum.exact/peer:p/n:8", 20)}).bench;
  bench.begun = 7;
  bench.provenance["commit"] = "0123";
  const std::string bytes = bench_bytes(bench);
  std::ofstream(folder / "bench.json") << bytes;
  std::vector<std::string> left_out;
  EXPECT_EQ(bench_bytes(read_bench(folder / "bench.json", left_out)), bytes);
}

/// The message about bench.json with `from` in place of `to`.
std::string damage(const std::string& from, const std::string& to, bool seal_again) {
  const test::Folder folder;
  std::string bytes = bench_bytes(read({benchmark("sum.exact/n:8", 80), benchmark("sum.exact/n:9", 90)}).bench);
  if (seal_again) bytes = *unsealed(bytes);
  bytes.replace(bytes.find(from), from.size(), to);
  std::ofstream(folder / "bench.json") << (seal_again ? sealed(bytes) : bytes);
  try {
    std::vector<std::string> left_out;
    (void)read_bench(folder / "bench.json", left_out);
    return "";
  } catch (const DamagedFile& error) {
    return error.what();
  }
}

TEST(Bench, WithAnotherByteIsDamaged) {
  EXPECT_THAT(damage("sum.exact", "sum.exacd", false), HasSubstr("bench.json: the checksum is missing or not"));
  EXPECT_THAT(damage("\"schema\": 1", "\"schema\": 9", true), HasSubstr("schema 9 is unknown"));
  EXPECT_THAT(damage("\"size\": 9", "\"size\": 8", true), HasSubstr("do not ascend in size"));
  EXPECT_THAT(damage("\"role\": \"kernel\"", "\"role\": \"king\"", true), HasSubstr("kernel, peer or limit"));
  EXPECT_THAT(damage("\"seconds\": ", "\"seconds\": -", true), HasSubstr("is not a number above 0"));
  EXPECT_THAT(damage("\"least\": ", "\"least\": 1", true), HasSubstr("the least time of a point is above its median"));
}

TEST(Bench, WithTheSameTimesTwiceIsRefused) {
  Bench bench = read({benchmark("f/8", 80)}).bench;
  append(bench, Bench(bench));
  EXPECT_THROW(relate(bench), JsonError);
}

TEST(Bench, GrowsByThePowerOfTheLargestSizes) {
  const Read all =
      read({benchmark("f/1", 500), benchmark("f/2", 500), benchmark("f/8", 1000), benchmark("f/16", 32000)});
  EXPECT_DOUBLE_EQ(*growth(all.bench.curves.at(0)), 2);
  EXPECT_EQ(growth(read({benchmark("f/8", 1)}).bench.curves.at(0)), std::nullopt);
}

/// The changes from the times of sizes 1, 2, 3 … to others.
Changes changes(const std::vector<double>& before, const std::vector<double>& after, double slower = default_slower) {
  const auto entry = [](const std::vector<double>& times) {
    std::vector<std::string> benchmarks;
    for (std::size_t i = 0; i < times.size(); ++i) {
      benchmarks.push_back(benchmark("sum.exact/" + std::to_string(i + 1), times[i]));
      benchmarks.push_back(benchmark("sum.exact/peer:p/" + std::to_string(i + 1), 1 + times[0]));
    }
    return entry_of(read(benchmarks).bench);
  };
  return changes_between(entry(before), entry(after), slower);
}

TEST(Changes, TellAKernelThatGotSlower) {
  const Changes slower = changes({10, 20, 40}, {10, 24, 46});
  ASSERT_THAT(slower.changes, SizeIs(1));
  EXPECT_EQ(slower.times, 3u);
  EXPECT_TRUE(slower.worse());
  EXPECT_EQ(slower.changes[0].kind, Change::Kind::time);
  EXPECT_EQ(slower.changes[0].property, "sum.exact");
  EXPECT_THAT(slower.changes[0].after, HasSubstr(" s at n = "));
  EXPECT_TRUE(changes({10}, {12}).worse());
}

TEST(Changes, TellNoKernelThatIsSlowerAtOneSizeOrByLess) {
  EXPECT_THAT(changes({10, 20, 40}, {10, 40, 40}).changes, IsEmpty());
  EXPECT_THAT(changes({10, 20, 40}, {10.9, 21.9, 43}).changes, IsEmpty());
  EXPECT_THAT(changes({10, 20, 40}, {12, 24, 48}, 0.5).changes, IsEmpty());
  EXPECT_TRUE(changes({10, 20, 40}, {10.6, 21.2, 42.4}, 0.05).worse());
}

TEST(Changes, TellAKernelThatGotFaster) {
  const Changes faster = changes({10, 20, 40}, {5, 10, 20});
  ASSERT_THAT(faster.changes, SizeIs(1));
  EXPECT_FALSE(faster.worse());
  EXPECT_EQ(faster.changes[0].direction, Change::Direction::better);
}

TEST(Changes, OfTimesOnAnotherMachineAreNotTold) {
  Entry before = entry_of(read({benchmark("f/1", 1)}).bench);
  Entry after = entry_of(read({benchmark("f/1", 9)}).bench);
  after.times.at(0).machine = "there";
  const Changes none = changes_between(before, after);
  EXPECT_EQ(none.times, 0u);
  EXPECT_THAT(none.changes, IsEmpty());
}

TEST(Costs, AreALineForEachKernel) {
  const Read all = read({benchmark("sum.exact/n:1", 80), benchmark("sum.exact/n:8", 640),
                         benchmark("sum.exact/peer:p/n:8", 320), benchmark("sum.exact/limit:copy/n:8", 64)});
  EXPECT_EQ(report::costs_text(all.bench),
            "sum.exact on host, n = 1 … 8: 640 ns, grows as n^1.00, 2 times the fastest peer, 10 times the limit\n");
}

TEST(Costs, HaveUnits) {
  EXPECT_EQ(report::seconds_text(1234e-9), "1.23 µs");
  EXPECT_EQ(report::seconds_text(0.0999951), "100 ms");
  EXPECT_EQ(report::seconds_text(0.99951), "1.00 s");
  EXPECT_EQ(report::seconds_text(12e-12), "0.01 ns");
  EXPECT_EQ(report::seconds_text(0), "–");
}

TEST(Costs, AreASectionOfTheReportWithAPictureForEachKernel) {
  report::Beside beside;
  beside.costs = read({benchmark("sum.<b>/n:1", 80), benchmark("sum.<b>/n:8", 640),
                       benchmark("sum.<b>/peer:p/n:8", 320), benchmark("dot.x/n:8", 64)})
                     .bench;
  const std::string html = report::report_html(sample::summary(), beside);
  EXPECT_THAT(html, HasSubstr("<h2 id=costs>Cost curves</h2>"));
  EXPECT_THAT(html, HasSubstr("sum.&lt;b&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("sum.<b>")));
  EXPECT_THAT(html, HasSubstr("<i class=s1></i>p</span>"));
  EXPECT_THAT(report::report_html(sample::summary()), Not(HasSubstr("id=costs")));
}

TEST(Costs, HaveAtMostEightLinesInAPicture) {
  std::vector<std::string> many{benchmark("f/n:8", 1)};
  for (int i = 0; i < 12; ++i) many.push_back(benchmark("f/peer:p" + std::to_string(i) + "/n:8", 1));
  const std::string html = report::costs_html(read(many).bench);
  EXPECT_THAT(html, HasSubstr("<i class=s7></i>"));
  EXPECT_THAT(html, Not(HasSubstr("<i class=s8></i>")));
}

}  // namespace
}  // namespace assay::store
