// Tests which arguments a BLAS-like routine refuses: arrays that do not hold all that it would read or write.

#include "kernels/expansion/gemv.hpp"

#include <algorithm>
#include <limits>

#include "errorbounds/expansion_theorems.hpp"
#include "properties/catalog/refused.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::expansion {

namespace {

using oracle::Dyadic;

/// A call of the GEMV, given by numbers: dimensions, steps, and how many entries the arrays have.
struct GemvArguments {
  int trans = 0;
  std::int64_t m = 0, n = 0, lda = 1, incx = 1, incy = 1;
  std::int64_t a = 0, x = 0, y = 0;
  static constexpr auto fields() {
    using C = GemvArguments;
    return std::tuple{field("trans", &C::trans), field("m", &C::m),       field("n", &C::n),
                      field("lda", &C::lda),     field("incx", &C::incx), field("incy", &C::incy),
                      field("a", &C::a),         field("x", &C::x),       field("y", &C::y)};
  }
};

constexpr std::int64_t most_entries = 64;
constexpr int words = 2;

/// The number of entries that a vector spans: 1 + (length − 1)·|step|; 0 for an empty vector.
Dyadic extent(std::int64_t length, std::int64_t step) {
  if (length == 0) return {};
  const Dyadic size = step < 0 ? -Dyadic(step) : Dyadic(step);
  return Dyadic(length - 1) * size + Dyadic(1);
}

bool is_refused(const GemvArguments& c) {
  if (c.m < 0 || c.n < 0 || c.lda < 1 || c.lda < c.m || c.incx == 0 || c.incy == 0) return true;
  if (c.m == 0 || c.n == 0) return false;
  const bool transposed = c.trans != 0;
  return Dyadic(c.a) < Dyadic(c.n - 1) * Dyadic(c.lda) + Dyadic(c.m) ||
         Dyadic(c.x) < extent(transposed ? c.m : c.n, c.incx) || Dyadic(c.y) < extent(transposed ? c.n : c.m, c.incy);
}

/// A step; a huge one in `huge` of 4 draws.
std::int64_t draw_step(Draw& draw, unsigned huge) {
  const std::int64_t size = draw.below(4) < huge
                                ? std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(draw.below(3))
                                : 1 + static_cast<std::int64_t>(draw.below(4));
  return draw.coin() ? size : -size;
}

/// As many entries as required; or one less or two more.
std::int64_t draw_entries(Draw& draw, std::int64_t needed) {
  const std::int64_t made = needed + (draw.one_in(4) ? -1 : draw.one_in(3) ? 2 : 0);
  return std::clamp<std::int64_t>(made, 0, most_entries);
}

/// The required number if the steps are small; one entry if the steps are huge.
std::int64_t needed(std::int64_t length, std::int64_t step) {
  return step > -5 && step < 5 ? 1 + (length - 1) * (step < 0 ? -step : step) : 1;
}

GemvArguments draw_call(Draw& draw, unsigned huge) {
  GemvArguments c;
  c.trans = draw.coin() ? 1 : 0;
  c.m = 1 + static_cast<std::int64_t>(draw.below(4));
  c.n = 1 + static_cast<std::int64_t>(draw.below(4));
  c.incx = draw_step(draw, huge);
  c.incy = draw_step(draw, huge);
  const bool far = draw.below(4) < huge;
  c.lda = far ? std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(draw.below(3))
              : c.m + static_cast<std::int64_t>(draw.below(3));
  c.a = draw_entries(draw, far ? c.m : (c.n - 1) * c.lda + c.m);
  c.x = draw_entries(draw, needed(c.trans != 0 ? c.m : c.n, c.incx));
  c.y = draw_entries(draw, needed(c.trans != 0 ? c.n : c.m, c.incy));
  return c;
}

GemvArguments draw_wrong_number(Draw& draw) {
  GemvArguments c = draw_call(draw, 0);
  std::int64_t* const numbers[] = {&c.m, &c.n, &c.lda, &c.incx, &c.incy};
  *numbers[draw.below(5)] = static_cast<std::int64_t>(draw.below(3)) - 1;
  return c;
}

GemvArguments draw_one_short(Draw& draw) {
  GemvArguments c = draw_call(draw, 0);
  const bool transposed = c.trans != 0;
  c.a = (c.n - 1) * c.lda + c.m;
  c.x = needed(transposed ? c.m : c.n, c.incx);
  c.y = needed(transposed ? c.n : c.m, c.incy);
  std::int64_t* const entries[] = {&c.a, &c.x, &c.y};
  std::int64_t& one = *entries[draw.below(3)];
  one = draw.one_in(4) ? 0 : one - 1;
  return c;
}

bool is_in_range(const GemvArguments& c) {
  const auto holds = [](std::int64_t entries) { return 0 <= entries && entries <= most_entries; };
  return (c.trans == 0 || c.trans == 1) && c.m <= most_entries && c.n <= most_entries && holds(c.a) && holds(c.x) &&
         holds(c.y);
}

void call(const Executor& on, const GemvArguments& c) {
  const auto zeros = [](std::int64_t entries) {
    return std::vector<double>(static_cast<std::size_t>(entries * words));
  };
  const std::vector<double> one{1, 0};
  using Span = std::span<const double>;
  const std::vector<double> a = zeros(c.a);
  const std::vector<double> x = zeros(c.x);
  const std::vector<double> y = zeros(c.y);
  expansion_gemv<double>(on, words, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n, Span(one),
                         Span(a), c.lda, Span(x), c.incx, Span(one), Span(y), c.incy);
}

const Registration gemv_arguments{refusals<GemvArguments>(
    "expansion.gemv_arguments",
    {.classes = {{"small steps", 2, drawn<GemvArguments>([](Draw& draw) { return draw_call(draw, 0); })},
                 {"one array too short", 2, drawn<GemvArguments>(draw_one_short)},
                 {"steps near 2⁶³", 2, drawn<GemvArguments>([](Draw& draw) { return draw_call(draw, 3); })},
                 {"a number −1, 0 or 1", 1, drawn<GemvArguments>(draw_wrong_number)}},
     .contains = is_in_range,
     .accepts = "m, n and the lengths of the arrays at most 64, these at least 0"},
    call, is_refused, expansion_arguments_1, 2000)};

}  // namespace

}  // namespace assay::expansion
