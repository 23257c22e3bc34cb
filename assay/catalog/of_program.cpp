// In each library that the program loads: it needs a symbol of the program of its version (load.cpp).

extern "C" {
extern const char ASSAY_PROGRAM;
extern const char* const assay_program;
const char* const assay_program = &ASSAY_PROGRAM;
}
