#pragma once

#include <string>

#include "arith/words/operands.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/property.hpp"

namespace assay::hostile {

using Numbers = Pair<double>;
using Sum = Property<Numbers, double, oracle::Dyadic>;

inline double significand(Draw& draw) { return number_of<double>(0x3ff0000000000000u | draw.word() >> 12); }

/// Two numbers of [1, 2).
inline Domain<Numbers> numbers() {
  const auto inside = [](double x) { return x >= 1 && x < 2; };
  return {.classes = {{"dense", 3, drawn<Numbers>([](Draw& draw) {
                         return Numbers{significand(draw), significand(draw)};
                       })},
                      {"equal", 1, drawn<Numbers>([](Draw& draw) {
                         const double a = significand(draw);
                         return Numbers{a, a};
                       })}},
          .contains = [inside](const Numbers& c) { return inside(c.a) && inside(c.b); },
          .features = {{"a", 1, 2, 8, [](const Numbers& c) { return c.a; }}},
          .enumeration = {},
          .shrink_shape = {},
          .accepts = "1 <= a, b < 2"};
}

inline oracle::Dyadic exact_sum(const Numbers& c) { return oracle::exact(c.a) + oracle::exact(c.b); }

inline constexpr auto error_of_sum_1 =
    theorem({"hostile.sum.1", "1 <= a, b < 2", "|s - (a + b)| <= 2^e", "Higham 2002, section 2.2"}, [](int e) {
      return Bound{oracle::Dyadic::scaled(1, e), 1};
    });

/// a + b and its error, 2^exponent at most, by a subject that may also do harm.
template <class Subject>
Sum sum(const std::string& name, Subject subject, int exponent = -52) {
  return {.name = "hostile." + name,
          .domain = numbers(),
          .subject = [subject](const Executor&, const Numbers& c) { return subject(c.a, c.b); },
          .reference = exact_sum,
          .claims = {of_instance("e = " + std::to_string(exponent), within("error", error_of_sum_1, exponent))}};
}

/// One input in ten thousand.
inline bool struck(double a) { return bits_of(a) % 10000 == 77; }

}  // namespace assay::hostile
