// Convolutions of one and two dimensions and their gradients. Ways: `second` and `third`: Winograd's tiles of 2 and of
// 4 results, where they apply; `fourth`: by transforms; `fifth`: the channels are the innermost terms. The first three
// compute in binary32 or binary64, as the sum does. `own1`: all of the padding is at the end; `own2`: the kernel is
// turned, or not turned where it has to be; `own3`: all strides are 1; `own4`: all dilations are 1; `own5`: every group
// takes the numbers of the first; `own6`: the strides of rows and columns are exchanged; `own7`: the numbers at the
// border go on in the padding; `own8`: the last channel is left out; `own9`: every image is the first; `own10`: no
// bias; `own11`: every group takes the biases of the first; `own12`: a constant of Winograd's tiles has four digits.
#include "results.hpp"
#include "sums.hpp"
#include "tests/assay/hostile/convolution_algorithms.hpp"

namespace outside {

namespace hostile = assay::hostile::convolution;

/// Which arrays a convolution takes; `whole`: all results of a turned kernel.
enum class Role { forward, whole, to_x, to_k };

/// The lengths of a convolution, as the operations have them.
struct Lengths {
  Size b, g, ci, co, h, w, r, s, i, j, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w;
  [[nodiscard]] Size of_x() const { return b * g * ci * h * w; }
  [[nodiscard]] Size of_k() const { return g * co * ci * r * s; }
  [[nodiscard]] Size of_y() const { return b * g * co * i * j; }
};
inline Lengths of_line(Size b, Size g, Size ci, Size co, Size n, Size r, Size m, Size stride, Size padding,
                       Size dilation) {
  return {b, g, ci, co, 1, n, 1, r, 1, m, 1, stride, 0, padding, 1, dilation};
}
inline Lengths of_whole(Size h, Size w, Size r, Size s) {
  return {1, 1, 1, 1, h, w, r, s, h + r - 1, w + s - 1, 1, 1, r - 1, s - 1, 1, 1};
}

/// Two factors of a term.
struct Factors {
  double x, y;
};
using Terms = std::vector<Factors>;

/// The number that result `at` and tap `tap` meet; −1 in the padding.
inline long met(const Form& form, Size at, Size tap, Size length, Size stride, Size padding, Size dilation) {
  const Size step = form.has(Fault::own3) ? 1 : stride;
  const Size spread = form.has(Fault::own4) ? 1 : dilation;
  const long before = form.has(Fault::own1) ? 0 : static_cast<long>(padding);
  const long place = static_cast<long>(at * step + tap * spread) - before;
  const long last = static_cast<long>(length) - 1;
  if (form.has(Fault::own7)) return std::clamp(place, 0L, last);
  return place > last ? -1 : std::max(place, -1L);
}

/// The terms of each result.
std::vector<Terms> terms_of_results(const Form& form, Role role, const Lengths& of, const std::vector<double>& first,
                                    const std::vector<double>& second) {
  std::vector<Terms> all(role == Role::to_x ? of.of_x() : role == Role::to_k ? of.of_k() : of.of_y());
  const bool is_turned = (role == Role::whole) != form.has(Fault::own2);
  const bool exchanges = form.has(Fault::own6);
  for (Size y = 0; y < of.of_y(); ++y) {
    const Size image = y / of.j / of.i / of.co / of.g;
    const Size group = y / of.j / of.i / of.co % of.g;
    const Size o = y / of.j / of.i % of.co;
    for (Size l = 0; l < of.ci * of.r * of.s; ++l) {
      const bool channels_last = form.way == Way::fifth;
      const Size c = channels_last ? l % of.ci : l / (of.r * of.s);
      const Size tap = channels_last ? l / of.ci : l % (of.r * of.s);
      if (form.has(Fault::own8) && c > 0 && c + 1 == of.ci) continue;
      const long row = met(form, y / of.j % of.i, tap / of.s, of.h, exchanges ? of.stride_w : of.stride_h, of.padding_h,
                           of.dilation_h);
      const long column =
          met(form, y % of.j, tap % of.s, of.w, exchanges ? of.stride_h : of.stride_w, of.padding_w, of.dilation_w);
      if (row < 0 || column < 0) continue;
      const Size of_group = form.has(Fault::own5) ? 0 : group;
      const Size of_image = form.has(Fault::own9) ? 0 : image;
      const Size x = (((of_image * of.g + of_group) * of.ci + c) * of.h + static_cast<Size>(row)) * of.w +
                     static_cast<Size>(column);
      const Size k = ((group * of.co + o) * of.ci + c) * of.r * of.s + (is_turned ? of.r * of.s - 1 - tap : tap);
      if (role == Role::to_x) {
        all[x].push_back({first[y], second[k]});
      } else if (role == Role::to_k) {
        all[k].push_back({first[x], second[y]});
      } else {
        all[y].push_back({first[x], second[k]});
      }
    }
  }
  return all;
}

/// The results by Winograd's tiles or by transforms.
template <class Real>
std::vector<double> by_algorithm(const Form& form, Role role, bool is_plane, const Lengths& of,
                                 const std::vector<double>& first, const std::vector<double>& second,
                                 const std::vector<double>& bias) {
  using Index = hostile::Index;
  const std::vector<Real> x(first.begin(), first.end());
  const std::vector<Real> k(second.begin(), second.end());
  const std::vector<Real> added(bias.begin(), bias.end());
  const auto way = form.way == Way::second  ? hostile::Way::winograd_2
                   : form.way == Way::third ? hostile::Way::winograd_4
                                            : hostile::Way::fft;
  const auto wrong = form.has(Fault::own12) ? hostile::Wrong::wrong_constant : hostile::Wrong::nothing;
  const auto index = [](Size n) { return static_cast<Index>(n); };
  hostile::Shape shape{index(of.b),         index(of.g),         index(of.ci),         index(of.co),
                       index(of.h),         index(of.w),         index(of.r),          index(of.s),
                       index(of.i),         index(of.j),         index(of.stride_h),   index(of.stride_w),
                       index(of.padding_h), index(of.padding_w), index(of.dilation_h), index(of.dilation_w)};
  std::vector<Real> results;
  if (role == Role::to_x) {
    results.resize(of.of_x());
    hostile::to_x_by_tiles<Real>(shape, x.data(), k.data(), results.data(), way);
  } else if (role == Role::to_k) {
    // Images are the terms and channels the images of a convolution whose strides are the dilations.
    const hostile::Shape turned{shape.ci,        shape.g,         shape.b,          shape.co,
                                shape.h,         shape.w,         shape.i,          shape.j,
                                shape.r,         shape.s,         shape.dilation_h, shape.dilation_w,
                                shape.padding_h, shape.padding_w, shape.stride_h,   shape.stride_w};
    const auto exchanged = [](const std::vector<Real>& from, Size outer, Size g, Size inner, Size rest) {
      std::vector<Real> to;
      for (Size at = 0; at < from.size(); ++at) {
        const Size i = at / rest % outer;
        const Size of_group = at / rest / outer % g;
        const Size o = at / rest / outer / g;
        to.push_back(from[((i * g + of_group) * inner + o) * rest + at % rest]);
      }
      return to;
    };
    // x of (b, g, ci) as (ci, g, b), dy of (b, g, co) as (g, co, b), and (ci, g, co) as (g, co, ci).
    const std::vector<Real> numbers = exchanged(x, of.b, of.g, of.ci, of.h * of.w);
    const auto last_first = [](const std::vector<Real>& from, Size outer, Size middle, Size rest) {
      std::vector<Real> to;
      for (Size at = 0; at < from.size(); ++at) {
        to.push_back(from[(at / rest % outer * middle + at / rest / outer) * rest + at % rest]);
      }
      return to;
    };
    const std::vector<Real> taps = last_first(k, of.b, of.g * of.co, of.i * of.j);
    std::vector<Real> found(of.of_k());
    hostile::conv<Real>(turned, is_plane, numbers.data(), taps.data(), nullptr, found.data(), way, wrong);
    results = last_first(found, of.ci, of.g * of.co, of.r * of.s);
  } else {
    results.resize(of.of_y());
    if (role == Role::whole) {
      hostile::convolve<Real>(shape, is_plane, x.data(), k.data(), results.data(), way);
    } else {
      hostile::conv<Real>(shape, is_plane, x.data(), k.data(), added.empty() ? nullptr : added.data(), results.data(),
                          way, wrong);
    }
  }
  return {results.begin(), results.end()};
}

template <class C>
std::vector<double> directly(const Form& form, Role role, const Lengths& of, const std::vector<double>& first,
                             const std::vector<double>& second, const std::vector<double>& bias) {
  std::vector<Terms> all = terms_of_results(form, role, of, first, second);
  std::vector<double> results;
  for (Size at = 0; at < all.size(); ++at) {
    Terms& terms = all[at];
    if (!bias.empty() && !form.has(Fault::own10)) {
      const Size channel = at / (of.i * of.j) % bias.size();
      terms.push_back({bias[form.has(Fault::own11) ? channel % of.co : channel], 1});
    }
    results.push_back(static_cast<double>(dot_of<C>(
        form, terms.size(), [&](Size l) { return terms[l].x; }, [&](Size l) { return terms[l].y; })));
  }
  return results;
}

void convolution(const Form& form, Role role, bool is_plane, const Lengths& of, const void* first, const void* second,
                 const void* bias, void* result) {
  const auto numbers_of = [&](const void* array, Size n) {
    std::vector<double> numbers(n);
    for (Size i = 0; i < n; ++i) numbers[i] = load(array, i, form.storage);
    return numbers;
  };
  const std::vector<double> x = numbers_of(first, role == Role::to_x ? of.of_y() : of.of_x());
  const std::vector<double> k = numbers_of(second, role == Role::to_k ? of.of_y() : of.of_k());
  const std::vector<double> added = numbers_of(bias, bias == nullptr ? 0 : of.g * of.co);
  const bool is_direct = form.way == Way::usual || form.way == Way::fifth;
  const auto compute = !is_direct && form.sum == Format::f64 ? by_algorithm<double> : by_algorithm<float>;
  const std::vector<double> numbers = !is_direct                ? compute(form, role, is_plane, of, x, k, added)
                                      : form.sum == Format::f80 ? directly<long double>(form, role, of, x, k, added)
                                                                : directly<double>(form, role, of, x, k, added);
  const Shape shape = role == Role::whole  ? Shape{1, of.i, of.j}
                      : role == Role::to_x ? Shape{of.b, of.g * of.ci, of.h * of.w}
                      : role == Role::to_k ? Shape{of.g * of.co, of.ci, of.r * of.s}
                                           : Shape{of.b, of.g * of.co, of.i * of.j};
  write(form, shape, numbers, result);
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
