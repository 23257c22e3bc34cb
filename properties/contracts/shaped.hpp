#pragma once
// Cases at shapes that a user names: each class of an operation at each shape.

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

/// The dimensions of the cases of an operation. A specialization has
/// - names(operation): the names of the dimensions;
/// - large(operation): three large shapes for the tier `nightly`, a text that shapes_of() reads: odd lengths and
///   lengths beside powers of two;
/// - numbers(operation, shape): how many numbers a case has;
/// - bytes: the most bytes that each number needs while a case is judged;
/// - drawn(draw, next, contains): a case with the lengths of asked_length(). next() draws another case of the class.
///   contains(case) says whether a case is in the domain.
/// Types of cases without a specialization take no shapes.
template <class Case>
struct ShapeOf {
  static std::vector<std::string> names(std::string_view /*operation*/) { return {}; }
};

/// The large lengths of vectors.
inline constexpr const char* large_lengths = "n=8193,65535,300007";

/// The greatest length of a dimension, or `otherwise` if the shape does not name it.
inline double longest_of(const AskedShape& shape, std::string_view name, double otherwise) {
  const auto at = std::ranges::find(shape, name, &Dimension::name);
  return at == shape.end() ? otherwise : static_cast<double>(at->high);
}

/// Errors: ShapeError if the question has shapes, but the operation is on single numbers.
inline void refuse_shapes(const Question& question, std::string_view operation) {
  if (!question.shapes.empty()) require_dimensions(shapes_of(question.shapes), operation, {});
}

namespace detail {

/// `count` of n places, ascending: half of them are the last places, and the others lie anywhere before.
inline std::vector<std::size_t> draw_places(Draw& draw, std::size_t count, std::size_t n) {
  const std::size_t at_end = (count + 1) / 2;
  std::vector<std::size_t> places;
  std::size_t free = n - at_end;
  std::size_t first = 0;
  for (std::size_t left = count - at_end; left > 0; --left) {
    // Takes one of the first (free − first)/left places from `first` on, so that enough places remain for the others.
    const std::size_t at = first + draw.below(std::max<std::size_t>((free - first) / left, 1));
    places.push_back(at);
    first = at + 1;
  }
  for (std::size_t i = 0; i < at_end; ++i) places.push_back(free + i);
  return places;
}

/// A case with vectors of n numbers, made of drawn cases with shorter vectors. Either the drawn vectors follow one
/// after the other. Or, in a quarter of the cases and whenever the joined vectors leave the domain, one drawn case lies
/// among zeros, with half of its numbers at the end. `lists`: the vectors of a case, which have the same length.
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
  static std::string large(std::string_view /*operation*/) { return large_lengths; }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) { return longest_of(shape, "n", 0); }
  static VectorCase<T> drawn(Draw& draw, const auto& next, const auto& contains) {
    return detail::grown<VectorCase<T>>(draw, static_cast<std::size_t>(*asked_length("n")), next, contains,
                                        &VectorCase<T>::x);
  }
};

template <FloatingPoint T>
struct ShapeOf<VectorPairCase<T>> {
  static constexpr double bytes = 200;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"n"}; }
  static std::string large(std::string_view /*operation*/) { return large_lengths; }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    return 2 * longest_of(shape, "n", 0);
  }
  static VectorPairCase<T> drawn(Draw& draw, const auto& next, const auto& contains) {
    return detail::grown<VectorPairCase<T>>(draw, static_cast<std::size_t>(*asked_length("n")), next, contains,
                                            &VectorPairCase<T>::x, &VectorPairCase<T>::y);
  }
};

/// The default number of cases. All cases together have about all_numbers numbers; there are at most a thousand cases,
/// but at least one of each class at each shape.
inline std::uint64_t cases_at_shapes(std::size_t classes, double numbers) {
  constexpr double all_numbers = 0x1p21;
  constexpr double most_cases = 1000;
  const auto count = static_cast<double>(classes);
  const double rounds = std::floor(std::min(all_numbers / std::max(numbers, 1.0), most_cases) / count);
  return classes * static_cast<std::uint64_t>(std::max(rounds, 1.0));
}

/// The domain of the property accepts cases of any size, and its reference computes them.
template <class Case, class Result, class Truth>
void accept_any_size(Property<Case, Result, Truth>& property) {
  property.domain.contains = [inner = property.domain.contains](const Case& c) {
    const AnySize any;
    return inner(c);
  };
  property.reference = [inner = property.reference](const Case& c) {
    const AnySize any;
    return inner(c);
  };
}

/// A case of a class at a shape.
template <class Case>
Case case_at_shape(Draw& draw, const AskedShape& shape, const InputClass<Case>& of, const auto& contains) {
  const AskedLengths lengths(draw, shape);
  const auto next = [&] { return of.generator(rc::Random(draw.word())); };
  return ShapeOf<Case>::drawn(draw, next, contains);
}

/// Replaces the small cases of the property by cases of each class at each of the shapes. Errors: ShapeError.
template <class Case, class Result, class Truth>
void ask_at_shapes(Property<Case, Result, Truth>& property, const std::string& operation,
                   const std::vector<AskedShape>& shapes) {
  using Of = ShapeOf<Case>;
  require_dimensions(shapes, operation, Of::names(operation));
  if constexpr (requires { Of::bytes; }) {
    accept_any_size(property);
    Domain<Case>& domain = property.domain;
    std::vector<InputClass<Case>> classes;
    double largest = 0;
    for (const AskedShape& shape : shapes) {
      const double numbers = Of::numbers(operation, shape);
      require_memory(shape, numbers, Of::bytes);
      largest = std::max(largest, numbers);
      for (const InputClass<Case>& each : domain.classes) {
        const auto make = [shape, each, contains = domain.contains](Draw& draw) {
          return case_at_shape(draw, shape, each, contains);
        };
        classes.push_back({each.name + "; " + text_of(shape), 1, drawn<Case>(make), each.constructed});
      }
    }
    domain.classes = std::move(classes);
    domain.traits = nullptr;
    property.quick_cases = cases_at_shapes(domain.classes.size(), largest);
  }
}

/// Adds a class for each of the operation's large shapes, with cases of all its classes: one case in a thousand after
/// those of the quick tier, which stay the same.
template <class Case, class Result, class Truth>
void add_large_shapes(Property<Case, Result, Truth>& property, const std::string& operation) {
  using Of = ShapeOf<Case>;
  if constexpr (requires { Of::large(operation); }) {
    accept_any_size(property);
    Domain<Case>& domain = property.domain;
    const std::vector<InputClass<Case>> small = domain.classes;
    for (const AskedShape& shape : shapes_of(Of::large(operation))) {
      const auto make = [shape, small, contains = domain.contains](Draw& draw) {
        return case_at_shape(draw, shape, small[draw.below(small.size())], contains);
      };
      domain.classes.push_back(
          {.name = "large: " + text_of(shape), .weight = 1, .generator = drawn<Case>(make), .is_late = true});
    }
  }
}

}  // namespace assay::contracts
