#pragma once

namespace assay::oracle {

/// The reaction of GMP, FLINT and MPFR if there is no memory: they call `end`, which must not return. Null: their
/// default, which is a line and abort(); in FLINT 2.9, a recursion until the stack is full. Requires: no other thread
/// uses the libraries now. Numbers that were allocated before keep their memory.
void end_without_memory(void (*end)());

}  // namespace assay::oracle
