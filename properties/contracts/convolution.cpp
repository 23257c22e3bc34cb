// Convolutions in one and two dimensions and their gradients, as a foreign function computes them.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/convolution_theorems.hpp"
#include "errorbounds/dot_theorems.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/convolution_cases.hpp"
#include "properties/draws/sum/claims.hpp"

namespace assay::contracts::convolution {
namespace {

using oracle::Magnitude;
using sum::DotCase;

/// Whether Winograd's algorithm is among the contracts: it makes results from taps of few numbers.
bool has_tiles(const Kind& kind) { return kind.role != Role::to_k && !kind.is_whole; }

// ---------------------------------------------------------------------------------------------- Winograd's bound

/// The magnitudes of what the tiles of an operation are made of: results of rows × columns, and the numbers and taps of
/// n channels. The numbers begin `above` and `before` the results; tap t of a gradient to x is the one from the end.
template <FloatingPoint T>
class Tiles {
 public:
  explicit Tiles(const Case<T>& c) : of_(geometry_of(c)) {
    for (const T& each : c.first) first_.emplace_back(abs(value_of(each)));
    for (const T& each : c.second) second_.emplace_back(abs(value_of(each)));
  }

  /// W·winograd_scale(m)ᵈ of each result, without its bias.
  [[nodiscard]] std::vector<Magnitude> weighted(std::int64_t m) const {
    const std::array<std::int64_t, 5> lengths = of_result(of_);
    std::vector<Magnitude> all;
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(length_of(lengths)); ++at) {
      const std::int64_t column = at % lengths[4];
      const std::int64_t row = at / lengths[4] % lengths[3];
      const std::int64_t channel = at / lengths[4] / lengths[3];
      Magnitude sum;
      for (std::int64_t n = 0; n < of_first(of_)[2]; ++n) sum += of_channel(m, channel, n, row, column);
      all.push_back(sum);
    }
    return all;
  }

 private:
  /// The weights of the numbers and taps of one dimension in result p of a tile.
  static std::uint64_t weight(std::int64_t m, std::int64_t p, std::int64_t a, std::int64_t t) {
    return winograd_weight(static_cast<std::uint64_t>(m), static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(a),
                           static_cast<std::uint64_t>(t));
  }

  [[nodiscard]] Magnitude of_channel(std::int64_t m, std::int64_t channel, std::int64_t n, std::int64_t row,
                                     std::int64_t column) const {
    const bool is_plane = of_.kind->is_plane();
    const std::array<std::int64_t, 5> numbers = of_first(of_);
    const std::array<std::int64_t, 5> results = of_result(of_);
    const std::int64_t o = channel % results[2];
    const std::int64_t g = channel / results[2] % of_.g;
    const std::int64_t b = channel / results[2] / of_.g;
    const std::int64_t above = is_plane ? padding(of_.padding_h) : 0;
    Magnitude sum;
    for (std::int64_t y = 0; y < (is_plane ? m + 2 : 1); ++y) {
      const std::int64_t at_row = is_plane ? row / m * m + y - above : 0;
      if (at_row < 0 || at_row >= numbers[3]) continue;
      for (std::int64_t x = 0; x < m + 2; ++x) {
        const std::int64_t at_column = column / m * m + x - padding(of_.padding_w);
        if (at_column < 0 || at_column >= numbers[4]) continue;
        Magnitude of_taps;
        for (std::int64_t t = 0; t < of_.r; ++t) {
          const std::uint64_t of_row = is_plane ? weight(m, row % m, y, t) : 1;
          for (std::int64_t v = 0; v < 3 && of_row != 0; ++v) {
            const std::uint64_t both = of_row * weight(m, column % m, x, v);
            if (both != 0) of_taps += Magnitude(both) * second_[tap(g, o, n, t, v)];
          }
        }
        sum += of_taps * first_[place(numbers, {b, g, n, at_row, at_column})];
      }
    }
    return sum;
  }
  [[nodiscard]] std::int64_t padding(std::int64_t of) const { return of_.kind->role == Role::to_x ? 2 - of : of; }
  [[nodiscard]] std::size_t tap(std::int64_t g, std::int64_t o, std::int64_t n, std::int64_t t, std::int64_t v) const {
    if (of_.kind->role == Role::to_x) return place(of_.of_k(), {g, n, o, of_.r - 1 - t, 2 - v});
    return place(of_.of_k(), {g, o, n, t, v});
  }

  Geometry of_;
  std::vector<Magnitude> first_, second_;
};

/// Whether Winograd's algorithm applies.
bool is_tiled(const Geometry& of) {
  return has_tiles(*of.kind) && of.s == 3 && of.r == (of.kind->is_plane() ? 3 : 1) && of.stride_h == 1 &&
         of.stride_w == 1 && of.dilation_h == 1 && of.dilation_w == 1;
}

template <FloatingPoint T>
Dyadic largest_of(const std::vector<T>& x) {
  Dyadic largest;
  for (const T& each : x) {
    if (compare_abs(value_of(each), largest) > 0) largest = abs(value_of(each));
  }
  return largest;
}

/// Whether no number of the transforms overflows.
template <FloatingPoint T>
bool stays_in_range(const Case<T>& c) {
  constexpr int bits = 24;  // transformed numbers and taps are at most 200 and 4.5 times the largest, W 2¹² of them
  const Dyadic x = largest_of(c.first) + Dyadic(1);
  const Dyadic k = largest_of(c.second) + Dyadic(1);
  return x * k * Dyadic(length_of(of_first(geometry_of(c)))) <= Dyadic::scaled(1, FloatTraits<Wide<T>>::emax - bits);
}

// ------------------------------------------------------------------------------------------------------- bounds

/// The bound of a sum in any order, in the format in which a kernel adds.
template <FloatingPoint T>
Bound direct_bound(const Terms& terms) {
  return dot_tree_1(terms.n, greatest_height_of(terms.n), terms.magnitudes, format<Wide<T>>);
}
inline Bound larger(const Bound& a, const Bound& b) { return a <= b ? b : a; }

/// The bounds of all results by tiles of up to m × m, or by direct sums.
template <FloatingPoint T>
std::vector<Bound> tiled_bounds(const Case<T>& c, std::int64_t m) {
  std::vector<Bound> bounds;
  for (const Terms& terms : terms_of(c)) bounds.push_back(direct_bound<T>(terms));
  const Geometry of = geometry_of(c);
  if (!is_tiled(of)) return bounds;
  const Dyadic largest = largest_of(c.first) + largest_of(c.second);
  const auto channels = static_cast<std::uint64_t>(of_first(of)[2]);
  const Tiles<T> tiles(c);
  for (std::int64_t size = 2; size <= m; size += 2) {
    const std::vector<Magnitude> weighted = tiles.weighted(size);
    const auto scale = static_cast<std::int64_t>(winograd_scale(static_cast<std::uint64_t>(size)));
    for (std::size_t y = 0; y < bounds.size(); ++y) {
      Dyadic all = weighted[y].value();
      if (of.kind->has_bias) {
        all += Dyadic(of.kind->is_plane() ? scale * scale : scale) * abs(value_of(c.bias[channel_of(of, y)]));
      }
      bounds[y] = larger(bounds[y], convolution_winograd_1(static_cast<std::uint64_t>(size), of.kind->dimensions,
                                                           channels, all, largest, format<Wide<T>>));
    }
  }
  return bounds;
}

/// ⌈log₂ n⌉ + 2 of the points that a transform in a dimension needs.
inline std::uint64_t height_of(std::int64_t numbers, std::int64_t taps, std::int64_t results, std::int64_t stride,
                               std::int64_t padding, std::int64_t dilation) {
  const std::int64_t n = numbers + 2 * padding + dilation * (taps - 1) + stride * (results - 1) + 1;
  return static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(n - 1))) + 2;
}
std::uint64_t height_of(const Geometry& of) {
  const std::uint64_t line = height_of(of.w, of.s, of.j, of.stride_w, of.padding_w, of.dilation_w);
  if (!of.kind->is_plane()) return line;
  return line + height_of(of.h, of.r, of.i, of.stride_h, of.padding_h, of.dilation_h);
}

/// The squares of the norms of all planes of an array.
template <FloatingPoint T>
std::vector<Dyadic> squares_of(const std::vector<T>& x, const std::array<std::int64_t, 5>& lengths) {
  const auto points = static_cast<std::size_t>(lengths[3] * lengths[4]);
  std::vector<Dyadic> squares(x.size() / points);
  for (std::size_t at = 0; at < x.size(); ++at) squares[at / points].add_mul(value_of(x[at]), value_of(x[at]));
  return squares;
}

/// Whether the theorem about transforms speaks of the case.
template <FloatingPoint T>
bool has_range(const Case<T>& c) {
  const Geometry of = geometry_of(c);
  constexpr std::uint64_t most_height = 24;
  const auto is_in_range = [](const Dyadic& square) {
    return square.is_zero() || (square >= Dyadic::scaled(1, FloatTraits<Wide<T>>::emin / 4) &&
                                square <= Dyadic::scaled(1, FloatTraits<Wide<T>>::emax / 4));
  };
  return height_of(of) <= most_height && std::ranges::all_of(squares_of(c.first, of_first(of)), is_in_range) &&
         std::ranges::all_of(squares_of(c.second, of_second(of)), is_in_range);
}

/// The bounds of all results by transforms, or by direct sums.
template <FloatingPoint T>
std::vector<Bound> transformed_bounds(const Case<T>& c) {
  const Geometry of = geometry_of(c);
  std::vector<Magnitude> first;
  std::vector<Magnitude> second;
  for (const Dyadic& each : squares_of(c.first, of_first(of))) first.push_back(sqrt(Magnitude(each)));
  for (const Dyadic& each : squares_of(c.second, of_second(of))) second.push_back(sqrt(Magnitude(each)));
  const std::array<std::int64_t, 5> results = of_result(of);
  const auto points = static_cast<std::size_t>(results[3] * results[4]);
  std::vector<Magnitude> sums(length_of(results) / points);
  for (std::int64_t at = 0; at < of.b * of.g * of.co * of.ci; ++at) {
    const std::int64_t c_in = at % of.ci;
    const std::int64_t o = at / of.ci % of.co;
    const std::int64_t g = at / of.ci / of.co % of.g;
    const std::int64_t b = at / of.ci / of.co / of.g;
    const auto x = static_cast<std::size_t>((b * of.g + g) * of.ci + c_in);
    const auto k = static_cast<std::size_t>((g * of.co + o) * of.ci + c_in);
    const auto y = static_cast<std::size_t>((b * of.g + g) * of.co + o);
    if (of.kind->role == Role::forward) sums[y] += first[x] * second[k];
    if (of.kind->role == Role::to_x) sums[x] += first[y] * second[k];
    if (of.kind->role == Role::to_k) sums[k] += first[x] * second[y];
  }
  const Role role = of.kind->role;
  const std::int64_t pairs = role == Role::forward ? of.ci : role == Role::to_x ? of.co : of.b;
  const RelativeBound relative =
      convolution_fft_1(height_of(of), static_cast<std::uint64_t>(pairs), FloatTraits<Wide<T>>::precision);
  std::vector<Bound> bounds;
  const std::vector<Terms>& terms = terms_of(c);
  for (std::size_t y = 0; y < terms.size(); ++y) {
    Dyadic all = sums[y / points].value();
    if (of.kind->has_bias) all += abs(value_of(c.bias[channel_of(of, y)]));
    bounds.push_back(larger(direct_bound<T>(terms[y]), relative * all));
  }
  return bounds;
}

// ------------------------------------------------------------------------------------------------------- claims

template <FloatingPoint T>
std::vector<Dyadic> exact(const Case<T>& c) {
  const std::vector<Terms> all = terms_of(is_finite_case(c) ? c : finite_part_of(c));
  std::vector<Dyadic> sums;
  for (const Terms& terms : all) sums.push_back(terms.sum);
  return sums;
}

/// What each number of the result becomes.
template <FloatingPoint T>
Due due_of(const Case<T>& c) {
  const Geometry of = geometry_of(c);
  std::vector<DotCase<T>> sums(length_of(of_result(of)));
  for_each_term(of, [&](std::size_t y, std::size_t a, std::size_t b) {
    sums[y].x.push_back(c.first[a]);
    sums[y].y.push_back(c.second[b]);
  });
  Due due;
  for (const DotCase<T>& each : sums) due.push_back(sum::special_sum(each));
  return due;
}

/// |ŷ − y| ≤ bounds_of(case) for every number of the result, which narrow formats store after it is computed in
/// binary32; nothing where a hypothesis on the case fails.
template <FloatingPoint T>
auto within_bounds(const char* id, const AnyTheorem auto& theorem, std::vector<Bound> (*bounds_of)(const Case<T>&),
                   const std::string& instance = {}) {
  const auto judge = [=](const Case<T>& c, const std::vector<Dyadic>& truth, const std::vector<T>& result) {
    try {
      const std::vector<Bound> bounds = bounds_of(c);
      return assay::detail::by_number(truth, result, [&](std::uint64_t got, const Dyadic& exact, std::size_t y) {
        return judge_computed<T, Wide<T>>(got, exact, bounds[y], y);
      });
    } catch (const std::domain_error& error) {
      return says_nothing(error.what());
    }
  };
  return computed_claim<T, Wide<T>>(id, theorem, judge, instance);
}

constexpr const char* any_result = "for each result, n its products, h = n − 1";
constexpr const char* of_tiles_of_2 = "m = 2";
constexpr const char* of_tiles_of_4 = "m = 4";

template <FloatingPoint T>
std::vector<Claim<Case<T>, std::vector<T>, std::vector<Dyadic>>> claims_of(const Kind& kind) {
  using C = Case<T>;
  std::vector<Claim<C, std::vector<T>, std::vector<Dyadic>>> claims{
      nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1),
      faithful("faithful", contract_faithful_1)};
  const auto claims_in = [](const Accumulator& in) {
    decltype(claims) bounds;
    const auto terms = [](const C& c) -> const std::vector<Terms>& { return terms_of(c); };
    bounds.push_back(
        adds_within<T>(in, "any_order", dot_tree_1, terms, dot_in_trees(in.format, greatest_height_of), any_result));
    if (!is_usual<T>(in)) return bounds;
    bounds.push_back(
        adds_within<T>(in, "any_order_ftz", contract_flushed_3, terms, dot_flushed(in.format), any_result));
    bounds.push_back(exact_on_grids<T>(in, terms));
    return bounds;
  };
  append_rungs<T>(
      claims, claims_in, is_finite_case<T>, "the magnitudes of each result's products stay finite", [](const C& c) {
        return std::ranges::all_of(terms_of(c), [](const Terms& terms) { return stays_finite<T>(terms.magnitudes); });
      });
  claims = of_finite_cases(std::move(claims), is_finite_case<T>);
  if (has_tiles(kind)) {
    const auto tiled = [&](const char* id, const char* instance, std::vector<Bound> (*bounds_of)(const C&)) {
      claims.push_back(when(
          "the numbers are finite, and their transforms do not overflow",
          [](const C& c) { return is_finite_case(c) && stays_in_range(c); },
          within_bounds<T>(id, convolution_winograd_1, bounds_of, instance)));
    };
    tiled("winograd_2", of_tiles_of_2, [](const C& c) { return tiled_bounds(c, 2); });
    tiled("winograd_4", of_tiles_of_4, [](const C& c) { return tiled_bounds(c, 4); });
  }
  claims.push_back(when(
      "the numbers are finite, every plane is 0 or has a norm from 2^(emin/8) to 2^(emax/8), and h ≤ 24",
      [](const C& c) { return is_finite_case(c) && has_range(c); },
      within_bounds<T>("fft", convolution_fft_1, transformed_bounds<T>)));
  claims.push_back(when(
      "a NaN or an infinity is among the numbers of the first array, and none among the others",
      [](const C& c) { return !all_finite(c.first) && all_finite(c.second) && all_finite(c.bias); },
      becomes<T>("exceptional", convolution_exceptional_1, due_of<T>)));
  return in_order_of_contracts(std::move(claims), kind.name);
}

/// Calls the function with the integers of the case, its arrays, and y.
template <FloatingPoint T>
void call(const ForeignKernel& kernel, const Executor& on, const Case<T>& c, T* y) {
  thread_local std::array<FencedMemory, 3> memory;
  const FencedArray<T> first(memory[0], c.first);
  const FencedArray<T> second(memory[1], c.second);
  const FencedArray<T> bias(memory[2], c.bias);
  const Kind& kind = *c.kind;
  const auto with = [&](auto... lengths) {
    return [=, &kernel](auto... arrays) {
      function<void(decltype(static_cast<std::size_t>(lengths))..., decltype(arrays)...)>(kernel)(
          static_cast<std::size_t>(lengths)..., arrays...);
    };
  };
  const T* const a = first.data();
  const T* const b = second.data();
  if (kind.is_whole && !kind.is_plane()) {
    with(c.first.size(), c.second.size())(a, b, y);
  } else if (kind.is_whole) {
    with(c.h, c.w, c.r, c.s)(a, b, y);
  } else if (!kind.is_plane()) {
    with(c.b, c.g, c.ci, c.co, c.w, c.s, c.j, c.stride_w, c.padding_w, c.dilation_w)(a, b, y);
  } else {
    const auto in_plane = with(c.b, c.g, c.ci, c.co, c.h, c.w, c.r, c.s, c.i, c.j, c.stride_h, c.stride_w, c.padding_h,
                               c.padding_w, c.dilation_h, c.dilation_w);
    if (kind.has_bias) {
      in_plane(a, b, static_cast<const T*>(bias.data()), y);
    } else {
      in_plane(a, b, y);
    }
  }
  check_input(first, on, c.first, kind.role == Role::to_x ? "dy" : "x");
  check_input(second, on, c.second, kind.role == Role::to_k ? "dy" : "k");
  check_input(bias, on, c.bias, "bias");
}

template <FloatingPoint T>
std::unique_ptr<PropertyModel> property_of_kind(const Kind& kind, const Question& question,
                                                const ForeignKernel& kernel) {
  using C = Case<T>;
  C blank;
  blank.kind = &kind;
  return property_of(
      ArrayOperation<T, C>{kind.name, domain<T>(kind),
                           [](const C& c) { return unwritten<T>(length_of(of_result(geometry_of(c)))); }, call<T>,
                           exact<T>, &C::first, claims_of<T>(kind), std::make_shared<const C>(blank)},
      question, may_refuse<C>(kernel, is_finite_case<T>, std::nullopt, blank));
}

/// The contracts of other algorithms than direct sums; `narrow`: of results that are stored in 16 bits.
std::vector<Contract> of_algorithms(const Kind& kind, bool narrow) {
  std::vector<Contract> all;
  const auto add = [&](const char* id, const TheoremWords& words, const char* instance, const char* implied = nullptr) {
    const auto named = [&](const char* each) { return narrow ? stored_id(each) : std::string(each); };
    all.push_back({named(id), narrow ? &contract_stored_1.words : &words,
                   narrow ? stored_instance(words, instance) : instance,
                   implied == nullptr ? std::vector<std::string>{} : std::vector<std::string>{named(implied)}, true,
                   narrow ? std::vector<std::string>{"f16", "bf16"} : wide_formats()});
  };
  if (has_tiles(kind)) {
    add("winograd_2", convolution_winograd_1.words, of_tiles_of_2, "winograd_4");
    add("winograd_4", convolution_winograd_1.words, of_tiles_of_4);
  }
  add("fft", convolution_fft_1.words, "");
  return all;
}

std::vector<Contract> contracts_of(const Kind& kind) {
  std::vector<Contract> all =
      with_rungs({{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "any_order"}},
                  {"faithful", &contract_faithful_1.words}},
                 {{"any_order", &dot_tree_1.words, any_result, {"any_order_ftz"}}},
                 {{"any_order_ftz", &contract_flushed_3.words, any_result}}, {"any_order"}, {});
  for (const bool narrow : {true, false}) {
    const std::vector<Contract> others = of_algorithms(kind, narrow);
    const auto direct = std::ranges::find(all, narrow ? "f32_any_order" : "any_order", &Contract::id);
    direct->implies.push_back(others.front().id);
    if (has_tiles(kind)) direct->implies.push_back(others.back().id);
    all.insert(all.end(), others.begin(), others.end());
  }
  all.push_back({"exceptional", &convolution_exceptional_1.words, {}, {}, false});
  return all;
}

template <const Kind& kind>
constexpr auto property = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of_kind<T>(kind, question, kernel);
};

template <const Kind& kind>
OperationRegistration registered(const char* computes, const char* declaration) {
  return OperationRegistration({kind.name,
                                computes,
                                with_narrow_formats(),
                                {{CallForm::plain, declaration}},
                                contracts_of(kind),
                                property_in_any_format<property<kind>>});
}

const OperationRegistration all[] = {
    registered<convolution1d>(
        "yₒₗ = Σ x_c,(l·stride + t·dilation − padding)·kₒ_c,t over the ci channels c of a group and the r taps t, for "
        "b "
        "signals and g groups",
        "void f(size_t b, size_t g, size_t ci, size_t co, size_t n, size_t r, size_t m, size_t stride, size_t padding, "
        "size_t dilation, const T x[b][g][ci][n], const T k[g][co][ci][r], T y[b][g][co][m])"),
    registered<convolution2d>(
        "yₒᵢⱼ = Σ x·k over the ci channels of a group and r × s taps, with strides, paddings and dilations, for b "
        "images and "
        "g groups; the kernel is not turned",
        "void f(size_t b, size_t g, size_t ci, size_t co, size_t h, size_t w, size_t r, size_t s, size_t i, size_t j, "
        "size_t stride_h, size_t stride_w, size_t padding_h, size_t padding_w, size_t dilation_h, size_t dilation_w, "
        "const "
        "T x[b][g][ci][h][w], const T k[g][co][ci][r][s], T y[b][g][co][i][j])"),
    registered<convolution2d_bias>(
        "convolution2d with a bias for each channel of the results",
        "void f(size_t b, size_t g, size_t ci, size_t co, size_t h, size_t w, size_t r, size_t s, size_t i, size_t j, "
        "size_t stride_h, size_t stride_w, size_t padding_h, size_t padding_w, size_t dilation_h, size_t dilation_w, "
        "const "
        "T x[b][g][ci][h][w], const T k[g][co][ci][r][s], const T bias[g][co], T y[b][g][co][i][j])"),
    registered<convolution2d_backward_x>(
        "the gradient of convolution2d to x: Σ dy·k over the results that a number of x reaches",
        "void f(size_t b, size_t g, size_t ci, size_t co, size_t h, size_t w, size_t r, size_t s, size_t i, size_t j, "
        "size_t stride_h, size_t stride_w, size_t padding_h, size_t padding_w, size_t dilation_h, size_t dilation_w, "
        "const "
        "T dy[b][g][co][i][j], const T k[g][co][ci][r][s], T dx[b][g][ci][h][w])"),
    registered<convolution2d_backward_k>(
        "the gradient of convolution2d to k: Σ x·dy over the images and the results that a tap reaches",
        "void f(size_t b, size_t g, size_t ci, size_t co, size_t h, size_t w, size_t r, size_t s, size_t i, size_t j, "
        "size_t stride_h, size_t stride_w, size_t padding_h, size_t padding_w, size_t dilation_h, size_t dilation_w, "
        "const "
        "T x[b][g][ci][h][w], const T dy[b][g][co][i][j], T dk[g][co][ci][r][s])"),
    registered<convolve>("yᵢ = Σ xⱼkᵢ₋ⱼ for i = 0 … m + n − 2: the convolution of two vectors",
                         "void f(size_t m, size_t n, const T x[m], const T k[n], T y[m + n - 1])"),
    registered<convolve2d>(
        "yᵢⱼ = Σ xₗₚkᵢ₋ₗ,ⱼ₋ₚ, all results: the convolution of two matrices",
        "void f(size_t h, size_t w, size_t r, size_t s, const T x[h][w], const T k[r][s], T y[h + r - "
        "1][w + s - 1])")};

}  // namespace
}  // namespace assay::contracts::convolution
