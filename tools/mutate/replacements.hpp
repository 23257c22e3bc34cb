#pragma once
// Replacements: the tables of the generator.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mutate {

struct Replacement {
  std::string_view name;
  std::string_view becomes;  ///< L and R mean the operands
};

/// The precedence of a binary operator, and its replacements.
struct Operator {
  int binding;
  std::vector<Replacement> replacements;
};
const std::map<std::string_view, Operator>& operators();

/// The assignment operator that replaces another one.
const std::map<std::string_view, std::string_view>& other_assignments();

/// A name that replaces this one: the other direction, the other bound, a faster function. Empty for most names.
std::optional<std::string> other_name(std::string_view name);

/// The rounding directions that replace this one: rn, ru, rd, rz.
std::vector<std::string_view> other_directions(std::string_view direction);

}  // namespace mutate
