#include "tools/mutate/mutants.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace mutate {
namespace {

class Writer {
 public:
  Writer(std::string_view source, const std::vector<Token>& tokens, std::span<const Numbered> mistakes)
      : source_(source), tokens_(tokens), mistakes_(mistakes) {}

  Mutated write() {
    while (next_ < mistakes_.size()) write_group(source_.size());
    copy_to(source_.size());
    return std::move(out_);
  }

 private:
  const Mistake& next() const { return mistakes_[next_].mistake; }
  void copy_to(std::size_t end) {
    out_.text += source_.substr(copied_, end - copied_);
    copied_ = end;
  }

  /// The mistakes of the next range of tokens, and of the ranges inside it. `limit` ends the range around it.
  void write_group(std::size_t limit) {
    const Mistake& first = next();
    const std::size_t begin = tokens_[first.first].at;
    const std::size_t end = tokens_[first.last - 1].end();
    if (begin < copied_ || end > limit) {  // not inside: excluded
      ++next_;
      return;
    }
    copy_to(begin);
    const bool statement = first.statement;
    out_.text += statement ? "{ " : "(";
    while (next_ < mistakes_.size() && next().first == first.first && next().last == first.last) {
      write_alternative(mistakes_[next_++]);
    }
    if (statement) out_.text += "{ ";
    while (next_ < mistakes_.size() && tokens_[next().first].at < end) write_group(end);
    copy_to(end);
    out_.text += statement ? " } }" : ")";
  }

  void write_alternative(const Numbered& each) {
    const std::size_t begin = out_.text.size();
    const std::string on = "::mutation::on(" + std::to_string(each.number) + ")";
    if (each.mistake.statement) {
      out_.text += "if (" + on + ") { " + each.mistake.becomes + " } else ";
    } else {
      out_.text += on + " ? (" + each.mistake.becomes + ") : ";
    }
    out_.spans.push_back({each.number, begin, out_.text.size()});
  }

  std::string_view source_;
  const std::vector<Token>& tokens_;
  std::span<const Numbered> mistakes_;
  std::size_t next_ = 0;
  std::size_t copied_ = 0;
  Mutated out_;
};

}  // namespace

std::string family_of(const std::filesystem::path& file) {
  auto part = file.begin();
  const std::string room = part++->string();
  const std::string folder = part == file.end() || std::next(part) == file.end() ? "" : part->string();
  if (room == "kernels") return folder.empty() ? room : folder;
  return folder.empty() ? room : room + "/" + folder;
}

nlohmann::json mutants_document(std::span<const Mutant> mutants) {
  nlohmann::json all = nlohmann::json::array();
  for (const Mutant& each : mutants) {
    all.push_back({{"number", each.number},
                   {"family", each.family},
                   {"file", each.file},
                   {"line", each.place.line},
                   {"column", each.place.column},
                   {"operation", each.operation},
                   {"was", each.was},
                   {"becomes", each.becomes}});
  }
  return {{"mutants", std::move(all)}};
}

std::vector<Mutant> mutants_of(const nlohmann::json& document) {
  std::vector<Mutant> all;
  for (const nlohmann::json& each : document.at("mutants")) {
    all.push_back({each.at("number"),
                   each.at("family"),
                   each.at("file"),
                   {each.at("line"), each.at("column")},
                   each.at("operation"),
                   each.at("was"),
                   each.at("becomes")});
  }
  return all;
}

Mutated mutated(std::string_view source, const std::vector<Token>& tokens, std::span<const Numbered> mistakes) {
  return Writer(source, tokens, mistakes).write();
}

std::vector<int> mutants_at(const Mutated& source, Place place) {
  std::vector<int> in_text;
  std::vector<int> in_line;
  for (const Span& each : source.spans) {
    const Place begin = place_of(source.text, each.begin);
    if (begin.line != place.line) continue;
    in_line.push_back(each.number);
    if (begin.column <= place.column && place.column < begin.column + (each.end - each.begin)) {
      in_text.push_back(each.number);
    }
  }
  return in_text.empty() ? in_line : in_text;
}

}  // namespace mutate
