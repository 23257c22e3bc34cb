#include "assay/conversions/codes.hpp"

#include <algorithm>
#include <array>

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

Again asked_again(std::size_t count,
                  const std::function<void(std::span<const std::size_t>, std::span<std::uint64_t>)>& ask) {
  // The tail after the last whole vector has a fifth of the inputs for vectors of 4 numbers, three quarters for 16.
  constexpr std::array<std::size_t, 7> lengths{1, 2, 3, 5, 7, 13, 31};
  const std::size_t step = (count + 0xFFFF) >> 16;
  Again again;
  for (std::size_t i = count; i > 0; i -= std::min(step, i)) again.places.push_back(i - 1);
  again.codes.resize(again.places.size());
  std::size_t turn = 0;
  for (std::size_t first = 0; first < again.places.size(); ++turn) {
    const std::size_t some = std::min(lengths[turn % lengths.size()], again.places.size() - first);
    ask(std::span(again.places).subspan(first, some), std::span(again.codes).subspan(first, some));
    first += some;
  }
  return again;
}

}  // namespace assay::conversions
