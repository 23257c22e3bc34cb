#pragma once
// Kernels from outside: a function of a shared library, or a program. A library is loaded in worker processes alone.

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
  std::string operation;           ///< Operation::name; empty for all of a table
  Question question;               ///< the format is one of Operation::formats
  Speech speech = Speech::frames;  ///< of a program
};

/// The library, the function or the program cannot be used: one line that says why.
class SubjectError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// CBLAS begins the names of its functions with cblas_, cuBLAS with cublas and a capital letter and ends those of
/// batches with StridedBatched, Fortran ends them with an underscore. All others are plain, or of the form `device`
/// where arrays are on a device.
CallForm form_of(const std::string& symbol, bool on_device);
/// The same, where the name that <math.h> gives the operation in the format (libm_name()) tells that form.
CallForm form_of(const std::string& symbol, const Operation& operation, const std::string& format, bool on_device);

/// The name by <math.h> of a function of the operation in the format: exp, expf, expf16. Empty where C has none.
std::string libm_name(const Operation& operation, const std::string& format);

/// Whether a function of that form takes a handle of cuBLAS, and whether its arrays are on a device.
bool is_of_cublas(CallForm form);
bool is_on_device(CallForm form);

/// The name in lower case without cblas_ or cublas in front, _v2 or StridedBatched of cuBLAS or an underscore at
/// the end: ddot of cblas_ddot, ddot_, cublasDdot and cublasDdot_v2. Requires: more than one letter is left of a name
/// of that form (else the whole name).
std::string blas_name(const std::string& symbol);

/// The format that a name of BLAS or of <math.h> tells: f32 for sdot_, cblas_sdot, cublasSdot and expf, f64 for ddot_.
/// f64 for any other name.
std::string format_of_symbol(const std::string& symbol, const Operation& operation);

/// The name of a library's file has .so at its end or before a version; everything else is a command, and so is a text
/// with blanks that names no file.
bool is_library(const std::string& source);

/// A kernel of a subject, ready to be called.
struct Loaded {
  std::string operation;
  Question question;
  ForeignKernel kernel;
};
/// Loads the library in this process, which the library may crash or end, or starts the program. Several kernels come
/// from a table alone. The floating-point environment and the locale are as before. Errors: SubjectError.
std::vector<Loaded> load(const Subject& subject);

/// What loading the library, or starting the program, in a process of its own tells.
struct Tried {
  std::string error;                 ///< why it cannot be used, one line; empty where it can
  std::string file;                  ///< the path of the library that the loader found; the command of a program
  std::string description;           ///< what a table or a cuBLAS says of itself
  bool changes_environment = false;  ///< loading it changed the floating-point environment or the locale
  /// Of a library that was asked for its table by an empty symbol: operations and formats, and where they run.
  std::vector<std::pair<std::string, std::string>> kernels;
  bool runs_on_host = false;
  bool runs_on_device = false;
};
/// A library without a symbol and without a table is no error. Errors: std::runtime_error where no process can be
/// started.
Tried try_to_load(const Subject& subject, std::chrono::milliseconds limit);

/// The other side of try_to_load(): tells on descriptor 3. Returns the exit code.
int try_main();

/// The subject that the environment of this process names (ASSAY_SUBJECT, ASSAY_SYMBOL, ASSAY_OPERATION, ASSAY_FORMAT,
/// ASSAY_AS, ASSAY_EVERY_INPUT, ASSAY_MORE_CONTRACTS, ASSAY_ON); nothing where it names none.
std::optional<Subject> subject_of_environment();
/// Has the processes that this one starts know the subject.
void put_into_environment(const Subject& subject);

/// Adds the property of a kernel to the program. Without a function it can be described, not run.
/// Errors: std::logic_error for an operation that the program does not have.
void register_kernel(const Loaded& loaded);

/// A name for exactly this library or command: names of files, each with a hash of its bytes. The files of a command
/// are those that its words name. Errors: SubjectError for a library that cannot be read.
std::string identity_of(const std::string& source);

}  // namespace assay::doors
