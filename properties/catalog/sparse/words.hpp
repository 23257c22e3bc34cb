#pragma once
// Products of sparse matrices and vectors with entries of one, two or four words: the domain, and the promises.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/sparse_theorems.hpp"
#include "kernels/expansion/spmv.hpp"
#include "properties/catalog/expansion/blas_problem.hpp"
#include "properties/catalog/expansion/term_draws.hpp"
#include "properties/catalog/sparse/properties.hpp"
#include "properties/framework/structure.hpp"

namespace assay::sparse {

/// A matrix and a vector whose numbers have W words each, side by side.
using WordCase = SpmvCase<double>;
using WordResult = Expansions<double>;

/// The same with only the first words.
inline Case first_words(const WordCase& c, std::size_t words) {
  Case first{c.rows, c.columns, c.row_offsets, c.column_indices, {}, {}};
  for (std::size_t i = 0; i < c.values.size(); i += words) first.values.push_back(c.values[i]);
  for (std::size_t i = 0; i < c.x.size(); i += words) first.x.push_back(c.x[i]);
  return first;
}

/// f(row, entry of A, entry of x) for each place.
template <class F>
void for_each_entry(const WordCase& c, std::size_t words, F&& f) {
  const auto entry = [words](const std::vector<double>& from, std::size_t i) {
    return std::span<const double>(from).subspan(i * words, words);
  };
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
    for (std::size_t at = c.row_offsets[r]; at < c.row_offsets[r + 1]; ++at) {
      f(r, entry(c.values, at), entry(c.x, c.column_indices[at]));
    }
  }
}

/// Σ aᵢⱼxⱼ of each row.
inline Truth exact_rows(const WordCase& c, std::size_t words) {
  Truth sums(static_cast<std::size_t>(c.rows));
  for_each_entry(c, words, [&](std::size_t r, std::span<const double> a, std::span<const double> x) {
    sums[r].add_mul(sum_of_words(a), sum_of_words(x));
  });
  return sums;
}

// -------------------------------------------------------------------------------------------------------- draws

/// Words of any kind with the exponent of the given number; 0 for 0.
inline void append_words(Draw& draw, std::size_t words, double first, std::vector<double>& to) {
  if (first == 0) {
    to.insert(to.end(), words, 0.0);
    return;
  }
  const std::size_t count = 1 + draw.below(words);
  const auto drawn = expansion::detail::draw_expansion<double>(draw, words, count, expansion::detail::WordStyle::any,
                                                               expansion::detail::Signs::mixed,
                                                               std::clamp(parts_of(first).leading(), -300, 199));
  to.insert(to.end(), drawn.begin(), drawn.end());
}

/// The pattern of a matrix with words of its magnitudes.
inline WordCase with_words(Draw& draw, const Case& pattern, std::size_t words) {
  WordCase c{pattern.rows, pattern.columns, pattern.row_offsets, pattern.column_indices, {}, {}};
  for (const double each : pattern.values) append_words(draw, words, each, c.values);
  for (const double each : pattern.x) append_words(draw, words, each, c.x);
  return c;
}

/// Every second entry of a row is the one before it with the other sign and a last word that may differ, in a column
/// with the same words.
inline WordCase draw_cancelling_words(Draw& draw, std::size_t words) {
  Case pattern{0, 0, {0}, {}, {}, {}};
  for (std::uint64_t rows = 1 + draw.below(4); rows != 0; --rows) {
    std::vector<std::size_t> columns;
    std::vector<double> values;
    for (std::uint64_t left = draw.below(12); left != 0; --left) {
      for (int twice = 0; twice < 2; ++twice) {
        columns.push_back(pattern.x.size());
        pattern.x.push_back(draw_number<double>(draw, Significand::any, draw.between(-8, 8)));
        values.push_back(draw_number<double>(draw, Significand::any, draw.between(-8, 8)));
      }
    }
    append_row(pattern, columns, values);
  }
  pattern.columns = static_cast<std::int64_t>(pattern.x.size());
  WordCase c = with_words(draw, pattern, words);
  for (std::size_t at = 0; at + 1 < c.values.size() / words; at += 2) {
    for (std::size_t w = 0; w < words; ++w) {
      c.values[(at + 1) * words + w] = negated(c.values[at * words + w]);
      c.x[(at + 1) * words + w] = c.x[at * words + w];
    }
    double& last = c.values[(at + 2) * words - 1];
    if (draw.coin()) last = stepped(last, draw.between(-2, 2));
  }
  return c;
}

inline std::vector<WordCase> smaller_word_cases(const WordCase& c, std::size_t words) {
  // Values that are their own indices lead from the smaller pattern back to the words.
  Case numbered{c.rows, c.columns, c.row_offsets, c.column_indices, {}, {}};
  for (std::size_t i = 0; i < c.values.size() / words; ++i) numbered.values.push_back(static_cast<double>(i));
  for (std::size_t i = 0; i < c.x.size() / words; ++i) numbered.x.push_back(static_cast<double>(i));
  std::vector<WordCase> smaller;
  for (const Case& each : smaller_cases(numbered)) {
    WordCase other{each.rows, each.columns, each.row_offsets, each.column_indices, {}, {}};
    const auto take = [words](const std::vector<double>& numbers, const std::vector<double>& from,
                              std::vector<double>& to) {
      for (const double number : numbers) {
        const auto at = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(number) * words);
        to.insert(to.end(), from.begin() + at, from.begin() + at + static_cast<std::ptrdiff_t>(words));
      }
    };
    take(each.values, c.values, other.values);
    take(each.x, c.x, other.x);
    smaller.push_back(std::move(other));
  }
  return smaller;
}

inline Domain<WordCase> word_domain(std::size_t words) {
  const auto of = [words](auto make) {
    return drawn<WordCase>([=](Draw& draw) { return with_words(draw, make(draw), words); });
  };
  const auto matrix = [](const SpmvRange& range) {
    return [range](Draw& draw) { return draw_matrix<double>(draw, Significand::any, range); };
  };
  return {.classes = {{"any entries", 4, of(matrix({-4, 4, -4, 4, false}))},
                      {"exponents apart", 2, of(matrix({-80, 80, -40, 40, false}))},
                      {"products in the range of underflow", 2, of(matrix({-560, -500, -290, -250, false}))},
                      {"entries that cancel", 4,
                       drawn<WordCase>([words](Draw& draw) { return draw_cancelling_words(draw, words); })},
                      {"one full row, the others empty", 2, of(draw_dense_row)},
                      {"columns more than once in a row", 2, of(draw_repeated_columns)},
                      {"Laplace, arrow, band, Hilbert", 1, of(draw_generated)}},
          .contains =
              [words](const WordCase& c) {
                const auto is_word = [](double each) { return in_box(each, {full_box<double>().low, 200}); };
                return c.values.size() % words == 0 && c.x.size() % words == 0 && is_matrix(first_words(c, words)) &&
                       std::ranges::all_of(c.values, is_word) && std::ranges::all_of(c.x, is_word);
              },
          .features = {{"log2 of the entries + 1, rounded up", 0, 14, 14,
                        [words](const WordCase& c) {
                          return static_cast<double>(std::bit_width(c.values.size() / words));
                        }}},
          .shrink_shape = [words](const WordCase& c) { return smaller_word_cases(c, words); },
          .accepts =
              "up to 1024 rows and columns and 8192 entries; columns of a row in any order, more than once, too; "
              "finite words, below 2^201"};
}

// ------------------------------------------------------------------------------------------------------- claims

/// |ŷᵢ − yᵢ| of each row. `places(c, r)`: the places of row r.
inline Judgement judge_word_rows(const WordCase& c, std::size_t words, bool ellpack, const Truth& truth,
                                 const WordResult& y) {
  Truth weights(truth.size());
  for_each_entry(c, words, [&](std::size_t r, std::span<const double> a, std::span<const double> x) {
    weights[r].add_mul(expansion::detail::weight_of(a), expansion::detail::weight_of(x));
  });
  std::uint64_t width = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    width = std::max<std::uint64_t>(width, c.row_offsets[r + 1] - c.row_offsets[r]);
  }
  Judgement worst;
  Dyadic got;
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const std::uint64_t places = ellpack ? width : c.row_offsets[r + 1] - c.row_offsets[r];
    worst.worsen(component_value(y, r, got) ? judge_within(got, truth[r],
                                                           sparse_words_1(static_cast<int>(words), places, weights[r],
                                                                          abs(truth[r]), oracle::binary64),
                                                           r)
                                            : Judgement::fail(r));
  }
  worst.judged = truth.size();
  return worst;
}

/// The promises of a product in words: spmv(executor, words, matrix, x), for a matrix in CSR or in ELLPACK.
inline Property<WordCase, WordResult, Truth> word_property(std::string name, std::size_t words, bool ellpack,
                                                           auto spmv) {
  Property<WordCase, WordResult, Truth> property{
      .name = std::move(name),
      .domain = word_domain(words),
      .subject =
          [words, ellpack, spmv](const Executor& on, const WordCase& c) {
            CsrMatrix a = csr_of(first_words(c, words));
            a.values = c.values;
            const auto size = static_cast<int>(words);
            const double nan = number_of<double>(oracle::binary64.nan());
            return WordResult{ellpack ? spmv(on, size, ellpack_of(a, nan, size), std::span<const double>(c.x))
                                      : spmv(on, size, a, std::span<const double>(c.x)),
                              words};
          },
      .reference = [words](const WordCase& c) { return exact_rows(c, words); },
      .claims = {claim_spec("error", sparse_words_1,
                            [words, ellpack](const WordCase& c, const Truth& truth, const WordResult& y) {
                              return judge_word_rows(c, words, ellpack, truth, y);
                            })},
      .inexact =
          [](const WordCase&, const Truth& truth, const WordResult& y) {
            bool found = false;
            Dyadic got;
            for (std::size_t r = 0; r < truth.size(); ++r) {
              found = found || !component_value(y, r, got) || got != truth[r];
            }
            return found;
          },
      .quick_cases = 1000};
  if (words > 1) {
    property.claims.push_back(
        satisfies("nonoverlapping", sparse_words_2, [words](const WordCase& c, const WordResult& y) {
          Judgement worst;
          ExactWords exact;
          for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
            if (!exact_words(std::span<const double>(y.words).subspan(r * words, words), exact)) {
              worst.worsen(Judgement::fail(r));
              continue;
            }
            Judgement entry = judge_ulp_nonoverlapping(exact, FloatTraits<double>::precision);
            entry.component = r;
            worst.worsen(entry);
          }
          return worst;
        }));
  }
  return property;
}

}  // namespace assay::sparse
