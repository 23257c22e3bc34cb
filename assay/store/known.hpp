#pragma once
// The largest known errors, next to the proved bounds: known.json.

#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The largest error/bound of a claim from one source.
struct KnownError {
  std::string from;  ///< "run", "corpus" or "hunt"
  std::string executor;
  double ratio = -1;
  std::string id;    ///< of the case; empty if it was not kept
  std::string date;  ///< the day on which the case was found; empty if it is not recorded
};

/// The known errors of one claim.
struct KnownRow {
  std::string property;
  std::string operation;  ///< "dw.mul1" of the property dw.mul1.f32
  std::string format;
  std::string claim;
  std::string theorem;  ///< empty for a claim without a page
  std::string bound;    ///< the proved statement
  std::string source;
  struct Published {
    std::string value;            ///< "4.9916u²"
    std::string leading;          ///< "5u²"; empty for a theorem without a bound
    std::optional<double> ratio;  ///< value/leading
    std::string key;              ///< of docs/sources.bib
    std::string place;
  };
  std::optional<Published> published;
  std::vector<KnownError> here;  ///< the largest first
};

struct KnownErrors {
  std::vector<KnownRow> rows;  ///< by property, then in the order of its claims
};

/// The document of `assay report --known` (docs/known.schema.json).
Json known_document(const KnownErrors& known);

}  // namespace assay::store
