#include "arith/float/small_float.hpp"
#include "properties/framework/codec.hpp"

namespace assay {

#ifdef WRONG_USE
/// E4M3 with another smallest exponent.
struct Mistaken {};
template <>
struct FloatTraits<Mistaken> : FloatTraits<e4m3> {
  static constexpr int emin = -7;
};
constexpr oracle::Format format = format_of<Mistaken>();
#else
constexpr oracle::Format format = format_of<e4m3>();
#endif
static_assert(format.precision == 4);

}  // namespace assay
