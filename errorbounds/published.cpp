#include "errorbounds/published.hpp"

#include <algorithm>

#include "errorbounds/published_table.hpp"

namespace assay {

const PublishedError* published_error_of(std::string_view theorem) {
  const auto at = std::find_if(published_table.begin(), published_table.end(),
                               [&](const PublishedError& each) { return each.theorem == theorem; });
  return at == published_table.end() ? nullptr : &*at;
}

}  // namespace assay
