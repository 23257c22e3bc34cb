#include <cstdint>

std::uint8_t low_byte(unsigned word) {
#ifdef WRONG_USE
  return word;
#else
  return static_cast<std::uint8_t>(word & 0xffU);
#endif
}
