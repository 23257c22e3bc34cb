// Matrices of the literature among the cases of systems: each kind is drawn, and some mistakes only they show.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "properties/contracts/factorizations/gesv_cases.hpp"
#include "properties/contracts/factorizations/shown.hpp"
#include "properties/contracts/factorizations/solutions.hpp"
#include "tests/assay/subject_ladder.hpp"

namespace assay::contracts::factorizations {
namespace {

using Matrix = GetrfCase<double>;

bool is_vandermonde(const Matrix& c) {
  for (std::int64_t i = 0; i < c.m; ++i) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      if (c.a[place(c, i, j)] != (j == 0 ? 1 : std::pow(c.a[place(c, i, 1)], static_cast<double>(j)))) return false;
    }
  }
  return true;
}

/// Whether the inverse, to some 200 bits, has integers alone.
bool has_integer_inverse(const Matrix& c) {
  const auto inverse = inverse_of(GesvCase<double>{c.n, c.a, {}}, 256);
  return inverse && std::ranges::all_of(*inverse, [](const Ball& each) {
           const double middle = middle_of(each).to_double_nearest();
           return std::fabs(middle - std::round(middle)) < 1e-30 * (1 + std::fabs(middle));
         });
}

double product_of_columns(const Matrix& c, std::int64_t j, std::int64_t k) {
  double sum = 0;
  for (std::int64_t i = 0; i < c.m; ++i) sum += c.a[place(c, i, j)] * c.a[place(c, i, k)];
  return sum;
}

bool has_orthogonal_columns(const Matrix& c) {
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t k = 0; k < j; ++k) {
      const double of_both = std::sqrt(product_of_columns(c, j, j) * product_of_columns(c, k, k));
      if (std::fabs(product_of_columns(c, j, k)) > 1e-12 * of_both) return false;
    }
  }
  return true;
}

/// Whether the squares add up to those of the singular values 2^−⌊bits·k/(n − 1)⌋ for some number of bits.
bool has_a_made_condition(const Matrix& c) {
  double squares = 0;
  for (const double each : c.a) squares += each * each;
  for (int bits = 0; bits <= FloatTraits<double>::precision + 4; ++bits) {
    double due = 0;
    for (std::int64_t k = 0; k < c.n; ++k) due += std::ldexp(1, -2 * static_cast<int>(bits * k / (c.n - 1)));
    if (std::fabs(squares - due) < 1e-12 * due) return true;
  }
  return false;
}

/// What a matrix of the class is; "?" for none of the kinds.
std::string kind_of(const Matrix& c) {
  if (c.a == frank_matrix<double>(c.n).a) return "Frank";
  if (c.a == wilkinson_matrix<double>(c.n).a) return "Wilkinson";
  if (std::ranges::any_of(kahan_sides, [&](const auto& each) { return c.a == kahan_matrix<double>(c.n, each).a; })) {
    return "Kahan";
  }
  if (is_vandermonde(c)) return "Vandermonde";
  if (std::ranges::all_of(c.a, [](double each) { return each == std::round(each); }) && has_integer_inverse(c)) {
    return "integer inverse";
  }
  if (has_orthogonal_columns(c)) return "orthogonal times diagonal";
  return has_a_made_condition(c) ? "condition" : "?";
}

/// The matrix of a record.
Matrix matrix_of(const Record& record) {
  Matrix c;
  for (const FieldValue& field : record.fields) {
    if (field.name == "n") c.m = c.n = std::get<std::int64_t>(field.value);
    if (field.name != "a") continue;
    for (const std::uint64_t bits : std::get<Words>(field.value).bits) c.a.push_back(std::bit_cast<double>(bits));
  }
  return c;
}

bool is_of_the_class(const PropertyModel& property, std::uint64_t number) {
  return property.info().classes[property.class_of(number)].name == named_class;
}

TEST(NamedMatrices, OfEachKindAreDrawn) {
  for (const char* const operation : {"gesv", "inv"}) {
    const auto property = find_operation(operation)->property({.format = "f64"}, {.control = Control::zeros});
    std::set<std::string> kinds;
    for (std::uint64_t number = 0; number < 1500; ++number) {
      if (!is_of_the_class(*property, number)) continue;
      const Matrix c = matrix_of(*property->make(1, number));
      if (c.n > 4) kinds.insert(kind_of(c));
    }
    EXPECT_EQ(kinds, (std::set<std::string>{"Frank", "Kahan", "Vandermonde", "Wilkinson", "condition",
                                            "integer inverse", "orthogonal times diagonal"}))
        << operation;
  }
}

TEST(NamedMatrices, AloneShowMistakesOfShortWaysForStructures) {
  for (const char* const symbol : {"gesv_of_triangle", "gesv_hessenberg", "gesv_orthogonal"}) {
    const auto property = property_of_symbol(ASSAY_LIBRARY_OF_FACTORS, "gesv", symbol, "f64");
    std::uint64_t violated = 0;
    for (std::uint64_t number = 0; number < 300; ++number) {
      const Tally tally = property->run(Executor::host(), 1, {number, 1, 1}, [](const CaseRange&) {});
      if (tally.claims[0].violated == 0) continue;
      ++violated;
      EXPECT_TRUE(is_of_the_class(*property, number)) << symbol << " " << number;
    }
    EXPECT_NE(violated, 0U) << symbol;
  }
}

}  // namespace
}  // namespace assay::contracts::factorizations
