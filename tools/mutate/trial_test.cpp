// The runner: what becomes of planted mutants, and the files and tables that say so.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/mutate/mutation.hpp"
#include "tools/mutate/proof.hpp"
#include "tools/mutate/trial.hpp"
#include "tools/mutate/unit_tests.hpp"

namespace mutate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Outcome = Result::Outcome;

std::size_t sums = 0;  ///< that this process made

/// a + b, with mutants 1 to 5.
double sum(double a, double b) {
  ++sums;
  while (mutation::on(3)) {
  }
  if (mutation::on(4)) std::abort();
  if (mutation::on(5)) throw std::runtime_error("planted");
  return mutation::on(1) ? a - b : mutation::on(2) ? b + a : a + b;
}

/// Two claims about the sums of 1000 pairs: one holds, the other is known to be false.
class Sums : public Check {
 public:
  const std::string& name() const override { return name_; }
  const std::vector<Claim>& claims() const override { return claims_; }
  std::uint64_t cases() const override { return 1000; }
  bool is_exhaustive() const override { return false; }
  std::size_t saved() const override { return 0; }
  Violations run(std::uint64_t first, std::uint64_t step, std::uint64_t count) const override {
    Violations found{{false, false}, {0, 0}};
    for (std::uint64_t i = first; i < first + step * count; i += step) {
      const double a = 2.0 * static_cast<double>(i);
      if (sum(a, 1) == a + 1) continue;
      if (!found.violated[0]) found.first[0] = i;
      found.violated[0] = true;
    }
    found.violated[1] = count > 0;
    return found;
  }
  Violations run_saved() const override { return {}; }
  std::uint64_t hash_of_results(std::uint64_t count) const override { return count; }

 private:
  std::string name_ = "trial_test.sums";
  std::vector<Claim> claims_{{"error"}, {"exact", true}};
};
const Sums all_sums;

std::map<int, Result> tried(const std::vector<int>& numbers) {
  std::vector<Mutant> mutants;
  for (const int each : numbers) mutants.push_back({each, "eft", "arith/sum.hpp", {1, 1}, "", "", ""});
  std::vector<Asked> checks(1);
  checks[0].check = &all_sums;
  measure(checks, 1);
  std::map<int, Result> results;
  try_mutants(mutants, checks, {2, 60}, [&](const Result& result) { results[result.number] = result; });
  return results;
}

TEST(Trial, KillsByAClaimACrashAHangAndAnException) {
  const std::map<int, Result> results = tried({1, 3, 4, 5});
  for (const int each : {1, 3, 4, 5}) EXPECT_EQ(results.at(each).outcome, Outcome::killed) << each;
  EXPECT_EQ(results.at(1).by, "trial_test.sums/error");
  EXPECT_EQ(results.at(1).stage, 1);
  EXPECT_EQ(results.at(3).by, "trial_test.sums: hangs");
  EXPECT_EQ(results.at(4).by, "trial_test.sums: crashes");
  EXPECT_EQ(results.at(5).by, "trial_test.sums: throws: planted");
}

TEST(Trial, TellsSurvivorsFromWhatIsNotReached) {
  const std::map<int, Result> results = tried({2, 99});
  EXPECT_EQ(results.at(2).outcome, Outcome::survived);
  EXPECT_EQ(results.at(2).by, "all cases");
  EXPECT_EQ(results.at(2).stage, 3);
  EXPECT_EQ(results.at(99).outcome, Outcome::not_reached);
}

TEST(Stages, HaveAllCasesTogether) {
  Asked asked;
  asked.check = &all_sums;
  EXPECT_EQ(asked.cases(0), 0u) << "nothing is saved";
  EXPECT_EQ(asked.cases(1) + asked.cases(2) + asked.cases(3), all_sums.cases());
  const std::size_t before = sums;
  for (int stage = 1; stage < stages; ++stage) ask(asked, stage);
  EXPECT_EQ(sums - before, all_sums.cases());
}

/// A folder of the test's own.
std::filesystem::path fresh_folder() {
  std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("mutate_trial_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

Result result(int number, Outcome outcome, const std::string& by) {
  Result made;
  made.number = number;
  made.outcome = outcome;
  made.by = by;
  return made;
}

TEST(Results, AreReadAgain) {
  const std::filesystem::path path = fresh_folder() / "results.jsonl";
  const Result killed = result(1, Outcome::killed, "a.b/c");
  ResultsFile(path, "run").add(killed);
  std::ofstream(path, std::ios::app) << R"({"number": 2, "outco)";  // an interrupted line
  const ResultsFile again(path, "run");
  ASSERT_EQ(again.results().size(), 1u);
  EXPECT_EQ(again.results().at(1), killed);
  EXPECT_THROW(ResultsFile(path, "another run"), std::runtime_error);
}

const std::vector<Mutant>& three() {
  static const std::vector<Mutant> all{{1, "dw", "kernels/dw/a.cpp", {3, 4}, "< for <=", "a <= b", "a < b"},
                                       {2, "dw", "kernels/dw/a.cpp", {5, 6}, "|| for &&", "a && b", "a || b"},
                                       {3, "arith/float", "arith/float/a.hpp", {7, 8}, "term dropped", "a + b", "a"}};
  return all;
}

Reasons page_with(const std::string& rows) {
  const std::filesystem::path page = fresh_folder() / "page.md";
  std::ofstream(page)
      << "# Why\n\n| place | mistake | was | becomes | kind | reason |\n| --- | --- | --- | --- | --- | --- "
         "|\n"
      << rows;
  return Reasons(page);
}

TEST(Table, CountsApartWhatRunsOnADeviceWhereNothingReachesIt) {
  const Reasons reasons = page_with(
      "| kernels/dw/a.cpp:3 | < for <= | `a <= b` | `a < b` | device | the choice of an engine |\n"
      "| kernels/dw/a.cpp:5 | \\|\\| for && | `a && b` | `a \\|\\| b` | device | the choice of an engine |\n");
  const Table table = table_of(
      three(), {{1, result(1, Outcome::not_reached, "")}, {2, result(2, Outcome::survived, "all cases")}}, reasons, 5);
  EXPECT_EQ(table.all.device, 1u);  // the other one was reached
  EXPECT_EQ(table.all.share(), 0.0);
  EXPECT_EQ(table.all.mutants - table.all.device, 1u);
}

TEST(Table, CountsByFamilyAndNamesSurvivorsWithTheirReasons) {
  const std::map<int, Result> results{{1, result(1, Outcome::killed, "dw.sqrt/error")},
                                      {2, result(2, Outcome::survived, "all cases")},
                                      {3, result(3, Outcome::equivalent, "the object code of 2 sources")}};
  const Reasons reasons =
      page_with("| kernels/dw/a.cpp:5 | \\|\\| for && | `a && b` | `a \\|\\| b` | same | b is true wherever a is |\n");
  const Table table = table_of(three(), results, reasons, 5);
  EXPECT_EQ(table.generated, 5u);
  EXPECT_EQ(table.all.mutants, 3u);
  EXPECT_EQ(table.all.argued, 1u);
  ASSERT_EQ(table.left.size(), 1u);
  EXPECT_EQ(table.left[0].reason, "b is true wherever a is");
  const std::string text = table_markdown(table);
  EXPECT_THAT(text, HasSubstr("| dw | 2 | 1 | 0 | 0 | 1 | 0 | 0 | 1 | 50.0 % | 100.0 % |"));
  EXPECT_THAT(text, HasSubstr("| arith/float | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 100.0 % | 100.0 % |"));
  EXPECT_THAT(text,
              HasSubstr("| 2 | kernels/dw/a.cpp:5:6 | \\|\\| for && | `a && b` | `a \\|\\| b` | all cases | same |"));
  EXPECT_THAT(text, Not(HasSubstr("kernels/dw/a.cpp:3:4")));
}

TEST(Reasons, HaveAKindThatThePageKnows) {
  EXPECT_THROW(page_with("| a.cpp:1 | m | a | b | sound | because |\n"), std::runtime_error);
  EXPECT_EQ(page_with("| a.cpp:1 | m | `a` | `b` | cost | because |\n").of(three()[0]), nullptr);
}

TEST(Sources, AreThoseThatIncludeAFile) {
  const std::filesystem::path tree = fresh_folder();
  std::filesystem::create_directories(tree / "kernels");
  std::ofstream(tree / "kernels/a.cpp") << "#include \"kernels/a.hpp\"\n";
  std::ofstream(tree / "kernels/b.cpp") << "int b;\n";
  std::ofstream(tree / "kernels/a.hpp") << "#include \"kernels/deep.hpp\"\n";
  std::ofstream(tree / "kernels/deep.hpp") << "int c;\n";
  EXPECT_THAT(sources_with(tree, "kernels/deep.hpp"), ::testing::ElementsAre("kernels/a.cpp"));
}

TEST(Assertions, KillWhatTheyRefuseAndWhatHasNoValue) {
  const std::filesystem::path root = std::filesystem::path(::testing::TempDir()) / "mutate_assertions";
  std::filesystem::remove_all(root);
  std::filesystem::create_directories(root / "tree/arith");
  std::filesystem::create_directories(root / "source/checks");
  std::ofstream(root / "tree/arith/f.hpp") << "constexpr int f(int i) {\n"
                                              "  const int x[2] = {1, 2};\n"
                                              "#if MUTATION_NUMBER == 1\n"
                                              "  i = 1 - i;\n"
                                              "#elif MUTATION_NUMBER == 2\n"
                                              "  i += 2;\n"
                                              "#elif MUTATION_NUMBER == 3\n"
                                              "  i = nothing;\n"
                                              "#endif\n"
                                              "  return x[i];\n"
                                              "}\n";
  std::ofstream(root / "source/checks/of_f.cpp") << "#include \"arith/f.hpp\"\nstatic_assert(f(0) == 1);\n";
  std::ofstream(root / "source/checks/apart.cpp") << "static_assert(MUTATION_NUMBER == 0);\n";
  const Compilation compilation{
      {MUTATE_COMPILER, "-std=c++20", "-I" + (root / "tree").string()}, root / "tree", root / "objects"};
  std::vector<Mutant> mutants;
  for (const int each : {1, 2, 3, 4}) mutants.push_back({each, "eft", "arith/f.hpp", {1, 1}, "", "", ""});
  std::map<int, Result> results;
  kill_by_assertions(mutants, compilation, root / "source", "checks/", 2,
                     [&](const Result& result) { results[result.number] = result; });
  ASSERT_EQ(results.size(), 2u);
  for (const int each : {1, 2}) {
    EXPECT_EQ(results.at(each).outcome, Outcome::killed) << each;
    EXPECT_EQ(results.at(each).by, "the compiler: checks/of_f.cpp:2") << each;
  }
  // One that does not hold at all kills nothing.
  std::ofstream(root / "source/checks/of_f.cpp") << "#include \"arith/f.hpp\"\nstatic_assert(f(0) == 7);\n";
  EXPECT_THROW(kill_by_assertions(mutants, compilation, root / "source", "checks/", 2, [](const Result&) {}),
               std::runtime_error);
}

/// A program of unit tests: one test, which reaches mutants 1, 2 and 3. `commands`: the commands that it runs in the
/// end.
std::filesystem::path program_with(const std::filesystem::path& folder, const std::string& commands) {
  std::filesystem::path program = folder / "some_test";
  std::ofstream(program) << "#!/bin/sh\n"
                            "printf Suite.Case > \"$2\"\n"
                            "case \"$3\" in\n"
                            "  --gtest_filter=Suite.Case) ;;\n"
                            "  *) printf 'Suite.Case 5 1 2 3\\n' > \"$3\" ;;\n"
                            "esac\n"
                         << commands;
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return program;
}

TEST(UnitTests, KillWhatMakesOneFailOrCrash) {
  const std::filesystem::path folder = fresh_folder();
  const std::vector<std::filesystem::path> programs{
      program_with(folder, "case $1 in 1) exit 1 ;; 2) kill -ABRT $$ ;; 4) exit 1 ;; esac\n")};
  std::vector<Mutant> mutants;
  for (const int each : {1, 2, 3, 4}) mutants.push_back({each, "eft", "arith/f.hpp", {1, 1}, "", "", ""});
  std::map<int, Result> results;
  kill_by_unit_tests(mutants, programs, folder, 2, [&](const Result& result) { results[result.number] = result; });
  ASSERT_EQ(results.size(), 2u) << "3 makes no test fail, and no test reaches 4";
  EXPECT_EQ(results.at(1).by, "unit tests: some_test Suite.Case");
  EXPECT_EQ(results.at(2).by, "unit tests: some_test Suite.Case: crashes");
  EXPECT_EQ(results.at(1).outcome, Outcome::killed);
}

TEST(UnitTests, KillNothingWhereTheyFailWithoutAMutant) {
  const std::filesystem::path folder = fresh_folder();
  const std::vector<std::filesystem::path> programs{program_with(folder, "exit 1\n")};
  EXPECT_THROW(kill_by_unit_tests(three(), programs, folder, 1, [](const Result&) {}), std::runtime_error);
}

TEST(Table, CountsApartWhatNoClaimNotices) {
  const Table table = table_of(three(),
                               {{1, result(1, Outcome::killed, "unit tests: some_test Suite.Case")},
                                {2, result(2, Outcome::killed, "the compiler: checks/of_f.cpp:2")},
                                {3, result(3, Outcome::killed, "dw.sqrt/error")}},
                               {}, 3);
  EXPECT_EQ(table.all.killed, 3u);
  EXPECT_EQ(table.all.by_tests, 2u);
}

}  // namespace
}  // namespace mutate
