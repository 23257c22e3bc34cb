// softmax and log_softmax of the rows of a matrix, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/noted_bounds.hpp"
#include "errorbounds/softmax_theorems.hpp"
#include "oracle/decimal.hpp"
#include "properties/contracts/left_out.hpp"
#include "properties/contracts/order_rows.hpp"
#include "properties/contracts/softmax_conventions.hpp"
#include "properties/contracts/softmax_facts.hpp"
#include "properties/framework/entry_rules.hpp"

namespace assay::contracts::softmax {
namespace {

/// How a result comes from the exponentials and their sum.
enum class Steps { shifted, unshifted, of_sum, of_others };
/// A way to compute a row. Its kernels have a bound for functions within 1 ulp, if there is one, and within 3 ulps, and
/// a bound for those that flush to zero.
struct Way {
  std::string id;
  const TheoremWords* theorem;
  Steps steps;
  Rows rows;
  std::vector<std::string> weaker;  ///< ways whose bounds this one keeps
  bool has_one_ulp = true;
  SoftmaxForm form = {};
  const TheoremWords* flushed = nullptr;  ///< of kernels that flush to zero, if the form has a theorem of its own
};
/// A bound that kernels of a form keep.
struct Rung {
  std::string id;
  const TheoremWords* theorem;
  std::string instance;
  SoftmaxForm form;
  Steps steps;
  Rows rows;
  std::vector<std::string> implies;
};

/// The rungs of the ways: a way implies the weaker ones with the same functions, 1 ulp implies 3, and a kernel that
/// does not flush keeps the bound of those that do.
std::vector<Rung> rungs_of(const std::vector<Way>& ways, const TheoremWords& flushed) {
  const auto id_of = [](const Way& way, int ulps, bool flushes) {
    return way.id + "_" + std::to_string(ulps) + "ulp" + (flushes ? "_ftz" : "");
  };
  std::vector<Rung> all;
  const auto add = [&](const Way& way, int ulps, bool flushes) {
    const TheoremWords* const theorem = !flushes ? way.theorem : way.flushed != nullptr ? way.flushed : &flushed;
    const std::string instance = flushes ? "the form of " + id_of(way, 3, false) : "k = " + std::to_string(ulps);
    Rung rung{id_of(way, ulps, flushes), theorem, instance, way.form, way.steps, way.rows, {}};
    rung.form.ulps = ulps;
    rung.form.flushes = flushes;
    if (ulps == 1) rung.implies.push_back(id_of(way, 3, false));
    for (const Way& other : ways) {
      const bool is_weaker = std::ranges::find(way.weaker, other.id) != way.weaker.end();
      if (is_weaker && (ulps == 3 || other.has_one_ulp)) rung.implies.push_back(id_of(other, ulps, flushes));
    }
    if (ulps == 3 && !flushes) rung.implies.push_back(id_of(way, 3, true));
    all.push_back(std::move(rung));
  };
  for (const Way& way : ways) {
    if (way.has_one_ulp) add(way, 1, false);
    add(way, 3, false);
  }
  for (const Way& way : ways) add(way, 3, true);
  return all;
}

const std::vector<Rung>& rungs(Softmax) {
  static const std::vector<Rung> all = rungs_of(
      {{"shifted", &softmax_shifted_1.words, Steps::shifted, Rows::all, {"unshifted", "shifted_exp2", "of_log_sum"}},
       {"unshifted", &softmax_unshifted_1.words, Steps::unshifted, Rows::moderate, {}},
       {"shifted_exp2", &softmax_exp2_1.words, Steps::shifted, Rows::all, {"scaled_exp2"}, false, {.by_exp2 = true}},
       {"scaled_exp2",
        &softmax_exp2_2.words,
        Steps::shifted,
        Rows::centred,
        {},
        false,
        {.by_exp2 = true, .scales = true}},
       {"of_log_sum", &softmax_log_sum_1.words, Steps::of_sum, Rows::centred, {}, false}},
      softmax_flush_1.words);
  return all;
}

const std::vector<Rung>& rungs(LogSoftmax) {
  static const std::vector<Rung> all = rungs_of(
      {{"log1p", &softmax_log_5.words, Steps::of_others, Rows::all, {"shifted"}, true, {}, &softmax_flush_3.words},
       {"shifted", &softmax_log_1.words, Steps::shifted, Rows::all, {"of_sum", "shifted_exp2"}},
       {"of_sum", &softmax_log_2.words, Steps::of_sum, Rows::all, {"unshifted"}},
       {"unshifted", &softmax_log_3.words, Steps::unshifted, Rows::moderate, {}},
       {"shifted_exp2", &softmax_log_4.words, Steps::shifted, Rows::all, {}, false, {.by_exp2 = true}}},
      softmax_flush_2.words);
  return all;
}

// ------------------------------------------------------------------------------------------------------- claims

/// `below`: Dᵢ of the number.
Bound bound_of(Softmax, const Rung& rung, const SoftmaxRow& row, const RelativeBound& beta, const Dyadic& below,
               const Exact& truth, const oracle::Format& format) {
  if (below > Dyadic(far_below)) return softmax_far_bound(rung.form, beta, format);
  const Dyadic distance = rounded_up(below);
  const Dyadic magnitude = magnitude_of(truth);
  return rung.steps == Steps::of_sum ? softmax_of_log_sum_bound(rung.form, row, beta, distance, magnitude, format)
                                     : softmax_bound(rung.form, row, beta, distance, magnitude, format);
}
Bound bound_of(LogSoftmax, const Rung& rung, const SoftmaxRow& row, const RelativeBound& beta, const Dyadic& below,
               const Exact& /*truth*/, const oracle::Format& format) {
  const auto bound = rung.steps == Steps::of_others ? log_softmax_of_others_bound
                     : rung.steps == Steps::shifted ? log_softmax_bound
                     : rung.steps == Steps::of_sum  ? log_softmax_of_sum_bound
                                                    : log_softmax_unshifted_bound;
  return bound(rung.form, row, beta, rounded_up(below), format);
}

SoftmaxFloor floor_of(Softmax, const Rung& rung, const SoftmaxRow& row, const oracle::Format& format) {
  const auto floor = rung.steps == Steps::of_sum ? softmax_of_log_sum_floor : softmax_floor;
  return floor(rung.form, row, format);
}
SoftmaxFloor floor_of(LogSoftmax, const Rung& rung, const SoftmaxRow& row, const oracle::Format& format) {
  const auto floor = rung.steps == Steps::of_others ? log_softmax_of_others_floor
                     : rung.steps == Steps::shifted ? log_softmax_floor
                     : rung.steps == Steps::of_sum  ? log_softmax_of_sum_floor
                                                    : log_softmax_unshifted_floor;
  return floor(rung.form, row, format);
}

/// At most the bound of a number of the row.
oracle::Magnitude floor_at(Softmax, const SoftmaxFloor& floor, const NumberFacts& number) {
  return number.is_far ? floor.lost : floor.at(number.distance_below, number.magnitude_below);
}
oracle::Magnitude floor_at(LogSoftmax, const SoftmaxFloor& floor, const NumberFacts& number) {
  return floor.at(number.distance_below, 1UL);
}

template <FloatingPoint T>
std::string rows_in_words(Rows rows) {
  if (rows == Rows::all) return "rows without NaN and +∞, and not of −∞ alone; of these alone";
  if (rows == Rows::centred) {
    return "rows whose largest number is at most " + std::to_string(centred) + " in magnitude; of these alone";
  }
  return "rows of finite numbers, each at most " + std::to_string(moderate<T>) + " in magnitude; of these alone";
}

/// |result − truth| ≤ bound for each number of the rows that the rung speaks of, computed in Wide<T>.
template <class Function, FloatingPoint T>
auto error_of_rows(const Rung& rung) {
  static constexpr oracle::Format wide = format<Wide<T>>;
  const auto judge = [rung](const RowsCase<T>& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
    const Facts& facts = facts_of<Function>(c, truth);
    const std::vector<Row>& rows = rows_from(c);
    const auto columns = static_cast<std::size_t>(c.columns);
    const std::vector<oracle::Magnitude>& errors = errors_above<T, Wide<T>, Function>(c, truth, result);
    Judgement worst;
    for (std::size_t r = 0; r < facts.rows.size(); ++r) {
      const RowFacts& row = facts.rows[r];
      if (are_enough(worst.violations())) break;
      if (row.is_special || row.are < rung.rows) continue;
      std::optional<SoftmaxFloor> floor;  // these two are computed when a number needs them
      if (row.row.n > short_row) floor = floor_of(Function{}, rung, row.row, wide);
      std::optional<RelativeBound> beta;
      for (std::size_t at = r * columns; at < (r + 1) * columns; ++at) {
        const NumberFacts& number = facts.numbers[at];
        if (are_enough(worst.violations())) continue;
        if (!number.is_known) {
          // The softmax of −∞ is 0. What log_softmax makes of it is left to `exceptional`.
          if (std::is_same_v<Function, LogSoftmax>) continue;
          const bool is_zero = oracle::is_finite(format<T>, bits_of(result[at])) && value_of(result[at]).is_zero();
          if (!is_zero) worst.worsen(Judgement::fail(at));
          NotedBounds::pass_over(at);  // the contract bounds it
          continue;
        }
        const auto floor_of_number = [&] {
          if (!floor) floor = floor_of(Function{}, rung, row.row, wide);
          return floor_at(Function{}, *floor, number);
        };
        if (stays_worst(worst, errors[at], floor_of_number, at)) continue;
        if (!beta) {
          const auto of_sum = rung.steps == Steps::of_others ? softmax_others_bound : softmax_sum_bound;
          beta = of_sum(rung.form, row.row, wide);
        }
        const Bound bound =
            bound_of(Function{}, rung, row.row, *beta, *rows[r].below[at - r * columns], truth[at], wide);
        worst.worsen(judge_computed<T, Wide<T>>(bits_of(result[at]), truth[at], bound, at));
      }
    }
    worst.judged = result.size();
    return worst;
  };
  const auto is_asked = [rows = rung.rows](const RowsCase<T>& c) {
    std::size_t r = 0;
    return std::ranges::any_of(rows_from(c),
                               [&](const Row& row) { return is_of(row, row_of(c.x, c.columns, r++), rows); });
  };
  return when(rows_in_words<T>(rung.rows), is_asked,
              computed_claim<T, Wide<T>>(rung.id, Theorem<NoBound>{*rung.theorem, {}}, judge, rung.instance));
}

template <FloatingPoint T>
Bound bound_of_row_sum(std::uint64_t n) {
  if constexpr (is_narrow<T>) {
    return softmax_row_sum_2(softmax_row_sum_1(n, format<Wide<T>>), n, format<T>);
  } else {
    return softmax_row_sum_1(n, format<T>);
  }
}

template <FloatingPoint T>
Judgement rows_sum_to_one(const RowsCase<T>& c, const std::vector<T>& result) {
  Judgement worst;
  std::size_t r = 0;
  for (const Row& row : rows_from(c)) {
    const std::span<const T> numbers = row_of(result, c.columns, r);
    const std::size_t at = r++ * static_cast<std::size_t>(c.columns);
    if (row.is_special) continue;
    Dyadic sum;
    const bool is_finite =
        std::ranges::all_of(numbers, [](const T& each) { return oracle::is_finite(format<T>, bits_of(each)); });
    if (!is_finite) return Judgement::fail(at);
    for (const T& each : numbers) sum += value_of(each);
    const Judgement judgement = judge_within(sum, Dyadic(1), bound_of_row_sum<T>(row.n), at);
    if (judgement.verdict == Verdict::violated && judgement.tightness > worst.tightness) {
      take_remark();
      remark("the row adds up to " + oracle::decimal(sum, 17));
    }
    worst.worsen(judgement);
  }
  return worst;
}

/// The claims in the order of the contracts.
template <class Function, FloatingPoint T>
RowsClaims<T> rows_claims(const AnyTheorem auto& exceptional) {
  const auto expected = expected_of<Function, T>;
  RowsClaims<T> claims{
      apart_from_special(expected, rounded_numbers<Function>("correctly_rounded", contract_correctly_rounded_1)),
      apart_from_special(expected, faithful_numbers<Function>("faithful", contract_faithful_1))};
  for (const Rung& each : rungs(Function{})) claims.push_back(error_of_rows<Function, T>(each));
  if constexpr (std::is_same_v<Function, Softmax>) {
    if constexpr (is_narrow<T>) {
      claims.push_back(satisfies("f32_row_sum", softmax_row_sum_2, rows_sum_to_one<T>));
    } else {
      claims.push_back(satisfies("row_sum", softmax_row_sum_1, rows_sum_to_one<T>));
    }
  }
  claims.push_back(special_numbers<RowsCase<T>>("exceptional", exceptional, "some result is no number", expected));
  add_conventions<Function, T>(claims);
  return claims;
}

template <FloatingPoint T>
void call_rows(const ForeignKernel& kernel, const Executor& on, const RowsCase<T>& c, T* y) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  function<void(std::size_t, std::size_t, const T*, T*)>(kernel)(static_cast<std::size_t>(c.rows),
                                                                 static_cast<std::size_t>(c.columns), x.data(), y);
  check_input(x, on, c.x, "x");
}

template <class Function, FloatingPoint T>
ArrayOperation<T, RowsCase<T>, Exact> operation_of(const char* name, RowsClaims<T> claims) {
  return {name,
          softmax_domain<T>(),
          [](const RowsCase<T>& c) { return unwritten<T>(c.x.size()); },
          call_rows<T>,
          exact_rows<Function, T>,
          &RowsCase<T>::x,
          std::move(claims)};
}

constexpr auto softmax_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  auto claims = rows_claims<Softmax, T>(softmax_exceptional_1);
  return property_of<OrderOfExponentials<T>>(operation_of<Softmax>("softmax", std::move(claims)), question, kernel);
};
constexpr auto log_softmax_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  auto claims = rows_claims<LogSoftmax, T>(softmax_exceptional_2);
  return property_of<OrderOfExponentials<T>>(operation_of<LogSoftmax>("log_softmax", std::move(claims)), question,
                                             kernel);
};

// -------------------------------------------------------------------------------------------- judges on a device

/// The floors of a rung for rows of a device, whose sizes are cut to 8 bits so that few are computed: no floor falls
/// where they rise (theorem softmax.enclosure.3).
template <class Function>
class DeviceFloors {
 public:
  DeviceFloors(Rung rung, const oracle::Format& format) : rung_(std::move(rung)), format_(format) {}

  void set(enclosures::Row& row, const enclosures::RowFacts& facts) {
    constexpr bool has_log_sum = std::is_same_v<Function, LogSoftmax>;
    const double log_sum = has_log_sum ? cut(row.scale * (1 - 2 * row.slack)) : 0;
    const Key key{facts.numbers, facts.has_far != 0, log_sum, cut(std::abs(facts.largest)),
                  rung_.steps == Steps::of_others ? cut(facts.second * (1 - 0x1p-50)) : 0};
    const auto [place, is_new] = known_.try_emplace(key);
    std::array<double, 3>& floor = place->second;
    if (is_new) {
      const auto n = static_cast<std::uint64_t>(facts.numbers);
      const SoftmaxRow of{n,
                          Dyadic(),
                          has_log_sum ? oracle::exact(log_sum) : log_of_numbers(n),
                          oracle::exact(std::get<3>(key)),
                          std::get<1>(key),
                          oracle::exact(std::get<4>(key))};
      const SoftmaxFloor computed = floor_of(Function{}, rung_, of, format_);
      floor = {computed.base.to_double(), computed.slope.to_double(), computed.lost.to_double()};
    }
    row.relative = floor[0];
    row.result = floor[1];
    row.alone = floor[2];
  }

 private:
  using Key = std::tuple<enclosures::Integer, bool, double, double, double>;
  /// The largest number of 8 significant bits that is at most x. Requires: x ≥ 0.
  static double cut(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> 45 << 45); }
  Rung rung_;
  oracle::Format format_;
  std::map<Key, std::array<double, 3>> known_;
};

/// What encloses the numbers of a row of a device. Those of other rows than `are` are left open.
template <class Function, FloatingPoint T>
enclosures::Row row_on_device(const enclosures::RowFacts& facts, Rows are, std::int64_t columns) {
  const double scale = std::is_same_v<Function, Softmax>      ? 1 + facts.rest
                       : facts.rest >= enclosures::least_rest ? log_of_sum(facts.rest)
                                                              : std::numeric_limits<double>::quiet_NaN();
  enclosures::Row row = enclosures::row_of_exponentials(facts, scale);
  const bool is_of = are == Rows::all || (are == Rows::centred && std::abs(facts.largest) <= centred) ||
                     (are == Rows::moderate && facts.numbers == columns && facts.size <= moderate<T>);
  if (!is_of) row.is_open = 1;
  return row;
}

template <class Function, FloatingPoint T>
std::optional<enclosures::RowRule> row_rule(const std::string& contract, std::int64_t columns) {
  enclosures::RowRule rule{enclosures::rule_within, format<T>.precision, format<T>.emin, is_narrow<T>, {}};
  if (contract == "correctly_rounded" || contract == "faithful") {
    rule.kind = contract == "faithful" ? enclosures::rule_faithful : enclosures::rule_rounded;
    rule.row = [columns](const enclosures::RowFacts& facts) {
      return row_on_device<Function, T>(facts, Rows::all, columns);
    };
    return rule;
  }
  for (const Rung& each : rungs(Function{})) {
    if (contract != (is_narrow<T> ? stored_id(each.id) : each.id)) continue;
    const auto floors = std::make_shared<DeviceFloors<Function>>(each, format<Wide<T>>);
    rule.row = [floors, rows = each.rows, columns](const enclosures::RowFacts& facts) {
      enclosures::Row row = row_on_device<Function, T>(facts, rows, columns);
      if (row.is_open == 0) floors->set(row, facts);
      return row;
    };
    return rule;
  }
  return std::nullopt;
}

/// Of rows so short that every bound has its hypotheses, in formats whose places an enclosure in binary64 tells.
template <class Function>
std::optional<enclosures::RowRule> row_rule_in(const std::string& contract, const std::string& format,
                                               std::int64_t columns, double /*eps*/) {
  if (columns > static_cast<std::int64_t>(short_row)) return std::nullopt;
  if (format == "f32") return row_rule<Function, float>(contract, columns);
  if (format == "f16") return row_rule<Function, binary16>(contract, columns);
  if (format == "bf16") return row_rule<Function, bfloat16>(contract, columns);
  return std::nullopt;
}

const EntryRuleRegistration rows_of_softmax("softmax", RowRules{enclosures::softmax, row_rule_in<Softmax>});
const EntryRuleRegistration rows_of_log_softmax("log_softmax",
                                                RowRules{enclosures::log_softmax, row_rule_in<LogSoftmax>});

// ------------------------------------------------------------------------------------------------- the contracts

/// The two contracts of rounding, of which the weaker implies some of the others, and the stronger its first.
std::vector<Contract> of_rounding(std::vector<std::string> implied) {
  return {{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", implied.front()}},
          {"faithful", &contract_faithful_1.words, {}, std::move(implied)}};
}

std::vector<Contract> bounds_of(const std::vector<Rung>& all) {
  std::vector<Contract> bounds;
  for (const Rung& each : all) {
    bounds.push_back({each.id, each.theorem, each.instance, each.implies, true, wide_formats()});
  }
  return bounds;
}

/// `exceptional` and the conventions of rows that have no result by arithmetic alone.
std::vector<Contract> with_conventions(const TheoremWords& exceptional, std::vector<Contract> others) {
  others.push_back({"exceptional", &exceptional, {}, {"nan_stays", "masked_nan", "infinity_nan"}, false});
  others.push_back({"nan_stays", &softmax_exceptional_3.words, {}, {}, false});
  for (const auto& [id, theorem, choice] : {std::tuple("masked_nan", &softmax_masked_1.words, "masked"),
                                            std::tuple("masked_zero", &softmax_masked_2.words, "masked"),
                                            std::tuple("masked_uniform", &softmax_masked_3.words, "masked"),
                                            std::tuple("infinity_nan", &softmax_infinity_1.words, "infinity"),
                                            std::tuple("infinity_limit", &softmax_infinity_2.words, "infinity")}) {
    others.push_back({id, theorem, {}, {}, false, {}, choice});
  }
  return others;
}

const std::vector<Signature> of_rows_alone{{CallForm::plain, "void f(size_t rows, size_t columns, const T* x, T* y)"}};

/// Two ulps more of a function of binary32, and what it flushes, are seldom seen in a result of 16 bits: the rungs of
/// narrow numbers are those of one ulp, and those whose forms lose more than such ulps.
constexpr auto hidden_in_16_bits = {"f32_shifted_3ulp",       "f32_unshifted_3ulp",        "f32_shifted_exp2_3ulp",
                                    "f32_unshifted_3ulp_ftz", "f32_shifted_exp2_3ulp_ftz", "f32_scaled_exp2_3ulp_ftz",
                                    "f32_of_log_sum_3ulp_ftz"};
/// The logarithm of a sum of at least 1 forgets what is flushed in the sum, and a difference of numbers of which one is
/// subnormal is added to that logarithm, unless the row has one number. A power of 2 with a rounded argument errs more
/// the smaller it is, and so the less of the sum. The others are hidden in 16 bits, as those of softmax.
constexpr auto hidden_in_logarithms = {"f32_log1p_3ulp",         "shifted_exp2_3ulp",        "shifted_3ulp_ftz",
                                       "of_sum_3ulp_ftz",        "unshifted_3ulp_ftz",       "shifted_exp2_3ulp_ftz",
                                       "f32_shifted_3ulp",       "f32_of_sum_3ulp",          "f32_unshifted_3ulp",
                                       "f32_shifted_exp2_3ulp",  "f32_shifted_3ulp_ftz",     "f32_of_sum_3ulp_ftz",
                                       "f32_unshifted_3ulp_ftz", "f32_shifted_exp2_3ulp_ftz"};

const OperationRegistration softmax(
    {"softmax", "exp(xᵢ)/Σ exp(xⱼ) of each row of a row-major matrix", with_narrow_formats(), of_rows_alone,
     with_order_of_rows(leaving_out(
         with_stored(of_rounding({"shifted_1ulp", "row_sum", "f32_row_sum"}), bounds_of(rungs(Softmax{})),
                     with_conventions(softmax_exceptional_1.words,
                                      {{"row_sum", &softmax_row_sum_1.words, {}, {}, false, wide_formats()},
                                       {"f32_row_sum", &softmax_row_sum_2.words, {}, {}, false, {"f16", "bf16"}}})),
         hidden_in_16_bits)),
     property_in_any_format<softmax_of>});

const OperationRegistration log_softmax(
    {"log_softmax", "xᵢ − ln Σ exp(xⱼ) of each row of a row-major matrix", with_narrow_formats(), of_rows_alone,
     with_order_of_rows(leaving_out(with_stored(of_rounding({"log1p_1ulp"}), bounds_of(rungs(LogSoftmax{})),
                                                with_conventions(softmax_exceptional_2.words, {})),
                                    hidden_in_logarithms)),
     property_in_any_format<log_softmax_of>});

}  // namespace
}  // namespace assay::contracts::softmax
