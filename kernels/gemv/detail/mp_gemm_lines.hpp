#pragma once
// The first kernels of the multiple-precision GEMM: the exponents of its lines, their residues for three further
// primes, and slices of 7 bits.

#include <cstddef>
#include <cstdint>

#include "arith/bits/ceil_div.hpp"
#include "exec/block.hpp"
#include "kernels/gemv/detail/mp_gemm_moduli.hpp"
#include "kernels/gemv/mp_gemv_exact.hpp"

namespace assay::gemm::detail {

/// A = op(A) or B = op(B)ᵀ on an executor, as lines of `terms` numbers: number l of line i is number i·line_step +
/// l·term_step of the planes, one of the steps 1. A line is a row of op(A) or a column of op(B).
struct MpLines {
  gemv::MpPlanes x;
  std::int64_t lines, terms, line_step, term_step;
  /// Residues for the primes that the planes do not have: prime e of number l of line i is at e·lines·terms + the
  /// place with packed steps.
  std::uint32_t* more = nullptr;

  [[nodiscard]] ASSAY_HD bool lines_adjacent() const { return line_step == 1; }
  [[nodiscard]] ASSAY_HD std::int64_t place(std::int64_t i, std::int64_t l) const {
    return i * line_step + l * term_step;
  }
  [[nodiscard]] ASSAY_HD std::int64_t packed(std::int64_t i, std::int64_t l) const {
    return lines_adjacent() ? i + l * lines : i * terms + l;
  }
};

/// The known data of a line. The exponents of its numbers are base … base + apart, zeros left out; all zeros: 0, 0.
struct MpLine {
  std::int32_t base;
  std::int32_t apart;
};

/// The exponents of a word, or false for a zero.
ASSAY_HD inline bool exponent_of_word(std::int32_t word, std::int32_t& exponent) {
  exponent = word >> 1;
  return word != gemv::MpPlanes::zero;
}

/// The MpLine of each line. Neighboring threads read neighboring numbers.
struct MpFindLines {
  static constexpr int threads = 256;
  struct Shared {
    std::int32_t most[threads];
    std::int32_t least[threads];
  };
  MpLines of;
  MpLine* found;

  [[nodiscard]] ASSAY_HD static int lines_of_block(const MpLines& of) { return of.lines_adjacent() ? 32 : 8; }
  [[nodiscard]] static std::size_t blocks(const MpLines& of) {
    return static_cast<std::size_t>(bits::ceil_div(of.lines, lines_of_block(of)));
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const int lines = lines_of_block(of);
    const int lanes = threads / lines;
    const std::int64_t first = static_cast<std::int64_t>(block.index()) * lines;
    const bool adjacent = of.lines_adjacent();
    block.for_each_thread([&](int t, Shared& s) {
      const std::int64_t line = first + (adjacent ? t % lines : t / lanes);
      std::int32_t most = INT32_MIN;
      std::int32_t least = INT32_MAX;
      if (line < of.lines) {
        ASSAY_UNROLL(8)
        for (std::int64_t l = adjacent ? t / lines : t % lanes; l < of.terms; l += lanes) {
          std::int32_t e = 0;
          if (!exponent_of_word(of.x.words[of.place(line, l)], e)) continue;
          most = e > most ? e : most;
          least = e < least ? e : least;
        }
      }
      s.most[t] = most;
      s.least[t] = least;
    });
    block.for_each_thread([&](int t, Shared& s) {
      if (t >= lines || first + t >= of.lines) return;
      std::int32_t most = INT32_MIN;
      std::int32_t least = INT32_MAX;
      for (int lane = 0; lane < lanes; ++lane) {
        const int at = adjacent ? t + lane * lines : t * lanes + lane;
        most = s.most[at] > most ? s.most[at] : most;
        least = s.least[at] < least ? s.least[at] : least;
      }
      found[first + t] = most < least ? MpLine{0, 0} : MpLine{least, most - least};
    });
  }
};

/// The residues of number `at` of the lines for the primes beyond those of its planes (docs/bounds/gemv.md,
/// gemv.gemm.4).
struct MpMoreResidues {
  MpLines of;
  int n;
  ASSAY_HD void operator()(std::size_t at) const {
    const auto index = static_cast<std::int64_t>(at);
    const std::int64_t fast = of.lines_adjacent() ? of.lines : of.terms;
    const std::int64_t slow = of.lines_adjacent() ? of.term_step : of.line_step;
    const std::int64_t from = index % fast + index / fast * slow;
    const std::int64_t numbers = of.lines * of.terms;
    if (of.x.words[from] == gemv::MpPlanes::zero) {
      for (int e = 0; e < more_moduli; ++e) of.more[e * numbers + index] = 0;
      return;
    }
    const MpMoreView tables = more_tables(n);
    std::uint64_t rank = std::uint64_t{1} << 31;
    std::uint64_t low[more_moduli] = {};
    std::uint64_t high[more_moduli] = {};
    for (int i = 0; i < tables.half.size; ++i) {
      const rns::CrtDigit s = rns::crt_digit(tables.half, i, of.x.digits[i * of.x.plane + from]);
      rank += s.fraction;
      ASSAY_UNROLL(3)
      for (int e = 0; e < more_moduli; ++e) {
        const std::uint64_t product = std::uint64_t{s.digit} * tables.cofactor[i * more_moduli + e];
        low[e] += product & 0xFFFFFFFFu;
        high[e] += product >> 32;
      }
    }
    const rns::LimbTablesView all = mp_gemm_tables(n);
    const auto turns = static_cast<std::uint32_t>(rank >> 32);
    ASSAY_UNROLL(3)
    for (int e = 0; e < more_moduli; ++e) {
      const int i = n + e;
      const std::uint32_t m = all.modulus[i];
      const std::uint64_t mu = all.reciprocal[i];
      // 2³² mod m, and all sums below 2⁶⁴: low and high are below 2³²·65.
      const std::uint64_t upper = rns::mul_mod(rns::reduce(high[e], m, mu), all.power32[all.size + i], m, mu);
      const std::uint32_t sum = rns::reduce(upper + low[e], m, mu);
      of.more[e * numbers + index] = rns::sub_mod(sum, rns::mul_mod(turns, tables.product[e], m, mu), m);
    }
  }
};

/// The slices of 7 bits of a balanced residue, and the weights of products of two slices.
inline constexpr int slices = 4;
inline constexpr int weights = 2 * slices - 1;

/// The slices of a panel of lines and terms for some moduli. A number X·2^e of a line becomes the integer ±X·2^(e −
/// base), which is reduced modulo m to a v of magnitude at most m/2, v = Σ d_p·2^(7p) with −64 ≤ d_p < 64. Slice p of
/// term l of line i for the modulus numbered g is at ((g·lines + i)·slices + p)·padded + l, and for the second factor
/// of a product at slices − 1 − p in place of p. Beyond the terms, and in lines whose exponents are more than `window`
/// apart, there are zeros.
struct MpSlices {
  static constexpr int threads = 256;
  static constexpr int tile_lines = 32;
  static constexpr int tile_terms = 64;
  static constexpr int pitch = tile_terms + 4;
  struct Shared {
    alignas(16) std::int8_t digit[slices][tile_lines][pitch];
  };
  MpLines of;
  const MpLine* known;
  int n;
  int window;
  int first_modulus;
  bool second;
  std::int64_t first_line, lines;
  std::int64_t first_term, terms, padded;  ///< padded: a multiple of 4
  std::int8_t* to;

  [[nodiscard]] ASSAY_HD std::int64_t line_tiles() const { return bits::ceil_div(lines, tile_lines); }
  [[nodiscard]] ASSAY_HD std::int64_t term_tiles() const { return bits::ceil_div(padded, tile_terms); }
  [[nodiscard]] std::size_t blocks(int moduli) const {
    return static_cast<std::size_t>(line_tiles() * term_tiles()) * static_cast<std::size_t>(moduli);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const rns::LimbTablesView tables = mp_gemm_tables(n);
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t tiles = line_tiles() * term_tiles();
    const auto g = static_cast<int>(index / tiles);
    const int modulus = first_modulus + g;
    const std::int64_t line_tile = index % tiles / term_tiles() * tile_lines;
    const std::int64_t term_tile = index % term_tiles() * tile_terms;
    const std::uint32_t m = tables.modulus[modulus];
    const std::uint64_t mu = tables.reciprocal[modulus];
    const std::uint32_t quotient = tables.shift_quotient[modulus];
    const std::int64_t numbers = of.lines * of.terms;
    const bool adjacent = of.lines_adjacent();
    block.for_each_thread([&](int t, Shared& s) {
      ASSAY_UNROLL(4)
      for (int at = t; at < tile_lines * tile_terms; at += threads) {
        const int i = adjacent ? at % tile_lines : at / tile_terms;
        const int l = adjacent ? at / tile_lines : at % tile_terms;
        if (line_tile + i >= lines || term_tile + l >= padded) continue;
        const std::int64_t line = first_line + line_tile + i;
        const std::int64_t term = first_term + term_tile + l;
        std::int32_t v = 0;
        if (term_tile + l < terms && known[line].apart < window) {
          const std::int64_t place = of.place(line, term);
          const std::int32_t word = of.x.words[place];
          std::int32_t e = 0;
          if (exponent_of_word(word, e)) {
            const std::uint32_t digit = modulus < n ? of.x.digits[modulus * of.x.plane + place]
                                                    : of.more[(modulus - n) * numbers + of.packed(line, term)];
            v = balanced(shifted(digit, e - known[line].base, m, mu, quotient), m);
            if ((word & 1) != 0) v = -v;
          }
        }
        ASSAY_UNROLL(3)
        for (int p = 0; p + 1 < slices; ++p) {
          const std::int32_t d = ((v + 64) & 127) - 64;
          s.digit[p][i][l] = static_cast<std::int8_t>(d);
          v = (v - d) / 128;
        }
        s.digit[slices - 1][i][l] = static_cast<std::int8_t>(v);
      }
    });
    block.for_each_thread([&](int t, Shared& s) {
      constexpr int words = tile_terms / 4;
      for (int at = t; at < slices * tile_lines * words; at += threads) {
        const int l = at % words * 4;
        const int i = at / words % tile_lines;
        const int p = at / (words * tile_lines);
        if (line_tile + i >= lines || term_tile + l >= padded) continue;
        const std::int64_t row = (g * lines + line_tile + i) * slices + (second ? slices - 1 - p : p);
        copy_four(to + row * padded + term_tile + l, &s.digit[p][i][l]);
      }
    });
  }

 private:
  /// x·2^s mod m, s < 64.
  ASSAY_HD static std::uint32_t shifted(std::uint32_t x, int s, std::uint32_t m, std::uint64_t mu,
                                        std::uint32_t quotient) {
    if (s > 26) return rns::mul_mod(x, rns::reduce(std::uint64_t{1} << s, m, mu), m, mu);
    const std::uint32_t r = rns::shifted_residue(x, s, m, quotient);
    return r >= m ? r - m : r;
  }
  ASSAY_HD static std::int32_t balanced(std::uint32_t r, std::uint32_t m) {
    return r > m / 2 ? static_cast<std::int32_t>(r) - static_cast<std::int32_t>(m) : static_cast<std::int32_t>(r);
  }
  /// Four bytes; on a device by one access, both aligned to 4.
  ASSAY_HD static void copy_four(std::int8_t* out, const std::int8_t* in) {
#if defined(__CUDA_ARCH__)
    *reinterpret_cast<std::int32_t*>(out) = *reinterpret_cast<const std::int32_t*>(in);
#else
    for (int k = 0; k < 4; ++k) out[k] = in[k];
#endif
  }
};

/// Residue `at` for the modulus numbered g from the first one on ← itself, or 0 if `first`, plus Σ_w product[(g·weights
/// + w)·plane + at]·2^(7w) modulo the modulus. A block has neighboring places of one modulus. Requires: products below
/// 2³¹ in magnitude (not checked).
struct MpJoinWeights {
  static constexpr int threads = 256;
  struct Shared {};
  const std::int32_t* product;
  std::uint32_t* residue;
  std::int64_t plane;
  int n;
  int first_modulus;
  bool first;

  [[nodiscard]] std::size_t blocks(int moduli) const {
    return static_cast<std::size_t>(tiles()) * static_cast<std::size_t>(moduli);
  }

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    const auto index = static_cast<std::int64_t>(block.index());
    const std::int64_t g = index / tiles();
    const std::int64_t begin = index % tiles() * threads;
    const rns::LimbTablesView tables = mp_gemm_tables(n);
    const std::int64_t i = first_modulus + g;
    const std::uint32_t m = tables.modulus[i];
    const std::uint64_t mu = tables.reciprocal[i];
    block.for_each_thread([&](int t, Shared&) {
      const std::int64_t at = begin + t;
      if (at >= plane) return;
      const std::int32_t* const of = product + g * weights * plane + at;
      std::int64_t low = 0;   // the first four weights: below 2⁵³ in magnitude
      std::int64_t high = 0;  // the other three: below 2⁴⁶
      ASSAY_UNROLL(4)
      for (int w = slices - 1; w >= 0; --w) low = low * 128 + of[w * plane];
      ASSAY_UNROLL(3)
      for (int w = weights - 1; w >= slices; --w) high = high * 128 + of[w * plane];
      const std::uint32_t upper = rns::mul_mod(residue_of(high, m, mu), (std::uint32_t{1} << 28) - m, m, mu);
      const std::uint32_t sum = rns::add_mod(upper, residue_of(low, m, mu), m);
      std::uint32_t& out = residue[i * plane + at];
      out = first ? sum : rns::add_mod(out, sum, m);
    });
  }

 private:
  [[nodiscard]] ASSAY_HD std::int64_t tiles() const { return bits::ceil_div(plane, threads); }
  ASSAY_HD static std::uint32_t residue_of(std::int64_t x, std::uint32_t m, std::uint64_t mu) {
    const std::uint32_t r = rns::reduce(static_cast<std::uint64_t>(x < 0 ? -x : x), m, mu);
    return x < 0 ? rns::negate_mod(r, m) : r;
  }
};

}  // namespace assay::gemm::detail
