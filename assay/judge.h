/* The judge of Assay as a C library: cases, exact truths, verdicts. C99. Link libassay_judge.so.

   Versions: ASSAY_JUDGE_ABI counts changes that break callers. Every struct begins with struct_size, which the caller
   sets to sizeof of the struct that it was compiled with: members are only ever added at the end, and the library reads
   and writes no others than the caller has.

   Errors: a function returns ASSAY_OK or another status, and then assay_last_error() says why in one line. No C++
   exception leaves the library.

   Threads: several threads may each use judges of their own. One judge, with its cases and reports, belongs to one
   thread at a time. The last error belongs to the thread.

   Texts are UTF-8, end with a zero, and belong to the object that gave them: a judge, a case, a report. Those
   of operations and contracts live as long as the library. */
#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

#include <stddef.h>
#include <stdint.h>

#if defined(ASSAY_JUDGE_BUILD)
#define ASSAY_JUDGE_API __attribute__((visibility("default")))
#else
#define ASSAY_JUDGE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_JUDGE_ABI 1

typedef int32_t assay_status;
enum {
  ASSAY_OK = 0,
  ASSAY_INVALID = 1, /* an argument is wrong: an unknown name, a shape or type that does not fit */
  ASSAY_OUTSIDE = 2, /* the inputs lie outside the domain of the operation */
  ASSAY_NO_MEMORY = 3,
  ASSAY_NOT_WRITTEN = 4,    /* a file could not be written */
  ASSAY_DAMAGED = 5,        /* a file could not be read, or is damaged */
  ASSAY_SUBJECT_FAILED = 6, /* the kernel gave no answer */
  ASSAY_INTERNAL = 7,       /* a failure of Assay */
  ASSAY_NO_DEVICE = 8       /* nothing can be judged on a device here */
};

/* The version of the interface that the library has: callers compare it with ASSAY_JUDGE_ABI. */
ASSAY_JUDGE_API uint32_t assay_judge_abi(void);
/* The version of Assay, "0.1.0". */
ASSAY_JUDGE_API const char* assay_judge_version(void);
/* Why the last function of this thread that failed did so. */
ASSAY_JUDGE_API const char* assay_last_error(void);

/* ---------------------------------------------------------------------------------------------------------- arrays */

/* Codes of number types, as in DLPack. */
enum { ASSAY_INT = 0, ASSAY_FLOAT = 2, ASSAY_BFLOAT = 4, ASSAY_E4M3FN = 10, ASSAY_E5M2 = 12 };

/* An array of any layout, or a single number (ndim 0). strides count elements and may be NULL for the layout of C. */
typedef struct assay_tensor {
  size_t struct_size;
  const char* name; /* of the argument; the library ignores it in arrays of the caller */
  void* data;       /* of entry (0, …, 0) */
  int32_t ndim;
  uint8_t code; /* ASSAY_FLOAT, … */
  uint8_t bits;
  uint16_t lanes; /* 1 */
  const int64_t* shape;
  const int64_t* strides;
} assay_tensor;

/* ---------------------------------------------------------------------------------------- operations and contracts */

typedef struct assay_operation_info {
  size_t struct_size;
  const char* name;     /* "dot" */
  const char* computes; /* "Σ xᵢyᵢ of two vectors of n numbers" */
  const char* accepts;  /* the domain in words, of the first format */
  size_t formats;
  size_t contracts;
} assay_operation_info;

typedef struct assay_contract_info {
  size_t struct_size;
  const char* id;         /* "any_order" */
  const char* theorem;    /* "dot.tree.1", a theorem of docs/bounds */
  const char* hypotheses; /* of the theorem */
  const char* statement;  /* of the theorem */
  const char* instance;   /* for which of its numbers it is promised; empty for all */
  const char* source;
  int32_t is_about_error; /* 1: every negative control breaks it */
} assay_contract_info;

ASSAY_JUDGE_API size_t assay_operation_count(void);
/* Operation i, in the order of names. */
ASSAY_JUDGE_API assay_status assay_operation_at(size_t i, assay_operation_info* out);
/* The name of format i of an operation: "f64". NULL where there is none. */
ASSAY_JUDGE_API const char* assay_format_at(const char* operation, size_t i);
/* Contract i of an operation, in the order in which its ladder names them. */
ASSAY_JUDGE_API assay_status assay_contract_at(const char* operation, size_t i, assay_contract_info* out);
/* What `assay contracts --json` prints (docs/contracts.schema.json). */
ASSAY_JUDGE_API const char* assay_contracts_json(void);

/* ----------------------------------------------------------------------------------------------------------- judges */

typedef struct assay_judge assay_judge;
typedef struct assay_case assay_case;
typedef struct assay_report assay_report;

typedef struct assay_judge_options {
  size_t struct_size;
  const char* operation;
  const char* format;           /* NULL: the first one */
  const char* family;           /* what the kernel is called in reports and files; NULL: "subject" */
  uint64_t seed;                /* of the cases */
  const char* const* contracts; /* that the kernel promises; none: all are tested, and a broken one is an answer */
  size_t contract_count;
  const char* formula; /* in place of `operation`: the file of a formula, its text, or the name of a shipped one
                          (docs/formula.md); the arguments of its cases are its parameters, in their order */
  const char* shape;   /* lengths for drawn cases: of the formula's axes, "n=64,d=32", or of the operation's dimensions,
                          "n=8193,100000" or "m=1..64,k=7"; ";" separates shapes; NULL: drawn for each case */
  const char* const* format_of_parameter; /* of its parameters, in their order; NULL or an entry NULL: `format` */
  size_t parameter_count;
} assay_judge_options;

ASSAY_JUDGE_API assay_status assay_judge_open(const assay_judge_options* options, assay_judge** out);
/* Closes the judge. Requires: its cases and reports are closed. NULL is fine, here and below. */
ASSAY_JUDGE_API void assay_judge_close(assay_judge* judge);
/* How many cases the quick tier runs. */
ASSAY_JUDGE_API uint64_t assay_judge_quick_cases(const assay_judge* judge);
/* The domain in words. */
ASSAY_JUDGE_API const char* assay_judge_accepts(const assay_judge* judge);
/* The operation of the judge, as assay_contracts_json() describes each. */
ASSAY_JUDGE_API const char* assay_judge_operation_json(const assay_judge* judge);
/* The graph of the judge's formula, as `assay tolerance --json` prints it; NULL for an operation. */
ASSAY_JUDGE_API const char* assay_judge_formula_json(const assay_judge* judge);
/* The contract that a result of a formula is held to where nobody names one; NULL for an operation. */
ASSAY_JUDGE_API const char* assay_judge_usual_contract(const assay_judge* judge);

/* A kernel: reads the arguments and writes the result. Returns 0, or another number where it has no answer;
   assay_subject_error() then says why. A matrix result holds the entries of C before the call, every other result
   NaNs. The kernel must not write to its arguments. */
typedef int32_t (*assay_subject)(void* self, const assay_tensor* arguments, size_t count, const assay_tensor* result);
/* For a kernel without an answer: the reason. */
ASSAY_JUDGE_API void assay_subject_error(const char* reason);

/* ------------------------------------------------------------------------------------------------------------ cases */

/* Case `number` of the seed: the one that `assay check` with this seed and family runs. */
ASSAY_JUDGE_API assay_status assay_case_draw(assay_judge* judge, uint64_t number, assay_case** out);
/* Inputs of the caller's own, which are copied, in the order in which a case has them, of any size. Of gemm and gemv
   two arrays will do: α = 1 and β = 0. Numbers that follow from shapes may be left out: rows and columns of x, whose
   last axis is a row, and of a sparse matrix; n and lda of a square matrix. Status ASSAY_OUTSIDE: the theorems do not
   speak of these inputs; ASSAY_NO_MEMORY: the machine does not hold them, and nothing was copied. */
ASSAY_JUDGE_API assay_status assay_case_given(assay_judge* judge, const assay_tensor* arguments, size_t count,
                                              assay_case** out);
/* For a formula: nearly normal numbers, the case for which `assay tolerance` gives bounds. Status ASSAY_INVALID: the
   judge has no formula. */
ASSAY_JUDGE_API assay_status assay_case_typical(assay_judge* judge, assay_case** out);
/* A saved case of this operation and format, whatever the kernel was called. */
ASSAY_JUDGE_API assay_status assay_case_read(assay_judge* judge, const char* path, assay_case** out);
ASSAY_JUDGE_API void assay_case_close(assay_case* a_case);

/* The id by which `assay replay` knows the case: 16 hexadecimal digits. */
ASSAY_JUDGE_API const char* assay_case_id(const assay_case* a_case);
/* The inputs for a person, a line each. */
ASSAY_JUDGE_API const char* assay_case_text(const assay_case* a_case);
ASSAY_JUDGE_API size_t assay_case_argument_count(const assay_case* a_case);
/* Argument i: a view, which lives as long as the case and must not be written to. */
ASSAY_JUDGE_API assay_status assay_case_argument(const assay_case* a_case, size_t i, assay_tensor* out);
/* Type and shape of the result, with data NULL. */
ASSAY_JUDGE_API assay_status assay_case_result(const assay_case* a_case, assay_tensor* out);
/* How many numbers the exact result has, and number i of it: 40 significant decimal digits if it is a
   sum of numbers of the format; otherwise a formula such as a root of a fraction, followed if it is long by 40 digits
   after "≈" (U+2248). Numbers of matrices come in the order of memory, column after column. */
ASSAY_JUDGE_API size_t assay_case_truth_count(assay_case* a_case);
ASSAY_JUDGE_API const char* assay_case_truth(assay_case* a_case, size_t i);
/* Stores the case as one that breaks the contract, NULL for none, in a corpus. The path is the case's text. */
ASSAY_JUDGE_API assay_status assay_case_write(assay_case* a_case, const char* contract, const char* corpus,
                                              const char** path);

/* -------------------------------------------------------------------------------------------------------- judgments */

enum {
  ASSAY_KEPT = 0,
  ASSAY_BROKEN = 1,
  ASSAY_UNDECIDED = 2, /* also a contract about several runs, where one result is judged */
  ASSAY_NO_CLAIM = 3   /* the contract's preconditions exclude the case, or any result would keep it */
};

typedef struct assay_verdict {
  size_t struct_size;
  const char* contract;
  int32_t verdict;
  double ratio;          /* error/bound, of the worst number; infinite for a NaN */
  const char* exact;     /* the exact result there */
  const char* got;       /* the kernel's, as a hexadecimal number */
  double ulps;           /* the signed error in ulps of the exact result; NaN where there is none */
  size_t component;      /* which number that is */
  size_t components;     /* how many there are */
  const char* statement; /* of the theorem */
  const char* source;
  const char* preconditions; /* of ASSAY_NO_CLAIM: why */
  double bound;              /* how far that number may be from the exact one, rounded up; NaN for no number */
  size_t judged;             /* how many numbers were judged */
  size_t violated;           /* how many of them break the contract */
  const char* derivation;    /* of a formula that is broken: what the bound of that number is made of, a line each */
  size_t exactly;            /* of a judgment on a device: how many of the judged numbers were judged exactly */
} assay_verdict;

/* Judges a result of the case: contract i of the operation to verdicts[i], for i below `count`. The texts live until
   the next judgment of the case. Where infinities or NaNs among the inputs make results infinite or NaN, a contract
   about an error is kept only where the contract `exceptional` is, too. */
ASSAY_JUDGE_API assay_status assay_case_judge(assay_case* a_case, const assay_tensor* result, assay_verdict* verdicts,
                                              size_t count);
/* Judges a result by one contract alone. */
ASSAY_JUDGE_API assay_status assay_case_judge_contract(assay_case* a_case, const assay_tensor* result,
                                                       const char* contract, assay_verdict* verdict);
/* Judges all entries of a product, of a sum or a dot product, of rows (softmax, log_softmax, layer_norm, rms_norm), of
   prefix sums, of a sparse matrix times a vector, of formulas of attention and its gradients or of formulas whose
   entries depend on one number of each array by one contract where the arrays lie: in the memory of one CUDA device.
   Their `data` are addresses there, but that of eps, of scale and of parameters without axes; work that writes them is
   finished, or was started in the default stream. Enclosures in binary64 show most entries to keep
   the contract. The others (if they are many, some of them), and of entries with up to 2^20 terms a sample and the ones
   nearest to their bounds, are judged exactly on the host; of rows the whole rows of such entries, and the last; of
   prefix sums the first. Arrays of attention may have axes of heads before those of the formula. A number of its
   gradients that breaks the contract may be told by its enclosure: `exactly` is 0, `exact` is "x +/- r", `ratio` not
   above error/bound and `bound` not below the bound. ASSAY_UNDECIDED: of a gradient of keys or values, a number from a
   row on is shown neither to keep the contract nor to break it, and the host would take hours. The texts live until the
   next such judgment by the judge. The driver and NVRTC are found at run time (ASSAY_NVRTC names the latter). Status
   ASSAY_INVALID: an index of a sparse matrix is wrong; ASSAY_NO_DEVICE: there is no driver or no NVRTC, the arrays do
   not lie on a device, or the host alone judges this contract or these numbers, as it does prefix sums that are not
   shown to keep it; ASSAY_NO_MEMORY: the device has no memory left for 12 bytes an entry of a product, 2 GiB at most,
   200 bytes a row, of a sparse matrix 4 bytes a row and a fortieth of a byte an entry, or 32 bytes for each 8192 entries
   of a formula. */
ASSAY_JUDGE_API assay_status assay_judge_on_device(assay_judge* judge, const assay_tensor* arguments, size_t count,
                                                   const assay_tensor* result, const char* contract,
                                                   assay_verdict* verdict);
/* Judges a result by one contract where its arrays lie, in the memory of the host: a sum, a sum of magnitudes, a norm
   or a dot product of vectors of any length without a copy of them, any other result as assay_case_judge_contract()
   does. The texts live until the next such judgment by the judge. */
ASSAY_JUDGE_API assay_status assay_judge_in_place(assay_judge* judge, const assay_tensor* arguments, size_t count,
                                                  const assay_tensor* result, const char* contract,
                                                  assay_verdict* verdict);
/* How far each number of a result may be from the exact one by the contract, rounded up: bounds[i] of entry i of the
   result, the last index first; a NaN where the contract has no number. `count` is the number of entries. Status
   ASSAY_INVALID: the contract has no number, or its preconditions exclude the case. */
ASSAY_JUDGE_API assay_status assay_case_bounds(assay_case* a_case, const char* contract, double* bounds, size_t count);
typedef struct assay_tolerance {
  size_t struct_size;
  size_t entries;
  size_t silent;  /* of how many of them nothing is said */
  double largest; /* of the bounds of the others, the rounding to the format of the result included */
  double median;
  double relative; /* the largest of bound/|value|, of values other than 0 */
  size_t blind;    /* at how many entries other than 0 a kernel that returns 0 is within the bound */
  size_t at;       /* the entry with the largest bound */
  const char* statement;
  const char* source;
  const char* derivation; /* of the largest bound, a line for each definition that it is made of; without a bound, why
                             there is none */
} assay_tolerance;

/* The largest error that a machine of a formula allows in a result of the case, as in `assay tolerance`. bounds[i]: of
   entry i, the last index first, NaN if there is no bound; or NULL. `count` is the number of entries. Status
   ASSAY_INVALID: the contract is not a machine. */
ASSAY_JUDGE_API assay_status assay_case_tolerance(assay_case* a_case, const char* contract, assay_tolerance* out,
                                                  double* bounds, size_t count);
/* Runs the kernel on the case and judges its result, contracts about several runs included. */
ASSAY_JUDGE_API assay_status assay_case_ask(assay_case* a_case, assay_subject subject, void* self,
                                            assay_verdict* verdicts, size_t count);
/* A smaller case that breaks the contract in the same way, by at most `steps` trials. Status ASSAY_INVALID: the case
   does not break it. */
ASSAY_JUDGE_API assay_status assay_case_shrink(assay_case* a_case, const char* contract, assay_subject subject,
                                               void* self, uint64_t steps, assay_case** out);

/* ------------------------------------------------------------------------------------------------------------ checks
 */

typedef struct assay_check_options {
  size_t struct_size;
  uint64_t cases;        /* 0: as many as the quick tier runs */
  uint64_t shrink_steps; /* for each broken contract; 0: cases stay as they were found */
  const char* corpus;    /* a folder whose cases of this kernel run first, and to which failing ones go; or NULL */
  int32_t controls;      /* 1: also runs the negative controls, and reports which contracts refuse them */
} assay_check_options;

/* Runs the kernel on all cases and concludes. Status ASSAY_OK also if the kernel gave no answer: the report says so. */
ASSAY_JUDGE_API assay_status assay_check(assay_judge* judge, assay_subject subject, void* self,
                                         const assay_check_options* options, assay_report** out);
ASSAY_JUDGE_API void assay_report_close(assay_report* report);
/* The report as JSON: docs/python.md describes it. */
ASSAY_JUDGE_API const char* assay_report_json(const assay_report* report);

typedef struct assay_finding {
  size_t struct_size;
  const char* contract;
  int32_t verdict;   /* ASSAY_KEPT, …; ASSAY_UNDECIDED also if the kernel gave no answer or no case was run */
  int32_t in_ladder; /* 1: a strongest contract that was kept, or a weakest one that was broken */
  uint64_t cases;
  double ratio;        /* the largest error/bound */
  const char* case_id; /* of the smallest counterexample; NULL for none */
} assay_finding;

/* The contracts that were tested. */
ASSAY_JUDGE_API size_t assay_report_finding_count(const assay_report* report);
ASSAY_JUDGE_API assay_status assay_report_finding_at(const assay_report* report, size_t i, assay_finding* out);

/* ------------------------------------------------------------------------------------------------------------ orders
 */

typedef struct assay_order_options {
  size_t struct_size;
  uint64_t terms;    /* of the reduction: 2 to 2^24 */
  uint64_t rows;     /* of matmul: rows of A and columns of B; 0: 1 */
  const char* other; /* the document of another order, to compare with; or NULL */
} assay_order_options;

/* Finds the tree in which the kernel adds, by the judge's operation, format and seed: docs/probe_order.md describes the
   report's JSON. Status ASSAY_INVALID for an operation that does not add. */
ASSAY_JUDGE_API assay_status assay_probe_order(assay_judge* judge, const assay_order_options* options,
                                               assay_subject subject, void* self, assay_report** out);

/* -------------------------------------------------------------------------------------------------------- conversions
 */

typedef struct assay_conversion_options {
  size_t struct_size;
  const char* source;  /* a number format: "f32" */
  const char* target;  /* "e4m3fn" */
  const char* rule;    /* that the conversion promises: "even.saturate.nan"; NULL: the answer is which one it follows */
  uint64_t seed;       /* of the random inputs */
  int32_t every_input; /* 1: all 2^32 of a source of 32 bits; those of 16 bits are tested in any case */
} assay_conversion_options;

/* A conversion: reads `count` numbers and writes as many codes. A number or code of up to 8 bits has a byte, two of a
   format of pairs (e2m1x2) share one, and `count` is even then; any other one has as many bytes as its bits. Returns 0,
   or another number where it has no answer. */
typedef int32_t (*assay_conversion)(void* self, const void* inputs, size_t count, void* codes);

/* Tests a conversion, and reports which rule it follows: docs/convert.md describes the report's JSON. */
ASSAY_JUDGE_API assay_status assay_convert(const assay_conversion_options* options, assay_conversion conversion,
                                           void* self, assay_report** out);

typedef struct assay_stochastic_options {
  size_t struct_size;
  const char* source; /* a number format: "f32" */
  const char* target; /* "bf16" */
  const char* rule;   /* the promised rule: "carry.infinity.nan"; NULL: the answer names the rule that it follows */
  uint64_t seed;      /* the seed of the inputs */
  int32_t bits;       /* the bits of a random word: 1 to 32 */
  int32_t drawn;      /* 1: the conversion draws its own words */
} assay_stochastic_options;

/* A conversion with a random word for each number. `words` is NULL if the conversion draws its own words. */
typedef int32_t (*assay_stochastic_conversion)(void* self, const void* inputs, const uint32_t* words, size_t count,
                                               void* codes);

/* Asks a conversion with stochastic rounding: docs/convert.md describes the report's JSON. */
ASSAY_JUDGE_API assay_status assay_convert_stochastic(const assay_stochastic_options* options,
                                                      assay_stochastic_conversion conversion, void* self,
                                                      assay_report** out);
/* The formats and the words of rules, as `assay contracts convert --json` prints them. */
ASSAY_JUDGE_API const char* assay_conversions_json(void);

/* ------------------------------------------------------------------------------------------------------- quantizers */

typedef struct assay_quantization_options {
  size_t struct_size;
  const char* source; /* "f32", "f16" or "bf16" */
  const char* target; /* a block format: "mxfp4"; "mxfp4:tails": some rows end in a shorter block */
  const char*
      contract;        /* that is promised: "mxfp4.floor.even", "round_trip.floor", "idempotent", "monotone"; or NULL */
  uint64_t seed;       /* of the random inputs */
  int32_t every_entry; /* 1: all entries of 16 bits under each scale that is a power of two */
  int32_t random_bits; /* the bits of a random word, 1 to 32, which assay_quantize_stochastic() gives to the quantizer;
                          of assay_quantize(): the quantizer draws such words itself; 0: no random words */
} assay_quantization_options;

/* A quantizer: reads a tensor row by row, and writes codes, scales (records of q4_k) and, where the block format has
   such, a number of each block or of the tensor; else `seconds` is NULL. Returns 0, or another number where it has no
   answer. */
typedef int32_t (*assay_quantizer)(void* self, size_t rows, size_t columns, const void* x, void* codes, void* scales,
                                   void* seconds);

/* Tests a quantizer, and reports which rule it follows: docs/quantize.md describes the report's JSON. */
ASSAY_JUDGE_API assay_status assay_quantize(const assay_quantization_options* options, assay_quantizer quantizer,
                                            void* self, assay_report** out);
/* A quantizer with a random word for each number, row by row. */
typedef int32_t (*assay_stochastic_quantizer)(void* self, size_t rows, size_t columns, const void* x,
                                              const uint32_t* words, void* codes, void* scales, void* seconds);
/* Tests a quantizer with random words: the contract is a rule such as "mxfp4.floor.carry", "unbiased", or NULL. */
ASSAY_JUDGE_API assay_status assay_quantize_stochastic(const assay_quantization_options* options,
                                                       assay_stochastic_quantizer quantizer, void* self,
                                                       assay_report** out);
/* The formats and the words of rules, as `assay contracts quantize --json` prints them. */
ASSAY_JUDGE_API const char* assay_quantizations_json(void);

#ifdef __cplusplus
}
#endif

#endif
