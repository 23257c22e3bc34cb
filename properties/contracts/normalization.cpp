// layer_norm and rms_norm of the rows of a matrix, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/normalization_theorems.hpp"
#include "properties/contracts/left_out.hpp"
#include "properties/contracts/normalization_facts.hpp"
#include "properties/contracts/order_rows.hpp"
#include "properties/contracts/rungs.hpp"
#include "properties/framework/entry_rules.hpp"

namespace assay::contracts::normalization {
namespace {

// ------------------------------------------------------------------------------------------------------- claims

enum class Range { moderate, any };

/// The operations of this file, whose cases differ.
struct Norms {};

/// A way to compute a row. Kernels of a way that flush to zero have a bound of the same form.
struct Way {
  std::string id;
  const TheoremWords* theorem;
  NormForm form;
  std::vector<std::string> weaker;  ///< ways and other contracts whose bounds this one keeps
};
using Variance = NormForm::Variance;
const std::vector<Way> layer_ways{
    {"two_pass", &normalization_layer_1.words, {}, {"scale_shift", "welford", "one_pass"}},
    {"scale_shift", &normalization_layer_3.words, {.shifts = true}, {"one_pass_scale_shift"}},
    {"welford", &normalization_layer_6.words, {.variance = Variance::of_updates}, {}},
    {"one_pass", &normalization_layer_2.words, {.variance = Variance::of_squares}, {"one_pass_scale_shift"}},
    {"one_pass_scale_shift", &normalization_layer_4.words, {.variance = Variance::of_squares, .shifts = true}, {}}};
const std::vector<Way> rms_ways{
    {"any_order", &normalization_rms_1.words, {.variance = Variance::none}, {"stored_twice"}}};

/// Whether the bounds speak of some number.
template <class Case, Range range>
bool is_asked(const Case& c) {
  using T = typename Case::Number;
  bool has_row = false;
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    const auto row = row_of(c.x, c.columns, r);
    has_row = has_row || (range == Range::any ? is_finite_row(c, r) : Moderate<T>::is_row(row));
  }
  bool has_column = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
    has_column = has_column || has_moderate_column(c, i);
  }
  return has_row && has_column;
}

template <class Case, Range range>
std::string asked_in_words() {
  using M = Moderate<typename Case::Number>;
  const std::string weight = std::to_string(M::weight);
  const std::string rows = range == Range::any ? "finite rows"
                                               : "rows of numbers up to 2^" + std::to_string(M::number) +
                                                     ", n times their squares up to 2^" + std::to_string(M::squares);
  return rows + ", and columns with a weight from 2^-" + weight + " to 2^" + weight + " or 0" +
         (has_mean<Case> ? " and a bias up to 2^" + std::to_string(M::bias) : "") + "; of these alone";
}

/// judge(facts of the row)(facts of the number, pattern of the result, place, the worst judgement so far) for each
/// number that is asked.
template <class Case, Range range, class JudgeNumber>
Judgement of_numbers(const Case& c, const std::vector<Exact>& truth, const std::vector<typename Case::Number>& result,
                     const JudgeNumber& judge) {
  const Facts& facts = facts_of(c, truth);
  const auto columns = static_cast<std::size_t>(c.columns);
  Judgement worst;
  for (std::size_t r = 0; r < facts.rows.size(); ++r) {
    const RowFacts& row = facts.rows[r];
    if (are_enough(worst.violations())) break;
    if (!(range == Range::any ? row.is_finite : row.is_moderate)) continue;
    auto judge_number = judge(row.row);
    for (std::size_t at = r * columns; at < (r + 1) * columns; ++at) {
      const NumberFacts& number = facts.numbers[at];
      if (!number.is_known || !number.is_moderate || are_enough(worst.violations())) continue;
      worst.worsen(judge_number(number, bits_of(result[at]), at, worst));
    }
  }
  worst.judged = result.size();
  return worst;
}

/// The factors of a form for a row, and what its bounds are at least, computed when a number needs them.
class RowBounds {
 public:
  RowBounds(const NormForm& form, const NormRow& row, const oracle::Format& in) : form_(form), row_(row), in_(in) {
    if (row.n > short_row) floor();
  }
  /// Nothing for a variance of squares that may be off by half of V.
  const std::optional<NormFactors>& factors() {
    if (!is_computed_) factors_ = norm_factors(form_, row_, in_);
    is_computed_ = true;
    return factors_;
  }
  const NormFloor& floor() {
    if (!floor_) floor_.emplace(norm_factors_below(form_, row_, in_), in_);
    return *floor_;
  }

 private:
  NormForm form_;
  const NormRow& row_;
  oracle::Format in_;
  bool is_computed_ = false;
  std::optional<NormFactors> factors_;
  std::optional<NormFloor> floor_;
};

/// Where kernels compute as a rule.
template <FloatingPoint T>
inline constexpr Accumulator usual_format = is_narrow<T> ? wider_format<T> : own_format<T>;

/// |t − truth| ≤ bound for each number, t what the form computes in the accumulator. Where a variance of one pass may
/// be off by half, the result is at most norm_limit().
template <class Case>
auto judge_of_form(const Accumulator& in, const NormForm& form) {
  using T = typename Case::Number;
  return [in, form](const Case& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
    const Dyadic& inverse_root = facts_of(c, truth).inverse_root;
    const bool is_screened = in.format.precision == usual_format<T>.format.precision;
    const auto& errors = errors_above<T, Wide<T>, Norms>(c, truth, result);
    return of_numbers<Case, Range::moderate>(c, truth, result, [&](const NormRow& row) {
      return [&, bounds = RowBounds(form, row, in.format)](const NumberFacts& of, std::uint64_t got, std::size_t at,
                                                           const Judgement& worst) mutable {
        if (is_screened && stays_worst(
                               worst, errors[at], [&] { return bounds.floor().at(of.floor); }, at)) {
          return Judgement::pass();
        }
        const auto& factors = bounds.factors();
        const Bound bound =
            factors ? norm_error(*factors, of.number, in.format)
                    : Bound{of.number.result + norm_limit(form, row, of.number, of.size, inverse_root, in.format)};
        return judge_in<T>(in, got, truth[at], bound, at);
      };
    });
  };
}

/// A way, or the form of it that flushes to zero.
template <class Case>
auto error_of_norm(const Way& way, bool flushes) {
  using T = typename Case::Number;
  constexpr Range range = Range::moderate;
  NormForm form = way.form;
  form.flushes = flushes;
  const TheoremWords& theorem = flushes ? normalization_flush_1.words : *way.theorem;
  return when(asked_in_words<Case, range>(), is_asked<Case, range>,
              claim_in<T>(usual_format<T>, flushes ? way.id + "_ftz" : way.id, theorem,
                          judge_of_form<Case>(usual_format<T>, form), flushes ? "of the form of " + way.id : ""));
}

/// Two passes in a wider format.
template <class Case>
auto wide_two_pass() {
  constexpr Range range = Range::moderate;
  return when(asked_in_words<Case, range>(), is_asked<Case, range>,
              claim_spec("wide_two_pass", normalization_layer_7,
                         judge_of_form<Case>(wider_format<typename Case::Number>, NormForm{})));
}

/// The same for rows of any range; numbers whose bound reaches 2^emax are left out.
template <class Case>
auto error_in_any_range(const BoundedTheorem auto& theorem) {
  using T = typename Case::Number;
  using A = Wide<T>;
  constexpr Range range = Range::any;
  return when(asked_in_words<Case, range>(), is_asked<Case, range>,
              computed_claim<T, A>(
                  "any_range", theorem,
                  [theorem](const Case& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
                    const auto& errors = errors_above<T, A, Norms>(c, truth, result);
                    return of_numbers<Case, range>(c, truth, result, [&](const NormRow& row) {
                      if (row.n > short_row) theorem(row, format<A>);
                      struct Bounds {
                        NormFactors factors;
                        NormFloor floor;
                      };
                      return [&, known = std::optional<Bounds>()](const NumberFacts& of, std::uint64_t got,
                                                                  std::size_t at, const Judgement& worst) mutable {
                        const auto bounds = [&]() -> const Bounds& {
                          if (known) return *known;
                          const NormFactors factors = theorem(row, format<A>);
                          return known.emplace(Bounds{factors, NormFloor(factors, format<A>)});
                        };
                        if (stays_worst(
                                worst, errors[at], [&] { return bounds().floor.at(of.floor); }, at)) {
                          return Judgement::pass();
                        }
                        const Bound bound = norm_error(bounds().factors, of.number, format<A>);
                        const Dyadic most = Dyadic::scaled(1, FloatTraits<A>::emax);
                        if (of.number.result + bound.numerator >= most) return Judgement::pass();
                        return judge_computed<T, A>(got, truth[at], bound, at);
                      };
                    });
                  }));
}

/// No NaN, and no infinity unless the result may overflow.
template <class Case>
auto finite_norm() {
  using T = typename Case::Number;
  constexpr Range range = Range::moderate;
  static constexpr NormForm form{.variance = has_mean<Case> ? Variance::of_squares : Variance::none, .flushes = true};
  return when(asked_in_words<Case, range>(), is_asked<Case, range>,
              satisfies("finite", normalization_finite_1,
                        [](const Case& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
                          const Dyadic& inverse_root = facts_of(c, truth).inverse_root;
                          return of_numbers<Case, range>(c, truth, result, [&](const NormRow& row) {
                            return [&](const NumberFacts& of, std::uint64_t got, std::size_t at, const Judgement&) {
                              const Dyadic limit =
                                  norm_limit(form, row, of.number, of.size, inverse_root, format<Wide<T>>);
                              if (oracle::is_nan(format<T>, got)) return Judgement::fail(at);
                              if (!oracle::is_finite(format<T>, got)) {
                                return Judgement::of(limit >= Dyadic::scaled(1, FloatTraits<T>::emax), at);
                              }
                              const Dyadic rounded = limit + limit + smallest_subnormal(format<T>);
                              return Judgement::of(abs(oracle::decode_finite(format<T>, got)) <= rounded, at);
                            };
                          });
                        }));
}

/// x/√V rounded to T, times w rounded to T.
template <class Case>
auto stored_twice() {
  using T = typename Case::Number;
  constexpr Range range = Range::moderate;
  return when(asked_in_words<Case, range>(), is_asked<Case, range>,
              claim_spec("stored_twice", normalization_rms_3,
                         [](const Case& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
                           return of_numbers<Case, range>(c, truth, result, [&](const NormRow& row) {
                             return [&, factors = rms_norm_factors(row, format<float>)](
                                        const NumberFacts& of, std::uint64_t got, std::size_t at, const Judgement&) {
                               const Bound bound = normalization_rms_3(factors, of.number, format<T>, format<float>);
                               return judge_stored(got, truth[at], bound, format<T>, at);
                             };
                           });
                         }));
}

template <class Case>
using NormClaims = std::vector<Claim<Case, std::vector<typename Case::Number>, std::vector<Exact>>>;

/// The claims in the order of the contracts.
template <class Case>
NormClaims<Case> norm_claims() {
  using T = typename Case::Number;
  const auto expected = expected_of<Case>;
  NormClaims<Case> claims{
      apart_from_special(expected, rounded_numbers<Norms>("correctly_rounded", contract_correctly_rounded_1)),
      apart_from_special(expected, faithful_numbers<Norms>("faithful", contract_faithful_1))};
  if constexpr (has_mean<Case> && !is_narrow<T>) claims.push_back(wide_two_pass<Case>());
  for (const Way& way : has_mean<Case> ? layer_ways : rms_ways) {
    for (const bool flushes : {false, true}) claims.push_back(error_of_norm<Case>(way, flushes));
  }
  if constexpr (has_mean<Case>) {
    claims.push_back(error_in_any_range<Case>(normalization_layer_5));
  } else {
    claims.push_back(error_in_any_range<Case>(normalization_rms_2));
    if constexpr (is_narrow<T>) claims.push_back(stored_twice<Case>());
  }
  claims.push_back(finite_norm<Case>());
  claims.push_back(special_numbers<Case>("exceptional", normalization_exceptional_1,
                                         "x, a weight or a bias has a NaN or an infinity", expected_of<Case>));
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
  return property_of<OrderOfNorms<Case>>(
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

// -------------------------------------------------------------------------------------------- judges on a device

/// At most the number, in binary64.
double least(const Dyadic& x) { return oracle::Magnitude::lower(x).to_double(); }

/// What encloses the numbers of a moderate row of a device, and the floor of a form for it. Others are left open.
template <FloatingPoint T, bool has_mean>
enclosures::Row row_on_device(const enclosures::RowFacts& facts, const std::optional<NormForm>& form, double eps) {
  using Range = Moderate<T>;
  static constexpr oracle::Format in = format<Wide<T>>;
  enclosures::LeastSizes sizes{};
  enclosures::Row row = enclosures::row_of_norm(facts, has_mean, eps, sizes);
  const double n = static_cast<double>(facts.numbers);
  const bool is_moderate = facts.size <= std::ldexp(1.0, Range::number) &&
                           n * facts.size * facts.size <= std::ldexp(1 - 0x1p-40, Range::squares);
  if (!is_moderate) row.is_open = 1;
  if (row.is_open != 0 || !form) return row;
  const NormRow of{
      static_cast<std::uint64_t>(facts.numbers), oracle::exact(sizes.mean),     oracle::exact(sizes.mean_magnitude),
      oracle::exact(sizes.mean_square),          oracle::exact(sizes.variance), oracle::exact(sizes.inverse),
      oracle::exact(sizes.inverse_root)};
  const NormFactors factors = norm_factors_below(*form, of, in);
  row.relative = least(factors.relative);
  row.result = least(unit_roundoff(in.precision));
  row.alone = least(factors.lost);
  row.deviation = least(factors.deviation);
  row.bias = least(factors.bias);
  row.weight = least(factors.lost_per_weight);
  return row;
}

template <FloatingPoint T, bool has_mean>
std::optional<enclosures::RowRule> row_rule(const std::string& contract, double eps) {
  using Range = Moderate<T>;
  const std::string prefix = usual_format<T>.prefix;
  enclosures::RowRule rule{enclosures::rule_within, format<T>.precision, format<T>.emin, is_narrow<T>, {}};
  std::optional<NormForm> form;
  if (contract == "correctly_rounded") rule.kind = enclosures::rule_rounded;
  if (contract == "faithful") rule.kind = enclosures::rule_faithful;
  for (const Way& way : has_mean ? layer_ways : rms_ways) {
    if (contract == prefix + way.id || contract == prefix + way.id + "_ftz") form = way.form;
    if (form && contract == prefix + way.id + "_ftz") form->flushes = true;
    if (form) break;
  }
  if (contract == prefix + "any_range") {
    form = NormForm{.variance = has_mean ? Variance::of_deviations : Variance::none, .any_range = true};
  }
  if (!form && rule.kind == enclosures::rule_within) return std::nullopt;
  rule.row = [form, eps](const enclosures::RowFacts& facts) { return row_on_device<T, has_mean>(facts, form, eps); };
  rule.speaks_of = [](double weight, double bias) {
    const double size = std::abs(weight);
    const bool is_weight =
        size == 0 || (size >= std::ldexp(1.0, -Range::weight) && size <= std::ldexp(1.0, Range::weight));
    return is_weight && std::abs(bias) <= std::ldexp(1.0, Range::bias);
  };
  return rule;
}

/// Of rows so short that every bound has its hypotheses, in formats whose places an enclosure in binary64 tells.
template <bool has_mean>
std::optional<enclosures::RowRule> row_rule_in(const std::string& contract, const std::string& format,
                                               std::int64_t columns, double eps) {
  if (columns > static_cast<std::int64_t>(short_row)) return std::nullopt;
  if (format == "f32") return row_rule<float, has_mean>(contract, eps);
  if (format == "f16") return row_rule<binary16, has_mean>(contract, eps);
  if (format == "bf16") return row_rule<bfloat16, has_mean>(contract, eps);
  return std::nullopt;
}

const EntryRuleRegistration rows_of_layer_norm("layer_norm", RowRules{enclosures::layer_norm, row_rule_in<true>});
const EntryRuleRegistration rows_of_rms_norm("rms_norm", RowRules{enclosures::rms_norm, row_rule_in<false>});

// ------------------------------------------------------------------------------------------------- the contracts

/// The contracts of the ways, and `any_range`.
std::vector<Contract> bounds_of(const std::vector<Way>& ways, const TheoremWords& any_range) {
  std::vector<Contract> all;
  for (const Way& way : ways) {
    const std::string flushed = way.id + "_ftz";
    all.push_back({way.id, way.theorem, {}, way.weaker, true, wide_formats()});
    all.back().implies.push_back(flushed);
    all.push_back({flushed, &normalization_flush_1.words, "of the form of " + way.id, {}, true, wide_formats()});
    for (const Way& other : ways) {
      const bool is_weaker = std::ranges::find(way.weaker, other.id) != way.weaker.end();
      if (is_weaker) all.back().implies.push_back(other.id + "_ftz");
    }
    // Welford's limit of rows whose variance may be off by half is larger than that of `finite`.
    const bool is_last = all.back().implies.empty() && way.form.variance != Variance::of_updates;
    if (is_last) all.back().implies.emplace_back("finite");
  }
  all.push_back({"any_range", &any_range, {}, {}, true, wide_formats()});
  return all;
}

const Contract finite{"finite", &normalization_finite_1.words, {}, {}, false};
const Contract exceptional{"exceptional", &normalization_exceptional_1.words, {}, {}, false};

/// In binary32 the difference x − μ of numbers of 16 bits, or xa − μa in its place, and Welford's updates are so exact
/// that a result of 16 bits does not show which it was.
constexpr auto hidden_in_16_bits = {"f32_scale_shift", "f32_scale_shift_ftz", "f32_welford", "f32_one_pass_scale_shift",
                                    "f32_one_pass_scale_shift_ftz"};

const OperationRegistration all[] = {
    OperationRegistration(
        {"layer_norm",
         "(xᵢ − μ)wᵢ/√(v + ε) + bᵢ of each row of a matrix, μ its mean and v = Σ(xⱼ − μ)²/n",
         with_narrow_formats(),
         {{CallForm::plain,
           "void f(size_t rows, size_t columns, T eps, const T* x, const T* weight, const T* bias, T* y)"}},
         with_order_of_rows(leaving_out(
             with_stored({{"correctly_rounded",
                           &contract_correctly_rounded_1.words,
                           {},
                           {"faithful", "wide_two_pass", "two_pass", "any_range"}},
                          {"faithful", &contract_faithful_1.words, {}, {"finite"}},
                          {"wide_two_pass", &normalization_layer_7.words, {}, {"finite"}, true, wide_formats()}},
                         bounds_of(layer_ways, normalization_layer_5.words), {finite, exceptional}),
             hidden_in_16_bits)),
         property_in_any_format<layer_norm_of>}),
    OperationRegistration(
        {"rms_norm",
         "xᵢwᵢ/√(Σxⱼ²/n + ε) of each row of a matrix",
         with_narrow_formats(),
         {{CallForm::plain, "void f(size_t rows, size_t columns, T eps, const T* x, const T* weight, T* y)"}},
         with_order_of_rows(with_stored(
             {{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "any_order", "any_range"}},
              {"faithful", &contract_faithful_1.words, {}, {"any_order", "any_range"}}},
             bounds_of(rms_ways, normalization_rms_2.words),
             {{"stored_twice", &normalization_rms_3.words, {}, {"finite"}, true, {"f16", "bf16"}},
              finite,
              exceptional})),
         property_in_any_format<rms_norm_of>}),
};

}  // namespace
}  // namespace assay::contracts::normalization
