#ifndef ASSAY_SUBJECT_H
#define ASSAY_SUBJECT_H
/* A kernel in a shared library, for `assay check --subject ./libmine.so`: the library exports assay_subject_v1(), which
 * returns a table of functions. C99 or C++. The table and all that it points to stay with the library; arrays stay with
 * the caller. docs/subjects.md has the rules, examples/subject_table an example. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tensors are those of DLPack 1 (https://dmlc.github.io/dlpack). A file that also needs dlpack/dlpack.h includes it
 * before this one. */
#ifndef DLPACK_DLPACK_H_
enum { kDLCPU = 1, kDLCUDA = 2 };
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLFloat8_e4m3fn = 10, kDLFloat8_e5m2 = 12 };
typedef struct {
  int32_t device_type; /* kDLCPU or kDLCUDA */
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code; /* kDLInt, kDLFloat, … */
  uint8_t bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides; /* in elements */
  uint64_t byte_offset;
} DLTensor;
#endif

#define ASSAY_SUBJECT_ABI_VERSION 1

/* Where a kernel can run. */
#define ASSAY_ON_HOST 1u
#define ASSAY_ON_CUDA 2u

/* An operation that the table computes and the format of its numbers: "dot" in "f64". `assay contracts` lists both. */
typedef struct assay_kernel {
  const char* operation;
  const char* format;
} assay_kernel;

/* An argument of a case. A list has one dimension and is where the kernel runs. Its values are numbers of the format,
 * or integers (kDLInt, 64 bits) as the indices of spmv. A single number or integer has no dimension and is on the host.
 * Not to be written to. */
typedef struct assay_argument {
  const char* name;
  DLTensor tensor;
} assay_argument;

/* A case: the operation, and the arguments by the names in `assay contracts` and docs/pipe.md. */
typedef struct assay_args {
  const char* operation;
  const char* format;
  const assay_argument* arguments;
  size_t argument_count;
} assay_args;

/* The functions return 0, or a status that is an error. No C++ exception leaves them. Those that are optional may be
 * null. `self` is what `open` made, or null. */
typedef struct assay_subject_table {
  uint32_t abi_version; /* ASSAY_SUBJECT_ABI_VERSION */
  uint32_t struct_size; /* sizeof(assay_subject_table) */
  const char* name;     /* of the library, and its version */
  const char* version;
  const assay_kernel* kernels;
  size_t kernel_count;
  uint32_t devices; /* ASSAY_ON_HOST, ASSAY_ON_CUDA or both */

  /* Computes n cases, all of one operation and format. The result of case i goes to out[i]: one dimension, where the
   * kernel runs, filled with bytes 0xFF before. A case of quantize comes alone, and has its codes in out[0], its scales
   * in out[1], and the second numbers of a format that has them in out[2]. On a device the work may still run on
   * `stream` (a cudaStream_t) at the return; the caller waits for it. */
  int (*run)(void* self, const assay_args* cases, DLTensor* out, size_t n, void* stream);

  /* Optional. Before all others, once in a process: prepares for ASSAY_ON_HOST or ASSAY_ON_CUDA. */
  int (*open)(void** self, uint32_t device);
  /* Optional. Undoes `open`. Not called where a process just ends, as those that run cases do. */
  void (*close)(void* self);
  /* Optional. Before each `run`: forgets earlier calls, for a kernel whose results would depend on them. */
  int (*reset)(void* self);
  /* Optional. A line about a status that a function of the table returned, or null. */
  const char* (*error_text)(void* self, int status);
  /* Optional. What changes the numbers, as lines "key=value": recorded with each run. May be null. */
  const char* (*knobs)(void* self);
} assay_subject_table;

/* What the library exports. */
__attribute__((visibility("default"))) const assay_subject_table* assay_subject_v1(void);

/* The argument of that name, or null. */
static inline const DLTensor* assay_find(const assay_args* args, const char* name) {
  size_t i;
  for (i = 0; i < args->argument_count; ++i) {
    if (strcmp(args->arguments[i].name, name) == 0) return &args->arguments[i].tensor;
  }
  return NULL;
}
/* The numbers of an argument; its count; the value of an integer. Requires: the operation has it (not checked). */
static inline const void* assay_data(const assay_args* args, const char* name) { return assay_find(args, name)->data; }
static inline int64_t assay_length(const assay_args* args, const char* name) {
  return assay_find(args, name)->shape[0];
}
static inline int64_t assay_integer(const assay_args* args, const char* name) {
  return *(const int64_t*)assay_data(args, name);
}

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_SUBJECT_H */
