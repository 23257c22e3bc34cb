#pragma once
// Vectors and matrices of numbers of L limbs. Entry k of a list is scale[k]·0.W with scale[k] = ±2^e and the limbs of
// W; limbs that are all 0 stand for the zero with the sign of its scale.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/limb/array.hpp"
#include "properties/catalog/limb/draw.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"

namespace assay::limb {

/// The exact values of numbers, or of sums.
using LimbSums = std::vector<oracle::Dyadic>;

/// A list of numbers in the form of a case.
struct LimbList {
  const std::vector<double>* scale;
  const std::vector<std::uint32_t>* word;
};

/// α (one number), x and y of one length.
struct LimbVectorCase {
  std::vector<double> alpha_scale, x_scale, y_scale;
  std::vector<std::uint32_t> alpha, x, y;
  static constexpr auto fields() {
    using C = LimbVectorCase;
    return std::tuple{field("alpha_scale", &C::alpha_scale), field("alpha", &C::alpha),
                      field("x_scale", &C::x_scale),         field("x", &C::x),
                      field("y_scale", &C::y_scale),         field("y", &C::y)};
  }
};

/// αop(A)x + βy, A of rows × columns entries, column-major without gaps; op(A) = Aᵀ if `transposed`. The kernel gets A
/// with `gap` unused rows below.
struct LimbMatrixCase {
  int transposed = 0;
  std::int64_t rows = 0, columns = 0, gap = 0;
  std::vector<double> alpha_scale, beta_scale, a_scale, x_scale, y_scale;
  std::vector<std::uint32_t> alpha, beta, a, x, y;
  static constexpr auto fields() {
    using C = LimbMatrixCase;
    return std::tuple{field("transposed", &C::transposed),   field("rows", &C::rows),
                      field("columns", &C::columns),         field("gap", &C::gap),
                      field("alpha_scale", &C::alpha_scale), field("alpha", &C::alpha),
                      field("beta_scale", &C::beta_scale),   field("beta", &C::beta),
                      field("a_scale", &C::a_scale),         field("a", &C::a),
                      field("x_scale", &C::x_scale),         field("x", &C::x),
                      field("y_scale", &C::y_scale),         field("y", &C::y)};
  }
};

/// |e| of scales: no sum of products of such numbers leaves the range of exponents.
inline constexpr int most_scale = 200;

/// Whether the list has that many entries in the form that Float has, with scales in range.
inline bool is_limb_list(const LimbList& x, int limbs, std::size_t count) {
  const auto length = static_cast<std::size_t>(limbs);
  if (x.scale->size() != count || x.word->size() != count * length) return false;
  for (std::size_t k = 0; k < count; ++k) {
    const double scale = (*x.scale)[k];
    if (!is_finite(scale) || bits::fraction_bits(scale) != 0 || abs(scale) < bits::power_of_two<double>(-most_scale) ||
        abs(scale) > bits::power_of_two<double>(most_scale)) {
      return false;
    }
    const std::span<const std::uint32_t> word = std::span(*x.word).subspan(k * length, length);
    if (word.back() >> 31 == 0 && !oracle::integer_of_limbs(word).is_zero()) return false;
  }
  return true;
}

/// The exact value of each entry. Requires: is_limb_list (not checked).
inline std::vector<oracle::Dyadic> values_of(const LimbList& x, int limbs) {
  std::vector<oracle::Dyadic> values;
  const auto length = static_cast<std::size_t>(limbs);
  for (std::size_t k = 0; k < x.scale->size(); ++k) {
    oracle::Dyadic value = oracle::integer_of_limbs(std::span(*x.word).subspan(k * length, length));
    values.push_back(value.mul_2exp(-32L * limbs) * value_of((*x.scale)[k]));
  }
  return values;
}

/// The same numbers in the form of the kernels.
inline FloatArray array_of(const LimbList& x, int limbs) {
  FloatArray array = float_zeros(limbs, x.scale->size());
  const auto length = static_cast<std::size_t>(limbs);
  for (std::size_t k = 0; k < array.length; ++k) {
    bool zero = true;
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint32_t word = (*x.word)[k * length + i];
      array.word[i * array.length + k] = word;
      zero = zero && word == 0;
    }
    const double scale = (*x.scale)[k];
    array.sign[k] = signbit(scale) ? 1 : 0;
    array.exponent[k] = zero ? zero_exponent : bits::normal_exponent(scale);
  }
  return array;
}

namespace detail {

inline double draw_scale(LimbDraw& r, int most) {
  const int e = r.between(-most, most);
  const double x = bits::power_of_two<double>(e);
  return r.coin() ? -x : x;
}

inline void append(LimbDraw& r, std::vector<double>& scale, std::vector<std::uint32_t>& word, double s,
                   const oracle::Dyadic& significand) {
  scale.push_back(s);
  const std::vector<std::uint32_t> limbs = oracle::limbs_of(significand, static_cast<std::size_t>(r.limbs()));
  word.insert(word.end(), limbs.begin(), limbs.end());
}

/// How the entries of a list are drawn.
enum class Entries { any, full_of_one_sign, cancelling, short_ones };

/// `count` entries. Cancelling ones come in pairs that differ by their sign and a few last bits.
inline void draw_list(LimbDraw& r, Entries kind, std::size_t count, std::vector<double>& scale,
                      std::vector<std::uint32_t>& word) {
  oracle::Dyadic last;
  for (std::size_t k = 0; k < count; ++k) {
    switch (kind) {
      case Entries::any: {
        const double s = draw_scale(r, 40);
        append(r, scale, word, s, r.draw().one_in(8) ? oracle::Dyadic(0) : r.significand());
        break;
      }
      case Entries::full_of_one_sign:
        append(r, scale, word, 1.0, r.full());
        break;
      case Entries::cancelling:
        if (k % 2 == 0) {
          last = r.full();
          append(r, scale, word, draw_scale(r, 8), last);
        } else {
          const oracle::Dyadic other = last + r.with_sign(r.log_uniform(r.p() / 2));
          append(r, scale, word, -scale.back(), other.exponent() == r.p() - 1 ? other : last);
        }
        break;
      case Entries::short_ones: {
        const double s = draw_scale(r, 4);
        append(r, scale, word, s, r.log_uniform(9).mul_2exp(r.p() - 9));
        if (word.back() >> 31 == 0) word.back() |= std::uint32_t{1} << 31;
        break;
      }
    }
  }
}

/// A scalar: 0, 1, −1 or any.
inline void draw_scalar(LimbDraw& r, std::vector<double>& scale, std::vector<std::uint32_t>& word) {
  const std::uint64_t kind = r.draw().below(5);
  const double s = draw_scale(r, 20);
  const oracle::Dyadic one = oracle::Dyadic::scaled(1, r.p() - 1);
  append(r, scale, word,
         kind == 1   ? 2.0
         : kind == 2 ? -2.0
                     : s,
         kind == 0   ? oracle::Dyadic(0)
         : kind <= 2 ? one
                     : r.significand());
}

inline std::string limb_list_text(int limbs) {
  return "numbers ±2^e·0.W, |e| <= " + std::to_string(most_scale) + ", W of " + std::to_string(limbs) +
         " limbs with the highest bit set, or 0";
}

}  // namespace detail

inline Domain<LimbVectorCase> limb_vector_domain(int limbs) {
  using detail::Entries;
  const auto of = [limbs](std::string name, unsigned weight, int least, int most, Entries x, Entries y) {
    return InputClass<LimbVectorCase>{std::move(name), weight, drawn<LimbVectorCase>([=](Draw& draw) {
                                        LimbDraw r(limbs, draw);
                                        LimbVectorCase c;
                                        const auto n = static_cast<std::size_t>(r.between(least, most));
                                        detail::draw_scalar(r, c.alpha_scale, c.alpha);
                                        detail::draw_list(r, x, n, c.x_scale, c.x);
                                        detail::draw_list(r, y, n, c.y_scale, c.y);
                                        return c;
                                      })};
  };
  Domain<LimbVectorCase> domain;
  domain.classes = {
      of("any entries, small", 6, 0, 9, Entries::any, Entries::any),
      of("full entries of one sign, small", 6, 1, 9, Entries::full_of_one_sign, Entries::full_of_one_sign),
      of("cancelling, small", 6, 2, 12, Entries::cancelling, Entries::full_of_one_sign),
      of("any entries, around the lanes of a block", 2, 126, 131, Entries::any, Entries::any),
      of("short entries, one block and two", 1, 500, 530, Entries::short_ones, Entries::short_ones),
      of("short entries, several blocks", 1, 1025, 1100, Entries::short_ones, Entries::any),
  };
  domain.contains = [limbs](const LimbVectorCase& c) {
    const std::size_t n = c.x_scale.size();
    return n <= 2000 && is_limb_list({&c.alpha_scale, &c.alpha}, limbs, 1) &&
           is_limb_list({&c.x_scale, &c.x}, limbs, n) && is_limb_list({&c.y_scale, &c.y}, limbs, n);
  };
  domain.axes = [words = static_cast<std::size_t>(limbs)](const LimbVectorCase&) {
    const std::vector<Axes::Side> along{{"entries"}};
    return Axes{{{"x_scale", along, 1, false},
                 {"x", along, words, false},
                 {"y_scale", along, 1, false},
                 {"y", along, words, false}}};
  };
  domain.features = {
      {"length", 0, 1100, 55, [](const LimbVectorCase& c) { return static_cast<double>(c.x_scale.size()); }}};
  domain.accepts = "a scalar and vectors of at most 2000 entries: " + detail::limb_list_text(limbs);
  return domain;
}

inline Domain<LimbMatrixCase> limb_matrix_domain(int limbs) {
  using detail::Entries;
  const auto of = [limbs](std::string name, unsigned weight, int most_outputs, int least_terms, int most_terms,
                          Entries a, Entries x) {
    return InputClass<LimbMatrixCase>{
        std::move(name), weight, drawn<LimbMatrixCase>([=](Draw& draw) {
          LimbDraw r(limbs, draw);
          LimbMatrixCase c;
          c.transposed = r.coin() ? 1 : 0;
          const int outputs = r.between(1, most_outputs);
          const int terms = r.between(least_terms, most_terms);
          c.rows = c.transposed != 0 ? terms : outputs;
          c.columns = c.transposed != 0 ? outputs : terms;
          c.gap = r.between(0, 2);
          detail::draw_scalar(r, c.alpha_scale, c.alpha);
          detail::draw_scalar(r, c.beta_scale, c.beta);
          detail::draw_list(r, a, static_cast<std::size_t>(c.rows * c.columns), c.a_scale, c.a);
          detail::draw_list(r, x, static_cast<std::size_t>(terms), c.x_scale, c.x);
          detail::draw_list(r, Entries::any, static_cast<std::size_t>(outputs), c.y_scale, c.y);
          return c;
        })};
  };
  Domain<LimbMatrixCase> domain;
  domain.classes = {
      of("any entries, small", 6, 9, 0, 9, Entries::any, Entries::any),
      of("full entries of one sign, small", 6, 3, 1, 9, Entries::full_of_one_sign, Entries::full_of_one_sign),
      of("cancelling, small", 6, 5, 2, 12, Entries::cancelling, Entries::full_of_one_sign),
      of("any entries, around the lanes of an entry", 2, 9, 30, 67, Entries::any, Entries::any),
  };
  domain.contains = [limbs](const LimbMatrixCase& c) {
    if (c.rows < 0 || c.columns < 0 || c.gap < 0 || c.gap > 8 || c.rows > 100 || c.columns > 100) return false;
    const auto rows = static_cast<std::size_t>(c.rows);
    const auto columns = static_cast<std::size_t>(c.columns);
    return (c.transposed == 0 || c.transposed == 1) && is_limb_list({&c.alpha_scale, &c.alpha}, limbs, 1) &&
           is_limb_list({&c.beta_scale, &c.beta}, limbs, 1) &&
           is_limb_list({&c.a_scale, &c.a}, limbs, rows * columns) &&
           is_limb_list({&c.x_scale, &c.x}, limbs, c.transposed != 0 ? rows : columns) &&
           is_limb_list({&c.y_scale, &c.y}, limbs, c.transposed != 0 ? columns : rows);
  };
  domain.axes = [words = static_cast<std::size_t>(limbs)](const LimbMatrixCase& c) {
    const std::vector<Axes::Side> matrix{{"rows"}, {"columns"}};
    const std::vector<Axes::Side> terms{{c.transposed != 0 ? "rows" : "columns"}};
    const std::vector<Axes::Side> outputs{{c.transposed != 0 ? "columns" : "rows"}};
    return Axes{{{"a_scale", matrix, 1, false},
                 {"a", matrix, words, false},
                 {"x_scale", terms, 1, false},
                 {"x", terms, words, false},
                 {"y_scale", outputs, 1, false},
                 {"y", outputs, words, false}},
                {{"rows", "rows"}, {"columns", "columns"}}};
  };
  domain.features = {{"terms", 0, 70, 35, [](const LimbMatrixCase& c) {
                        return static_cast<double>(c.transposed != 0 ? c.rows : c.columns);
                      }}};
  domain.accepts = "at most 100 x 100 entries; A, x, y and two scalars of " + detail::limb_list_text(limbs);
  return domain;
}

}  // namespace assay::limb
