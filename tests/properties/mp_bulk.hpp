#pragma once
// The common parts of the programs that test whole multiple-precision products: numbers that are a function of the seed
// and a place, so that no copy of a matrix is needed for the exact value of an entry.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "arith/bits/split_mix64.hpp"
#include "kernels/mp/mp.hpp"
#include "oracle/residues.hpp"
#include "properties/catalog/gemv/properties.hpp"
#include "tests/properties/bulk_options.hpp"

namespace assay::gemv {

/// P for each number of moduli.
inline constexpr std::pair<int, int> precisions[] = {{106, 8}, {212, 16}, {424, 32}, {848, 64}, {1696, 128}};

/// ±X·2^exponent with X of `limbs` limbs, the top bit set.
struct Number {
  std::vector<std::uint32_t> limbs;
  std::int64_t exponent;
  bool negative;

  [[nodiscard]] oracle::Dyadic value() const {
    oracle::Dyadic x = oracle::integer_of_limbs(limbs);
    if (negative) x.negate();
    return x.mul_2exp(static_cast<long>(exponent));
  }
  /// An upper bound of |value()|, too large by at most 2⁻³⁰ of it: two upper limbs and a unit.
  [[nodiscard]] oracle::Dyadic magnitude() const {
    const std::size_t top = limbs.size() - 1;
    const std::uint64_t two = std::uint64_t{limbs[top]} << 32 | limbs[top - 1];
    oracle::Dyadic x = oracle::Dyadic(two) + oracle::Dyadic(1);
    return x.mul_2exp(static_cast<long>(exponent) + 32 * static_cast<long>(top - 1));
  }
};

/// A number of P bits with an exponent within ±spread less P, a function of the seed, a row and a column.
inline Number drawn_number(const MpFormat& format, std::uint64_t seed, std::int64_t row, std::int64_t column,
                           std::int64_t spread, bool one_sign) {
  using bits::SplitMix64;
  SplitMix64 random{SplitMix64::mixed(SplitMix64::mixed(seed + static_cast<std::uint64_t>(row)) +
                                      static_cast<std::uint64_t>(column))};
  Number number{std::vector<std::uint32_t>(format.limbs()), 0, false};
  for (std::uint32_t& limb : number.limbs) limb = static_cast<std::uint32_t>(random());
  const int top = (format.bits - 1) % 32;
  number.limbs.back() &= (std::uint32_t{2} << top) - 1;
  number.limbs.back() |= std::uint32_t{1} << top;
  const std::uint64_t word = random();
  number.exponent =
      static_cast<std::int64_t>((word >> 1) % static_cast<std::uint64_t>(2 * spread + 1)) - spread - format.bits;
  number.negative = !one_sign && (word & 1) != 0;
  return number;
}

/// f(i) for i = 0 … count − 1 by several threads.
template <class F>
void in_parallel(unsigned threads, std::int64_t count, F&& f) {
  std::atomic<std::int64_t> next = 0;
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      for (std::int64_t i = next++; i < count; i = next++) f(i);
    });
  }
  for (std::thread& each : all) each.join();
}

struct Count {
  std::atomic<std::uint64_t> judged = 0, wrong = 0;
  void add(bool right) {
    ++judged;
    if (!right) ++wrong;
  }
};

/// Numbers of an array in modulus planes: of_place(k) for k = 0 … length − 1.
template <class OfPlace>
mp::MpArray array_of_places(const Executor& on, unsigned threads, const MpFormat& format, std::int64_t length,
                            OfPlace&& of_place) {
  mp::MpLimbs x;
  x.count = format.limbs();
  x.limbs.resize(x.count * static_cast<std::size_t>(length));
  x.exponent.resize(static_cast<std::size_t>(length));
  x.sign.resize(static_cast<std::size_t>(length));
  const std::int64_t chunk = 1024;
  in_parallel(threads, (length + chunk - 1) / chunk, [&](std::int64_t part) {
    for (std::int64_t k = part * chunk; k < std::min(length, (part + 1) * chunk); ++k) {
      const Number number = of_place(k);
      const auto at = static_cast<std::size_t>(k);
      std::copy(number.limbs.begin(), number.limbs.end(), x.limbs.begin() + k * static_cast<std::int64_t>(x.count));
      x.exponent[at] = number.exponent;
      x.sign[at] = number.negative ? 1 : 0;
    }
  });
  return mp::mp_from_limbs(on, format.moduli, x, true);
}

/// The options that these programs read in addition to those of all programs.
struct MpBulkOptions : BulkOptions {
  int precision = 0;  ///< bits, from the list; 0: all
  std::int64_t n = 0;
};

/// Runs a program: for each requested precision Bulk(options, moduli).run(kind), which returns the number of wrong
/// entries, for each of its kinds of products. Returns its exit code.
template <class Bulk, class Kinds>
int run_mp_bulk(const char* name, const char* what, int argc, char** argv, MpBulkOptions options, std::int64_t largest,
                const Kinds& kinds) {
  CLI::App app(what, name);
  add_bulk_options(app, options);
  std::set<int> bits{0};
  for (const auto& [precision, moduli] : precisions) bits.insert(precision);
  app.add_option("--precision", options.precision, "bits of the numbers; 0: all")->check(CLI::IsMember(bits));
  app.add_option("--n", options.n, "rows and columns")->check(CLI::Range(std::int64_t{1}, largest));
  return run_bulk(app, argc, argv, options, [&] {
    std::uint64_t wrong = 0;
    for (const auto& [precision, moduli] : precisions) {
      if (options.precision != 0 && options.precision != precision) continue;
      Bulk bulk(options, moduli);
      for (const auto& kind : kinds) wrong += bulk.run(kind);
    }
    std::printf("%s\n", wrong == 0 ? "no entry is wrong" : "entries are WRONG");
    return wrong == 0;
  });
}

}  // namespace assay::gemv
