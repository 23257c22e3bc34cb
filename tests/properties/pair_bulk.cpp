// pair_bulk: whole matrix products n × n in binary32, in native pairs of binary32 and in binary64. An exact sum of all
// terms judges every entry on the executor that computed it: |ĉ − c| is compared with the bound times Σ|ab| rounded
// down. The oracle judges the entries nearest to the bound and the entries that are not proved. Prints a line for each
// product.
//
// Exit codes: run_bulk().

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "errorbounds/judge.hpp"
#include "errorbounds/pair.hpp"
#include "exec/array.hpp"
#include "kernels/pair/matrix_product.hpp"
#include "oracle/decode.hpp"
#include "probes/matrix/entries.hpp"
#include "properties/framework/property.hpp"
#include "tests/properties/bulk_options.hpp"

namespace assay::pair {
namespace {

using oracle::Dyadic;
using probes::CellResult;
using probes::matrix::Place;
using probes::matrix::Within;
using Numbers = std::vector<double>;

struct Options : BulkOptions {
  std::int64_t n = 1000;
};

/// (rand − ½)·exp(φ·randn), or of one sign.
struct Data {
  const char* name;
  double phi;
  bool one_sign;
};
constexpr Data all_data[] = {
    {"phi = 0", 0, false}, {"phi = 1", 1, false}, {"phi = 4", 4, false}, {"one sign", 0, true}};

struct Kernel {
  const char* name;
  Numbers (*multiply)(const Executor&, ProductShapes, std::span<const double>, std::span<const double>);
  Bound (*bound)(std::uint64_t k, const Dyadic& magnitudes);
};
constexpr Kernel kernels[] = {
    {"single", product_single, product_single_bound},
    {"pair, interleaved", product_pair_interleaved, product_pair_bound},
    {"pair, planes", product_pair_planes, product_pair_bound},
    {"double", product_double, product_double_bound},
};

Numbers drawn(const Data& data, std::int64_t n, std::uint64_t seed, std::uint64_t which) {
  Draw draw(random_for(seed, std::string("pair_bulk ") + data.name, which));
  const auto uniform = [&] { return static_cast<double>(draw.below(std::uint64_t{1} << 53) + 1) * 0x1p-53; };
  Numbers all(static_cast<std::size_t>(n * n));
  for (double& each : all) {
    const double normal = std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
    const double x = (uniform() - 0.5) * std::exp(data.phi * normal);
    each = x == 0 ? 0.25 : data.one_sign ? std::abs(x) : x;
  }
  return all;
}

/// The factor of Σ|ab| in the bound, rounded down.
double factor_of_magnitudes(const Kernel& kernel, std::uint64_t k) {
  const Bound one = kernel.bound(k, 1);
  const Bound none = kernel.bound(k, 0);
  return at_most(RelativeBound{one.numerator * none.denominator - none.numerator * one.denominator,
                               one.denominator * none.denominator});
}

class Bulk {
 public:
  explicit Bulk(const Options& options) : options_(options), on_(options.executor()) {}

  bool run() const {
    bool right = true;
    for (const Data& data : all_data) {
      const Numbers a = drawn(data, options_.n, options_.seed, 0);
      const Numbers b = drawn(data, options_.n, options_.seed, 1);
      for (const Kernel& kernel : kernels) right = judge(data, kernel, a, b) && right;
    }
    return right;
  }

 private:
  bool judge(const Data& data, const Kernel& kernel, const Numbers& a, const Numbers& b) const {
    const std::int64_t n = options_.n;
    const auto side = static_cast<std::size_t>(n);
    Numbers c = kernel.multiply(on_, ProductShape{side, side, side}, a, b);
    if (options_.wrong) c.back() *= 2;
    const double factor = factor_of_magnitudes(kernel, side);
    const Array<double> left(on_, std::span<const double>(a));
    const Array<double> right(on_, std::span<const double>(b));
    const Array<double> results(on_, std::span<const double>(c));
    const Within probe{{{n, n, n, 1, {left.data(), 1, n}, {right.data(), 1, n}, 0, {}}, {results.data(), 1, n}}};
    const std::uint64_t cells = (probe.size(0) + Within::cell - 1) / Within::cell;
    const std::vector<CellResult> found = probes::judge_cells(on_, probe, factor, 0, 0, 0, cells);
    std::vector<probes::CellCount> open;
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (found[k].undecided != 0) open.push_back({k, found[k].undecided});
    }
    const std::vector<std::uint64_t> asked = probes::undecided_in(on_, probe, factor, 0, 0, open);
    const auto highest = std::max_element(found.begin(), found.end(),
                                          [](const auto& x, const auto& y) { return x.largest < y.largest; });
    std::uint64_t beyond = 0;
    for (const std::uint64_t number : asked) {
      beyond += judged_by_oracle(kernel, a, b, c, probe.at(0, number)).verdict == Verdict::holds ? 0 : 1;
    }
    const double largest = judged_by_oracle(kernel, a, b, c, probe.at(0, highest->number)).tightness;
    // Both are ratios to Σ|ab|, rounded up a little.
    const bool agrees = std::abs(largest - highest->largest) <= 0x1p-30 * largest + 0x1p-30 || beyond != 0;
    std::printf(
        "%s, %s, n = %lld, on %s: %llu entries, %llu beyond the bound, %zu left to the oracle, largest %.9g: %s\n",
        kernel.name, data.name, static_cast<long long>(n), options_.on.c_str(),
        static_cast<unsigned long long>(probe.size(0)), static_cast<unsigned long long>(beyond), asked.size(), largest,
        beyond == 0 && agrees ? "all within the bounds" : "NOT all within the bounds");
    std::fflush(stdout);
    return beyond == 0 && agrees;
  }

  [[nodiscard]] Judgement judged_by_oracle(const Kernel& kernel, const Numbers& a, const Numbers& b, const Numbers& c,
                                           const Place& at) const {
    const std::int64_t n = options_.n;
    Dyadic sum;
    Dyadic magnitudes;
    for (std::int64_t l = 0; l < n; ++l) {
      const Dyadic term = oracle::exact(a[static_cast<std::size_t>(at.row + l * n)]) *
                          oracle::exact(b[static_cast<std::size_t>(l + at.column * n)]);
      sum += term;
      magnitudes += abs(term);
    }
    return judge_within(oracle::exact(c[static_cast<std::size_t>(at.row + at.column * n)]), sum,
                        kernel.bound(static_cast<std::uint64_t>(n), magnitudes));
  }

  Options options_;
  Executor on_;
};

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Judges every entry of matrix products in native pairs by exact sums.", "pair_bulk");
  add_bulk_options(app, options);
  app.add_option("--n", options.n, "rows and columns")->check(CLI::Range(1, 8192));
  return run_bulk(app, argc, argv, options, [&] { return Bulk(options).run(); });
}

}  // namespace
}  // namespace assay::pair

int main(int argc, char** argv) { return assay::pair::run(argc, argv); }
