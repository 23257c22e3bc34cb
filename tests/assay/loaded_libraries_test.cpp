// The libraries that the program loads: with them, with one of them, and without.

#include <set>
#include <sstream>
#include <string>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::MatchesRegex;

std::string kernel() { return " --operation dot --symbol dot --subject " + beside(ASSAY_LIBRARY); }

class LoadedLibraries : public ProgramTest {
 protected:
  /// The program in a folder where only some of its libraries are in the places where it looks for them.
  std::string program_with(std::initializer_list<std::string> libraries = {}) const {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(in("p/bin")) / ASSAY_BESIDE;
    fs::create_directories(in("p/bin"));
    fs::create_directories(folder);
    if (!fs::exists(in("p/bin/assay"))) fs::copy_file(beside("assay-without-libraries"), in("p/bin/assay"));
    for (const std::string& each : libraries) fs::create_symlink(beside("../lib/" + each), folder / each);
    return in("p/bin/assay");
  }
};

TEST_F(LoadedLibraries, ThatAreMissingAreOneLineWhereACommandNeedsTheCatalog) {
  const auto refused =
      Ends(2, Out(""),
           Err(ContainsRegex("assay: the catalog cannot be loaded: [^\n]*libassay_catalog.so: cannot open [^\n]*\n$")));
  for (const std::string& command :
       {std::string("list"), std::string("check dw.accurate_add --out ") + in("run"),
        std::string("check --out ") + in("run"), std::string("hunt dw.accurate_add --out ") + in("run"),
        "replay " + case_file("dw.accurate_add", "error"), std::string("corpus verify --corpus " ASSAY_CORPUS)}) {
    EXPECT_THAT(shell(program_with() + " " + command), refused) << command;
  }
}

TEST_F(LoadedLibraries, ForKernelsFromOutsideThatAreMissingAreOneLineWhereACommandNeedsThem) {
  std::filesystem::create_directories(in("run"));
  EXPECT_THAT(shell(beside("assay") + " check" + kernel() + " --cases 300 --quiet --progress none --out " + in("run")),
              Ends(0));
  const bool is_built_here = std::filesystem::exists(ASSAY_BUILD "/CMakeCache.txt");
  const std::string how_to_build =
      is_built_here ? "; to build it: cmake --build " ASSAY_BUILD " --target assay_outside_library" : "";
  const auto refused = Ends(2, Out(""),
                            Err(MatchesRegex("assay: the judge of kernels from outside cannot be loaded: "
                                             "[^\n]*libassay_outside.so: cannot open [^;\n]*" +
                                             how_to_build + "\n")));
  for (const std::string& command :
       {std::string("contracts"), std::string("contracts convert"), std::string("tolerance softmax"),
        "check" + kernel() + " --out " + in("other"),
        "check --subject " + beside(ASSAY_TABLE) + " --out " + in("other"),
        "check --operation dot --subject 'cat -' --out " + in("other"),
        "check --formula softmax --subject 'cat -' --out " + in("other"),
        "check --operation convert --format f32:bf16 --subject 'cat -' --out " + in("other"),
        "check --operation quantize --format f32:mxfp4 --subject 'cat -' --out " + in("other"),
        "probe-order" + kernel(), "report " + in("run") + " --markdown " + in("report.md")}) {
    EXPECT_THAT(shell(program_with() + " " + command), refused) << command;
  }
}

TEST_F(LoadedLibraries, ForKernelsFromOutsideAreNotNeededForTheCatalog) {
  const std::string program = program_with({"libassay_catalog.so"});
  EXPECT_THAT(shell(program +
                    " check dw.accurate_add sum.recursive --cases 500 --on host --corpus " ASSAY_CORPUS
                    " --progress none --out " +
                    in("run")),
              Ends(0));
  EXPECT_THAT(shell(program + " report " + in("run") + " --html " + in("report.html")), Ends(0, Err("")));
  EXPECT_THAT(shell(program + " replay " +
                    case_file("dw.accurate_add", "error", R"("x": ["0x1p+0", "0x0p+0"], "y": ["0x1p+0", "0x0p+0"])") +
                    " --on host"),
              Ends(0));
  EXPECT_THAT(shell(program + " replay " + case_file("dw.acurate_add", "error")),
              Ends(2, Err(HasSubstr("nearest: dw.accurate_add"))));
  EXPECT_THAT(shell(program + " corpus verify --corpus " ASSAY_CORPUS), Ends(0));
  for (const std::string command : {"doctor", "selftest --on host", "--version"}) {
    EXPECT_THAT(shell(program_with() + " " + command), Ends(0)) << command;
  }
}

TEST_F(LoadedLibraries, ForKernelsFromOutsideAreAllThatTheseNeed) {
  const std::string program = program_with({"libassay_outside.so"});
  EXPECT_THAT(shell(program + " check" + kernel() + " --cases 300 --progress none --out " + in("run")),
              Ends(0, Err(Not(HasSubstr("catalog")))));
  EXPECT_THAT(shell(program + " contracts"), Ends(0, Out(HasSubstr("dot: "))));
  EXPECT_THAT(shell(program + " report " + in("run") + " --html " + in("report.html")), Ends(0, Err("")));
  EXPECT_THAT(shell(program + " ledger add " + in("run") + " --ledger " + in("ledger.sqlite")), Ends(0));
}

TEST_F(LoadedLibraries, OfTheCatalogAreNotLoadedForAKernelFromOutside) {
  EXPECT_THAT(shell("LD_DEBUG=files LD_DEBUG_OUTPUT=" + in("loader") + " " + beside("assay") + " check" + kernel() +
                    " --cases 300 --progress none --out " + in("run") + " && cat " + in("loader") + ".*"),
              Ends(0, Out(AllOf(HasSubstr("calling init"), Not(HasSubstr("libassay_catalog"))))));
}

TEST_F(LoadedLibraries, HaveNoFamilyForWhichTheProgramDoesNotLoadThem) {
  std::set<std::string> families;
  std::istringstream lines(shell(beside("assay") + " list").out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) families.insert(line.substr(0, line.find('.')));
  }
  ASSERT_GT(families.size(), 10u);
  std::istringstream words(ASSAY_CATALOG_FAMILIES);
  for (std::string each; words >> each;) families.erase(each);
  EXPECT_THAT(families, ::testing::IsEmpty());
}

TEST_F(LoadedLibraries, OfProbesAreNotNeededWhereTheOracleJudges) {
  EXPECT_THAT(shell(program_with({"libassay_catalog.so"}) +
                    " check dw.accurate_add --cases 500 --progress none --on host --out " + in("run")),
              Ends(0));
}

TEST_F(LoadedLibraries, OfProbesThatAreMissingAreOneLineWhereADeviceJudges) {
  EXPECT_THAT(
      shell(program_with({"libassay_catalog.so"}) + " check dw.accurate_add --judge device --on host --out " +
            in("run")),
      Ends(2, Err(MatchesRegex("assay: the probes cannot be loaded: [^\n]*libassay_probes.so: cannot open [^\n]*\n"))));
}

TEST_F(LoadedLibraries, WorkWhereAllSymbolsAreFoundAtOnce) {
  EXPECT_THAT(shell("LD_BIND_NOW=1 " + beside("assay") + " list dw.accurate_add"),
              Ends(0, Out(HasSubstr("dw.accurate_add"))));
  EXPECT_THAT(shell("LD_BIND_NOW=1 " + beside("assay") + " contracts dot"), Ends(0, Out(HasSubstr("dot: "))));
}

}  // namespace
}  // namespace assay::testing_program
