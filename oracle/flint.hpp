#pragma once

/// The one header that includes FLINT and Arb: FLINT 3 holds Arb in its own folder, FLINT 2.9 has Arb in a separate
/// folder. Their inline functions are not compiled under our warnings. MPFR comes first: FLINT 3 declares the functions
/// that convert to and from its numbers only then.

#include <mpfr.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#include <flint/arf.h>
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#else
#include <arb.h>
#include <arf.h>
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#endif
#pragma GCC diagnostic pop
