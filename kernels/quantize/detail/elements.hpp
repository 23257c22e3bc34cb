#pragma once
// The types of a block format.

#include "arith/quantize/elements.hpp"
#include "arith/quantize/scales.hpp"
#include "kernels/quantize/detail/shape.hpp"
#include "kernels/quantize/quantize.hpp"

namespace assay::quantize::detail {

template <class E, Scaling scaling, bool is_half, bool is_small>
struct Types {};

/// f(Types of the format).
template <class F>
void with_types(const Format& format, const F& f) {
  const auto either = [&]<class E, Scaling scaling>() {
    is_small(format) ? f(Types<E, scaling, false, true>{}) : f(Types<E, scaling, false, false>{});
  };
  switch (format.scaling) {
    case Scaling::power_of_two:
      switch (format.element) {
        case Element::e4m3:
          return f(Types<E4m3, Scaling::power_of_two, false, true>{});
        case Element::e5m2:
          return f(Types<E5m2, Scaling::power_of_two, false, true>{});
        case Element::e3m2:
          return f(Types<E3m2, Scaling::power_of_two, false, true>{});
        case Element::e2m3:
          return f(Types<E2m3, Scaling::power_of_two, false, true>{});
        default:
          return f(Types<E2m1, Scaling::power_of_two, false, true>{});
      }
    case Scaling::factor:
      if (format.has_half_scales) return f(Types<Int8, Scaling::factor, true, true>{});
      switch (format.element) {
        case Element::e4m3:
          return either.template operator()<E4m3, Scaling::factor>();
        case Element::e5m2:
          return f(Types<E5m2, Scaling::factor, false, false>{});
        case Element::int8:
          return either.template operator()<Int8, Scaling::factor>();
        default:
          return f(Types<Int4, Scaling::factor, false, true>{});
      }
    case Scaling::two_level:
      return f(Types<E2m1, Scaling::two_level, false, true>{});
    case Scaling::zero_point:
      switch (format.element) {
        case Element::uint8:
          return f(Types<Uint8, Scaling::zero_point, false, false>{});
        case Element::int8:
          return f(Types<Int8, Scaling::zero_point, false, false>{});
        case Element::int4:
          return f(Types<Int4, Scaling::zero_point, false, true>{});
        default:
          return f(Types<Uint4, Scaling::zero_point, false, true>{});
      }
    case Scaling::offset_code:
      if (format.is_packed()) return f(Types<Uint4, Scaling::offset_code, true, true>{});
      return f(Types<Uint5, Scaling::offset_code, true, true>{});
    case Scaling::minimum:
      if (format.is_packed()) return f(Types<Uint4, Scaling::minimum, true, true>{});
      return f(Types<Uint5, Scaling::minimum, true, true>{});
  }
}

}  // namespace assay::quantize::detail
