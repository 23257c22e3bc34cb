#include "cube.hpp"
#include "errorbounds/theorem.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace {

using namespace assay;
using Case = own::Cube::Input;

/// 2u + u² = (2·2⁵³ + 1)/2¹⁰⁶. Two roundings: |z − x³| ≤ ((1 + u)² − 1)|x³|.
RelativeBound cube_bound(int p) {
  return {oracle::Dyadic::scaled(1, p + 1) + oracle::Dyadic(1), oracle::Dyadic::scaled(1, 2 * p)};
}
constexpr auto cube_1 = theorem(
    {
        .id = "own.cube.1",
        .hypotheses = "2⁻²⁵⁰ ≤ |x| < 2²⁵¹",
        .statement = "|z − x³| ≤ (2u + u²)|x³|",
        .source = "Higham 2002, §2.2",
    },
    cube_bound);

Domain<Case> cubes() {
  constexpr Box box{-250, 250};
  const auto of = [](int low, int high) {
    return drawn<Case>(
        [low, high](Draw& draw) { return Case{draw_number<double>(draw, Significand::any, draw.between(low, high))}; });
  };
  return {.classes = {{"near 1", 1, of(-1, 1)}, {"any exponent", 1, of(box.low, box.high)}},
          .contains = [=](const Case& c) { return in_box(c.a, box) && c.a != 0; },
          .accepts = "magnitudes in 2^-250 … 2^251"};
}

const Registration cube{Property<Case, double, oracle::Dyadic>{
    .name = "own.cube",
    .domain = cubes(),
    .subject = [](const Executor& on, std::span<const Case> cases) { return elementwise<own::Cube>(on, cases); },
    .reference = [](const Case& c) { return oracle::exact(c.a) * oracle::exact(c.a) * oracle::exact(c.a); },
    .claims = {within("error", cube_1, 53)},
    .probe = probed("error", own::CubeProbe{}, cube_bound(53), {{"near 1"}, {"any exponent"}}),
}};

}  // namespace
