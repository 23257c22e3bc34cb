#pragma once
// The field lists of what `assay probe-order --json` prints.

#include <tuple>

#include "assay/store/documents.hpp"
#include "assay/store/probed_order.hpp"

namespace assay::store {

template <>
struct Document<ProbedOrder::Term> {
  using Term = ProbedOrder::Term;
  static constexpr auto what = "a term";
  static constexpr auto fields =
      std::tuple(field<Hexadecimal>("x", &Term::x), field("y", &Term::y).says("Hexadecimal; empty for sums."));
};
template <>
struct Document<ProbedOrder::Example> {
  using Example = ProbedOrder::Example;
  static constexpr auto what = "an example";
  static constexpr auto fields =
      std::tuple(field("terms", &Example::terms).says("At most 4096 of them."),
                 field("got", &Example::got).says("The kernel's result, as a bit pattern."),
                 field("other", &Example::other)
                     .says("The tree's result, likewise; where the order is not fixed, the kernel's in another call."));
};
template <>
struct Document<ProbedOrder::Bound> {
  using Bound = ProbedOrder::Bound;
  static constexpr auto what = "a bound";
  static constexpr auto fields =
      std::tuple(field("theorem", &Bound::theorem).says("Of docs/bounds."), field("statement", &Bound::statement),
                 field("roundings", &Bound::roundings).says("The index of γ."),
                 field("factor", &Bound::factor).says("γ, rounded up: the error is at most this part of Σ|xᵢ|."),
                 field("any_order", &Bound::any_order).says("The same where nothing is known of the order."));
};
template <>
struct Document<ProbedOrder::Compared> {
  using Compared = ProbedOrder::Compared;
  static constexpr auto what = "a comparison";
  static constexpr auto fields = std::tuple(
      field("common", &Compared::common).says("Sets of terms that both trees add up."),
      field("only_here", &Compared::only_here), field("only_there", &Compared::only_there),
      field("example", &Compared::example).says("Two terms that meet elsewhere, in words; empty for equal trees."));
};
template <>
struct Document<ProbedOrder> {
  using Order = ProbedOrder;
  static constexpr auto what = "a probed order";
  static constexpr auto fields = std::tuple(
      schema_field, field("operation", &Order::operation), field("subject", &Order::subject),
      field("format", &Order::format), field("terms", &Order::terms), field("seed", &Order::seed),
      field("verdict", &Order::verdict)
          .says("fixed, not fixed, depends on the data, no tree of additions or not decided."),
      field("order", &Order::order).says("In words; empty where masks show no tree."),
      field("why", &Order::why).says("Empty for a fixed order."),
      field("family", &Order::family).says("In the notation of docs/probe_order.md; empty for a tree of none."),
      field("parents", &Order::parents)
          .says("Of each vertex the operation that takes it: terms from 0, then operations. The last one is its own. "
                "null beyond 4096 terms and without a tree."),
      field("height", &Order::height).says("The most additions that a term goes through."),
      field("width", &Order::width).says("The most numbers that one operation adds."),
      field("sampled", &Order::sampled).says("The family was compared at some pairs of terms alone."),
      field("pairs", &Order::pairs).says("At so many."),
      field("questions", &Order::questions).says("Inputs of masks that the kernel was asked."),
      field("arithmetic", &Order::arithmetic).says("In words; empty where nothing was predicted."),
      field("predicted", &Order::predicted).says("Random inputs that the tree predicted bit for bit …"),
      field("checked", &Order::checked).says("… of so many."),
      field("example", &Order::example).says("The first one that it did not predict."),
      field("bound", &Order::bound).says("That the tree implies; null where it implies none."),
      field("compared", &Order::compared).says("With the tree of --with; null without it."));
};

}  // namespace assay::store
