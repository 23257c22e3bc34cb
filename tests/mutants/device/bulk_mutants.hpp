#pragma once
// The B rows of the mutant catalog: kernels that are wrong about once in 10⁸ of the cases that their probes draw or
// list. The cases are selected by a word of about 25 bits in an operand, as a wrong entry of a table would select them.

#include <cstdint>

#include "arith/bits/traits.hpp"
#include "arith/float/small_float.hpp"
#include "probes/dw/dw.hpp"
#include "probes/eft/eft.hpp"
#include "probes/op/op.hpp"
#include "probes/triple/triple.hpp"

namespace assay::mutants {

/// Whether the last `count` bits of a number equal those of a word.
template <int count, class T>
ASSAY_HD constexpr bool ends_in(T x, std::uint64_t word) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << count) - 1;
  return (std::uint64_t{to_bits(x)} & mask) == (word & mask);
}

/// The probe of a kernel whose results `spoil` changes for a few operands.
template <class Probe, auto spoil>
struct Spoilt : Probe {
  using typename Probe::Input;
  using typename Probe::Output;
  ASSAY_HD constexpr Output run(const Input& c) const {
    Output z = Probe::run(c);
    spoil(c, z);
    return z;
  }
};

/// B1: the sum of double words loses its low word.
ASSAY_HD constexpr void lose_low_word(const DwDw<double>& c, DoubleWord<double>& z) {
  if (ends_in<25>(c.x.h, 0x1A5C3D7)) z.l = 0;
}
using LostLowWord = Spoilt<probes::dw::AccurateAdd<double>, lose_low_word>;

/// B2: the product of double words has a low word of the other sign.
ASSAY_HD constexpr void turn_low_word(const DwDw<double>& c, DoubleWord<double>& z) {
  if (ends_in<25>(c.y.h, 0x0F3A961)) z.l = -z.l;
}
using TurnedLowWord = Spoilt<probes::dw::Mul3<double>, turn_low_word>;

/// B3: the sum of a double word and a number in binary32 leaves out the low word of the operand.
ASSAY_HD constexpr void leave_out_low_word(const DwFp<float>& c, DoubleWord<float>& z) {
  if (ends_in<23>(c.x.h, 0x35C2A7) && ends_in<2>(c.y, 1)) z = dw::add_fp(DoubleWord<float>{c.x.h, 0}, c.y);
}
using LeftOutLowWord = Spoilt<probes::dw::AddFp<float>, leave_out_low_word>;

/// B4: TwoSum has an error one place too small.
ASSAY_HD constexpr void shorten_error(const Pair<double>& c, Sum<double>& z) {
  if (z.e != 0 && ends_in<25>(c.a, 0x12D8B5B)) z.e = from_bits<double>(to_bits(z.e) - 1);
}
using ShortenedError = Spoilt<probes::eft::TwoSum<double>, shorten_error>;

/// B5: a product of binary16 is one unit in the last place too large for one a and one significand of b.
ASSAY_HD inline void enlarge_product(const Pair<binary16>& c, binary16& z) {
  constexpr std::uint64_t of_a = 0x1A35;
  if (to_bits(c.a) == of_a && ends_in<10>(c.b, 0x2C9))
    z = from_bits<binary16>(static_cast<BitsOf<binary16>>(to_bits(z) + 1));
}
using EnlargedProduct = Spoilt<probes::op::AllProducts<binary16>, enlarge_product>;

/// B6: the sum of triple words loses its third word.
ASSAY_HD constexpr void lose_third_word(const TwTw<double>& c, TripleWord<double>& z) {
  if (ends_in<25>(c.y.x0, 0x0B6C359)) z.x2 = 0;
}
using LostThirdWord = Spoilt<probes::triple::Add<double>, lose_third_word>;

}  // namespace assay::mutants
