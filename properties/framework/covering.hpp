#pragma once
// Pairs of features: every pair of values of every two traits of a domain occurs in some case.

#include <cstddef>
#include <cstdint>

#include <span>
#include <string>
#include <vector>

#include "properties/framework/draw.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay {

/// A feature of a case that has one of a few values: a size class, a kind of scalar, the kind of special value in an
/// operand.
struct TraitInfo {
  std::string name;
  std::vector<std::string> values;
  bool operator==(const TraitInfo&) const = default;
};

/// Pairs of values that no case of the domain has: any of `values` with any of `other_values`.
struct ImpossiblePairs {
  std::string trait;
  std::vector<std::string> values;
  std::string other;
  std::vector<std::string> other_values;
  std::string because;
};

/// A trait, and the function that finds its value in a case.
template <class Case>
struct Trait : TraitInfo {
  /// The place of the case's value in `values`; values.size() for a case that has none of them.
  SharedFunction<std::size_t(const Case&)> of;
};

/// A value of each trait, by its index; the number of values of the trait means that the trait is left open.
using TraitRow = std::vector<std::size_t>;

/// The traits of a domain. Every pair of values of two traits is drawn, or is stated as impossible.
template <class Case>
struct Traits {
  std::vector<Trait<Case>> all;
  std::vector<ImpossiblePairs> impossible;
  /// A case of the domain with the values of the row.
  SharedFunction<Case(Draw&, const TraitRow&)> draw;
};

/// The pairs of values of two traits, and which of them cases have. A set of pairs is a text with one character for
/// each pair: 1 if the pair is in the set, 0 if not.
class TraitPairs {
 public:
  TraitPairs() = default;
  /// Errors: std::logic_error for a trait without values, or a stated pair whose trait or value is not among `traits`.
  TraitPairs(const std::vector<TraitInfo>& traits, const std::vector<ImpossiblePairs>& impossible);

  std::string none() const { return std::string(possible_.size(), '0'); }
  /// Adds the pairs of a case with these values.
  void see(const TraitRow& values, std::string& seen) const;

  /// How many pairs are not stated as impossible, and how many of them are in the set.
  std::uint64_t possible() const;
  std::uint64_t covered(const std::string& seen) const;
  /// The possible pairs that are not in the set, in words: "alpha = -0 with m = 1".
  std::vector<std::string> missing(const std::string& seen) const;
  /// The pairs of the set that are stated as impossible, in the same form.
  std::vector<std::string> contradicting(const std::string& seen) const;

  /// Rows with every possible pair, the same at every call. Each row starts with the first missing pair; every other
  /// trait takes the value that adds most pairs and makes no impossible one, or is left open if there is no such value.
  std::vector<TraitRow> rows() const;

 private:
  /// The place of (f, v) with (g, w), f ≠ g.
  std::size_t place(std::size_t f, std::size_t v, std::size_t g, std::size_t w) const;
  /// The number of pairs that value v of trait f adds to `seen`, given the values of the row; −1 for an impossible
  /// pair.
  int added(const TraitRow& row, std::size_t f, std::size_t v, const std::string& seen) const;
  template <class Wanted>
  std::vector<std::string> in_words(Wanted&& wanted) const;

  std::vector<TraitInfo> traits_;
  std::vector<std::size_t> sizes_;  ///< how many values each trait has
  std::vector<std::size_t> first_;  ///< for traits f and g at f·n + g: where their pairs begin
  std::vector<char> possible_;      ///< 1 or 0
};

}  // namespace assay
