#pragma once
// Element-wise kernels: one operation on every element of an array.

#include <span>
#include <vector>

#include "exec/executor.hpp"

namespace assay {

/// yᵢ = op(xᵢ) for every i.
/// Op is a trivially copyable functor with `using Input`, `using Output` and `ASSAY_HD Output operator()(const Input&)
/// const`; Input and Output are trivially copyable and default constructible. The definition is in exec/launch.hpp and
/// is instantiated in the source file of each Op's header; a user's Op is instantiated in the user's own kernel file.
/// Throws ExecutorError when the executor fails. Elements are independent: the bits do not depend on order or batch.
/// Bit-identical on every executor by the same operations in the same order. Cost: n operations; two copies and one
/// comparison of the arrays for the audit.
template <class Op>
std::vector<typename Op::Output> elementwise(const Executor& on, std::span<const typename Op::Input> x,
                                             const Op& op = {});

/// A list of operations: functor templates over the number format.
template <template <class> class... Op>
struct Operations {};

/// A list of number formats.
template <class... T>
struct Formats {};

}  // namespace assay
