#pragma once
// The field lists of what summary.json and orders.json have on orders of additions.

#include "assay/store/documents.hpp"
#include "assay/store/kernel_trees.hpp"

namespace assay::store {

template <>
struct Document<SameOn> {
  static constexpr auto what = "a row of same_on";
  static constexpr auto definition = "same_on";
  static constexpr auto fields =
      std::tuple(field<PropertyName>("property", &SameOn::property), field<ExecutorName>("executor", &SameOn::executor),
                 field("model", &SameOn::model).says("The processor or the device that computed the results."),
                 field<ExecutorName>("other_executor", &SameOn::other_executor),
                 field("other_model", &SameOn::other_model).says("That of the results with which they were compared."),
                 field("results", &SameOn::results).says("So many were compared."),
                 field("different", &SameOn::different).says("So many of them have other bits."),
                 field<CaseNumber>("first", &SameOn::first).says("The smallest number of a case with other bits."));
  static void check(const SameOn& row) {
    if (row.different <= row.results && (row.different == 0) == (row.first == no_case)) return;
    throw JsonError(row.property + ": the counts of \"same_on\" contradict each other");
  }
};

template <>
struct Document<KernelTree> {
  static constexpr auto what = "an order of additions";
  static constexpr auto definition = "order";
  static constexpr auto fields = std::tuple(
      field<PropertyName>("property", &KernelTree::property), field("terms", &KernelTree::terms),
      field("verdict", &KernelTree::verdict).says("As in probe_order.schema.json, and so are the following members."),
      field("order", &KernelTree::order), field("why", &KernelTree::why), field("predicted", &KernelTree::predicted),
      field("checked", &KernelTree::checked), field("sampled", &KernelTree::sampled));
};

template <>
struct Document<KernelTrees> {
  static constexpr auto what = "the document of orders";
  static constexpr auto fields = std::tuple(schema_field, field("rows", &KernelTrees::rows),
                                            field<Checksum>("checksum", [](const KernelTrees&) { return 0; })
                                                .if_there([](const KernelTrees&) { return false; })
                                                .says("FNV-1a, 64 bits, of the file's bytes without this member and "
                                                      "the comma before it. Obligatory."));
};

}  // namespace assay::store
