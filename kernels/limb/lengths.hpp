#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace assay::limb {

/// The numbers of limbs that the kernels offer.
inline constexpr int offered_limbs[] = {2, 4, 8, 16, 32, 64};

/// f(std::integral_constant<int, L>()) for the offered L that is `limbs`. Throws std::invalid_argument for any other.
template <class F>
decltype(auto) with_limbs(int limbs, const char* routine, F&& f) {
  switch (limbs) {
    case 2:
      return f(std::integral_constant<int, 2>());
    case 4:
      return f(std::integral_constant<int, 4>());
    case 8:
      return f(std::integral_constant<int, 8>());
    case 16:
      return f(std::integral_constant<int, 16>());
    case 32:
      return f(std::integral_constant<int, 32>());
    case 64:
      return f(std::integral_constant<int, 64>());
    default:
      throw std::invalid_argument(std::string(routine) + ": the number of limbs is 2, 4, 8, 16, 32 or 64, not " +
                                  std::to_string(limbs));
  }
}

}  // namespace assay::limb
