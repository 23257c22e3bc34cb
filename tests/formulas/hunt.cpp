#include "tests/formulas/hunt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "errorbounds/screen.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/property.hpp"
#include "tests/formulas/adversary.hpp"
#include "tests/formulas/random_program.hpp"
#include "tests/formulas/small_numbers.hpp"

namespace assay::formulas {
namespace {

constexpr std::size_t all_numbers = std::size_t{1} << 16;
/// Steps without a better program after which another case is drawn.
constexpr std::size_t patience = 400;

/// The neighbor of a number of the format above or below it.
double neighbor(const oracle::Format& format, double x, bool is_above) {
  if (x == 0) return is_above ? number(format, 1) : -number(format, 1);
  const std::uint64_t word = bits_of(format, x);
  return number(format, (x > 0) == is_above ? word + 1 : word - 1);
}

}  // namespace

Hunt::Hunt(const Typed& typed, const Machine& machine, std::uint64_t seed)
    : typed_(typed), machine_(machine), draw_(random_for(seed, typed.formula->name + machine.name, 0)) {}

bool Hunt::is_of_one_number() const {
  const auto& parameters = typed_.formula->parameters;
  const auto is_tensor = [](const Parameter& each) { return !each.axes.empty(); };
  return std::ranges::count_if(parameters, is_tensor) == 1 && typed_.formula->axes.size() == 1;
}

Case Hunt::with_all_numbers() {
  Typed typed = typed_;
  typed.lengths = {static_cast<std::int64_t>(all_numbers)};
  Case c = draw_case(typed, 0, draw_);
  for (std::size_t p = 0; p < c.words.size(); ++p) {
    if (!typed_.formula->parameters[p].axes.empty()) std::iota(c.words[p].begin(), c.words[p].end(), 0U);
  }
  return c;
}

const Formula& Hunt::graph_of(std::uint64_t seed) const {
  const auto& ways = typed_.formula->ways;
  const std::size_t way = machine_.has_ways ? seed % (ways.size() + 1) : 0;
  return way == 0 ? *typed_.formula : ways[way - 1].second;
}

Hunt::Numbers Hunt::result_of(const Case& c, std::uint64_t seed) const {
  const Formula& graph = graph_of(seed);
  const Shaped shaped(graph, c.lengths);
  Inputs inputs;
  std::vector<Numbers> numbers;
  for (std::size_t p = 0; p < c.words.size(); ++p) {
    const bool is_index = graph.parameters[p].index_of.has_value();
    numbers.emplace_back();
    inputs.integers.emplace_back();
    for (const std::uint64_t word : c.words[p]) {
      if (is_index) inputs.integers.back().push_back(static_cast<std::int64_t>(word));
      if (!is_index) numbers.back().push_back(number(typed_.parameters[p], word));
    }
  }
  return RandomProgram(shaped, inputs, numbers, machine_, typed_.parameters, seed).run();
}

double Hunt::error_of(double result, double exact) const {
  const double x = number(typed_.result, bits_of(typed_.result, result));
  if (machine_.wide == typed_.result || x == exact || !std::isfinite(x)) return std::abs(x - exact);
  return std::max(0.0, std::abs(exact - x) - std::abs(neighbor(typed_.result, x, exact > x) - x) / 2);
}

double Hunt::score_of(const Case& c, std::uint64_t seed) const {
  const Numbers result = result_of(c, seed);
  const Truth truth(typed_, c, {machine_});
  double best = -2;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!truth.is_number(i) || !truth.bounds(0)[i].is_finite()) continue;
    const oracle::Magnitude bound = truth.bound(0, i);
    const std::uint64_t got = bits_of(typed_.result, result[i]);
    const double tightness = judge_machine(got, truth.exact()[i], bound, machine_, typed_.result, i).tightness;
    best = std::max(best, tightness);
    if (tightness > 0 || bound.is_zero() || machine_.wide == typed_.result) continue;
    // The distance to the middle of two numbers, in bounds.
    const double exact = near_of(truth.exact()[i]).high;
    const double x = number(typed_.result, bits_of(typed_.result, exact));
    if (!std::isfinite(x) || x == 0) continue;
    const double middle = (x + neighbor(typed_.result, x, exact > x)) / 2;
    best = std::max(best, -std::log2(1 + std::abs(exact - middle) / bound.to_double()) / 1024);
  }
  return best;
}

double Hunt::score_of_adversary(const Case& c) const {
  const Truth truth(typed_, c, {machine_});
  const Inputs inputs = inputs_of(typed_, c);
  const long bits = first_bits(typed_);
  double best = -2;
  for (std::size_t way = 0; way <= (machine_.has_ways ? typed_.formula->ways.size() : 0); ++way) {
    const Formula& graph = graph_of(way);
    const Shaped shaped(graph, c.lengths);
    const Errors errors = forward(shaped, evaluate(shaped, inputs, bits), machine_, typed_.parameters, bits);
    for (std::size_t i = 0; i < truth.exact().size(); ++i) {
      if (!truth.is_number(i) || !truth.bounds(0)[i].is_finite()) continue;
      const auto moved = perturbed(shaped, inputs, errors, i, bits);
      if (!moved || !moved->is_finite()) continue;
      const oracle::Dyadic number = moved->lower();
      const bool is_above = oracle::compare(truth.exact()[i], number) == std::partial_ordering::less;
      const auto direction = machine_.wide != typed_.result ? oracle::Rounding::nearest
                             : is_above                     ? oracle::Rounding::down
                                                            : oracle::Rounding::up;
      const std::uint64_t got = oracle::round(number, typed_.result, direction);
      const Judgement judgement = judge_machine(got, truth.exact()[i], truth.bound(0, i), machine_, typed_.result, i);
      if (judgement.verdict == Verdict::holds) best = std::max(best, judgement.tightness);
    }
  }
  return best;
}

Case Hunt::drawn() {
  Typed typed = typed_;
  for (;;) {
    typed.lengths.clear();
    for (std::size_t a = 0; a < typed_.free_axes().size(); ++a) typed.lengths.push_back(draw_.between(1, 3));
    try {
      return draw_case(typed, draw_.below(typed.classes.size()), draw_);
    } catch (const FormulaError&) {  // the formula has no such shape
    }
  }
}

Case Hunt::changed(Case c) {
  const int changes = draw_.between(1, 2);
  for (int n = 0; n < changes; ++n) {
    const std::size_t p = draw_.below(c.words.size());
    const Parameter& parameter = typed_.formula->parameters[p];
    if (parameter.index_of || parameter.is_one_hot) continue;
    const oracle::Format& format = typed_.parameters[p];
    std::uint64_t& word = c.words[p][draw_.below(c.words[p].size())];
    double x = number(format, word);
    if (!std::isfinite(x) || x == 0) x = 1;
    const double ulp = std::ldexp(1.0, std::ilogb(x) + 1 - format.precision);
    switch (draw_.below(6)) {
      case 0:
        x += ulp * draw_.between(-3, 3);
        break;
      case 1:
        x = std::ldexp(x, draw_.between(-2, 2));
        break;
      case 2:
        x = std::ldexp(1 + std::ldexp(draw_.between(0, 1 << 10), -10), draw_.between(-12, 6));
        break;
      case 3:  // near a power of two
        x = std::copysign(std::ldexp(1.0, std::ilogb(x)), x) + ulp * draw_.between(-4, 4);
        break;
      case 4:
        x = -x;
        break;
      default:  // another bit
        x += std::ldexp(ulp, draw_.between(0, format.precision - 1)) * (draw_.coin() ? 1 : -1);
    }
    const std::uint64_t next = bits_of(format, x);
    if (!oracle::is_finite(format, next)) continue;
    const oracle::Rational of_next = oracle::exact(number(format, next));
    const bool is_outside =
        (parameter.low && of_next < *parameter.low) || (parameter.high && *parameter.high < of_next);
    if (!is_outside) word = next;
  }
  return c;
}

template <class F>
Hunt::Found Hunt::climb(double goal, std::size_t steps, const F& score) {
  Found best;
  std::size_t step = 0;
  const auto is_over = [&] { return step == steps || best.tightness >= goal; };
  const auto take = [&](Found& here, Found next) {
    ++step;
    next.tightness = score(next.c, next.seed);
    const bool is_better = next.tightness > here.tightness;
    if (next.tightness >= here.tightness) here = std::move(next);
    if (here.tightness > best.tightness) best = here;
    return is_better;
  };
  while (!is_over()) {
    Found here{.tightness = -3};
    for (std::size_t n = 0; n < 40 && !is_over(); ++n) take(here, {drawn(), draw_.word()});
    for (std::size_t still = 0; still < patience && !is_over();) {
      const bool is_other_program = draw_.one_in(8);
      const bool is_better = take(here, {is_other_program ? here.c : changed(here.c),  //
                                         is_other_program ? draw_.word() : here.seed});
      still = is_better ? 0 : still + 1;
    }
  }
  return best;
}

Hunt::Numbers Hunt::try_programs(const Case& c, std::size_t programs, double goal) {
  const Truth truth(typed_, c, {machine_});
  const std::size_t all = truth.exact().size();
  Numbers bounds(all);
  Numbers exact(all);
  for (std::size_t i = 0; i < all; ++i) {
    if (!truth.is_number(i) || !truth.bounds(0)[i].is_finite()) continue;
    bounds[i] = truth.bound(0, i).to_double();
    exact[i] = near_of(truth.exact()[i]).high;
  }
  Numbers largest(all);
  for (std::size_t n = 0; n < programs && best_.tightness < goal; ++n) {
    const std::uint64_t seed = draw_.word();
    const Numbers result = result_of(c, seed);
    std::size_t worst = 0;
    double most = -1;
    for (std::size_t i = 0; i < all; ++i) {
      const double tightness = bounds[i] > 0 ? error_of(result[i], exact[i]) / bounds[i] : 0;
      largest[i] = std::max(largest[i], tightness);
      if (tightness <= most) continue;
      most = tightness;
      worst = i;
    }
    if (most <= best_.tightness) continue;
    const double tightness = judge_machine(bits_of(typed_.result, result[worst]), truth.exact()[worst],
                                           truth.bound(0, worst), machine_, typed_.result, worst)
                                 .tightness;
    if (tightness > best_.tightness) best_ = {only(c, {worst}), seed, tightness};
  }
  return largest;
}

Case Hunt::only(const Case& c, const std::vector<std::size_t>& entries) const {
  Case fewer = c;
  fewer.lengths = {static_cast<std::int64_t>(entries.size())};
  for (std::size_t p = 0; p < c.words.size(); ++p) {
    if (typed_.formula->parameters[p].axes.empty()) continue;
    fewer.words[p].clear();
    for (const std::size_t each : entries) fewer.words[p].push_back(c.words[p][each]);
  }
  return fewer;
}

const Hunt::Found& Hunt::by_programs(double goal, std::size_t programs) {
  if (!is_of_one_number()) {
    return best_ = climb(goal, programs, [&](const Case& c, std::uint64_t seed) { return score_of(c, seed); });
  }
  // Of all numbers those at which few programs err most, again and again with more programs.
  Case c = with_all_numbers();
  for (std::size_t count = all_numbers, each = 32; count >= 128 && best_.tightness < goal; count /= 8, each *= 8) {
    const Numbers largest = try_programs(c, each, goal);
    std::vector<std::size_t> entries(count);
    std::iota(entries.begin(), entries.end(), 0U);
    std::ranges::stable_sort(entries, std::greater<>(), [&](std::size_t i) { return largest[i]; });
    entries.resize(count / 8);
    c = only(c, entries);
  }
  return best_;
}

double Hunt::by_adversary(double goal, std::size_t cases) {
  if (!is_of_one_number()) {
    return climb(goal, cases, [&](const Case& c, std::uint64_t) { return score_of_adversary(c); }).tightness;
  }
  const Case c = with_all_numbers();
  const Truth truth(typed_, c, {machine_});
  double largest = 0;
  for (std::size_t i = 0; i < all_numbers && largest < goal; ++i) {
    if (!truth.is_number(i) || !truth.bounds(0)[i].is_finite()) continue;
    const oracle::Magnitude bound = truth.bound(0, i);
    const double exact = near_of(truth.exact()[i]).high;
    for (const double side : {-1.0, 1.0}) {
      const double farthest = number(typed_.result, bits_of(typed_.result, exact + side * bound.to_double()));
      for (const double each : {farthest, neighbor(typed_.result, farthest, side < 0)}) {
        const Judgement judgement =
            judge_machine(bits_of(typed_.result, each), truth.exact()[i], bound, machine_, typed_.result, i);
        if (judgement.verdict == Verdict::holds) largest = std::max(largest, judgement.tightness);
      }
    }
  }
  return largest;
}

}  // namespace assay::formulas
