// One source, compiled as it should be and with contraction. Nothing is included: an inline function that another file
// shares would be compiled with these flags too.
extern "C" double SQUARES(double a, double b);

extern "C" double SQUARES(double a, double b) { return a * a - b * b; }
