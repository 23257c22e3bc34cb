#include "properties/formulas/door/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "properties/formulas/door/operation.hpp"
#include "properties/formulas/forward.hpp"

namespace assay::formulas {

namespace {
constexpr std::string_view causal = "m <= n + #m - #n";
}  // namespace

std::optional<bool> is_causal_attention(const Formula& formula) {
  for (const char* const name : {"attention", "attention_full", "attention_grouped", "attention_decode"}) {
    if (formula.text == formula_named(name).text) return formula.text.find(causal) != std::string::npos;
  }
  return std::nullopt;
}

std::string attention_of_query(const Formula& formula, std::int64_t seen) {
  std::string text = formula.text;
  if (const std::size_t at = text.find(causal); at != std::string::npos) {
    text.replace(at, causal.size(), "m < " + std::to_string(seen));
  }
  return text;
}

namespace {

constexpr double u = 0x1p-24;

bool stores(const Machine& machine, const char* definition) {
  return machine.stores(Node{.op = Op::softmax, .name = definition});
}
/// u of the format in which a definition is stored; 0 where it is not.
double unit_of(const Machine& machine, const char* definition) {
  return stores(machine, definition) ? std::ldexp(1.0, -machine.store->precision) : 0;
}
/// Likewise its smallest subnormal number.
double eta_of(const Machine& machine, const char* definition) {
  return stores(machine, definition) ? std::ldexp(1.0, machine.store->emin - machine.store->precision + 1) : 0;
}
/// Whether a matrix unit may multiply a definition and numbers of the inputs.
bool has_unit(const Machine& machine, const char* definition, const oracle::Format& inputs) {
  const auto is_narrow = [](const oracle::Format& format) { return format.precision <= oracle::binary16.precision; };
  return machine.has_unit && stores(machine, definition) && is_narrow(*machine.store) && is_narrow(inputs);
}
/// r + r' + q of attention.enclosure.2 for a sum of so many terms.
double roundings_of_weights(const Machine& machine, const oracle::Format& inputs, std::int64_t terms) {
  const auto n = static_cast<double>(terms);
  const double extra = 2 + (machine.is_online ? n : 0);
  const double by_order = static_cast<double>(height(machine.order, static_cast<unsigned long>(terms))) + 1 + extra;
  const double by_unit = has_unit(machine, "p", inputs) ? std::max(by_order, 2 * n + extra) : 0;
  return by_order + by_unit + static_cast<double>(machine.quotient);
}

}  // namespace

std::optional<enclosures::AttentionFloor> attention_floor(const Machine& machine, const oracle::Format& inputs,
                                                          std::int64_t keys) {
  if (machine.wide != oracle::binary32) return std::nullopt;
  const double of_sum = machine.is_online ? 2 : machine.order == Order::any ? 1 : 0;
  return enclosures::AttentionFloor{roundings_of_weights(machine, inputs, keys) * u + unit_of(machine, "p"),
                                    of_sum * u};
}

std::optional<enclosures::Gradient> gradient_of_attention(const Formula& formula) {
  constexpr std::array<std::pair<const char*, enclosures::Gradient>, 3> all{
      {{"attention_backward_q", enclosures::of_queries},
       {"attention_backward_k", enclosures::of_keys},
       {"attention_backward_v", enclosures::of_values}}};
  for (const auto& [name, gradient] : all) {
    if (formula.text == formula_named(name).text) return gradient;
  }
  return std::nullopt;
}

std::optional<enclosures::GradientFloor> gradient_floor(const Machine& machine, enclosures::Gradient gradient,
                                                        const oracle::Format& inputs, std::int64_t queries,
                                                        std::int64_t keys, std::int64_t columns) {
  if (machine.wide != oracle::binary32) return std::nullopt;
  const std::int64_t terms = gradient == enclosures::of_queries ? keys : queries;
  enclosures::GradientFloor floor{};
  floor.of_logits = unit_of(machine, "s");
  if (gradient == enclosures::of_values) {
    floor.of_magnitude = roundings_of_weights(machine, inputs, terms) * u + unit_of(machine, "p");
    floor.of_term = eta_of(machine, "p");
    return floor;
  }
  constexpr double of_sum = 5;  // a product, and the four roundings of a factor
  const double by_unit = has_unit(machine, "ds", inputs) ? 2 * static_cast<double>(terms) + 4 : 0;
  floor.of_magnitude = (std::max(of_sum, by_unit) + 1) * u + unit_of(machine, "p") + unit_of(machine, "ds");
  floor.of_term = eta_of(machine, "ds");
  if (gradient == enclosures::of_keys) {
    const double extra = 3 + (machine.is_online ? static_cast<double>(keys) : 0);
    floor.of_outputs = (static_cast<double>(height(machine.order, static_cast<unsigned long>(keys))) + extra) * u +
                       unit_of(machine, "o");
  }
  floor.of_stored = unit_of(machine, "dp");
  floor.stored_bits = machine.store ? machine.store->precision : 0;
  floor.height = static_cast<double>(height(machine.order, static_cast<unsigned long>(columns)));
  return floor;
}

enclosures::GradientCeiling gradient_ceiling(const Machine& machine) {
  if (!machine.store) return {};
  const long precision = machine.store->precision;
  return {std::ldexp(1.0, static_cast<int>(-precision)),
          std::ldexp(1.0, static_cast<int>(machine.store->emin - precision + 1))};
}

}  // namespace assay::formulas
