#include "properties/catalog/giant/cases.hpp"

#include <algorithm>

#include "exec/memory.hpp"
#include "exec/workspace.hpp"
#include "kernels/gemv/exact_gemv.hpp"
#include "kernels/sum/exact_sum.hpp"
#include "properties/draws/sum/limit_cases.hpp"
#include "properties/framework/codec.hpp"

namespace assay::giant {

using oracle::Dyadic;

namespace {

std::uint64_t seed_of(const auto& c) { return static_cast<std::uint64_t>(c.seed); }

/// *result of run(result, workspace) for an exact sum.
template <class Run>
double result_of(const Executor& on, Run&& run) {
  Workspace memory(on, Workspace::bytes_of<double>(1) + Workspace::bytes_of<std::int64_t>(sum::exact_sum_workspace()));
  double* const result = memory.take<double>(1);
  run(result, memory.take<std::int64_t>(sum::exact_sum_workspace()));
  double value = 0;
  copy_from(on, &value, result, sizeof value);
  return value;
}

/// Memory for n numbers.
LargeMemory doubles(const Executor& on, std::int64_t n) {
  return LargeMemory(on, static_cast<std::size_t>(n) * sizeof(double));
}

}  // namespace

sum::SingleTerms single_terms_of(const SumCase& c) {
  sum::SingleTerms terms;
  const std::int64_t half = c.n / 2;
  const std::int64_t pairs[] = {0, half - 1, half / 2, static_cast<std::int64_t>(seed_of(c) % 1000)};
  for (int s = 0; s < sum::single_terms; ++s) {
    const std::int64_t pair = pairs[s];
    const bool taken = std::find(pairs, pairs + s, pair) != pairs + s;
    if (pair < 0 || pair >= half || taken) continue;
    const auto number = static_cast<std::uint64_t>(s);
    terms.term[s] = {pair, static_cast<std::int32_t>((seed_of(c) >> s) & 1),
                     sum::generated_number(~seed_of(c), number)};
  }
  return terms;
}

std::int64_t place_of(const SumCase& c, const sum::SingleTerm& term) {
  return term.upper != 0 ? c.n - 1 - term.pair : term.pair;
}

Dyadic exact_sum_of(const SumCase& c) {
  Dyadic sum;
  for (const sum::SingleTerm& each : single_terms_of(c).term) {
    if (each.pair >= 0) sum += value_of(each.value);
  }
  return sum;
}

Dyadic exact_dot_of(const SumCase& c) {
  Dyadic sum;
  for (const sum::SingleTerm& each : single_terms_of(c).term) {
    if (each.pair < 0) continue;
    sum.add_mul(value_of(each.value), value_of(sum::symmetric_power(seed_of(c), c.n, place_of(c, each))));
  }
  return sum;
}

double entry_of_x(std::int64_t l) { return 1 + static_cast<double>(l) * 0x1p-20; }

std::vector<Dyadic> exact_product_of(const GemvCase& c) {
  const std::int64_t terms = c.trans != 0 ? c.m : c.n;
  std::vector<Dyadic> y(static_cast<std::size_t>(c.trans != 0 ? c.n : c.m));
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(y.size()); ++row) {
    for (std::int64_t l = 0; l < terms; ++l) {
      const std::int64_t number = c.trans != 0 ? l + row * c.m : row + l * c.m;
      const double a = sum::generated_number(seed_of(c), static_cast<std::uint64_t>(number));
      y[static_cast<std::size_t>(row)].add_mul(value_of(a), value_of(entry_of_x(l)));
    }
  }
  return y;
}

double sum_of(const Executor& on, const SumCase& c) {
  const LargeMemory x = doubles(on, c.n);
  auto* const terms = static_cast<double*>(x.data());
  sum::queue_mirrored_terms(on, terms, c.n, seed_of(c), single_terms_of(c));
  return result_of(on, [&](double* result, std::int64_t* workspace) {
    sum::exact_sum(on, terms, c.n, Rounding::rn, result, workspace);
  });
}

double dot_of(const Executor& on, const SumCase& c) {
  const LargeMemory x = doubles(on, c.n);
  const LargeMemory y = doubles(on, c.n);
  auto* const left = static_cast<double*>(x.data());
  auto* const right = static_cast<double*>(y.data());
  sum::queue_mirrored_terms(on, left, c.n, seed_of(c), single_terms_of(c));
  sum::queue_symmetric_powers(on, right, c.n, seed_of(c));
  return result_of(on, [&](double* result, std::int64_t* workspace) {
    sum::exact_dot(on, left, right, c.n, Rounding::rn, result, workspace);
  });
}

std::vector<double> product_of(const Executor& on, const GemvCase& c) {
  const std::int64_t terms = c.trans != 0 ? c.m : c.n;
  std::vector<double> x;
  for (std::int64_t l = 0; l < terms; ++l) x.push_back(entry_of_x(l));
  std::vector<double> y(static_cast<std::size_t>(c.trans != 0 ? c.n : c.m));
  const LargeMemory a = doubles(on, c.n * c.lda);
  auto* const entries = static_cast<double*>(a.data());
  sum::queue_generated_matrix(on, entries, c.m, c.n, c.lda, seed_of(c));
  Workspace memory(on, Workspace::bytes_of<double>(x.size()) + Workspace::bytes_of<double>(y.size()));
  auto* const x_there = memory.take<double>(x.size());
  auto* const y_there = memory.take<double>(y.size());
  copy_to(on, x_there, x.data(), x.size() * sizeof(double));
  gemv::exact_gemv(on, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n, 1, entries, c.lda, x_there,
                   1, 0, y_there, 1);
  copy_from(on, y.data(), y_there, y.size() * sizeof(double));
  return y;
}

std::vector<float> terms_of(const SumCase& c) {
  std::vector<float> terms(static_cast<std::size_t>(c.n));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::uint64_t word = bits::SplitMix64::mixed(seed_of(c) + i);
    const auto drawn = from_bits<float>(static_cast<std::uint32_t>(127u << 23 | (word >> 41)));
    const bool minus = c.seed % 3 == 2 && (word & 1) != 0;
    terms[i] = c.seed % 3 == 0 ? (i == 0 ? 1.0F : 0x1p-24F) : minus ? -drawn : drawn;
  }
  return terms;
}

namespace {

template <class T>
Dyadic exact_sum(const std::vector<T>& terms) {
  Dyadic sum;
  for (const T each : terms) sum += value_of(each);
  return sum;
}

}  // namespace

Dyadic exact_sum_of_terms(const SumCase& c) { return exact_sum(terms_of(c)); }

Domain<SumCase> long_sum_domain() {
  const auto kind = [](std::int64_t which) {
    return drawn<SumCase>([which](Draw& draw) {
      return SumCase{(std::int64_t{1} << 24) + draw.between(-1, 1),
                     3 * static_cast<std::int64_t>(draw.below(1000)) + which};
    });
  };
  return {.classes = {{"1, u, u, …", 1, kind(0)}, {"one sign", 1, kind(1)}, {"both signs", 1, kind(2)}},
          .contains = [](const SumCase& c) { return c.n >= 0 && c.n <= (1 << 24) + 1 && c.seed >= 0; },
          .accepts = "a seed and up to 2^24 + 1 terms in binary32"};
}

std::vector<double> accurate_terms_of(const SumCase& c) {
  const auto n = static_cast<std::uint64_t>(c.n);
  const std::int64_t kind = c.seed % 4;
  const int headroom = sum::sum_headroom(n);
  const bool negative = (c.seed & 4) != 0;
  constexpr std::uint64_t above = std::uint64_t{1} << 53;
  std::vector<double> terms(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t word = bits::SplitMix64::mixed(seed_of(c) + i);
    terms[i] = kind == 0   ? compose<double>(negative, above - 1 - (word & 7), -52)
               : kind == 1 ? compose<double>(negative, above / 2 + (n >> 3) + (word & 1), headroom - 106)
               : kind == 2 ? compose<double>(!negative, above - 1 - (word & 7), -105)
                           : compose<double>((word & 1) != 0, above / 2 + (word >> 12), -52);
  }
  if (n < 8 || kind == 0 || kind == 3) return terms;
  if (kind == 1) {
    terms[n - 3] = 1;
    terms[n - 2] = -1;
    terms[n - 1] = compose<double>((c.seed & 8) != 0, 1, std::min(2 * headroom - 53, -1));
  } else {
    const std::uint64_t halves = above - 6 * n - seed_of(c) % n;
    terms[0] = compose<double>(negative, halves, -54);
    terms[n - 1] = compose<double>(!negative, halves - 4 * n, -54);
  }
  return terms;
}

Dyadic exact_sum_of_accurate_terms(const SumCase& c) { return exact_sum(accurate_terms_of(c)); }

Domain<SumCase> accurate_sum_domain() {
  const auto of = [](std::int64_t kind) {
    return drawn<SumCase>([kind](Draw& draw) {
      const std::int64_t n = draw.one_in(3) ? (std::int64_t{1} << 25) + draw.between(-3, 1) : most_accurate;
      return SumCase{n - (draw.one_in(3) ? draw.between(0, 2) : 0),
                     4 * static_cast<std::int64_t>(draw.below(1000)) + kind};
    });
  };
  return {.classes = {{"one sign, nearly the largest of a binade", 1, of(0)},
                      {"a term left at the threshold of stopping", 1, of(1)},
                      {"residues of one sign, as large as they may be", 1, of(2)},
                      {"both signs", 1, of(3)}},
          .contains = [](const SumCase& c) { return c.n >= 0 && c.n <= most_accurate && c.seed >= 0; },
          .accepts = "a seed and up to 2^26 - 2 terms"};
}

Domain<SumCase> hundred_million_domain() {
  constexpr std::int64_t terms = 100'000'000;
  return {.classes = {{"10^8 terms", 1, drawn<SumCase>([](Draw& draw) {
                         return SumCase{terms + draw.between(-1, 1), static_cast<std::int64_t>(draw.below(1'000'000))};
                       })}},
          .contains = [](const SumCase& c) { return c.n >= 0 && c.n <= terms + 1 && c.seed >= 0; },
          .accepts = "a seed and up to 10^8 + 1 terms that cancel in pairs but for four"};
}

Domain<SumCase> sum_domain(std::int64_t most) {
  const auto above = [](int bits) {
    return drawn<SumCase>([bits](Draw& draw) {
      return SumCase{(std::int64_t{1} << bits) + 1 + static_cast<std::int64_t>(draw.below(1 << 20)),
                     static_cast<std::int64_t>(draw.below(std::uint64_t{1} << 62))};
    });
  };
  Domain<SumCase> domain;
  domain.classes = {{"more than 2^31 terms", 1, above(31)}};
  if (most > std::int64_t{1} << 32) domain.classes.push_back({"more than 2^32 terms", 1, above(32)});
  domain.contains = [most](const SumCase& c) { return c.n >= 0 && c.n <= most && c.seed >= 0; };
  domain.accepts = "a seed and up to " + std::to_string(most) + " terms that cancel in pairs but for four";
  return domain;
}

Domain<GemvCase> gemv_domain() {
  const auto above = [](int bits) {
    return drawn<GemvCase>([bits](Draw& draw) {
      const std::int64_t columns = (draw.coin() ? 9 : 2055) + static_cast<std::int64_t>(draw.below(8));
      return GemvCase{draw.coin() ? 1 : 0, 1 + static_cast<std::int64_t>(draw.below(3)), columns,
                      (std::int64_t{1} << bits) / (columns - 1) + 1 + static_cast<std::int64_t>(draw.below(9)),
                      static_cast<std::int64_t>(draw.below(std::uint64_t{1} << 62))};
    });
  };
  Domain<GemvCase> domain;
  domain.classes = {{"places above 2^31", 1, above(31)}, {"places above 2^32", 1, above(32)}};
  domain.contains = [](const GemvCase& c) {
    return (c.trans == 0 || c.trans == 1) && c.m >= 1 && c.m <= 16 && c.n >= 1 && c.n <= 4096 && c.lda >= c.m &&
           c.lda <= largest_array / c.n && c.seed >= 0;
  };
  domain.accepts = "a seed, 1 to 16 rows, 1 to 4096 columns, n·lda up to " + std::to_string(largest_array);
  return domain;
}

}  // namespace assay::giant
