#include "properties/framework/self_test.hpp"

#include <cfenv>
#include <limits>
#include <new>

#include "arith/words/operands.hpp"
#include "properties/framework/adequacy.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/property.hpp"

namespace assay {

namespace {

using oracle::Dyadic;

Domain<Single<double>> numbers() {
  return {.classes = {{"dense", 1, drawn<Single<double>>([](Draw& draw) {
                         return Single<double>{number_of<double>(0x3ff0000000000000u | draw.word() >> 12)};
                       })}},
          .contains = [](const Single<double>&) { return true; },
          .features = {},
          .enumeration = {},
          .shrink_shape = {},
          .accepts = "1 ≤ a < 2"};
}

/// Tests whether a is 1, and its last bit. `draws_one`: a row that requires 1 gets it.
Traits<Single<double>> traits_of_numbers(bool draws_one) {
  const auto last_bit = [](const Single<double>& c) { return static_cast<std::size_t>(bits_of(c.a) & 1); };
  return {{{{"a", {"1", "more"}}, [](const Single<double>& c) { return std::size_t{c.a == 1 ? 0u : 1u}; }},
           {{"last bit", {"0", "1"}}, last_bit}},
          {{"a", {"1"}, "last bit", {"1"}, "the bits of 1 end with 0"}},
          [draws_one](Draw& draw, const TraitRow& row) {
            if (row[0] == 0 && draws_one) return Single<double>{1};
            return Single<double>{number_of<double>(0x3ff8000000000000u | draw.word() >> 13 << 1 | row[1])};
          }};
}

constexpr auto copy_1 = theorem({"self_test.copy.1", "a copy", "y = a", "derived"});
constexpr auto near_copy_1 = theorem({"self_test.near_copy.1", "1 ≤ a < 2", "|y − a| ≤ 2⁻⁵⁴", "derived"}, [](int bits) {
  return Bound{Dyadic::scaled(1, -bits), 1};
});

/// The copy a ↦ a with a planted fault; its claim is that it copies.
template <class F>
TypedModel<Single<double>, double, Dyadic> copy_with(F subject) {
  return TypedModel<Single<double>, double, Dyadic>({
      .name = "self_test.copy",
      .domain = numbers(),
      .subject = [subject](const Executor&, const Single<double>& c) { return subject(c.a); },
      .reference = [](const Single<double>& c) { return value_of(c.a); },
      .claims = {within("error", near_copy_1, 54)},
  });
}

constexpr std::uint64_t cases = 256;

Tally run(const PropertyModel& property) { return property.run(Executor::host(), 1, {0, 1, cases}, {}); }

std::size_t unasked_index(const PropertyModel& property, Unasked claim) {
  return property.info().claims.size() - static_cast<std::size_t>(Unasked::count) + static_cast<std::size_t>(claim);
}

class Failures {
 public:
  void expect(bool noticed, const char* sentence) {
    if (!noticed) {
      all_.emplace_back(sentence);
    }
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

void fractions_of_an_ulp(Failures& failures) {
  const oracle::Exact truth = Dyadic(1) + Dyadic::scaled(1, -54);  // a quarter of an ulp above 1
  const auto judged = judge_within_ulps(bits_of(1.0), truth, oracle::binary64, Dyadic::scaled(1, -3));
  failures.expect(judged.verdict == Verdict::violated && judged.tightness == 2,
                  "an error of a quarter of an ulp passed as at most an eighth");
}

void results_that_are_not_finite(Failures& failures) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Tally tally = run(copy_with([bad](double) { return bad; }));
    failures.expect(tally.claims[0].violated == cases, "a NaN or an infinity passed where the truth is finite");
  }
}

void every_component(Failures& failures) {
  constexpr std::size_t n = 5;
  const std::vector<Dyadic> truth(n, Dyadic(1));
  const auto claim = Claim<Single<double>, std::vector<double>, std::vector<Dyadic>>(exact("copy", copy_1));
  for (std::size_t at = 0; at < n; ++at) {
    std::vector<double> result(n, 1.0);
    result[at] = 2.0;
    const Judgement judgement = claim.judge({1.0}, truth, result);
    failures.expect(judgement.verdict == Verdict::violated && judgement.component == at,
                    "a fault in one component of a vector went unnoticed");
  }
}

void bits_of_results(Failures& failures) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double other_nan = number_of<double>(bits_of(nan) | 1);
  failures.expect(!same_bits(0.0, -0.0), "+0 and -0 passed as the same bits");
  failures.expect(same_bits(nan, other_nan), "two NaNs are not taken for equal");
  failures.expect(!same_bits(nan, 1.0) && !same_bits(1.0, nan), "a NaN passed as the same bits as a number");
  const Record with_payload = record_of(Single<double>{other_nan});
  failures.expect(record_of(*from_record<Single<double>>(with_payload)) == with_payload,
                  "a NaN's payload was lost in a record");
}

void generators(Failures& failures) {
  const auto good = copy_with([](double a) { return a * (1 + 0x1p-52); });
  failures.expect(inadequacies(good, run(good), 1).empty(), "an adequate generator was called inadequate");
  auto constant = Property<Single<double>, double, Dyadic>{
      .name = "self_test.constant",
      .domain = numbers(),
      .subject = [](const Executor&, const Single<double>& c) { return c.a; },
      .reference = [](const Single<double>& c) { return value_of(c.a); },
      .claims = {exact("copy", copy_1)},
  };
  constant.domain.classes[0].generator = drawn<Single<double>>([](Draw&) { return Single<double>{1.0}; });
  const TypedModel<Single<double>, double, Dyadic> model(constant);
  failures.expect(!inadequacies(model, run(model), 1).empty(), "a generator that draws one case passed as adequate");
  for (const bool draws_one : {true, false}) {
    auto with_traits = constant;
    with_traits.domain = numbers();
    with_traits.domain.traits = std::make_shared<const Traits<Single<double>>>(traits_of_numbers(draws_one));
    const TypedModel<Single<double>, double, Dyadic> pairs(std::move(with_traits));
    failures.expect(inadequacies(pairs, run(pairs), 1).empty() == draws_one,
                    draws_one ? "cases with all pairs of traits were called inadequate"
                              : "a pair of values of two traits that no case has passed as adequate");
  }
  Tally lost = run(good);
  lost.classes[0].executed -= 1;
  failures.expect(!inadequacies(good, lost, 1).empty(), "a lost case went unnoticed");
}

void replay(Failures& failures) {
  const auto odd_fails = copy_with([](double a) { return (bits_of(a) & 1) != 0 ? 0.0 : a; });
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const Tally tally = odd_fails.run(Executor::host(), seed, {0, 1, cases}, {});
    const std::optional<Record> again = odd_fails.make(seed, tally.claims[0].first_violated);
    failures.expect(again && odd_fails.judge(Executor::host(), std::vector{*again})[0].claims[0].judgement.verdict ==
                                 Verdict::violated,
                    "a case made again from its number is not the case that failed");
  }
}

void skips(Failures& failures) {
  bool thrown = false;
  try {
    run(copy_with([](double) -> double { throw std::bad_alloc(); }));
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  failures.expect(thrown, "a subject that ran out of memory counted as run");
}

void environment(Failures& failures) {
  const auto leaves_upward = copy_with([](double a) {
    std::fesetround(FE_UPWARD);
    return a;
  });
  const Tally tally = run(leaves_upward);
  const bool restored = std::fegetround() == FE_TONEAREST;
  std::fesetround(FE_TONEAREST);
  failures.expect(restored, "a rounding direction that a subject left changed was not restored");
  failures.expect(tally.claims[unasked_index(leaves_upward, Unasked::environment)].violated == cases,
                  "a subject that left the rounding direction changed went unnoticed");
}

void order_and_batch(Failures& failures) {
  int calls = 0;
  const auto counts = copy_with([&calls](double a) { return a + ++calls; });
  const Tally tally = run(counts);
  failures.expect(tally.claims[unasked_index(counts, Unasked::same_bits)].violated != 0,
                  "a subject that depends on how often it ran passed as reproducible");
  failures.expect(tally.claims[unasked_index(counts, Unasked::batch)].violated != 0,
                  "a subject that depends on its neighbours passed as the same alone and in a batch");
}

}  // namespace

std::vector<std::string> framework_self_test() {
  Failures failures;
  fractions_of_an_ulp(failures);
  results_that_are_not_finite(failures);
  every_component(failures);
  bits_of_results(failures);
  generators(failures);
  replay(failures);
  skips(failures);
  environment(failures);
  order_and_batch(failures);
  return failures.take();
}

}  // namespace assay
