/* Tests in C99: each TEST is a ctest of its own, and the program runs the one that it is named. TESTS() stands behind
   the last one; CMake writes the table that it includes. */
#include <stdio.h>
#include <string.h>

#include "assay/judge.h"

static int failures = 0;

static void expect(int holds, int line, const char* what) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "line %d: not so: %s (last error: %s)\n", line, what, assay_last_error());
}
#define EXPECT(condition) expect((condition) ? 1 : 0, __LINE__, #condition)

#define TEST(name) static void name(void)

struct named_test {
  const char* name;
  void (*run)(void);
};
#define NAMED(name) {#name, name},

static int run_test(int argc, char** argv, const struct named_test* tests, size_t count) {
  for (size_t i = 0; argc == 2 && i < count; ++i) {
    if (strcmp(argv[1], tests[i].name) != 0) continue;
    tests[i].run();
    return failures == 0 ? 0 : 1;
  }
  fprintf(stderr, "usage: %s NAME\n", argv[0]);
  return 2;
}
