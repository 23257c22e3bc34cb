// The promises of operations on double and triple words, mostly outside the ranges of their theorems, for the mutants
// that break them.

#include <cmath>
#include <limits>
#include <utility>

#include "arith/words/double_word.hpp"
#include "arith/words/triple_word.hpp"
#include "errorbounds/triple_theorems.hpp"
#include "properties/catalog/dw/outside.hpp"
#include "properties/catalog/triple/outside.hpp"
#include "properties/draws/dw/word_operations.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

using Word = DoubleWord<double>;
using Operands = DwDw<double>;

bool is_subnormal(double x) { return x != 0 && abs(x) < bits::power_of_two<double>(FloatTraits<double>::emin); }

enum class Outside {
  none,
  product_flushed,
  low_word_flushed,
  finite_sum_of_infinities,
  quotient_by_zero,
  quotient_flushed
};

Word product(const Operands& c, Outside mistake) {
  const Word z = dw::mul2(c.x, c.y);
  if (mistake == Outside::product_flushed && is_subnormal(z.h)) return {0, 0};
  if (mistake == Outside::low_word_flushed && is_subnormal(z.l)) return {z.h, 0};
  return z;
}

Word sum(const Operands& c, Outside mistake) {
  const bool infinite = abs(c.x.h) == std::numeric_limits<double>::infinity();
  if (mistake == Outside::finite_sum_of_infinities && infinite) return {std::numeric_limits<double>::max(), 0};
  return dw::accurate_add(c.x, c.y);
}

Word quotient(const Operands& c, Outside mistake) {
  if (mistake == Outside::quotient_by_zero && c.y.h == 0) return {c.x.h / c.y.h, 0};
  return dw::div2(c.x, c.y);
}

/// The promises of all operations; those with mistakes take their places in the list.
auto outside_promise(Outside mistake) {
  return TypedModel(dw::outside_property<double>([mistake](const Executor&, const Operands& c) {
    using dw::Operation;
    dw::OutsideResults<double> z = {dw::add_fp(c.x, c.y.h),   Word{},
                                    dw::sloppy_add(c.x, c.y), dw::mul_fp1(c.x, c.y.h),
                                    dw::mul_fp2(c.x, c.y.h),  dw::mul_fp3(c.x, c.y.h),
                                    dw::mul1(c.x, c.y),       Word{},
                                    dw::mul3(c.x, c.y),       dw::div_fp1(c.x, c.y.h),
                                    dw::div_fp2(c.x, c.y.h),  dw::div_fp3(c.x, c.y.h),
                                    dw::div1(c.x, c.y),       Word{},
                                    dw::div3(c.x, c.y),       dw::sqrt(c.x)};
    z[static_cast<std::size_t>(Operation::accurate_add)] = sum(c, mistake);
    z[static_cast<std::size_t>(Operation::mul2)] = product(c, mistake);
    z[static_cast<std::size_t>(Operation::div2)] = quotient(c, mistake);
    Word& by_reciprocal = z[static_cast<std::size_t>(Operation::div3)];
    if (mistake == Outside::quotient_flushed && is_subnormal(by_reciprocal.h)) by_reciprocal = {0, 0};
    return z;
  }));
}

enum class OutsideTriples { none, product_flushed, finite_sum_of_infinities };

/// The promises of the sum and the products of triple words.
auto triple_promise(OutsideTriples mistake) {
  return TypedModel(triple::outside_property<double>([mistake](const Executor&, const TwTw<double>& c) {
    TripleWord<double> sum = triple::add(c.x, c.y);
    if (mistake == OutsideTriples::finite_sum_of_infinities && !dw::is_finite_word(c.x.x0)) {
      sum = {std::numeric_limits<double>::max(), 0, 0};
    }
    TripleWord<double> product = triple::mul_accurate(c.x, c.y);
    if (mistake == OutsideTriples::product_flushed && is_subnormal(product.x0)) product = {0, 0, 0};
    const TripleWord<double> fast = triple::mul_fast(c.x, c.y);
    return Expansions<double>{{sum.x0, sum.x1, sum.x2, product.x0, product.x1, product.x2, fast.x0, fast.x1, fast.x2},
                              3};
  }));
}

/// 1/x by the accurate algorithm, whose product bx is the fast one by mistake. The published bound still holds.
enum class Product { accurate, fast };

auto reciprocal_promise(Product mistake) {
  using Case = Tw<double>;
  const Box box = triple_reciprocal_box(oracle::binary64);
  Domain<Case> domain{.classes = dw::word_sum_classes<TripleWord<double>, Case>(box), .contains = [box](const Case& c) {
                        return dw::is_operand(c.x, box) && bits_of(abs(c.x.x0)) != 0;
                      }};
  domain.classes.push_back({"a divisor whose fast product errs by 10.99u³", 1, drawn<Case>([](Draw& draw) {
                              const int scale = draw.between(-16, 16);
                              return Case{{std::ldexp(0x1.071b03d71324p+0, scale),
                                           std::ldexp(0x1.ffc097ccca109p-53, scale),
                                           std::ldexp(0x1.fffffffffffdbp-106, scale)}};
                            })});
  return TypedModel(Property<Case, TripleWord<double>, oracle::Exact>{
      .name = "mutants.triple_reciprocal",
      .domain = std::move(domain),
      .subject =
          [mistake](const Executor&, const Case& c) {
            return mistake == Product::fast ? triple::reciprocal_fast(c.x) : triple::reciprocal_accurate(c.x);
          },
      .reference = [](const Case& c) { return oracle::quotient(oracle::Dyadic(1), value_of(c.x)); },
      .claims = {within("error", triple_reciprocal_accurate_1, 53),
                 within("error_sharp", triple_reciprocal_accurate_2, 53)},
      .quick_cases = 1000});
}

}  // namespace

Rows word_rows() {
  Rows rows = rows_of<Outside>(
      {{{"D1", "a product of double words that is subnormal is flushed to zero", 8}, Outside::product_flushed},
       {{"D2", "a product of double words flushes a subnormal low word to zero", 8}, Outside::low_word_flushed},
       {{"D3", "the sum of an infinity and a double word is finite", 8}, Outside::finite_sum_of_infinities},
       {{"D4", "a quotient by zero is an infinity, not NaN", 8}, Outside::quotient_by_zero},
       {{"D7", "a quotient by Algorithm 18 that is subnormal is flushed to zero", 8}, Outside::quotient_flushed}},
      outside_promise);
  const Rows of_triples = rows_of<OutsideTriples>(
      {{{"D5", "a product of triple words that is subnormal is flushed to zero", 8}, OutsideTriples::product_flushed},
       {{"D6", "the sum of an infinity or NaN and a triple word is finite", 8},
        OutsideTriples::finite_sum_of_infinities}},
      triple_promise);
  rows.insert(rows.end(), of_triples.begin(), of_triples.end());
  rows.push_back(kernel_row({"D8", "the accurate reciprocal of a triple word takes the fast product", 170},
                            reciprocal_promise(Product::fast), reciprocal_promise(Product::accurate)));
  return rows;
}

}  // namespace assay::mutants
