#include "kernels/double_word.hpp"

#include "errorbounds/double_word.hpp"
#include "properties/generators.hpp"
#include "properties/property.hpp"

namespace assay {

namespace {

using oracle::Dyadic;
using oracle::Exact;

template <FloatingPoint T>
Dyadic value_of(T x) {
  return oracle::decode_finite(format_of<T>(), bits_of(x));
}
template <FloatingPoint T>
Dyadic value_of(const DoubleWord<T>& x) {
  Dyadic sum = value_of(x.h);
  sum += value_of(x.l);
  return sum;
}

/// The property's name: the format is part of it unless binary64.
template <class T>
std::string named(const std::string& name);
template <>
std::string named<double>(const std::string& name) {
  return name;
}
template <>
std::string named<float>(const std::string& name) {
  return name + ".f32";
}

template <class T>
bool inexact_low_word(const T& result) {
  return bits_of(result.l) != 0;
}

/// The result of an operation of `claims.md` form: again a double word.
template <class T>
auto normalised(Source source) {
  return satisfies("normalised", "zh = RN(zh + zl)", source,
                   [](const auto&, const DoubleWord<T>& z) { return is_normalised(z); });
}

}  // namespace

}  // namespace assay
