#include "assay/conversions/inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

namespace assay::conversions {
namespace {

using oracle::Number;
using oracle::NumberFormat;

constexpr std::size_t sampled_numbers = 1 << 15;

/// Codes of magnitudes of a format: all, or a sample with the ends of its binades.
std::vector<std::uint64_t> magnitudes_of(const NumberFormat& format, std::mt19937_64& random) {
  const std::uint64_t most = format.largest();
  std::vector<std::uint64_t> codes;
  if (are_few(format)) {
    codes.resize(most + 1);
    std::iota(codes.begin(), codes.end(), std::uint64_t{0});
    return codes;
  }
  const std::uint64_t binade = std::uint64_t{1} << (format.precision - 1);
  for (std::uint64_t first = 0; first <= most; first += binade) {
    for (const std::uint64_t code : {first, first + 1, first + binade - 1}) codes.push_back(std::min(code, most));
  }
  for (std::size_t i = 0; i < sampled_numbers; ++i) codes.push_back(random() % (most + 1));
  return codes;
}

/// Calls visit(m, e) for the breakpoints of docs/bounds/convert.md: 0, the numbers of the target, the one that would
/// follow the largest, and the midpoints between them.
template <class Visit>
void visit_breakpoints(const NumberFormat& to, std::mt19937_64& random, const Visit& visit) {
  visit(0, 0);
  for (const std::uint64_t code : magnitudes_of(to, random)) {
    const Number x = decode(to, code);
    visit(x.m, x.e);
    visit(2 * x.m + 1, x.e - 1);  // the next number is (m + 1)·2^e
    if (code == to.largest()) visit(x.m + 1, x.e);
  }
}

}  // namespace

std::uint64_t at_most(const NumberFormat& of, std::uint64_t m, int e) {
  const oracle::Rule truncation{.direction = oracle::Direction::zero};
  return converted({Number::Kind::finite, false, m, e}, of, truncation).code;
}

std::vector<std::uint64_t> special_inputs(const NumberFormat& from) {
  std::vector<std::uint64_t> all;
  const auto add = [&](std::uint64_t magnitude) { all.insert(all.end(), {magnitude, magnitude | from.sign_bit()}); };
  const std::uint64_t most = from.largest();
  const std::uint64_t binade = std::uint64_t{1} << (from.precision - 1);
  for (std::uint64_t first = 0; first <= most; first += binade) {
    for (const std::uint64_t code : {first, first + 1, first + binade - 1}) add(code);
  }
  const std::uint64_t infinity = most + 1;
  for (const std::uint64_t special : {infinity, infinity + 1, infinity + binade / 2, infinity + binade - 1})
    add(special);
  return all;
}

std::vector<std::uint64_t> borders_between(const NumberFormat& from, const NumberFormat& to) {
  std::mt19937_64 unused;
  std::vector<std::uint64_t> borders{0, 1};
  visit_breakpoints(to, unused, [&](std::uint64_t m, int e) {
    const std::uint64_t below = at_most(from, m, e);
    borders.insert(borders.end(), {below, below + 1});
  });
  std::ranges::sort(borders);
  borders.erase(std::ranges::unique(borders).begin(), borders.end());
  return borders;
}

std::vector<std::uint64_t> reduced_set(const NumberFormat& from, const NumberFormat& to, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::uint64_t most = from.largest();
  std::vector<std::uint64_t> all{most, most | from.sign_bit()};
  visit_breakpoints(to, random, [&](std::uint64_t m, int e) {
    const std::uint64_t below = at_most(from, m, e);
    for (std::uint64_t each = below - (below == 0 ? 0 : 1); each <= std::min(below + 2, most); ++each) {
      all.insert(all.end(), {each, each | from.sign_bit()});
    }
  });
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

std::vector<std::uint64_t> inputs_of(const NumberFormat& from, const NumberFormat& to, std::uint64_t seed,
                                     std::size_t random_numbers) {
  if (are_few(from)) {
    std::vector<std::uint64_t> all(from.mask() + 1);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  std::vector<std::uint64_t> all = reduced_set(from, to, seed);
  const std::vector<std::uint64_t> special = special_inputs(from);
  all.insert(all.end(), special.begin(), special.end());
  const auto add = [&](std::uint64_t magnitude) { all.insert(all.end(), {magnitude, magnitude | from.sign_bit()}); };
  std::mt19937_64 random(seed);
  const std::uint64_t most = from.largest();
  const Number largest = decode(to, to.largest());
  const Number least = decode(to, to.codes == oracle::Codes::no_zero ? 0 : 1);
  const std::uint64_t low = at_most(from, least.m, least.e - 2);
  const std::uint64_t high = at_most(from, largest.m, largest.e + 2);
  for (std::size_t i = 0; i < random_numbers; ++i) {
    add(random() % (most + 1));
    add(low + random() % (high - low + 1));
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

}  // namespace assay::conversions
