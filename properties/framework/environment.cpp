#include "properties/framework/environment.hpp"

#include <cfenv>
#include <clocale>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace assay {

namespace {

#if defined(__SSE2__)
constexpr unsigned exception_flags = 0x3F;
unsigned control_word() { return _mm_getcsr() & ~exception_flags; }
void set_control_word(unsigned word) { _mm_setcsr((_mm_getcsr() & exception_flags) | word); }
#else
unsigned control_word() { return 0; }
void set_control_word(unsigned) {}
#endif

}  // namespace

EnvironmentFence::EnvironmentFence()
    : control_(control_word()), rounding_(std::fegetround()), locale_(std::setlocale(LC_ALL, nullptr)) {}

bool EnvironmentFence::restore() {
  const bool same_locale = locale_ == std::setlocale(LC_ALL, nullptr);
  const bool same = control_word() == control_ && std::fegetround() == rounding_;
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
