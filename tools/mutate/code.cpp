#include "tools/mutate/code.hpp"

#include <algorithm>
#include <array>

namespace mutate {
namespace {

template <std::size_t n>
bool is_one_of(std::string_view text, const std::array<std::string_view, n>& all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

bool checks_arguments(std::string_view function) {
  return function.starts_with("require_") || function.starts_with("check_");
}

class Marker {
 public:
  explicit Marker(const std::vector<Token>& tokens) : tokens_(tokens) {
    code_.runs.resize(tokens.size());
    code_.braces.resize(tokens.size());
  }

  Code mark() {
    declarations(0, tokens_.size());
    return std::move(code_);
  }

 private:
  using Brace = Code::Brace;
  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  bool is_open(std::size_t i) const {
    return text(i) == "(" || text(i) == "[" || text(i) == "{" || (text(i) == "<" && tokens_[i].angle);
  }
  std::size_t behind(std::size_t i) const { return tokens_[i].partner + 1; }

  /// The tokens of a namespace or a class.
  void declarations(std::size_t i, std::size_t end) {
    std::size_t head = i;
    while (i < end) {
      if (text(i) == ";") {
        head = ++i;
      } else if (text(i) == ":" &&
                 (text(i - 1) == "public" || text(i - 1) == "private" || text(i - 1) == "protected")) {
        head = ++i;
      } else if (text(i) == "{") {
        const std::size_t partner = tokens_[i].partner;
        switch (kind_of(head, i)) {
          case Scope::declarations:
            declarations(i + 1, partner);
            head = partner + 1;
            break;
          case Scope::function:
            function(head, i);
            head = partner + 1;
            break;
          case Scope::nothing:
            break;
        }
        i = partner + 1;
      } else {
        i = is_open(i) ? behind(i) : i + 1;
      }
    }
  }

  enum class Scope { declarations, function, nothing };

  /// The kind of the brace after the tokens head … brace − 1 of a declaration.
  Scope kind_of(std::size_t head, std::size_t brace) const {
    bool has_parameters = false;
    bool is_class = false;
    bool has_list = false;
    for (std::size_t i = head; i < brace; i = is_open(i) ? behind(i) : i + 1) {
      if (text(i) == "namespace" || text(i) == "extern") return Scope::declarations;
      if (text(i) == "enum" || text(i) == "concept") return Scope::nothing;
      if (text(i) == "=" && text(i - 1) != "operator") return Scope::nothing;
      if (text(i) == "requires" && i + 1 == brace) return Scope::nothing;
      is_class = is_class || text(i) == "struct" || text(i) == "class" || text(i) == "union";
      has_parameters = has_parameters || (text(i) == "(" && text(i - 1) != "requires");
      has_list = has_list || (text(i) == ":" && has_parameters);
    }
    if (!has_parameters) return is_class ? Scope::declarations : Scope::nothing;
    const bool of_member = has_list && tokens_[brace - 1].kind == Token::Kind::word;
    return of_member ? Scope::nothing : Scope::function;
  }

  void function(std::size_t head, std::size_t brace) {
    bool has_parameters = false;
    for (std::size_t i = head; i < brace; i = is_open(i) ? behind(i) : i + 1) {
      if (checks_arguments(text(i))) return;
      has_parameters = has_parameters || text(i) == "(";
      if (text(i) != ":" || !has_parameters) continue;
      run(i + 1, brace);
      break;
    }
    code_.braces[brace] = code_.braces[tokens_[brace].partner] = Brace::block;
    run(brace + 1, tokens_[brace].partner);
  }

  void run(std::size_t begin, std::size_t end) {
    std::fill(code_.runs.begin() + static_cast<std::ptrdiff_t>(begin),
              code_.runs.begin() + static_cast<std::ptrdiff_t>(end), true);
    for (std::size_t i = begin; i < end; ++i) {
      if (text(i) == "{" && code_.runs[i]) mark_brace(i);
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (code_.runs[i]) take_out(i);
    }
  }

  void mark_brace(std::size_t i) {
    const Brace kind = is_block(i) ? Brace::block : Brace::value;
    code_.braces[i] = code_.braces[tokens_[i].partner] = kind;
  }

  bool is_block(std::size_t i) const {
    static constexpr std::array<std::string_view, 9> before = {")", "else",    "do",       "try",  ";",
                                                               ":", "mutable", "noexcept", "const"};
    if (is_one_of(text(i - 1), before)) return true;
    if (text(i - 1) == "{" || text(i - 1) == "}") return code_.braces[i - 1] == Brace::block;
    if (text(i - 1) == "]") {  // a lambda without parameters, not an array
      const std::size_t opening = tokens_[i - 1].partner;
      return tokens_[opening - 1].kind != Token::Kind::word && text(opening - 1) != "]";
    }
    std::size_t type = i - 1;  // of a lambda with a trailing return type
    while (tokens_[type].kind == Token::Kind::word || text(type) == "::" || text(type) == "&" || text(type) == "*" ||
           tokens_[type].angle) {
      type = text(type) == ">" ? tokens_[type].partner - 1 : type - 1;
    }
    return text(type) == "->" && text(type - 1) == ")";
  }

  void never(std::size_t begin, std::size_t end) {
    std::fill(code_.runs.begin() + static_cast<std::ptrdiff_t>(begin),
              code_.runs.begin() + static_cast<std::ptrdiff_t>(end), false);
  }

  /// The end of the statement that token i belongs to: after its semicolon, or at the bracket that encloses it.
  std::size_t statement_end(std::size_t i) const {
    while (i < tokens_.size() && text(i) != ";" && text(i) != ")" && text(i) != "}") {
      i = is_open(i) ? behind(i) : i + 1;
    }
    return i;
  }

  /// If token i begins something that does not run, excludes that.
  void take_out(std::size_t i) {
    static constexpr std::array<std::string_view, 5> calls = {"static_assert", "decltype", "sizeof", "noexcept",
                                                              "alignof"};
    static constexpr std::array<std::string_view, 5> statements = {"constexpr", "using", "typedef", "static",
                                                                   "template"};
    const std::string_view word = text(i);
    if (tokens_[i].angle && word == "<") {
      never(i, behind(i));
    } else if (checks_arguments(word)) {
      never(i, statement_end(i));
    } else if (word == "if" && text(i + 1) == "(") {
      const std::size_t body = behind(i + 1);
      if (text(body) == "throw" || (text(body) == "{" && text(body + 1) == "throw")) never(i, body);
    } else if (is_one_of(word, calls) || (word.starts_with("ASSAY_") && text(i + 1) == "(")) {
      if (text(i + 1) == "(") never(i, behind(i + 1));
    } else if (word == "constexpr" && text(i - 1) == "if") {
      never(i, behind(i + 1));
    } else if (word == "requires") {
      std::size_t end = i + 1;
      while (text(end) == "(" || text(end) == "{") end = behind(end);
      never(i, end);
    } else if (word == "case") {
      while (text(i) != ":") never(i, i + 1), ++i;
    } else if (word == "struct" || word == "enum") {
      const std::size_t end = statement_end(i);
      for (std::size_t k = i; k < end; ++k) {
        if (text(k) != "{") continue;
        never(i, end);
        if (word == "struct") declarations(k + 1, tokens_[k].partner);
        break;
      }
    } else if (word == "throw" || (is_one_of(word, statements) && text(i - 1) != ")")) {
      if (word == "template" && (text(i - 1) == "." || text(i - 1) == "->" || text(i - 1) == "::")) return;
      never(i, statement_end(i));
    } else if (word == "[" && is_bound_or_capture(i)) {
      never(i, behind(i));
    }
  }

  /// Whether the bracket belongs to a declared array, a lambda, a structured binding or an attribute.
  bool is_bound_or_capture(std::size_t i) const {
    static constexpr std::array<std::string_view, 4> no_types = {"return", "else", "do", "throw"};
    const Token& before = tokens_[i - 1];
    if (before.text == ")") {
      const std::size_t inside = before.partner + 1;
      return text(inside) == "&" || text(inside) == "*";  // a reference to an array
    }
    if (before.text == "]") return !code_.runs[i - 1];
    if (before.angle) return false;
    if (before.kind != Token::Kind::word || is_one_of(before.text, no_types)) return true;
    const Token& type = tokens_[i - 2];
    const bool is_type = (type.kind == Token::Kind::word && !is_one_of(type.text, no_types)) || type.angle;
    return is_type && before.blank_before;
  }

  const std::vector<Token>& tokens_;
  Code code_;
};

}  // namespace

Code code_of(const std::vector<Token>& tokens) { return Marker(tokens).mark(); }

}  // namespace mutate
