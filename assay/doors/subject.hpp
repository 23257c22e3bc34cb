#pragma once
// Kernels from outside: a function of a shared library, or a program. A library is only loaded in worker processes.

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assay/doors/conversation.hpp"
#include "properties/framework/operation.hpp"

namespace assay::doors {

/// A kernel from outside, and what it computes.
struct Subject {
  std::string source;              ///< the path of a library, a name that the system's loader finds, or a command
  std::string symbol;              ///< of the library's function; empty for a command, and for a library with a table
  std::string operation;           ///< Operation::name; empty for all operations of a table
  Question question;               ///< the format is one of Operation::formats
  Speech speech = Speech::frames;  ///< of a program
};

/// The library, the function or the program cannot be used: one line with the reason.
class SubjectError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Names of CBLAS functions begin with cblas_, of cuBLAS functions with cublas and a capital letter; cuBLAS functions
/// for batches end with StridedBatched, Fortran functions with an underscore. All others are plain; if their arrays are
/// on a device, they have the form `device`.
CallForm form_of(const std::string& symbol, bool on_device);
/// The same, but also recognizes the name of the operation in <math.h> for the format (libm_name()).
CallForm form_of(const std::string& symbol, const Operation& operation, const std::string& format, bool on_device);

/// The name in <math.h> of a function for the operation in the format: exp, expf, expf16. Empty if C has none.
std::string libm_name(const Operation& operation, const std::string& format);

/// Whether a function of that form takes a cuBLAS handle, and whether its arrays are on a device.
bool is_of_cublas(CallForm form);
bool is_on_device(CallForm form);

/// The name in lower case without the prefix cblas_ or cublas, and without the suffix _v2, StridedBatched or
/// underscore: ddot for cblas_ddot, ddot_, cublasDdot and cublasDdot_v2. Requires: more than one letter remains of a
/// name of that form (else the whole name is returned).
std::string blas_name(const std::string& symbol);

/// The format that a name of BLAS or of <math.h> implies: f32 for sdot_, cblas_sdot, cublasSdot and expf, f64 for
/// ddot_; f64 for any other name.
std::string format_of_symbol(const std::string& symbol, const Operation& operation);

/// Whether a subject is a library: its file name has .so at its end or before a version. Everything else is a command,
/// also a text with blanks that is not the name of a file.
bool is_library(const std::string& source);

/// A kernel of a subject, ready to be called.
struct Loaded {
  std::string operation;
  Question question;
  ForeignKernel kernel;
};
/// Loads the library in this process, which the library may crash or end, or starts the program. Only a table can have
/// several kernels. The floating-point environment and the locale are restored. Errors: SubjectError.
std::vector<Loaded> load(const Subject& subject);

/// The result of loading the library, or starting the program, in a process of its own.
struct Tried {
  std::string error;                 ///< why it cannot be used, one line; empty if it can
  std::string file;                  ///< the path of the library that the loader found; the command of a program
  std::string description;           ///< the description that a table or a cuBLAS gives of itself
  bool changes_environment = false;  ///< loading it changed the floating-point environment or the locale
  /// For a library whose table was requested by an empty symbol: operations and formats, and where they run.
  std::vector<std::pair<std::string, std::string>> kernels;
  bool runs_on_host = false;
  bool runs_on_device = false;
};
/// A library without a symbol and without a table is not an error. Errors: std::runtime_error if no process can be
/// started.
Tried try_to_load(const Subject& subject, std::chrono::milliseconds limit);

/// The process's side of try_to_load(): answers on descriptor 3. Returns the exit code.
int try_main();

/// The subject that the environment of this process names (ASSAY_SUBJECT, ASSAY_SYMBOL, ASSAY_OPERATION, ASSAY_FORMAT,
/// ASSAY_AS, ASSAY_EVERY_INPUT, ASSAY_CONTRACTS, ASSAY_ON); nothing where it names none.
std::optional<Subject> subject_of_environment();
/// Makes the subject known to the processes that this process starts.
void put_into_environment(const Subject& subject);

/// Adds the property of a kernel to the program. Without a function the property can be described, but not run. Errors:
/// std::logic_error for an operation that the program does not have.
void register_kernel(const Loaded& loaded);

/// A name for exactly this library or command: names of files, each with a hash of its bytes. The files of a command
/// are the files that its words name. Errors: SubjectError for a library that cannot be read.
std::string identity_of(const std::string& source);

}  // namespace assay::doors
