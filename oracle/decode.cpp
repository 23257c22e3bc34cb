#include "oracle/decode.hpp"

#include <bit>

namespace assay::oracle {

Decoded decode(const Format& format, std::uint64_t bits) {
  Decoded decoded{kind_of(format, bits), is_negative(format, bits), {}};
  if (decoded.kind == Decoded::Kind::finite) decode_finite(format, bits, decoded.value);
  return decoded;
}

void decode_finite(const Format& format, std::uint64_t bits, Dyadic& x) {
  const std::uint64_t fraction = bits & format.fraction_mask();
  const long field = static_cast<long>((bits & format.exponent_mask()) >> format.fraction_bits());
  const bool negative = (bits & format.sign_mask()) != 0;
  if (field == 0) {
    x.assign(negative, fraction, format.emin - format.fraction_bits());
  } else {
    x.assign(negative, fraction | (format.fraction_mask() + 1), format.emin + field - 1 - format.fraction_bits());
  }
  if (watch::is_on) [[unlikely]]
    watch::decoded(format, bits, x);
}
Dyadic decode_finite(const Format& format, std::uint64_t bits) {
  Dyadic x;
  decode_finite(format, bits, x);
  return x;
}

Dyadic exact(double x) { return decode_finite(binary64, std::bit_cast<std::uint64_t>(x)); }
Dyadic exact(float x) { return decode_finite(binary32, std::bit_cast<std::uint32_t>(x)); }

}  // namespace assay::oracle
