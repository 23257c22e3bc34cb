#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "mutated/O1/kernels/gemm/detail/ozaki_engine.hpp"
#include "mutated/O10/kernels/gemm/detail/ozaki_engine.hpp"
#include "mutated/O13/kernels/gemm/detail/ozaki_engine.hpp"
#include "mutated/O15/kernels/gemm/detail/ozaki_engine.hpp"
#include "mutated/O3/kernels/gemm/detail/ozaki_engine.hpp"
#include "mutated/O5/kernels/gemm/detail/ozaki_engine.hpp"
#include "mutated/O8/kernels/gemm/detail/ozaki_engine.hpp"
#include "mutated/O9/kernels/gemm/detail/ozaki_engine.hpp"
#include "tests/mutants/device/product_mutants.hpp"

namespace assay::mutants {

namespace {

struct Int8Dot {
  bool misplaced;

  ASSAY_HD int slice_bits(std::int64_t k) const {
    int log = 0;
    while ((std::int64_t{1} << log) < k) ++log;
    const int bits = misplaced ? 31 - log / 2 : (31 - log) / 2;
    return bits < 7 ? bits : 7;
  }

  ASSAY_HD double operator()(const Int8Terms& terms) const {
    const int width = slice_bits(terms.k);
    std::int64_t sum = 0;
    std::int32_t x = terms.x;
    for (int p = 0; x != 0; ++p) {
      const std::int32_t low_x = next_slice(x, width);
      std::int32_t y = terms.y;
      for (int r = 0; y != 0; ++r) {
        const std::int32_t low_y = next_slice(y, width);
        std::uint32_t partial = 0;
        for (std::int64_t l = 0; l < terms.k; ++l) partial += static_cast<std::uint32_t>(low_x * low_y);
        sum += static_cast<std::int64_t>(static_cast<std::int32_t>(partial)) * (std::int64_t{1} << (width * (p + r)));
      }
    }
    return static_cast<double>(sum);
  }

  /// The remainder of x modulo 2^width towards zero; what is left of x is the quotient.
  ASSAY_HD static std::int32_t next_slice(std::int32_t& x, int width) {
    const std::int32_t slice = x % (1 << width);
    x /= 1 << width;
    return slice;
  }
};

struct Int8Dots {
  Int8Dot dot;
  const Int8Terms* terms;
  double* result;
  ASSAY_HD void operator()(std::size_t i) const { result[i] = dot(terms[i]); }
};

}  // namespace

void gemm_by_slices_with(SliceMistake mistake, const Executor& on, const gemm::GemmArguments& g) {
  const gemm::OzakiMode mode;
  switch (mistake) {
    case SliceMistake::none:
      gemm::gemm_ozaki(on, g);
      break;
    case SliceMistake::width_rounded_down:
      gemm::detail::o1::OzakiProduct(on, g, {}, mode).run();
      break;
    case SliceMistake::width_without_log:
      gemm::detail::o3::OzakiProduct(on, g, {}, mode).run();
      break;
    case SliceMistake::top_rounded_down:
      gemm::detail::o5::OzakiProduct(on, g, {}, mode).run();
      break;
    case SliceMistake::row_scales_of_columns:
      gemm::detail::o8::OzakiProduct(on, g, {}, mode).run();
      break;
    case SliceMistake::signed_maximum:
      gemm::detail::o9::OzakiProduct(on, g, {}, mode).run();
      break;
    case SliceMistake::last_level_dropped:
      gemm::detail::o10::OzakiProduct(on, g, {}, mode).run();
      break;
    case SliceMistake::implicit_bit:
      gemm::detail::o13::OzakiProduct(on, g, {}, mode).run();
      break;
    case SliceMistake::log_of_zero:
      gemm::detail::o15::OzakiProduct(on, g, {}, mode).run();
      break;
  }
}

std::vector<double> int8_dots(bool misplaced, const Executor& on, std::span<const Int8Terms> terms) {
  const Array<Int8Terms> input(on, terms);
  const Array<double> result(on, terms.size());
  launch_indices(on, terms.size(), Int8Dots{{misplaced}, input.data(), result.data()});
  return result.take();
}

}  // namespace assay::mutants
