// assay-mutants: every row of the mutant catalogue, injected one at a time. Each kernel row is asked within the quick
// tier and its first failing case shrunk; each harness row is a program beside this one that the self-tests must stop.
// Prints a table, or with --json the document that `assay selftest --mutants --json` hands on.
// Exit 0 if every mutant was caught and shrunk below its size, else 3.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/campaign/shrink.hpp"
#include "assay/process/process.hpp"
#include "assay/store/json.hpp"
#include "oracle/decimal.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/accurate_sum_promises.hpp"
#include "tests/mutants/error_free_promises.hpp"
#include "tests/mutants/execution_promises.hpp"
#include "tests/mutants/expansion_promises.hpp"
#include "tests/mutants/gemv_promises.hpp"
#include "tests/mutants/mp_promises.hpp"
#include "tests/mutants/native_pair_promises.hpp"
#include "tests/mutants/product_promises.hpp"
#include "tests/mutants/rns_promises.hpp"
#include "tests/mutants/shrinking_promises.hpp"

namespace assay::mutants {

namespace {

constexpr std::uint64_t shrink_steps = 10000;

std::string printed(const Record& record) {
  std::string text;
  for (const FieldValue& field : record.fields) {
    text += (text.empty() ? "" : ", ") + field.name + " = ";
    if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
      text += std::to_string(*integer);
      continue;
    }
    const auto& words = std::get<Words>(field.value);
    const bool several = words.shape != Words::Shape::scalar;
    text += several ? "(" : "";
    for (std::size_t i = 0; i < words.bits.size(); ++i) {
      text += (i == 0 ? "" : ", ") + oracle::to_hex(words.format, words.bits[i]);
    }
    text += several ? ")" : "";
  }
  return text;
}

/// A kernel row: asked for the quick tier's cases on the host; caught if a claim is violated and its shrunk case has no
/// more than `most_bits` significant bits.
store::Summary::MutantRow kernel_row(std::string id, std::string what, const PropertyModel& property,
                                     std::uint64_t most_bits) {
  store::Summary::MutantRow row;
  row.id = std::move(id);
  row.what = std::move(what);
  const std::unique_ptr<process::Asker> asker = process::ask_in_process(property, "host", 1);
  const Tally tally = property.run(Executor::host(), 1, {0, 1, property.info().quick_cases}, {});
  for (std::size_t claim = 0; claim < tally.claims.size(); ++claim) {
    const std::uint64_t number = tally.claims[claim].first_violated;
    if (number == no_case) {
      continue;
    }
    const Record failing = *property.make(1, number);
    const auto failure = campaign::failure_of(property.judge(Executor::host(), std::vector{failing})[0], claim);
    const campaign::Shrunk shrunk = campaign::shrink_case(property, *asker, failing, failure.value(), shrink_steps);
    row.caught_by = property.info().name + "/" + property.info().claims[claim].id;
    row.cases_to_kill = number + 1;
    row.reproducer = printed(shrunk.record);
    row.significant_bits = complexity(shrunk.record).significant_bits;
    row.caught = row.significant_bits <= most_bits;
    break;
  }
  return row;
}

/// The row of a mistake in a kernel that is right otherwise: not caught where the promise is broken by the right one.
store::Summary::MutantRow right_otherwise(const PropertyModel& right, store::Summary::MutantRow row) {
  if (!kernel_row("", "", right, 0).caught_by.empty()) {
    row.caught = false;
    row.caught_by = "the right kernel breaks " + row.caught_by + ", too";
  }
  return row;
}

store::Summary::MutantRow renormalization_row(std::string id, std::string what, Renormalizing mistake, Seen seen,
                                              std::uint64_t most_bits) {
  return right_otherwise(renormalization_promise(Renormalizing::none, seen),
                         kernel_row(std::move(id), std::move(what), renormalization_promise(mistake, seen), most_bits));
}

/// The rows of mistakes in the GEMV.
void add_gemv_rows(std::vector<store::Summary::MutantRow>& rows) {
  struct Row {
    const char* id;
    const char* what;
    GemvMistake mistake;
    std::uint64_t most_bits;
  };
  static constexpr Row all[] = {
      {"V1", "the leading dimension of A is m", GemvMistake::leading_dimension_m, 16},
      {"V2", "beta is applied twice", GemvMistake::beta_twice, 16},
      {"V3", "with beta = 0, y is multiplied by it", GemvMistake::multiplies_by_zero, 16},
      {"V5", "x is read from its first place for incx < 0", GemvMistake::incx_from_zero, 16},
      {"V6", "for incy < 0 and a transpose, y has m entries", GemvMistake::incy_over_m, 16},
      {"V8", "the terms behind a multiple of 32 are left out", GemvMistake::tail_dropped, 16},
      {"V9", "alpha x is not rounded", GemvMistake::unrounded_scaled_x, 100},
      {"V9 sum", "a (alpha x) is not rounded before it is added", GemvMistake::unrounded_products, 100},
      {"V12", "gaps of y are written", GemvMistake::gaps_written, 16},
      {"V14", "partial sums are rounded to double", GemvMistake::partial_sums_in_double, 130},
      {"V15", "an addition drops an operand one exponent too early", GemvMistake::drops_too_early, 500},
  };
  const bool right = kernel_row("", "", gemv_promise(GemvMistake::none), 0).caught_by.empty();
  for (const Row& each : all) {
    rows.push_back(kernel_row(each.id, each.what, gemv_promise(each.mistake), each.most_bits));
    rows.back().caught = rows.back().caught && right;
  }
}

/// The rows of mistakes in products of matrices: the classes `exposing` have to catch the mistake.
void add_product_rows(std::vector<store::Summary::MutantRow>& rows) {
  struct Row {
    const char* id;
    const char* what;
    SliceMistake mistake;
    std::vector<std::string> exposing;
    std::uint64_t most_bits;
  };
  const std::string one_sign = "one sign, [1/2, 1)";
  const Row all[] = {
      {"O1", "the width of slices rounded to the wrong side", SliceMistake::width_rounded_down, {one_sign}, 120},
      {"O3", "the width of slices without log2 k", SliceMistake::width_without_log, {one_sign}, 80},
      {"O5", "the exponent of the largest number rounded down", SliceMistake::top_rounded_down, {one_sign}, 80},
      {"O8",
       "the scales of rows used for columns",
       SliceMistake::row_scales_of_columns,
       {"scaled rows and columns"},
       8},
      {"O9",
       "the largest number, not the largest magnitude",
       SliceMistake::signed_maximum,
       {"largest magnitudes negative"},
       80},
      {"O10", "the last level of slice products left out", SliceMistake::last_level_dropped, {one_sign}, 8},
      {"O13", "subnormal numbers with an implicit bit", SliceMistake::implicit_bit, {"subnormal blocks"}, 8},
      {"O15", "a line of zeros scaled by log2 0", SliceMistake::log_of_zero, {"zero rows and columns"}, 8},
  };
  const bool right = kernel_row("", "", slice_promise(SliceMistake::none, {}), 0).caught_by.empty();
  for (const Row& each : all) {
    rows.push_back(kernel_row(each.id, each.what, slice_promise(each.mistake, each.exposing), each.most_bits));
    rows.back().caught = rows.back().caught && right;
  }
  rows.push_back(right_otherwise(
      residue_promise(true), kernel_row("O4", "the moduli have no room above the bound", residue_promise(false), 8)));
  rows.push_back(right_otherwise(
      int8_promise(false), kernel_row("O11", "7 bits a slice for every k, sums in 32 bits", int8_promise(true), 0)));
  rows.push_back(right_otherwise(batch_promise(false),
                                 kernel_row("O17", "the stride of A ignored in a batch", batch_promise(true), 8)));
}

/// The rows of mistakes in NearSum.
void add_sum_rows(std::vector<store::Summary::MutantRow>& rows) {
  struct Row {
    const char* id;
    const char* what;
    NearSumMistake mistake;
    std::uint64_t most_bits;
  };
  static constexpr Row all[] = {
      {"S1", "the faithful sum is the result", NearSumMistake::faithful, 106},
      {"S2", "a tie of what is left keeps the faithful sum", NearSumMistake::tie_keeps, 106},
      {"S3", "a tie of what is left changes the faithful sum", NearSumMistake::tie_changes, 2},
      {"S6", "sigma is half as large", NearSumMistake::half_sigma, 265},
      {"S8", "sigma is from the floor of the logarithm", NearSumMistake::floor_of_logarithm, 265},
      {"S12", "extraction does not end in the range of underflow", NearSumMistake::no_underflow_stop, 53},
      {"S13 away", "ties go to the larger magnitude", NearSumMistake::ties_away, 2},
      {"S13 odd", "ties go to the odd neighbour", NearSumMistake::ties_to_odd, 2},
      {"S14", "half an ulp is the same on both sides of a power of two", NearSumMistake::one_half_ulp, 106},
  };
  const bool right = kernel_row("", "", near_sum_promise(NearSumMistake::none), 0).caught_by.empty();
  for (const Row& each : all) {
    rows.push_back(kernel_row(each.id, each.what, near_sum_promise(each.mistake), each.most_bits));
    rows.back().caught = rows.back().caught && right;
  }
}

/// Rows whose failing cases are large: only steps that change several terms at a time make them small.
void add_large_case_rows(std::vector<store::Summary::MutantRow>& rows) {
  const auto called = [&](std::string id, std::string what, CalledWith mistake) {
    rows.push_back(right_otherwise(called_gemv_promise(CalledWith::right),
                                   kernel_row(std::move(id), std::move(what), called_gemv_promise(mistake), 40)));
  };
  called("V1 called", "a GEMV is called with m for lda", CalledWith::leading_dimension_m);
  called("V5 called", "a GEMV is called with 1 for incx", CalledWith::stride_of_x_1);
  rows.push_back(right_otherwise(
      compensated_sum_promise(false),
      kernel_row("S16", "a compensated sum of FastTwoSums in any order", compensated_sum_promise(true), 110)));
  rows.push_back(kernel_row("S17", "std::accumulate in binary32 claimed at one ulp", accumulate_promise(), 5));
  rows.push_back(kernel_row("S18", "Horner's rule claimed at one ulp", polynomial_promise(), 60));
}

/// A mistake that a device makes in its own way, asked there for the quick tier's cases. Its failing cases need not
/// fail again, so that they are not shrunk: the same mistake on the host is.
store::Summary::MutantRow device_row(std::string id, std::string what, const PropertyModel& right,
                                     const PropertyModel& wrong) {
  const auto first_violated = [](const PropertyModel& property) {
    const Tally tally = property.run(Executor::cuda(), 1, {0, 1, property.info().quick_cases}, {});
    const auto violated = [](const ClaimTally& each) { return each.first_violated != no_case; };
    const auto at = std::find_if(tally.claims.begin(), tally.claims.end(), violated);
    return std::pair(static_cast<std::size_t>(at - tally.claims.begin()),
                     at == tally.claims.end() ? no_case : at->first_violated);
  };
  store::Summary::MutantRow row;
  row.id = std::move(id);
  row.what = std::move(what);
  const auto [claim, number] = first_violated(wrong);
  if (number == no_case) return row;
  row.caught_by = wrong.info().name + "/" + wrong.info().claims[claim].id;
  row.cases_to_kill = number + 1;
  row.caught = first_violated(right).second == no_case;
  return row;
}

/// The rows of mistakes in how threads, blocks and launches work together.
void add_execution_rows(std::vector<store::Summary::MutantRow>& rows) {
  const auto in_block = [&](std::string id, std::string what, BlockSumMistake mistake) {
    rows.push_back(right_otherwise(block_sum_promise(BlockSumMistake::none),
                                   kernel_row(std::move(id), std::move(what), block_sum_promise(mistake), 1)));
  };
  const char* const second_dimension = "rows are a grid's second dimension, launch unchecked";
  const char* const atomic = "blocks add to one sum as they come";
  in_block("G1", "no barrier between writing and reading shared memory", BlockSumMistake::barrier_removed);
  in_block("G3", "lanes without an element take part in a tree", BlockSumMistake::garbage_lanes);
  in_block("G5", "threads without an element do not come to a barrier", BlockSumMistake::barrier_in_branch);
  rows.push_back(right_otherwise(rows_promise(false), kernel_row("G8", second_dimension, rows_promise(true), 0)));
  rows.push_back(right_otherwise(grid_sum_promise(false), kernel_row("G9", atomic, grid_sum_promise(true), 16)));
  rows.push_back(right_otherwise(
      shared_accumulator_promise(false),
      kernel_row("G11", "threads add to a superaccumulator all at once", shared_accumulator_promise(true), 16)));
  in_block("G10", "a sum in shared memory has no first value", BlockSumMistake::uninitialised);
  if (Executor::cuda_device_count() == 0) return;
  rows.push_back(device_row("G8 device", second_dimension, rows_promise(false), rows_promise(true)));
  rows.push_back(device_row("G9 device", atomic, grid_sum_promise(false), grid_sum_promise(true)));
}

/// Rows of arithmetic in residues: the class `exposing` alone has to catch the mistake, the right kernel is asked all.
template <class Row>
store::Summary::MutantRow evaluation_row(std::string id, std::string what, Bounds seen, const std::string& exposing,
                                         std::uint64_t most_bits) {
  return right_otherwise(
      evaluation_promise<Right>(seen, ""),
      kernel_row(std::move(id), std::move(what), evaluation_promise<Row>(seen, exposing), most_bits));
}
template <class Right, class Wrong>
store::Summary::MutantRow residue_row(std::string id, std::string what, const std::string& exposing) {
  return right_otherwise(residue_product_promise<Right>(""),
                         kernel_row(std::move(id), std::move(what), residue_product_promise<Wrong>(exposing), 54));
}

/// A harness row: the program beside this one says what noticed the mistake.
store::Summary::MutantRow harness_row(std::string id, std::string what, const std::filesystem::path& folder) {
  store::Summary::MutantRow row;
  std::string program = "assay-mutant-" + id;
  for (char& c : program) {
    c = c == 'H' ? 'h' : c;
  }
  row.id = std::move(id);
  row.what = std::move(what);
  program = (folder / program).string();
  const auto finished = process::run_to_end({program, {program}});
  if (finished) {
    const std::string first_line = finished->out.substr(0, finished->out.find('\n'));
    row.caught_by = finished->out.empty() ? "" : "self-test: " + first_line;
    row.caught = finished->code == 0 && !row.caught_by.empty();
  }
  return row;
}

std::vector<store::Summary::MutantRow> all_rows(const std::filesystem::path& folder) {
  std::vector<store::Summary::MutantRow> rows{
      kernel_row("E1", "TwoSum is FastTwoSum without a swap", two_sum_promise<UnorderedFastTwoSum>(), 4),
      kernel_row("E2", "the swap of FastTwoSum compares values, not magnitudes", two_sum_promise<SwapBySignedValue>(),
                 4),
      kernel_row("E3", "TwoSum without the last term of its error", two_sum_promise<DroppedLastTerm>(), 4),
      kernel_row("E4", "TwoSum reassociated: no error term", two_sum_promise<ReassociatedTwoSum>(), 4),
      kernel_row("E5", "a product contracted into the sum of TwoSum", sum_of_product_promise(), 64),
      kernel_row("E6", "Veltkamp's split contracted", split_promise(), 53),
      kernel_row("E7", "TwoProd without FMA", product_promise<ProductWithoutFma>(-960), 56),
      kernel_row("E8", "the split constant is 2^26 + 1", product_promise<SplitOneBitShort>(-960), 106),
      kernel_row("E11", "TwoProd claimed where its error underflows", product_promise<TwoProdAnywhere>(-1020), 60),
      kernel_row("E11 Dekker", "Dekker's product claimed where its error underflows",
                 product_promise<DekkerProdAnywhere>(-1020), 60),
      kernel_row("P1", "the split constant of binary32 is 2^11 + 1", native_product_promise<PairSplitOneBitShort>(),
                 48),
      kernel_row("P2 11 bits", "the mask of binary32 clears 11 bits", native_product_promise<PairMaskOf<11>>(), 48),
      kernel_row("P2 13 bits", "the mask of binary32 clears 13 bits", native_product_promise<PairMaskOf<13>>(), 48),
      kernel_row("P3", "the product of the low halves is dropped",
                 pair_product_promise<PairDroppedLowProduct>(pair_mul_split_1), 48),
      kernel_row("P4", "the high product contracted into its normalisation",
                 pair_product_promise<PairContractedProduct>(pair_mul_fma_1), 72),
      kernel_row("P5", "Veltkamp's split in binary32 contracted", native_product_promise<PairContractedSplit>(), 48),
      renormalization_row("R1", "renormalization ends after VecSum", Renormalizing::without_branch, Seen::words, 4),
      renormalization_row("R2", "VecSumErrBranch without its test for zero", Renormalizing::without_zero_test,
                          Seen::either, 8),
      renormalization_row("R3", "VecSumErrBranch without its last TwoSum", Renormalizing::without_last_sum, Seen::error,
                          4),
      renormalization_row("R4", "VecSum from the first word to the last", Renormalizing::top_down, Seen::either, 160),
      renormalization_row("R5", "VecSum of FastTwoSums", Renormalizing::fast_two_sums, Seen::error, 110),
      renormalization_row("R6", "one pass of VecSumErr fewer", Renormalizing::one_pass_fewer, Seen::words, 160),
      renormalization_row("R7", "the last word truncated, not rounded", Renormalizing::truncated_last_word, Seen::error,
                          60),
      right_otherwise(
          multiplication_promise(false),
          kernel_row("R9", "a product without the diagonals from i + j = m - 1 on", multiplication_promise(true), 8)),
      evaluation_row<NearestUpperSum>("N2", "the upper sum is rounded to nearest", Bounds::containment, "every length",
                                      214),
      evaluation_row<NearestUpper>("N3", "the upper bound is rounded to nearest throughout", Bounds::containment, "",
                                   8),
      evaluation_row<NeverAmbiguous>("N6", "bounds with an integer between them are not told apart",
                                     Bounds::containment, "near M", 214),
      evaluation_row<NeverRefines>("N7", "a small X is not scaled up", Bounds::width, "every length", 8),
      evaluation_row<ExponentOffByOne>("N8", "the exponent of a scaled X is off by one", Bounds::containment,
                                       "every length", 8),
      residue_row<FloatingReduction<true>, FloatingReduction<false>>(
          "N10", "a quotient in binary64 is not corrected by 1", "products 0, ±1 modulo each modulus"),
      residue_row<BarrettReduction<0>, BarrettReduction<1>>("N11", "the shift of Barrett's reduction is too small by 1",
                                                            "residues near the moduli"),
      right_otherwise(comparison_promise<Right>(""),
                      kernel_row("N15", "overlapping intervals are equal numbers",
                                 comparison_promise<OverlappingAreEqual>("X and X, X ± 1, X ± 2^j"), 214)),
      right_otherwise(mp_products_promise(true),
                      kernel_row("V9 scalar", "the product by a scalar is not rounded before the next operation",
                                 mp_products_promise(false), 8)),
      right_otherwise(
          mp_sum_promise(false),
          kernel_row("V15 scalar", "alignment drops an operand where the other reaches M/4", mp_sum_promise(true), 8)),
      harness_row("H1", "the reference is rounded before the comparison in ulps", folder),
      harness_row("H2", "a NaN passes the comparison with a bound", folder),
      harness_row("H3", "only the first component is compared", folder),
      harness_row("H4", "bits are compared by value", folder),
      harness_row("H5", "the generator draws all ones", folder),
      harness_row("H6", "a case is made again from another stream", folder),
      harness_row("H7", "a subject out of memory counts as run", folder),
      harness_row("H8", "the oracle computes with the subject's code", folder),
      harness_row("H9", "MPFR rounds subnormals with its own exponent range", folder),
      harness_row("H10", "the floating-point environment is not restored", folder),
  };
  add_gemv_rows(rows);
  add_product_rows(rows);
  add_sum_rows(rows);
  add_large_case_rows(rows);
  add_execution_rows(rows);
  return rows;
}

int run(bool json) {
  const std::vector<store::Summary::MutantRow> rows =
      all_rows(std::filesystem::read_symlink("/proc/self/exe").parent_path());
  store::Json table = store::Json::array();
  bool all_caught = true;
  for (const store::Summary::MutantRow& row : rows) {
    all_caught = all_caught && row.caught;
    table.push_back(store::mutant_to_json(row));
    if (!json) {
      fmt::print("{:<11}{:<9}{:<58}{}\n", row.id, row.caught ? "caught" : "SURVIVED", row.what, row.caught_by);
      if (!row.reproducer.empty()) {
        fmt::print("           after {} cases; {} bits: {}\n", row.cases_to_kill, row.significant_bits, row.reproducer);
      }
    }
  }
  if (json) {
    fmt::print("{}", store::pretty(store::Json{{"schema", store::schema_number}, {"mutants", std::move(table)}}));
  }
  return all_caught ? 0 : 3;
}

}  // namespace

}  // namespace assay::mutants

int main(int argc, char** argv) { return assay::mutants::run(argc == 2 && std::string(argv[1]) == "--json"); }
