#include "properties/formulas/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "properties/formulas/graph.hpp"

namespace assay::formulas {

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end_of_line) return "the end of the line";
  if (token.kind == Token::Kind::end) return "the end of the file";
  return "\"" + token.text + "\"";
}

void refuse(const std::string& source, std::size_t line, std::size_t column, const std::string& what) {
  throw FormulaError(source + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what);
}

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::vector<Token> tokens_of(const std::string& text, const std::string& source) {
  std::vector<Token> tokens;
  std::size_t line = 1;
  std::size_t begin = 0;
  int depth = 0;
  bool at_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t column = at - begin + 1;
    const auto add = [&](Token::Kind kind, std::size_t length) {
      tokens.push_back({kind, text.substr(at, length), line, column, at_start});
      at_start = false;
      at += length;
    };
    if (c == '\n') {
      if (depth == 0 && !at_start) tokens.push_back({Token::Kind::end_of_line, "\n", line, column});
      at_start = at_start || depth == 0;
      ++line;
      begin = ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (c == '#' && (at + 1 == text.size() || !is_letter(text[at + 1]))) {
      at = std::min(text.find('\n', at), text.size());
    } else if (is_letter(c)) {
      std::size_t length = 1;
      while (at + length < text.size() && (is_letter(text[at + length]) || is_digit(text[at + length]))) ++length;
      add(Token::Kind::name, length);
    } else if (is_digit(c)) {
      std::size_t end = at;
      const auto digits = [&] {
        while (end < text.size() && is_digit(text[end])) ++end;
      };
      digits();
      if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) ++end, digits();
      if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 2 : 1;
        if (end + sign < text.size() && is_digit(text[end + sign])) end += sign, digits();
      }
      add(Token::Kind::number, end - at);
    } else if (c == '"') {
      const std::size_t end = text.find('"', at + 1);
      if (end == std::string::npos || text.find('\n', at) < end) refuse(source, line, column, "a text without its end");
      add(Token::Kind::text, end + 1 - at);
    } else {
      constexpr std::array<std::string_view, 3> pairs{"->", "<=", "=="};
      const std::string_view two = std::string_view(text).substr(at, 2);
      const bool is_pair = std::ranges::find(pairs, two) != pairs.end();
      if (!is_pair && std::string_view("()[],:=+-*/@^.<#;|").find(c) == std::string_view::npos) {
        refuse(source, line, column, std::string("a character that no formula has: \"") + c + "\"");
      }
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      add(Token::Kind::symbol, is_pair ? 2 : 1);
    }
  }
  tokens.push_back({Token::Kind::end_of_line, "\n", line, text.size() - begin + 1});
  // The end is the beginning of a line, also where the last line has no end of its own.
  const bool is_ended = text.empty() || text.back() == '\n';
  tokens.push_back({Token::Kind::end, "", is_ended ? line : line + 1, 1, true});
  return tokens;
}

}  // namespace assay::formulas
