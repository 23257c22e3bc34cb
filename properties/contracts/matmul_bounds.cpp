#include "properties/contracts/matmul_bounds.hpp"

#include <algorithm>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"
#include "errorbounds/judge.hpp"
#include "errorbounds/matmul.hpp"
#include "errorbounds/matmul_theorems.hpp"
#include "errorbounds/tensor_core.hpp"
#include "errorbounds/tensor_core_theorems.hpp"
#include "oracle/decode.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;

constexpr MatrixUnit ampere{8, 24, 23};
constexpr MatrixUnit hopper{16, 25, 23};
constexpr MatrixUnit hopper_of_tf32{8, 25, 23};

MatrixProducts products_of(const MatmulSum& sum) { return {sum.k, sum.terms.magnitudes, sum.terms.lifted}; }

/// The number of slices of at least `shortest` terms.
std::uint64_t slices_of(const MatmulSum& sum, std::uint64_t shortest) {
  return sum.k <= shortest ? 1 : (sum.k + shortest - 1) / shortest;
}

template <const MatrixUnit& unit>
Bound one_chain(const MatmulSum& sum) {
  return matrix_chain_bound(unit, products_of(sum));
}
template <int m>
Bound one_chain_of_any(const MatmulSum& sum) {
  return matrix_any_unit_bound(m, products_of(sum));
}

/// Slices of 32 terms or more.
template <class Unit>
Bound split(const Unit& unit, const MatmulSum& sum) {
  return matrix_slices_bound(unit, slices_of(sum, 32), sum.k, products_of(sum));
}

/// The bounds of results that no accumulator of another format comes before.
Bound in_binary16(const MatmulSum& sum) { return matrix_f16_accumulator_bound(hopper, products_of(sum)); }
/// Slices of so many terms or more, added in the result's format; or in binary32 and stored, if that bound is larger.
template <std::uint64_t terms>
Bound reduced(const MatmulSum& sum) {
  const std::uint64_t slices = slices_of(sum, terms);
  const MatrixUnit any = any_matrix_unit(23);
  const Bound in_result = matrix_reduced_slices_bound(any, slices, sum.k, products_of(sum), sum.result);
  const Bound stored =
      stored_bound(matrix_slices_bound(any, slices, sum.k, products_of(sum)), sum.terms.sum, sum.result);
  return in_result < stored ? Bound{stored.numerator, stored.denominator} : in_result;
}

std::vector<MatmulBound> all_bounds() {
  const std::vector<std::string> floats{"f64",     "f32",      "bf16",      "bf16:f32", "f16",
                                        "f16:f32", "e4m3:f32", "e4m3:bf16", "e5m2:f32"};
  const std::vector<std::string> of_16_bits{"bf16", "bf16:f32", "f16", "f16:f32"};
  const std::vector<std::string> of_8_bits{"e4m3:f32", "e4m3:bf16", "e5m2:f32"};
  const std::vector<std::string> exact_on_grids{"exact_grid", "finite"};
  const std::vector<std::string> narrow{"bf16", "bf16:f32", "f16", "f16:f32", "e4m3:f32", "e4m3:bf16", "e5m2:f32"};

  return {{"inner_product",
           &matmul_inner_1.words,
           "",
           {"split_k", "tf32", "inner_product_ftz", "wide_inner_product"},
           floats,
           [](const MatmulSum& sum) {
             return inner_product_bound(sum.k, sum.terms.sum, sum.terms.magnitudes, sum.accumulator, sum.accumulator);
           },
           MatmulEnding::stored,
           2},
          {"wide_inner_product",
           &matmul_wide_1.words,
           "",
           exact_on_grids,
           {"f64"},
           [](const MatmulSum& sum) { return wide_product_bound(sum.k, sum.terms.magnitudes, sum.accumulator); }},
          {"inner_product_ftz",
           &matmul_flushed_1.words,
           "",
           {"tf32_ftz", "exact_grid", "finite"},
           {"f64", "f32", "bf16", "bf16:f32"},
           [](const MatmulSum& sum) {
             return flushed_product_bound(sum.k, sum.terms.magnitudes, sum.terms.lifted, sum.accumulator);
           },
           MatmulEnding::flushed},
          {"tensor_core_hopper",
           &tensor_core_chain_1.words,
           "b = 16, F = 25, m = 23",
           {"tensor_core_ampere", "split_k_hopper"},
           of_16_bits,
           one_chain<hopper>},
          {"tensor_core_ampere",
           &tensor_core_chain_1.words,
           "b = 8, F = 24, m = 23",
           {"tensor_core"},
           of_16_bits,
           one_chain<ampere>},
          {"tensor_core",
           &tensor_core_chain_2.words,
           "m = 23",
           {"split_k"},
           narrow,
           one_chain_of_any<23>,
           MatmulEnding::stored,
           2},
          {"split_k_hopper",
           &tensor_core_slices_1.words,
           "b = 16, F = 25, m = 23, s = ⌈k/32⌉, l = k",
           {"split_k"},
           of_16_bits,
           [](const MatmulSum& sum) { return split(hopper, sum); }},
          {"split_k",
           &tensor_core_slices_1.words,
           "any unit with m = 23, s = ⌈k/32⌉, l = k",
           {"reduced_split_k", "exact_grid", "finite"},
           narrow,
           [](const MatmulSum& sum) { return split(any_matrix_unit(23), sum); },
           MatmulEnding::stored,
           32},
          {"reduced_split_k",
           &tensor_core_slices_2.words,
           "any unit with m = 23, s = ⌈k/32⌉, l = k",
           {"reduced_any_split"},
           {"bf16", "f16"},
           reduced<32>,
           MatmulEnding::included},
          {"reduced_any_split",
           &tensor_core_slices_2.words,
           "any unit with m = 23, s = k, l = k",
           exact_on_grids,
           {"bf16", "f16"},
           reduced<1>,
           MatmulEnding::included},
          {"f16_accumulate",
           &tensor_core_f16_accumulator_1.words,
           "b = 16, F = 25",
           exact_on_grids,
           {"f16"},
           in_binary16,
           MatmulEnding::included,
           32},
          {"tf32_hopper",
           &tensor_core_tf32_3.words,
           "b = 8, F = 25, m = 23",
           {"tf32"},
           {"f32"},
           [](const MatmulSum& sum) { return tf32_either_bound(hopper_of_tf32, products_of(sum)); }},
          {"tf32",
           &tensor_core_tf32_3.words,
           "any unit with m = 23",
           {"tf32_ftz"},
           {"f32"},
           [](const MatmulSum& sum) { return tf32_either_bound(any_matrix_unit(23), products_of(sum)); },
           MatmulEnding::stored,
           2},
          {"tf32_ftz",
           &matmul_flushed_2.words,
           "",
           exact_on_grids,
           {"f32"},
           [](const MatmulSum& sum) { return tf32_flushed_bound(products_of(sum)); },
           MatmulEnding::flushed},
          {"fp8_promoted", &tensor_core_slices_1.words, "m = 13, s = ⌈k/128⌉, l = 128", exact_on_grids, of_8_bits,
           [](const MatmulSum& sum) {
             return matrix_slices_bound(any_matrix_unit(13), slices_of(sum, 128), sum.k < 128 ? sum.k : 128,
                                        products_of(sum));
           }},
          {"fp8_raw", &tensor_core_chain_2.words, "m = 13", exact_on_grids, of_8_bits, one_chain_of_any<13>,
           MatmulEnding::stored, 2},
          {"fma_chain", &tensor_core_fma_chain_1.words, "", {"inner_product"}, {"f64"}, [](const MatmulSum& sum) {
             return fma_chain_bound(sum.k, sum.terms.magnitudes);
           }}};
}

}  // namespace

std::span<const MatmulBound> matmul_bounds() {
  static const std::vector<MatmulBound> all = all_bounds();
  return all;
}

std::string instance_of(const MatmulBound& bound) {
  const std::string of = std::string("B of ") + bound.theorem->id.text;
  return *bound.instance == '\0' ? of : of + ", " + bound.instance;
}

std::string started_id(const MatmulBound& bound) { return std::string("from_c_") + bound.id; }

namespace {

Bound as_stored(const MatmulBound& bound, const Bound& computed, const Dyadic& exact, const oracle::Format& format) {
  return bound.ending == MatmulEnding::flushed ? flushed_stored_bound(computed, exact, format)
                                               : stored_bound(computed, exact, format);
}

bool is_below(const Dyadic& x, long exponent) { return x.is_zero() || x.exponent() < exponent; }

int narrowest(const MatmulSum& sum) { return bits_of_partial_sums(sum.input, sum.accumulator, sum.result); }

/// All partial sums of |x|'s subsets, multiples of 2^grid whose magnitudes add up to `magnitudes`, are 0 or normal
/// numbers of the narrowest accumulator. x, their sum, is a number of the result's format.
bool sums_exactly(const MatmulSum& sum, const Dyadic& magnitudes, const Dyadic& x, long grid) {
  const bool has_short_factors = sum.input.precision != oracle::binary32.precision || sum.terms.factor_bits <= 11;
  return has_short_factors && grid >= std::max(sum.accumulator.emin, sum.result.emin) &&
         magnitudes <= Dyadic::scaled(1, grid + narrowest(sum)) && is_below(magnitudes, sum.result.emax) &&
         x.bit_length() <= sum.result.precision;
}

/// |got − exact| ≤ the bound of what is computed, stored as the result is.
std::optional<Judgement> judge_computed(const MatmulBound& bound, const MatmulSum& sum, const Bound& computed,
                                        const Dyadic& exact, bool is_final, std::uint64_t got, std::size_t place) {
  const Bound largest = computed + Bound{abs(exact)};
  const bool is_inside = largest.numerator <= Dyadic::scaled(1, sum.result.emax) * largest.denominator;
  if (!is_inside && is_final) return std::nullopt;
  if (!is_inside) return judge_stored(got, oracle::Exact(exact), computed, sum.result, place);
  if (!oracle::is_finite(sum.result, got)) return Judgement::fail(place);
  const Bound whole = is_final ? computed : as_stored(bound, computed, exact, sum.result);
  return judge_within(oracle::decode_finite(sum.result, got), exact, whole, place);
}

Judgement judge_grid(const Dyadic& exact, const oracle::Format& format, std::uint64_t got, std::size_t place) {
  if (!oracle::is_finite(format, got)) return Judgement::fail(place);
  return judge_within(oracle::decode_finite(format, got), exact, Bound{}, place);
}

/// Whether sums of the magnitude T with errors of at most the bound stay in the range of the result's format.
bool has_room(const MatmulSum& sum, const Bound& bound) {
  const Bound largest = bound + Bound{sum.terms.magnitudes};
  return largest.numerator <= Dyadic::scaled(1, sum.result.emax) * largest.denominator;
}

/// Sums of these magnitudes overflow in no order: theorem matmul.finite.1.
bool has_room_for_all(const MatmulSum& sum, const Dyadic& magnitudes) {
  const std::uint64_t roundings = sum.k + 4;
  const auto bits = static_cast<long>(3 * roundings >> (narrowest(sum) + 1)) + 1;
  const Dyadic most = magnitudes + Dyadic(roundings) * smallest_subnormal(sum.result);
  return most <= Dyadic::scaled(1, sum.result.emax - 1 - bits);
}

/// The format in which αs and βc are rounded and added.
const oracle::Format& format_of_epilogue(const MatmulBound& bound, const MatmulSum& sum) {
  return bound.of == in_binary16 ? sum.result : sum.accumulator;
}

}  // namespace

Bound bound_of(const MatmulBound& bound, const MatmulSum& sum) {
  const Bound of_sum = bound.of(sum);
  const bool is_stored = sum.accumulator != sum.result && bound.ending != MatmulEnding::included;
  return is_stored ? as_stored(bound, of_sum, sum.terms.sum, sum.result) : of_sum;
}

int bits_of_partial_sums(const oracle::Format& input, const oracle::Format& accumulator, const oracle::Format& result) {
  if (input.width() == 8) return 14;
  return std::min(accumulator.precision, input.width() == 16 ? result.precision : 53);
}

bool is_on_grid(const MatmulSum& sum) {
  return !sum.terms.magnitudes.is_zero() && sum.terms.magnitudes.exponent() <= sum.terms.grid + narrowest(sum) &&
         sum.terms.lifted.is_zero() && sums_exactly(sum, sum.terms.magnitudes, sum.terms.sum, sum.terms.grid);
}

bool is_on_grid(const MatmulSum& sum, const EpilogueOfSum& epilogue) {
  if (epilogue.is_on_grid) return *epilogue.is_on_grid;
  const Dyadic& alpha = epilogue.alpha;
  if (alpha.bit_length() > 1 || epilogue.has_subnormal_start || !sum.terms.lifted.is_zero()) return false;
  const bool has_product = !alpha.is_zero() && !sum.terms.magnitudes.is_zero();
  if (!has_product && epilogue.addend.is_zero()) return false;
  if (has_product && sum.terms.magnitudes.exponent() > sum.terms.grid + narrowest(sum)) return false;
  const long scale = has_product ? alpha.exponent() : 0;
  const long of_product = scale + sum.terms.grid;
  const long of_start = epilogue.addend.is_zero() ? of_product : epilogue.addend.lowest_exponent();
  const long grid = has_product ? std::min(of_product, of_start) : of_start;
  Dyadic magnitudes = abs(alpha) * sum.terms.magnitudes + abs(epilogue.addend);
  // The sums before α is applied are as many multiples of 2^(grid − scale), which are normal numbers, too.
  const Dyadic before = Dyadic(magnitudes).mul_2exp(-scale);
  const Dyadic exact = epilogue.exact(sum);
  return sums_exactly(sum, magnitudes, exact, grid) && sums_exactly(sum, before, exact, grid - scale);
}

bool stays_finite(const MatmulSum& sum) { return has_room_for_all(sum, sum.terms.magnitudes); }

bool stays_finite(const MatmulSum& sum, const EpilogueOfSum& epilogue) {
  Dyadic all = abs(epilogue.alpha) * sum.terms.magnitudes + abs(epilogue.addend);
  if (!epilogue.alpha.is_zero()) all.mul_2exp(std::max(0L, -epilogue.alpha.exponent()));
  return has_room_for_all(sum, std::max(sum.terms.magnitudes, all));
}

std::optional<Judgement> judge_entry(const MatmulBound& bound, const MatmulSum& sum, std::uint64_t got,
                                     std::size_t place) {
  if (is_on_grid(sum)) return judge_grid(sum.terms.sum, sum.result, got, place);
  const Bound of_sum = bound.of(sum);
  const bool is_included = bound.ending == MatmulEnding::included;
  if (is_included && !has_room(sum, of_sum)) return std::nullopt;
  return judge_computed(bound, sum, of_sum, sum.terms.sum, is_included || sum.accumulator == sum.result, got, place);
}

std::optional<Judgement> judge_epilogue(const MatmulBound& bound, const MatmulSum& sum, const EpilogueOfSum& epilogue,
                                        std::uint64_t got, std::size_t place) {
  const Dyadic exact = epilogue.exact(sum);
  if (is_on_grid(sum, epilogue)) return judge_grid(exact, sum.result, got, place);
  const Bound of_sum = bound.of(sum);
  if (bound.ending == MatmulEnding::included && !has_room(sum, of_sum)) return std::nullopt;
  const oracle::Format& format = format_of_epilogue(bound, sum);
  const Dyadic lost = epilogue.has_subnormal_start ? abs(epilogue.addend) : Dyadic();
  const Bound computed =
      bound.ending == MatmulEnding::flushed
          ? flushed_epilogue_bound(of_sum, sum.terms.sum, epilogue.alpha, epilogue.addend, lost, format)
          : epilogue_bound(of_sum, sum.terms.sum, epilogue.alpha, epilogue.addend, format);
  return judge_computed(bound, sum, computed, exact, format == sum.result, got, place);
}

std::optional<Judgement> judge_started(const MatmulBound& bound, const MatmulSum& sum, const EpilogueOfSum& epilogue,
                                       std::uint64_t got, std::size_t place) {
  const Dyadic exact = epilogue.exact(sum);
  if (is_on_grid(sum, epilogue)) return judge_grid(exact, sum.result, got, place);
  const oracle::Format& format = format_of_epilogue(bound, sum);
  MatmulTerms scaled = sum.terms;
  scaled.magnitudes = started_magnitude(sum.terms.magnitudes, epilogue.alpha, epilogue.addend, format);
  scaled.lifted = abs(epilogue.alpha) * sum.terms.lifted;
  const MatmulTerms nothing;
  const std::uint64_t k = sum.k + bound.terms_of_start;
  const auto of = [&](const MatmulTerms& terms) {
    return bound.of({k, terms, sum.accumulator, sum.result, sum.input});
  };
  const Bound of_scaled = of(scaled) + of(nothing) * std::max(Dyadic(1), abs(epilogue.alpha));
  const MatmulSum all{k, scaled, sum.accumulator, sum.result, sum.input};
  if (bound.ending == MatmulEnding::included && !has_room(all, of_scaled)) return std::nullopt;
  const Bound computed = started_bound(of_scaled, exact, epilogue.alpha, epilogue.addend, format);
  return judge_computed(bound, sum, computed, exact, format == sum.result, got, place);
}

}  // namespace assay::contracts
