#pragma once
// Sums in many orders, written for the tests of the orders.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "assay/orders/answer.hpp"

namespace assay::orders {

using Numbers = std::span<const double>;
/// The sum of some numbers, rounded once.
using Add = std::function<double(Numbers)>;
using Kernel = std::function<double(const Add&, Numbers)>;

inline double in_format(Number number, double x) { return prober::value_of(number, prober::pattern_of(number, x)); }

/// Two numbers: their sum, rounded to nearest. More of them: bits below 2^(e − 26), e the largest exponent, are cut off
/// before, as tensor cores do.
inline Add add_in(Number number) {
  return [number](Numbers x) {
    if (x.size() == 2) return number == Number::f64 ? x[0] + x[1] : in_format(number, x[0] + x[1]);
    double largest = 0;
    for (const double each : x) largest = std::max(largest, std::abs(each));
    if (largest == 0) return 0.0;
    const double grid = std::ldexp(1, std::ilogb(largest) - 26);
    double sum = 0;
    for (const double each : x) sum += std::trunc(each / grid);
    return in_format(number, sum * grid);
  };
}

inline ReductionOf reduction_by(const Kernel& kernel, Number number, Number result) {
  return [=](std::size_t n) {
    Reduction reduction{number, result, n, false, nullptr, {}};
    reduction.compute = [=](std::span<const Terms> asked) {
      const Add add = add_in(number);
      std::vector<std::uint64_t> answers;
      for (const Terms& each : asked) {
        std::vector<double> x;
        for (const std::uint64_t pattern : each.x) x.push_back(prober::value_of(number, pattern));
        answers.push_back(prober::pattern_of(result, kernel(add, x)));
      }
      return answers;
    };
    return reduction;
  };
}

inline double two(const Add& add, double a, double b) { return add(std::array{a, b}); }

inline double chain(const Add& add, Numbers x) {
  double sum = x.front();
  for (const double each : x.subspan(1)) sum = two(add, sum, each);
  return sum;
}

inline double from_the_end(const Add& add, Numbers x) { return chain(add, std::vector(x.rbegin(), x.rend())); }

/// Entry (0, 0) of a product as OpenBLAS adds it where a panel has 32 terms and a tile 4 rows: a chain of each panel is
/// added to C.
inline double panels_of_32(const Add& add, Numbers x) {
  std::vector<double> panels;
  std::size_t left = x.size();
  while (left > 0) {
    std::size_t length = left;
    if (left >= 64) {
      length = 32;
    } else if (left > 32) {
      length = (left / 2 + 3) / 4 * 4;
    }
    panels.push_back(chain(add, x.subspan(x.size() - left, length)));
    left -= length;
  }
  return chain(add, panels);
}

/// A chain whose sums have another format than the terms.
inline Kernel chain_in(Number number) {
  return [number](const Add&, Numbers x) {
    std::vector<double> rounded;
    for (const double each : x) rounded.push_back(in_format(number, each));
    return chain(add_in(number), rounded);
  };
}

inline double pairs(const Add& add, Numbers x) {
  std::vector<double> left(x.begin(), x.end());
  while (left.size() > 1) {
    std::vector<double> next;
    for (std::size_t i = 0; i + 1 < left.size(); i += 2) next.push_back(two(add, left[i], left[i + 1]));
    if (left.size() % 2 == 1) next.push_back(left.back());
    left = next;
  }
  return left.front();
}

/// The first half, which has one number more where they are odd, and the second, each in the same way.
inline double halves_up(const Add& add, Numbers x) {
  if (x.size() == 1) return x.front();
  const std::size_t first = (x.size() + 1) / 2;
  return two(add, halves_up(add, x.first(first)), halves_up(add, x.subspan(first)));
}

/// As threads of a block add: thread i takes the number of thread i + d, for d = half of them, …, 1.
inline double fold(const Add& add, Numbers x) {
  std::vector<double> left(x.begin(), x.end());
  while (left.size() > 1) {
    const std::size_t d = (left.size() + 1) / 2;
    for (std::size_t i = 0; i + d < left.size(); ++i) left[i] = two(add, left[i], left[i + d]);
    left.resize(d);
  }
  return left.front();
}

inline Kernel lanes(std::size_t count, const Kernel& inner, const Kernel& join) {
  return [=](const Add& add, Numbers x) {
    std::vector<double> results;
    for (std::size_t t = 0; t < std::min(count, x.size()); ++t) {
      std::vector<double> lane;
      for (std::size_t i = t; i < x.size(); i += count) lane.push_back(x[i]);
      results.push_back(inner(add, lane));
    }
    return join(add, results);
  };
}

inline Kernel blocks(std::size_t size, const Kernel& inner, const Kernel& join) {
  return [=](const Add& add, Numbers x) {
    std::vector<double> results;
    for (std::size_t at = 0; at < x.size(); at += size) {
      results.push_back(inner(add, x.subspan(at, std::min(size, x.size() - at))));
    }
    return join(add, results);
  };
}

/// A unit that adds so many numbers and its accumulator at a time.
inline Kernel fused(std::size_t width) {
  return [width](const Add& add, Numbers x) {
    double sum = 0;
    for (std::size_t at = 0; at < x.size(); at += width) {
      std::vector<double> step{sum};
      const Numbers some = x.subspan(at, std::min(width, x.size() - at));
      step.insert(step.end(), some.begin(), some.end());
      sum = add(step);
    }
    return sum;
  };
}

/// As the pairwise sum of NumPy adds contiguous numbers: eight accumulators in blocks of at most 128.
inline double numpy_sum(const Add& add, Numbers x) {
  constexpr std::size_t block = 128;
  constexpr std::size_t unrolled = 8;
  if (x.size() < unrolled) return chain(add, x);
  if (x.size() > block) {
    const std::size_t half = x.size() / 2 - x.size() / 2 % unrolled;
    return two(add, numpy_sum(add, x.first(half)), numpy_sum(add, x.subspan(half)));
  }
  std::vector<double> r(x.begin(), x.begin() + unrolled);
  std::size_t i = unrolled;
  for (; i + unrolled <= x.size(); i += unrolled) {
    for (std::size_t t = 0; t < unrolled; ++t) r[t] = two(add, r[t], x[i + t]);
  }
  double sum = two(add, two(add, two(add, r[0], r[1]), two(add, r[2], r[3])),
                   two(add, two(add, r[4], r[5]), two(add, r[6], r[7])));
  for (; i < x.size(); ++i) sum = two(add, sum, x[i]);
  return sum;
}

/// Exact for numbers of binary64 that many binades apart: partial sums that do not overlap (Shewchuk 1997), as
/// math.fsum of Python keeps them.
inline double exact_sum(const Add&, Numbers x) {
  std::vector<double> partials;
  for (double each : x) {
    std::size_t kept = 0;
    for (double other : partials) {
      if (std::abs(each) < std::abs(other)) std::swap(each, other);
      const double high = each + other;
      const double low = other - (high - each);
      if (low != 0) partials[kept++] = low;
      each = high;
    }
    partials.resize(kept);
    partials.push_back(each);
  }
  double sum = 0;
  for (std::size_t i = partials.size(); i-- > 0;) sum += partials[i];
  return sum;
}

/// Kahan's compensated sum.
inline double kahan_sum(const Add&, Numbers x) {
  double sum = 0;
  double c = 0;
  for (const double each : x) {
    const double y = each - c;
    const double t = sum + y;
    c = (t - sum) - y;
    sum = t;
  }
  return sum;
}

/// As by(), in binary64 and fast.
inline ReductionOf reduction_in(const Tree& tree) {
  return [&tree](std::size_t n) {
    Reduction reduction{Number::f64, Number::f64, n, false, nullptr, {}};
    reduction.compute = [&tree](std::span<const Terms> asked) {
      std::vector<std::uint64_t> answers;
      std::vector<double> values(tree.vertices());
      for (const Terms& each : asked) {
        for (std::size_t i = 0; i < tree.terms(); ++i) values[i] = std::bit_cast<double>(each.x[i]);
        for (std::size_t k = 0; k < tree.operations(); ++k) {
          values[tree.terms() + k] = values[tree.parts(k)[0]] + values[tree.parts(k)[1]];
        }
        answers.push_back(std::bit_cast<std::uint64_t>(values.back()));
      }
      return answers;
    };
    return reduction;
  };
}

/// A tree over n terms that adds two drawn vertices at a time.
inline Tree random_tree(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Tree::Vertex> left;
  for (std::size_t i = 0; i < n; ++i) left.push_back(static_cast<Tree::Vertex>(i));
  Tree tree(n);
  while (left.size() > 1) {
    std::vector<Tree::Vertex> parts;
    for (int p = 0; p < 2; ++p) {
      std::swap(left[random() % left.size()], left.back());
      parts.push_back(left.back());
      left.pop_back();
    }
    left.push_back(tree.add(parts));
  }
  return tree;
}

/// The kernel that adds in a tree.
inline Kernel by(const Tree& tree) {
  return [tree](const Add& add, Numbers x) {
    std::vector<double> values(x.begin(), x.end());
    for (std::size_t k = 0; k < tree.operations(); ++k) {
      std::vector<double> parts;
      for (const Tree::Vertex each : tree.parts(k)) parts.push_back(values[each]);
      values.push_back(add(parts));
    }
    return values.back();
  };
}

}  // namespace assay::orders
