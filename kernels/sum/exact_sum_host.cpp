#include "kernels/sum/exact_sum_host.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "arith/accumulators/superaccumulator.hpp"
#include "arith/accumulators/window.hpp"
#include "exec/host_threads.hpp"

namespace assay::sum {
namespace {

constexpr int width = 8;                  // lanes of a vector
constexpr int height = 8;                 // vectors that are added together
constexpr std::int64_t tile = host_tile;  // their numbers
static_assert(tile == width * height);
constexpr int most_misses = 4;  // tiles with numbers below the window, until another window is taken

// Arithmetic on vectors is IEEE's, lane by lane. The build forbids contracting a product and a sum.
typedef double Vector __attribute__((vector_size(8 * width)));
typedef std::int64_t Bits __attribute__((vector_size(8 * width)));

/// The operands of n terms; y is null for a sum.
struct Operands {
  const double* x;
  const double* y;
};

/// Sums: the terms are the numbers.
struct Sums {
  static constexpr bool is_dot = false;
  static constexpr int words = 3;
  static constexpr int first_words = 2;  ///< that most numbers need
  static constexpr int margin = 14;      ///< binades above the first numbers that the window has room for
  static constexpr int additions = height;
};
/// Dot products: a term is the two numbers of TwoProd.
struct Dots {
  static constexpr bool is_dot = true;
  static constexpr int words = 5;
  static constexpr int first_words = 3;
  static constexpr int first_error_words = 4;  ///< the end of the words that most errors of TwoProd need
  static constexpr int margin = 24;
  static constexpr int additions = 2 * height;
};

/// The parts of the sum that the lanes of a window hold, in units of its grids. The window begins at 2^top.
template <class Terms>
struct Drained {
  Bits word[Terms::words];
  int top;
};

/// The terms that a window adds between two drains.
template <class Terms>
constexpr std::int64_t passage = tile * (WindowAccumulator<Terms::words>::additions / Terms::additions);

constexpr std::int64_t magnitude_mask = INT64_MAX;
/// high_bits of 2⁻⁹⁶⁸: from there on TwoProd is exact.
constexpr std::int64_t least_product = std::int64_t{1023 - 968} << 52;

[[gnu::always_inline]] inline bool any(const Bits& bits) {
  std::int64_t all = 0;
  for (int i = 0; i < width; ++i) all |= bits[i];
  return all != 0;
}
[[gnu::always_inline]] inline bool any_negative(const Bits& bits) {
  std::int64_t all = 0;
  for (int i = 0; i < width; ++i) all |= bits[i];
  return all < 0;
}
/// Adds v to the words from `first` to before `end`, as WindowAccumulator::add does; v becomes the rest.
[[gnu::always_inline]] inline void add(Vector* word, int first, int end, Vector& v) {
  for (int l = first; l < end; ++l) {
    const Vector t = word[l] + v;
    v = v - (t - word[l]);
    word[l] = t;
  }
}

/// Adds the rests of a tile, those that are not 0.
[[gnu::noinline]] void add_rests(const Vector* rests, int count, Superaccumulator& exact) {
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < width; ++i) {
      if (rests[j][i] != 0) exact.add(rests[j][i]);
    }
  }
}

/// Takes the parts of the sum out of the words, as WindowAccumulator::drain does.
template <class Terms>
[[gnu::always_inline]] inline void drain(Vector* word, const WindowAccumulator<Terms::words>& empty,
                                         Drained<Terms>& drained) {
  for (int l = 0; l < Terms::words; ++l) {
    drained.word[l] += reinterpret_cast<Bits>(word[l]) - static_cast<std::int64_t>(to_bits(empty.s[l]));
    word[l] = Vector{} + empty.s[l];
  }
}

/// The exponent of the largest term of the first tile; 1024 where one is not a finite number.
[[gnu::always_inline]] inline int largest_exponent(const Operands& of) {
  std::int64_t largest[width] = {};  // of each lane
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < width; ++i) {
      const int k = j * width + i;
      const double term = of.y == nullptr ? of.x[k] : of.x[k] * of.y[k];
      largest[i] = std::max(largest[i], static_cast<std::int64_t>(to_bits(term)) & magnitude_mask);
    }
  }
  return static_cast<int>(std::ranges::max(largest) >> 52) - 1023;
}

/// Adds tiles of n terms to windows that fit the first tile, one window for each lane, and parts below a window to
/// `exact`. Returns how many terms were added: a multiple of the tile. Stops before a tile that the window has no room
/// for, and after the tile with which too many had numbers below it. Requires: at least one tile, and at most as many
/// as WindowAccumulator::drains passages allow (not checked).
template <class Terms>
[[gnu::always_inline]] inline std::int64_t take_tiles(const Operands& of, std::int64_t n, Drained<Terms>& drained,
                                                      Superaccumulator& exact) {
  constexpr int L = Terms::words;
  const auto empty = WindowAccumulator<L>::around(largest_exponent(of), Terms::margin);
  drained.top = empty.top;
  const Bits last = Bits{} + (static_cast<std::int64_t>(to_bits(empty.limit())) - 1);
  Vector word[L];
  for (int l = 0; l < L; ++l) {
    word[l] = Vector{} + empty.s[l];
    drained.word[l] = Bits{};
  }
  int misses = 0;
  std::int64_t done = 0;
  while (done + tile <= n && misses <= most_misses) {
    Vector rest[Terms::is_dot ? 2 * height : height];  // the numbers; for products also the errors of TwoProd
    Bits outside = Bits{};                             // negative if the window has no room
    Bits other = Bits{};                               // than −0
    if constexpr (Terms::is_dot) {
      alignas(Vector) double lost[tile];
      alignas(Vector) double product[tile];
      const double* const x = of.x + done;
      const double* const y = of.y + done;
      for (int k = 0; k < tile; ++k) product[k] = x[k] * y[k];
      for (int k = 0; k < tile; ++k) lost[k] = __builtin_fma(x[k], y[k], -product[k]);
      std::memcpy(rest, product, sizeof product);
      std::memcpy(rest + height, lost, sizeof lost);
      for (int j = 0; j < height; ++j) {
        Bits factor[2];
        std::memcpy(&factor[0], x + j * width, sizeof factor[0]);
        std::memcpy(&factor[1], y + j * width, sizeof factor[1]);
        // Negative if a factor is 0. A comparison of vectors would be done lane by lane.
        const Bits is_exact = ((factor[0] & magnitude_mask) - 1) | ((factor[1] & magnitude_mask) - 1);
        outside |= ((reinterpret_cast<Bits>(rest[j]) & magnitude_mask) - least_product) & ~is_exact;
      }
    } else {
      std::memcpy(rest, of.x + done, sizeof rest);
    }
    for (int j = 0; j < height; ++j) {
      outside |= last - (reinterpret_cast<Bits>(rest[j]) & magnitude_mask);
      other |= reinterpret_cast<Bits>(rest[j]) ^ INT64_MIN;
    }
    if (any_negative(outside)) break;
    done += tile;
    exact.flags |= any(other) ? accumulators::saw_number : accumulators::saw_minus_zero;
    Bits left = Bits{};
    for (int j = 0; j < height; ++j) {
      add(word, 0, Terms::first_words, rest[j]);
      left |= reinterpret_cast<Bits>(rest[j]) & magnitude_mask;
      if constexpr (Terms::is_dot) {
        add(word, 1, Terms::first_error_words, rest[height + j]);
        left |= reinterpret_cast<Bits>(rest[height + j]) & magnitude_mask;
      }
    }
    if (any(left)) {
      left = Bits{};
      for (int j = 0; j < height; ++j) {
        add(word, Terms::first_words, L, rest[j]);
        left |= reinterpret_cast<Bits>(rest[j]) & magnitude_mask;
        if constexpr (Terms::is_dot) {
          add(word, Terms::first_error_words, L, rest[height + j]);
          left |= reinterpret_cast<Bits>(rest[height + j]) & magnitude_mask;
        }
      }
      if (any(left)) {
        add_rests(rest, Terms::is_dot ? 2 * height : height, exact);
        ++misses;
      }
    }
    if (done % passage<Terms> == 0) drain<Terms>(word, empty, drained);
  }
  drain<Terms>(word, empty, drained);
  return done;
}

template <class Terms>
using TakeTiles = std::int64_t (*)(const Operands&, std::int64_t, Drained<Terms>&, Superaccumulator&);

template <class Terms>
std::int64_t take_tiles_anywhere(const Operands& of, std::int64_t n, Drained<Terms>& drained, Superaccumulator& exact) {
  return take_tiles<Terms>(of, n, drained, exact);
}
#ifdef __x86_64__
template <class Terms>
[[gnu::target("avx2,fma")]] std::int64_t take_tiles_avx2(const Operands& of, std::int64_t n, Drained<Terms>& drained,
                                                         Superaccumulator& exact) {
  return take_tiles<Terms>(of, n, drained, exact);
}
template <class Terms>
[[gnu::target("avx512f,avx512dq,avx2,fma")]] std::int64_t take_tiles_avx512(const Operands& of, std::int64_t n,
                                                                            Drained<Terms>& drained,
                                                                            Superaccumulator& exact) {
  return take_tiles<Terms>(of, n, drained, exact);
}
#endif

template <class Terms>
TakeTiles<Terms> by(HostVectors vectors) {
  switch (vectors) {
#ifdef __x86_64__
    case HostVectors::avx512:
      return take_tiles_avx512<Terms>;
    case HostVectors::avx2:
      return take_tiles_avx2<Terms>;
#endif
    default:
      return take_tiles_anywhere<Terms>;
  }
}

/// Adds n terms one by one.
void add_each(const Operands& of, std::int64_t n, Superaccumulator& exact) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (of.y == nullptr) {
      exact.add(of.x[i]);
    } else {
      exact.add_product(of.x[i], of.y[i]);
    }
  }
}

/// Adds n terms.
template <class Terms>
void add_part(TakeTiles<Terms> take, Operands of, std::int64_t n, Superaccumulator& exact) {
  using Window = WindowAccumulator<Terms::words>;
  constexpr std::int64_t most = Window::drains * passage<Terms>;
  constexpr std::int64_t few = most / width;
  while (n >= tile) {
    Drained<Terms> drained;
    std::int64_t taken = take(of, std::min(n, most), drained, exact);
    Window window = Window::at(drained.top);
    // If there are few terms, all lanes together have room in one word each.
    const int lanes_at_once = taken <= few ? width : 1;
    for (int lane = 0; lane < width && taken != 0; lane += lanes_at_once) {
      for (int l = 0; l < Terms::words; ++l) {
        for (int i = 0; i < lanes_at_once; ++i) window.drained[l] += drained.word[l][lane + i];
      }
      window.move_to(exact);
    }
    if (taken == 0) {
      add_each(of, tile, exact);
      taken = tile;
    }
    of.x += taken;
    if (of.y != nullptr) of.y += taken;
    n -= taken;
  }
  add_each(of, n, exact);
}

/// The sum of all parts, one thread for each.
template <class Terms>
double sum_up(HostVectors vectors, unsigned threads, const Operands& of, std::int64_t n, Rounding to) {
  const TakeTiles<Terms> take = by<Terms>(vectors);
  std::vector<Superaccumulator> sums(threads);
  on_host_threads(threads, [&](unsigned thread) {
    const std::int64_t t = thread;
    const std::int64_t begin = n / threads * t + std::min<std::int64_t>(t, n % threads);
    const std::int64_t size = n / threads + (t < n % threads ? 1 : 0);
    add_part<Terms>(take, {of.x + begin, of.y == nullptr ? nullptr : of.y + begin}, size, sums[thread]);
  });
  for (unsigned t = 1; t < threads; ++t) sums[0].add(sums[t]);
  return sums[0].round(to);
}

}  // namespace

HostVectors host_vectors() noexcept {
#ifdef __x86_64__
#ifndef __SANITIZE_ADDRESS__  // with it, g++ 12 does not align vectors of 64 bytes on the stack (GCC bug 110027)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return HostVectors::avx512;
#endif
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return HostVectors::avx2;
#endif
  return HostVectors::none;
}

unsigned host_threads(std::int64_t n) noexcept { return host_threads_for(static_cast<double>(n >> 18)); }

double exact_sum_on_host(HostVectors vectors, unsigned threads, const double* x, std::int64_t n, Rounding to) {
  return sum_up<Sums>(vectors, threads, {x, nullptr}, n, to);
}

Superaccumulator exact_dot_part(HostVectors vectors, const double* x, const double* y, std::int64_t n) {
  Superaccumulator sum{};
  add_part<Dots>(by<Dots>(vectors), {x, y}, n, sum);
  return sum;
}

double exact_dot_on_host(HostVectors vectors, unsigned threads, const double* x, const double* y, std::int64_t n,
                         Rounding to) {
  return sum_up<Dots>(vectors, threads, {x, y}, n, to);
}

}  // namespace assay::sum
