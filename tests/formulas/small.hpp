#pragma once
// A formula of a few nodes with its inputs, for tests.

#include <memory>
#include <string>
#include <vector>

#include "oracle/ball_functions.hpp"
#include "oracle/decode.hpp"
#include "properties/formulas/errors.hpp"

namespace assay::formulas {

/// The formula "f(parameters) -> out\n  out = expression" of "parameters = expression", or the text itself where it has
/// several lines.
struct Small {
  Formula formula;
  Inputs inputs;
  Shaped shaped;
  Balls values;
  std::vector<oracle::Format> formats;

  static Formula parsed(const std::string& text) {
    const std::size_t equals = text.find(" = ");
    if (text.find('\n') != std::string::npos) return parse(text, "t");
    return parse("f(" + text.substr(0, equals) + ") -> out\n  out = " + text.substr(equals + 3) + "\n", "t");
  }
  static Inputs inputs_of(const Formula& formula, const std::vector<std::vector<double>>& numbers) {
    Inputs inputs;
    for (const auto& of_parameter : numbers) {
      std::vector<oracle::Dyadic>& exact = inputs.numbers.emplace_back();
      std::vector<std::int64_t>& integers = inputs.integers.emplace_back();
      const bool is_index = formula.parameters[inputs.numbers.size() - 1].index_of.has_value();
      for (const double each : of_parameter) {
        if (is_index) integers.push_back(static_cast<std::int64_t>(each));
        if (!is_index) exact.push_back(oracle::exact(each));
      }
    }
    return inputs;
  }
  Small(const std::string& text, std::vector<std::int64_t> lengths, const std::vector<std::vector<double>>& numbers,
        const oracle::Format& format = oracle::binary32)
      : formula(parsed(text)),
        inputs(inputs_of(formula, numbers)),
        shaped(formula, lengths, inputs.integers),
        values(evaluate(shaped, inputs, 192)),
        formats(formula.parameters.size(), format) {}
  Errors errors(const Machine& machine) const { return forward(shaped, values, machine, formats, 192); }
  /// E of an entry of the result.
  double bound(const Machine& machine, std::size_t entry = 0) const {
    return errors(machine).total[formula.result][entry].to_double();
  }
  double by_mean(const Machine& machine, std::size_t entry = 0) const {
    return mean(shaped, inputs, values, errors(machine), entry).to_double();
  }
};

}  // namespace assay::formulas
