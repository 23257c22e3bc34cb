// The libraries that the program loads: with them, with one of them, and without.

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::MatchesRegex;

/// The program where no library lies beside it or where it was built.
std::string alone() { return beside("assay-without-libraries"); }
std::string kernel() { return " --operation dot --symbol dot --subject " + beside(ASSAY_LIBRARY); }

class LoadedLibraries : public ProgramTest {
 protected:
  /// The same program with the catalog beside it and without the probes.
  std::string with_catalog_alone() const {
    namespace fs = std::filesystem;
    fs::create_directories(in("p/bin"));
    fs::create_directories(in("p/bin/" ASSAY_BESIDE));
    fs::copy_file(alone(), in("p/bin/assay"));
    fs::create_symlink(beside("../lib/libassay_catalog.so"), in("p/bin/" ASSAY_BESIDE "/libassay_catalog.so"));
    return in("p/bin/assay");
  }
};

TEST_F(LoadedLibraries, ThatAreMissingAreOneLineWhereACommandNeedsTheCatalog) {
  const auto refused = Ends(2, Out(""),
                            Err(MatchesRegex("assay: the catalog cannot be loaded: [^\n]*libassay_catalog.so: cannot open "
                                             "[^\n]*\n")));
  for (const std::string& command :
       {std::string("list"), std::string("check dw.accurate_add --out ") + in("run"),
        std::string("check --out ") + in("run"), std::string("hunt dw.accurate_add --out ") + in("run"),
        "replay " + case_file("dw.accurate_add", "error"), std::string("corpus verify --corpus " ASSAY_CORPUS)}) {
    EXPECT_THAT(shell(alone() + " " + command), refused) << command;
  }
}

TEST_F(LoadedLibraries, AreNotNeededForAKernelFromOutside) {
  EXPECT_THAT(shell(alone() + " check" + kernel() + " --cases 300 --progress none --out " + in("run")),
              Ends(0, Err(Not(HasSubstr("catalog")))));
  for (const std::string command : {"contracts", "doctor", "selftest --on host", "--version"}) {
    EXPECT_THAT(shell(alone() + " " + command), Ends(0)) << command;
  }
  EXPECT_THAT(shell(alone() + " report " + in("run") + " --html " + in("report.html")), Ends(0, Err("")));
  EXPECT_THAT(shell(alone() + " ledger add " + in("ledger.db") + " " + in("run")), Ends(0));
}

TEST_F(LoadedLibraries, OfTheCatalogAreNotLoadedForAKernelFromOutside) {
  EXPECT_THAT(shell("LD_DEBUG=files LD_DEBUG_OUTPUT=" + in("loader") + " " + beside("assay") + " check" + kernel() +
                    " --cases 300 --progress none --out " + in("run") + " && cat " + in("loader") + ".*"),
              Ends(0, Out(AllOf(HasSubstr("calling init"), Not(HasSubstr("libassay_catalog"))))));
}

TEST_F(LoadedLibraries, HaveEveryFamilyThatTheProgramLists) {
  const nlohmann::json listed = nlohmann::json::parse(shell(beside("assay") + " list --json").out);
  std::set<std::string> families;
  for (const auto& each : listed.at("properties")) {
    const std::string name = each.at("name");
    families.insert(name.substr(0, name.find('.')));
  }
  ASSERT_GT(families.size(), 10u);
  for (const std::string& family : families) {
    EXPECT_THAT(shell(beside("assay") + " list '" + family + ".*'"), Ends(0, Out(HasSubstr(family + ".")))) << family;
  }
}

TEST_F(LoadedLibraries, OfProbesAreNotNeededWhereTheOracleJudges) {
  EXPECT_THAT(
      shell(with_catalog_alone() + " check dw.accurate_add --cases 500 --progress none --on host --out " + in("run")),
      Ends(0));
}

TEST_F(LoadedLibraries, OfProbesThatAreMissingAreOneLineWhereADeviceJudges) {
  EXPECT_THAT(
      shell(with_catalog_alone() + " check dw.accurate_add --judge device --on host --out " + in("run")),
      Ends(2, Err(MatchesRegex("assay: the probes cannot be loaded: [^\n]*libassay_probes.so: cannot open [^\n]*\n"))));
}

TEST_F(LoadedLibraries, WorkWhereAllSymbolsAreFoundAtOnce) {
  EXPECT_THAT(shell("LD_BIND_NOW=1 " + beside("assay") + " list dw.accurate_add"),
              Ends(0, Out(HasSubstr("dw.accurate_add"))));
}

}  // namespace
}  // namespace assay::testing_program
