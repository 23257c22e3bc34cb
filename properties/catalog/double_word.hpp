#pragma once
// What the properties of double-word arithmetic share.

#include <string>
#include <utility>
#include <vector>

#include "kernels/double_word.hpp"
#include "properties/generators.hpp"
#include "properties/property.hpp"

namespace assay {

template <FloatingPoint T>
oracle::Dyadic value_of(T x) {
  return oracle::decode_finite(format_of<T>(), bits_of(x));
}
template <FloatingPoint T>
oracle::Dyadic value_of(const DoubleWord<T>& x) {
  oracle::Dyadic sum = value_of(x.h);
  sum += value_of(x.l);
  return sum;
}

/// `name` with the format's suffix; binary64 has none.
template <class T>
std::string named(const std::string& name) {
  if constexpr (std::is_same_v<T, double>) {
    return name;
  } else if constexpr (std::is_same_v<T, float>) {
    return name + ".f32";
  } else {
    return name + "." + FloatTraits<T>::name;
  }
}

/// zh = RN(zh + zl): the result is again a double word.
template <class T>
auto normalised(Source source) {
  return satisfies("normalised", "zh = RN(zh + zl)", source,
                   [](const auto&, const DoubleWord<T>& z) { return is_normalised(z); });
}

/// An operation on double words as a subject: the element-wise kernel Op over the batch.
template <class Op>
Subject<typename Op::Input, typename Op::Output> kernel() {
  return [](const Executor& on, std::span<const typename Op::Input> cases) { return elementwise<Op>(on, cases); };
}

}  // namespace assay
