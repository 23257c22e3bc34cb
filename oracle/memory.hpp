#pragma once

namespace assay::oracle {

/// What GMP and FLINT, and with them MPFR, do if there is no memory: they call `end`, which must not return. Null:
/// what they do by themselves, which is a line and abort(), and of FLINT 2.9 a recursion until the stack is full.
/// Requires: no other thread uses the libraries now. Numbers that were made before keep their memory.
void end_without_memory(void (*end)());

}  // namespace assay::oracle
