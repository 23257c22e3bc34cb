#pragma once
// The largest errors that are known beside the bounds that are proved: known.json.

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
  std::string date;  ///< the day on which the case was found; empty if nothing says it
};

/// What is known of the errors of one claim.
struct KnownRow {
  std::string property;
  std::string operation;  ///< "dw.mul1" of the property dw.mul1.f32
  std::string format;
  std::string claim;
  std::string theorem;  ///< empty for a claim without a page
  std::string bound;    ///< the statement that is proved
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

/// What `assay report --known` writes (docs/known.schema.json).
Json known_document(const KnownErrors& known);

}  // namespace assay::store
