/* A library with a table, in C99, good and bad: TABLE in the environment says in which way. */
#include <stdlib.h>

#include "assay/subject.h"

static int mode_is(const char* mode) {
  const char* const set = getenv("TABLE");
  return set != NULL && strcmp(set, mode) == 0;
}

static double calls;

static double dot(const assay_args* args) {
  const double* const x = (const double*)assay_data(args, "x");
  const double* const y = (const double*)assay_data(args, "y");
  double sum = 0;
  for (int64_t i = 0; i < assay_length(args, "x"); ++i) sum += x[i] * y[i];
  if (mode_is("changes_input") && assay_length(args, "x") != 0) ((double*)assay_data(args, "x"))[0] = 3;
  return mode_is("drifts") || mode_is("resets") ? sum * (1 + calls * 0x1p-52) : sum;
}

static double sum(const assay_args* args) {
  const double* const x = (const double*)assay_data(args, "x");
  double total = 0;
  for (int64_t i = 0; i < assay_length(args, "x"); ++i) total += x[i];
  return total;
}

/* C <- alpha op(A) op(B) + beta C of one product of a batch, column by column. */
static void product(const assay_args* args, int64_t p, double* result) {
  const double* const a = (const double*)assay_data(args, "a") + p * assay_integer(args, "stride_a");
  const double* const b = (const double*)assay_data(args, "b") + p * assay_integer(args, "stride_b");
  const double* const c = (const double*)assay_data(args, "c") + p * assay_integer(args, "stride_c");
  const double alpha = *(const double*)assay_data(args, "alpha");
  const double beta = *(const double*)assay_data(args, "beta");
  const int64_t k = assay_integer(args, "k");
  const int64_t lda = assay_integer(args, "lda"), ldb = assay_integer(args, "ldb"), ldc = assay_integer(args, "ldc");
  const int64_t ta = assay_integer(args, "trans_a"), tb = assay_integer(args, "trans_b");
  for (int64_t j = 0; j < assay_integer(args, "n"); ++j) {
    for (int64_t i = 0; i < assay_integer(args, "m"); ++i) {
      double total = 0;
      for (int64_t l = 0; alpha != 0 && l < k; ++l) {
        total += a[ta != 0 ? l + i * lda : i + l * lda] * b[tb != 0 ? j + l * ldb : l + j * ldb];
      }
      const double old = beta != 0 ? beta * c[i + j * ldc] : 0;
      result[i + j * ldc] = alpha != 0 && k > 0 ? alpha * total + old : old;
    }
  }
}

static void gemm(const assay_args* args, DLTensor* out) {
  const double* const c = (const double*)assay_data(args, "c");
  double* const result = (double*)out->data;
  for (int64_t i = 0; i < out->shape[0]; ++i) result[i] = c[i];
  const int64_t batch = mode_is("first_product") ? 1 : assay_integer(args, "batch");
  for (int64_t p = 0; p < batch && out->shape[0] != 0; ++p)
    product(args, p, result + p * assay_integer(args, "stride_c"));
}
/* y = A x of a matrix in compressed sparse rows. */
static void spmv(const assay_args* args, DLTensor* out) {
  const int64_t* const offsets = (const int64_t*)assay_data(args, "row_offsets");
  const int64_t* const columns = (const int64_t*)assay_data(args, "column_indices");
  const double* const values = (const double*)assay_data(args, "values");
  const double* const x = (const double*)assay_data(args, "x");
  const DLDataType type = assay_find(args, "row_offsets")->dtype;
  for (int64_t r = 0; r < assay_integer(args, "rows"); ++r) {
    double total = 0;
    for (int64_t at = offsets[r]; at < offsets[r + 1]; ++at) total += values[at] * x[columns[at]];
    ((double*)out->data)[r] = type.code == kDLInt && type.bits == 64 ? total : -1;
  }
}

static int run(void* self, const assay_args* cases, DLTensor* out, size_t n, void* stream) {
  (void)stream;
  if (self == NULL || mode_is("unwritten")) return self == NULL ? 9 : 0;
  for (size_t i = 0; i < n; ++i) {
    double* const result = (double*)out[i].data;
    if (strcmp(cases[i].operation, "gemm") == 0) {
      gemm(&cases[i], &out[i]);
      continue;
    }
    if (strcmp(cases[i].operation, "spmv") == 0) {
      spmv(&cases[i], &out[i]);
      continue;
    }
    if (assay_length(&cases[i], "x") == 33 && mode_is("run_fails")) return 7;
    if (assay_length(&cases[i], "x") == 33 && mode_is("run_crashes")) abort();
    calls += 1;
    result[0] = strcmp(cases[i].operation, "dot") == 0 ? dot(&cases[i]) : sum(&cases[i]);
    if (mode_is("writes_behind")) result[1] = 0;
    if (mode_is("writes_in_front")) result[-1] = 0;
  }
  return 0;
}

static int open_table(void** self, uint32_t device) {
  static int opened;
  *self = &opened;
  return mode_is("open_fails") || device != ASSAY_ON_HOST ? 3 : 0;
}
static void close_table(void* self) {
  (void)self;
  if (mode_is("close_crashes")) abort();
}
static int reset(void* self) {
  (void)self;
  if (mode_is("reset_fails")) return 5;
  if (!mode_is("drifts")) calls = 0;
  return 0;
}
static const char* error_text(void* self, int status) {
  (void)self;
  return status == 7 ? "not 33,\nnever 33" : NULL;
}
static const char* knobs(void* self) {
  (void)self;
  return mode_is("other_knobs") ? "order=descending" : "order=ascending\nthreads=1\n";
}

const assay_subject_table* assay_subject_v1(void) {
  static const assay_kernel good[] = {{"dot", "f64"}, {"sum", "f64"}, {"gemm", "f64"}, {"spmv", "f64"}};
  static const assay_kernel unknown[] = {{"dot", "f64"}, {"dott", "f64"}};
  static const assay_kernel format[] = {{"dot", "s8"}};
  static const assay_kernel of_blocks[] = {{"quantize", "f32:int8_row"}, {"quantize", "f32:e4m3"}};
  static const assay_kernel twice[] = {{"dot", "f64"}, {"dot", "f64"}};
  static assay_subject_table table = {ASSAY_SUBJECT_ABI_VERSION,
                                      sizeof table,
                                      "hostile table",
                                      "1.2",
                                      good,
                                      4,
                                      ASSAY_ON_HOST,
                                      run,
                                      open_table,
                                      close_table,
                                      reset,
                                      error_text,
                                      knobs};
  if (mode_is("no_table")) return NULL;
  if (mode_is("version")) table.abi_version = 7;
  if (mode_is("small")) table.struct_size = 24;
  if (mode_is("no_name")) table.name = NULL;
  if (mode_is("no_run")) table.run = NULL;
  if (mode_is("no_kernels")) table.kernel_count = 0;
  if (mode_is("no_device")) table.devices = 4;
  if (mode_is("cuda")) table.devices = ASSAY_ON_CUDA;
  if (mode_is("unknown")) table.kernels = unknown, table.kernel_count = 2;
  if (mode_is("format")) table.kernels = format, table.kernel_count = 1;
  if (mode_is("of_blocks")) table.kernels = of_blocks, table.kernel_count = 2;
  if (mode_is("twice")) table.kernels = twice, table.kernel_count = 2;
  return &table;
}
