#pragma once
// The document of `assay replay --json`.

#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

struct Replayed {
  struct Claim {
    std::string claim = {};
    std::string verdict = {};
    bool is_of_case = false;
    bool is_as_expected = false;
    std::optional<CaseFile::Evidence> evidence = {};
    std::string statement = {};
    std::string source = {};
  };
  struct Answer {
    std::string executor = {};
    std::string stop = {};
    std::vector<std::string> got = {};
    std::optional<bool> is_as_recorded = {};
    std::vector<Claim> claims = {};
    Cost cost = {};
  };
  struct Case {
    CaseFile file = {};
    std::vector<Answer> answers = {};
  };
  std::vector<Case> cases = {};
};

Json replayed_document(const Replayed& replayed);

}  // namespace assay::store
