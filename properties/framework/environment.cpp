#include "properties/framework/environment.hpp"

#include <cfenv>
#include <clocale>
#include <cstdint>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace assay {

namespace {

#if defined(__SSE2__)
constexpr unsigned exception_flags = 0x3F;
constexpr unsigned low_half = 0xFFFF;
constexpr int half = 16;

/// The data that the instruction fnstenv stores: the environment of the x87, which computes long double.
struct X87 {
  std::uint16_t control, unused_1, status, unused_2, tags, unused_3;
  std::uint32_t pointers[4];
};
X87 x87() {
  X87 stored{};
  __asm__ volatile("fnstenv %0\n\tfldenv %0" : "+m"(stored));
  return stored;
}

/// The control word of SSE in the low half, the control word of the x87 in the high half.
unsigned control_word() {
  return (_mm_getcsr() & low_half & ~exception_flags) | static_cast<unsigned>(x87().control) << half;
}
bool x87_stack_is_empty() { return x87().tags == low_half; }
void set_control_word(unsigned word) {
  _mm_setcsr((_mm_getcsr() & (exception_flags | ~low_half)) | (word & low_half));
  if (!x87_stack_is_empty()) __asm__ volatile("fninit");
  const auto control = static_cast<std::uint16_t>(word >> half);
  __asm__ volatile("fldcw %0" : : "m"(control));
}
#else
unsigned control_word() { return 0; }
bool x87_stack_is_empty() { return true; }
void set_control_word(unsigned) {}
#endif

}  // namespace

EnvironmentFence::EnvironmentFence()
    : control_(control_word()), rounding_(std::fegetround()), locale_(std::setlocale(LC_ALL, nullptr)) {}

bool EnvironmentFence::restore() {
  const bool same_locale = locale_ == std::setlocale(LC_ALL, nullptr);
  const bool same = control_word() == control_ && std::fegetround() == rounding_ && x87_stack_is_empty();
  if (!same_locale) {
    std::setlocale(LC_ALL, locale_.c_str());
  }
  if (!same) {
    std::fesetround(rounding_);
    set_control_word(control_);
  }
  return same && same_locale;
}

}  // namespace assay
