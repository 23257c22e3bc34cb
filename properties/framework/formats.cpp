// Every format that the oracle names is a number type of arith with the same precision, exponents and special values.

#include "arith/float/small_float.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/integers.hpp"
#include "properties/framework/limbs.hpp"

namespace assay {

static_assert(format_of<double>() == oracle::binary64);
static_assert(format_of<float>() == oracle::binary32);
static_assert(format_of<binary16>() == oracle::binary16);
static_assert(format_of<bfloat16>() == oracle::bfloat16);
static_assert(format_of<e4m3>() == oracle::e4m3);
static_assert(format_of<e5m2>() == oracle::e5m2);

bool are_integers(const oracle::Format& format) { return format == limb_format; }

}  // namespace assay
