#pragma once
// Precisions that the theorems of bounds do not cover.

#include <gtest/gtest.h>

#include <initializer_list>
#include <stdexcept>

#include "errorbounds/bound.hpp"

namespace assay {

/// A bound and a precision below those of its theorem.
struct RefusedPrecision {
  RelativeBound (*bound)(int);
  int p;
};

inline void expect_refused(std::initializer_list<RefusedPrecision> all) {
  for (const RefusedPrecision& each : all) EXPECT_THROW(each.bound(each.p), std::domain_error) << each.p;
}

}  // namespace assay
