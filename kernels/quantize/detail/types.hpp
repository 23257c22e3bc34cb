#pragma once
// The types of a block format.

#include "arith/quantize/elements.hpp"
#include "arith/quantize/scales.hpp"
#include "kernels/quantize/detail/shape.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize {

namespace detail {

template <class E, Scaling scaling, bool is_half, bool is_small>
struct Types {};

/// f(Types of the format). Requires: a format with that scaling (not checked).
template <Scaling scaling, class F>
void with_types_of(const Format& format, const F& f) {
  const Element element = format.element;
  if constexpr (scaling == Scaling::power_of_two) {
    if (element == Element::e4m3) return f(Types<E4m3, scaling, false, true>{});
    if (element == Element::e5m2) return f(Types<E5m2, scaling, false, true>{});
    if (element == Element::e3m2) return f(Types<E3m2, scaling, false, true>{});
    if (element == Element::e2m3) return f(Types<E2m3, scaling, false, true>{});
    return f(Types<E2m1, scaling, false, true>{});
  } else if constexpr (scaling == Scaling::factor) {
    if (format.has_half_scales) return f(Types<Int8, scaling, true, true>{});
    if (element == Element::int4) return f(Types<Int4, scaling, false, true>{});
    if (element == Element::nf4) return f(Types<Nf4, scaling, false, true>{});
    if (element == Element::e5m2) return f(Types<E5m2, scaling, false, false>{});
    if (is_small(format)) {
      return element == Element::e4m3 ? f(Types<E4m3, scaling, false, true>{}) : f(Types<Int8, scaling, false, true>{});
    }
    return element == Element::e4m3 ? f(Types<E4m3, scaling, false, false>{}) : f(Types<Int8, scaling, false, false>{});
  } else if constexpr (scaling == Scaling::two_level) {
    return f(Types<E2m1, scaling, false, true>{});
  } else if constexpr (scaling == Scaling::zero_point) {
    if (element == Element::uint8) return f(Types<Uint8, scaling, false, false>{});
    if (element == Element::int8) return f(Types<Int8, scaling, false, false>{});
    if (element == Element::int4) return f(Types<Int4, scaling, false, true>{});
    return f(Types<Uint4, scaling, false, true>{});
  } else {
    if (format.is_packed()) return f(Types<Uint4, scaling, true, true>{});
    return f(Types<Uint5, scaling, true, true>{});
  }
}

/// The same for every format.
template <class F>
void with_types(const Format& format, const F& f) {
  switch (format.scaling) {
    case Scaling::power_of_two:
      return with_types_of<Scaling::power_of_two>(format, f);
    case Scaling::factor:
      return with_types_of<Scaling::factor>(format, f);
    case Scaling::two_level:
      return with_types_of<Scaling::two_level>(format, f);
    case Scaling::zero_point:
      return with_types_of<Scaling::zero_point>(format, f);
    case Scaling::offset_code:
      return with_types_of<Scaling::offset_code>(format, f);
    case Scaling::minimum:
      return with_types_of<Scaling::minimum>(format, f);
  }
}

}  // namespace detail

}  // namespace assay::quantize
