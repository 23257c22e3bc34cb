// A library that fails while it is loaded: LOADED in the environment selects the failure.
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace {

struct AtLoad {
  AtLoad() noexcept(false) {
    const char* const set = std::getenv("LOADED");
    const std::string_view way = set == nullptr ? "" : set;
    if (way.empty()) std::_Exit(7);
    if (way == "crashes") std::abort();
    if (way == "throws") throw std::runtime_error("not loaded");
    while (way == "hangs") ::usleep(1000);
    if (way == "prints") std::puts("loaded, said the library");
    if (way == "rounds") std::fesetround(FE_UPWARD);
    if (way == "speaks") std::setlocale(LC_ALL, "de_DE.UTF-8");
    std::fflush(stdout);
  }
};
const AtLoad at_load;

}  // namespace

extern "C" double dot(std::size_t n, const double* x, const double* y) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
