#pragma once
// Operations whose kernels add, and how terms are put into their arguments.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "assay/orders/answer.hpp"
#include "properties/framework/record.hpp"

namespace assay::orders {

/// The results of an operation's kernel for some cases. Errors: those of the kernel.
using AskRecords = std::function<std::vector<Words>(std::span<const Record>)>;

/// The operations: cumsum (its last sum), dot, layer_norm (the sum of its mean), matmul (entry (0, 0) of a product of
/// `rows` rows and columns) and sum.
const std::vector<std::string>& operations();

/// The reduction that a kernel of an operation computes. `format`: one of the operation's, "f64" or "bf16:f32"; numbers
/// of f64, f32, f16 and bf16, of layer_norm f64 and f32. Requires: rows ≥ 1. Errors: std::invalid_argument, one line.
ReductionOf reduction_of(const std::string& operation, const std::string& format, std::size_t rows,
                         const AskRecords& ask);

}  // namespace assay::orders
