#pragma once
// What is told of the inputs of a call of a foreign function.

#include <span>
#include <string>
#include <vector>

#include "exec/fenced.hpp"
#include "oracle/decimal.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/remark.hpp"

namespace assay::contracts {

/// A floating-point number in hexadecimal, an integer in decimal.
template <class T>
std::string text_of(const T& x) {
  if constexpr (FloatingPoint<T>) {
    return oracle::to_hex(format_of<T>(), bits_of(x));
  } else {
    return std::to_string(x);
  }
}

/// After the call: looks at the guards, and compares the array with what the input `name` was.
template <class T>
void check_input(const FencedArray<T>& array, const Executor& on, const std::vector<T>& x, const std::string& name) {
  if (const auto i = array.check_input(on, x)) {
    remark(name + "[" + std::to_string(*i) + "] was " + text_of(x[*i]) + " before the call, " +
           text_of(array.data()[*i]) + " after it");
  }
}

}  // namespace assay::contracts
