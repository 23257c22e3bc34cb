#pragma once

/// The special functions of Arb, under the conditions of flint.hpp.

#include "oracle/flint.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#if __has_include(<flint/arb_hypgeom.h>)
#include <flint/acb_dft.h>
#include <flint/arb_hypgeom.h>
#else
#include <acb_dft.h>
#include <arb_hypgeom.h>
#endif
#pragma GCC diagnostic pop
