#pragma once

namespace assay {

/// Where a claim comes from: author, title or theorem, year, or a page in docs/bounds.
/// An empty text does not compile: a tolerance without a source is an opinion.
struct Source {
  const char* text;

  // NOLINTNEXTLINE(google-explicit-constructor): a literal is the natural spelling at the claim.
  consteval Source(const char* citation) : text(citation) {
    if (*citation == '\0') {
      throw "a claim must cite its source";
    }
  }
};

}  // namespace assay
