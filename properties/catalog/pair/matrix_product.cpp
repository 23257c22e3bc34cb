#include "kernels/pair/matrix_product.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>

#include "arith/words/native_pair.hpp"
#include "errorbounds/pair_theorems.hpp"
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

// The same products in memory after which nothing may be read: a kernel that reads beyond its factors crashes.

/// Numbers on the host that end where a page ends; the next page is not accessible.
template <class T>
class Fenced {
 public:
  template <class Number>
  Fenced(std::span<const double> x, Number number) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t room = (x.size() * sizeof(T) + page - 1) / page * page;
    bytes_ = room + page;
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    auto* const fence = static_cast<unsigned char*>(memory_) + room;
    ::mprotect(fence, page, PROT_NONE);
    first_ = reinterpret_cast<T*>(fence) - x.size();
    std::transform(x.begin(), x.end(), first_, number);
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() { ::munmap(memory_, bytes_); }
  [[nodiscard]] T* data() const { return first_; }

 private:
  void* memory_;
  std::size_t bytes_;
  T* first_;
};

/// The products one by one; `multiply(on, shape, a, b, c)` with a and b of T.
template <class T, class Number, class Multiply>
std::vector<double> fenced_products(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                    std::span<const double> b, Number number, Multiply multiply) {
  std::vector<double> all;
  for (const ProductShape& each : shapes) {
    const Fenced<T> left(a.first(each.m * each.k), number);
    const Fenced<T> right(b.first(each.k * each.n), number);
    a = a.subspan(each.m * each.k);
    b = b.subspan(each.k * each.n);
    const std::vector<double> none(each.m * each.n, std::numeric_limits<double>::quiet_NaN());
    const Fenced<double> product(none, [](double x) { return x; });
    multiply(on, each, left.data(), right.data(), product.data());
    all.insert(all.end(), product.data(), product.data() + none.size());
  }
  return all;
}

std::vector<double> fenced_single(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                  std::span<const double> b) {
  return fenced_products<float>(
      on, shapes, a, b, [](double x) { return static_cast<float>(x); },
      [](const Executor& host, const ProductShape& shape, const float* left, const float* right, double* c) {
        product_single(host, shape, left, right, c);
      });
}
std::vector<double> fenced_interleaved(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                       std::span<const double> b) {
  return fenced_products<DoubleWord<float>>(
      on, shapes, a, b, pair::from_double,
      [](const Executor& host, const ProductShape& shape, const DoubleWord<float>* left, const DoubleWord<float>* right,
         double* c) { product_pair(host, shape, left, right, c); });
}
std::vector<double> fenced_double(const Executor& on, ProductShapes shapes, std::span<const double> a,
                                  std::span<const double> b) {
  return fenced_products<double>(
      on, shapes, a, b, [](double x) { return x; },
      [](const Executor& host, const ProductShape& shape, const double* left, const double* right, double* c) {
        product_double(host, shape, left, right, c);
      });
}

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

/// ĉ as recursive sums of T by FMA, bit for bit.
template <FloatingPoint T>
ProductClaim fused() {
  return satisfies("fused", pair_product_order_1, [](const Case& c, const std::vector<double>& got) {
    std::vector<double> expected(std::size_t{c.m} * c.n);
    for (std::size_t at = 0; at < expected.size(); ++at) {
      const std::size_t i = at % c.m;
      const std::size_t j = at / c.m;
      T sum = 0;
      for (std::size_t l = 0; l < c.k; ++l) {
        sum = fma(static_cast<T>(c.a[i + l * c.m]), static_cast<T>(c.b[l + j * c.k]), sum);
      }
      expected[at] = static_cast<double>(sum);
    }
    return same_bits(got, expected);
  });
}

/// `exact_in`: the format in which no operation on small integers rounds.
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

/// Integers, in two tiles of rows and all of a tile's columns and steps.
Case draw_two_tiles(Draw& draw) {
  Case shape;
  shape.m = static_cast<std::uint32_t>(draw.between(65, 127));
  shape.n = static_cast<std::uint32_t>(draw.between(64, 66));
  shape.k = static_cast<std::uint32_t>(draw.between(16, 18));
  const auto entry = [&](std::uint32_t, std::uint32_t) { return static_cast<double>(draw.between(-9, 9)); };
  return detail::filled(shape, entry, entry);
}

/// A product of factors in fenced memory, on the host.
void fenced(std::string name, Box box, Kernel kernel, const oracle::Format& exact_in,
            std::vector<ProductClaim> claims) {
  Property<Case> property = product(std::move(name), box, kernel, exact_in, std::move(claims));
  property.domain.classes.push_back({"two tiles of rows", 1, drawn<Case>(draw_two_tiles)});
  property.host_only = true;
  property.quick_cases = 200;
  Registration(std::move(property));
}

const LateRegistration all{
    "pair", [] {
      fenced("pair.product_single_fenced", product_data_box_binary32, fenced_single, oracle::binary32,
             {fused<float>()});
      fenced("pair.product_pair_fenced", product_data_box_binary32, fenced_interleaved, oracle::binary32, {});
      fenced("pair.product_double_fenced", product_data_box_binary64, fenced_double, oracle::binary64,
             {fused<double>()});
      Registration(
          product("pair.product_single", product_data_box_binary32, product_single, oracle::binary32,
                  {error_within("error", pair_product_single_1),
                   expected_refuted(error_within("error_of_pair", pair_product_single_2), "error"), fused<float>()}));
      Registration(product("pair.product_pair_interleaved", product_data_box_binary32, product_pair_interleaved,
                           oracle::binary32,
                           {error_within("error", pair_product_pair_1),
                            expected_refuted(error_within("error_of_double", pair_product_pair_2), "error")}));
      Registration(product(
          "pair.product_pair_planes", product_data_box_binary32, product_pair_planes, oracle::binary32,
          {error_within("error", pair_product_pair_1),
           satisfies("bits_of_interleaved", pair_product_pair_3, [](const Case& c, const std::vector<double>& got) {
             return same_bits(got, products(product_pair_interleaved, Executor::host(), std::span(&c, 1)).front());
           })}));
      Registration(product("pair.product_double", product_data_box_binary64, product_double, oracle::binary64,
                           {error_within("error", pair_product_double_1), fused<double>()}));
    }};

}  // namespace

}  // namespace assay::pair
