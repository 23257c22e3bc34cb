#pragma once
// The section on order: which contracts of order each kernel keeps, its tree of additions, and what a user may rely on.

#include <string>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report {

/// What a run says about the order of one kernel. Each list has contracts in the order of docs/subjects.md.
struct KernelOrder {
  std::vector<std::string> properties;  ///< the kernels of which all that follows is true
  std::string executors;
  std::vector<std::string> kept;    ///< each with the number of its cases and of the swaps that it would have seen
  std::vector<std::string> broken;  ///< likewise
  std::vector<std::string> open;    ///< not decided
  std::vector<std::string> not_asked;
  std::vector<std::string> trees;  ///< in words, of each number of terms that was probed
  std::string advice;              ///< what a user may rely on, in one sentence
};

/// Of the kernels with a contract of order that was asked, or with a tree; empty if there are none.
std::vector<KernelOrder> kernel_orders(const store::Summary& summary);

/// The rows of store::Summary::same_on of a property, in its order.
std::vector<store::SameOn> same_on_of(const store::Summary& summary, const store::PropertySummary& property);
/// Those with other bits, of all properties.
std::vector<store::SameOn> other_bits(const store::Summary& summary);
/// "3 of 60 results have other bits than on host (AMD EPYC), the first is of case 7".
std::string describe(const store::SameOn& row);

/// What the words of the section mean.
extern const char* const order_legend;

/// The section; empty if there is no such kernel.
std::string order_html(const store::Summary& summary);

}  // namespace assay::report
