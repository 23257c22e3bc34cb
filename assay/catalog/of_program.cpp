// Part of each library that the program loads: it needs a symbol that only a program of the same version has
// (load.cpp).

extern "C" {
extern const char ASSAY_PROGRAM;
extern const char* const assay_program;
const char* const assay_program = &ASSAY_PROGRAM;
}
