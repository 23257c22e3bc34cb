// A kernel as a program in C: dot products in binary64 by the protocol of docs/pipe.md.
// gcc -O2 dot.c -o dot, then: assay check --operation dot --subject ./dot
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double dot(size_t n, const double* x, const double* y) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// Memory of at least that many bytes. What it held before is lost.
static void* room(void** memory, size_t* size, size_t bytes) {
  if (bytes > *size) {
    free(*memory);
    *size = 2 * bytes;
    *memory = malloc(*size);
    if (*memory == NULL) exit(1);
  }
  return *memory;
}

// Behind the key and its colon in a header, where its value begins.
static const char* value_of(const char* header, const char* key) {
  const char* at = strstr(header, key);
  if (at == NULL) exit(1);
  at += strlen(key);
  return at + strspn(at, ": [");
}

// Reads one number of a list and steps behind it.
static size_t next(const char** list) {
  char* end;
  const size_t number = strtoull(*list, &end, 10);
  *list = end + strspn(end, ", ");
  return number;
}

static void write_frame(const char* header, const void* bytes, size_t size) {
  const uint32_t length = (uint32_t)strlen(header);
  fwrite(&length, sizeof length, 1, stdout);
  fwrite(header, 1, length, stdout);
  fwrite(bytes, 1, size, stdout);
  fflush(stdout);
}

int main(void) {
  char line[4096];
  if (fgets(line, sizeof line, stdin) == NULL) return 1;
  const int can = strstr(line, "\"dot\"") != NULL && strstr(line, "\"f64\"") != NULL;
  puts(can ? "{\"protocol\": 1}" : "{\"error\": \"only dot in f64\"}");
  fflush(stdout);
  void *headers = NULL, *numbers = NULL, *results = NULL;
  size_t of_headers = 0, of_numbers = 0, of_results = 0;
  uint32_t length;
  while (can && fread(&length, sizeof length, 1, stdin) == 1) {
    char* header = room(&headers, &of_headers, (size_t)length + 1);
    if (fread(header, 1, length, stdin) != length) return 1;
    header[length] = '\0';
    const char* lengths = value_of(header, "\"lengths\"");
    const char* at = value_of(lengths, "\"x\"");
    const char *at_cases = value_of(header, "\"cases\""), *at_bytes = value_of(header, "\"bytes\"");
    const size_t cases = next(&at_cases), bytes = next(&at_bytes);
    double* x = room(&numbers, &of_numbers, bytes + 1);
    if (fread(x, 1, bytes, stdin) != bytes) return 1;
    const double* y = x + bytes / sizeof(double) / 2;  // all x, then as many y
    double* result = room(&results, &of_results, cases * sizeof(double));
    for (size_t i = 0; i < cases; ++i) {
      const size_t n = next(&at);
      result[i] = dot(n, x, y);
      x += n;
      y += n;
    }
    snprintf(line, sizeof line, "{\"bytes\": %zu}", cases * sizeof(double));
    write_frame(line, result, cases * sizeof(double));
  }
  return can ? 0 : 1;
}
