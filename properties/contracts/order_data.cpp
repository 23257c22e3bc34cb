#include "properties/contracts/order_data.hpp"

#include <cmath>
#include <utility>
#include <variant>

namespace assay::contracts {
namespace {

/// Uniform in [0, 1).
double fraction(bits::SplitMix64& next) {
  constexpr int bits = 53;
  return std::ldexp(static_cast<double>(next() >> (64 - bits)), -bits);
}

template <class T>
void shuffle(bits::SplitMix64& next, std::vector<T>& x) {
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[next() % i]);
}

}  // namespace

bits::SplitMix64 words_of(const Record& record) {
  std::uint64_t hash = bits::SplitMix64::step;
  const auto mix = [&](std::uint64_t word) { hash = bits::SplitMix64::mixed(hash ^ word) + bits::SplitMix64::step; };
  for (const FieldValue& field : record.fields) {
    if (const auto* const words = std::get_if<Words>(&field.value)) {
      mix(words->bits.size());
      for (const std::uint64_t each : words->bits) mix(each);
    } else if (const auto* const integer = std::get_if<std::int64_t>(&field.value)) {
      mix(static_cast<std::uint64_t>(*integer));
    }
  }
  return {hash};
}

std::vector<double> terms_of_both_signs(bits::SplitMix64& next, std::size_t n, int q) {
  std::vector<double> terms;
  terms.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 3 != 2) {
      terms.push_back(i % 3 == 0 ? 1 : -1);
      continue;
    }
    const std::uint64_t word = next();
    const double size = std::ldexp(static_cast<double>(1 + 2 * (word % 3)), -q);
    terms.push_back(word >> 63 != 0 ? -size : size);
  }
  shuffle(next, terms);
  return terms;
}

std::vector<double> terms_of_one_sign(bits::SplitMix64& next, std::size_t n, int q) {
  constexpr double least = 0.3;
  constexpr double most = 6;
  constexpr double exponents = 6;
  std::vector<double> terms;
  terms.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double at = fraction(next);
    terms.push_back(i == 0 ? 1 : i % 2 == 1 ? std::ldexp(least + (most - least) * at, -q) : std::exp2(-exponents * at));
  }
  shuffle(next, terms);
  return terms;
}

}  // namespace assay::contracts
