#include "tests/properties/bound_controls.hpp"

#include "errorbounds/fraction.hpp"
#include "errorbounds/judge.hpp"
#include "errorbounds/sum.hpp"
#include "oracle/decode.hpp"
#include "properties/draws/sum/exact_sums.hpp"
#include "properties/framework/claim.hpp"

namespace assay {
namespace {

using oracle::binary64;
using oracle::Dyadic;
using oracle::Exact;
using oracle::Rational;

class Controls {
 public:
  void expect(const std::string& what, const Judgement& at_the_bound, const Judgement& beyond) {
    if (at_the_bound.verdict != Verdict::holds || at_the_bound.tightness != 1) {
      lines_.push_back(what + ": an error that is the bound has tightness " + std::to_string(at_the_bound.tightness));
    }
    if (beyond.verdict != Verdict::violated) lines_.push_back(what + ": an error a unit beyond the bound holds");
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

/// Three terms with s = 3·2⁻⁵² and S = 2 + 3·2⁻⁵², which in double would be 2 + 4·2⁻⁵². The bound 2uS is
/// 2⁻⁵¹ + 3·2⁻¹⁰⁴, and s − 2uS = 2⁻⁵² − 3·2⁻¹⁰⁴ is a double.
constexpr double terms_rounded_up[] = {1 + 0x1p-52, -1, 0x1p-51};
/// Three terms with s = 2⁻⁵² and S = 2 + 2⁻⁵², which in double would be 2.
constexpr double terms_rounded_down[] = {1, -1, 0x1p-52};

constexpr auto rounded_sum_1 = theorem({"bound_controls.sum.1", "n terms", "|y − s| ≤ (n − 1)uS", "sum.recursive.1"},
                                       [](std::size_t n, const Dyadic& S) { return recursive_sum_bound(n, S, 53); });

/// The claim of a recursive sum, or of a dot product whose products are exact.
template <class Case>
Judgement judged(const Case& c, double got) {
  const Claim<Case, double, Dyadic> claim = within("error", rounded_sum_1, [](const auto& bound, const Case& of) {
    return bound(of.x.size(), sum::exact_sums(of).magnitudes);
  });
  return claim.judge(c, sum::exact_sum_of(c), got);
}

void magnitudes_of_sums(Controls& controls) {
  const sum::SumCase<double> up{{std::begin(terms_rounded_up), std::end(terms_rounded_up)}};
  const sum::SumCase<double> down{{std::begin(terms_rounded_down), std::end(terms_rounded_down)}};
  controls.expect("a bound of Σ|x|", judged(up, 0x1p-52 - 0x3p-104), judged(up, 0x1p-52 - 0x4p-104));
  controls.expect("a bound of Σ|x|", judged(down, -0x1p-52 - 0x1p-104), judged(down, -0x1p-52 - 0x2p-104));
  sum::DotCase<double> products{up.x, {1, 1, 1}};
  controls.expect("a bound of Σ|xy|", judged(products, 0x1p-52 - 0x3p-104), judged(products, 0x1p-52 - 0x4p-104));
  for (double& y : products.y) y = -1;
  controls.expect("a bound of Σ|xy|", judged(products, -0x1p-52 + 0x3p-104), judged(products, -0x1p-52 + 0x4p-104));
}

void kinds_of_bounds(Controls& controls) {
  const Dyadic tiny = Dyadic::scaled(1, -200);
  const Dyadic wide = Dyadic(1) + tiny;
  controls.expect("an absolute bound", judge_within(-wide, Dyadic(), Bound{wide}),
                  judge_within(-wide, Dyadic(), Bound{1}));
  const Dyadic large = Dyadic::scaled(1, 53) + Dyadic(1);
  controls.expect("a relative bound", judge_within(large - Dyadic(1), large, RelativeBound{1, large}),
                  judge_within(large - Dyadic(1), large, RelativeBound{1, large + Dyadic(1)}));
  const Bound sum = named("the first", Bound{3, 3}) + named("the second", Bound{tiny});
  const Judgement of_terms = judge_within(wide, Dyadic(), sum);
  controls.expect("a bound of two terms", of_terms, judge_within(wide + tiny, Dyadic(), sum));
  const Bound product = RelativeBound{1, 3} * (wide * Dyadic(3));
  controls.expect("a factor of a magnitude", judge_within(wide, Dyadic(), product),
                  judge_within(wide + tiny, Dyadic(), product));
  const RelativeBound twice = RelativeBound{1, 3} + RelativeBound{2, 3};
  controls.expect("a sum of relative bounds", judge_within(Dyadic(), wide, twice), judge_within(-tiny, wide, twice));
  const Dyadic thousandth = Dyadic::scaled(1, -10);
  const Exact near = oracle::exact(1 + 0x1p-52) - Dyadic::scaled(1, -62);
  controls.expect("a bound in ulps", judge_within_ulps(bits_of(1 + 0x1p-52), near, binary64, thousandth),
                  judge_within_ulps(bits_of(1 + 0x1p-52), near, binary64, thousandth - tiny));
}

void kinds_of_truths(Controls& controls) {
  const Dyadic tiny = Dyadic::scaled(1, -200);
  const Exact third = Rational(1) / Rational(3);
  controls.expect("the bound of a rational truth", judge_within(Dyadic(), third, Bound{1, 3}),
                  judge_within(-tiny, third, Bound{1, 3}));
  controls.expect("the relative bound of a rational truth", judge_within(Dyadic(1), third, RelativeBound{2}),
                  judge_within(Dyadic(1) + tiny, third, RelativeBound{2}));
  const Exact root = oracle::square_root(Dyadic(2));
  controls.expect("the relative bound of a root", judge_within(Dyadic(), root, RelativeBound{1}),
                  judge_within(-tiny, root, RelativeBound{1}));
  const Exact four = oracle::square_root(Dyadic(16));
  controls.expect("the bound of a root", judge_within(Dyadic(3), four, Bound{1}),
                  judge_within(Dyadic(3) - tiny, four, Bound{1}));
}

void roundings(Controls& controls) {
  const Dyadic tie = Dyadic(1) + Dyadic::scaled(1, -53);
  const Dyadic tiny = Dyadic::scaled(1, -200);
  const auto to_one = [](const Exact& truth) {
    return judge_rounded(bits_of(1.0), truth, binary64, oracle::Rounding::nearest);
  };
  controls.expect("rounding to nearest", to_one(tie), to_one(tie + tiny));
  controls.expect("rounding of a rational number", to_one(Rational(tie)), to_one(Rational(tie) + Rational(tiny)));
}

/// For several components, each has its own bound.
void components(Controls& controls) {
  using Numbers = sum::SumCase<double>;
  const Claim<Numbers, std::vector<double>, std::vector<Dyadic>> claim =
      within("error", theorem({"bound_controls.each.1", "none", "|yᵢ − xᵢ| ≤ 2⁻ⁱ", "derived"}), [](const Numbers& c) {
        std::vector<Bound> bounds;
        for (std::size_t i = 0; i < c.x.size(); ++i) bounds.push_back(Bound{Dyadic::scaled(1, -static_cast<long>(i))});
        return bounds;
      });
  const Numbers c{{1, 1, 1}};
  const std::vector<Dyadic> truth(3, Dyadic(1));
  controls.expect("a bound for each component", claim.judge(c, truth, {2, 1.5, 1.25}),
                  claim.judge(c, truth, {2, 1.5, 1.25 + 0x1p-52}));
}

}  // namespace

std::vector<std::string> bound_controls() {
  Controls controls;
  magnitudes_of_sums(controls);
  kinds_of_bounds(controls);
  kinds_of_truths(controls);
  roundings(controls);
  components(controls);
  return controls.take();
}

}  // namespace assay
