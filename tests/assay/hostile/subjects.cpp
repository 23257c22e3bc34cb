#include <xmmintrin.h>

#include <cfenv>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/assay/hostile/hostile.hpp"

extern "C" {
double squares_plain(double a, double b);
double squares_contracted(double a, double b);
}

namespace assay::hostile {
namespace {

const Registration benign{sum("benign", [](double a, double b) { return a + b; })};

/// The sums of 1 + 2⁻⁵² and all numbers 1 + k·2⁻²⁰ below 2.
Sum enumerated_sum() {
  Sum property = sum("enumerated", [](double a, double b) { return a + b; });
  property.domain.classes.clear();
  property.domain.enumeration = {std::uint64_t{1} << 20, [](std::uint64_t k, Numbers& c) {
                                   c = {1 + 0x1p-52, 1 + std::ldexp(static_cast<double>(k), -20)};
                                   return true;
                                 }};
  return property;
}
const Registration enumerated{enumerated_sum()};

const Registration crash{sum("crash", [](double a, double b) {
  if (struck(a)) {
    std::raise(SIGSEGV);
  }
  return a + b;
})};

/// One input in 300: every hang costs the test a timeout, so a few cases must suffice.
const Registration hang{sum("hang", [](double a, double b) {
  while (bits_of(a) % 300 == 77) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return a + b;
})};

/// The host result differs in the last bit on some machines; the claim allows it.
const Registration last_bit{sum(
    "last_bit",
    [](double a, double b) { return std::getenv("HOSTILE_MACHINE") == nullptr ? a + b : std::nextafter(a + b, 0); },
    -50)};

const Registration memory{sum("memory", [](double a, double b) {
  std::vector<char*> kept;
  while (struck(a)) {
    constexpr std::size_t size = std::size_t{1} << 24;
    kept.push_back(new char[size]);
    std::memset(kept.back(), 1, size);
  }
  return a + b;
})};

const Registration throws{sum("throws", [](double a, double b) {
  if (struck(a)) {
    throw std::runtime_error("no sum today");
  }
  return a + b;
})};

const Registration always_crash{sum("always_crash", [](double, double) -> double { std::abort(); })};

/// Right for the property that runs first in its process.
Sum first_here(const std::string& name) {
  static std::string first;
  return sum(name, [name](double a, double b) {
    if (first.empty()) first = name;
    return first == name ? a + b : 0;
  });
}
const Registration first_here_1{first_here("first_here")};
const Registration first_here_2{first_here("first_here_too")};

const Registration environment{sum("environment", [](double a, double b) {
  const double s = a + b;
  std::fesetround(FE_UPWARD);
  _mm_setcsr(_mm_getcsr() | 0x8000U);
  return s;
})};

const Registration locale{sum("locale", [](double a, double b) {
  static const bool plain = std::strcmp(std::setlocale(LC_ALL, nullptr), "C") == 0;
  std::setlocale(LC_ALL, plain ? "C.UTF-8" : "C");
  return a + b;
})};

const Registration flaky{sum("flaky", [](double a, double b) {
  static unsigned calls = 0;
  return ++calls % 5 == 0 ? 0 : a + b;
})};

const Registration wrong{sum(
    "wrong", [](double a, double b) { return a + b; }, -60)};

const Registration not_a_number{
    sum("not_a_number", [](double a, double b) { return a > 1.5 ? std::nan("7") : a + b; })};
const Registration infinite{sum("infinite", [](double a, double b) { return a > 1.5 ? -HUGE_VAL : a + b; })};

Sum control() {
  Sum property = sum("control", [](double a, double b) { return a + b; });
  property.claims = {
      expected_refuted(of_instance("e = -60: a negative control", within("error", error_of_sum_1, -60)))};
  return property;
}
const Registration refuted{control()};

Sum true_control() {
  Sum property = control();
  property.name = "hostile.true_control";
  property.claims = {
      expected_refuted(of_instance("e = -52: a control that is true", within("error", error_of_sum_1, -52)))};
  return property;
}
const Registration not_refuted{true_control()};

/// a + b with a probe, whose ratio of error to bound is the oracle's times `factor`. Cells have 64 cases.
Sum probed_sum(const std::string& name, int exponent, double factor) {
  Sum property = sum(
      name, [](double a, double b) { return a + b; }, exponent);
  constexpr std::uint64_t cell = 64;
  const auto make = [](std::uint64_t seed, std::size_t input_class, std::uint64_t number) {
    Draw draw(random_for(seed + input_class, "hostile.probed", number));
    return Numbers{significand(draw), significand(draw)};
  };
  const auto ratio = [=](std::uint64_t seed, std::size_t input_class, std::uint64_t number) {
    const Numbers c = make(seed, input_class, number);
    const oracle::Dyadic error = abs(oracle::exact(c.a + c.b) - exact_sum(c));
    return factor * error.to_double_nearest() / std::ldexp(1.0, exponent);
  };
  property.probe = Probed{
      .claim = "error",
      .classes = {{"few", 1}, {"many", 3}},
      .cell = cell,
      .judge =
          [=](const Executor&, std::uint64_t seed, std::size_t input_class, std::uint64_t first, std::size_t count) {
            std::vector<CellFinding> cells;
            for (std::uint64_t c = first; c < first + count; ++c) {
              CellFinding& found = cells.emplace_back();
              for (std::uint64_t number = c * cell; number < (c + 1) * cell; ++number) {
                const double reached = ratio(seed, input_class, number);
                found.unproved += reached > 1 ? 1 : 0;
                if (reached > found.largest) found = {reached, number, found.unproved};
              }
            }
            return cells;
          },
      .make = [=](std::uint64_t seed, std::size_t input_class,
                  std::uint64_t number) { return record_of(make(seed, input_class, number)); },
      .ratio = ratio,
      .unproved =
          [=](const Executor&, std::uint64_t seed, std::size_t input_class, std::span<const CellFinding> cells) {
            std::vector<std::uint64_t> numbers;
            for (const CellFinding& each : cells) {
              const std::uint64_t begin = each.number / cell * cell;
              for (std::uint64_t number = begin; number < begin + cell; ++number) {
                if (ratio(seed, input_class, number) > 1) numbers.push_back(number);
              }
            }
            return numbers;
          },
      .climb =
          [=](const Executor&, std::uint64_t seed, std::span<const Record> starts) {
            Climbed climbed{{starts.begin(), starts.end()}, cell};
            for (std::uint64_t number = 0; number < cell; ++number) {
              if (ratio(seed, 0, number) > 0.9 * factor) climbed.highest.push_back(record_of(make(seed, 0, number)));
            }
            return climbed;
          }};
  return property;
}
const Registration probed{probed_sum("probed", -52, 1)};
/// The same, but class `few` is a list of 100 cases.
Sum listed_sum() {
  Sum property = probed_sum("listed", -52, 1);
  property.probe->classes[0].size = 100;
  return property;
}
const Registration listed{listed_sum()};
const Registration probed_wrong{probed_sum("probed_wrong", -53, 1)};
const Registration probe_lies{probed_sum("probe_lies", -52, 0.5)};

Sum never_applies() {
  Sum property = sum("vacuous", [](double a, double b) { return a + b; });
  property.claims = {when(
      "a < 1", [](const Numbers& c) { return c.a < 1; }, within("error", error_of_sum_1, -52))};
  return property;
}
const Registration vacuous{never_applies()};

constexpr auto undecided_1 = theorem({"hostile.undecided.1", "none", "nobody knows", "no source decides it"});

Sum cannot_tell() {
  Sum property = sum("undecided", [](double a, double b) { return a + b; });
  property.claims = {claim_spec("error", undecided_1, [](const Numbers&, const oracle::Dyadic&, double) {
    return Judgement{Verdict::undecided, 1, 0};
  })};
  return property;
}
const Registration undecided{cannot_tell()};

Sum on_a_device_alone() {
  Sum property = sum("device_only", [](double a, double b) { return a + b; });
  property.device_only = true;
  return property;
}
const Registration device_only{on_a_device_alone()};

/// The oracle, not the subject, requests too much memory.
Sum greedy_reference() {
  Sum property = sum("greedy_reference", [](double a, double b) { return a + b; });
  property.reference = [](const Numbers& c) {
    if (struck(c.a)) {
      throw std::bad_alloc();
    }
    return exact_sum(c);
  };
  return property;
}
const Registration greedy{greedy_reference()};

/// a and b are 1 or more, and their rows require each value: a row that loses one never has both at 1.
Sum with_traits(const std::string& name, bool loses_a_row) {
  Sum property = sum(name, [](double a, double b) { return a + b; });
  const auto one_or_more = [](const char* which, double Numbers::*number) {
    return Trait<Numbers>{{which, {"1", "more"}},
                          [number](const Numbers& c) { return std::size_t{c.*number == 1 ? 0u : 1u}; }};
  };
  property.domain.traits = std::make_shared<const Traits<Numbers>>(
      Traits<Numbers>{{one_or_more("a", &Numbers::a), one_or_more("b", &Numbers::b)},
                      {},
                      [loses_a_row](Draw& draw, const TraitRow& row) {
                        const double a = row[0] == 0 ? 1 : 1 + significand(draw) / 4;
                        return Numbers{a, row[1] == 0 && !(loses_a_row && a == 1) ? 1 : 1 + significand(draw) / 4};
                      }});
  return property;
}
const Registration all_pairs{with_traits("all_pairs", false)};
const Registration lost_pair{with_traits("lost_pair", true)};

constexpr auto copy_1 = theorem({"hostile.copy.1", "any bits", "the result has the bits of a", "derived"});

/// Any bits go in and the same come out.
Property<Single<double>, double, oracle::Dyadic> copy() {
  return {.name = "hostile.copy",
          .domain = {.classes = {{"bits", 1, drawn<Single<double>>([](Draw& draw) {
                                    return Single<double>{number_of<double>(draw.word())};
                                  })}},
                     .contains = [](const Single<double>&) { return true; },
                     .accepts = "any bits"},
          .subject = [](const Executor&, const Single<double>& c) { return c.a; },
          .reference = [](const Single<double>&) { return oracle::Dyadic(); },
          .claims = {satisfies("bits", copy_1,
                               [](const Single<double>& c, double y) { return bits_of(c.a) == bits_of(y); })}};
}
const Registration copied{copy()};

constexpr auto squares_1 =
    theorem({"hostile.squares.1", "three roundings", "y = RN(RN(a*a) - RN(b*b))", "Higham 2002, section 2.2"});

/// a² − b², two products and their difference each rounded, from one source compiled in two ways.
Sum squares(const std::string& name, double (*subject)(double, double)) {
  Sum property = sum(name, subject);
  property.reference = [](const Numbers& c) {
    return oracle::exact(c.a) * oracle::exact(c.a) - oracle::exact(c.b) * oracle::exact(c.b);
  };
  property.claims = {satisfies("rounded_each", squares_1, [](const Numbers& c, double y) {
    const auto square = [](double x) {
      const oracle::Dyadic exact = oracle::exact(x) * oracle::exact(x);
      return oracle::exact(number_of<double>(oracle::round(exact, oracle::binary64, oracle::Rounding::nearest, {})));
    };
    return bits_of(y) == oracle::round(square(c.a) - square(c.b), oracle::binary64, oracle::Rounding::nearest, {});
  })};
  return property;
}
const Registration plain_squares{squares("squares", squares_plain)};
#ifdef ASSAY_HAS_CONTRACTED
const Registration contracted_squares{squares("squares_contracted", squares_contracted)};
#endif

}  // namespace
}  // namespace assay::hostile
