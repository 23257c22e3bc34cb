#include "exec/array.hpp"
#include "exec/launch.hpp"
#include "kernels/gemm/detail/ozaki_block.hpp"
#include "tests/mutants/device/product_mutants.hpp"

namespace assay::mutants {

namespace {

/// The lines as a scan with the mistake describes them.
struct DescribeLines {
  SliceMistake mistake;
  gemm::GemmLines of;
  gemm::GemmLine* result;

  ASSAY_HD void operator()(std::size_t i) const {
    gemm::GemmLine& line = result[i];
    if (mistake == SliceMistake::log_of_zero) {
      if (line.is_zero()) {
        line.top = -1074;
        line.low = -32768;
      }
      return;
    }
    const double* x = of.x + static_cast<std::int64_t>(i) * of.line_step;
    double largest = of.length > 0 ? x[0] : 0;
    for (std::int64_t l = 1; l < of.length; ++l) {
      const double each = x[l * of.inner_step];
      if (each > largest) largest = each;
    }
    if (line.is_zero() || largest == 0) return;
    const bits::Significand parts = bits::significand(largest);
    const int top = parts.e + bits::bit_length(parts.m) - 1;
    line.top = top < line.low ? line.low : top;
  }
};

struct Steps : gemm::detail::OzakiSteps {
  SliceMistake mistake = SliceMistake::none;

  [[nodiscard]] ASSAY_HD bool is(SliceMistake which) const { return mistake == which; }
  [[nodiscard]] ASSAY_HD int unused_bits(std::int64_t k) const {
    const int log = inner_bits(k);
    const bool power = k == std::int64_t{1} << log;
    if (is(SliceMistake::width_rounded_down)) return (53 + (power ? log : log - 1)) / 2;
    return is(SliceMistake::width_without_log) ? 27 : gemm::detail::OzakiSteps::unused_bits(k);
  }
  [[nodiscard]] ASSAY_HD int top(int largest_exponent) const {
    return is(SliceMistake::top_rounded_down) ? largest_exponent : gemm::detail::OzakiSteps::top(largest_exponent);
  }
  [[nodiscard]] ASSAY_HD bits::Significand decode(double x) const {
    bits::Significand parts = gemm::detail::OzakiSteps::decode(x);
    const bool subnormal = x != 0 && x < 0x1p-1022 && x > -0x1p-1022;
    if (is(SliceMistake::implicit_bit) && subnormal) parts.m |= std::uint64_t{1} << 52;
    return parts;
  }
  void scan(const Executor& on, const gemm::GemmLines& of, gemm::GemmLine* result) const {
    gemm::detail::OzakiSteps::scan(on, of, result);
    if (is(SliceMistake::signed_maximum) || is(SliceMistake::log_of_zero)) {
      queue_indices(on, static_cast<std::size_t>(of.lines), DescribeLines{mistake, of, result});
    }
  }
  [[nodiscard]] int unit(const gemm::GemmLine& line, int q) const { return line.is_zero() ? 0 : top(line.top) - q; }
  [[nodiscard]] std::vector<std::int32_t> column_units(const std::vector<std::int32_t>& of_a,
                                                       const std::vector<std::int32_t>& of_b) const {
    if (!is(SliceMistake::row_scales_of_columns)) return of_b;
    std::vector<std::int32_t> units;
    for (std::size_t j = 0; j < of_b.size(); ++j) units.push_back(of_a[j % of_a.size()]);
    return units;
  }
  [[nodiscard]] int levels(int wanted) const { return is(SliceMistake::last_level_dropped) ? wanted - 1 : wanted; }
};

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
  Steps steps;
  steps.mistake = mistake;
  const gemm::OzakiMode mode;
  gemm::detail::OzakiProduct<Steps>(on, g, gemm::GemmOptions{}, mode, steps).run();
}

std::vector<double> int8_dots(bool misplaced, const Executor& on, std::span<const Int8Terms> terms) {
  const Array<Int8Terms> input(on, terms);
  const Array<double> result(on, terms.size());
  launch_indices(on, terms.size(), Int8Dots{{misplaced}, input.data(), result.data()});
  return result.take();
}

}  // namespace assay::mutants
