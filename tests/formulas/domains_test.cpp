// The classes of inputs of a formula.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/formulas/tensor.hpp"
#include "properties/framework/property.hpp"

namespace assay::formulas {
namespace {

Typed typed_text(const std::string& text, const std::string& format = "f32") {
  return typed(std::make_shared<const Formula>(parse(text, "t")), format);
}

/// The numbers of parameter p in a case.
std::vector<double> numbers_of(const Typed& typed, const Case& c, std::size_t p) {
  std::vector<double> numbers;
  for (const std::uint64_t word : c.words[p]) {
    numbers.push_back(oracle::decode(typed.parameters[p], word).value.to_double_nearest());
  }
  return numbers;
}

TEST(Domains, AOneHotParameterHasA1InEachRowOfEveryClass) {
  const Typed typed = typed_text(
      "f(x[r,n], t[r,n]) -> y[r,n]\n  range t one_hot\n  class \"large\": x 80 100\n"
      "  y = (exp(x) - t) / (x + t)\n");
  for (std::uint64_t n = 0; n < 20 * typed.classes.size(); ++n) {
    Draw draw(random_for(1, "one_hot", n));
    Case c = draw_case(typed, n % typed.classes.size(), draw);
    const std::vector<double> drawn = numbers_of(typed, c, 1);
    const auto length = static_cast<std::size_t>(c.lengths[1]);
    for (std::size_t i = 0; i < drawn.size(); i += length) {
      const auto row = drawn.begin() + static_cast<std::ptrdiff_t>(i);
      EXPECT_EQ(std::count(row, row + c.lengths[1], 1.0), 1);
      EXPECT_EQ(std::count(row, row + c.lengths[1], 0.0), c.lengths[1] - 1);
    }
    EXPECT_TRUE(contains(typed, c));
    c.words[1][draw.below(drawn.size())] ^= 1;
    EXPECT_FALSE(contains(typed, c)) << "a smaller case has such rows, too";
  }
}

TEST(Domains, LargerShapesHaveAnAxisBeyondEachTileUpTo4096) {
  const Typed typed = typed_text("f(x[r,n]) -> y[r]\n  y = sum(x, axis=n)\n");
  const auto large = std::ranges::find_if(typed.classes, &FormulaClass::is_large) - typed.classes.begin();
  std::set<std::int64_t> longest;
  for (std::uint64_t n = 0; n < 400; ++n) {
    Draw draw(random_for(1, "long", n));
    const Case c = draw_case(typed, static_cast<std::size_t>(large), draw);
    EXPECT_TRUE(contains(typed, c));
    longest.insert(std::ranges::max(c.lengths));
  }
  for (const std::int64_t tile : {512, 1024, 2048, 4096}) EXPECT_TRUE(longest.contains(tile + 1)) << tile;
}

TEST(Domains, AOneHotParameterHasRowsOfNumbers) {
  const auto refusal = [](const std::string& text) {
    try {
      parse(text, "t");
    } catch (const FormulaError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("f(x[n], t) -> y[n]\n  range t one_hot\n  y = x * t\n"),
            "t:2:9: t has no rows of numbers, so they cannot be one_hot");
  EXPECT_EQ(refusal("f(x[n], t[n]) -> y[n]\n  range t one_hot\n  class \"c\": t 0 1\n  y = x * t\n"),
            "t:3:14: t is one_hot in every class");
  EXPECT_EQ(refusal("f(x[n], t[n]) -> y[n]\n  range t sparse\n  y = x * t\n"),
            "t:2:11: expected one_hot, or the two ends of a range; found \"sparse\"");
}

TEST(Domains, NumbersOfARangeAreDrawnFromAllOfItAndMeetBothEnds) {
  for (const std::string format : {"f64", "f32", "f16"}) {
    for (const auto& [low, high] : {std::pair{"0.001", "0.5"}, {"-3", "2"}, {"0", "0.1"}, {"1", "1.25"}}) {
      const Typed typed =
          typed_text(std::string("f(x[n], s) -> y[n]\n  range s ") + low + " " + high + "\n  y = s * x\n", format);
      const auto nearest = [&](const char* x) {
        const std::uint64_t word =
            oracle::round(oracle::exact(std::stod(x)), typed.parameters[1], oracle::Rounding::nearest);
        return oracle::decode(typed.parameters[1], word).value.to_double_nearest();
      };
      const double least = nearest(low);
      const double most = nearest(high);
      std::vector<double> drawn;
      for (std::uint64_t n = 0; n < 400; ++n) {
        Draw draw(random_for(1, "ends", n));
        drawn.push_back(numbers_of(typed, draw_case(typed, n % 4, draw), 1).front());
      }
      std::ranges::sort(drawn);
      EXPECT_EQ(drawn.front(), least) << format << " " << low;
      EXPECT_EQ(drawn.back(), most) << format << " " << high;
      EXPECT_GT(std::ranges::count(drawn, least), 20) << format << " " << low;
      EXPECT_GT(std::ranges::count(drawn, most), 20) << format << " " << high;
      // All of the range: no tenth of it is without a number, in the scale in which they are drawn.
      const bool is_wide = least > 0 && most / least > 8;
      const auto place = [&](double x) {
        return is_wide ? std::log(x / least) / std::log(most / least) : (x - least) / (most - least);
      };
      for (std::size_t i = 1; i < drawn.size(); ++i) EXPECT_LT(place(drawn[i]) - place(drawn[i - 1]), 0.1) << format;
    }
  }
}

// ------------------------------------------------------------------------------------------- automatic classes

constexpr const char* cancelling = "sums whose last term nearly cancels the others";
constexpr const char* poles = "divisors and arguments near a pole";
constexpr const char* edges = "functions where they overflow, vanish or become flat";

std::vector<std::string> class_names(const std::string& text) {
  std::vector<std::string> names;
  for (const FormulaClass& each : input_classes(parse(text, "t"))) names.push_back(each.name);
  return names;
}

TEST(Domains, AFormulaHasTheClassesForWhichItHasADefinition) {
  using testing::Contains;
  using testing::Not;
  const std::vector<std::string> relu = class_names("f(x[n]) -> y[n]\n  y = relu(x)\n");
  EXPECT_EQ(relu.size(), 16U);
  EXPECT_EQ(relu.front(), "numbers of one sign");
  EXPECT_EQ(relu.back(), "any numbers of the format");
  const std::vector<std::string> softmax = class_names("f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\n");
  EXPECT_THAT(softmax, Contains(edges));
  EXPECT_THAT(softmax, Not(Contains(cancelling)));
  EXPECT_THAT(softmax, Contains("any numbers of the format"));
  const std::vector<std::string> ratio = class_names("f(a[n], b[n]) -> y[n]\n  y = 1 / (a - b)\n");
  EXPECT_THAT(ratio, Contains(poles));
  EXPECT_THAT(ratio, Contains(cancelling));
  EXPECT_THAT(ratio, Not(Contains("any numbers of the format")));
  EXPECT_THAT(class_names("f(a[n], b[n]) -> y[n]\n  y = fmod(a, b)\n"), Contains("any numbers of the format"));
  EXPECT_THAT(
      class_names("f(k[n]: index v = 9, like[v]) -> y[v]\n  y = 1 / sum(spread(count(axis=n), k), axis=n)\n").size(),
      15U);
}

/// The place of a class of a formula.
std::size_t place_of(const Typed& typed, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(typed.classes, name, &FormulaClass::name) - typed.classes.begin());
}

/// The share of cases of a class with an entry of a·b, both in binary32, that is at most 2^-20 of its terms.
double share_of_cancelled_products(const std::string& in_class, bool are_zeros_counted) {
  const Typed typed = typed_text("f(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n");
  const std::size_t place = place_of(typed, in_class);
  int found = 0;
  int with_terms = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    Draw draw(random_for(3, "products", number));
    const Case drawn = draw_case(typed, place, draw);
    const std::vector<double> a = numbers_of(typed, drawn, 0);
    const std::vector<double> b = numbers_of(typed, drawn, 1);
    const auto m = static_cast<std::size_t>(drawn.lengths[0]);
    const auto k = static_cast<std::size_t>(drawn.lengths[1]);
    const auto n = static_cast<std::size_t>(drawn.lengths[2]);
    if (k < 2) continue;
    ++with_terms;
    bool is_found = false;
    for (std::size_t at = 0; at < m * n; ++at) {
      double sum = 0;
      double terms = 0;
      for (std::size_t l = 0; l < k; ++l) {
        const double product = a[at / n * k + l] * b[l * n + at % n];
        sum += product;
        terms += std::abs(product);
      }
      is_found = is_found || (std::abs(sum) <= 0x1p-20 * terms && (are_zeros_counted || sum != 0));
    }
    found += is_found ? 1 : 0;
  }
  return static_cast<double>(found) / with_terms;
}

TEST(Domains, EntriesOfAProductCancelInTheClassOfCancellingSumsAlone) {
  EXPECT_GT(share_of_cancelled_products(cancelling, true), 0.6);
  for (const FormulaClass& each : input_classes(parse("f(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n", "t"))) {
    // Ones minus ones leave halves of ulps.
    if (each.name == cancelling || each.name == "ones and halves of their ulps") continue;
    EXPECT_LT(share_of_cancelled_products(each.name, false), 0.03) << each.name;
  }
}

/// The classes of inputs in which a function breaks a contract of a formula, among so many cases.
std::set<std::string> refused_in(const std::string& text, void* function, const std::string& contract,
                                 const std::string& format, std::uint64_t cases) {
  const auto formula = std::make_shared<const Formula>(parse(text, "t"));
  const auto property = property_of(formula, {}, {.format = format}, {.function = function});
  const PropertyInfo& info = property->info();
  const auto claim = std::ranges::find(info.claims, contract, &ClaimInfo::id) - info.claims.begin();
  std::set<std::string> classes;
  std::size_t judged = 0;
  for (std::uint64_t k = 0; k < cases; ++k) {
    const std::vector<Record> record{*property->make(5, k)};
    const auto judgement = property->judge_claim(Executor::host(), record, static_cast<std::size_t>(claim)).front();
    if (!judgement) continue;
    ++judged;
    if (judgement->verdict == Verdict::violated) classes.insert(info.classes[property->class_of(k)].name);
  }
  EXPECT_GT(judged, cases / 2);
  return classes;
}

template <class F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

/// s = Σ xy of each row. With a mistake, a sum that is small against its terms counts as 0.
template <bool is_wrong>
void row_dots(std::size_t r, std::size_t n, const float* x, const float* y, float* s) {
  for (std::size_t i = 0; i < r; ++i) {
    float sum = 0;
    float terms = 0;
    for (std::size_t j = i * n; j < (i + 1) * n; ++j) {
      sum += x[j] * y[j];
      terms += std::abs(x[j] * y[j]);
    }
    s[i] = is_wrong && std::abs(sum) < 0x1p-15F * terms ? 0 : sum;
  }
}

TEST(Domains, OnlyCancellingSumsFindAKernelThatTakesSmallSumsForZero) {
  const std::string text = "row_dots(x[r,n], y[r,n]) -> s[r]\n  s = sum(x * y, axis=n)\n";
  EXPECT_EQ(refused_in(text, address(row_dots<true>), "any_order", "f32", 264), std::set<std::string>{cancelling});
  EXPECT_EQ(refused_in(text, address(row_dots<false>), "any_order", "f32", 66), std::set<std::string>{});
}

/// The first unknown of ax + 3by = v, cx + dy = w by Cramer's rule. With a mistake, the determinant is kept away from
/// 0.
template <bool is_wrong>
void cramer(std::size_t n, const float* a, const float* b, const float* c, const float* d, const float* v,
            const float* w, float* x) {
  for (std::size_t i = 0; i < n; ++i) {
    float det = a[i] * d[i] - 3 * b[i] * c[i];
    const float least = 0x1p-12F * (std::abs(a[i] * d[i]) + 3 * std::abs(b[i] * c[i]));
    if (is_wrong && std::abs(det) < least) det = std::copysign(least, det);
    x[i] = (d[i] * v[i] - 3 * b[i] * w[i]) / det;
  }
}

TEST(Domains, OnlyPolesFindAKernelThatKeepsADivisorAwayFromZero) {
  const std::string text =
      "cramer(a[n], b[n], c[n], d[n], v[n], w[n]) -> x[n]\n  x = (d * v - 3 * b * w) / (a * d - 3 * b * c)\n";
  const std::set<std::string> wrong = refused_in(text, address(cramer<true>), "any_order", "f32", 264);
  EXPECT_TRUE(wrong.contains(poles)) << testing::PrintToString(wrong);
  EXPECT_THAT(wrong, testing::IsSubsetOf({poles, cancelling}));
  EXPECT_EQ(refused_in(text, address(cramer<false>), "any_order", "f32", 66), std::set<std::string>{});
}

/// exp(x) with a mistake: an exponent is clamped below the largest one that does not overflow. Where it does overflow,
/// every class finds a number in place of the infinity.
double clamped_exp(double x, double most) { return x < 709.78 ? std::exp(std::min(x, most)) : std::exp(x); }

/// exp(xy).
template <bool is_wrong>
void exponentials(std::size_t n, const double* x, const double* y, double* z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = is_wrong ? clamped_exp(x[i] * y[i], 709.4) : std::exp(x[i] * y[i]);
}

TEST(Domains, OnlySaturatedFunctionsFindAKernelThatClampsTheArgumentOfExp) {
  const std::string text = "exponentials(x[n], y[n]) -> z[n]\n  z = exp(x * y)\n";
  EXPECT_EQ(refused_in(text, address(exponentials<true>), "fast", "f64", 1000), std::set<std::string>{edges});
  EXPECT_EQ(refused_in(text, address(exponentials<false>), "fast", "f64", 66), std::set<std::string>{});
}

/// The larger of x and 0. With a mistake, half of it beyond 2²⁰.
template <bool is_wrong>
void relu(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = std::max(x[i], 0.0F);
    if (is_wrong && y[i] > 0x1p20F) y[i] /= 2;
  }
}

TEST(Domains, OnlyAnyNumbersFindAKernelThatIsWrongForHugeNumbers) {
  const std::string text = "f(x[n]) -> y[n]\n  y = relu(x)\n";
  EXPECT_EQ(refused_in(text, address(relu<true>), "any_order", "f32", 264),
            std::set<std::string>{"any numbers of the format"});
  EXPECT_EQ(refused_in(text, address(relu<false>), "any_order", "f32", 66), std::set<std::string>{});
}

/// The largest number of each row. With a mistake, the search begins with -10⁹.
template <bool is_wrong>
void row_maxima(std::size_t r, std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < r; ++i) {
    y[i] = is_wrong ? -1e9F : x[i * n];
    for (std::size_t j = i * n; j < (i + 1) * n; ++j) y[i] = std::max(y[i], x[j]);
  }
}

TEST(Domains, OnlyAnyNumbersFindAMaximumThatIsNeverBelowABound) {
  const std::string text = "f(x[r,n]) -> y[r]\n  y = max(x, axis=n)\n";
  EXPECT_EQ(refused_in(text, address(row_maxima<true>), "any_order", "f32", 264),
            std::set<std::string>{"any numbers of the format"});
  EXPECT_EQ(refused_in(text, address(row_maxima<false>), "any_order", "f32", 66), std::set<std::string>{});
}

/// g/(1 + exp(-g))·x. With a mistake, 0 beyond 4000.
template <bool is_wrong>
void gated(std::size_t n, const float* g, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = is_wrong && g[i] > 4000 ? 0 : g[i] / (1 + std::exp(-g[i])) * x[i];
}

TEST(Domains, OnlyNumbersOfAnotherScaleFindAProductThatIsWrongForLargeNumbers) {
  const std::string text = "f(g[n], x[n]) -> y[n]\n  y = g * sigmoid(g) * x\n";
  EXPECT_EQ(refused_in(text, address(gated<true>), "fast", "f32", 264),
            std::set<std::string>{"numbers of another scale"});
  EXPECT_EQ(refused_in(text, address(gated<false>), "fast", "f32", 66), std::set<std::string>{});
}

TEST(Domains, AFunctionOfOneNumberOf16BitsHasAllNumbersOfItsFormat) {
  for (const std::string format : {"f16", "bf16"}) {
    const Typed typed = typed_text("f(x[n], limit) -> y[n]\n  range limit 1 2\n  y = limit * relu(x)\n", format);
    const std::size_t place = place_of(typed, "any numbers of the format");
    std::set<std::uint64_t> words;
    for (std::uint64_t among = 0; among < 17; ++among) {
      Draw draw(random_for(1, "all", among));
      const Case c = draw_case(typed, place, draw, among);
      EXPECT_TRUE(contains(typed, c));
      const auto finite = std::ranges::count_if(
          c.words[0], [&](std::uint64_t each) { return oracle::is_finite(typed.parameters[0], each); });
      EXPECT_TRUE(finite == 0 || finite == c.lengths[0]) << "contracts about finite inputs judge the case or not";
      words.insert(c.words[0].begin(), c.words[0].end());
    }
    EXPECT_EQ(words.size(), 65536U) << format;
    const auto property = property_of(typed.formula, {}, {.format = format}, {.control = Control::zeros});
    std::set<std::int64_t> lengths;
    for (std::uint64_t k = 0; k < property->info().quick_cases; ++k) {
      const Record record = *property->make(1, k);
      if (property->class_of(k) == place) lengths.insert(std::get<std::int64_t>(record.fields[0].value));
    }
    EXPECT_TRUE(lengths.contains(format == "f16" ? 2048 : 256)) << "a check has the last block, too";
  }
}

/// (x − mean)/√(variance) of each row. With a mistake, the variance is at least 10⁻⁷ of the mean of squares.
template <bool is_wrong>
void standardized(std::size_t r, std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < r; ++i) {
    float sum = 0;
    float squares = 0;
    float all = 0;
    for (std::size_t j = i * n; j < (i + 1) * n; ++j) sum += x[j];
    const float mean = sum / static_cast<float>(n);
    for (std::size_t j = i * n; j < (i + 1) * n; ++j) {
      squares += (x[j] - mean) * (x[j] - mean);
      all += x[j] * x[j];
    }
    const float least = is_wrong ? 1e-7F * all / static_cast<float>(n) : 0;
    const float deviation = std::sqrt(std::max(squares / static_cast<float>(n), least));
    for (std::size_t j = i * n; j < (i + 1) * n; ++j) y[j] = (x[j] - mean) / deviation;
  }
}

TEST(Domains, PolesHaveRowsOfNearlyEqualNumbers) {
  const std::string text = "standardized(x[r,n]) -> y[r,n]\n  y = (x - mean(x, axis=n)) / sqrt(variance(x, axis=n))\n";
  const std::set<std::string> wrong = refused_in(text, address(standardized<true>), "any_order", "f32", 264);
  EXPECT_TRUE(wrong.contains(poles)) << testing::PrintToString(wrong);
  EXPECT_EQ(refused_in(text, address(standardized<false>), "any_order", "f32", 66), std::set<std::string>{});
}

TEST(Domains, AShapeThatIsGivenHasCasesOfEveryClassHoweverLargeItIs) {
  const auto product = std::make_shared<const Formula>(parse("f(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n", "t"));
  for (const std::int64_t k : {1, 64, 1024}) {
    const auto property = property_of(product, {64, k, 64}, {.format = "f32"}, {});
    std::set<std::size_t> drawn;
    for (std::uint64_t number = 0; number < property->info().quick_cases; ++number) {
      drawn.insert(property->class_of(number));
    }
    EXPECT_EQ(drawn.size(), 16U) << k << ": " << property->info().quick_cases << " cases";
  }
}

// ------------------------------------------------------------------------------------------- classes of an author

std::string error_of(const std::string& text) {
  try {
    typed_text(text);
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Domains, AnAuthorsClassDrawsEachParameterAsItSays) {
  const Typed typed = typed_text(
      "f(x[n], w[n], s, b[n]) -> y[n]\n  range s 0.5 2\n  class \"large logits\": x 80 100, w integers, s -9 -8.5\n"
      "  y = s * x * w + b\n");
  EXPECT_EQ(typed.classes.back().name, "large logits");
  std::set<double> scales;
  for (std::uint64_t n = 0; n < 100; ++n) {
    Draw draw(random_for(1, "own", n));
    const Case drawn = draw_case(typed, typed.classes.size() - 1, draw);
    for (const double x : numbers_of(typed, drawn, 0)) EXPECT_TRUE(x >= 80 && x <= 100) << x;
    for (const double w : numbers_of(typed, drawn, 1)) EXPECT_EQ(w, std::nearbyint(w));
    for (const double b : numbers_of(typed, drawn, 3)) EXPECT_LT(std::abs(b), 60);
    scales.insert(numbers_of(typed, drawn, 2).front());
  }
  EXPECT_EQ(*scales.begin(), -9);
  EXPECT_EQ(*scales.rbegin(), -8.5);
}

TEST(Domains, AnAuthorsClassIsALineOfAFormulaInCppToo) {
  const Tensor x = input("x", {"n"});
  const Formula in_cpp = formula("f", {x}, {"n"}, named("y", exp(x)), {"class \"far\": x 80 100"});
  ASSERT_EQ(in_cpp.classes.size(), 1U);
  EXPECT_EQ(in_cpp.classes[0].name, "far");
  EXPECT_EQ(in_cpp.classes[0].settings[0]->high, oracle::Rational(100));
}

TEST(Domains, AnAuthorsClassFindsAKernelThatNoOtherClassFinds) {
  // The kernel clamps the exponent at 709.77, and the overflow begins at 709.78.
  const auto clamped = [](std::size_t n, const double* x, const double* y, double* z) {
    for (std::size_t i = 0; i < n; ++i) z[i] = clamped_exp(x[i] * y[i], 709.77);
  };
  void (*const kernel)(std::size_t, const double*, const double*, double*) = clamped;
  const std::string text =
      "exponentials(x[n], y[n]) -> z[n]\n  class \"edge\": x 709.7 709.78, y 1 1\n  z = exp(x * y)\n";
  EXPECT_EQ(refused_in(text, address(kernel), "fast", "f64", 264), std::set<std::string>{"edge"});
}

TEST(Domains, AMistakeInAClassIsToldWithItsPlaceAndTheWordsThatItMayHave) {
  const auto with = [](const std::string& line) {
    return error_of("f(x[n], k[n]: index m = 4) -> y[n]\n  " + line + "\n  y = x\n");
  };
  EXPECT_EQ(with("class \"a\": x normal"), "no error");
  EXPECT_EQ(with("class a: x normal"),
            "t:2:9: expected the name of the class in quotes, as in class \"large logits\": x 80 100; found \"a\"");
  EXPECT_EQ(with("class \"\": x normal"), "t:2:9: a class without a name");
  EXPECT_EQ(with("class \"a\" x normal"), "t:2:13: expected \":\"; found \"x\"");
  EXPECT_EQ(with("class \"a\": z normal"), "t:2:14: no parameter z");
  EXPECT_EQ(with("class \"a\": x tiny"),
            "t:2:16: expected the two ends of a range, or one of the words one_sign, exact, few_large, normal, offset, "
            "spread, ones, integers, sparse, ties, pairs, specials, extreme, masked, any, scaled; found \"tiny\"");
  EXPECT_EQ(with("class \"a\": x 1"), "t:2:17: expected a number; found the end of the line");
  EXPECT_EQ(with("class \"a\": x 2 1"), "t:2:14: the range of x ends before it begins");
  EXPECT_EQ(with("class \"a\": x 1 2, x normal"), "t:2:21: the class sets x twice");
  EXPECT_EQ(with("class \"a\": k 1 2"), "t:2:14: k has integers that are places; a class sets numbers");
  EXPECT_EQ(with("class \"a\": x normal\n  class \"a\": x ones"), "t:3:9: two classes named \"a\"");
  EXPECT_EQ(with("class \"integers\": x ones"), "f: every formula has a class \"integers\"; give yours another name");
  EXPECT_EQ(error_of("f(x[n]) -> y[n]\n  class = 2 * x\n  y = class\n"), "no error");
}

}  // namespace
}  // namespace assay::formulas
