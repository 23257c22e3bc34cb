#include "oracle/decode.hpp"

#include <bit>

namespace assay::oracle {

Decoded decode(const Format& format, std::uint64_t bits) {
  Decoded decoded{kind_of(format, bits), is_negative(format, bits), {}};
  if (decoded.kind == Decoded::Kind::finite) decode_finite(format, bits, decoded.value);
  return decoded;
}

Dyadic exact(double x) { return decode_finite(binary64, std::bit_cast<std::uint64_t>(x)); }
Dyadic exact(float x) { return decode_finite(binary32, std::bit_cast<std::uint32_t>(x)); }

}  // namespace assay::oracle
