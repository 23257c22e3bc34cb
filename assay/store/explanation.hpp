#pragma once
// The document of `assay explain --json`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// A case in words. Numbers are hexadecimal floats and decimals; a decimal is empty if there is no real value.
struct Explanation {
  struct Input {
    std::string name = {};
    std::string number = {};
    std::string decimal = {};
  };
  struct Step {
    std::string name = {};
    std::string formula = {};
    std::string rounded = {};
    std::string decimal = {};
    std::string exact = {};
    std::string error = {};
    std::string lost = {};
    std::string share = {};
    std::vector<std::string> events = {};
  };
  /// The result of the kernel.
  struct Kernel {
    std::string from = {};  ///< "case", or the executor that ran the kernel
    std::string got = {};
    std::string decimal = {};
    std::string error = {};
    std::optional<bool> is_result_of_steps = {};
  };
  struct Bound {
    std::string claim = {};
    std::string statement = {};
    std::string source = {};
    double ratio = 0;
    std::string bound = {};
  };
  std::string property = {};
  std::string operation = {};
  std::string format = {};
  std::optional<std::uint64_t> entry = {};
  std::vector<Input> inputs = {};
  std::string exact = {};
  std::vector<Step> steps = {};
  std::vector<std::string> causes = {};
  std::vector<std::string> says = {};
  std::optional<Kernel> kernel = {};
  std::optional<Bound> bound = {};
};

Json explanation_document(const Explanation& explanation);

}  // namespace assay::store
