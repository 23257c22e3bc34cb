#pragma once
// What is found about the order of a reduction.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "assay/orders/family.hpp"
#include "assay/orders/predict.hpp"
#include "assay/orders/reduction.hpp"
#include "assay/orders/tree.hpp"

namespace assay::orders {

/// The same kernel for so many terms.
using ReductionOf = std::function<Reduction(std::size_t terms)>;

enum class Verdict {
  fixed,            ///< a tree
  not_fixed,        ///< two runs differ
  depends_on_data,  ///< masks at other places or with other signs show another tree
  no_tree,          ///< no tree of additions gives the answers
  not_decided       ///< more terms than an arbitrary tree may have here, and of no known family
};
/// "fixed", "not fixed", "depends on the data", "no tree of additions", "not decided".
std::string_view name_of(Verdict verdict);

/// The bound that a tree implies, by a theorem of docs/bounds.
struct Bound {
  std::string theorem;
  std::string statement;
  std::size_t roundings = 0;  ///< h or h + 1 of the statement
  double factor = 0;          ///< γ of it, rounded up
  double any_order = 0;       ///< the factor where nothing is known of the order
};

struct Answer {
  Verdict verdict = Verdict::not_decided;
  std::string why;           ///< for all verdicts but `fixed`
  std::optional<Tree> tree;  ///< the one found, of a kernel that is no tree of additions the one that masks show
  std::optional<Family> family;
  std::string words;          ///< the order in words; empty without a tree
  bool is_sampled = false;    ///< a family that was compared at some pairs alone
  std::size_t pairs = 0;      ///< of these so many
  std::size_t questions = 0;  ///< inputs of masks
  Prediction prediction;      ///< 0 of 0 where nothing was predicted
  std::optional<Bound> bound;
};

/// Finds the order of a reduction of n ≥ 2 terms. Errors: those of the kernel.
Answer probe(const ReductionOf& reduction_of, std::size_t n, std::uint64_t seed);

/// The bound that follows from a tree whose arithmetic predicts all answers; nothing where no theorem has one.
std::optional<Bound> bound_of(const Tree& tree, const Arithmetic& arithmetic, const Reduction& reduction);

}  // namespace assay::orders
