#include "tools/mutate/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace mutate {
namespace {

constexpr std::array<std::string_view, 24> long_marks = {"<<=", ">>=", "<=>", "...", "->*", "::", "->", "++",
                                                         "--",  "<<",  ">>",  "<=",  ">=",  "==", "!=", "&&",
                                                         "||",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|="};

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Reads a source from its beginning to its end.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  std::vector<Token> read() {
    while (skip_blanks()) {
      const char c = source_[at_];
      if (c == '#') {
        read_directive();
      } else if (is_word_character(c)) {
        read_word();
      } else if (c == '"' || c == '\'') {
        add(Token::Kind::literal, quoted(at_));
      } else {
        read_mark();
      }
    }
    if (!open_.empty()) fail("a bracket stays open");
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("line " + std::to_string(place_of(source_, at_).line) + ": " + what);
  }

  /// False at the end.
  bool skip_blanks() {
    while (at_ < source_.size()) {
      if (std::isspace(static_cast<unsigned char>(source_[at_])) != 0) {
        ++at_;
      } else if (source_.substr(at_, 2) == "//") {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else if (source_.substr(at_, 2) == "/*") {
        at_ = source_.find("*/", at_) + 2;
      } else {
        return true;
      }
      blank_ = true;
    }
    return false;
  }

  /// A directive up to its end. The part of an #if that only nvcc compiles is skipped with it.
  void read_directive() {
    directive_ = true;
    const std::string_view line = directive_line();
    if (line.starts_with("#if")) {
      const bool names_device = line.find("__CUDACC__") != line.npos || line.find("__CUDA_ARCH__") != line.npos;
      const bool negated = line.find('!') != line.npos || line.starts_with("#ifndef");
      conditions_.push_back(!names_device ? Part::any : negated ? Part::host : Part::device);
    } else if (line.starts_with("#else") && !conditions_.empty()) {
      Part& part = conditions_.back();
      part = part == Part::host ? Part::device : part == Part::device ? Part::host : part;
    } else if (line.starts_with("#endif") && !conditions_.empty()) {
      conditions_.pop_back();
    }
    if (std::find(conditions_.begin(), conditions_.end(), Part::device) != conditions_.end()) skip_to_directive();
  }

  std::string_view directive_line() {
    const std::size_t begin = at_;
    do {
      at_ = std::min(source_.find('\n', at_ + 1), source_.size());
    } while (at_ < source_.size() && source_[at_ - 1] == '\\');
    return source_.substr(begin, at_ - begin);
  }

  void skip_to_directive() {
    while (at_ < source_.size()) {
      const std::size_t line = std::min(source_.find_first_not_of(" \t\n", at_), source_.size());
      if (line < source_.size() && source_[line] == '#') return;
      at_ = std::min(source_.find('\n', line), source_.size());
    }
  }

  void read_word() {
    const bool is_number = std::isdigit(static_cast<unsigned char>(source_[at_])) != 0;
    std::size_t end = at_;
    while (end < source_.size()) {
      const char c = source_[end];
      const bool sign = (c == '+' || c == '-') &&
                        std::string_view("eEpP").find(source_[end - 1]) != std::string_view::npos &&
                        (source_[end - 1] == 'p' || source_[end - 1] == 'P' || source_.substr(at_, 2) != "0x");
      const bool in_number = is_number && (c == '.' || c == '\'' || sign);
      if (!is_word_character(c) && !in_number) break;
      ++end;
    }
    if (!is_number && end < source_.size() && source_[end] == '"') {
      add(Token::Kind::literal, quoted(end));
    } else {
      add(is_number ? Token::Kind::number : Token::Kind::word, end);
    }
  }

  /// The end of the literal whose quote is at `begin`.
  std::size_t quoted(std::size_t begin) const {
    if (begin > at_ && source_[begin - 1] == 'R') {
      const std::size_t bracket = source_.find('(', begin);
      const std::string end = ")" + std::string(source_.substr(begin + 1, bracket - begin - 1)) + "\"";
      return source_.find(end, bracket) + end.size();
    }
    std::size_t end = begin + 1;
    while (end < source_.size() && source_[end] != source_[begin]) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) fail("a literal has no end");
    return end + 1;
  }

  void read_mark() {
    const std::string_view rest = source_.substr(at_);
    const bool in_angles = !open_.empty() && tokens_[open_.back()].text == "<";
    std::size_t length = 1;
    if (!(in_angles && rest[0] == '>')) {
      for (const std::string_view mark : long_marks) {
        if (rest.starts_with(mark)) {
          length = mark.size();
          break;
        }
      }
    }
    add(Token::Kind::punctuation, at_ + length);
    match(tokens_.size() - 1);
  }

  void match(std::size_t i) {
    Token& token = tokens_[i];
    if (token.text == "<") {
      token.angle = opens_angle(i);
      if (!token.angle) return;
    }
    if (token.text == "(" || token.text == "[" || token.text == "{" || token.text == "<") {
      open_.push_back(i);
      return;
    }
    if (token.text != ")" && token.text != "]" && token.text != "}" && token.text != ">") return;
    if (token.text == ">" && (open_.empty() || tokens_[open_.back()].text != "<")) return;
    if (open_.empty()) fail("a bracket closes nothing");
    Token& opening = tokens_[open_.back()];
    const std::string both = std::string(opening.text) + std::string(token.text);
    if (both != "()" && both != "[]" && both != "{}" && both != "<>") fail("brackets do not match: " + both);
    token.angle = token.text == ">";
    token.partner = open_.back();
    opening.partner = i;
    open_.pop_back();
  }

  bool opens_angle(std::size_t i) const {
    if (i == 0) return false;
    const Token& before = tokens_[i - 1];
    if (before.text == "operator") return false;
    if (before.text == "template") return true;
    return !tokens_[i].blank_before && (before.kind == Token::Kind::word || before.text == "]");
  }

  void add(Token::Kind kind, std::size_t end) {
    Token token;
    token.kind = kind;
    token.text = source_.substr(at_, end - at_);
    token.at = at_;
    token.blank_before = blank_;
    token.directive_before = directive_;
    tokens_.push_back(token);
    at_ = end;
    blank_ = directive_ = false;
  }

  enum class Part { any, host, device };
  std::string_view source_;
  std::size_t at_ = 0;
  bool blank_ = true;
  bool directive_ = false;
  std::vector<Token> tokens_;
  std::vector<std::size_t> open_;  ///< brackets that are not closed yet
  std::vector<Part> conditions_;   ///< who compiles the present part of each open #if
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Reader(source).read(); }

std::string flat(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i) {
    if (i != first && tokens[i].blank_before) text += ' ';
    text += tokens[i].text;
  }
  return text;
}

Place place_of(std::string_view source, std::size_t offset) {
  const std::string_view before = source.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          line_begin == before.npos ? offset + 1 : offset - line_begin};
}

}  // namespace mutate
