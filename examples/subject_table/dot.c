/* A library that tells Assay by itself what it computes: dot products in two formats.
 *   cc -shared -fPIC -I<prefix>/include/assay dot.c -o libdot.so && assay check --subject ./libdot.so */
#include "assay/subject.h"

static void dot_f64(const assay_args* args, double* result) {
  const double* x = (const double*)assay_data(args, "x");
  const double* y = (const double*)assay_data(args, "y");
  int64_t i;
  for (*result = 0, i = 0; i < assay_length(args, "x"); ++i) *result += x[i] * y[i];
}
static void dot_f32(const assay_args* args, float* result) {
  const float* x = (const float*)assay_data(args, "x");
  const float* y = (const float*)assay_data(args, "y");
  int64_t i;
  for (*result = 0, i = 0; i < assay_length(args, "x"); ++i) *result += x[i] * y[i];
}
static int run(void* self, const assay_args* cases, DLTensor* out, size_t n, void* stream) {
  size_t i;
  for (i = 0; i < n; ++i) {
    if (out[i].dtype.bits == 64) dot_f64(&cases[i], (double*)out[i].data);
    if (out[i].dtype.bits == 32) dot_f32(&cases[i], (float*)out[i].data);
  }
  (void)self, (void)stream;
  return 0;
}
static const char* knobs(void* self) { return (void)self, "order=ascending\n"; }

const assay_subject_table* assay_subject_v1(void) {
  static const assay_kernel kernels[] = {{"dot", "f64"}, {"dot", "f32"}};
  static const assay_subject_table table = {ASSAY_SUBJECT_ABI_VERSION, sizeof(assay_subject_table), "recursive dot",
                                            "1.0", kernels, 2, ASSAY_ON_HOST, run, NULL, NULL, NULL, NULL, knobs};
  return &table;
}
