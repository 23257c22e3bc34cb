#include "assay/orders/predict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "assay/orders/finder.hpp"
#include "oracle/decode.hpp"
#include "oracle/dyadic.hpp"
#include "oracle/round.hpp"

namespace assay::orders {
namespace {

double rounded(Number number, double x) {
  if (number == Number::f64) return x;
  if (number == Number::f32) return static_cast<double>(static_cast<float>(x));
  return prober::value_of(number, prober::pattern_of(number, x));
}

/// RN(xy + z). The product of two numbers of a narrow format is exact in binary64.
double fused(Number number, double x, double y, double z) {
  if (number == Number::f32) {
    return std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
  }
  return rounded(number, std::fma(x, y, z));
}

oracle::Dyadic exact(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  constexpr int bits = 53;
  return oracle::Dyadic::scaled(static_cast<std::int64_t>(std::ldexp(fraction, bits)), exponent - bits);
}

class Evaluation {
 public:
  Evaluation(const Tree& tree, const Arithmetic& arithmetic, const Reduction& reduction, const Terms& terms)
      : tree_(tree), arithmetic_(arithmetic), has_products_(reduction.has_products) {
    for (const std::uint64_t each : terms.x) x_.push_back(prober::value_of(reduction.number, each));
    for (const std::uint64_t each : terms.y) y_.push_back(prober::value_of(reduction.number, each));
    values_.resize(tree.vertices());
  }

  double run() {
    for (std::size_t i = 0; i < tree_.terms(); ++i) {
      values_[i] = rounded(arithmetic_.accumulator, has_products_ ? x_[i] * y_[i] : x_[i]);
    }
    for (std::size_t k = 0; k < tree_.operations(); ++k) values_[tree_.terms() + k] = sum(tree_.parts(k));
    return values_.back();
  }

 private:
  double sum(std::span<const Tree::Vertex> parts) const {
    if (parts.size() > 2) return sum_of_many(parts);
    for (const std::size_t last : {std::size_t{1}, std::size_t{0}}) {
      if (parts[last] < arithmetic_.fused.size() && arithmetic_.fused[parts[last]]) {
        return fused(arithmetic_.accumulator, x_[parts[last]], y_[parts[last]], values_[parts[1 - last]]);
      }
    }
    return rounded(arithmetic_.accumulator, values_[parts[0]] + values_[parts[1]]);
  }

  double sum_of_many(std::span<const Tree::Vertex> parts) const {
    // Products of narrow formats are exact in binary64.
    const auto value = [&](Tree::Vertex each) {
      return has_products_ && each < tree_.terms() ? x_[each] * y_[each] : values_[each];
    };
    double grid = 0;
    if (arithmetic_.fraction_bits != 0) {
      double largest = 0;
      for (const Tree::Vertex each : parts) largest = std::max(largest, std::abs(value(each)));
      if (largest != 0) grid = std::ldexp(1, std::ilogb(largest) - arithmetic_.fraction_bits);
    }
    oracle::Dyadic sum;
    for (const Tree::Vertex each : parts) {
      sum += exact(grid == 0 ? value(each) : std::trunc(value(each) / grid) * grid);
    }
    const oracle::Rounding direction = arithmetic_.truncates ? oracle::Rounding::zero : oracle::Rounding::nearest;
    return prober::value_of(arithmetic_.accumulator,
                            oracle::round(sum, prober::format_of(arithmetic_.accumulator), direction));
  }

  const Tree& tree_;
  const Arithmetic& arithmetic_;
  bool has_products_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> values_;
};

/// The formats of an accumulator that come into question, the likeliest first.
std::vector<Number> accumulators_of(const Reduction& reduction) {
  std::vector<Number> all{reduction.result};
  for (const Number each : {reduction.number, Number::f32, Number::f64, Number::f16, Number::bf16}) {
    if (std::ranges::find(all, each) == all.end()) all.push_back(each);
  }
  return all;
}

/// What the operations may compute in an accumulator of that format.
std::vector<Arithmetic> candidates(const Tree& tree, const Reduction& reduction, Number accumulator) {
  std::vector<Arithmetic> all{{accumulator, {}, 0, false}};
  if (tree.width() == 2) {
    if (reduction.has_products) all.back().fused = fused_products(tree, reduction, accumulator);
    return all;
  }
  constexpr int most_bits = 40;
  for (int bits = prober::format_of(accumulator).precision - 1; bits < most_bits; ++bits) {
    for (const bool truncates : {false, true}) all.push_back({accumulator, {}, bits, truncates});
  }
  return all;
}

/// Answers yes or no for each place of a list, asked at some places: where two asked neighbors differ, the place in the
/// middle is asked, too, until all between two of them is told by both.
template <class Ask>
std::vector<bool> asked_at_some(std::size_t places, const Ask& ask) {
  constexpr std::size_t at_first = 8;
  std::map<std::size_t, bool> known;
  std::set<std::size_t> next;
  for (std::size_t k = 0; k < at_first; ++k) next.insert(k * (places - 1) / (at_first - 1));
  while (!next.empty()) {
    for (const std::size_t each : next) known[each] = ask(each);
    next.clear();
    for (auto at = known.begin(); std::next(at) != known.end(); ++at) {
      const auto& [from, is_here] = *at;
      const auto& [to, is_there] = *std::next(at);
      if (is_here != is_there && to - from > 1) next.insert(from + (to - from) / 2);
    }
  }
  std::vector<bool> all(places);
  for (std::size_t i = 0; i < places; ++i) all[i] = std::prev(known.upper_bound(i))->second;
  return all;
}

bool is_nan(Number number, std::uint64_t pattern) { return std::isnan(prober::value_of(number, pattern)); }

}  // namespace

std::string words_of(const Arithmetic& arithmetic, bool has_products) {
  std::string text = fmt::format("every operation rounded once to {}", prober::name_of(arithmetic.accumulator));
  if (has_products) {
    const auto fused = std::ranges::count(arithmetic.fused, true);
    text += fused == 0 ? ", products rounded before"
                       : fmt::format(", {} products fused with additions, the others rounded before", fused);
  }
  if (arithmetic.fraction_bits != 0) {
    text += fmt::format("; operations of several numbers cut off bits below 2^(e − {}), e the largest exponent",
                        arithmetic.fraction_bits);
  }
  return text + (arithmetic.truncates ? ", and round toward zero" : "");
}

std::vector<bool> fused_products(const Tree& tree, const Reduction& reduction, Number accumulator) {
  const int p = prober::format_of(reduction.number).precision;
  // (1 + 2^(1−p))² = 1 + 2^(2−p) + 2^(2−2p), whose last bit no accumulator as narrow as the factors has.
  const double factor = 1 + std::ldexp(1, 1 - p);
  const double product = rounded(accumulator, factor * factor);
  if (rounded(reduction.number, product) != product) return {};  // products are exact in the accumulator
  const std::vector<Tree::Vertex> parents = tree.parents();
  // A term below each vertex.
  std::vector<Tree::Vertex> below(tree.vertices());
  for (std::size_t v = 0; v < tree.vertices(); ++v) {
    below[v] = v < tree.terms() ? static_cast<Tree::Vertex>(v) : below[tree.parts(v - tree.terms())[0]];
  }
  const std::uint64_t one = prober::pattern_of(reduction.number, 1);
  const auto sibling_of = [&](std::size_t term) {
    const auto parts = tree.parts(parents[term] - tree.terms());
    return parts[0] == term ? parts[1] : parts[0];
  };
  const auto ask = [&](std::span<const std::size_t> of) {
    std::vector<Terms> inputs;
    for (const std::size_t i : of) {
      Terms& terms = inputs.emplace_back(
          Terms{std::vector<std::uint64_t>(tree.terms(), 0), std::vector<std::uint64_t>(tree.terms(), one)});
      terms.x[i] = terms.y[i] = prober::pattern_of(reduction.number, factor);
      terms.x[below[sibling_of(i)]] = prober::pattern_of(reduction.number, -product);
    }
    return reduction.compute(inputs);
  };
  const auto is_product_kept = [&](std::uint64_t answer) { return prober::value_of(reduction.result, answer) != 0; };
  std::vector<bool> is_fused(tree.terms());
  if (tree.terms() <= most_terms) {
    const std::size_t batch = std::max<std::size_t>(1, batch_terms / tree.terms());
    for (std::size_t first = 0; first < tree.terms(); first += batch) {
      std::vector<std::size_t> some(std::min(batch, tree.terms() - first));
      std::iota(some.begin(), some.end(), first);
      const std::vector<std::uint64_t> answers = ask(some);
      for (std::size_t k = 0; k < some.size(); ++k) is_fused[some[k]] = is_product_kept(answers[k]);
    }
    return is_fused;
  }
  // A kernel treats the terms alike that have the same place in an operation, and meet a term or a sum there.
  std::map<std::pair<bool, bool>, std::vector<std::size_t>> roles;
  for (std::size_t i = 0; i < tree.terms(); ++i) {
    const auto parts = tree.parts(parents[i] - tree.terms());
    roles[{parts[0] == i, sibling_of(i) < tree.terms()}].push_back(i);
  }
  for (const auto& [role, terms] : roles) {
    const auto ask_one = [&, &terms = terms](std::size_t at) {
      return is_product_kept(ask(std::span(&terms[at], 1)).front());
    };
    const std::vector<bool> answers = asked_at_some(terms.size(), ask_one);
    for (std::size_t k = 0; k < terms.size(); ++k) is_fused[terms[k]] = answers[k];
  }
  return is_fused;
}

std::uint64_t value_of(const Tree& tree, const Arithmetic& arithmetic, const Reduction& reduction, const Terms& terms) {
  return prober::pattern_of(reduction.result, Evaluation(tree, arithmetic, reduction, terms).run());
}

std::vector<Terms> random_terms(const Reduction& reduction, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const bool is_narrow = reduction.number == Number::f16 || reduction.result == Number::f16;
  const std::array<int, 4> spreads = is_narrow ? std::array{0, 1, 2, 4} : std::array{0, 2, 8, 16};
  const auto number = [&](int spread) {
    const std::uint64_t bits = random();
    const double fraction = 1 + std::ldexp(static_cast<double>(bits >> 12), -52);
    const int exponent = static_cast<int>((random() >> 11) % static_cast<std::uint64_t>(2 * spread + 1)) - spread;
    return prober::pattern_of(reduction.number, std::ldexp(bits % 2 == 0 ? fraction : -fraction, exponent));
  };
  std::vector<Terms> all;
  for (std::size_t i = 0; i < n; ++i) {
    Terms& terms = all.emplace_back();
    const int spread = spreads[i % spreads.size()];
    for (std::size_t t = 0; t < reduction.terms; ++t) {
      terms.x.push_back(number(spread));
      if (reduction.has_products) terms.y.push_back(number(0));
    }
  }
  return all;
}

std::size_t inputs_of(std::size_t terms) {
  const std::size_t all = terms <= predicted_terms / predicted_inputs ? predicted_terms : predicted_terms / 8;
  return std::clamp<std::size_t>(all / terms, 1, predicted_inputs);
}

Prediction predict(const Tree& tree, const Reduction& reduction, std::uint64_t seed) {
  const std::size_t n = inputs_of(reduction.terms);
  const std::size_t batch = std::max<std::size_t>(1, batch_terms / reduction.terms);
  constexpr std::size_t trial = 32;
  Prediction best;
  bool is_chosen = false;
  for (std::size_t first = 0; first < n; first += batch) {
    const std::vector<Terms> inputs = random_terms(reduction, std::min(batch, n - first), seed + first);
    const std::vector<std::uint64_t> answers = reduction.compute(inputs);
    std::vector<Terms> turned(inputs.rbegin(), inputs.rend());
    std::vector<std::uint64_t> again = reduction.compute(turned);
    std::ranges::reverse(again);
    const auto is_same = [&](std::uint64_t a, std::uint64_t b) {
      return a == b || (is_nan(reduction.result, a) && is_nan(reduction.result, b));
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (is_same(answers[i], again[i])) continue;
      best.not_repeated = Example{inputs[i], answers[i], again[i]};
      return best;
    }
    if (!is_chosen) {
      const std::size_t tried = std::min(trial, inputs.size());
      std::size_t most = 0;
      for (const Number accumulator : accumulators_of(reduction)) {
        for (const Arithmetic& each : candidates(tree, reduction, accumulator)) {
          std::size_t right = 0;
          for (std::size_t i = 0; i < tried; ++i) {
            right += is_same(answers[i], value_of(tree, each, reduction, inputs[i])) ? 1 : 0;
          }
          if (right > most || !is_chosen) best.arithmetic = each;
          most = std::max(most, right);
          is_chosen = true;
        }
        if (most == tried) break;
      }
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::uint64_t value = value_of(tree, best.arithmetic, reduction, inputs[i]);
      ++best.checked;
      if (is_same(answers[i], value)) {
        ++best.predicted;
      } else if (!best.example) {
        best.example = Example{inputs[i], answers[i], value};
      }
    }
  }
  return best;
}

}  // namespace assay::orders
