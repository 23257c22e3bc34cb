// The functions of the CUDA driver and of NVRTC that enclosures/driver.cpp uses, for a device that is the host: its
// memory is that of the program, and it knows the kernels of enclosures/rows.cuh, prefixes.cuh, sparse.cuh,
// attention.cuh, gradient.cuh and elementwise.cuh by their definitions.

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "tests/enclosures/host_kernels.hpp"

namespace {

using namespace assay::enclosures;

constexpr int failed = 1, invalid = 201;

using Start = std::function<void(unsigned blocks, void** arguments)>;
/// The kernels of a source by their names.
using Module = std::map<std::string, Start>;

template <class T>
const T& argument(void** arguments, int i) {
  return *static_cast<const T*>(arguments[i]);
}

template <RowOperation operation, Element element>
Module module_of() {
  return {{"facts",
           [](unsigned blocks, void** of) {
             run_blocks(blocks,
                        [&] { find_facts<operation, element>(argument<Rows>(of, 0), argument<RowFacts*>(of, 1)); });
           }},
          {"decide", [](unsigned blocks, void** of) {
             BlockCount* const out = argument<BlockCount*>(of, 4);
             run_blocks(blocks, [&] {
               count_row<operation, element>(argument<Rows>(of, 0), argument<const Row*>(of, 1), argument<Rule>(of, 2),
                                             argument<Numbers>(of, 3), out);
             });
             // The host judges the nearest, too: without it, it sees the last row and the open ones alone.
             const bool forgets = std::getenv("ASSAY_HOST_DEVICE_FORGETS_THE_NEAREST") != nullptr;
             for (unsigned block = 0; forgets && block < blocks; ++block) out[block].nearest = -1;
           }}};
}

template <Element element>
Module attention_of() {
  return {{"head_facts",
           [](unsigned blocks, void** of) {
             run_blocks(blocks, [&] { find_head<element>(argument<Attention>(of, 0), argument<HeadFacts*>(of, 1)); });
           }},
          {"decide_attention", [](unsigned blocks, void** of) {
             const auto& all = argument<Attention>(of, 0);
             // The tiles of a device are larger.
             const auto missing = static_cast<unsigned>(all_blocks<256>(all)) - blocks;
             run_blocks(static_cast<unsigned>(all_blocks<threads>(all)) - missing, [&] {
               count_attention<element>(all, argument<const HeadFacts*>(of, 1), argument<AttentionFloor>(of, 2),
                                        argument<Rule>(of, 3), argument<Numbers>(of, 4), argument<BlockCount*>(of, 5));
             });
           }}};
}

template <Gradient gradient, Element element>
Module gradient_of() {
  return {{"gradient_heads",
           [](unsigned blocks, void** of) {
             run_blocks(blocks, [&] {
               find_extents<gradient, element>(argument<GradientArrays>(of, 0), argument<GradientFacts*>(of, 1));
             });
           }},
          {"gradient_queries",
           [](unsigned, void** of) {
             const auto& all = argument<GradientArrays>(of, 0);
             const auto blocks = static_cast<unsigned>(row_blocks<threads>(all.of) * all_heads(all.of));
             run_blocks(blocks, [&] { find_queries<gradient, element>(all, argument<QueryFacts*>(of, 1)); });
           }},
          {"gradient_outputs",
           [](unsigned, void** of) {
             const auto& all = argument<GradientArrays>(of, 0);
             run_blocks(static_cast<unsigned>(gradient_blocks<threads>(all, outputs)), [&] {
               find_outputs<element>(all, argument<const GradientFacts*>(of, 1), argument<QueryFacts*>(of, 2));
             });
           }},
          {"gradient_errors",
           [](unsigned blocks, void** of) {
             const auto& all = argument<GradientArrays>(of, 0);
             const auto missing = static_cast<unsigned>(row_blocks<256>(all.of) * all_heads(all.of)) - blocks;
             run_blocks(static_cast<unsigned>(row_blocks<threads>(all.of) * all_heads(all.of)) - missing, [&] {
               add_errors<gradient, element>(all, argument<const GradientFacts*>(of, 1), argument<Integer>(of, 2),
                                             argument<GradientCeiling>(of, 3), argument<QueryFacts*>(of, 4));
             });
           }},
          {"refute_gradient",
           [](unsigned, void** of) {
             const auto& all = argument<GradientArrays>(of, 0);
             run_blocks(static_cast<unsigned>(gradient_blocks<threads>(all, gradient)), [&] {
               find_refuted<gradient, element>(all, argument<const GradientFacts*>(of, 1),
                                               argument<const QueryFacts*>(of, 2), argument<GradientCeiling>(of, 3),
                                               argument<Rule>(of, 4), argument<Numbers>(of, 5),
                                               argument<Refuted*>(of, 6));
             });
           }},
          {"decide_gradient", [](unsigned blocks, void** of) {
             const auto& all = argument<GradientArrays>(of, 0);
             const auto missing = static_cast<unsigned>(gradient_blocks<256>(all, gradient)) - blocks;
             run_blocks(static_cast<unsigned>(gradient_blocks<threads>(all, gradient)) - missing, [&] {
               count_gradient<gradient, element>(all, argument<const GradientFacts*>(of, 1),
                                                 argument<const QueryFacts*>(of, 2), argument<GradientFloor>(of, 3),
                                                 argument<Rule>(of, 4), argument<Numbers>(of, 5),
                                                 argument<BlockCount*>(of, 6));
             });
           }}};
}

template <Element element>
Module prefixes_of() {
  return {{"totals",
           [](unsigned blocks, void** of) {
             run_blocks(blocks, [&] {
               find_totals<element>(argument<const void*>(of, 0), argument<Integer>(of, 1), argument<double>(of, 2),
                                    argument<PrefixTotals*>(of, 3));
             });
           }},
          {"decide", [](unsigned blocks, void** of) {
             run_blocks(blocks, [&] {
               count_stretch<element>(argument<const void*>(of, 0), argument<const void*>(of, 1),
                                      argument<Integer>(of, 2), argument<const PrefixStretch*>(of, 3),
                                      argument<Rule>(of, 4), argument<Numbers>(of, 5), argument<BlockCount*>(of, 6));
             });
           }}};
}

/// As many blocks as a kernel of sparse.cuh is started with, or one fewer.
unsigned blocks_of(const char* kernel, unsigned blocks) {
  const char* const missed = std::getenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK_OF");
  return missed != nullptr && std::strcmp(missed, kernel) == 0 ? blocks - 1 : blocks;
}

template <Element element>
Module sparse_of() {
  return {{"indices",
           [](unsigned blocks, void** of) {
             run_blocks(blocks_of("indices", blocks), [&] {
               count_indices(argument<SparseArrays>(of, 0), argument<int>(of, 1), argument<Integer*>(of, 2));
             });
           }},
          {"add",
           [](unsigned blocks, void** of) {
             const auto& arrays = argument<SparseArrays>(of, 0);
             const auto& rule = argument<SparseRule>(of, 1);
             run_blocks(blocks_of("add", blocks), [&] {
               add_part<element>(arrays, rule.numbers.emin, argument<SparseTotals*>(of, 3),
                                 argument<SparseTotals*>(of, 4),
                                 WriteShare<element>{arrays, rule, argument<float*>(of, 2)});
             });
           }},
          {"join",
           [](unsigned blocks, void** of) {
             const auto& arrays = argument<SparseArrays>(of, 0);
             const WriteShare<element> write{arrays, argument<SparseRule>(of, 1), argument<float*>(of, 4)};
             run_blocks(blocks_of("join", blocks), [&] {
               join_parts(arrays, argument<const SparseTotals*>(of, 2), argument<SparseTotals*>(of, 3), write);
             });
           }},
          {"count",
           [](unsigned blocks, void** of) {
             SparseCount* const out = argument<SparseCount*>(of, 2);
             run_blocks(blocks_of("count", blocks),
                        [&] { count_rows(argument<const float*>(of, 0), argument<Integer>(of, 1), out); });
             const bool forgets = std::getenv("ASSAY_HOST_DEVICE_FORGETS_THE_NEAREST") != nullptr;
             for (unsigned block = 0; forgets && block < blocks; ++block) out[block].nearest = 0;
           }},
          {"lengths",
           [](unsigned blocks, void** of) {
             run_blocks(blocks, [&] {
               find_lengths(argument<SparseArrays>(of, 0), argument<const Integer*>(of, 1), argument<Integer>(of, 2),
                            argument<Integer*>(of, 3));
             });
           }},
          {"gather", [](unsigned blocks, void** of) {
             run_blocks(blocks, [&] {
               gather_row<element>(argument<SparseArrays>(of, 0), argument<const Integer*>(of, 1),
                                   argument<const Integer*>(of, 2), argument<void*>(of, 3), argument<void*>(of, 4),
                                   argument<void*>(of, 5));
             });
           }}};
}

Module elementwise() {
  return {{"decide_entries",
           [](unsigned blocks, void** of) {
             StretchCount* const out = argument<StretchCount*>(of, 4);
             run_blocks(blocks, [&] {
               count_stretch_of_entries(argument<FormulaProgram>(of, 0), argument<FormulaArrays>(of, 1),
                                        argument<Rule>(of, 2), argument<Numbers>(of, 3), out);
             });
             const bool forgets = std::getenv("ASSAY_HOST_DEVICE_FORGETS_THE_NEAREST") != nullptr;
             for (unsigned block = 0; forgets && block < blocks; ++block) out[block].nearest = -1;
           }},
          {"reduce_rows",
           [](unsigned blocks, void** of) {
             run_blocks(blocks_of("reduce_rows", blocks), [&] {
               reduce_part(argument<FormulaProgram>(of, 0), argument<int>(of, 1), argument<FormulaArrays>(of, 2));
             });
           }},
          {"finish_rows",
           [](unsigned, void** of) {
             // The blocks of a device have more threads.
             const auto& arrays = argument<FormulaArrays>(of, 3);
             run_blocks(static_cast<unsigned>((arrays.rows + threads - 1) / threads), [&] {
               finish_rows_of_block(argument<FormulaProgram>(of, 0), argument<int>(of, 1), argument<bool>(of, 2),
                                    arrays);
             });
           }},
          {"known_of_entry",
           [](unsigned, void** of) {
             run_blocks(1, [&] {
               write_known(argument<FormulaProgram>(of, 0), argument<FormulaArrays>(of, 1), argument<Integer>(of, 2),
                           argument<KnownEntry*>(of, 3));
             });
           }},
          {"shares_of_stretch", [](unsigned, void** of) {
             run_blocks(1, [&] {
               write_shares(argument<FormulaProgram>(of, 0), argument<FormulaArrays>(of, 1), argument<Rule>(of, 2),
                            argument<Numbers>(of, 3), argument<Integer>(of, 4), argument<double*>(of, 5));
             });
           }}};
}

std::map<std::string, Module>& modules() {
  static std::map<std::string, Module> all = [] {
    std::map<std::string, Module> known;
    const auto add = [&]<RowOperation operation>(const std::string& name,
                                                 std::integral_constant<RowOperation, operation>) {
      const std::string of = "-DASSAY_OPERATION=" + name + "-DASSAY_ELEMENT=";
      known[of + "binary32"] = module_of<operation, binary32>();
      known[of + "binary16"] = module_of<operation, binary16>();
      known[of + "bfloat16"] = module_of<operation, bfloat16>();
    };
    add("softmax", std::integral_constant<RowOperation, softmax>{});
    add("log_softmax", std::integral_constant<RowOperation, log_softmax>{});
    add("layer_norm", std::integral_constant<RowOperation, layer_norm>{});
    add("rms_norm", std::integral_constant<RowOperation, rms_norm>{});
    const auto add_gradient = [&]<Gradient gradient>(const std::string& name,
                                                     std::integral_constant<Gradient, gradient>) {
      const std::string of = "-DASSAY_GRADIENT=" + name + "-DASSAY_ELEMENT=";
      known[of + "binary32"] = gradient_of<gradient, binary32>();
      known[of + "binary16"] = gradient_of<gradient, binary16>();
      known[of + "bfloat16"] = gradient_of<gradient, bfloat16>();
    };
    add_gradient("of_queries", std::integral_constant<Gradient, of_queries>{});
    add_gradient("of_keys", std::integral_constant<Gradient, of_keys>{});
    add_gradient("of_values", std::integral_constant<Gradient, of_values>{});
    known["-DASSAY_ELEMENTWISE"] = elementwise();
    known["-DASSAY_ELEMENT=binary64"] = prefixes_of<binary64>();
    known["-DASSAY_ELEMENT=binary64"].merge(sparse_of<binary64>());
    known["-DASSAY_ELEMENT=binary32"] = prefixes_of<binary32>();
    known["-DASSAY_ELEMENT=binary32"].merge(sparse_of<binary32>());
    known["-DASSAY_ELEMENT=binary16"] = prefixes_of<binary16>();
    known["-DASSAY_ELEMENT=binary32"].merge(attention_of<binary32>());
    known["-DASSAY_ELEMENT=binary16"].merge(attention_of<binary16>());
    known["-DASSAY_ELEMENT=bfloat16"].merge(attention_of<bfloat16>());
    return known;
  }();
  return all;
}

}  // namespace

extern "C" {

int cuGetErrorString(int, const char** words) { return *words = "the host cannot do that", 0; }
int cuInit(unsigned) { return 0; }
int cuPointerGetAttribute(void* value, int attribute, std::uint64_t) {
  constexpr int memory_type = 2, memory_of_device = 2;
  *static_cast<int*>(value) = attribute == memory_type ? memory_of_device : 0;
  return 0;
}
int cuDeviceGetAttribute(int* value, int, int) { return *value = 9, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = nullptr, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxPushCurrent_v2(void*) { return 0; }
int cuCtxPopCurrent_v2(void**) { return 0; }
int cuMemGetInfo_v2(std::size_t* free, std::size_t* all) { return *free = *all = std::size_t{1} << 30, 0; }
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  *address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
  return 0;
}
int cuMemFree_v2(std::uint64_t address) { return std::free(reinterpret_cast<void*>(address)), 0; }
int cuMemsetD8_v2(std::uint64_t address, unsigned char value, std::size_t bytes) {
  std::memset(reinterpret_cast<void*>(address), value, bytes);
  return 0;
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
int cuModuleLoadData(void** module, const void* image) {
  const auto found = modules().find(static_cast<const char*>(image));
  if (found == modules().end()) return invalid;
  *module = &found->second;
  return 0;
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  Module& known = *static_cast<Module*>(module);
  const auto found = known.find(name);
  if (found == known.end()) return invalid;
  *function = &found->second;
  return 0;
}
int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                   void** arguments, void**) {
  const bool misses_one = std::getenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK") != nullptr;
  (*static_cast<const Start*>(function))(misses_one ? blocks - 1 : blocks, arguments);
  return 0;
}

/// A program is its definitions, as its cubin is.
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*, const char* const*) {
  *program = new std::string;
  return 0;
}
int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  auto& text = *static_cast<std::string*>(program);
  for (int i = 0; i < count; ++i) {
    if (std::strncmp(options[i], "-D", 2) == 0) text += options[i];
  }
  return modules().contains(text) ? 0 : failed;
}
int nvrtcGetProgramLogSize(void*, std::size_t* size) { return *size = 1, 0; }
int nvrtcGetProgramLog(void*, char* log) { return *log = '\0', 0; }
int nvrtcGetCUBINSize(void* program, std::size_t* size) {
  return *size = static_cast<std::string*>(program)->size() + 1, 0;
}
int nvrtcGetCUBIN(void* program, char* cubin) {
  return std::strcpy(cubin, static_cast<std::string*>(program)->c_str()), 0;
}
int nvrtcDestroyProgram(void** program) { return delete static_cast<std::string*>(*program), 0; }

}  // extern "C"
