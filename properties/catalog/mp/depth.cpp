// The bounds of sums count additions by a separate formula. It agrees with the kernel's count.

#include "errorbounds/mp.hpp"
#include "kernels/mp/blas1.hpp"

namespace assay::mp {
namespace {

constexpr bool agree(std::int64_t first, std::int64_t last, std::int64_t step) {
  for (std::int64_t l = first; l <= last; l += step) {
    if (mp_sum_height(l) != mp_sum_depth(l)) return false;
  }
  return true;
}
static_assert(agree(0, 1100, 1));
static_assert(agree(2000, 40000, 37));
static_assert(agree(std::int64_t{1} << 40, (std::int64_t{1} << 40) + 2048, 64));

}  // namespace
}  // namespace assay::mp
