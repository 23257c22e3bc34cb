// layer_norm and rms_norm of the rows of a matrix, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/normalization_theorems.hpp"
#include "oracle/ball_functions.hpp"
#include "properties/contracts/rows.hpp"
#include "properties/contracts/stored.hpp"

namespace assay::contracts::normalization {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Exact;

/// A matrix, ε, and a weight for each column.
template <FloatingPoint T>
struct RmsNormCase {
  using Number = T;
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  T eps{};
  std::vector<T> x, weight;
  static constexpr auto fields() {
    return std::tuple{field("rows", &RmsNormCase::rows), field("columns", &RmsNormCase::columns),
                      field("eps", &RmsNormCase::eps), field("x", &RmsNormCase::x),
                      field("weight", &RmsNormCase::weight)};
  }
};
/// The same with a bias for each column.
template <FloatingPoint T>
struct LayerNormCase : RmsNormCase<T> {
  std::vector<T> bias;
  static constexpr auto fields() {
    return std::tuple_cat(RmsNormCase<T>::fields(), std::tuple{field("bias", &LayerNormCase::bias)});
  }
};
template <class Case>
constexpr bool has_mean = requires(const Case& c) { c.bias; };

/// The exact numbers of a row: y = N·w/√R + b with N = nx − Σxⱼ, or nx for rms_norm, and R = n²V.
struct ExactRow {
  Dyadic n;
  Dyadic sum;             ///< Σxⱼ for layer_norm, 0 for rms_norm
  Dyadic magnitudes;      ///< Σ|xⱼ|
  Dyadic squares;         ///< Σxⱼ²
  Dyadic radicand;        ///< R
  Dyadic variance_times;  ///< n²v, or n²q for rms_norm
};

template <class Case>
ExactRow exact_row(const Case& c, std::size_t r) {
  ExactRow row;
  row.n = c.columns;
  for (const auto& each : row_of(c.x, c.columns, r)) {
    const Dyadic x = value_of(each);
    if constexpr (has_mean<Case>) row.sum += x;
    row.magnitudes += abs(x);
    row.squares.add_mul(x, x);
  }
  row.variance_times = row.n * row.squares - row.sum * row.sum;
  row.radicand = row.variance_times + row.n * row.n * value_of(c.eps);
  return row;
}

/// √R of a row, by balls that are kept.
class Root {
 public:
  explicit Root(Dyadic radicand) : radicand_(std::move(radicand)) {}
  const Ball& at(long bits) {
    const auto [place, is_new] = known_.try_emplace(bits);
    if (is_new) place->second = sqrt(Ball(radicand_), bits);
    return place->second;
  }

 private:
  Dyadic radicand_;
  std::map<long, Ball> known_;
};

/// N·w of number i of a row, whose column is i.
template <class Case>
Dyadic numerator(const Case& c, const ExactRow& row, std::size_t r, std::size_t i) {
  return (row.n * value_of(row_of(c.x, c.columns, r)[i]) - row.sum) * value_of(c.weight[i]);
}

template <class Case>
Dyadic bias_of(const Case& c, std::size_t i) {
  if constexpr (has_mean<Case>) {
    return value_of(c.bias[i]);
  } else {
    return {};
  }
}

template <class Case>
std::vector<Exact> exact_norm(const Case& c) {
  std::vector<Exact> exact;
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    const ExactRow row = exact_row(c, r);
    const std::optional<Dyadic> root = oracle::exact_root(row.radicand);
    const auto balls = std::make_shared<Root>(row.radicand);
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      const Dyadic above = numerator(c, row, r, i);
      const Dyadic bias = bias_of(c, i);
      if (above.is_zero()) {
        exact.emplace_back(bias);
      } else if (root) {
        exact.emplace_back(oracle::Rational(above + bias * *root, *root));
      } else {
        exact.emplace_back(oracle::Enclosure{[balls, above, bias](long bits) {
          return add(div(Ball(above), balls->at(bits), bits), Ball(bias), bits);
        }});
      }
    }
  }
  return exact;
}

// -------------------------------------------------------------------------------------------------------- cases

constexpr int lowest_eps = -40;
constexpr int highest_number = 30;
constexpr int highest_weight = 10;
constexpr int lowest_weight = -40;  ///< of a weight that is not 0

/// How the numbers of a row look: a mean with an exponent in low … high and deviations with exponents `below` … `above`
/// relative to it, or no mean.
struct RowRange {
  int low, high;
  int deviation_low, deviation_high;
  bool has_mean;
};

template <FloatingPoint T>
std::vector<T> draw_row(Draw& draw, std::int64_t n, const RowRange& range) {
  constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
  const int exponent = std::clamp(draw.between(range.low, range.high), least, FloatTraits<T>::emax - 3);
  const Dyadic mean = range.has_mean ? value_of(draw_number<T>(draw, Significand::any, exponent)) : Dyadic();
  std::vector<T> row;
  for (std::int64_t i = 0; i < n; ++i) {
    const int off = exponent + draw.between(range.deviation_low, range.deviation_high);
    row.push_back(nearest_to<T>(mean + value_of(draw_number<T>(draw, Significand::any, std::max(off, least)))));
  }
  return row;
}

/// Weights or biases: random ones, or 1 or 0 everywhere.
template <FloatingPoint T>
std::vector<T> draw_column_numbers(Draw& draw, std::int64_t n, int plain) {
  const bool is_plain = draw.one_in(4);
  std::vector<T> numbers;
  for (std::int64_t i = 0; i < n; ++i) {
    numbers.push_back(is_plain ? T(plain) : draw_number<T>(draw, Significand::any, draw.between(-4, 3)));
  }
  return numbers;
}

template <class Case, class MakeRow>
rc::Gen<Case> of_rows(MakeRow make, int eps_low, int eps_high) {
  return drawn<Case>([=](Draw& draw) {
    using T = typename Case::Number;
    const Shape shape = draw_shape(draw);
    Case c;
    c.rows = shape.rows;
    c.columns = shape.columns;
    constexpr int least = FloatTraits<T>::emin - FloatTraits<T>::precision + 1;
    c.eps = draw_number<T>(draw, Significand::any, std::max(draw.between(eps_low, eps_high), least), false);
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      const std::vector<T> row = make(draw, shape.columns);
      c.x.insert(c.x.end(), row.begin(), row.end());
    }
    c.weight = draw_column_numbers<T>(draw, shape.columns, 1);
    if constexpr (has_mean<Case>) c.bias = draw_column_numbers<T>(draw, shape.columns, 0);
    return c;
  });
}

template <class Case>
bool contains(const Case& c) {
  using T = typename Case::Number;
  const auto at_most = [](const std::vector<T>& numbers, int exponent) {
    return all_finite(numbers) && std::ranges::all_of(numbers, [&](const T& each) {
             return abs(value_of(each)) <= Dyadic::scaled(1, exponent);
           });
  };
  const auto columns = static_cast<std::size_t>(c.columns);
  if (!has_shape(c) || c.weight.size() != columns || !at_most(c.weight, highest_weight)) return false;
  const bool is_tiny = std::ranges::any_of(c.weight, [](const T& each) {
    const Dyadic weight = value_of(each);
    return !weight.is_zero() && abs(weight) < Dyadic::scaled(1, lowest_weight);
  });
  if (is_tiny) return false;
  if constexpr (has_mean<Case>) {
    if (c.bias.size() != columns || !at_most(c.bias, highest_weight)) return false;
  }
  if (!at_most(c.x, highest_number) || !oracle::is_finite(format<T>, bits_of(c.eps))) return false;
  const Dyadic eps = value_of(c.eps);
  return eps >= Dyadic::scaled(1, lowest_eps) && eps <= Dyadic(1);
}

template <class Case>
Domain<Case> norm_domain() {
  using T = typename Case::Number;
  constexpr int p = FloatTraits<T>::precision;
  const auto rows = [](const RowRange& range, int eps_low = -24, int eps_high = -10) {
    return of_rows<Case>([=](Draw& draw, std::int64_t n) { return draw_row<T>(draw, n, range); }, eps_low, eps_high);
  };
  return {.classes = {{"numbers of mixed signs", 3, rows({-3, 3, -2, 2, false})},
                      {"deviations of the size of the mean", 3, rows({-3, 8, -3, 0, true})},
                      {"deviations far below the mean", 3, rows({4, 16, -p / 2 - 2, -p / 2, true})},
                      {"deviations of the size of √ε", 2, rows({-10, -6, -1, 1, false}, -20, -12)},
                      {"numbers far below √ε", 1, rows({-40, -24, -8, 0, false})},
                      {"large numbers", 1, rows({20, highest_number - 4, -4, 0, false}, lowest_eps, -1)},
                      {"small numbers and the smallest ε", 1, rows({-24, -16, -2, 2, false}, lowest_eps, lowest_eps)},
                      {"equal numbers", 1,
                       of_rows<Case>(
                           [](Draw& draw, std::int64_t n) {
                             const T each = draw_number<T>(draw, Significand::any, draw.between(-8, 8));
                             return std::vector<T>(static_cast<std::size_t>(n), each);
                           },
                           -20, -10)}},
          .contains = contains<Case>,
          .features = {{"log2 of the columns, rounded up", 0, 14, 14,
                        [](const Case& c) {
                          return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.columns - 1)));
                        }}},
          .axes =
              [](const Case&) {
                Axes axes{{{"x", {{"column"}, {"row"}}}, {"weight", {{"column"}}}},
                          {{"rows", "row"}, {"columns", "column"}},
                          {}};
                if (has_mean<Case>) axes.lists.push_back({"bias", {{"column"}}});
                return axes;
              },
          .accepts =
              "rows of one number or more, up to 8192 in all; numbers up to 2^30, weights from 2^-40 to 2^10 or 0, "
              "biases up to 2^10, ε from 2^-40 to 1"};
}

// ------------------------------------------------------------------------------------------------------- claims

/// numerator/denominator, rounded up. Requires: not negative (not checked).
Dyadic quotient_up(const Dyadic& numerator, const Dyadic& denominator) {
  return rounded_up(div(Ball(numerator), Ball(denominator), 64).upper());
}

NormRow facts_of(const ExactRow& row) {
  const Dyadic square = row.n * row.n;
  return {static_cast<std::uint64_t>(row.n.to_double_nearest()),
          quotient_up(abs(row.sum), row.n),
          quotient_up(row.magnitudes, row.n),
          quotient_up(row.squares, row.n),
          quotient_up(row.variance_times, square),
          quotient_up(square, row.radicand)};
}

/// |result − truth| ≤ bound for each number, computed in Wide<T>. The theorem gives what norm_error() takes for a row,
/// or nothing where nothing is claimed of it.
template <class Case>
auto error_of_norm(std::string id, const BoundedTheorem auto& theorem) {
  using T = typename Case::Number;
  using A = Wide<T>;
  return computed_claim<T, A>(
      std::move(id), theorem, [theorem](const Case& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
        Judgement worst;
        const auto columns = static_cast<std::size_t>(c.columns);
        for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
          const ExactRow row = exact_row(c, r);
          const std::optional<NormFactors> factors = theorem(facts_of(row), format<A>);
          if (!factors) continue;
          const Dyadic root = sqrt(Ball(row.radicand), 64).lower();
          for (std::size_t i = 0; i < columns; ++i) {
            const std::size_t at = r * columns + i;
            const Dyadic weight = abs(value_of(c.weight[i]));
            const NormNumber number{quotient_up(abs(numerator(c, row, r, i)), root),
                                    rounded_up(magnitude_of(truth[at])), quotient_up(row.n * weight, root), weight};
            const Bound bound = norm_error(*factors, number, format<A>);
            worst.worsen(judge_computed<T, A>(bits_of(result[at]), truth[at], bound, at));
          }
        }
        worst.judged = result.size();
        return worst;
      });
}

template <class Case>
using NormClaims = std::vector<Claim<Case, std::vector<typename Case::Number>, std::vector<Exact>>>;

template <class Case>
NormClaims<Case> norm_claims() {
  NormClaims<Case> claims{nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
                          faithful("faithful", contract_faithful_1)};
  if constexpr (has_mean<Case>) {
    claims.push_back(error_of_norm<Case>("two_pass", normalization_layer_1));
    claims.push_back(error_of_norm<Case>("one_pass", normalization_layer_2));
  } else {
    claims.push_back(error_of_norm<Case>("any_order", normalization_rms_1));
  }
  return claims;
}

template <class Case>
void call_norm(const ForeignKernel& kernel, const Executor& on, const Case& c, typename Case::Number* y) {
  using T = typename Case::Number;
  thread_local std::array<FencedMemory, 3> memory;
  const FencedArray<T> x(memory[0], c.x);
  const FencedArray<T> weight(memory[1], c.weight);
  const auto rows = static_cast<std::size_t>(c.rows);
  const auto columns = static_cast<std::size_t>(c.columns);
  if constexpr (has_mean<Case>) {
    const FencedArray<T> bias(memory[2], c.bias);
    function<void(std::size_t, std::size_t, T, const T*, const T*, const T*, T*)>(kernel)(
        rows, columns, c.eps, x.data(), weight.data(), bias.data(), y);
    check_input(bias, on, c.bias, "bias");
  } else {
    function<void(std::size_t, std::size_t, T, const T*, const T*, T*)>(kernel)(rows, columns, c.eps, x.data(),
                                                                                weight.data(), y);
  }
  check_input(x, on, c.x, "x");
  check_input(weight, on, c.weight, "weight");
}

template <class Case>
std::unique_ptr<PropertyModel> norm_property(const char* name, const Question& question, const ForeignKernel& kernel) {
  using T = typename Case::Number;
  return property_of(
      ArrayOperation<T, Case, Exact>{name, norm_domain<Case>(), [](const Case& c) { return unwritten<T>(c.x.size()); },
                                     call_norm<Case>, exact_norm<Case>, &Case::x, norm_claims<Case>()},
      question, kernel);
}

constexpr auto layer_norm_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return norm_property<LayerNormCase<T>>("layer_norm", question, kernel);
};
constexpr auto rms_norm_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return norm_property<RmsNormCase<T>>("rms_norm", question, kernel);
};

const OperationRegistration all[] = {
    OperationRegistration(
        {"layer_norm",
         "(xᵢ − μ)wᵢ/√(v + ε) + bᵢ of each row of a matrix, μ its mean and v = Σ(xⱼ − μ)²/n",
         with_narrow_formats(),
         {{CallForm::plain,
           "void f(size_t rows, size_t columns, T eps, const T* x, const T* weight, const T* bias, T* y)"}},
         with_stored({{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "two_pass"}},
                      {"faithful", &contract_faithful_1.words}},
                     {{"two_pass", &normalization_layer_1.words, {}, {"one_pass"}, true, wide_formats()},
                      {"one_pass", &normalization_layer_2.words, {}, {}, true, wide_formats()}},
                     {}),
         property_in_any_format<layer_norm_of>}),
    OperationRegistration(
        {"rms_norm",
         "xᵢwᵢ/√(Σxⱼ²/n + ε) of each row of a matrix",
         with_narrow_formats(),
         {{CallForm::plain, "void f(size_t rows, size_t columns, T eps, const T* x, const T* weight, T* y)"}},
         with_stored({{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "any_order"}},
                      {"faithful", &contract_faithful_1.words, {}, {"any_order"}}},
                     {{"any_order", &normalization_rms_1.words, {}, {}, true, wide_formats()}}, {}),
         property_in_any_format<rms_norm_of>}),
};

}  // namespace
}  // namespace assay::contracts::normalization
