#pragma once
// Kernels that fail only on a device.

#include "arith/words/operands.hpp"
#include "exec/elementwise.hpp"

namespace assay::hostile {

/// a + b; on a device, one input in ten thousand writes to an invalid address.
struct AddOrFault {
  using Input = Pair<double>;
  using Output = double;
  ASSAY_HD Output operator()(const Input& x) const {
#if defined(__CUDA_ARCH__)
    if (to_bits(x.a) % 10000 == 77) {
      *reinterpret_cast<volatile double*>(std::uintptr_t{16}) = x.a;
    }
#endif
    return x.a + x.b;
  }
};

/// a² + b², each operation rounded; its source is compiled with -fmad=true, which fuses two of them.
struct FusedSquares {
  using Input = Pair<double>;
  using Output = double;
  ASSAY_HD Output operator()(const Input& x) const { return x.a * x.a + x.b * x.b; }
};

}  // namespace assay::hostile
