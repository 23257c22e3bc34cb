// Draws programs from the freedoms of the machine models of the shipped formulas, and judges their results: none may be
// refused by the machine that it was drawn from.
//
// random_programs [--programs N] [--formulas a,b] [--formats f32,bf16] [--seed N] [--more-ulps N] [--small] [--ftz]
//                 [--unclaimed] [--overflow] [--verbose]
//
// With --more-ulps the functions of the programs err by so many ulps more than the machine admits. With --small numbers
// of the inputs, or their products, lie beside and below the normal range. With --ftz programs flush to zero, too, half
// of those for f32 in a format whose smallest normal number exceeds its unit roundoff; they are judged by machines that
// admit it, with --unclaimed by machines that do not. With --overflow programs for f32 compute in a format of few
// exponents, which numbers of the inputs come near to, so that many of their numbers overflow. --verbose prints a line
// for each machine of each formula and format, with the largest error/bound.

#include <cstring>
#include <iostream>
#include <map>
#include <sstream>

#include "properties/formulas/door/library.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/property.hpp"
#include "tests/formulas/random_program.hpp"
#include "tests/formulas/small_numbers.hpp"

namespace assay::formulas {
namespace {

struct Options {
  std::size_t programs = 2000;
  std::vector<std::string> formulas = {};
  std::vector<std::string> formats = {"f32", "bf16", "f16", "f64"};
  std::uint64_t seed = 1;
  unsigned long more_ulps = 0;
  bool has_small = false;
  bool flushes = false;
  bool is_unclaimed = false;
  bool overflows = false;
  bool is_verbose = false;
};

struct Counts {
  std::size_t programs = 0;
  std::size_t refused = 0;
  std::size_t entries = 0;
  std::size_t by_mean = 0;      ///< entries judged by formula.mean.1, too
  std::size_t overflowing = 0;  ///< entries judged by formula.overflow.1
  std::size_t infinite = 0;     ///< infinities and NaN among them
  std::size_t silent = 0;       ///< entries of which nothing is said
  double largest = 0;           ///< error/bound
};

/// A formula with inputs of a format.
class Subject {
 public:
  Subject(const std::string& name, const std::string& format)
      : format_(format),
        typed_(typed(std::make_shared<const Formula>(formula_named(name)), format)),
        machines_(ladder(*typed_.formula, typed_.parameters.front())) {}

  std::size_t machines() const { return machines_.size(); }
  const std::string& machine(std::size_t place) const { return machines_[place].name; }
  /// Draws and judges program number n of a machine.
  void judge(std::size_t place, const Options& options, std::size_t n, Counts& counts) const;

 private:
  std::string format_;
  Typed typed_;
  std::vector<Machine> machines_;
};

void Subject::judge(std::size_t place, const Options& options, std::size_t n, Counts& counts) const {
  std::vector<Machine> machines = machines_;
  Draw draw(random_for(options.seed, typed_.formula->name + format_ + machines[place].name, n));
  if (options.flushes && !options.is_unclaimed) {
    machines = {machines_[place]};
    machines.front().flushes = true;
    if (format_ == "f32" && draw.coin()) machines.front().wide = {draw.between(8, 12), -draw.between(3, 10), 15};
    place = 0;
  }
  if (options.overflows && format_ == "f32") {
    machines = {machines_[place]};
    const int precision = draw.between(8, 12);
    const int emax = precision + draw.between(2, 6);
    machines.front().wide = {precision, 1 - emax, emax};
    place = 0;
  }
  const Machine& machine = machines[place];
  Case c = draw_case(typed_, draw.below(typed_.classes.size()), draw);
  for (std::size_t p = 0; options.overflows && p < c.words.size(); ++p) {
    const Parameter& parameter = typed_.formula->parameters[p];
    const bool is_toy = typed_.parameters[p].precision > machine.wide.precision;
    if (parameter.index_of || !is_toy) continue;
    make_large(typed_.parameters[p], machine.wide, c.words[p], draw, parameter.low.has_value());
  }
  for (std::size_t p = 0; options.has_small && p < c.words.size(); ++p) {
    const Parameter& parameter = typed_.formula->parameters[p];
    if (parameter.index_of) continue;
    const bool is_toy = typed_.parameters[p].precision > machine.wide.precision;
    const oracle::Format& least = is_toy ? machine.wide : typed_.parameters[p];
    if (!parameter.low) make_small(typed_.parameters[p], least, c.words[p], draw);
    for (std::uint64_t& word : c.words[p]) {
      if (is_toy)
        word = bits_of(typed_.parameters[p], number(least, bits_of(least, number(typed_.parameters[p], word))));
    }
  }
  const Formula* graph = typed_.formula.get();
  if (machine.has_ways && draw.coin()) graph = &graph->ways[draw.below(graph->ways.size())].second;
  Inputs inputs;
  std::vector<std::vector<double>> numbers;
  for (std::size_t p = 0; p < c.words.size(); ++p) {
    const bool is_index = graph->parameters[p].index_of.has_value();
    numbers.emplace_back();
    inputs.integers.emplace_back();
    for (const std::uint64_t word : c.words[p]) {
      if (is_index) inputs.integers.back().push_back(static_cast<std::int64_t>(word));
      if (!is_index) numbers.back().push_back(number(typed_.parameters[p], word));
    }
  }
  const Shaped shaped(*graph, c.lengths, inputs.integers);
  Machine of_program = machine;
  of_program.functions += options.more_ulps;
  of_program.flushes = options.flushes;
  RandomProgram program(shaped, inputs, numbers, of_program, typed_.parameters, draw.word());
  const std::vector<double> result = program.run();

  const Truth truth(typed_, c, machines);
  std::vector<std::pair<double, std::size_t>> suspects;
  Judgement worst;
  const auto judge_entry = [&](std::size_t i, const oracle::Magnitude& bound) {
    const Judgement judgement =
        judge_machine(bits_of(typed_.result, result[i]), truth.exact()[i], bound, machine, typed_.result, i);
    worst.worsen(judgement);
    return judgement.tightness;
  };
  for (std::size_t i = 0; i < result.size(); ++i) {
    const bool has_bound = truth.is_number(i) && truth.bounds(place)[i].is_finite();
    const bool may_overflow = !has_bound && truth.is_number(i) && truth.is_said(place, i);
    ++(has_bound ? counts.entries : may_overflow ? counts.overflowing : counts.silent);
    if (has_bound) suspects.emplace_back(judge_entry(i, truth.bounds(place)[i]), i);
    if (!may_overflow) continue;
    const std::uint64_t got = bits_of(typed_.result, result[i]);
    if (!oracle::is_finite(typed_.result, got)) ++counts.infinite;
    worst.worsen(judge_outcome(got, truth.exact()[i], truth.outcomes(place)[i], machine, typed_.result, i));
  }
  std::ranges::sort(suspects, std::greater<>());
  for (std::size_t s = 0; s < std::min<std::size_t>(suspects.size(), 3); ++s) {
    judge_entry(suspects[s].second, truth.bound(place, suspects[s].second));
    ++counts.by_mean;
  }
  ++counts.programs;
  counts.largest = std::max(counts.largest, worst.tightness);
  if (worst.verdict != Verdict::violated) return;
  ++counts.refused;
  const std::size_t i = worst.component;
  std::cout << "refused: " << typed_.formula->name << " " << format_ << ", machine " << machine.name << ", number " << n
            << ", lengths";
  for (const std::int64_t each : c.lengths) std::cout << " " << each;
  std::cout << "\n  entry " << i << " is " << result[i] << ", exact " << assay::describe(truth.exact()[i]) << ", bound "
            << truth.bounds(place)[i].to_double() << ", by MEAN " << truth.bound(place, i).to_double()
            << ", error/bound " << worst.tightness << "\n"
            << program.choices() << "\n";
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

/// None for other arguments.
std::optional<Options> options_of(int count, char** arguments) {
  Options options;
  for (const ShippedFormula& each : shipped_formulas) options.formulas.emplace_back(each.name);
  for (int a = 1; a < count; ++a) {
    const std::string name = arguments[a];
    if (name == "--verbose" || name == "--small" || name == "--ftz" || name == "--unclaimed" || name == "--overflow") {
      options.is_verbose = options.is_verbose || name == "--verbose";
      options.has_small = options.has_small || (name != "--verbose" && name != "--overflow");
      options.overflows = options.overflows || name == "--overflow";
      options.flushes = options.flushes || name == "--ftz" || name == "--unclaimed";
      options.is_unclaimed = options.is_unclaimed || name == "--unclaimed";
      continue;
    }
    if (a + 1 == count) return std::nullopt;
    const std::string value = arguments[++a];
    if (name == "--formulas") {
      options.formulas = parts_of(value);
    } else if (name == "--formats") {
      options.formats = parts_of(value);
    } else if (value.find_first_not_of("0123456789") != std::string::npos || value.size() > 9) {
      return std::nullopt;
    } else if (name == "--programs") {
      options.programs = std::stoul(value);
    } else if (name == "--seed") {
      options.seed = std::stoul(value);
    } else if (name == "--more-ulps") {
      options.more_ulps = std::stoul(value);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int run(const Options& options) {
  std::vector<Subject> subjects;
  std::vector<std::string> names;
  std::vector<std::pair<std::size_t, std::size_t>> rungs;  // subject, machine
  for (const std::string& formula : options.formulas) {
    for (const std::string& format : options.formats) {
      subjects.emplace_back(formula, format);
      names.push_back(formula + " " + format);
      for (std::size_t m = 0; m < subjects.back().machines(); ++m) rungs.emplace_back(subjects.size() - 1, m);
    }
  }
  std::map<std::string, Counts> all;
  Counts total;
  for (std::size_t n = 0; n < options.programs; ++n) {
    // Steps through all rungs in an order that visits all formulas early.
    const std::size_t at = n * 7919 % rungs.size();
    const auto [subject, machine] = rungs[at];
    subjects[subject].judge(machine, options, n, all[names[subject] + " " + subjects[subject].machine(machine)]);
  }
  for (const auto& [name, counts] : all) {
    if (options.is_verbose) {
      std::cout << name << ": " << counts.programs << " programs, " << counts.entries << " entries, "
                << counts.overflowing << " by formula.overflow.1, " << counts.silent
                << " without a bound, largest error/bound " << counts.largest << "\n";
    }
    total.programs += counts.programs;
    total.refused += counts.refused;
    total.entries += counts.entries;
    total.by_mean += counts.by_mean;
    total.overflowing += counts.overflowing;
    total.infinite += counts.infinite;
    total.silent += counts.silent;
    total.largest = std::max(total.largest, counts.largest);
  }
  std::cout << total.programs << " programs of " << rungs.size() << " rungs of " << options.formulas.size()
            << " formulas: " << total.refused << " refused; " << total.entries << " entries judged, " << total.by_mean
            << " by formula.mean.1 too, " << total.overflowing << " by formula.overflow.1 (" << total.infinite
            << " infinite or NaN), " << total.silent << " without a bound; largest error/bound " << total.largest
            << "\n";
  return total.refused == 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::formulas

int main(int count, char** arguments) {
  const auto options = assay::formulas::options_of(count, arguments);
  if (!options) {
    std::cerr << "random_programs: accepted are --programs N, --formulas a,b, --formats f32,bf16,f16,f64, --seed N, "
                 "--more-ulps N, --small, --ftz, --unclaimed, --overflow and --verbose\n";
    return 2;
  }
  try {
    return assay::formulas::run(*options);
  } catch (const assay::formulas::FormulaError& error) {
    std::cerr << "random_programs: " << error.what() << "\n";
    return 2;
  }
}
