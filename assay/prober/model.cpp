#include "assay/prober/model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "arith/float/small_float.hpp"

namespace assay::prober {
namespace {

double flushed(Number format, double x) {
  return std::fabs(x) < std::ldexp(1.0, format_of(format).emin) ? std::copysign(0.0, x) : x;
}

std::uint32_t converted(Conversion conversion, std::uint32_t pattern) {
  if (conversion == Conversion::none) return pattern;
  return conversion == Conversion::tf32_rounded ? tensor_core::tf32_rounded(pattern)
                                                : tensor_core::tf32_truncated(pattern);
}

/// By Number. Elements of binary32 are cut or rounded to tf32; no step has elements of binary64 or integers.
constexpr std::array inputs{tensor_core::Input::tf32, tensor_core::Input::tf32, tensor_core::Input::f16,
                            tensor_core::Input::bf16, tensor_core::Input::e4m3, tensor_core::Input::e5m2};

/// T: the format of the result. A sum of two, or a·b + c, is correctly rounded.
template <class T>
double sum_in(double x, double y) {
  return static_cast<double>(T(x) + T(y));
}

double sum(Number format, double x, double y) {
  if (format == Number::f64) return x + y;
  return format == Number::f16 ? sum_in<binary16>(x, y) : sum_in<float>(x, y);
}

/// RN(a·b) in the format. The product of two elements of 24 bits or fewer is exact in binary64.
double multiplied(Number format, double a, double b) { return value_of(format, pattern_of(format, a * b)); }

double fused(Number format, double a, double b, double c) {
  if (format == Number::f64) return std::fma(a, b, c);
  if (format == Number::f16) {
    return static_cast<double>(binary16::fused(binary16(a), binary16(b), binary16(c), Rounding::rn));
  }
  return static_cast<double>(std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}

class Prediction {
 public:
  Prediction(const Arithmetic& arithmetic, const Unit& unit, const Product& product)
      : arithmetic_(arithmetic), unit_(unit), product_(product) {}

  double value(const Addition& tree) const {
    double c = 0;
    bool has_sum = false;
    const auto take = [&](double next) {
      c = has_sum ? sum(unit_.result, c, next) : next;
      has_sum = true;
    };
    for (const Addition& each : tree.results) take(value(each));
    std::vector<int> products;
    for (const int each : tree.places) {
      if (each == unit_.products) {
        take(arithmetic_.flushes_inputs ? flushed(unit_.result, product_.c) : product_.c);
      } else {
        products.push_back(each);
      }
    }
    const double result = products.empty() ? c : operation(products, c);
    return arithmetic_.flushes_results ? flushed(unit_.result, result) : result;
  }

 private:
  double element(const std::vector<double>& from, int place) const {
    const double x = from[static_cast<std::size_t>(place)];
    return arithmetic_.flushes_inputs ? flushed(unit_.input, x) : x;
  }

  std::uint32_t pattern(const std::vector<double>& from, int place) const {
    const std::uint64_t bits = pattern_of(unit_.input, element(from, place));
    return converted(arithmetic_.conversion, static_cast<std::uint32_t>(bits));
  }

  double operation(const std::vector<int>& places, double c) const {
    if (arithmetic_.rule == Rule::step) return step(places, c);
    for (const int each : places) {
      double a = element(product_.a, each);
      double b = element(product_.b, each);
      if (arithmetic_.conversion != Conversion::none) {
        a = value_of(unit_.input, pattern(product_.a, each));
        b = value_of(unit_.input, pattern(product_.b, each));
      }
      c = arithmetic_.rule == Rule::fma ? fused(unit_.result, a, b, c)
                                        : sum(unit_.result, c, multiplied(unit_.result, a, b));
    }
    return c;
  }

  double step(const std::vector<int>& places, double c) const {
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
    for (const int each : places) {
      a.push_back(pattern(product_.a, each));
      b.push_back(pattern(product_.b, each));
    }
    const auto before = static_cast<std::uint32_t>(pattern_of(unit_.result, c));
    return value_of(unit_.result, tensor_core::fused_step(arithmetic_.step,
                                                          inputs[static_cast<std::size_t>(unit_.input)], a, b, before));
  }

  const Arithmetic& arithmetic_;
  const Unit& unit_;
  const Product& product_;
};

std::uint64_t integer_sum(const Arithmetic& arithmetic, const Product& product) {
  auto exact = static_cast<std::int64_t>(product.c);
  for (std::size_t i = 0; i < product.a.size(); ++i) {
    exact += static_cast<std::int64_t>(product.a[i]) * static_cast<std::int64_t>(product.b[i]);
  }
  using Limits = std::numeric_limits<std::int32_t>;
  if (arithmetic.rule == Rule::saturates) exact = std::clamp<std::int64_t>(exact, Limits::min(), Limits::max());
  return static_cast<std::uint32_t>(exact);
}

/// By Rule and by tensor_core::Result.
constexpr std::array rule_words{"", "fused multiply-adds, each rounded to nearest",
                                "products rounded to nearest, sums rounded to nearest", "exact modulo 2^32",
                                "exact, kept within 32 bits"};
constexpr std::array result_words{"toward zero in binary32", "toward zero in binary32 with 13 fraction bits",
                                  "to nearest in binary32", "to nearest in binary16"};

}  // namespace

std::string words_of(const Arithmetic& arithmetic) {
  const tensor_core::Step& step = arithmetic.step;
  if (arithmetic.rule != Rule::step) return rule_words[static_cast<std::size_t>(arithmetic.rule)];
  return fmt::format("F = {}, aligned {}; the sum is rounded {}", step.fraction_bits,
                     step.alignment == tensor_core::Alignment::down ? "down" : "toward zero",
                     result_words[static_cast<std::size_t>(step.result)]);
}

bool is_predictable(const Addition& tree, const Unit& unit) {
  const bool has_products = std::ranges::any_of(tree.places, [&](int place) { return place != unit.products; });
  if (has_products && tree.places.size() > 64) return false;
  const auto sums = tree.results.size() + static_cast<std::size_t>(std::ranges::count(tree.places, unit.products));
  return (!has_products || sums <= 1) &&
         std::ranges::all_of(tree.results, [&](const Addition& each) { return is_predictable(each, unit); });
}

std::uint64_t predict(const Arithmetic& arithmetic, const Addition& tree, const Unit& unit, const Product& product) {
  if (is_integer(unit.input)) return integer_sum(arithmetic, product);
  return pattern_of(unit.result, Prediction(arithmetic, unit, product).value(tree));
}

}  // namespace assay::prober
