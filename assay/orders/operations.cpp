#include "assay/orders/operations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace assay::orders {
namespace {

using Asked = std::span<const Terms>;

std::uint64_t one(Number number) { return prober::pattern_of(number, 1); }

Words list(Number number, std::vector<std::uint64_t> bits) {
  return {prober::format_of(number), Words::Shape::list, std::move(bits)};
}

std::vector<std::uint64_t> factors_of(const Terms& terms, Number number) {
  return terms.y.empty() ? std::vector(terms.x.size(), one(number)) : terms.y;
}

/// One case for each input.
template <class Case, class Result>
std::vector<std::uint64_t> one_by_one(Asked asked, const AskRecords& ask, const Case& to_case, const Result& of_case) {
  std::vector<Record> cases;
  for (const Terms& each : asked) cases.push_back(to_case(each));
  const std::vector<Words> results = ask(cases);
  std::vector<std::uint64_t> answers;
  for (std::size_t i = 0; i < asked.size(); ++i) answers.push_back(of_case(asked[i], results[i].bits));
  return answers;
}

std::uint64_t last_of(const Terms&, const std::vector<std::uint64_t>& bits) { return bits.back(); }

/// A product whose entry (0, 0) is the sum; the other rows and columns are zeros.
Record product_of(Number number, std::size_t rows, const Terms& terms) {
  const std::size_t k = terms.x.size();
  std::vector<std::uint64_t> a(rows * k, 0);
  std::vector<std::uint64_t> b(rows * k, 0);
  std::ranges::copy(terms.x, a.begin());
  const std::vector<std::uint64_t> y = factors_of(terms, number);
  for (std::size_t l = 0; l < k; ++l) b[l * rows] = y[l];
  const auto side = static_cast<std::int64_t>(rows);
  return {{{"batch", std::int64_t{1}},
           {"m", side},
           {"n", side},
           {"k", static_cast<std::int64_t>(k)},
           {"a", list(number, std::move(a))},
           {"b", list(number, std::move(b))}}};
}
std::uint64_t first_of(const Terms&, const std::vector<std::uint64_t>& bits) { return bits.front(); }

/// One row with weights 1 and biases 0. The answer is the entry of a place that holds a one.
std::uint64_t entry_of_a_one(Number number, const Terms& terms, const std::vector<std::uint64_t>& bits) {
  const auto at = std::ranges::find(terms.x, one(number));
  return at == terms.x.end() ? 0 : bits[static_cast<std::size_t>(at - terms.x.begin())];
}
Record row_of(Number number, const Terms& terms) {
  const std::size_t n = terms.x.size();
  constexpr double eps = 0x1p-20;
  return {{{"rows", std::int64_t{1}},
           {"columns", static_cast<std::int64_t>(n)},
           {"eps", Words{prober::format_of(number), Words::Shape::scalar, {prober::pattern_of(number, eps)}}},
           {"x", list(number, terms.x)},
           {"weight", list(number, std::vector(n, one(number)))},
           {"bias", list(number, std::vector(n, std::uint64_t{0}))}}};
}
/// Of M, −M and ones: the entry of a one is (1 − c/n)/σ with σ = M·√(2/n), c the sum of the ones that are counted.
double count_of_mean(double answer, double large, std::size_t n) {
  const auto terms = static_cast<double>(n);
  const double count = terms * (1 - answer * large * std::sqrt(2 / terms));
  constexpr double unclear = 0.125;
  return std::abs(count - std::nearbyint(count)) < unclear ? std::abs(std::nearbyint(count)) : -1;
}

std::pair<Number, Number> formats_of(const std::string& operation, const std::string& format) {
  const std::size_t colon = format.find(':');
  const auto number = [&](const std::string& name) {
    for (const Number each : {Number::f64, Number::f32, Number::f16, Number::bf16}) {
      if (prober::name_of(each) == name) return each;
    }
    throw std::invalid_argument(fmt::format(
        "format {}: numbers of f64, f32, f16 and bf16 are accepted, of matmul also bf16:f32 and f16:f32", format));
  };
  const Number in = number(format.substr(0, colon));
  if (operation == "layer_norm" && in != Number::f64 && in != Number::f32) {
    throw std::invalid_argument(fmt::format("format {}: of layer_norm f64 and f32 are accepted", format));
  }
  return {in, colon == std::string::npos ? in : number(format.substr(colon + 1))};
}

}  // namespace

const std::vector<std::string>& operations() {
  static const std::vector<std::string> names{"cumsum", "dot", "layer_norm", "matmul", "sum"};
  return names;
}

ReductionOf reduction_of(const std::string& operation, const std::string& format, std::size_t rows,
                         const AskRecords& ask) {
  if (std::ranges::find(operations(), operation) == operations().end()) {
    throw std::invalid_argument(
        fmt::format("operation {}: it has no order here; cumsum, dot, layer_norm, matmul and sum "
                    "are accepted",
                    operation));
  }
  const auto [in, out] = formats_of(operation, format);
  return [=, in = in, out = out](std::size_t n) {
    Reduction reduction{in, out, n, operation == "dot" || operation == "matmul", nullptr, nullptr};
    if (operation == "matmul") {
      reduction.compute = [=](Asked asked) {
        return one_by_one(
            asked, ask, [&](const Terms& each) { return product_of(in, rows, each); }, first_of);
      };
    } else if (operation == "layer_norm") {
      reduction.count_of = [n](double answer, double large) { return count_of_mean(answer, large, n); };
      reduction.compute = [=](Asked asked) {
        return one_by_one(
            asked, ask, [&](const Terms& each) { return row_of(in, each); },
            [&](const Terms& each, const auto& bits) { return entry_of_a_one(in, each, bits); });
      };
    } else if (operation == "dot") {
      reduction.compute = [=](Asked asked) {
        const auto to_case = [&](const Terms& each) {
          return Record{{{"x", list(in, each.x)}, {"y", list(in, factors_of(each, in))}}};
        };
        return one_by_one(asked, ask, to_case, last_of);
      };
    } else {
      reduction.compute = [=](Asked asked) {
        return one_by_one(
            asked, ask,
            [&](const Terms& each) {
              return Record{{{"x", list(in, each.x)}}};
            },
            last_of);
      };
    }
    return reduction;
  };
}

}  // namespace assay::orders
