#include "errorbounds/pair_theorems.hpp"

#include "kernels/pair/matrix_product.hpp"
#include "properties/catalog/pair/matrix_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::pair {

namespace {

using oracle::Dyadic;
using Case = MatrixProductCase<double>;
using ProductClaim = Claim<Case, std::vector<double>, std::vector<Dyadic>>;

/// |ĉ − c| ≤ bound(k, T) in every entry.
auto error_within(std::string id, const BoundedTheorem auto& theorem) {
  return within(std::move(id), theorem, [](const auto& bound, const Case& c) {
    std::vector<Bound> bounds;
    for (const Dyadic& magnitude : exact_magnitudes(c)) {
      bounds.push_back(bound(c.k, magnitude));
    }
    return bounds;
  });
}

using Kernel = std::vector<double> (*)(const Executor&, ProductShapes, std::span<const double>,
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
      exact("exact_on_a_grid", pair_product_exact_1)));
  return {.name = std::move(name),
          .domain = product_domain<double>(box),
          .subject = [kernel](const Executor& on, std::span<const Case> cases) { return products(kernel, on, cases); },
          .reference = exact_product<double>,
          .claims = std::move(claims),
          .quick_cases = 1000};
}

std::vector<double> interleaved(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                std::span<const double> b) {
  return product_pair(on, shapes, a, b, PairLayout::interleaved);
}
std::vector<double> planes(const Executor& on, ProductShapes shapes, std::span<const double> a,
                           std::span<const double> b) {
  return product_pair(on, shapes, a, b, PairLayout::planes);
}

const LateRegistration all{
    "pair", [] {
      Registration(product("pair.product_single", product_data_box_binary32, product_single, oracle::binary32,
                           {error_within("error", pair_product_single_1),
                            expected_refuted(error_within("error_of_pair", pair_product_single_2), "error")}));
      Registration(product("pair.product_pair_interleaved", product_data_box_binary32, interleaved, oracle::binary32,
                           {error_within("error", pair_product_pair_1),
                            expected_refuted(error_within("error_of_double", pair_product_pair_2), "error")}));
      Registration(product(
          "pair.product_pair_planes", product_data_box_binary32, planes, oracle::binary32,
          {error_within("error", pair_product_pair_1),
           satisfies("bits_of_interleaved", pair_product_pair_3, [](const Case& c, const std::vector<double>& got) {
             return same_bits(got, products(interleaved, Executor::host(), std::span(&c, 1)).front());
           })}));
      Registration(product("pair.product_double", product_data_box_binary64, product_double, oracle::binary64,
                           {error_within("error", pair_product_double_1)}));
    }};

}  // namespace

}  // namespace assay::pair
