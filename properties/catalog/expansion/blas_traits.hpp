#pragma once
// The traits of products whose entries are lists of words: sizes, strides, scalars, and the kinds of the operands.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "properties/catalog/expansion/blas_entries.hpp"
#include "properties/framework/covering.hpp"
#include "properties/framework/number_kinds.hpp"

namespace assay::expansion {

/// Kinds of numbers of some words.
struct WordKinds {
  KindNames names;
  std::function<std::size_t(std::span<const double>)> of;
  std::function<void(Draw&, std::size_t kind, std::span<double> to)> draw;
};

struct GemvNumbers {
  std::size_t words;
  std::int64_t most_products;  ///< of a case
  WordKinds scalars;
  std::size_t zero_scalars;  ///< this many of the first kinds are 0
  WordKinds entries;  ///< the last kind is NaN, which a list has once; a list is of the last kind that occurs in it
};

/// Expansions of K words: of the first one's K, or any.
GemvNumbers expansion_numbers(std::size_t words, std::int64_t most_products);

/// Entries that are read are not NaN: those pairs are stated as impossible, as are shapes with more products.
Traits<ExpansionGemvCase<double>> gemv_traits(const GemvNumbers& numbers);

/// The numbers of a product of matrices.
struct GemmNumbers {
  std::size_t words;
  std::function<bool(std::span<const double>)> is_zero;
  std::function<void(Draw&, std::span<double> to)> draw;  ///< any number
};

/// The traits of products of matrices: sizes, scalars, transpositions, gaps, and NaNs where nothing is read.
Traits<ExpansionGemmCase<double>> gemm_traits(const GemmNumbers& numbers);
/// The same for expansions with this many words.
Traits<ExpansionGemmCase<double>> gemm_traits(std::size_t words);

}  // namespace assay::expansion
