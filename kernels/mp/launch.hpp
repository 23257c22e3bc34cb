#pragma once
// The common parts of the files with kernels on multiple-precision numbers.

#include <stdexcept>
#include <string>

#include "exec/launch.hpp"
#include "kernels/mp/array.hpp"

namespace assay::mp {

/// f(rns::Standard<n>()) for n = 8, 16, 32, 64 or 128.
template <class F>
decltype(auto) with_moduli(int n, const char* routine, F&& f) {
  switch (n) {
    case 8:
      return f(rns::Standard<8>());
    case 16:
      return f(rns::Standard<16>());
    case 32:
      return f(rns::Standard<32>());
    case 64:
      return f(rns::Standard<64>());
    case 128:
      return f(rns::Standard<128>());
    default:
      throw std::invalid_argument(std::string(routine) + ": the number of moduli is 8, 16, 32, 64 or 128, not " +
                                  std::to_string(n));
  }
}

}  // namespace assay::mp
