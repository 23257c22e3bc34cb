// Writes the runs (conversion_runs.hpp) of the conversions that a compiler makes between its types:
//   compiler_conversions FOLDER

#include <bit>
#include <type_traits>

#include "conversion_runs.hpp"

#if defined(__clang__) ? __clang_major__ >= 17 : __GNUC__ >= 13
#define HAS_BF16 1
#endif

namespace {

template <class T>
using Pattern = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>;

int failures = 0;

template <class From, class To>
void write(const std::string& folder, const char* name) {
  const std::vector<runs::Run> all = runs::of_all_inputs(8 * sizeof(From), [](std::uint32_t x) -> std::uint32_t {
    return std::bit_cast<Pattern<To>>(static_cast<To>(std::bit_cast<From>(static_cast<Pattern<From>>(x))));
  });
  if (!runs::write(folder + "/" + name + ".runs", all)) ++failures;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: compiler_conversions FOLDER\n");
    return 2;
  }
#ifdef HAS_BF16
  write<float, __bf16>(words[1], "f32_bf16");
  write<__bf16, float>(words[1], "bf16_f32");
  write<__bf16, _Float16>(words[1], "bf16_f16");
  write<_Float16, __bf16>(words[1], "f16_bf16");
#endif
  write<_Float16, float>(words[1], "f16_f32");
  write<float, _Float16>(words[1], "f32_f16");
  return failures == 0 ? 0 : 1;
}
