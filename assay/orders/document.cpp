#include "assay/orders/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "assay/orders/finder.hpp"
#include "oracle/decimal.hpp"

namespace assay::orders {
namespace {

using Document = store::ProbedOrder;

Document::Example example_of(const Example& example, Number number) {
  Document::Example told{{}, fmt::format("{:#x}", example.got), fmt::format("{:#x}", example.predicted)};
  const auto text = [number](std::uint64_t pattern) { return oracle::to_hex(prober::format_of(number), pattern); };
  for (std::size_t i = 0; i < std::min(example.terms.x.size(), most_terms); ++i) {
    told.terms.push_back({text(example.terms.x[i]), example.terms.y.empty() ? "" : text(example.terms.y[i])});
  }
  return told;
}

std::string difference(const Difference& example) {
  return fmt::format("terms {} and {} meet after {} terms here, and after {} there", example.first, example.second,
                     example.here, example.there);
}

void line(std::string& text, const char* what, const std::string& value) {
  if (!value.empty()) text += fmt::format("  {:<11} {}\n", what, value);
}

std::string terms_of(const Document::Example& example) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, example.terms.size()); ++i) {
    const Document::Term& term = example.terms[i];
    text += (i == 0 ? "" : " + ") + term.x + (term.y.empty() ? "" : "*" + term.y);
  }
  return text + (example.terms.size() > most ? fmt::format(" + … ({} terms)", example.terms.size()) : "");
}

}  // namespace

Document document_of(const Asked& asked, const Answer& answer) {
  Document document{.operation = asked.operation,
                    .subject = asked.subject,
                    .format = asked.format,
                    .terms = asked.terms,
                    .seed = asked.seed,
                    .verdict = std::string(name_of(answer.verdict)),
                    .order = answer.words,
                    .why = answer.why};
  if (answer.family) document.family = name_of(*answer.family);
  if (answer.tree) {
    document.height = answer.tree->height();
    document.width = answer.tree->width();
    if (answer.tree->terms() <= most_terms) {
      const std::vector<Tree::Vertex> parents = answer.tree->parents();
      document.parents.emplace(parents.begin(), parents.end());
    }
  }
  document.sampled = answer.is_sampled;
  document.pairs = answer.pairs;
  document.questions = answer.questions;
  const Prediction& prediction = answer.prediction;
  const std::string in = asked.format.substr(0, asked.format.find(':'));
  const bool has_products = asked.operation == "dot" || asked.operation == "matmul";
  if (prediction.predicted != 0) document.arithmetic = words_of(prediction.arithmetic, has_products);
  document.predicted = prediction.predicted;
  document.checked = prediction.checked;
  const auto& example = prediction.not_repeated ? prediction.not_repeated : prediction.example;
  if (example) document.example = example_of(*example, prober::number_named(in));
  if (answer.bound) {
    const Bound& bound = *answer.bound;
    document.bound = {bound.theorem, bound.statement, bound.roundings, bound.factor, bound.any_order};
  }
  return document;
}

Tree tree_of(const Document& document) {
  if (document.terms < 2 || document.terms > std::size_t{1} << 31) throw std::invalid_argument("terms: 2 to 2^31");
  if (document.parents) {
    std::vector<Tree::Vertex> parents;
    for (const std::uint64_t each : *document.parents) {
      parents.push_back(static_cast<Tree::Vertex>(std::min<std::uint64_t>(each, UINT32_MAX)));
    }
    return tree_of(document.terms, parents);
  }
  if (document.family.empty()) throw std::invalid_argument(fmt::format("it has no tree: {}", document.verdict));
  return tree_of(family_named(document.family), document.terms);
}

void compare(Document& document, const Document& other) {
  if (document.terms != other.terms) {
    throw std::invalid_argument(
        fmt::format("it has {} terms, not {}; trees of as many terms are compared", other.terms, document.terms));
  }
  const Comparison comparison = compare(tree_of(document), tree_of(other));
  document.compared = {comparison.common, comparison.only_here, comparison.only_there,
                       comparison.example.empty() ? "" : difference(comparison.example.front())};
}

std::string text_of(const Document& document) {
  std::string text = fmt::format("{}: {} {} of {} terms: {}\n", document.subject, document.operation, document.format,
                                 document.terms, document.verdict);
  line(text, "order", document.order);
  line(text, "why", document.why);
  line(text, "family", document.family);
  line(text, "asked",
       document.sampled
           ? fmt::format("{} pairs of terms at this size, and whole trees at smaller ones: {} inputs; not every pair",
                         document.pairs, document.questions)
           : fmt::format("{} inputs with masks", document.questions));
  line(text, "arithmetic", document.arithmetic);
  if (document.checked != 0) {
    line(text, "predicted", fmt::format("{} of {} random inputs bit for bit", document.predicted, document.checked));
  }
  if (document.example) {
    line(text, "example",
         fmt::format("{}: {}, {} {}", terms_of(*document.example), document.example->got,
                     document.verdict == "not fixed" ? "and in another call" : "and the tree gives",
                     document.example->other));
  }
  if (document.bound) {
    line(text, "bound",
         fmt::format("{} [{}]: at most {:.3g} of Σ|xᵢ|; {:.3g} where the order is not known", document.bound->statement,
                     document.bound->theorem, document.bound->factor, document.bound->any_order));
  }
  if (document.compared) {
    const Document::Compared& compared = *document.compared;
    line(text, "compared",
         compared.example.empty()
             ? "the same tree"
             : fmt::format("{} sums of terms in common, {} only here, {} only there: {}", compared.common,
                           compared.only_here, compared.only_there, compared.example));
  }
  return text;
}

}  // namespace assay::orders
