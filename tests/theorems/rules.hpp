#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/theorems/pages.hpp"

namespace assay::theorems {

/// One claim of the program: "dw.sqrt.p5/error" and the id of its theorem, empty if it cites none; of a negative
/// control the claim beside it that says how far it may err.
struct CitingClaim {
  std::string name;
  std::string theorem;
  bool refuted = false;
  std::string ceiling{};
};

/// The words of one theorem that the program's claims cite.
struct Words {
  std::string id;
  std::string hypotheses;
  std::string statement;
  std::string source;
};

/// The texts of the program about its claims and theorems, and the ctests as docs/bounds names them: program.Suite.
struct Program {
  std::vector<CitingClaim> claims;
  std::vector<Words> theorems;
  std::set<std::string> ctests;
};

/// The program that wrote this text by `list --json`: every claim of a property has members "theorem", "expected" and,
/// where it is a negative control with one, "ceiling", and the document a list "theorems" of objects with "id",
/// "hypotheses", "statement" and "source". A member that is missing is empty; text that is not JSON throws
/// std::runtime_error.
Program program_of(const std::string& list_json);

/// One line for each offence between pages and program:
/// a claim cites a theorem that a page has; a theorem is cited by a claim, or named by a ctest that exists, or is a
/// lemma of a theorem that is; each claim that `Checked by` names is one that cites the theorem; each ctest that it
/// names exists; a theorem that a claim cites has the words of its page, normalized, as the objects that the build
/// writes from the pages have: words written by hand beside them can differ; a negative control on an error names its
/// ceiling: it has an id that begins with "error" or "grade", or its theorem has a bound.
std::vector<std::string> offences_of_program(const Pages& pages, const Program& program);

/// Whether the name is the pattern, * standing for any characters.
bool matches_pattern(std::string_view pattern, std::string_view name);

}  // namespace assay::theorems
