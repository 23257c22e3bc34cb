#include "assay/orders/reduction.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace assay::orders {
namespace {

/// The exponents of M and u. Half of the range is left free above M for operations that add several numbers at once.
struct Range {
  int large;
  int small;
};
Range range_of(const Reduction& reduction, bool subnormal) {
  const oracle::Format in = prober::format_of(reduction.number);
  const oracle::Format out = prober::format_of(reduction.result);
  const int factors = reduction.has_products ? 2 : 1;
  // Subnormal ones, where the range of normal numbers is short.
  const auto least_of = [subnormal](const oracle::Format& format) {
    return format.emin - (subnormal && format == oracle::binary16 ? format.fraction_bits() : 0);
  };
  // A mean has M² in its variance.
  const int most = reduction.count_of ? std::min(in.emax, out.emax) / 2 - 8 : std::min(factors * in.emax, out.emax) - 2;
  return {most, reduction.count_of ? 0 : std::max(factors * least_of(in), least_of(out))};
}

}  // namespace

Masks::Masks(const Reduction& reduction) : reduction_(reduction) {
  set_range(true);
  if (ones_ < 2) set_range(false);  // a kernel that flushes subnormal numbers counts none of them
}

void Masks::set_range(bool subnormal) {
  const Range range = range_of(reduction_, subnormal);
  large_ = range.large;
  small_ = range.small;
  // 1.5·2^e: M + k·u rounds to M on both sides alike, since M is no power of two.
  const int of_large_y = reduction_.has_products ? large_ / 2 : 0;
  const int of_small_y = reduction_.has_products ? small_ / 2 : 0;
  const auto power = [&](double s, int exponent) {
    return prober::pattern_of(reduction_.number, std::ldexp(s, exponent));
  };
  plus_ = power(1.5, large_ - of_large_y);
  minus_ = power(-1.5, large_ - of_large_y);
  one_ = power(1, small_ - of_small_y);
  large_y_ = power(1, of_large_y);
  small_y_ = power(1, of_small_y);
  unit_y_ = power(1, 0);
  ones_ = countable();
}

void Masks::put(Terms& terms, std::size_t place, std::uint64_t x, std::uint64_t y) const {
  terms.x[place] = x;
  if (reduction_.has_products) terms.y[place] = y;
}

Terms Masks::input(const Drawn& drawn) const {
  Terms terms{std::vector<std::uint64_t>(reduction_.terms, 0), {}};
  if (reduction_.has_products) terms.y.assign(reduction_.terms, unit_y_);
  for (const std::uint32_t each : drawn.ones) put(terms, each, one_, small_y_);
  if (drawn.middle) {
    const int middle = (large_ + small_) / 2;
    const int of_y = reduction_.has_products ? middle / 2 : 0;
    const std::uint64_t y = prober::pattern_of(reduction_.number, std::ldexp(1, of_y));
    put(terms, drawn.middle->first, prober::pattern_of(reduction_.number, std::ldexp(1.5, middle - of_y)), y);
    put(terms, drawn.middle->second, prober::pattern_of(reduction_.number, std::ldexp(-1.5, middle - of_y)), y);
  }
  put(terms, drawn.pair.first, drawn.turned ? minus_ : plus_, large_y_);
  put(terms, drawn.pair.second, drawn.turned ? plus_ : minus_, large_y_);
  return terms;
}

std::vector<std::size_t> Masks::ask(std::span<const Terms> inputs) {
  std::vector<std::size_t> counts;
  asked_ += inputs.size();
  for (const std::uint64_t pattern : reduction_.compute(inputs)) {
    const double answer = prober::value_of(reduction_.result, pattern);
    const double count =
        reduction_.count_of ? reduction_.count_of(answer, std::ldexp(1.5, large_)) : std::ldexp(answer, -small_);
    const bool is_count = count >= 0 && count <= static_cast<double>(reduction_.terms) && count == std::floor(count);
    counts.push_back(is_count ? static_cast<std::size_t>(count) + 1 : 0);
  }
  return counts;
}

std::size_t Masks::countable() {
  const std::size_t all = reduction_.terms;
  if (reduction_.count_of) return all;
  // An odd number beyond 2^p is no number of a format: if the answer is right for one, it is for all that are smaller.
  const auto is_right = [&](std::size_t ones) {
    std::vector<Terms> inputs;
    for (const bool at_end : {false, true}) {
      Terms terms{std::vector<std::uint64_t>(all, 0), {}};
      if (reduction_.has_products) terms.y.assign(all, unit_y_);
      for (std::size_t i = 0; i < ones; ++i) put(terms, at_end ? all - 1 - i : i, one_, small_y_);
      inputs.push_back(std::move(terms));
    }
    return std::ranges::all_of(ask(inputs), [ones](std::size_t count) { return count == ones + 1; });
  };
  if (is_right(all % 2 == 0 ? all - 1 : all)) return all;
  for (std::size_t power = std::bit_floor(all); power > 1; power /= 2) {
    if (is_right(power - 1)) return power - 1;
  }
  return 0;
}

std::vector<std::size_t> Masks::counted(std::span<const Drawn> drawn) {
  std::vector<std::size_t> counts;
  const std::size_t batch = std::max<std::size_t>(1, batch_terms / reduction_.terms);
  for (std::size_t first = 0; first < drawn.size(); first += batch) {
    std::vector<Terms> inputs;
    for (const Drawn& each : drawn.subspan(first, std::min(batch, drawn.size() - first))) inputs.push_back(input(each));
    const std::vector<std::size_t> part = ask(inputs);
    counts.insert(counts.end(), part.begin(), part.end());
  }
  return counts;
}

std::vector<std::size_t> Masks::added(std::span<const Pair> pairs) {
  const std::size_t n = reduction_.terms;
  std::vector<std::size_t> added;
  // Pairs whose inputs together have about as many terms as a batch.
  const std::size_t parts = (n + ones_ - 1) / ones_;
  const std::size_t at_once = std::max<std::size_t>(1, batch_terms / (n * parts));
  for (std::size_t first = 0; first < pairs.size(); first += at_once) {
    const auto some = pairs.subspan(first, std::min(at_once, pairs.size() - first));
    std::vector<Drawn> drawn;
    for (const Pair& pair : some) {
      for (std::size_t part = 0; part < parts; ++part) {
        Drawn& each = drawn.emplace_back(Drawn{pair, {}, false});
        for (std::size_t i = part * ones_; i < std::min(n, (part + 1) * ones_); ++i) {
          if (i != pair.first && i != pair.second) each.ones.push_back(static_cast<std::uint32_t>(i));
        }
      }
    }
    const std::vector<std::size_t> counts = counted(drawn);
    for (std::size_t p = 0; p < some.size(); ++p) {
      const auto of_pair = std::span(counts).subspan(p * parts, parts);
      const bool is_count = std::ranges::find(of_pair, std::size_t{0}) == of_pair.end();
      const std::size_t outside = std::accumulate(of_pair.begin(), of_pair.end(), std::size_t{0}) - parts;
      added.push_back(is_count && outside <= n - 2 ? n - outside : 0);
    }
  }
  return added;
}

std::vector<std::uint64_t> Masks::patterns(std::span<const Pair> pairs) {
  std::vector<Terms> inputs;
  for (const Pair& pair : pairs) {
    Drawn all{pair, std::vector<std::uint32_t>(reduction_.terms), false};
    std::iota(all.ones.begin(), all.ones.end(), 0U);
    inputs.push_back(input(all));
  }
  asked_ += inputs.size();
  return reduction_.compute(inputs);
}

}  // namespace assay::orders
