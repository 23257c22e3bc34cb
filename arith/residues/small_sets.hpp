#pragma once
// Sets of moduli in addition to rns::Standard: few moduli, moduli of 16, 30 and 31 bits and of different lengths, odd
// numbers of them.

#include <cstdint>

namespace assay::rns {

/// The base moduli given and, as guard, the prime 2³¹ − 1.
template <std::uint32_t... moduli>
struct SmallSet {
  static constexpr int n = sizeof...(moduli);
  static constexpr int guards = 1;
  static constexpr int size = n + guards;
  static constexpr std::uint32_t modulus(int i) {
    constexpr std::uint32_t all[size] = {moduli..., (std::uint32_t{1} << 31) - 1};
    return all[i];
  }
};

using OneOf31Bits = SmallSet<2147483629>;
using ThreeOf16Bits = SmallSet<65521, 65519, 65497>;
using FiveOf30Bits = SmallSet<1073741789, 1073741783, 1073741741, 1073741723, 1073741719>;
using SevenOfAnyLength = SmallSet<3, 5, 257, 65537, 16777213, 1073741789, 2147483629>;
using ThirtyThreeOf16Bits = SmallSet<65521, 65519, 65497, 65479, 65449, 65447, 65437, 65423, 65419, 65413, 65407, 65393,
                                     65381, 65371, 65357, 65353, 65327, 65323, 65309, 65293, 65287, 65269, 65267, 65257,
                                     65239, 65213, 65203, 65183, 65179, 65173, 65171, 65167, 65147>;
using FiveTiny = SmallSet<3, 5, 7, 11, 13>;

}  // namespace assay::rns
