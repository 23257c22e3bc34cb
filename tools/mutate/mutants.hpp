#pragma once
// Mutants of a tree of sources after one run-time switch, and the list that says what each of them is.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/mutate/operators.hpp"

namespace mutate {

/// One mistake in one file, under the number that switches it on. Numbers begin at 1; 0 is the right program.
struct Mutant {
  int number = 0;
  std::string family;  ///< "dw" for kernels/dw, "arith/float" for arith/float
  std::string file;
  Place place;
  std::string operation, was, becomes;
};

/// The family of a file.
std::string family_of(const std::filesystem::path& file);

/// The list as a document and back. Errors: nlohmann::json::exception.
nlohmann::json mutants_document(std::span<const Mutant> mutants);
std::vector<Mutant> mutants_of(const nlohmann::json& document);

/// A mistake and its number.
struct Numbered {
  int number = 0;
  Mistake mistake;
  std::uint64_t hash = 0;  ///< by which it is chosen and numbered
};

/// The place of the text of a mutant in a mutated source.
struct Span {
  int number = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A source with mutants: every line has the number that it has in the original.
struct Mutated {
  std::string text;
  std::vector<Span> spans;
};

/// Requires: the tokens are those of the source; mistakes in the order of mistakes_of(), each inside another or apart
/// from it (others are left out).
Mutated mutated(std::string_view source, const std::vector<Token>& tokens, std::span<const Numbered> mistakes);

/// The mutants that a compiler message at this place concerns: those whose text contains the place, or else all mutants
/// of the line.
std::vector<int> mutants_at(const Mutated& source, Place place);

}  // namespace mutate
