#pragma once
// What `assay list --json` prints.

#include <cstdint>
#include <string>
#include <vector>

namespace assay::store {

struct Listing {
  struct Claim {
    std::string id;
    std::string statement;
    std::string source;
    std::string theorem;
    std::string preconditions;
    std::string expected;
    std::string ceiling;  ///< of a negative control: the claim beside it that says how far it may err
  };
  struct Property {
    std::string name;
    std::string tier;
    std::string format;
    std::string rigor;
    std::uint64_t cases = 0;
    std::string accepts;
    std::vector<std::string> classes;
    std::vector<Claim> claims;
  };
  struct Theorem {
    std::string id;
    std::string hypotheses;
    std::string statement;
    std::string source;
  };
  std::vector<Property> properties;
  std::vector<Theorem> theorems;
};

}  // namespace assay::store
