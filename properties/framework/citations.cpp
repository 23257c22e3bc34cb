#include "properties/framework/citations.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay {

namespace {

std::map<std::string_view, TheoremWords>& theorems() {
  static std::map<std::string_view, TheoremWords> all;
  return all;
}

bool same_words(const TheoremWords& a, const TheoremWords& b) {
  const auto same = [](const TheoremText& x, const TheoremText& y) { return std::string_view(x.text) == y.text; };
  return same(a.hypotheses, b.hypotheses) && same(a.statement, b.statement) && same(a.source, b.source) &&
         std::string_view(a.loose_because) == b.loose_because;
}

}  // namespace

void cite(const TheoremWords& theorem) {
  const auto [at, added] = theorems().try_emplace(theorem.id.text, theorem);
  if (!added && !same_words(at->second, theorem)) {
    throw std::logic_error(std::string("two theorems ") + theorem.id.text + " with different words");
  }
}

std::vector<TheoremWords> cited_theorems() {
  std::vector<TheoremWords> all;
  for (const auto& [id, words] : theorems()) all.push_back(words);
  return all;
}

}  // namespace assay
