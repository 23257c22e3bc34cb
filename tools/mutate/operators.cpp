#include "tools/mutate/operators.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "tools/mutate/code.hpp"
#include "tools/mutate/replacements.hpp"

namespace mutate {
namespace {

template <std::size_t n>
bool is_one_of(std::string_view text, const std::array<std::string_view, n>& all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

constexpr std::array<std::string_view, 10> assignments = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=", ">>="};
constexpr std::array<std::string_view, 9> before_operand = {"return", "throw",  "else",      "do",   "case",
                                                            "new",    "delete", "co_return", "const"};
constexpr std::array<std::string_view, 7> heads = {"if", "for", "while", "switch", "constexpr", "catch", "return"};
constexpr std::array<std::string_view, 24> no_statements = {
    "if",      "for",   "while",    "switch", "do",          "else",     "return", "case",
    "default", "const", "auto",     "using",  "static",      "struct",   "class",  "enum",
    "typedef", "throw", "template", "try",    "static_cast", "typename", "goto",   "static_assert"};

/// Whether the function gives the same result for its first two arguments swapped, decided by its name: exact sums and
/// products, and questions about both arguments alike. tests/arith/argument_order_test.cpp shows it for those that are
/// not exact.
bool takes_any_order(std::string_view name) {
  static constexpr std::array<std::string_view, 18> names = {
      "two_sum",      "two_prod",          "dekker_prod",         "masked_prod", "equal", "min",       "max",
      "wide_product", "high_product",      "seen_product",        "either_nan",  "fma",   "three_sum", "three_sum2",
      "two_word_sum", "product_of_halves", "sorted_fast_two_sum", "overflows"};
  return is_one_of(name, names) || name.find("add") != name.npos || name.find("mul") != name.npos;
}

class Finder {
 public:
  explicit Finder(const std::vector<Token>& tokens) : tokens_(tokens), code_(code_of(tokens)) {}

  std::vector<Mistake> find() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      if (!code_.runs[i]) {
        find_direction_in_angles(i);
        continue;
      }
      if (starts_statement(i)) find_in_statement(i);
      if (tokens_[i].kind == Token::Kind::number) find_in_number(i);
      if (tokens_[i].kind == Token::Kind::word) find_in_word(i);
      if (tokens_[i].kind == Token::Kind::punctuation) find_in_mark(i);
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Mistake& a, const Mistake& b) {
      return a.first != b.first ? a.first < b.first : a.last > b.last;
    });
    return std::move(found_);
  }

 private:
  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  bool is_open(std::size_t i) const { return tokens_[i].partner != Token::none && tokens_[i].partner > i; }
  bool is_close(std::size_t i) const { return tokens_[i].partner != Token::none && tokens_[i].partner < i; }
  std::size_t behind(std::size_t i) const { return tokens_[i].partner + 1; }

  void add(std::size_t first, std::size_t last, std::string_view operation, std::string becomes,
           bool statement = false) {
    for (std::size_t i = first; i < last; ++i) {
      if (i != first && tokens_[i].directive_before) return;
    }
    std::string was = flat(tokens_, first, last);
    if (was == becomes) return;
    found_.push_back({first, last, statement, std::string(operation), std::move(was), std::move(becomes)});
  }

  /// The tokens with token k replaced.
  std::string with(std::size_t first, std::size_t last, std::size_t k, std::string_view other) const {
    std::string all = flat(tokens_, first, k);
    if (k != first && tokens_[k].blank_before) all += ' ';
    all += other;
    if (k + 1 < last && tokens_[k + 1].blank_before) all += ' ';
    return all + flat(tokens_, k + 1, last);
  }

  /// An operand, in parentheses where it has several tokens.
  std::string operand(std::size_t first, std::size_t last) const {
    return last - first == 1 ? flat(tokens_, first, last) : "(" + flat(tokens_, first, last) + ")";
  }

  bool ends_operand(std::size_t i) const {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::word) return !is_one_of(token.text, before_operand);
    return token.kind != Token::Kind::punctuation || (is_close(i) && code_.braces[i] != Code::Brace::block);
  }

  /// The precedence of the binary operator at token i; −1 if there is none.
  int binding(std::size_t i) const {
    const Token& token = tokens_[i];
    if (token.kind != Token::Kind::punctuation || token.angle || !token.blank_before) return -1;
    if (i + 1 >= tokens_.size() || !tokens_[i + 1].blank_before || !ends_operand(i - 1)) return -1;
    const auto found = operators().find(token.text);
    return found == operators().end() ? -1 : found->second.binding;
  }

  /// Whether no operand extends across the token.
  bool is_boundary(std::size_t i) const {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::word) return is_one_of(token.text, before_operand) && token.text != "const";
    if (token.kind != Token::Kind::punctuation) return false;
    return token.text == "," || token.text == ";" || token.text == "?" || token.text == ":" || token.text == "^=" ||
           is_one_of(token.text, assignments);
  }

  /// Whether the parenthesis closes the head of a statement: if (…).
  bool closes_head(std::size_t i) const {
    if (text(i) != ")") return false;
    const std::size_t open = tokens_[i].partner;
    return open > 0 && is_one_of(text(open - 1), heads);
  }

  /// The first token of the left operand of the operator at token i.
  std::size_t left_of(std::size_t i, int bound) const {
    std::size_t k = i;
    while (k > 0) {
      const std::size_t before = k - 1;
      if (is_open(before) || is_boundary(before) || closes_head(before)) break;
      if (is_close(before)) {
        if (code_.braces[before] == Code::Brace::block) break;
        k = tokens_[before].partner;
        continue;
      }
      const int other = binding(before);
      if (other >= 0 && other < bound) break;
      k = before;
    }
    return k;
  }

  /// The token after the last token of the right operand.
  std::size_t right_of(std::size_t i, int bound) const {
    std::size_t k = i + 1;
    while (k < tokens_.size() && !is_close(k) && !is_boundary(k)) {
      if (is_open(k)) {
        k = behind(k);
        continue;
      }
      const int other = binding(k);
      if (other >= 0 && other <= bound) break;
      ++k;
    }
    return k;
  }

  /// The first token of the expression that is called, indexed or accessed, if its last token is i.
  std::size_t chain_begin(std::size_t i) const {
    std::size_t k = i + 1;
    while (k > 0) {
      const std::size_t last = k - 1;
      if (is_close(last)) {
        k = tokens_[last].partner;
        if (text(last) == ">" && !tokens_[last].angle) return k;
        // a parenthesis with nothing callable before it begins the chain
        if (k == 0 || !(joins(k - 1) || (ends_operand(k - 1) && !closes_head(k - 1) && !tokens_[k].blank_before)))
          return k;
        continue;
      }
      if (tokens_[last].kind != Token::Kind::word && tokens_[last].kind != Token::Kind::number) return k;
      k = last;
      if (k == 0 || !joins(k - 1)) return k;
      while (k > 0 && joins(k - 1)) --k;
    }
    return k;
  }
  bool joins(std::size_t i) const {
    return text(i) == "::" || text(i) == "." || (text(i) == "->" && !tokens_[i].blank_before) ||
           (text(i) == "template" && i > 0 && text(i - 1) == ".");
  }

  bool starts_statement(std::size_t i) const {
    const std::string_view before = text(i - 1);
    if (before == ";" || before == "else" || before == "do" || closes_head(i - 1)) return before != ";" || !in_head(i);
    if (before == "{" || before == "}") return code_.braces[i - 1] == Code::Brace::block;
    if (before == ":") return follows_label(i);
    return before == ")" && i >= 4 && text(i - 4) == "ASSAY_UNROLL";
  }
  /// Whether the colon before token i ends a label.
  bool follows_label(std::size_t i) const {
    if (text(i - 2) == "default") return true;
    for (std::size_t k = i - 2; k > 0 && !code_.runs[k]; --k) {
      if (text(k) == "case") return true;
    }
    return false;
  }
  /// Whether token i is in the head of a for or an if.
  bool in_head(std::size_t i) const {
    std::size_t k = i;
    while (k > 0) {
      --k;
      if (is_close(k)) {
        k = tokens_[k].partner;
      } else if (is_open(k)) {
        return text(k) == "(";
      }
    }
    return false;
  }

  void find_in_statement(std::size_t i) {
    if (text(i) == "break" || text(i) == "continue" || (text(i) == "return" && text(i + 1) == ";")) {
      if (text(i + 1) == ";") add(i, i + 2, "statement dropped", "", true);
      return;
    }
    const bool step = text(i) == "++" || text(i) == "--";
    const bool name = tokens_[i].kind == Token::Kind::word && !is_one_of(text(i), no_statements);
    if (!step && !name && text(i) != "*") return;
    std::size_t called = i;
    while (text(called + 1) == "::") called += 2;
    if (text(called).starts_with("require_") || text(called).starts_with("check_")) return;  // of arguments
    if (text(called) == "wait") return;  // for a device: on the host, where mutants run, it does nothing
    std::size_t assigned = Token::none;
    std::size_t end = i;
    for (; end < tokens_.size() && text(end) != ";"; end = is_open(end) ? behind(end) : end + 1) {
      if (is_close(end)) return;
      if (assigned != Token::none) continue;
      if (is_one_of(text(end), assignments) || text(end) == "^=") assigned = end;
      const Token& token = tokens_[end];
      const bool declares = end > i && token.kind == Token::Kind::word && token.blank_before &&
                            (tokens_[end - 1].kind == Token::Kind::word || tokens_[end - 1].angle);
      const bool refers =
          end > i && (token.text == "&" || token.text == "*" || token.text == "&&") && !token.blank_before;
      if (declares || refers) return;
    }
    if (end >= tokens_.size() || end == i + 1) return;
    if (text(i + 1) == "." && text(i + 2) == "compare") return;  // an array's test that its contents are unchanged
    const std::size_t last = end + 1;
    const bool phase = begins_phase(i) && text(end - 1) == ")";
    add(i, last, phase ? "phase dropped" : "statement dropped", "", true);
    if (phase) find_barrier(i, end);
    if (step) add(i, last, "step reversed", with(i, last, i, text(i) == "++" ? "--" : "++"), true);
    if (assigned != Token::none) {
      const auto other = other_assignments().find(text(assigned));
      if (other != other_assignments().end()) {
        add(i, last, std::string(other->second) + " for " + std::string(other->first),
            with(i, last, assigned, other->second), true);
      }
    }
  }

  /// Whether token i begins a phase of all threads or of one: block.for_each_thread(…) or block.for_one_thread(…).
  bool begins_phase(std::size_t i) const {
    return text(i + 1) == "." && (text(i + 2) == "for_each_thread" || is_of_one_thread(i)) && text(i + 3) == "(";
  }
  bool is_of_one_thread(std::size_t i) const { return text(i + 2) == "for_one_thread"; }

  /// Two phases, one directly after the other, become one. Between two of one thread a barrier does nothing.
  void find_barrier(std::size_t i, std::size_t end) {
    const std::size_t next = end + 1;
    if (text(next) != text(i) || !begins_phase(next) || (is_of_one_thread(i) && is_of_one_thread(next))) return;
    const std::size_t close = tokens_[next + 3].partner;
    if (text(close + 1) != ";") return;
    const auto part = [&](std::size_t phase, std::size_t last) {
      const std::string body = "(" + flat(tokens_, phase + 4, last) + ")";
      return is_of_one_thread(phase) ? "if (assay_thread == 0) " + body + "(assay_shared);"
                                     : body + "(assay_thread, assay_shared);";
    };
    add(i, close + 2, "barrier removed",
        std::string(text(i)) + ".for_each_thread([&](int assay_thread, auto& assay_shared) { " + part(i, end - 1) +
            " " + part(next, close) + " });",
        true);
  }

  void find_in_number(std::size_t i) {
    std::string_view digits = tokens_[i].text;
    std::size_t first = i;
    std::size_t last = i + 1;
    std::string before;
    std::string after;
    if (text(i - 1) == "{" && text(i + 1) == "}" && i >= 2) {  // T{1}: in braces only a constant is narrowed
      if (tokens_[i - 2].kind != Token::Kind::word && !tokens_[i - 2].angle) return;
      first = chain_begin(i - 2);
      last = i + 2;
      before = flat(tokens_, first, i);
      after = "}";
    }
    const auto replace = [&](std::string_view operation, const std::string& becomes) {
      add(first, last, operation, before + becomes + after);
    };
    const bool hexadecimal = digits.starts_with("0x");
    if (digits == "0.0") return;
    if (digits.find('.') != digits.npos || (hexadecimal && digits.find('p') != digits.npos)) {
      replace("constant doubled", "2 * " + std::string(digits));
      replace("constant halved", std::string(digits) + " / 2");
      return;
    }
    std::string plain(digits);
    plain.erase(std::remove(plain.begin(), plain.end(), '\''), plain.end());
    const std::size_t suffix = plain.find_first_of("uUlLzZ");
    const std::string unit = suffix == plain.npos ? "" : plain.substr(suffix);
    plain.resize(suffix == plain.npos ? plain.size() : suffix);
    std::uint64_t value = 0;
    const char* const begin = plain.data() + (hexadecimal ? 2 : 0);
    const auto read = std::from_chars(begin, plain.data() + plain.size(), value, hexadecimal ? 16 : 10);
    if (read.ec != std::errc() || read.ptr != plain.data() + plain.size() || value == ~std::uint64_t{0}) return;
    replace("constant + 1", std::to_string(value + 1) + unit);
    if (value != 0) replace("constant - 1", std::to_string(value - 1) + unit);
  }

  /// The tokens of a call whose name, without arguments of a template, ends at token i; last is 0 if there is none.
  std::pair<std::size_t, std::size_t> call_of(std::size_t i) const {
    std::size_t open = i + 1;
    if (open < tokens_.size() && tokens_[open].angle && is_open(open)) open = behind(open);
    if (text(open) != "(" || tokens_[open].blank_before) return {0, 0};
    const std::size_t first = chain_begin(i);
    if (first == 0 || !code_.runs[first]) return {0, 0};
    // T name(…) declares.
    const Token& before = tokens_[first - 1];
    const bool declares = (before.kind == Token::Kind::word && !is_one_of(before.text, before_operand)) ||
                          before.angle || ((before.text == "&" || before.text == "*") && !before.blank_before);
    return declares ? std::pair<std::size_t, std::size_t>{0, 0} : std::pair{first, behind(open)};
  }

  void find_in_word(std::size_t i) {
    if (i >= 2 && text(i - 1) == "::" && text(i - 2) == "Rounding") {
      const std::size_t first = chain_begin(i);
      for (const std::string_view other : other_directions(text(i))) {
        add(first, i + 1, "direction " + std::string(other) + " for " + std::string(text(i)),
            with(first, i + 1, i, other));
      }
      return;
    }
    const auto [first, last] = call_of(i);
    const std::optional<std::string> other = other_name(text(i));
    const std::string operation = other ? *other + " for " + std::string(text(i)) : std::string();
    if (last != 0) {
      if (other) add(first, last, operation, with(first, last, i, *other));
      find_in_call(i, first, last);
    } else if (other && text(i - 1) == "." && !is_one_of(text(i + 1), assignments) && text(i + 1) != "(") {
      const std::size_t begin = chain_begin(i);
      add(begin, i + 1, operation, with(begin, i + 1, i, *other));
    }
  }

  void find_in_call(std::size_t name, std::size_t first, std::size_t last) {
    if (is_one_of(text(name), heads) || text(name).starts_with("ASSAY_") || text(name).ends_with("_cast")) return;
    const std::size_t open = tokens_[last - 1].partner;
    std::vector<std::size_t> commas;
    for (std::size_t i = open + 1; i + 1 < last; i = is_open(i) ? behind(i) : i + 1) {
      if (text(i) == ",") commas.push_back(i);
    }
    if (text(name) == "abs" && commas.empty()) add(first, last, "abs dropped", operand(open + 1, last - 1));
    if (text(name) == "fma" && commas.size() == 2) {
      add(first, last, "not fused",
          operand(open + 1, commas[0]) + " * " + operand(commas[0] + 1, commas[1]) + " + " +
              operand(commas[1] + 1, last - 1));
      return;
    }
    if (commas.empty() || takes_any_order(text(name))) return;
    const std::size_t second_end = commas.size() > 1 ? commas[1] : last - 1;
    const std::string rest = commas.size() > 1 ? flat(tokens_, commas[1], last) : ")";
    for (const std::size_t each : {open + 1, commas[0] + 1}) {
      if (text(each) == "[" || tokens_[each].kind == Token::Kind::literal) return;  // types that cannot be swapped
    }
    add(first, last, "arguments swapped",
        flat(tokens_, first, open + 1) + flat(tokens_, commas[0] + 1, second_end) + ", " +
            flat(tokens_, open + 1, commas[0]) + rest);
  }

  /// A direction as an argument of a template: f<Rounding::ru>(…).
  void find_direction_in_angles(std::size_t i) {
    if (i < 3 || text(i - 1) != "::" || text(i - 2) != "Rounding" || other_directions(text(i)).empty()) return;
    std::size_t open = i;
    while (open > 0 && !(tokens_[open].angle && is_open(open))) --open;
    if (open == 0 || tokens_[open].partner < i || tokens_[open - 1].kind != Token::Kind::word) return;
    const auto [first, last] = call_of(open - 1);
    if (last == 0) return;
    for (const std::string_view other : other_directions(text(i))) {
      add(first, last, "direction " + std::string(other) + " for " + std::string(text(i)), with(first, last, i, other));
    }
  }

  void find_in_mark(std::size_t i) {
    const std::string_view mark = text(i);
    if (const int bound = binding(i); bound >= 0) {
      find_in_operator(i, bound);
    } else if (mark == "?") {
      const std::size_t first = left_of(i, -1);
      add(first, i, "condition negated", "!(" + flat(tokens_, first, i) + ")");
    } else if (mark == "(" && text(i - 1) == "if") {
      find_in_condition(i);
    } else if ((mark == "-" || mark == "!" || mark == "~") && !ends_operand(i - 1) && !tokens_[i + 1].blank_before) {
      const std::size_t last = right_of(i, 11);
      add(i, last, mark == "-" ? "sign dropped" : "negation dropped", flat(tokens_, i + 1, last));
    } else if (mark == "[" && ends_operand(i - 1) && behind(i) > i + 2 && !tokens_[i].blank_before) {
      const std::size_t first = i + 1;
      const std::size_t last = tokens_[i].partner;
      if (tokens_[first].kind == Token::Kind::number && last == first + 1) return;  // a constant ± 1
      add(first, last, "index + 1", operand(first, last) + " + 1");
      add(first, last, "index - 1", operand(first, last) + " - 1");
    }
  }

  void find_in_operator(std::size_t i, int bound) {
    const std::size_t first = left_of(i, bound);
    const std::size_t last = right_of(i, bound);
    if (first == i || last == i + 1) return;
    for (std::size_t k = first; k < last; ++k) {
      if (tokens_[k].kind == Token::Kind::literal) return;  // of strings
    }
    for (const Replacement& each : operators().at(text(i)).replacements) {
      std::string becomes;
      for (const char c : each.becomes) {
        if (c == 'L') {
          becomes += operand(first, i);
        } else if (c == 'R') {
          becomes += operand(i + 1, last);
        } else {
          becomes += c;
        }
      }
      add(first, last, each.name, std::move(becomes));
    }
  }

  void find_in_condition(std::size_t open) {
    const std::size_t close = tokens_[open].partner;
    std::size_t first = open + 1;
    for (std::size_t i = first; i < close; i = is_open(i) ? behind(i) : i + 1) {
      if (text(i) == ";") first = i + 1;
    }
    for (std::size_t i = first; i < close; i = is_open(i) ? behind(i) : i + 1) {
      if (text(i) == "=") return;  // a declaration
    }
    add(first, close, "condition negated", "!(" + flat(tokens_, first, close) + ")");
  }

  const std::vector<Token>& tokens_;
  Code code_;
  std::vector<Mistake> found_;
};

}  // namespace

std::vector<Mistake> mistakes_of(const std::vector<Token>& tokens) { return Finder(tokens).find(); }

}  // namespace mutate
