#include "assay/prober/prober.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "assay/prober/questions.hpp"

namespace assay::prober {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Equal patterns; −0 and +0 differ, any NaN equals any NaN.
bool same(Number format, std::uint64_t x, std::uint64_t y) {
  return x == y || (!is_integer(format) && std::isnan(value_of(format, x)) && std::isnan(value_of(format, y)));
}

/// The first operation: its places do not occur in earlier operations.
std::vector<int> first_places(const Addition& tree) {
  return tree.results.empty() ? tree.places : first_places(tree.results.front());
}

class Prober {
 public:
  Prober(const Unit& unit, std::uint64_t seed) : unit_(unit), seed_(seed) {}

  Finding run() {
    if (is_integer(unit_.input)) {
      probe_integers();
      return std::move(finding_);
    }
    probe_subnormals();
    finding_.nan = nan_patterns();
    finding_.order = order_of(unit_, finding_.keeps_inputs.value_or(false) && finding_.keeps_results.value_or(true));
    if (!finding_.order) {
      finding_.trouble = "the answers are not the sums of any fixed order";
    } else if (!is_predictable(*finding_.order, unit_)) {
      finding_.trouble = "no model of the family adds in this order";
    } else if (find_conversion() && find_arithmetic()) {
      find_floor();
      check();
    }
    return std::move(finding_);
  }

 private:
  std::uint64_t ask(const Product& product) { return unit_.compute(std::span(&product, 1)).front(); }

  /// d of one product of powers of two, with c = 0.
  double single(int a_exponent, int b_exponent) {
    Product product = zeros(unit_);
    product.a[0] = std::ldexp(1.0, a_exponent);
    product.b[0] = std::ldexp(1.0, b_exponent);
    return value_of(unit_.result, ask(product));
  }

  void probe_subnormals() {
    const oracle::Format in = format_of(unit_.input);
    const oracle::Format out = format_of(unit_.result);
    finding_.keeps_inputs = single(in.emin - 1, std::min(in.emax - 1, -in.emin)) != 0;
    const int half = out.emin - 1;
    if (2 * in.emin <= half) {
      finding_.keeps_results = single(half / 2, half - half / 2) != 0;
    } else if (unit_.has_c) {
      Product product = zeros(unit_);
      product.c = std::ldexp(1.0, half);
      finding_.keeps_results = value_of(unit_.result, ask(product)) != 0;
    }
  }

  /// The patterns for a NaN among the elements, 0·∞ and ∞ − ∞.
  std::string nan_patterns() {
    std::vector<Product> products(1, zeros(unit_));
    products[0].a[0] = nan_value;
    products[0].b[0] = 1;
    if (format_of(unit_.input).has_infinity()) {
      products.push_back(zeros(unit_));
      products.back().a[0] = infinity;
      if (unit_.products > 1) {
        products.push_back(zeros(unit_));
        for (std::size_t i = 0; i < 2; ++i) {
          products.back().a[i] = i == 0 ? infinity : -infinity;
          products.back().b[i] = 1;
        }
      }
    }
    std::string text;
    std::set<std::uint64_t> seen;
    for (const std::uint64_t pattern : unit_.compute(products)) {
      if (!seen.insert(pattern).second) continue;
      const int digits = format_of(unit_.result).width() / 4;
      text += fmt::format("{}{:0{}x}", text.empty() ? "" : ", ", pattern, digits);
    }
    return text;
  }

  /// Keeps the candidates that predict the unit's answers. False if none is left: the last candidate's wrong prediction
  /// is the example.
  bool eliminate(std::vector<Arithmetic>& candidates, const std::vector<Product>& products) {
    if (products.empty()) return true;
    const std::vector<std::uint64_t> answers = unit_.compute(products);
    for (std::size_t i = 0; i < products.size(); ++i) {
      const Arithmetic last = candidates.back();
      std::erase_if(candidates, [&](const Arithmetic& each) {
        return !same(unit_.result, predict(each, *finding_.order, unit_, products[i]), answers[i]);
      });
      if (candidates.empty()) {
        refute(last, products[i]);
        return false;
      }
    }
    return true;
  }

  bool is_wrong(const Arithmetic& model, const Product& product) {
    return !same(unit_.result, predict(model, *finding_.order, unit_, product), ask(product));
  }

  /// No model fits. The example has zeros for terms that the difference does not need.
  void refute(const Arithmetic& last, Product product) {
    for (std::size_t i = 0; i < product.a.size(); ++i) {
      Product smaller = product;
      smaller.a[i] = smaller.b[i] = 0;
      if (is_wrong(last, smaller)) product = std::move(smaller);
    }
    Product smaller = product;
    smaller.c = 0;
    if (is_wrong(last, smaller)) product = std::move(smaller);
    finding_.trouble = "no model of the family fits";
    finding_.example = Example{product, ask(product), predict(last, *finding_.order, unit_, product)};
    finding_.arithmetic.reset();
  }

  std::vector<int> operation() const { return first_places(*finding_.order); }

  std::vector<int> all_places() const {
    std::vector<int> all(static_cast<std::size_t>(unit_.products + (unit_.has_c ? 1 : 0)));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  /// The conversion of binary32 elements: tested by numbers with more bits than tf32, times 1.
  bool find_conversion() {
    if (unit_.input != Number::f32) return true;
    std::vector<Product> products;
    for (const double x : {0x1p-11, 0x1p-11 + 0x1p-23, 3 * 0x1p-11, 0x1p-12, 0x1p-10, 0x1p-23, 0x1p-10 - 0x1p-23}) {
      for (const double sign : {1.0, -1.0}) {
        for (const bool in_a : {true, false}) {
          Product product = zeros(unit_);
          put(product, unit_, operation().front(), in_a ? sign * (1 + x) : 1, 0, in_a ? 1 : sign * (1 + x));
          products.push_back(std::move(product));
        }
      }
    }
    std::vector<Arithmetic> candidates;
    for (const Conversion each : {Conversion::none, Conversion::tf32_truncated, Conversion::tf32_rounded}) {
      candidates.push_back({.rule = Rule::fma, .conversion = each});
    }
    if (!eliminate(candidates, products)) return false;
    conversion_ = candidates.front().conversion;
    return true;
  }

  std::vector<Arithmetic> candidates() const {
    Arithmetic base{.conversion = conversion_,
                    .flushes_inputs = !finding_.keeps_inputs.value_or(true),
                    .flushes_results = !finding_.keeps_results.value_or(true)};
    std::vector<Arithmetic> found;
    for (const Rule rule : {Rule::fma, Rule::multiply_add}) {
      found.push_back(base);
      found.back().rule = rule;
    }
    std::vector<tensor_core::Result> results;
    if (unit_.result == Number::f16 && unit_.input == Number::f16) results = {tensor_core::Result::f16_rn};
    if (unit_.result == Number::f32 && (unit_.input != Number::f32 || conversion_ != Conversion::none)) {
      results = {tensor_core::Result::f32_rz, tensor_core::Result::e8m13_rz, tensor_core::Result::f32_rn};
    }
    for (const tensor_core::Result result : results) {
      for (const auto alignment : {tensor_core::Alignment::toward_zero, tensor_core::Alignment::down}) {
        for (int fraction = 8; fraction <= 40; ++fraction) {
          found.push_back(base);
          found.back().step.fraction_bits = fraction;
          found.back().step.result = result;
          found.back().step.alignment = alignment;
        }
      }
    }
    return found;
  }

  bool find_arithmetic() {
    std::vector<Arithmetic> left = candidates();
    const std::vector<int> places = operation();
    constexpr std::size_t drawn = 512;
    for (const auto& questions : {single_questions, alignment_questions, rounding_questions}) {
      if (!eliminate(left, questions(unit_, places))) return false;
    }
    for (const std::vector<int>& each : {places, all_places()}) {
      if (!eliminate(left, random_products(unit_, each, drawn, seed_ + 1))) return false;
    }
    finding_.arithmetic = left.front();
    if (const std::optional<Shape> shape = shape_of(*finding_.order, unit_)) {
      finding_.arithmetic->step.terms = shape->step;
    }
    return true;
  }

  void find_floor() {
    if (finding_.arithmetic->rule != Rule::step) return;
    std::vector<Arithmetic> left;
    for (int floor = lowest_floor; floor <= highest_floor; ++floor) {
      left.push_back(*finding_.arithmetic);
      left.back().step.floor = floor;
    }
    const std::vector<int> places = operation();
    for (const auto& questions : {single_questions, floor_questions}) {
      if (!eliminate(left, questions(unit_, places))) return;
    }
    finding_.least_floor = left.front().step.floor;
    finding_.largest_floor = left.back().step.floor;
    constexpr int usual = -126;
    finding_.arithmetic->step.floor = std::clamp(usual, finding_.least_floor, finding_.largest_floor);
  }

  void check() {
    if (finding_.arithmetic) check(random_products(unit_, all_places(), checked_products, seed_));
  }

  void check(const std::vector<Product>& products) {
    const Arithmetic model = *finding_.arithmetic;
    const std::vector<std::uint64_t> answers = unit_.compute(products);
    std::optional<std::size_t> wrong;
    for (std::size_t i = 0; i < products.size(); ++i) {
      const bool is_right =
          same(unit_.result, predict(model, finding_.order.value_or(Addition{}), unit_, products[i]), answers[i]);
      ++finding_.checked;
      finding_.predicted += is_right ? 1 : 0;
      if (!is_right && !wrong) wrong = i;
    }
    if (wrong) refute(model, products[*wrong]);
  }

  /// Exact sums of integers: modulo 2³² or kept within 32 bits. Overflow depends on whether the unit has c.
  void probe_integers() {
    finding_.order = Addition{};
    Product over = zeros(unit_);
    over.c = std::numeric_limits<std::int32_t>::max();
    over.a[0] = over.b[0] = 1;
    const bool saturates = unit_.has_c && ask(over) == static_cast<std::uint32_t>(over.c);
    finding_.arithmetic = Arithmetic{.rule = saturates ? Rule::saturates : Rule::wraps};
    bits::SplitMix64 random{seed_};
    std::vector<Product> products;
    for (std::size_t i = 0; i < checked_products; ++i) {
      Product product = zeros(unit_);
      const bool is_extreme = i % 2 == 0;
      const auto drawn = [&] {
        const std::uint64_t word = random();
        if (is_extreme) return word % 2 == 0 ? -128.0 : 127.0;
        return static_cast<double>(static_cast<std::int8_t>(word));
      };
      for (double& each : product.a) each = drawn();
      for (double& each : product.b) each = drawn();
      if (unit_.has_c) product.c = static_cast<std::int32_t>(random());
      products.push_back(std::move(product));
    }
    check(products);
  }

  const Unit& unit_;
  std::uint64_t seed_;
  Conversion conversion_ = Conversion::none;
  Finding finding_;
};

}  // namespace

Finding probe(const Unit& unit, std::uint64_t seed) { return Prober(unit, seed).run(); }

}  // namespace assay::prober
