#pragma once
// What tests of local rules share: a machine in binary32, and the bound that a theorem gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/formulas/small.hpp"

namespace assay::formulas {

inline constexpr double u = 0x1p-24;
inline constexpr double eta = 0x1p-149;

inline Machine machine(Order order = Order::any) { return {.name = "m", .wide = oracle::binary32, .order = order}; }

/// The bound is that number, up to the rounding of magnitudes.
inline void expect_bound(const Small& small, const Machine& of, double expected, std::size_t entry = 0) {
  EXPECT_GE(small.bound(of, entry), expected * (1 - 1e-9));
  EXPECT_LE(small.bound(of, entry), expected * (1 + 1e-6));
}

/// The local error of an entry of the formula's first node of that kind.
inline double local_error(const Small& small, const Machine& of, Op op, std::size_t entry = 0) {
  const auto node = std::ranges::find(small.formula.nodes, op, &Node::op);
  if (node == small.formula.nodes.end()) throw std::logic_error("the formula has no such node");
  return small.errors(of).local[static_cast<std::size_t>(node - small.formula.nodes.begin())][entry].to_double();
}

}  // namespace assay::formulas
