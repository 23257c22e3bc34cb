// A library that ends the process that loads it.
#include <cstddef>
#include <cstdlib>

namespace {

struct AtLoad {
  AtLoad() { std::_Exit(7); }
};
const AtLoad at_load;

}  // namespace

extern "C" double dot(std::size_t n, const double* x, const double* y) { return n == 0 ? 0 : x[0] * y[0]; }
