#include "properties/formulas/door/attention.hpp"

#include <algorithm>
#include <cmath>

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

std::optional<enclosures::AttentionFloor> attention_floor(const Machine& machine, const oracle::Format& inputs,
                                                          std::int64_t keys) {
  if (machine.wide != oracle::binary32) return std::nullopt;
  const Node weights{.op = Op::softmax, .name = "p"};
  const bool stores = machine.stores(weights);
  const auto is_narrow = [](const oracle::Format& format) { return format.precision <= oracle::binary16.precision; };
  const double n = static_cast<double>(keys), u = 0x1p-24;
  const double extra = 2 + (machine.is_online ? n : 0);
  const double by_order = static_cast<double>(height(machine.order, static_cast<unsigned long>(keys))) + 1 + extra;
  double roundings = by_order + static_cast<double>(machine.quotient);
  if (machine.has_unit && stores && is_narrow(*machine.store) && is_narrow(inputs))
    roundings += std::max(by_order, 2 * n + extra);
  const double of_sum = machine.is_online ? 2 : machine.order == Order::any ? 1 : 0;
  return enclosures::AttentionFloor{roundings * u + (stores ? std::ldexp(1.0, -machine.store->precision) : 0),
                                    of_sum * u};
}

}  // namespace assay::formulas
