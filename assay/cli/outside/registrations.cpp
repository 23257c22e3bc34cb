// What the program gets from the library for kernels from outside, besides their operations.

#include "assay/cli/commands.hpp"
#include "properties/formulas/door/operation.hpp"
#include "properties/framework/operation.hpp"

namespace assay::cli {
namespace {

const bool registered = [] {
  register_commands({{"contracts", run_contracts},
                     {"convert", run_convert},
                     {"probe-order", run_probe_order},
                     {"quantize", run_quantize},
                     {"tolerance", run_tolerance}});
  register_formulas(formulas::register_file);
  return true;
}();

}  // namespace
}  // namespace assay::cli
