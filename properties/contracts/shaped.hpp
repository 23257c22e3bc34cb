#pragma once
// Cases at shapes that a user asks for: the classes of an operation at each shape.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "properties/framework/any_size.hpp"
#include "properties/framework/operation.hpp"
#include "properties/framework/property.hpp"
#include "properties/framework/shapes.hpp"
#include "properties/framework/vectors.hpp"

namespace assay::contracts {

/// The dimensions of the cases of an operation: names(operation); numbers(lengths), how many numbers a case has;
/// `bytes`, that each of them needs at most while a case is judged; drawn(draw, next, contains), a case of the lengths
/// that asked_length() tells, where next() draws another case of the class and contains(case) says whether it is in the
/// domain. Types of cases without a specialization have one size.
template <class Case>
struct ShapeOf {
  static std::vector<std::string> names(std::string_view /*operation*/) { return {}; }
};

/// The greatest length of a dimension; `otherwise` where it is not asked for.
inline double longest_of(const AskedShape& shape, std::string_view name, double otherwise) {
  const auto at = std::ranges::find(shape, name, &Dimension::name);
  return at == shape.end() ? otherwise : static_cast<double>(at->high);
}

/// Errors: ShapeError where shapes are asked of an operation on single numbers.
inline void refuse_shapes(const Question& question, std::string_view operation) {
  if (!question.shapes.empty()) require_dimensions(shapes_of(question.shapes), operation, {});
}

namespace detail {

/// Ascending places for `count` things among n: half of them the last places, the others anywhere before.
inline std::vector<std::size_t> draw_places(Draw& draw, std::size_t count, std::size_t n) {
  const std::size_t at_end = (count + 1) / 2;
  std::vector<std::size_t> places;
  std::size_t free = n - at_end;
  std::size_t first = 0;
  for (std::size_t left = count - at_end; left > 0; --left) {
    // Of the free places from `first` on, one of the first (free / left): every thing that follows has a place, too.
    const std::size_t at = first + draw.below(std::max<std::size_t>((free - first) / left, 1));
    places.push_back(at);
    first = at + 1;
  }
  for (std::size_t i = 0; i < at_end; ++i) places.push_back(free + i);
  return places;
}

/// Vectors of n numbers from shorter ones of a class: one behind the other as they are drawn, or, in a quarter of the
/// cases and where together they leave the domain, one of them among zeros, with half of its numbers at the end.
/// `lists`: the vectors of a case, of one length.
template <class Case, class Next, class Contains, class... List>
Case grown(Draw& draw, std::size_t n, const Next& next, const Contains& contains, List... lists) {
  const auto length = [&](const Case& c) { return (c.*std::get<0>(std::tuple(lists...))).size(); };
  const auto resize = [&](Case& c, std::size_t size) { ((c.*lists).resize(size), ...); };
  Case first = next();
  if (length(first) == n) return first;
  Case all = first;
  for (std::size_t tries = 0; length(all) < n && tries <= n; ++tries) {
    const Case more = next();
    ((all.*lists).insert((all.*lists).end(), (more.*lists).begin(), (more.*lists).end()), ...);
  }
  resize(all, n);
  if (!draw.one_in(4) && contains(all)) return all;
  resize(first, std::min(length(first), n));
  Case apart;
  resize(apart, n);
  const std::vector<std::size_t> places = draw_places(draw, length(first), n);
  for (std::size_t i = 0; i < places.size(); ++i) {
    (((apart.*lists)[places[i]] = (first.*lists)[i]), ...);
  }
  return apart;
}

}  // namespace detail

template <FloatingPoint T>
struct ShapeOf<VectorCase<T>> {
  static constexpr double bytes = 1000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"n"}; }
  static double numbers(const AskedShape& shape) { return longest_of(shape, "n", 0); }
  static VectorCase<T> drawn(Draw& draw, const auto& next, const auto& contains) {
    return detail::grown<VectorCase<T>>(draw, static_cast<std::size_t>(*asked_length("n")), next, contains,
                                        &VectorCase<T>::x);
  }
};

template <FloatingPoint T>
struct ShapeOf<VectorPairCase<T>> {
  static constexpr double bytes = 200;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"n"}; }
  static double numbers(const AskedShape& shape) { return 2 * longest_of(shape, "n", 0); }
  static VectorPairCase<T> drawn(Draw& draw, const auto& next, const auto& contains) {
    return detail::grown<VectorPairCase<T>>(draw, static_cast<std::size_t>(*asked_length("n")), next, contains,
                                            &VectorPairCase<T>::x, &VectorPairCase<T>::y);
  }
};

/// So many numbers of all cases together are asked by default, but every class at every shape once, and at most a
/// thousand cases.
inline std::uint64_t cases_at_shapes(std::size_t classes, double numbers) {
  constexpr double all_numbers = 0x1p21;
  constexpr double most_cases = 1000;
  const auto count = static_cast<double>(classes);
  const double rounds = std::floor(std::min(all_numbers / std::max(numbers, 1.0), most_cases) / count);
  return classes * static_cast<std::uint64_t>(std::max(rounds, 1.0));
}

/// The property with the classes of its domain at each of the shapes in place of its small cases. Errors: ShapeError.
template <class Case, class Result, class Truth>
void ask_at_shapes(Property<Case, Result, Truth>& property, const std::string& operation,
                   const std::vector<AskedShape>& shapes) {
  using Of = ShapeOf<Case>;
  require_dimensions(shapes, operation, Of::names(operation));
  if constexpr (requires { Of::bytes; }) {
    Domain<Case>& domain = property.domain;
    domain.contains = [inner = domain.contains](const Case& c) {
      const AnySize any;
      return inner(c);
    };
    property.reference = [inner = property.reference](const Case& c) {
      const AnySize any;
      return inner(c);
    };
    std::vector<InputClass<Case>> classes;
    double largest = 0;
    for (const AskedShape& shape : shapes) {
      const double numbers = Of::numbers(shape);
      require_memory(shape, numbers, Of::bytes);
      largest = std::max(largest, numbers);
      for (const InputClass<Case>& each : domain.classes) {
        const auto make = [shape, generator = each.generator, contains = domain.contains](Draw& draw) {
          const AskedLengths lengths(draw, shape);
          const auto next = [&] { return generator(rc::Random(draw.word()), 0).value(); };
          return Of::drawn(draw, next, contains);
        };
        classes.push_back({each.name + "; " + text_of(shape), 1, drawn<Case>(make), each.constructed});
      }
    }
    domain.classes = std::move(classes);
    domain.traits = nullptr;
    property.quick_cases = cases_at_shapes(domain.classes.size(), largest);
  }
}

}  // namespace assay::contracts
