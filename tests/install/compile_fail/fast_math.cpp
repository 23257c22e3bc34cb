#include "arith/float/error_free.hpp"

// The option alone is the wrong use: with it a compiler may take the error of a sum for 0.
double error_of_sum(double a, double b) { return assay::two_sum(a, b).e; }
