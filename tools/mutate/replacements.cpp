#include "tools/mutate/replacements.hpp"

namespace mutate {

const std::map<std::string_view, Operator>& operators() {
  static const std::map<std::string_view, Operator> all = {
      {"*", {10, {{"factor dropped", "L"}, {"factor dropped", "R"}, {"+ for *", "L + R"}}}},
      {"/", {10, {{"operands swapped", "R / L"}, {"* for /", "L * R"}, {"divisor dropped", "L"}}}},
      {"%", {10, {{"operands swapped", "R % L"}, {"/ for %", "L / R"}, {"remainder dropped", "L"}}}},
      {"+", {9, {{"- for +", "L - R"}, {"term dropped", "L"}, {"term dropped", "R"}}}},
      {"-", {9, {{"+ for -", "L + R"}, {"term dropped", "L"}, {"operands swapped", "R - L"}}}},
      {"<<", {8, {{">> for <<", "L >> R"}, {"shift dropped", "L"}}}},
      {">>", {8, {{"<< for >>", "L << R"}, {"shift dropped", "L"}}}},
      {"<", {6, {{"<= for <", "L <= R"}, {">= for <", "L >= R"}, {"operands swapped", "R < L"}}}},
      {"<=", {6, {{"< for <=", "L < R"}, {"> for <=", "L > R"}, {"operands swapped", "R <= L"}}}},
      {">", {6, {{">= for >", "L >= R"}, {"<= for >", "L <= R"}, {"operands swapped", "R > L"}}}},
      {">=", {6, {{"> for >=", "L > R"}, {"< for >=", "L < R"}, {"operands swapped", "R >= L"}}}},
      {"==", {5, {{"!= for ==", "L != R"}}}},
      {"!=", {5, {{"== for !=", "L == R"}}}},
      {"&", {4, {{"| for &", "L | R"}, {"mask dropped", "L"}}}},
      {"^", {3, {{"| for ^", "L | R"}, {"operand dropped", "L"}}}},
      {"|", {2, {{"& for |", "L & R"}, {"operand dropped", "L"}}}},
      {"&&", {1, {{"|| for &&", "L || R"}, {"condition dropped", "L"}, {"condition dropped", "R"}}}},
      {"||", {0, {{"&& for ||", "L && R"}, {"condition dropped", "L"}, {"condition dropped", "R"}}}},
  };
  return all;
}

namespace {

const std::map<std::string_view, std::string_view>& other_names() {
  static const std::map<std::string_view, std::string_view> all = {
      {"next_up", "next_down"},
      {"next_down", "next_up"},
      {"ceil", "floor"},
      {"floor", "ceil"},
      {"min", "max"},
      {"max", "min"},
      {"lower", "upper"},
      {"upper", "lower"},
      {"lower_sum", "upper_sum"},
      {"upper_sum", "lower_sum"},
      {"two_sum", "fast_two_sum"},
      {"scale_up", "scale_down"},
      {"scale_down", "scale_up"},
      {"reciprocal_rd", "reciprocal_ru"},
      {"reciprocal_ru", "reciprocal_rd"},
  };
  return all;
}

}  // namespace

std::optional<std::string> other_name(std::string_view name) {
  const auto found = other_names().find(name);
  if (found != other_names().end()) return std::string(found->second);
  for (const auto& [suffix, other] : {std::pair("_ru", "_rd"), std::pair("_rd", "_ru"), std::pair("_rz", "_rd")}) {
    if (name.ends_with(suffix)) return std::string(name.substr(0, name.size() - 3)) + other;
  }
  return std::nullopt;
}

std::vector<std::string_view> other_directions(std::string_view direction) {
  if (direction == "ru") return {"rd", "rn"};
  if (direction == "rd") return {"ru", "rn"};
  if (direction == "rz") return {"rd", "rn"};
  if (direction == "rn") return {"rz"};
  return {};
}

const std::map<std::string_view, std::string_view>& other_assignments() {
  static const std::map<std::string_view, std::string_view> all = {
      {"+=", "-="}, {"-=", "+="}, {"*=", "+="},   {"/=", "*="},   {"%=", "/="},
      {"&=", "|="}, {"|=", "&="}, {"<<=", ">>="}, {">>=", "<<="}, {"^=", "|="}};
  return all;
}

}  // namespace mutate
