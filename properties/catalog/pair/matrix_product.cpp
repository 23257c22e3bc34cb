#include "errorbounds/pair_product.hpp"

#include "kernels/pair/matrix_product.hpp"
#include "properties/catalog/pair/matrix_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::pair {

namespace {

using oracle::Dyadic;
using Case = MatrixProductCase<double>;
using ProductClaim = Claim<Case, std::vector<double>, std::vector<Dyadic>>;

/// |ĉ − c| ≤ bound(k, T) in every entry.
auto error_within(std::string id, std::string statement, Source source, Bound (*bound)(std::uint64_t, const Dyadic&)) {
  return within(std::move(id), std::move(statement), source, [bound](const Case& c) {
    std::vector<Bound> bounds;
    for (const Dyadic& magnitude : exact_magnitudes(c)) {
      bounds.push_back(bound(c.k, magnitude));
    }
    return bounds;
  });
}

using Kernel = std::vector<double> (*)(const Executor&, std::span<const ProductShape>, std::span<const double>,
                                       std::span<const double>);

/// The products of all cases in one call.
std::vector<std::vector<double>> products(Kernel kernel, const Executor& on, std::span<const Case> cases) {
  std::vector<ProductShape> shapes;
  std::vector<double> a;
  std::vector<double> b;
  for (const Case& each : cases) {
    shapes.push_back({each.m, each.n, each.k});
    a.insert(a.end(), each.a.begin(), each.a.end());
    b.insert(b.end(), each.b.begin(), each.b.end());
  }
  const std::vector<double> c = kernel(on, shapes, a, b);
  std::vector<std::vector<double>> results;
  auto first = c.begin();
  for (const ProductShape& each : shapes) {
    const auto last = first + static_cast<std::ptrdiff_t>(each.m * each.n);
    results.emplace_back(first, last);
    first = last;
  }
  return results;
}

/// `exact_in`: in which format no operation on small integers rounds.
Property<Case> product(std::string name, Box box, Kernel kernel, const oracle::Format& exact_in,
                       std::vector<ProductClaim> claims) {
  claims.push_back(when(
      "entries of p bits, products multiples of g = 2^e ≥ η with T ≤ 2^p·g",
      [exact_in](const Case& c) { return multiplies_exactly(c, exact_in); },
      exact("exact_on_a_grid", "ĉ = c where no operation rounds", "docs/bounds/pair.md")));
  return {.name = std::move(name),
          .domain = product_domain<double>(box),
          .subject = [kernel](const Executor& on, std::span<const Case> cases) { return products(kernel, on, cases); },
          .reference = exact_product<double>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

std::vector<double> interleaved(const Executor& on, std::span<const ProductShape> shapes, std::span<const double> a,
                                std::span<const double> b) {
  return product_pair(on, shapes, a, b, PairLayout::interleaved);
}
std::vector<double> planes(const Executor& on, std::span<const ProductShape> shapes, std::span<const double> a,
                           std::span<const double> b) {
  return product_pair(on, shapes, a, b, PairLayout::planes);
}

auto pair_error(std::string id, std::string statement) {
  return error_within(std::move(id), std::move(statement), "docs/bounds/pair.md", product_pair_bound);
}
auto double_error(std::string id, std::string statement) {
  return error_within(std::move(id), std::move(statement),
                      "Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §3.1; "
                      "docs/bounds/pair.md",
                      product_double_bound);
}

const Registration all[] = {
    Registration(product(
        "pair.product_single", product_data_box_binary32, product_single, oracle::binary32,
        {error_within("error", "|Ĉ − C| ≤ γ_{k+2}|A||B| + (1 + γ_{k+2})kη/2, u = 2^−24", "docs/bounds/pair.md",
                      product_single_bound),
         expected_refuted(pair_error("error_of_pair", "|Ĉ − C| ≤ Nu²/(1 − Nu²)|A||B| + 3kη, as in pairs (false)"))})),
    Registration(product(
        "pair.product_pair_interleaved", product_data_box_binary32, interleaved, oracle::binary32,
        {pair_error("error", "|Ĉ − C| ≤ Nu²/(1 − Nu²)|A||B| + 3kη, N = 3k + 8, u = 2^−24"),
         expected_refuted(double_error("error_of_double", "|Ĉ − C| ≤ γ_k|A||B|, u = 2^−53, as in binary64 (false)"))})),
    Registration(product("pair.product_pair_planes", product_data_box_binary32, planes, oracle::binary32,
                         {pair_error("error", "|Ĉ − C| ≤ Nu²/(1 − Nu²)|A||B| + 3kη, N = 3k + 8, u = 2^−24"),
                          satisfies("bits_of_interleaved", "the same bits in both layouts", "docs/bounds/pair.md",
                                    [](const Case& c, const std::vector<double>& got) {
                                      return same_bits(
                                          got, products(interleaved, Executor::host(), std::span(&c, 1)).front());
                                    })})),
    Registration(product("pair.product_double", product_data_box_binary64, product_double, oracle::binary64,
                         {double_error("error", "|Ĉ − C| ≤ γ_k|A||B| + (1 + γ_k)kη/2, u = 2^−53")})),
};

}  // namespace

}  // namespace assay::pair
