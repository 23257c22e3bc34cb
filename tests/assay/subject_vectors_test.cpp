// Kernels from outside whose results are arrays.
#include <utility>
#include <vector>

#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using ::testing::AllOf;

/// Checks of functions of the library of vectors.
class VectorsTest : public ProgramTest {
 protected:
  Ended judged(const std::string& operation, const std::string& symbol, const std::string& rest = "") const {
    return shell("env -u ASSAY_CORPUS " + beside("assay") + " check --operation " + operation + " --subject " +
                 beside(ASSAY_LIBRARY_OF_VECTORS) + " --symbol " + symbol +
                 " --cases 150 --no-shrink --progress none --on host --out " + in("run") + " " + rest);
  }
  /// Functions of an operation with their ladders, as the program prints them.
  void expect_ladders(const std::string& operation,
                      const std::vector<std::pair<std::string, std::string>>& ladders) const {
    for (const auto& [symbol, ladder] : ladders) {
      EXPECT_THAT(judged(operation, symbol),
                  Ends(0, Out(AllOf(HasSubstr(" on host: " + ladder + "\n"),
                                    HasSubstr("every contract about an error refuses 7 controls")))))
          << symbol;
    }
  }
};

using Axpy = VectorsTest;

TEST_F(Axpy, HasTheLadderOfItsRoundings) {
  const std::string twice = "keeps two_roundings; breaks faithful";
  expect_ladders("axpy", {{"axpy", twice},
                          {"cblas_daxpy", twice},
                          {"daxpy_", twice},
                          {"axpy_fma", "keeps fma"},
                          {"cblas_saxpy", "keeps fma"},
                          {"axpy_quick", "keeps correctly_rounded; breaks fma"}});
}

TEST_F(Axpy, ThatIsWrongKeepsNothing) {
  const std::string none = "keeps none; breaks faithful, two_roundings";
  expect_ladders("axpy", {{"axpy_without_alpha", none},
                          {"axpy_scales", none},
                          {"axpy_without_last", none},
                          {"axpy_single", none},
                          {"axpy_nothing", none}});
}

using Cumsum = VectorsTest;

TEST_F(Cumsum, HasTheLadderOfItsOrder) {
  expect_ladders("cumsum",
                 {{"cumsum", "keeps any_order, monotone; breaks faithful, compensated, tree"},
                  {"cumsum_compensated", "keeps compensated, pairwise, any_order, monotone; breaks faithful"},
                  {"cumsum_kogge_stone", "keeps pairwise, any_order; breaks faithful, compensated, monotone"},
                  {"cumsum_blelloch", "keeps tree, any_order; breaks faithful, compensated, pairwise, monotone"}});
}

TEST_F(Cumsum, ThatIsWrongKeepsNoBound) {
  const std::string none = "keeps none; breaks faithful, compensated, tree, any_order, monotone";
  const std::string order = "keeps monotone; breaks faithful, compensated, tree, any_order";
  expect_ladders("cumsum", {{"cumsum_exclusive", none},
                            {"cumsum_of_blocks", none},
                            {"cumsum_copies", none},
                            {"cumsum_total", order},
                            {"cumsum_subtracts", order}});
}

using Softmax = VectorsTest;

TEST_F(Softmax, HasTheLadderOfItsExponentialsAndItsShift) {
  expect_ladders("softmax",
                 {{"softmax", "keeps shifted_1ulp, row_sum, exceptional; breaks faithful"},
                  {"softmax_2ulp", "keeps shifted_3ulp, unshifted_1ulp, row_sum, exceptional; breaks shifted_1ulp"},
                  {"softmax_unshifted", "keeps unshifted_1ulp; breaks shifted_3ulp, row_sum, exceptional"},
                  {"softmax_extended", "keeps correctly_rounded, exceptional"},
                  {"softmax_drops_nan", "keeps shifted_1ulp, row_sum; breaks faithful, exceptional"}});
}

TEST_F(Softmax, ThatIsWrongKeepsNoBound) {
  const std::string none = "keeps none; breaks shifted_3ulp, unshifted_1ulp, row_sum, exceptional";
  expect_ladders("softmax",
                 {{"softmax_uniform", "keeps row_sum; breaks shifted_3ulp, unshifted_1ulp, exceptional"},
                  {"softmax_zeros", none},
                  {"softmax_first_row", none},
                  {"softmax_without_sum", none}});
}

using LogSoftmax = VectorsTest;

TEST_F(LogSoftmax, HasTheLadderOfItsForm) {
  expect_ladders("log_softmax",
                 {{"log_softmax", "keeps shifted_1ulp, exceptional; breaks faithful"},
                  {"log_softmax_of_sum", "keeps of_sum_1ulp, exceptional; breaks shifted_3ulp"},
                  {"log_softmax_unshifted", "keeps unshifted_1ulp; breaks shifted_3ulp, of_sum_1ulp, exceptional"},
                  {"log_softmax_of_quotient", "keeps unshifted_1ulp, exceptional; breaks shifted_3ulp, of_sum_1ulp"},
                  {"log_softmax_shifts_alone", "keeps none; breaks shifted_3ulp, unshifted_1ulp, exceptional"}});
}

}  // namespace
}  // namespace assay::testing_program
