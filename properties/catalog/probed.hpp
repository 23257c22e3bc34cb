#pragma once
// The probe of a property: the bound that its claim allows, and how its cases are drawn on a device.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arith/expansion/distillation.hpp"
#include "arith/words/operands.hpp"
#include "errorbounds/bound.hpp"
#include "errorbounds/dw.hpp"
#include "probes/probe.hpp"
#include "probes/sum/vectors.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/probed.hpp"
#include "properties/framework/vectors.hpp"

namespace assay {

/// A probe's case in the form of the properties: expansions as vectors of their words, short vectors as vectors.
template <class Case>
const Case& property_case(const Case& c) {
  return c;
}
template <class T, int k>
VectorPairCase<T> property_case(const OperandsOf<Expansion<T, k>, Expansion<T, k>>& c) {
  return {{c.x.x, c.x.x + k}, {c.y.x, c.y.x + k}};
}
template <class T, int k>
VectorCase<T> property_case(const OperandOf<Expansion<T, k>>& c) {
  return {{c.x.x, c.x.x + k}};
}
template <class T>
VectorCase<T> property_case(const probes::sum::Vector<T>& c) {
  return {{c.x, c.x + c.n}};
}
template <class T>
VectorPairCase<T> property_case(const probes::sum::VectorPair<T>& c) {
  return {{c.x, c.x + c.n}, {c.y, c.y + c.n}};
}

namespace detail {

/// The climb of a probe; null if it has none, or if the property's cases have another form.
template <class Probe>
decltype(Probed::climb) climb_of(const Probe& probe, double factor) {
  using Case = std::remove_cvref_t<decltype(property_case(std::declval<const typename Probe::Input&>()))>;
  if constexpr (!probes::Climbs<Probe> || !std::is_same_v<Case, typename Probe::Input>) {
    return {};
  } else {
    return [probe, factor](const Executor& on, std::uint64_t seed, std::span<const Record> starts) {
      using Input = typename Probe::Input;
      constexpr std::size_t kept = 32;
      const probes::ClimbSize size =
          on.kind() == Executor::Kind::host ? probes::ClimbSize{4, 64} : probes::ClimbSize{1056, 4096};
      std::vector<Input> inputs;
      for (const Record& each : starts) {
        if (std::optional<Input> input = from_record<Input>(each)) inputs.push_back(*input);
      }
      const auto peaks = probes::climb(on, probe, factor, seed, size, std::span<const Input>(inputs));
      std::vector<double> ratios;
      for (const auto& each : peaks) ratios.push_back(each.ratio);
      Climbed climbed{.evaluations = size.blocks * probes::climb_threads * static_cast<std::uint64_t>(size.steps)};
      for (const std::size_t i : highest_of(ratios, kept)) climbed.highest.push_back(record_of(peaks[i].at));
      return climbed;
    };
  }
}

}  // namespace detail

/// A probe for the claim `claim`, that the error is at most `bound` times its scale. Requires: `classes`: the classes
/// of the probe, in their order.
template <class Probe>
Probed probed(std::string claim, const Probe& probe, const RelativeBound& bound,
              std::vector<Probed::InputClass> classes) {
  const double factor = at_most(bound);
  const auto draw = [probe](std::uint64_t seed, std::size_t input_class, std::uint64_t number) {
    return probes::case_of(probe, seed, static_cast<int>(input_class), number);
  };
  return {.claim = std::move(claim),
          .classes = std::move(classes),
          .cell = probes::cell,
          .judge =
              [probe, factor](const Executor& on, std::uint64_t seed, std::size_t input_class, std::uint64_t first,
                              std::size_t count) {
                std::vector<CellFinding> findings;
                for (const probes::CellResult& each :
                     probes::judge_cells(on, probe, factor, seed, static_cast<int>(input_class), first, count)) {
                  findings.push_back({each.largest, each.number, each.undecided});
                }
                return findings;
              },
          .make = [draw](std::uint64_t seed, std::size_t input_class,
                         std::uint64_t number) { return record_of(property_case(draw(seed, input_class, number))); },
          .ratio =
              [probe, draw, factor](std::uint64_t seed, std::size_t input_class, std::uint64_t number) {
                const auto input = draw(seed, input_class, number);
                return probes::judged(probe, input, probe.run(input), factor).ratio;
              },
          .unproved =
              [probe, factor](const Executor& on, std::uint64_t seed, std::size_t input_class,
                              std::span<const CellFinding> cells) {
                std::vector<probes::CellCount> counts;
                for (const CellFinding& each : cells) counts.push_back({each.number / probes::cell, each.unproved});
                return probes::undecided_in(on, probe, factor, seed, static_cast<int>(input_class), counts);
              },
          .climb = detail::climb_of(probe, factor)};
}

/// A bound for a magnitude of 1, used as the factor of any magnitude.
inline RelativeBound factor_of(const Bound& of_one) { return {of_one.numerator, of_one.denominator}; }

/// c(2 − c) for the bound c of a square root (probes::SquareRoot).
inline RelativeBound of_square(const RelativeBound& c) {
  return {c.numerator * (oracle::Dyadic(2) * c.denominator - c.numerator), c.denominator * c.denominator};
}

/// The probe `probe` of a claim about sums of words, with its range of exponents. Bound: the bound of the probe's
/// scale, which the claim's scale implies. It draws words of the box with exponents from `lowest` on, so that no word
/// is subnormal, and no product of words is below 2⁻⁹⁶⁹.
template <class Probe>
Probed probe_of_words(std::string claim, Probe probe, const RelativeBound& bound, Box box, int lowest,
                      const unsigned (&weights)[Probe::classes]) {
  std::vector<Probed::InputClass> classes;
  for (int k = 0; k < Probe::classes; ++k) classes.push_back({Probe::Classes::names[k], weights[k]});
  constexpr int normal = FloatTraits<typename Probe::Number>::emin;
  probe.range = {std::max({box.low, normal, lowest}), box.high};
  return probed(std::move(claim), probe, bound, std::move(classes));
}

/// The probe of a claim about every case of the lists that the probe enumerates; each class has its share of all cases.
template <class Probe>
Probed probe_of_lists(std::string claim, const RelativeBound& bound = {.numerator = 1}) {
  std::vector<Probed::InputClass> classes;
  for (int k = 0; k < Probe::classes; ++k) classes.push_back({Probe::Classes::names[k], 1, Probe::size(k)});
  return probed(std::move(claim), Probe{}, bound, std::move(classes));
}

/// The probe of the claim `exact`, which integers judge. Every class has the same weight.
template <class Probe>
Probed probe_of_exactness() {
  std::vector<Probed::InputClass> classes;
  for (const char* const name : Probe::Classes::names) classes.push_back({name, 1});
  return probed("exact", Probe{}, {.numerator = 1}, std::move(classes));
}

/// The probe of the claim `error` of an operation on sums of words.
template <class Probe>
Probed probe_of_error(const RelativeBound& bound, Box box, int lowest, const unsigned (&weights)[Probe::classes]) {
  return probe_of_words("error", Probe{}, bound, box, lowest, weights);
}

}  // namespace assay
