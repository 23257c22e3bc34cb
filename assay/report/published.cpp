#include "assay/report/published.hpp"

#include <algorithm>

#include "assay/report/published_table.hpp"

namespace assay::report {

const Published* published_of(std::string_view theorem) {
  const auto at = std::find_if(published_table.begin(), published_table.end(),
                               [&](const Published& each) { return each.theorem == theorem; });
  return at == published_table.end() ? nullptr : &*at;
}

}  // namespace assay::report
