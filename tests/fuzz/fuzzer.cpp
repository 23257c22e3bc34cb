// A reader under libFuzzer: ASSAY_FUZZ_READER names it.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::ASSAY_FUZZ_READER({reinterpret_cast<const char*>(data), size});
  return 0;
}
