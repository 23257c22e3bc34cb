#pragma once
// The documents of `assay list --json` and `assay contracts --json`.

#include <cstdint>
#include <string>
#include <vector>

namespace assay {
struct Operation;
}

namespace assay::store {

struct Listing {
  struct Claim {
    std::string id;
    std::string statement;
    std::string source;
    std::string theorem;
    std::string preconditions;
    std::string expected;
    std::string ceiling;  ///< for a negative control: the true claim that says how far the same result may err
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

/// The operations that kernels from outside may compute.
struct ContractListing {
  struct Contract {
    std::string id;
    Listing::Theorem theorem;
    std::string instance;
    std::vector<std::string> implies;
    bool is_about_error = true;
    std::vector<std::string> formats = {};
    bool is_rung = true;
    std::vector<std::string> older_names = {};
  };
  struct Signature {
    std::string form;
    std::string declaration;
  };
  struct Argument {
    std::string name;
    std::vector<std::string> dimensions;
  };
  struct Operation {
    std::string name;
    std::string computes;
    std::string accepts;
    std::vector<std::string> formats;
    std::vector<Signature> signatures;
    std::vector<Contract> contracts;
    std::vector<Argument> arguments = {};
    bool may_refuse = false;
    std::vector<std::string> usual = {};
  };
  std::vector<Operation> operations;
};

/// The description of an operation in the listing.
ContractListing::Operation described(const Operation& operation);

}  // namespace assay::store
