// How a check ends and what it prints, one row for each test. The tests belong to the suites of the other files of this
// program.

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

/// A test of a suite: the check `check` on the host ends like this.
struct Ending {
  const char* suite;
  const char* name;
  const char* check;
  ::testing::Matcher<Ended> ends;
};

const Ending endings[] = {
    {"Program", "ExitsWith1WhereAClaimIsViolated", "hostile.wrong",
     Ends(1, Out(HasSubstr("source Higham 2002, section 2.2")),
          Out(ContainsRegex("error  [+-][0-9.]+ ulp, [0-9.e+]+ of the bound")))},
    {"Contract", "AControlThatIsNotRefutedIsSaidAloudInTheQuickTier", "hostile.true_control",
     Ends(0,
          Out(HasSubstr("hostile.true_control/error on host: not refuted, although the claim is false on purpose")))},
    {"Contract", "AReferenceThatRunsOutOfMemoryIsNotTheSubjectsFault",
     "hostile.greedy_reference --cases 60000 --jobs 1",
     Ends(3, Err(HasSubstr("hostile.greedy_reference on host: the reference or the judge exceeded")))},
    {"Hazards", "ASubjectThatNeverReturnsIsEnded", "hostile.hang --cases 1000 --timeout-case 200ms --shrink-steps 20",
     Ends(4, Out(ContainsRegex("hung on case [0-9]+: gave no answer in 200 ms")))},
    {"Hazards", "ASubjectThatAllocatesWithoutEndIsToldFromACrash",
     "hostile.memory --cases 10000 --mem-limit 512M --no-shrink",
     Ends(4, Out(ContainsRegex("out of memory on case [0-9]+")))},
    {"Hazards", "AnExceptionIsACrashWithItsWords", "hostile.throws", Ends(4, Out(HasSubstr("threw: no sum today")))},
    {"Hazards", "EightOffendersEndAPropertyAndTheRestIsSaidNotToHaveRun", "hostile.always_crash hostile.benign",
     Ends(4, Out(HasSubstr("8 such cases; the remaining cases were not run")), Out(HasSubstr("hostile.benign")))},
    {"Hazards", "RoundingUpwardsAndFlushingAreAViolatedClaim", "hostile.environment/environment",
     Ends(1, Out(HasSubstr("hostile.environment/environment on host: violated")))},
    {"Hazards", "ASubjectThatSwitchesTheLocaleIsCaught", "hostile.locale/environment",
     Ends(1, Out(HasSubstr("hostile.locale/environment on host: violated")))},
    {"Hazards", "AFlakySubjectHasAVerdictOfItsOwn", "hostile.flaky",
     Ends(1, Out(HasSubstr("hostile.flaky/error on host: flaky")),
          Out(HasSubstr("hostile.flaky/same_bits on host: violated")))},
    {"Hazards", "APairOfTraitsThatIsNeverDrawnIsNoSuccess", "hostile.lost_pair",
     Ends(3,
          Err(HasSubstr("on host: hostile.lost_pair: 1 pair of values of two traits in no case, such as a = 1 with b "
                        "= 1")))},
    {"Hazards", "AllPairsOfTraitsAreASuccess", "hostile.all_pairs", Ends(0)},
    {"Hazards", "AClaimThatJudgesNothingIsNoSuccess", "hostile.vacuous",
     Ends(3, Err(HasSubstr("hostile.vacuous/error on host: no case was judged")))},
};

class EndingTest : public ProgramTest {
 public:
  explicit EndingTest(const Ending& ending) : ending_(ending) {}
  void TestBody() override { EXPECT_THAT(checked(ending_.check), ending_.ends); }

 private:
  const Ending& ending_;
};

const bool registered = [] {
  for (const Ending& each : endings) {
    testing::RegisterTest(each.suite, each.name, nullptr, nullptr, __FILE__, __LINE__,
                          [&each]() -> ProgramTest* { return new EndingTest(each); });
  }
  return true;
}();

}  // namespace
}  // namespace assay::testing_program
