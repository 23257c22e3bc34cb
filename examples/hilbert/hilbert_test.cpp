// The program's solution compared with the known inverse of the Hilbert matrix, and the certificate with wrong
// solutions.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/hilbert/certified_solve.hpp"
#include "oracle/decimal.hpp"

namespace hilbert {
namespace {

const Executor host = Executor::host();

Dyadic binomial(std::size_t n, std::size_t k) {
  Rational c(1);
  for (std::size_t i = 1; i <= k; ++i) c *= Rational(n - k + i) / Rational(i);
  return c.numerator();
}

/// Row sums of the inverse of the Hilbert matrix, whose entries are (−1)^(i + j)·(i + j − 1)·C(n + i − 1, n − j)·C(n +
/// j − 1, n − i)·C(i + j − 2, i − 1)², i, j = 1 … n. Choi, Tricks or treats with the Hilbert matrix, American
/// Mathematical Monthly 90(5), 1983.
std::vector<Dyadic> known_solution(std::size_t n) {
  std::vector<Dyadic> sums;
  for (std::size_t i = 1; i <= n; ++i) {
    Dyadic sum;
    for (std::size_t j = 1; j <= n; ++j) {
      const Dyadic middle = binomial(i + j - 2, i - 1);
      const Dyadic entry =
          Dyadic(i + j - 1) * binomial(n + i - 1, n - j) * binomial(n + j - 1, n - i) * middle * middle;
      sum += (i + j) % 2 == 0 ? entry : -entry;
    }
    sums.push_back(std::move(sum));
  }
  return sums;
}

/// The output of the program in the same folder; nothing if its exit status is not 0.
std::string output_of(const std::string& program) {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string command = "'" + (folder / program).string() + "'";
  std::string output;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> part;
  while (std::fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) output += part.data();
  return pclose(pipe) == 0 ? output : "";
}

/// The number after the last `text`; −1 if there is none.
long number_behind(const std::string& output, const std::string& text) {
  const std::size_t at = output.rfind(text);
  return at == std::string::npos ? -1 : std::stol(output.substr(at + text.size()));
}

/// An approximate inverse of the system's matrix: the exact one, rounded to binary64.
std::vector<Dyadic> inverse_of_order_two() {
  // 6·(1, 1/2; 1/2, 1/3) has the inverse (2/3, −1; −1, 2).
  return {Dyadic::scaled(6004799503160661, -53), Dyadic(-1), Dyadic(-1), Dyadic(2)};
}

TEST(Hilbert, TheProgramPrintsTheKnownSolutionOfOrder100) {
  const std::string output = output_of("hilbert");
  const std::vector<Dyadic> known = known_solution(100);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::string line = "x_" + std::to_string(i + 1) + " = " + assay::oracle::decimal(known[i], 100) + "\n";
    EXPECT_NE(output.find(line), std::string::npos) << line;
  }
  const long first = number_behind(output.substr(0, output.find('\n')), "certified to ");
  const long last = number_behind(output, "every unknown at most 1e-");
  EXPECT_GT(first, 100);
  EXPECT_GT(last, 2 * first);
  EXPECT_GT(last, 400);
}

TEST(Hilbert, ItsSystemsAreSolvedByRowSumsOfTheKnownInverse) {
  for (const std::size_t n : std::vector<std::size_t>{1, 2, 5, 12}) {
    const Step solution = certified_solve(host, hilbert_system(n), [](const Step&) {});
    const std::vector<Dyadic> known = known_solution(n);
    ASSERT_EQ(solution.x.size(), n);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LE(abs(Rational(known[i] - solution.x[i])), solution.errors[i]) << n << ", " << i;
    }
    EXPECT_GT(certified_digits(solution.x, solution.errors), 400) << n;
  }
}

TEST(Certificate, BoundsTheErrorOfAnyVector) {
  const System system = hilbert_system(2);
  const Certificate certificate(system, inverse_of_order_two());
  const std::vector<Dyadic> known = known_solution(2);
  for (const int binary : {-1000, -53, -3, 0, 5, 300}) {
    for (std::size_t wrong = 0; wrong < 2; ++wrong) {
      std::vector<Dyadic> x = known;
      x[wrong] += Dyadic::scaled(1, binary);
      const std::vector<Rational> errors = certificate.errors(x);
      for (std::size_t i = 0; i < 2; ++i) EXPECT_LE(abs(Rational(x[i] - known[i])), errors[i]) << binary;
      // A bound that is far too large would say nothing: this one exceeds the error by at most a millionth.
      EXPECT_LE(errors[wrong], Rational(Dyadic::scaled(1000001, binary)) / Rational(1000000)) << binary;
    }
  }
}

TEST(Certificate, CountsNoDigitsThatAreWrong) {
  const System system = hilbert_system(2);
  const Certificate certificate(system, inverse_of_order_two());
  std::vector<Dyadic> x = known_solution(2);  // −2 and 6
  x[1] += Dyadic::scaled(6, -20);
  EXPECT_EQ(certified_digits(x, certificate.errors(x)), 5);
  x[1] = Dyadic(1);
  EXPECT_EQ(certified_digits(x, certificate.errors(x)), -1);
}

TEST(Certificate, IsRefusedWithAPoorInverse) {
  const System system = hilbert_system(2);
  EXPECT_THROW(Certificate(system, std::vector<Dyadic>(4)), std::domain_error);
  std::vector<Dyadic> transposed_signs = inverse_of_order_two();
  for (Dyadic& each : transposed_signs) each.negate();
  EXPECT_THROW(Certificate(system, transposed_signs), std::domain_error);
}

TEST(CertifiedSolve, RefusesAnIndefiniteMatrix) {
  const System system{2, {Dyadic(1), Dyadic(2), Dyadic(2), Dyadic(1)}, {Dyadic(1), Dyadic(1)}};
  EXPECT_THROW(certified_solve(host, system, [](const Step&) {}), std::domain_error);
}

TEST(CertifiedSolve, AnEmptySystemHasNoUnknowns) {
  EXPECT_TRUE(certified_solve(host, {}, [](const Step&) {}).x.empty());
}

}  // namespace
}  // namespace hilbert
