// Assertions about the kernels of the decomposed GEMV: the members of a product that is 0, additions that drop the
// smaller operand, and accesses, because the compiler refuses one outside of an array and a value that was not written.

#if defined(__cpp_implicit_constexpr)

#include "tests/constants/inline_here.hpp"

#include <cstddef>
#include <cstdint>

#include "kernels/gemv/detail/mp_gemv_product_rounding.hpp"
#include "kernels/gemv/detail/mp_gemv_sums.hpp"
#include "tests/constants/run_blocks.hpp"

namespace assay::constants {
namespace {

namespace of = gemv::detail;
/// The moduli of rns::Standard<8>, with members of their own in the kernels.
struct Eight : rns::Standard<8> {};

}  // namespace
}  // namespace assay::constants

namespace assay::gemv::detail {

// Numbers with wide enclosures need too much for the compiler; none occurs here.
template <>
inline void MpProductRounding<constants::Eight>::round_alone(const mp::MpView<constants::Eight>&, std::size_t) {}
template <>
inline MpHead<constants::Eight> MpSums<constants::Eight>::add_alone(std::uint32_t*, const Head& head,
                                                                    const mp::MpView<constants::Eight>&, std::size_t) {
  return head;
}

}  // namespace assay::gemv::detail

namespace assay::constants {
namespace {

/// Numbers in memory, all members 0 at first.
template <int count>
struct Numbers {
  std::uint32_t digits[count * Eight::size];
  std::int32_t sign[count];
  std::int32_t exponent[count];
  Extended lower[count];
  Extended upper[count];

  constexpr mp::MpView<Eight> view() { return {digits, sign, exponent, lower, upper, Eight::size, 1}; }
  /// Number k = ±(2^power + more)·2^e, more small.
  constexpr void set(int k, int power, std::uint32_t more, std::int32_t e, bool negative = false) {
    for (int i = 0; i < Eight::size; ++i) digits[k * Eight::size + i] = residue(power, more, i);
    const Interval& unit = rns::tables<Eight>().reciprocal_product;
    lower[k] = scale(unit.lower, power);
    upper[k] = scale(unit.upper, power);
    exponent[k] = e;
    sign[k] = negative ? 1 : 0;
  }
  constexpr bool has(int k, int power, std::uint32_t more, std::int32_t e, bool negative = false) const {
    for (int i = 0; i < Eight::size; ++i) {
      if (digits[k * Eight::size + i] != residue(power, more, i)) return false;
    }
    return exponent[k] == e && sign[k] == (negative ? 1 : 0);
  }
  constexpr bool is_zero(int k) const { return exponent[k] == 0 && sign[k] == 0 && upper[k].fraction == 0.0; }

 private:
  static constexpr std::uint32_t residue(int power, std::uint32_t more, int i) {
    const std::uint64_t m = Eight::modulus(i);
    std::uint64_t r = 1;
    for (int k = 0; k < power; ++k) r = 2 * r % m;
    return static_cast<std::uint32_t>((r + more) % m);
  }
};

// A product with 0 is 0 with all its members; one with a number out of range is out of range.
constexpr Numbers<1> product(std::int32_t exponent_of_zero, bool marked) {
  Numbers<1> x{};
  x.set(0, 3, 0, 7, true);
  Numbers<1> y{};
  y.exponent[0] = marked ? mp::out_of_range_exponent : exponent_of_zero;
  Numbers<1> z{};
  z.set(0, 5, 0, 9, true);
  of::MpProductSigns<Eight>{{1, 1, 0, {x.view()}, {y.view()}, {z.view()}}}(0);
  return z;
}
static_assert(product(0, false).is_zero(0) && product(11, false).is_zero(0));
static_assert(product(0, true).exponent[0] == mp::out_of_range_exponent);

// The largest exponent is one that a product may have.
constexpr std::int32_t exponent_of_product(std::int32_t x_exponent, std::int32_t y_exponent) {
  Numbers<1> x{};
  x.set(0, 3, 0, x_exponent);
  Numbers<1> y{};
  y.set(0, 2, 0, y_exponent);
  Numbers<1> z{};
  of::MpProductSigns<Eight>{{1, 1, 0, {x.view()}, {y.view()}, {z.view()}}}(0);
  return z.exponent[0];
}
static_assert(exponent_of_product(mp::exponent_limit - 7, 7) == mp::exponent_limit);
static_assert(exponent_of_product(mp::exponent_limit - 7, 8) == mp::out_of_range_exponent);

// Digits of 64 products in a block.
constexpr std::size_t blocks_of_digits(std::int64_t columns) {
  return of::MpProductDigits<Eight>{{1, columns, 0, {}, {}, {}}}.blocks();
}
static_assert(blocks_of_digits(1) == 1 && blocks_of_digits(64) == 1 && blocks_of_digits(65) == 2);

// A number of the largest or the least exponent is not changed, one beyond is out of range.
constexpr std::int64_t exponent_after_rounding(std::int64_t exponent) {
  Numbers<1> x{};
  x.set(0, 3, 0, 0);
  auto head = of::MpHead<Eight>::of(x.view(), 0);
  head.exponent = exponent;
  return head.round() == 0 ? head.exponent : 0;
}
constexpr std::int64_t limit = mp::exponent_limit;
static_assert(exponent_after_rounding(limit) == limit && exponent_after_rounding(-limit) == -limit);
static_assert(exponent_after_rounding(limit + 1) == mp::out_of_range_exponent);
static_assert(exponent_after_rounding(-limit - 1) == mp::out_of_range_exponent);

// Products in place: ⌊X/2^d⌋, so that 108 bits are left, or X.
constexpr bool rounds_products() {
  Numbers<3> x{};
  x.set(0, 120, 5, 3);
  x.set(1, 2, 0, 3);
  x.set(2, 150, 1, -9, true);
  run_blocks(of::MpProductRounding<Eight>{3, x.view()}, 1);
  return x.has(0, 107, 0, 16) && x.has(1, 2, 0, 3) && x.has(2, 107, 0, 34, true);
}
static_assert(rounds_products());

// 2^shift + 1 as a sum: where 2^shift is M/2 or more, the 1 is dropped, and nothing is scaled.
constexpr int bits_of_product = rns::product_exponent<Eight> + 1;
constexpr Numbers<3> sum(int shift) {
  using Sums = of::MpSums<Eight>;
  Numbers<3> x{};
  x.set(0, 0, 0, shift + 4);
  x.set(1, 0, 0, 4);
  Sums::Shared shared{};
  Sums::Team block(shared, 0);
  auto heads = Sums::begin(block);
  for (int v = 0; v < Sums::numbers; ++v) shared.terms[v] = {0, 1, v == 0 ? 2 : 0};
  Sums::add(block, heads, x.view(), 2);
  Sums::store(block, heads, x.view(), [](int v) { return v == 0 ? 2 : -1; });
  return x;
}
static_assert(sum(0).has(2, 1, 0, 4) && sum(9).has(2, 9, 1, 4));
static_assert(sum(bits_of_product - 2).has(2, 107, 0, bits_of_product - 2 + 4 - 107));
static_assert(sum(bits_of_product - 1).has(2, 0, 0, bits_of_product - 1 + 4));
static_assert(sum(bits_of_product).has(2, 0, 0, bits_of_product + 4));

}  // namespace
}  // namespace assay::constants

#endif
