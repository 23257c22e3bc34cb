#pragma once
// What stands in for what: the tables of the generator.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mutate {

struct Replacement {
  std::string_view name;
  std::string_view becomes;  ///< L and R stand for the operands
};

/// How a binary operator binds, and what it becomes.
struct Operator {
  int binding;
  std::vector<Replacement> replacements;
};
const std::map<std::string_view, Operator>& operators();

/// The operator of an assignment that stands for another one.
const std::map<std::string_view, std::string_view>& other_assignments();

/// A name that stands for this one: the other direction, the other bound, a faster function. Nothing for most names.
std::optional<std::string> other_name(std::string_view name);

/// The rounding directions that stand for this one: rn, ru, rd, rz.
std::vector<std::string_view> other_directions(std::string_view direction);

}  // namespace mutate
