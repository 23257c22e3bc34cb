// Failures of a shared library with a kernel: the judge reports each in a line, and the other cases continue.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/assay/program.hpp"

namespace assay::testing_program {

namespace {

/// Checks of a dot product of a library.
class LibraryHazards : public ProgramTest {
 protected:
  Ended judged(const std::string& library, const std::string& rest, const std::string& environment = "") const {
    return shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 " + environment + " " + beside("assay") +
                 " check --operation dot --subject " + library +
                 " --cases 60 --no-shrink --progress none --on host --out " + in("run") + " " + rest);
  }
  Ended loaded(const std::string& way, const std::string& rest = "") const {
    return judged(beside(ASSAY_LIBRARY_THAT_ENDS), "--symbol dot " + rest, "LOADED=" + way);
  }
  /// A copy of the library, changed.
  template <class Change>
  std::string copied(const std::string& name, const Change& change) const {
    std::string bytes = content(beside(ASSAY_LIBRARY));
    change(bytes);
    return file_with(name, bytes);
  }
};

/// One line says why, and nothing ran.
void expect_refused(const Ended& ended, const std::string& says) {
  EXPECT_THAT(ended, Ends(2, Err(HasSubstr(says))));
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
}

TEST_F(LibraryHazards, ALibraryForAnotherProcessorIsRefused) {
  const std::string other = copied("other.so", [](std::string& bytes) { bytes[18] = bytes[18] == 40 ? 8 : 40; });
  expect_refused(judged(other, ""), "other.so: it is built for another processor (ELF machine ");
}

TEST_F(LibraryHazards, ALibraryThatLacksAnotherIsRefused) {
  constexpr std::string_view needed = "libc.so.6";
  const std::string lacking = copied("lacking.so", [&](std::string& bytes) {
    const std::size_t at = bytes.find(needed);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, needed.size(), "gone.so.6");
  });
  expect_refused(judged(lacking, ""), "lacking.so: gone.so.6: cannot open shared object file");
}

TEST_F(LibraryHazards, ATruncatedLibraryIsRefused) {
  const std::string half = copied("half.so", [](std::string& bytes) { bytes.resize(bytes.size() / 2); });
  expect_refused(judged(half, ""), "half.so: ");
}

TEST_F(LibraryHazards, ALibraryThatCrashesAtItsLoadIsRefused) {
  expect_refused(loaded("crashes"), "a signal ended the process that loaded it (SIGABRT)");
}

TEST_F(LibraryHazards, ALibraryThatHangsAtItsLoadIsRefused) {
  expect_refused(loaded("hangs", "--timeout-case 100ms"), "it was not ready within 10000 ms");
}

TEST_F(LibraryHazards, ALibraryThatThrowsAtItsLoadIsRefused) {
  EXPECT_THAT(loaded("throws"), Ends(2, Err(HasSubstr("a signal ended the process that loaded it (SIGABRT)"))));
}

TEST_F(LibraryHazards, ALibraryThatPrintsAtItsLoadDoesNotDisturbTheAnswer) {
  EXPECT_THAT(loaded("prints"), Ends(0, Out(AllOf(HasSubstr("keeps any_order"), Not(HasSubstr("said the library"))))));
}

TEST_F(LibraryHazards, WhatALibraryChangesAtItsLoadIsPutBackAndTold) {
  for (const char* const way : {"rounds", "speaks"}) {
    EXPECT_THAT(loaded(way), Ends(0, Out(HasSubstr("keeps any_order")),
                                  Err(HasSubstr("loading it changed the floating-point environment or the locale"))))
        << way;
  }
}

/// A function that fails for vectors of 33 numbers, and the message about it.
struct Wrong {
  const char* symbol;
  const char* says;
  int code = 4;
  friend std::ostream& operator<<(std::ostream& to, const Wrong& wrong) { return to << wrong.symbol; }
};
class AFunction : public LibraryHazards, public testing::WithParamInterface<Wrong> {};

TEST_P(AFunction, ThatGoesWrongIsToldInALine) {
  const Ended ended = judged(beside(ASSAY_LIBRARY), std::string("--timeout-case 500ms --symbol ") + GetParam().symbol);
  EXPECT_THAT(ended, Ends(GetParam().code, Out(HasSubstr(GetParam().says))));
  EXPECT_THAT(ended, Out(AllOf(HasSubstr("subject.dot on host: keeps "), Not(HasSubstr("were not run")))));
}

TEST_F(LibraryHazards, AProcessThatAFunctionForksCallsItNoMore) {
  const std::string file = in("forked");
  EXPECT_THAT(
      judged(beside(ASSAY_LIBRARY), "--symbol forks_in_every_call --contract any_order", "HOSTILE_FORKED=" + file),
      Ends(0));
  EXPECT_FALSE(std::filesystem::exists(file)) << "each call would double the processes";
}

INSTANTIATE_TEST_SUITE_P(
    Library, AFunction,
    testing::Values(Wrong{"exits_at_once", "ended with exit code 0"}, Wrong{"throws_a_number", "ended by SIGABRT"},
                    Wrong{"recurses", "ended by SIGSEGV"}, Wrong{"jumps", "ended by SIGABRT"},
                    Wrong{"closes", "ended with exit code 0"}, Wrong{"ignores_signals", "gave no answer in"},
                    Wrong{"changes_locale", "subject.dot/environment on host: violated", 1},
                    Wrong{"flushes", "subject.dot/environment on host: violated", 1},
                    Wrong{"forks", "keeps any_order", 0}, Wrong{"starts_a_thread", "keeps any_order", 0}),
    [](const auto& each) { return std::string(each.param.symbol); });

}  // namespace
}  // namespace assay::testing_program
