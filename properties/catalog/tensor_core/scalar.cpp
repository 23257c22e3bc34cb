#include "errorbounds/tensor_core_theorems.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "oracle/round.hpp"
#include "properties/catalog/tensor_core/claims.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::tensor_core {

namespace {

using oracle::Dyadic;

/// Leaders and products that are ties, numbers around 1, and numbers of any exponent.
Domain<ChainCase<double, double>> fma_chains() {
  using Case = ChainCase<double, double>;
  const auto filled = [](Draw& draw, int low, int high) {
    Case c;
    c.c = draw_number<double>(draw, Significand::any, draw.between(low, high));
    for (std::uint64_t k = draw.below(100); k > 0; --k) {
      c.a.push_back(draw_number<double>(draw, Significand::any, draw.between(low, high) / 2));
      c.b.push_back(draw_number<double>(draw, Significand::any, draw.between(low, high) / 2));
    }
    return c;
  };
  Domain<Case> domain;
  domain.classes = {{"c leads, the products are ties", 2, drawn<Case>([](Draw& draw) {
                       const int E = draw.between(-300, 300);
                       const bool negative = draw.coin();
                       Case c{{}, {}, compose<double>(negative, 1, E)};
                       for (std::uint64_t k = 1 + draw.below(200); k > 0; --k) {
                         const int exponent = draw.between(-300, 300);
                         c.a.push_back(compose<double>(negative, 1, exponent));
                         c.b.push_back(compose<double>(false, 1, E - 53 - exponent));
                       }
                       return c;
                     })},
                    {"near 1", 1, drawn<Case>([filled](Draw& draw) { return filled(draw, -8, 8); })},
                    {"any exponent", 1, drawn<Case>([filled](Draw& draw) { return filled(draw, -900, 900); })},
                    {"subnormal", 1, drawn<Case>([filled](Draw& draw) { return filled(draw, -1074, -1010); })}};
  domain.contains = [](const Case& c) { return in_chain_domain<53>(53, 1020, c); };
  domain.accepts = "up to 600 products of binary64 and c; the sum of magnitudes is at most 2^1020";
  return domain;
}

/// The chain with the oracle's numbers. A sum of 0 is −0 if both summands are zeros with that sign.
std::uint64_t exact_fma_chain(const ChainCase<double, double>& c) {
  using oracle::binary64;
  std::uint64_t sum = bits_of(c.c);
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    const Dyadic product = value_of(c.a[i]) * value_of(c.b[i]);
    const bool minus_zeros =
        product.is_zero() && signbit(c.a[i]) != signbit(c.b[i]) && oracle::is_negative(binary64, sum);
    sum = oracle::round(product + oracle::decode_finite(binary64, sum), binary64, oracle::Rounding::nearest,
                        {.negative_zero = minus_zeros});
  }
  return sum;
}

const Registration fma_chains_of_binary64{Property<ChainCase<double, double>, double, Dyadic>{
    .name = "tensor_core.fma_chain",
    .domain = fma_chains(),
    .subject = [](const Executor&, const ChainCase<double, double>& c) { return fma_chain(c.a, c.b, c.c); },
    .reference = [](const ChainCase<double, double>& c) { return exact_products_of(c).sum; },
    .claims = {same_as_exact(tensor_core_fma_chain_2, exact_fma_chain),
               error_within("error", tensor_core_fma_chain_1,
                            [](const auto& by, const MatrixProducts& products) {
                              return by(products.count, products.magnitude);
                            })},
    .quick_cases = 1000,
    .host_only = true}};

/// Bytes as limbs, signed or not, and c.
struct IntegerCase {
  std::vector<std::uint32_t> a, b;
  std::int32_t c = 0;
  int is_signed = 0;

  static constexpr auto fields() {
    return std::tuple{field("a", &IntegerCase::a), field("b", &IntegerCase::b), field("c", &IntegerCase::c),
                      field("signed", &IntegerCase::is_signed)};
  }
};

template <class Byte>
std::vector<Byte> bytes(const std::vector<std::uint32_t>& x) {
  std::vector<Byte> all(x.size());
  std::transform(x.begin(), x.end(), all.begin(), [](std::uint32_t each) { return static_cast<Byte>(each); });
  return all;
}

std::int32_t integer_result(const IntegerCase& c) {
  const auto sum = [&]<class Byte>(Byte) {
    const std::vector<Byte> a = bytes<Byte>(c.a);
    const std::vector<Byte> b = bytes<Byte>(c.b);
    return integer_chain<Byte, Byte>(a, b, c.c);
  };
  return c.is_signed != 0 ? sum(std::int8_t{}) : sum(std::uint8_t{});
}

/// c + Σ aᵢbᵢ, moved into [−2³¹, 2³¹) by a multiple of 2³².
Dyadic wrapped_sum(const IntegerCase& c) {
  const auto value = [&](std::uint32_t x) { return Dyadic(x) - Dyadic(c.is_signed != 0 && x >= 128 ? 256 : 0); };
  Dyadic sum(c.c);
  for (std::size_t i = 0; i < c.a.size(); ++i) sum += value(c.a[i]) * value(c.b[i]);
  const Dyadic turn = Dyadic::scaled(1, 32);
  while (sum >= Dyadic::scaled(1, 31)) sum -= turn;
  while (sum < Dyadic::scaled(-1, 31)) sum += turn;
  return sum;
}

Domain<IntegerCase> integer_cases() {
  const auto bytes_of = [](Draw& draw, bool extreme) {
    IntegerCase c;
    c.is_signed = draw.between(0, 1);
    constexpr std::array<std::uint32_t, 4> ends{0, 127, 128, 255};
    const auto byte = [&] { return extreme ? ends[draw.below(4)] : static_cast<std::uint32_t>(draw.below(256)); };
    for (std::uint64_t k = draw.below(300); k > 0; --k) {
      c.a.push_back(byte());
      c.b.push_back(byte());
    }
    const std::int32_t end =
        draw.coin() ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int32_t>::min();
    c.c = draw.coin() ? static_cast<std::int32_t>(draw.word()) : end;
    return c;
  };
  Domain<IntegerCase> domain;
  domain.classes = {
      {"any bytes", 1, drawn<IntegerCase>([bytes_of](Draw& draw) { return bytes_of(draw, false); })},
      {"largest and smallest bytes", 1, drawn<IntegerCase>([bytes_of](Draw& draw) { return bytes_of(draw, true); })}};
  domain.contains = [](const IntegerCase& c) {
    const auto is_byte = [](std::uint32_t x) { return x < 256; };
    return c.a.size() == c.b.size() && c.a.size() <= longest_chain && std::all_of(c.a.begin(), c.a.end(), is_byte) &&
           std::all_of(c.b.begin(), c.b.end(), is_byte) && (c.is_signed == 0 || c.is_signed == 1);
  };
  domain.accepts = "up to 600 products of bytes, signed (1) or not (0), and c of 32 bits";
  return domain;
}

const Registration integer_chains{Property<IntegerCase, double, Dyadic>{
    .name = "tensor_core.integer_chain",
    .domain = integer_cases(),
    .subject = [](const Executor&, const IntegerCase& c) { return static_cast<double>(integer_result(c)); },
    .reference = wrapped_sum,
    .claims = {exact("exact", tensor_core_integer_1)},
    .inexact = [](const IntegerCase& c, const Dyadic&, const double&) { return !c.a.empty(); },
    .quick_cases = 1000,
    .host_only = true}};

/// α·accumulator + β·c.
struct EpilogueCase {
  float alpha = 1;
  float accumulator = 0;
  float beta = 0;
  float c = 0;

  static constexpr auto fields() {
    return std::tuple{field("alpha", &EpilogueCase::alpha), field("accumulator", &EpilogueCase::accumulator),
                      field("beta", &EpilogueCase::beta), field("c", &EpilogueCase::c)};
  }
};

Domain<EpilogueCase> epilogues() {
  const auto of = [](Draw& draw, int low, int high) {
    const auto number = [&] { return draw_number<float>(draw, Significand::any, draw.between(low, high)); };
    const float alpha = draw.one_in(4) ? 1.0F : number();
    const float accumulator = number();
    const float beta = draw.one_in(4) ? 1.0F : number();
    return EpilogueCase{alpha, accumulator, beta, number()};
  };
  Domain<EpilogueCase> domain;
  domain.classes = {{"β·c is a tie, and so is the sum", 1, drawn<EpilogueCase>([](Draw& draw) {
                       // (1 + 2⁻¹²)² = 1 + 2⁻¹¹ + 2⁻²⁴
                       const int of_beta = draw.between(-20, 20);
                       const int of_c = draw.between(-20, 20);
                       const bool negative = draw.coin();
                       const int of_alpha = draw.between(-20, 20);
                       return EpilogueCase{compose<float>(negative, 1, of_alpha),
                                           compose<float>(false, 1, of_beta + of_c - 24 - of_alpha),
                                           compose<float>(negative, 0x1001, of_beta - 12),
                                           compose<float>(false, 0x1001, of_c - 12)};
                     })},
                    {"near 1", 2, drawn<EpilogueCase>([of](Draw& draw) { return of(draw, -4, 4); })},
                    {"any exponent", 1, drawn<EpilogueCase>([of](Draw& draw) { return of(draw, -149, 60); })}};
  domain.contains = [](const EpilogueCase& c) {
    for (const float each : {c.alpha, c.accumulator, c.beta, c.c}) {
      if (!oracle::is_finite(oracle::binary32, bits_of(each))) return false;
    }
    const Dyadic size = abs(value_of(c.alpha) * value_of(c.accumulator)) + abs(value_of(c.beta) * value_of(c.c));
    return size <= Dyadic::scaled(1, 126);
  };
  domain.accepts = "four numbers of binary32 with |α·accumulator| + |β·c| ≤ 2^126";
  return domain;
}

const Registration epilogue_of_binary32{Property<EpilogueCase, float, Dyadic>{
    .name = "tensor_core.epilogue.f32",
    .domain = epilogues(),
    .subject = [](const Executor&, const EpilogueCase& c) { return epilogue(c.alpha, c.accumulator, c.beta, c.c); },
    .reference =
        [](const EpilogueCase& c) {
          return value_of(c.alpha) * value_of(c.accumulator) + value_of(c.beta) * value_of(c.c);
        },
    .claims = {of_instance("in binary32, from an exact accumulator",
                           within("error", tensor_core_epilogue_1,
                                  [](const auto& by, const EpilogueCase& c) {
                                    return by(MatrixEpilogue{value_of(c.alpha), value_of(c.accumulator),
                                                             value_of(c.beta) * value_of(c.c)},
                                              oracle::binary32);
                                  }))},
    .quick_cases = 1000,
    .host_only = true}};

}  // namespace

}  // namespace assay::tensor_core
