#include "tests/device/small_formats.hpp"

#include <numeric>

#include "arith/float/scale_float.hpp"
#include "arith/float/small_float.hpp"
#include "exec/launch.hpp"

namespace assay {
namespace {

template <class T>
struct Convert {
  using Input = std::uint32_t;
  using Output = std::uint32_t;
  ASSAY_HD Output operator()(const Input& code) const {
    return T(static_cast<double>(binary16::of_bits(static_cast<std::uint16_t>(code)))).bits();
  }
};

template <class T>
struct Compute {
  using Input = std::uint32_t;
  using Output = std::uint32_t;
  ASSAY_HD Output operator()(const Input& codes) const {
    const T a = T::of_bits(static_cast<std::uint8_t>(codes));
    const T b = T::of_bits(static_cast<std::uint8_t>(codes >> 8));
    const auto word = [](T x) { return std::uint32_t{x.bits()}; };
    return word(a + b) | word(a * b) << 8 | word(a / b) << 16 | word(fma(a, b, a)) << 24;
  }
};

template <class T>
std::vector<std::uint32_t> results(const Executor& on) {
  std::vector<std::uint32_t> words(std::size_t{1} << 16);
  std::iota(words.begin(), words.end(), 0u);
  std::vector<std::uint32_t> all = elementwise(on, std::span<const std::uint32_t>(words), Convert<T>{});
  if constexpr (requires(T x) { x + x; }) {
    const auto computed = elementwise(on, std::span<const std::uint32_t>(words), Compute<T>{});
    all.insert(all.end(), computed.begin(), computed.end());
  }
  return all;
}

constexpr SmallFormat formats[] = {
    {"e4m3_ieee", results<e4m3_ieee>}, {"e3m4", results<e3m4>},
    {"e3m2", results<e3m2>},           {"e2m3", results<e2m3>},
    {"e2m1", results<e2m1>},           {"e5m2fnuz", results<e5m2fnuz>},
    {"e4m3fnuz", results<e4m3fnuz>},   {"e4m3b11fnuz", results<e4m3b11fnuz>},
    {"p3109_p1", results<p3109<1>>},   {"p3109_p2", results<p3109<2>>},
    {"p3109_p3", results<p3109<3>>},   {"p3109_p4", results<p3109<4>>},
    {"p3109_p5", results<p3109<5>>},   {"p3109_p6", results<p3109<6>>},
    {"p3109_p7", results<p3109<7>>},   {"e8m0", results<e8m0>},
    {"ue4m3", results<ue4m3>},
};

}  // namespace

std::span<const SmallFormat> small_formats() { return formats; }

}  // namespace assay
