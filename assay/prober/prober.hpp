#pragma once
// The prober: finds from its answers alone which operation a unit computes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "assay/prober/model.hpp"
#include "assay/prober/order.hpp"
#include "assay/prober/unit.hpp"

namespace assay::prober {

/// An input on which the unit and a model differ, with as many zeros as possible.
struct Example {
  Product product;
  std::uint64_t got = 0;
  std::uint64_t predicted = 0;
};

/// The result for a unit.
struct Finding {
  std::optional<Addition> order;         ///< empty if the answers are not the sums of any fixed order
  std::optional<Arithmetic> arithmetic;  ///< empty if no model of the family fits
  std::string trouble;                   ///< why none fits; empty if one does
  std::optional<Example> example;        ///< that shows it
  /// The least exponents to which terms may be aligned, within the range that the answers allow: from here …
  int least_floor = 0;
  int largest_floor = 0;              ///< … to here
  std::optional<bool> keeps_inputs;   ///< subnormal elements; empty if the answers do not show it
  std::optional<bool> keeps_results;  ///< subnormal results
  std::string nan;                    ///< the patterns of results that are NaNs, hexadecimal
  std::size_t predicted = 0;          ///< number of products that the model predicted bit for bit …
  std::size_t checked = 0;            ///< … of this many
};

/// The range of floors that the prober searches.
inline constexpr int lowest_floor = -200;
inline constexpr int highest_floor = 0;

/// The number of products on which the found model is checked.
inline constexpr std::size_t checked_products = 4096;

/// Runs the unit and finds its model, in four steps: subnormal numbers and conversions of the elements; the order; the
/// arithmetic of one operation, as the only candidate that predicts all answers to directed questions and to some
/// questions drawn by the seed; the check with products drawn by the seed. Requires: at least one product. Errors:
/// those of unit.compute().
Finding probe(const Unit& unit, std::uint64_t seed = 1);

/// The strongest contract of matmul that the model implies, as `assay contracts matmul` names it
/// ("tensor_core_hopper"), or empty if it implies none about the error.
std::string contract_of(const Unit& unit, const Finding& finding);

}  // namespace assay::prober
