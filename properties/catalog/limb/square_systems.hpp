#pragma once
// Systems with a square matrix of numbers of L limbs, and the results of a factorization and a solution.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/catalog/limb/result.hpp"
#include "properties/catalog/limb/vector_cases.hpp"

namespace assay::limb {

/// Ax = b: the entries of A that are read, column by column without gaps. The kernel gets A with `gap` unused rows
/// below.
struct SquareSystem {
  std::int64_t n = 0, gap = 0;
  std::vector<double> a_scale, b_scale;
  std::vector<std::uint32_t> a, b;
  static constexpr auto fields() {
    using C = SquareSystem;
    return std::tuple{field("n", &C::n), field("gap", &C::gap),         field("a_scale", &C::a_scale),
                      field("a", &C::a), field("b_scale", &C::b_scale), field("b", &C::b)};
  }
};

namespace detail {

using oracle::Dyadic;

inline constexpr std::int64_t most_unknowns = 48;

/// The entries of A that are read, column by column without gaps: for a symmetric matrix the entries with i ≥ j.
struct LowerTriangle {
  static std::size_t place(std::int64_t n, std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(j * n - j * (j - 1) / 2 + i - j);
  }
  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n * (n + 1) / 2); }
  /// f(i, j) for each of them.
  template <class F>
  static void for_each(std::int64_t n, F&& f) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = j; i < n; ++i) f(i, j);
    }
  }
};

/// All of them.
struct WholeSquare {
  static std::size_t place(std::int64_t n, std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i + j * n);
  }
  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n * n); }
  template <class F>
  static void for_each(std::int64_t n, F&& f) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < n; ++i) f(i, j);
    }
  }
};

inline std::int64_t leading(const SquareSystem& c) { return std::max<std::int64_t>(1, c.n + c.gap); }
/// The place of entry (i, j) in the array of the kernel.
inline std::size_t in_array(const SquareSystem& c, std::int64_t i, std::int64_t j) {
  return static_cast<std::size_t>(i + j * leading(c));
}

template <class Read>
bool is_system(const SquareSystem& c, int limbs) {
  return c.n >= 0 && c.n <= most_unknowns && c.gap >= 0 && c.gap <= 8 &&
         is_limb_list({&c.a_scale, &c.a}, limbs, Read::size(c.n)) &&
         is_limb_list({&c.b_scale, &c.b}, limbs, static_cast<std::size_t>(c.n));
}

/// The kernel's array: NaNs where nothing is read.
template <class Read>
FloatArray matrix_of(const SquareSystem& c, int limbs) {
  const FloatArray packed = array_of({&c.a_scale, &c.a}, limbs);
  FloatArray a = float_zeros(limbs, static_cast<std::size_t>(leading(c) * c.n));
  a.exponent.assign(a.length, nan_exponent);
  Read::for_each(c.n, [&](std::int64_t i, std::int64_t j) {
    const std::size_t from = Read::place(c.n, i, j);
    const std::size_t to = in_array(c, i, j);
    a.exponent[to] = packed.exponent[from];
    a.sign[to] = packed.sign[from];
    for (std::size_t k = 0; k < static_cast<std::size_t>(limbs); ++k) {
      a.word[k * a.length + to] = packed.word[k * packed.length + from];
    }
  });
  return a;
}

/// Numbers y after x.
inline void append(FloatArray& x, const FloatArray& y) {
  FloatArray z = float_zeros(x.limbs, x.length + y.length);
  const auto put = [&](const FloatArray& part, std::size_t at) {
    for (std::size_t i = 0; i < part.length; ++i) {
      z.exponent[at + i] = part.exponent[i];
      z.sign[at + i] = part.sign[i];
      for (std::size_t k = 0; k < static_cast<std::size_t>(x.limbs); ++k) {
        z.word[k * z.length + at + i] = part.word[k * part.length + i];
      }
    }
  };
  put(x, 0);
  put(y, x.length);
  x = std::move(z);
}

/// The place of unknown i of the solution, after the array of the factor.
inline std::size_t place_of_unknown(const SquareSystem& c, std::int64_t i) {
  return static_cast<std::size_t>(leading(c) * c.n + i);
}

/// The column that failed; n if none did.
inline std::int64_t failed_column(const SquareSystem& c, const LimbNumbers& result) {
  Dyadic failed;
  const bool is_number = component_value(result, place_of_unknown(c, c.n), failed);
  for (std::int64_t j = 0; is_number && j < c.n; ++j) {
    if (failed == Dyadic(j)) return j;
  }
  return is_number && failed == Dyadic(c.n) ? c.n : -1;
}

/// x rounded to the precision of a case's numbers.
inline void append_rounded(LimbDraw& r, std::vector<double>& scale, std::vector<std::uint32_t>& word, const Dyadic& x) {
  const oracle::LimbFloat number =
      oracle::limb_rounded(x, static_cast<std::size_t>(r.limbs()), oracle::Rounding::nearest);
  const bool zero = number.kind == oracle::LimbFloat::Kind::zero;
  const double magnitude = zero ? 1.0 : bits::power_of_two<double>(static_cast<int>(number.exponent));
  scale.push_back(number.negative ? -magnitude : magnitude);
  for (int k = 0; k < r.limbs(); ++k) word.push_back(zero ? 0 : number.word[static_cast<std::size_t>(k)]);
}

/// ±m·2^(e − p) with a significand m of the kinds of LimbDraw, |e| ≤ most.
inline Dyadic draw_entry(LimbDraw& r, int most) {
  const Dyadic x = r.significand().mul_2exp(r.between(-most, most) - r.p());
  return r.coin() ? x : -x;
}

/// Entries given by `entry(i, j)`, and a right side.
template <class Read, class Entry>
SquareSystem draw_case(LimbDraw& r, std::int64_t n, Entry entry) {
  SquareSystem c;
  c.n = n;
  c.gap = r.between(0, 2);
  Read::for_each(n, [&](std::int64_t i, std::int64_t j) { append_rounded(r, c.a_scale, c.a, entry(i, j)); });
  for (std::int64_t i = 0; i < n; ++i) append_rounded(r, c.b_scale, c.b, draw_entry(r, 8));
  return c;
}

/// m/(i + j + 1), cut off, for a significand m.
template <class Read>
SquareSystem draw_hilbert(LimbDraw& r) {
  const Dyadic m = r.significand();
  return draw_case<Read>(r, r.between(1, 12), [&](std::int64_t i, std::int64_t j) {
    return oracle::floor_quotient(m, Dyadic(i + j + 1)).mul_2exp(-r.p());
  });
}

/// The system without one of its unknowns and the row of the same number.
template <class Read>
std::vector<SquareSystem> smaller_systems(const SquareSystem& c, std::size_t limbs) {
  std::vector<SquareSystem> smaller;
  const auto copy = [&](const std::vector<double>& scale, const std::vector<std::uint32_t>& word, std::size_t at,
                        std::vector<double>& to_scale, std::vector<std::uint32_t>& to_word) {
    to_scale.push_back(scale[at]);
    for (std::size_t k = 0; k < limbs; ++k) to_word.push_back(word[at * limbs + k]);
  };
  for (std::int64_t left_out = 0; left_out < c.n; ++left_out) {
    SquareSystem other;
    other.n = c.n - 1;
    Read::for_each(c.n, [&](std::int64_t i, std::int64_t j) {
      if (i == left_out || j == left_out) return;
      copy(c.a_scale, c.a, Read::place(c.n, i, j), other.a_scale, other.a);
    });
    for (std::int64_t i = 0; i < c.n; ++i) {
      if (i != left_out) copy(c.b_scale, c.b, static_cast<std::size_t>(i), other.b_scale, other.b);
    }
    smaller.push_back(std::move(other));
  }
  return smaller;
}

}  // namespace detail

}  // namespace assay::limb
