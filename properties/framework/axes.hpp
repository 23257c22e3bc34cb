#pragma once
// The axes of a case: how its lists are rows, columns and terms. Shrinking removes the same places from every list
// along an axis.

#include <cstddef>
#include <string>
#include <vector>

#include "properties/framework/record.hpp"

namespace assay {

/// The axes of a case, by the names of its fields. Entries are `words` numbers one after the other. Places, steps and
/// lengths count entries.
struct Axes {
  /// One direction of a list.
  struct Side {
    std::string axis;            ///< any name; lists with one axis in common are parallel
    std::string step = {};       ///< the integer field with the distance of neighbors; empty: there are no gaps
    bool step_of_one_0 = false;  ///< the step of a single place is 0
  };
  struct List {
    std::string field;
    std::vector<Side> sides;  ///< the side with the closest neighbors first, no axis twice
    std::size_t words = 1;
    bool adds_up = true;  ///< the value of an entry is the sum of its words
  };
  /// The integer field that holds the length of an axis.
  struct Length {
    std::string field;
    std::string axis;
  };
  std::vector<List> lists;
  std::vector<Length> lengths = {};
  /// Axes along which the kernel adds: place i gives the product of the entries at i of all lists with the axis.
  std::vector<std::string> sums = {};
};

/// The possible axes of a case for which none are stated, the plainest first: lists of one length are parallel and
/// their places are terms; for each integer that divides such a length, the lists are matrices with that many columns,
/// one row after the other.
std::vector<Axes> axes_of(const Record& record);

}  // namespace assay
