// Assertions about the matrix-vector products in kernels/gemv: plans, carries that go through all limbs, windows,
// heads, and accesses, because the compiler refuses one outside of an array and a value that was not written.

#if defined(__cpp_implicit_constexpr)

#include "tests/constants/inline_here.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "arith/residues/limbs.hpp"

namespace assay::constants {
namespace {

using Eight = rns::Standard<8>;
/// The tables of two dimensions, row after row: the compiler refuses an index that goes on from one row to the next.
struct FlatTables {
  using Limbs = rns::LimbTables<Eight>;
  static constexpr int powers = rns::limbs<Eight> + 1;
  rns::Tables<Eight> base;
  Limbs more;
  std::uint32_t power32[powers * Eight::size];
  std::uint32_t cofactor[Eight::size * Limbs::limbs];
};
constexpr FlatTables flat = [] {
  FlatTables t{rns::tables<Eight>(), rns::detail::make_limb_tables<Eight>(), {}, {}};
  for (int i = 0; i < Eight::size; ++i) {
    for (int k = 0; k < FlatTables::powers; ++k) t.power32[k * Eight::size + i] = t.base.power32[k][i];
    for (int k = 0; k < FlatTables::Limbs::limbs; ++k) {
      t.cofactor[i * FlatTables::Limbs::limbs + k] = t.more.cofactor[i][k];
    }
  }
  return t;
}();
constexpr rns::LimbTablesView tables = {Eight::n,
                                        Eight::size,
                                        FlatTables::Limbs::limbs,
                                        flat.base.product_exponent / 2,
                                        flat.more.spare,
                                        flat.base.m,
                                        flat.base.barrett,
                                        flat.power32,
                                        flat.more.shift_quotient,
                                        flat.more.weight,
                                        flat.more.product,
                                        flat.cofactor,
                                        flat.base.reciprocal_product};

}  // namespace
}  // namespace assay::constants

template <>
inline assay::rns::LimbTablesView assay::rns::limb_tables<assay::rns::Standard<8>>() {
  return constants::tables;
}

#include "kernels/gemv/detail/mp_gemm_lines.hpp"
#include "kernels/gemv/detail/mp_gemv_exact_call.hpp"
#include "kernels/gemv/detail/mp_spmv_sums.hpp"
#include "kernels/gemv/exact_gemv_block.hpp"
#include "kernels/gemv/mp_spmv.hpp"
#include "tests/constants/run_blocks.hpp"

namespace assay::constants {
namespace {

namespace of = gemv::detail;

__extension__ using SignedWide = __int128;

// Plans: the window and the bits of the sums as docs/bounds/gemv.md has them, and the parts that were measured.
struct Parts {
  int tops, sums, guards;
  constexpr bool operator==(const Parts&) const = default;
};
constexpr Parts parts_of(int n, bool transposed, std::int64_t outputs, std::int64_t terms) {
  const of::GemvExactPlan plan = of::gemv_exact_plan(n, transposed, outputs, terms);
  return {plan.top_splits, plan.sum_splits, plan.guard_splits};
}
static_assert(parts_of(8, false, 1, 1) == Parts{1, 1, 1} && parts_of(8, false, 1000, 1000) == Parts{15, 7, 5});
static_assert(parts_of(8, true, 1000, 1000) == Parts{9, 2, 1} && parts_of(64, true, 1024, 4096) == Parts{9, 1, 1});
static_assert(parts_of(64, false, 1024, 4096) == Parts{33, 4, 3});
static_assert(parts_of(8, false, 1, 1000) == Parts{15, 13, 10} && parts_of(8, false, 1, 256) == Parts{4, 4, 3});

// Parts begin at even terms, and each has its share of them.
constexpr bool shares_terms(std::int64_t terms, int splits) {
  of::GemvExactPlan plan{};
  plan.terms = terms;
  if (plan.begin_of(0, splits) != 0 || plan.begin_of(splits, splits) != terms) return false;
  for (int i = 1; i < splits; ++i) {
    const std::int64_t begin = plan.begin_of(i, splits);
    if (begin % 2 != 0 || begin * splits > terms * i || (begin + 2) * splits <= terms * i) return false;
  }
  return true;
}
static_assert(shares_terms(100, 4) && shares_terms(101, 7) && shares_terms(3, 1));

constexpr bool windows_are_safe() {
  for (int log_terms = 0; log_terms <= 28; log_terms += 4) {
    for (const std::int64_t more : {0, 1}) {  // a power of two, and one more
      const of::GemvExactPlan plan = of::gemv_exact_plan(16, true, 8, (std::int64_t{1} << log_terms) + more);
      const int log = log_terms + static_cast<int>(more);
      if (plan.sum_bits != 27 * 16 + log || plan.window != (log < 3 ? 26 : 29 - log)) return false;
    }
  }
  return true;
}
static_assert(windows_are_safe());

// The largest exponent of an output is that of all parts.
constexpr std::int32_t base_of(std::int64_t output) {
  std::int32_t tops[] = {3, -70, 5, -90, 4, -80};
  of::GemvExactPlan plan{};
  plan.outputs = 2;
  plan.top_splits = 3;
  plan.window = 20;
  plan.tops = tops;
  return plan.base_of(output);
}
static_assert(base_of(0) == 5 - 19 && base_of(1) == -70 - 19);

// Carries. Column k of an integer is low_k + high_(k − 1).
using Integers = of::GemvExactIntegers<64>;
template <int count>
struct Columns {
  std::int64_t low[count];
  std::int64_t high[count];
};
template <int count>
constexpr Integers::Shared with_columns(const Columns<count>& columns) {
  Integers::Shared s;
  for (int k = 0; k < count; ++k) {
    s.low[k] = columns.low[k];
    s.high[k] = columns.high[k];
  }
  return s;
}
template <int count>
constexpr bool resolves(const Columns<count>& columns, Order order) {
  Integers::Shared s = with_columns(columns);
  Integers::Team block(s, 0, order);
  Integers::resolve(block, &Integers::Shared::z, count);
  SignedWide carry = 0;
  for (int k = 0; k < count; ++k) {
    carry += SignedWide{columns.low[k]} + (k > 0 ? columns.high[k - 1] : 0);
    if (s.z[k] != static_cast<std::uint32_t>(carry)) return false;
    carry >>= 32;
  }
  return s.over == columns.high[count - 1] + carry;
}
template <int count>
constexpr bool resolves(const Columns<count>& columns) {
  return resolves(columns, Order::ascending) && resolves(columns, Order::descending);
}
constexpr std::int64_t ones = 0xFFFFFFFF;
constexpr std::int64_t radix = std::int64_t{1} << 32;
constexpr std::int64_t large = std::int64_t{1} << 61;
static_assert(resolves<1>({{-5}, {0}}) && resolves<1>({{radix + 5}, {7}}) && resolves<2>({{-1, 0}, {0, 0}}));
// One carry goes through all limbs and beyond the last one, up or down.
static_assert(resolves<7>({{radix, ones, ones, ones, ones, ones, ones}, {}}));
static_assert(resolves<7>({{-1, 0, 0, 0, 0, 0, 0}, {}}));
// Through some limbs, a second time, and to a stop.
static_assert(resolves<8>({{ones, 1, ones, ones, ones, ones, 5, ones}, {1, 0, 0, 0, 0, 0, 0, 0}}));
static_assert(resolves<8>({{-radix, 0, 0, 0, 0, 0, -1, 0}, {-1, 0, 0, 0, 0, 0, 0, 0}}));
static_assert(resolves<6>({{large, -large, large, -large, large, ones}, {large, large, -large, -large, -1, -1}}));
// More limbs than threads.
template <int count>
constexpr Columns<count> uniform(std::int64_t first, std::int64_t others) {
  Columns<count> columns{};
  for (int k = 0; k < count; ++k) columns.low[k] = k == 0 ? first : others;
  return columns;
}
static_assert(resolves(uniform<70>(radix, ones)) && resolves(uniform<66>(-1, 0)) && resolves(uniform<65>(7, -3)));

// As sign and magnitude: the limbs up to the highest one that is not 0, and the lowest one.
struct Magnitude {
  bool negative;
  int count, lowest;
  std::uint32_t first, last;
  constexpr bool operator==(const Magnitude&) const = default;
};
template <int count>
constexpr Magnitude magnitude(const Columns<count>& columns, bool negate) {
  Integers::Shared s = with_columns(columns);
  s.w_is.exponent = 9;
  Integers::Team block(s, 0);
  Integers::resolve_magnitude(block, &Integers::Shared::w, &Integers::Shared::w_is, count, negate);
  const Integers::Integer& is = s.w_is;
  if (is.exponent != 9) return {};
  return {is.negative, is.count, is.lowest, is.count == 0 ? 0 : s.w[0], is.count == 0 ? 0 : s.w[is.count - 1]};
}
static_assert(magnitude<4>({{-1, 0, 0, 0}, {}}, false) == Magnitude{true, 1, 0, 1, 1});
static_assert(magnitude<4>({{-1, 0, 0, 0}, {}}, true) == Magnitude{false, 1, 0, 1, 1});
static_assert(magnitude<4>({{0, 0, -3, 0}, {}}, false) == Magnitude{true, 3, 2, 0, 3});
static_assert(magnitude<4>({{5, 0, 7, 0}, {}}, false) == Magnitude{false, 3, 0, 5, 7});
static_assert(magnitude<4>({{radix, ones, ones, ones - 1}, {}}, false) == Magnitude{false, 4, 3, 0, 0xFFFFFFFF});
static_assert(magnitude<3>({{0, -radix, 0}, {}}, false) == Magnitude{true, 3, 2, 0, 1});
static_assert(magnitude<3>({{0, 0, 0}, {}}, false) == Magnitude{false, 0, 3, 0, 0});

// The only thread of a block describes the integer, too.
constexpr bool describes_alone() {
  using Alone = of::GemvExactIntegers<1>;
  Alone::Shared s;
  s.low[0] = -5;
  s.low[1] = s.high[0] = s.high[1] = 0;
  s.w_is.exponent = 9;
  Alone::Team block(s, 0);
  Alone::resolve_magnitude(block, &Alone::Shared::w, &Alone::Shared::w_is, 2);
  if (Alone::uniform(block, [](const Alone::Shared& of) { return of.w_is.count; }) != 1) return false;
  return s.w_is.negative && s.w_is.count == 1 && s.w_is.lowest == 0 && s.w_is.exponent == 9 && s.w[0] == 5;
}
static_assert(describes_alone());

constexpr std::uint32_t limbs[] = {1, 0x80000000};
static_assert(Integers::bits_of(limbs, 0) == 0 && Integers::bits_of(limbs, 1) == 1 &&
              Integers::bits_of(limbs, 2) == 64);

// A sum that is cut off has the limbs of the longer summand, and of P bits, and four more.
constexpr int limbs_of_sum(int count_z, std::int64_t exponent_z, int count_w, std::int64_t exponent_w) {
  Integers::Shared s;
  for (int k = 0; k < count_z; ++k) s.z[k] = 0x80000000;
  for (int k = 0; k < count_w; ++k) s.w[k] = 0x80000000;
  s.z_is = {exponent_z, count_z, 0, false, false};
  s.w_is = {exponent_w, count_w, 0, false, false};
  Integers::Team block(s, 0);
  Integers::add(block, tables, false);
  return s.z_is.count;
}
static_assert(limbs_of_sum(2, 0, 1, 1000) == 2 + 4 + 4 && limbs_of_sum(1, 1000, 2, 0) == 2 + 4 + 4);
static_assert(limbs_of_sum(1, 0, 2, 1000) == 2 + 4 + 4 && limbs_of_sum(2, 0, 2, 0) == 3);

// A head and the remainder of z sum to z; if z has exactly the bits of a head, it is the head alone. Columns after the
// head are not written.
constexpr int head_bits = tables.precision + 3;
constexpr int head_limbs = (head_bits + 3 + 31) / 32;
template <int count>
constexpr bool splits_head(const std::uint32_t (&z)[count]) {
  Integers::Shared s;
  for (int k = 0; k < count; ++k) s.z[k] = z[k];
  int lowest = 0;
  while (z[lowest] == 0) ++lowest;
  s.z_is = {0, count, lowest, false, false};
  s.total[head_limbs] = 7;
  Integers::Team block(s, 0);
  bool has_head = false;
  const std::int64_t cut = Integers::bits_of(z, count) - head_bits;
  // Too little is left for a head; then a head is made.
  if (Integers::settle(block, tables, cut, has_head) || has_head) return false;
  const bool settled = Integers::settle(block, tables, cut - 2, has_head);
  if (!has_head || settled != (s.z_is.count > 0 && Integers::bits_of(s.z, s.z_is.count) > cut - 2)) return false;
  if (s.head.exponent != cut - 2 || s.head.negative || s.total[head_limbs] != 7) return false;
  SignedWide carry = 0;
  for (int k = 0; k <= count; ++k) {
    const std::int64_t word = k < s.z_is.count ? std::int64_t{s.z[k]} : 0;
    carry += s.z_is.negative ? -word : word;
    for (int part = 0; 32 * part < head_bits + 3; ++part) {
      const std::int64_t at = 32 * part + cut - 2 - 32 * k;  // of this part of the head in limb k
      if (at > -64 && at < 32) {
        const SignedWide total = s.total[part];
        carry += (at >= 0 ? total << at : total >> -at) & ones;
      }
    }
    if (static_cast<std::uint32_t>(carry) != (k < count ? z[k] : 0)) return false;
    carry >>= 32;
  }
  return true;
}

static_assert(head_bits == 110);
static_assert(splits_head({0x80000001, 0x12345678, 0xFFFFFFFF, 0x2001}));
static_assert(splits_head({0x00000001, 0x80000000, 0x87654321, 0x00000005, 0x3FFF}));
static_assert(splits_head({0x80000001, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0x3FFF}));
static_assert(splits_head({0x12345678, 0x7, 0x9ABCDEF0, 0x0FEDCBA9, 0x80000000, 0xFF}));

// If the rest cannot change the rounding, a quarter of the head's unit replaces it: above, below, or none.
template <int count>
constexpr bool joins_head(const std::uint32_t (&z)[count], int side) {
  Integers::Shared s;
  for (int k = 0; k < count; ++k) s.z[k] = z[k];
  int lowest = 0;
  while (z[lowest] == 0) ++lowest;
  s.z_is = {7, count, lowest, false, false};
  Integers::Team block(s, 0);
  bool has_head = false;
  Integers::settle(block, tables, 7 + Integers::bits_of(z, count) - head_bits - 2, has_head);
  if (!has_head) return false;
  const std::int64_t exponent = s.head.exponent;
  std::int64_t columns[head_limbs];
  for (int k = 0; k < head_limbs; ++k) columns[k] = s.total[k];
  Integers::join_head(block, tables);
  if (s.z_is.exponent != exponent || s.z_is.negative) return false;
  std::int64_t carry = side;
  for (int k = 0; k < head_limbs; ++k) {
    carry += columns[k];
    if ((k < s.z_is.count ? s.z[k] : 0) != static_cast<std::uint32_t>(carry)) return false;
    carry >>= 32;
  }
  return carry == 0;
}
static_assert(joins_head({0x00000001, 0x12345678, 0xFFFFFFFF, 0x0000DEF0, 0x2001}, 1));
static_assert(joins_head({0xFFFFFFFF, 0x12345678, 0xFFFFFFFF, 0x0000DEF0, 0x2001}, -1));
static_assert(joins_head({0xFFFFFFFF, 0xFFFFFFFF, 0x00000000, 0x0000DEF0, 0x2001}, -1));
static_assert(joins_head({0x00000000, 0x00000000, 0x00000001, 0x0000DEF0, 0x2001}, 0));

// Products, sums and rounding of a whole call.
constexpr int outputs = 2;
constexpr int terms = 3;
constexpr std::int32_t none = of::GemvExactOperand::zero;
struct Entry {
  std::uint32_t x;
  std::int32_t exponent;
  bool negative;
};
constexpr std::int32_t meta_of(const Entry& e) { return e.x == 0 ? none : 2 * e.exponent + (e.negative ? 1 : 0); }

/// The entries of y by their residues.
struct Result {
  std::uint32_t digits[Eight::size * outputs];
  std::int32_t sign[outputs];
  std::int32_t exponent[outputs];
  Extended lower[outputs];
  Extended upper[outputs];
};
constexpr Result product(const Entry (&a)[outputs * terms], const Entry (&x)[terms], const of::GemvExactScalar& alpha,
                         const of::GemvExactScalar& beta) {
  std::uint32_t digits_a[Eight::size * outputs * terms];
  std::uint32_t digits_x[Eight::size * terms];
  std::int32_t metas_a[outputs * terms];
  std::int32_t metas_x[terms];
  for (int i = 0; i < Eight::size; ++i) {
    for (int k = 0; k < outputs * terms; ++k) digits_a[i * outputs * terms + k] = a[k].x;
    for (int k = 0; k < terms; ++k) digits_x[i * terms + k] = x[k].x;
  }
  for (int k = 0; k < outputs * terms; ++k) metas_a[k] = meta_of(a[k]);
  for (int k = 0; k < terms; ++k) metas_x[k] = meta_of(x[k]);
  of::GemvExactPlan plan = of::gemv_exact_plan(Eight::n, false, outputs, terms);
  std::int32_t tops[outputs];
  std::uint32_t partial[outputs * (Eight::n + of::GemvExactPlan::group)];
  std::int32_t bases[outputs];
  std::int32_t outside[outputs];
  std::int32_t listed[outputs * of::GemvExactPlan::most_listed];
  plan.tops = tops;
  plan.partial = partial;
  plan.bases = bases;
  plan.outside = outside;
  plan.listed = listed;
  Result y{};
  for (int k = 0; k < outputs; ++k) {  // 5·2⁰
    for (int i = 0; i < Eight::size; ++i) y.digits[i * outputs + k] = 5;
  }
  const of::GemvExactOperand left{digits_a, metas_a, outputs * terms, outputs, false};
  const of::GemvExactOperand right{digits_x, metas_x, terms, 1, false};
  run_blocks(of::GemvExactTops<false>{plan, left, right}, 1);
  run_blocks_with_zeros(of::GemvExactSums<false>{plan, left, right},
                        static_cast<std::size_t>(of::GemvExactSums<false>::blocks(plan)));
  const of::GemvExactTask task{
      plan, left, right, alpha, beta, beta.count != 0, {y.digits, y.sign, y.exponent, y.lower, y.upper, outputs, 1}};
  for (std::size_t k = 0; k < outputs; ++k) {
    Integers::Shared shared;
    shared.w_is = {};  // is copied before there is a w
    Integers::Team block(shared, k);
    of::GemvExactFinish<of::GemvExactTerms<false>, 64>{task, {}}(block);
  }
  return y;
}
constexpr of::GemvExactScalar scalar(std::uint32_t x, std::int32_t sign, std::int32_t exponent) {
  of::GemvExactScalar z{};
  z.limbs[0] = x;
  z.count = x == 0 ? 0 : 1;
  z.sign = sign;
  z.exponent = exponent;
  return z;
}
/// Whether an entry is x·2^shift·2^exponent.
constexpr bool is(const Result& y, int output, std::int64_t x, int shift, std::int32_t exponent) {
  for (int i = 0; i < Eight::size; ++i) {
    const std::uint64_t m = Eight::modulus(i);
    std::uint64_t residue = static_cast<std::uint64_t>(x < 0 ? -x : x) % m;
    for (int k = 0; k < shift; ++k) residue = 2 * residue % m;
    if (y.digits[i * outputs + output] != residue) return false;
  }
  return y.sign[output] == (x < 0 ? 1 : 0) && y.exponent[output] == exponent;
}
// By columns. The first row has a term below the window, the second one a 0.
constexpr Entry matrix[] = {{3, 0, false}, {1, 0, false}, {5, 4, true}, {2, 0, false}, {7, -40, false}, {0, 0, false}};
constexpr Entry vector[] = {{2, 0, false}, {1, 0, false}, {1, 0, false}};
constexpr bool takes_products_below_the_window() {
  const Result y = product(matrix, vector, scalar(1, 0, 0), scalar(0, 0, 0));
  return is(y, 0, 7 - (std::int64_t{74} << 40), 0, -40) && is(y, 1, 4, 25, -25);
}
static_assert(takes_products_below_the_window());
constexpr bool scales_and_adds() {
  const Result y = product(matrix, vector, scalar(3, 1, 2), scalar(1, 1, -3));
  return is(y, 0, 3 * ((std::int64_t{74} << 40) - 7) - (std::int64_t{5} << 35), 0, -38);
}
static_assert(scales_and_adds());
// Both rows have a term that is too far below to have a place beside the others.
constexpr Entry far[] = {{1, 0, false}, {1, 0, true}, {1, 0, false}, {1, 0, false}, {1, -900, true}, {1, -900, true}};
constexpr bool rounds_sums_of_far_products() {
  const Result y = product(far, vector, scalar(1, 0, 0), scalar(0, 0, 0));
  constexpr int bits = tables.precision;
  return is(y, 0, 3, bits - 2, 2 - bits) && is(y, 1, -1, bits - 1, 1 - bits);
}
static_assert(rounds_sums_of_far_products());

// The sparse product has a window from the largest exponent down: a product W − 1 below is in it, one W below is
// listed.
constexpr bool sums_a_sparse_row() {
  constexpr int entries = 3;
  of::GemvExactPlan plan = of::undivided_gemv_exact_plan(Eight::n, 1, entries);
  std::uint32_t digits[Eight::size * entries];
  for (std::uint32_t& each : digits) each = 1;
  const std::int32_t words_a[entries] = {2 * plan.window, 2 * 1 + 1, 2 * 0};
  const std::int32_t words_x[entries] = {0, 0, 0};
  const std::int64_t offsets[] = {0, entries};
  const std::int32_t columns[] = {2, 0, 1};
  std::uint32_t partial[Eight::n + of::GemvExactPlan::group];
  std::int32_t base = 0;
  std::int32_t outside = 0;
  std::int32_t listed[of::GemvExactPlan::most_listed];
  plan.partial = partial;
  plan.bases = &base;
  plan.outside = &outside;
  plan.listed = listed;
  run_blocks_with_zeros(
      of::SpmvSums<gemv::MpCsrOn>{plan, {1, offsets, columns, {digits, words_a, entries}}, {digits, words_x, entries}},
      1);
  for (int i = 0; i < Eight::size; ++i) {  // 2^(W − 1) − 1
    if (partial[i] != (std::uint32_t{1} << (plan.window - 1)) - 1) return false;
  }
  return base == 1 && outside == 1 && listed[0] == 2;
}
static_assert(sums_a_sparse_row());

// Lines of a GEMM: the least exponent of one that is not 0, and how far the largest is above it; by either layout.
constexpr bool finds_lines(std::int64_t line_step, std::int64_t term_step) {
  constexpr std::int64_t lines = 3;
  constexpr std::int64_t terms = 4;
  constexpr std::int32_t zero = gemv::MpPlanes::zero;
  const std::int32_t of_lines[lines][terms] = {
      {2 * 5, 2 * 9 + 1, zero, 2 * 7}, {zero, zero, zero, zero}, {2 * -8, zero, 2 * -30 + 1, 2 * -9}};
  std::int32_t words[lines * terms];
  for (std::int64_t i = 0; i < lines; ++i) {
    for (std::int64_t l = 0; l < terms; ++l) words[i * line_step + l * term_step] = of_lines[i][l];
  }
  gemm::detail::MpLine found[lines];
  const gemm::detail::MpFindLines kernel{{{nullptr, words, lines * terms}, lines, terms, line_step, term_step}, found};
  run_blocks(kernel, gemm::detail::MpFindLines::blocks(kernel.of));
  return found[0].base == 5 && found[0].apart == 4 && found[1].base == 0 && found[1].apart == 0 &&
         found[2].base == -30 && found[2].apart == 22;
}
static_assert(finds_lines(1, 3) && finds_lines(4, 1));

// Slices of 7 bits, of residues of least magnitude: at most m/2.
constexpr bool slices_residues(bool second) {
  using Slices = gemm::detail::MpSlices;
  constexpr int terms = 4;
  constexpr int slices = gemm::detail::slices;
  constexpr std::int64_t m = Eight::modulus(1);
  const std::uint32_t digits[2 * terms] = {0, 0, 0, 0, m - 1, 5, m / 2, m / 2 + 1};
  const std::int32_t words[terms] = {2 * 3, 2 * 6 + 1, 2 * 3, 2 * 3};
  const std::int64_t expected[terms] = {-1, -40, m / 2, -(m / 2)};
  const gemm::detail::MpLine known{3, 3};
  std::int8_t to[slices * terms];
  const Slices kernel{
      {{digits, words, terms}, 1, terms, terms, 1}, &known, Eight::n, 30, 1, second, 0, 1, 0, terms, terms, to};
  run_blocks(kernel, kernel.blocks(1));
  for (int l = 0; l < terms; ++l) {
    std::int64_t value = 0;
    for (int p = slices - 1; p >= 0; --p) value = 128 * value + to[(second ? slices - 1 - p : p) * terms + l];
    if (value != expected[l]) return false;
  }
  return true;
}
static_assert(slices_residues(false) && slices_residues(true));

// α that is not finite, with β = 0 or without.
constexpr double exact_gemv_entry(double alpha, std::uint32_t flags, double beta, double y) {
  using Kernel = of::ExactGemvBlock<false>;
  Kernel::Shared shared;
  shared.flags[0] = flags;
  return Kernel{1, 1, alpha, nullptr, 1, nullptr, 1, beta, &y, 1, Rounding::rn}.rounded(0, 0, shared);
}
constexpr double infinity = std::numeric_limits<double>::infinity();
static_assert(exact_gemv_entry(infinity, accumulators::saw_plus_infinity, 0.0, 5.0) == infinity);
static_assert(exact_gemv_entry(infinity, accumulators::saw_minus_infinity, -0.0, infinity) == -infinity);
static_assert(exact_gemv_entry(-infinity, accumulators::saw_plus_infinity, 2.0, 5.0) == infinity);
static_assert(is_nan(exact_gemv_entry(infinity, accumulators::saw_plus_infinity, -1.0, infinity)));

}  // namespace
}  // namespace assay::constants

#endif
