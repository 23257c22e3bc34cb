// Writes the runs (conversion_runs.hpp) of the conversions that a compiler makes between its types:
//   compiler_conversions FOLDER [CONVERSION]

#include <bit>
#include <type_traits>

#include "conversion_runs.hpp"

#if defined(__clang__) ? __clang_major__ >= 17 : __GNUC__ >= 13
#define HAS_BF16 1
#endif

namespace {

template <class T>
using Pattern = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>;

/// Writes conversions into a folder.
struct Writer {
  std::string folder;
  std::string only;  ///< the one conversion that is written; empty: all
  int failures = 0;

  template <class From, class To>
  void write(const char* name) {
    if (!only.empty() && only != name) return;
    const std::vector<runs::Run> all = runs::of_all_inputs(8 * sizeof(From), [](std::uint32_t x) -> std::uint32_t {
      return std::bit_cast<Pattern<To>>(static_cast<To>(std::bit_cast<From>(static_cast<Pattern<From>>(x))));
    });
    if (!runs::write(folder + "/" + name + ".runs", all)) ++failures;
  }
};

}  // namespace

int main(int count, char** words) {
  if (count != 2 && count != 3) {
    std::fprintf(stderr, "usage: compiler_conversions FOLDER [CONVERSION]\n");
    return 2;
  }
  Writer writer{words[1], count == 3 ? words[2] : ""};
#ifdef HAS_BF16
  writer.write<float, __bf16>("f32_bf16");
  writer.write<__bf16, float>("bf16_f32");
  writer.write<__bf16, _Float16>("bf16_f16");
  writer.write<_Float16, __bf16>("f16_bf16");
#endif
  writer.write<_Float16, float>("f16_f32");
  writer.write<float, _Float16>("f32_f16");
  return writer.failures == 0 ? 0 : 1;
}
