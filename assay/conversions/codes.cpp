#include "assay/conversions/codes.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace assay::conversions {

using oracle::NumberFormat;

std::uint64_t size_of(const NumberFormat& from, std::uint64_t code) {
  const bool negative = (code & from.sign_bit()) != 0;
  std::uint64_t magnitude = code & ~from.sign_bit();
  if (from.is_integer() && negative) magnitude = (0 - code) & from.mask();
  if (negative && magnitude == 0 && !from.has_negative_zero()) return ~std::uint64_t{0};
  return 2 * magnitude + (negative ? 1 : 0);
}

std::uint64_t without_extension(const NumberFormat& to, std::uint64_t code) {
  const std::uint64_t byte = 0xFF & ~to.mask();
  const bool is_extended = to.is_integer() && to.bits < 8 && (code & to.sign_bit()) != 0 && (code & byte) == byte;
  return is_extended ? code & to.mask() : code;
}

std::vector<std::byte> in_memory(const NumberFormat& format, std::span<const std::uint64_t> codes) {
  std::vector<std::byte> bytes(format.bytes_for(codes.size()));
  const std::size_t size = format.bytes();
  for (std::size_t i = 0; i < bytes.size() / size; ++i) {
    const std::uint64_t value = format.is_pair ? codes[2 * i] | codes[2 * i + 1] << 4 : codes[i];
    std::memcpy(bytes.data() + i * size, &value, size);
  }
  return bytes;
}

void from_memory(const NumberFormat& format, std::span<const std::byte> bytes, std::span<std::uint64_t> codes) {
  const std::size_t size = format.bytes();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = 0;
    std::memcpy(&codes[i], bytes.data() + (format.is_pair ? i / 2 : i) * size, size);
    if (format.is_pair) codes[i] = codes[i] >> (i % 2 * 4) & 0xF;
  }
}

Again asked_again(std::size_t count,
                  const std::function<void(std::span<const std::size_t>, std::span<std::uint64_t>)>& ask,
                  bool are_pairs) {
  // The tail after the last whole vector has a fifth of the inputs for vectors of 4 numbers, three quarters for 16.
  constexpr std::array<std::size_t, 7> lengths{1, 2, 3, 5, 7, 13, 31};
  const std::size_t step = (count + 0xFFFF) >> 16;
  const std::size_t unit = are_pairs ? 2 : 1;
  Again again;
  for (std::size_t i = count / unit; i > 0; i -= std::min(step, i)) {
    for (std::size_t k = 0; k < unit; ++k) again.places.push_back(i * unit - 1 - k);
  }
  again.codes.resize(again.places.size());
  std::size_t turn = 0;
  for (std::size_t first = 0; first < again.places.size(); ++turn) {
    const std::size_t some = std::min(unit * lengths[turn % lengths.size()], again.places.size() - first);
    ask(std::span(again.places).subspan(first, some), std::span(again.codes).subspan(first, some));
    first += some;
  }
  return again;
}

}  // namespace assay::conversions
