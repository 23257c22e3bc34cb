#include "assay/conversions/stochastic_inputs.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "assay/conversions/inputs.hpp"

namespace assay::conversions {
namespace {

using oracle::Number;
using oracle::NumberFormat;

/// Magnitudes of the target at which intervals begin: all of them, or a sample.
std::set<std::uint64_t> intervals_of(const NumberFormat& to, std::mt19937_64& random, std::size_t count) {
  std::set<std::uint64_t> codes;
  const std::uint64_t most = to.largest();
  if (to.bits <= 8) {
    for (std::uint64_t code = 0; code <= most; ++code) codes.insert(code);
    return codes;
  }
  const std::uint64_t binade = std::uint64_t{1} << (to.precision - 1);
  for (std::uint64_t first = 0; first <= most; first += binade) {
    for (const std::uint64_t code : {first, first + 1, first + binade - 1}) codes.insert(std::min(code, most));
  }
  for (std::size_t i = 0; i < count; ++i) codes.insert(random() % (most + 1));
  return codes;
}

/// The largest number of the source that is at most halves/2^(bits + 1) of the gap above the number of that code.
std::uint64_t in_gap(const NumberFormat& from, const NumberFormat& to, std::uint64_t code, std::uint64_t halves,
                     int bits) {
  const Number low = decode(to, code);
  return at_most(from, (low.m << (bits + 1)) + halves, low.e - bits - 1);
}

std::vector<std::uint64_t> distinct(std::vector<std::uint64_t> all) {
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

}  // namespace

std::vector<std::uint64_t> stochastic_inputs(const NumberFormat& from, const NumberFormat& to, int bits,
                                             std::uint64_t seed, std::size_t random) {
  if (are_few(from)) {
    std::vector<std::uint64_t> all(from.mask() + 1);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  std::mt19937_64 numbers(seed);
  std::vector<std::uint64_t> all = special_inputs(from);
  const std::uint64_t words = std::uint64_t{1} << bits;
  const std::uint64_t most = from.largest();
  for (const std::uint64_t code : intervals_of(to, numbers, random)) {
    const std::uint64_t some = numbers() % words;
    for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, words / 2, some, words - 1}) {
      for (const std::uint64_t halves : {2 * k, 2 * k + 1}) {
        const std::uint64_t below = in_gap(from, to, code, halves, bits);
        for (std::uint64_t each = below - (below == 0 ? 0 : 1); each <= std::min(below + 1, most); ++each) {
          all.insert(all.end(), {each, each | from.sign_bit()});
        }
      }
    }
  }
  return distinct(std::move(all));
}

std::vector<std::uint32_t> words_for(const Number& x, const NumberFormat& to, int bits, std::uint64_t seed) {
  const std::uint64_t words = std::uint64_t{1} << bits;
  std::mt19937_64 random(seed);
  std::set<std::uint64_t> all{0, 1, words / 2 - 1, words / 2, words - 2, words - 1, random() % words, random() % words};
  const oracle::Chances of =
      oracle::chances(x, to, {.direction = oracle::Direction::outward}, oracle::Draw::carry, bits);
  // Draws differ by at most one word. If `carry` has no word, another draw may have one.
  for (std::uint64_t k = of.words == 0 ? 0 : of.words - 1; k <= std::min(of.words + 2, words - 1); ++k) {
    all.insert(k);
    all.insert(words - 1 - k);
  }
  all.erase(all.lower_bound(words), all.end());
  return {all.begin(), all.end()};
}

std::vector<std::uint64_t> inputs_of_frequencies(const NumberFormat& from, const NumberFormat& to, int bits) {
  const std::uint64_t words = std::uint64_t{1} << bits;
  const std::uint64_t binade = std::uint64_t{1} << (to.precision - 1);
  const std::uint64_t most = to.largest();
  const std::uint64_t middle = most / 2;
  std::vector<std::uint64_t> all;
  for (const std::uint64_t code : {std::uint64_t{0}, binade / 2, binade - 1, binade, middle, middle + 1, most - 1}) {
    std::vector<std::uint64_t> of{0, words / 2, words / 8};
    if (code == middle || code == binade / 2) {
      for (int power = 1; power < bits; power += 2) of.push_back((words >> power) - 1);
    }
    for (const std::uint64_t k : of) {
      const std::uint64_t each = in_gap(from, to, std::min(code, most - 1), 2 * k, bits);
      all.insert(all.end(), {each, each | from.sign_bit()});
    }
  }
  return distinct(std::move(all));
}

std::vector<std::uint64_t> inputs_of_binades(const NumberFormat& from, const NumberFormat& to, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::uint64_t binade = std::uint64_t{1} << (to.precision - 1);
  const std::uint64_t most = to.largest();
  std::vector<std::uint64_t> all;
  for (std::uint64_t first = 0; first < most; first += binade) {
    const std::uint64_t each = in_gap(from, to, std::min(first + random() % binade, most - 1), 1, 0);
    all.insert(all.end(), {each, each | from.sign_bit()});
  }
  return distinct(std::move(all));
}

std::uint64_t input_of_agreements(const NumberFormat& from, const NumberFormat& to) {
  return in_gap(from, to, to.largest() / 2, 1, 0);
}

}  // namespace assay::conversions
