// Matrices in files of the Matrix Market: what is read, and what the program answers about kernels that get them.
#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/store/case_file.hpp"
#include "assay/store/matrix_market.hpp"
#include "tests/assay/program.hpp"

namespace assay::testing_program {
namespace {

using store::MatrixFile;

constexpr const char* hilbert =
    "%%MatrixMarket matrix array real general\n% 1/(i + j - 1)\n3 3\n1\n0.5\n0.3333333333333333\n.5\n"
    "0.3333333333333333\n2.5e-1\n0.3333333333333333\n0.25\n+0.2\n";
constexpr const char* frank = "%%MatrixMarket Matrix Array Integer General\n3 3\n3\n2\n0\n2\n2\n1\n1\n1\n1\n";
constexpr const char* wilkinson =
    "%%MatrixMarket matrix coordinate real symmetric\n5 5 8\n1 1 2\n2 2 1\n4 4 1\n5 5 2\n2 1 1\n3 2 1\n4 3 1\n5 4 1\n";
constexpr const char* sparse =
    "%%MatrixMarket matrix coordinate real general\n\n4 4 5\n1 2 1\n2 1 1\n3 3 -4e2\n4 3 1\n"
    "4 4 0.125\n\n% the end\n";
constexpr const char* symmetric = "%%MatrixMarket matrix array real symmetric\n3 3\n4\n1\n-1\n5\n2\n6\n";

class MatrixFiles : public ProgramTest {
 protected:
  /// The numbers of the file, row by row.
  std::vector<double> numbers(const std::string& text) const {
    const MatrixFile matrix = store::read_matrix_market(file_with("a.mtx", text), oracle::binary64);
    std::vector<double> all(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (const MatrixFile::Entry& each : matrix.entries) {
      all[static_cast<std::size_t>(each.row * matrix.columns + each.column)] = std::bit_cast<double>(each.bits);
    }
    return all;
  }
  /// What the reader says against the file, without its path.
  template <class Error>
  std::string fault(const std::string& text) const {
    const std::string path = file_with("a.mtx", text);
    try {
      store::read_matrix_market(path, oracle::binary64);
    } catch (const Error& error) {
      return std::string(error.what()).substr(path.size());
    }
    return "read";
  }
  Ended assay(const std::string& arguments) const {
    return shell("env -u ASSAY_CORPUS " + beside("assay") + " " + arguments);
  }
  /// A check of a function on these files, written by the test.
  Ended checked(const std::string& operation, const std::string& symbol, const std::vector<const char*>& texts,
                const std::string& rest = "", const std::string& library = ASSAY_LIBRARY_OF_FACTORS) const {
    std::string arguments = "check --operation " + operation + " --subject " + beside(library) + " --symbol " + symbol +
                            " --on host --out " + in("run") + " " + rest;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      arguments += " --case " + file_with("m" + std::to_string(i) + ".mtx", texts[i]);
    }
    return assay(arguments);
  }
};

TEST_F(MatrixFiles, OfBothLayoutsAndSymmetriesAreReadWithRoundedNumbers) {
  EXPECT_EQ(numbers(hilbert), (std::vector<double>{1, 0.5, 1 / 3., 0.5, 1 / 3., 0.25, 1 / 3., 0.25, 0.2}));
  EXPECT_EQ(numbers(frank), (std::vector<double>{3, 2, 1, 2, 2, 1, 0, 1, 1}));
  EXPECT_EQ(numbers(wilkinson),
            (std::vector<double>{2, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 2}));
  EXPECT_EQ(numbers(sparse), (std::vector<double>{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, -400, 0, 0, 0, 1, 0.125}));
  EXPECT_EQ(numbers(symmetric), (std::vector<double>{4, 1, -1, 1, 5, 2, -1, 2, 6}));
  const MatrixFile narrow = store::read_matrix_market(file_with("b.mtx", hilbert), oracle::binary32);
  EXPECT_EQ(narrow.entries[2].bits, std::bit_cast<std::uint32_t>(1 / 3.F));
}

TEST_F(MatrixFiles, ThatAreDamagedAreRefusedWithTheLine) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  const std::string banner =
      ": line 1: not the banner %%MatrixMarket matrix coordinate|array real|integer "
      "general|symmetric";
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"", banner},
           {"%MatrixMarket matrix array real general\n1 1\n1\n", banner},
           {"%%MatrixMarket matrix array real\n1 1\n1\n", banner},
           {"%%MatrixMarket matrix dense real general\n1 1\n1\n", ": line 1: no word of a banner: dense"},
           {head, ": line 1: a size line has rows, columns and the number of entries"},
           {head + "2 2\n1 1 1\n", ": line 2: a size line has rows, columns and the number of entries"},
           {head + "2 -2 1\n1 1 1\n", ": line 2: the number of columns is not an integer from 0 on: -2"},
           {head + "2 2 5\n", ": line 2: 5 entries, but only 4 places"},
           {head + "% two\n2 2 2\n1 1 1\n", ": line 4: the file ends after 1 of 2 entries"},
           {head + "2 2 1\n1 1 1\n2 2 1\n", ": line 4: more than the 1 entries of its size line"},
           {head + "2 2 2\n1 1 1\n3 1 1\n", ": line 4: entry (3, 1) is outside the 2 × 2 matrix"},
           {head + "2 2 2\n1 1 1\n1 0 1\n", ": line 4: entry (1, 0) is outside the 2 × 2 matrix"},
           {head + "2 2 2\n1 1 1\n1 1 2\n", ": entry (1, 1) is there twice"},
           {head + "2 2 1\n1 1 one\n", ": line 3: not a number: one"},
           {head + "2 2 1\n1 1 1.5x\n", ": line 3: not a number: 1.5x"},
           {head + "2 2 1\n1 1 nan\n", ": line 3: not a number: nan"},
           {head + "2 2 1\n1 1 1e400\n", ": line 3: outside the range of the format: 1e400"},
           {head + "2 2 1\n1 1.5 1\n", ": line 3: the column is not an integer from 0 on: 1.5"},
           {head + "2 2 1\n1 1\n", ": line 3: row, column and number is due, not: 1 …"},
           {"%%MatrixMarket matrix array real general\n1 2\n1 2\n", ": line 3: one number is due, not: 1 …"},
           {"%%MatrixMarket matrix array real symmetric\n1 2\n1\n2\n", ": line 2: a symmetric matrix is square"},
           {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
            ": line 3: a symmetric matrix lists its lower triangle alone"}}) {
    EXPECT_EQ(fault<store::DamagedFile>(text), what);
  }
}

TEST_F(MatrixFiles, OfOtherKindsAndSizesAreRefusedWithWhatIsAccepted) {
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
            ": line 1: pattern is not taken; accepted: real or double or integer"},
           {"%%MatrixMarket matrix array complex general\n1 1\n1 0\n",
            ": line 1: complex is not taken; accepted: real or double or integer"},
           {"%%MatrixMarket matrix array real skew-symmetric\n1 1\n",
            ": line 1: skew-symmetric is not taken; accepted: general or symmetric"},
           {"%%MatrixMarket matrix coordinate real general\n1025 1000000000000 1\n1 1 1\n",
            ": line 2: 1025 × 1000000000000 is too large; accepted: up to 1024 rows and columns"}}) {
    EXPECT_EQ(fault<store::OtherMatrix>(text), what);
  }
  EXPECT_THROW(store::read_matrix_market(file_with("a.mtx", frank), oracle::binary16), store::OtherMatrix);
}

TEST_F(MatrixFiles, AreCasesOfASolverWhichGetsARightSide) {
  const Ended ended = checked("gesv", "gesv", {hilbert, frank, wilkinson, sparse, symmetric}, "--contract backward");
  EXPECT_THAT(ended, Ends(0));
  for (const char* const name : {"m0", "m1", "m2", "m3", "m4"}) {
    EXPECT_THAT(ended.out, ContainsRegex(std::string(name) + "\\.mtx: subject\\.gesv on host keeps backward"));
  }
}

TEST_F(MatrixFiles, ThatABrokenContractMeetsAreSavedAndReplayed) {
  const Ended ended = checked("gesv", "gesv_without_pivots", {sparse}, "--contract backward");
  EXPECT_THAT(ended, Ends(1, Out(HasSubstr("breaks backward"))));
  // b is A·(1, 1, 1, 1).
  EXPECT_THAT(
      replay_of(ended),
      Ends(1, Out(AllOf(HasSubstr("backward: broken"), HasSubstr("b[2] = -0x1.9p+8"), HasSubstr("b[3] = 0x1.2p+0")))));
  EXPECT_THAT(checked("gesv", "gesv_without_pivots", {sparse}), Ends(0, Out(HasSubstr("breaks backward"))));
}

TEST_F(MatrixFiles, AreCasesOfFactorizations) {
  EXPECT_THAT(checked("syev", "syev", {wilkinson}, "--contract values"), Ends(0, Out(HasSubstr("keeps values"))));
  EXPECT_THAT(checked("spmv", "spmv", {sparse}, "", ASSAY_LIBRARY_OF_VECTORS), Ends(0, Out(HasSubstr("keeps "))));
  EXPECT_THAT(checked("spmv", "spmv_without_last", {sparse}, "", ASSAY_LIBRARY_OF_VECTORS),
              Ends(0, Out(HasSubstr("breaks "))));
  EXPECT_THAT(checked("potrf", "potrf_goes_on", {wilkinson}, "--contract status"), Ends(1));
}

TEST_F(MatrixFiles, AreRefusedInOneLine) {
  const std::string wide = "%%MatrixMarket matrix array real general\n1 2\n1\n2\n";
  for (const auto& [ended, code, line] : std::vector<std::tuple<Ended, int, std::string>>{
           {checked("gesv", "gesv", {"%%MatrixMarket matrix array real general\n1 1\n"}), 5,
            "m0.mtx: line 2: the file ends after 0 of 1 entries\n"},
           {checked("gesv", "gesv", {wide.c_str()}), 2, "m0.mtx: 1 × 2, but gesv takes square matrices\n"},
           {checked("gels", "gels", {wide.c_str()}), 2, "m0.mtx: the case is outside the domain of subject.gels"},
           {checked("getrs", "getrs", {frank}), 2,
            "--case: a matrix is no case of getrs; accepted: gels, geqrf, gesv, getrf, inv, posv, potrf, spmv, syev\n"},
           {checked("gesv", "gesv", {frank}, "--cases 5"), 2, "--cases: not with --case, whose files are the cases\n"},
           {assay("check --case a.mtx"), 2, "--case: needs --subject\n"}}) {
    EXPECT_THAT(ended, Ends(code, Err(HasSubstr(line))));
    EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
  }
}

}  // namespace
}  // namespace assay::testing_program
