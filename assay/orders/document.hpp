#pragma once
// The order of a reduction as a document, and in lines.

#include <string>

#include "assay/orders/answer.hpp"
#include "assay/store/probed_order.hpp"

namespace assay::orders {

/// What was asked, in words.
struct Asked {
  std::string operation;
  std::string subject;
  std::string format;
  std::size_t terms = 0;
  std::uint64_t seed = 1;
};

store::ProbedOrder document_of(const Asked& asked, const Answer& answer);

/// The tree of a document. Errors: std::invalid_argument, one line, where it has none.
Tree tree_of(const store::ProbedOrder& document);

/// Adds the comparison of two documents' trees to the first one. Errors: std::invalid_argument, one line, for other
/// numbers of terms, or where one has no tree.
void compare(store::ProbedOrder& document, const store::ProbedOrder& other);

/// The document in lines.
std::string text_of(const store::ProbedOrder& document);

}  // namespace assay::orders
