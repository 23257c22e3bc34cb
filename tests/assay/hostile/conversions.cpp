// Conversions of binary32 to integers of 8 bits in a library: functions, and a table.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "assay/subject.h"

namespace {

std::int8_t rounded(float x) {
  return x == x ? static_cast<std::int8_t>(std::nearbyint(std::fmin(127.F, std::fmax(-128.F, x)))) : std::int8_t{0};
}

int run(void* /*self*/, const assay_args* cases, DLTensor* out, std::size_t n, void* /*stream*/) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto* const x = static_cast<const float*>(assay_data(&cases[i], "x"));
    const bool is_typed = out[i].dtype.code == kDLInt && out[i].dtype.bits == 8;
    if (!is_typed) return 1;
    for (std::int64_t k = 0; k < out[i].shape[0]; ++k) static_cast<std::int8_t*>(out[i].data)[k] = rounded(x[k]);
  }
  return 0;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void to_int8(std::size_t n, const float* x, std::int8_t* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = rounded(x[i]);
}
__attribute__((visibility("default"))) void crashes(std::size_t /*n*/, const float* /*x*/, std::int8_t* /*y*/) {
  std::abort();
}
__attribute__((visibility("default"))) void reads_on(std::size_t n, const float* x, std::int8_t* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = rounded(x[i + 1]);
}

const assay_subject_table* assay_subject_v1(void) {
  static const assay_kernel kernels[] = {{"convert", "f32:int8"}};
  static assay_subject_table table = {};
  table.abi_version = ASSAY_SUBJECT_ABI_VERSION;
  table.struct_size = sizeof table;
  table.name = "conversions";
  table.version = "1";
  table.kernels = kernels;
  table.kernel_count = 1;
  table.devices = ASSAY_ON_HOST;
  table.run = run;
  return &table;
}
}
