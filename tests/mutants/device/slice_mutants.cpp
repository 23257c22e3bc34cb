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

  /// The remainder of x modulo 2^width towards zero; x is reduced to the quotient.
  ASSAY_HD static std::int32_t next_slice(std::int32_t& x, int width) {
    const std::int32_t slice = x % (1 << width);
    x /= 1 << width;
    return slice;
  }
};

void run_right(const Executor& on, const gemm::GemmArguments& g) { gemm::gemm_ozaki(on, g); }

template <class Product>
void run(const Executor& on, const gemm::GemmArguments& g) {
  Product(on, g, {}, gemm::OzakiMode{}).run();
}

struct Int8Dots {
  Int8Dot dot;
  const Int8Terms* terms;
  double* result;
  ASSAY_HD void operator()(std::size_t i) const { result[i] = dot(terms[i]); }
};

}  // namespace

void gemm_by_slices_with(SliceMistake mistake, const Executor& on, const gemm::GemmArguments& g) {
  using namespace gemm::detail;
  // In the order of SliceMistake.
  static constexpr void (*products[])(const Executor&, const gemm::GemmArguments&) = {
      run_right,
      run<o1::OzakiProduct>,
      run<o3::OzakiProduct>,
      run<o5::OzakiProduct>,
      run<o8::OzakiProduct>,
      run<o9::OzakiProduct>,
      run<o10::OzakiProduct>,
      run<o13::OzakiProduct>,
      run<o15::OzakiProduct>,
  };
  products[static_cast<std::size_t>(mistake)](on, g);
}

std::vector<double> int8_dots(bool misplaced, const Executor& on, std::span<const Int8Terms> terms) {
  const Array<Int8Terms> input(on, terms);
  const Array<double> result(on, terms.size());
  launch_indices(on, terms.size(), Int8Dots{{misplaced}, input.data(), result.data()});
  return result.take();
}

}  // namespace assay::mutants
