#include "assay/store/printable.hpp"

#include <algorithm>
#include <bit>

namespace assay::store {
namespace {

/// Characters that control a terminal, or that change the order in which letters are shown.
bool is_control(char32_t code) {
  const bool is_c0_or_c1 = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool is_direction = code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                            (code >= 0x2066 && code <= 0x2069);
  return is_c0_or_c1 || is_direction || code == 0xfeff;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  const int ones = std::countl_one(byte(0));
  if (ones < 2 || ones > 4) return {};
  const auto size = static_cast<std::size_t>(ones);
  if (text.size() < size) return {};
  char32_t code = byte(0) & (0x7fU >> size);
  for (std::size_t at = 1; at < size; ++at) {
    if ((byte(at) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(at) & 0x3fU);
  }
  constexpr char32_t least[] = {0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[size - 2] || code > 0x10ffff || is_surrogate ? Character{} : Character{size, code};
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [size, code] = first_character(text);
    if (text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
      out += ' ';
    } else if (size == 0 || is_control(code)) {
      out += "\uFFFD";
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

}  // namespace assay::store
