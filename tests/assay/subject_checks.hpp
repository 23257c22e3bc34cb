#pragma once
// Checks of kernels from outside by the program with the operations.

#include <string>

#include "tests/assay/program.hpp"

namespace assay::testing_program {

inline std::string library() { return beside(ASSAY_LIBRARY); }

/// Checks of a function of the library by the program with the operations.
class SubjectTest : public ProgramTest {
 protected:
  Ended assay(const std::string& arguments) const {
    return shell("env -u ASSAY_CORPUS ASSAY_OVERWRITE=1 " + beside("assay") + " " + arguments);
  }
  /// The check of a program.
  Ended program_judged(const std::string& command, const std::string& rest = "") const {
    return assay("check --operation dot --subject '" + command + "' --progress none --on host --out " + in("run") +
                 " " + rest);
  }
  /// The check of a function; of the library if one is given.
  Ended judged(const std::string& symbol, const std::string& rest = "", const std::string& of = "") const {
    return assay("check --operation dot --subject " + (of.empty() ? library() : of) + " --symbol " + symbol +
                 " --progress none --on host --out " + in("run") + " " + rest);
  }
};

/// A program of Python with this function for dot products.
inline std::string python(const std::string& function) {
  return R"(from assay.subject import serve
import math, os, signal, time
)" + function +
         R"(
serve(dot=f)
)";
}
inline std::string python_command(const std::string& file) { return "env PYTHONPATH=" ASSAY_PYTHON " python3 " + file; }

}  // namespace assay::testing_program
