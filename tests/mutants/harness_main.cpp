// One harness row of the mutant catalog: this program with one of the framework's own files mutated.
// Prints what noticed the mutation, one line each; exit code 0 if something did, 1 if the mutant survived.

#include <cstdio>

#include "oracle/self_test.hpp"
#include "properties/framework/self_test.hpp"
#include "tests/properties/bound_controls.hpp"

int main() {
  for (const auto& test : {assay::oracle::self_test, assay::framework_self_test, assay::bound_controls}) {
    const auto failures = test();
    if (!failures.empty()) {
      std::puts(failures.front().c_str());
      return 0;
    }
  }
  return 1;
}
