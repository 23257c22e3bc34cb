#pragma once
// Operations that a kernel from outside this program may compute, and the contracts that it may keep.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "errorbounds/theorem.hpp"
#include "properties/framework/model.hpp"

namespace assay {

/// How a function of a library takes its arguments. plain: by value and by address, contiguous arrays. cblas: by the
/// CBLAS convention, with an increment after each array. fortran: by the BLAS convention, with the address of every
/// argument. libm: as in <math.h>, one number at a time. device: like plain, with arrays on a device, the address of
/// the result there, and a stream. cublas: by the cuBLAS convention, with a handle in front, arrays on a device, and
/// scalars by their addresses on the host. cublas_batched: like the functions of cuBLAS whose names end with
/// StridedBatched.
enum class CallForm { plain, cblas, fortran, libm, device, cublas, cublas_batched };
/// "plain", "cblas", "fortran", "libm", "device", "cublas", "cublas_batched".
std::string_view name_of(CallForm form);

/// A kernel that is wrong in a way that every test must notice.
enum class Control {
  zeros,        ///< every result is 0
  ones,         ///< every result is 1
  nan,          ///< every result is a NaN
  first_term,   ///< only the first term is computed; for an array only its first number
  copy,         ///< the first number of the inputs, or the first array if the result is an array
  previous,     ///< the result of the previous case
  unwritten,    ///< an output that is never written: it keeps the pattern from before the call
  last_product  ///< the last product of a batch is replaced by the first
};
inline constexpr std::array all_controls{Control::zeros, Control::ones,     Control::nan,       Control::first_term,
                                         Control::copy,  Control::previous, Control::unwritten, Control::last_product};
/// "zeros", "ones", …
std::string_view name_of(Control control);

/// A program, or a library with a table (assay/subject.h), that computes the operation for whole cases.
class ForeignProgram {
 public:
  virtual ~ForeignProgram() = default;
  /// The bit patterns of all results, case by case: numbers[k] of case k, as wide as those of the format. The
  /// executor's audit gets the findings of the call's arrays. Errors: ExecutorError if the program ended, its answer
  /// makes no sense, or the table reported an error.
  virtual std::vector<std::uint64_t> compute(const Executor& on, std::span<const Record> cases,
                                             std::span<const std::size_t> numbers, const oracle::Format& format) = 0;
  /// Whether its arrays stand in fenced memory of this process (exec/fenced.hpp).
  [[nodiscard]] virtual bool has_places() const { return false; }
};

/// A kernel from outside this program: a function of a library, a program, or a control in place of one.
struct ForeignKernel {
  void* function = nullptr;
  CallForm form = CallForm::plain;
  bool on_device = false;  ///< its arrays are on a device
  void* handle = nullptr;  ///< the cuBLAS handle of the library, for the forms of cuBLAS
  std::shared_ptr<ForeignProgram> program = nullptr;
  std::optional<Control> control = std::nullopt;
};

/// The id that a contract has today: "batch_invariant" for "alone", every other for itself.
constexpr std::string_view contract_today(std::string_view id) { return id == "alone" ? "batch_invariant" : id; }
/// The older ids of a contract.
inline std::vector<std::string> older_names_of(std::string_view id) {
  if (id != contract_today("alone")) return {};
  return {"alone"};
}

/// One of the promises that a kernel may keep. Its claim has the same id.
struct Contract {
  std::string id;
  const TheoremWords* theorem;
  std::string instance = {};  ///< for which of its numbers the theorem is promised, "h = n − 1"; empty for all
  std::vector<std::string> implies = {};  ///< ids of contracts of the same operation that every kernel then keeps, too
  bool is_about_error = true;             ///< it refuses every control; a constant may keep other contracts
  std::vector<std::string> formats = {};  ///< formats for which it is promised; empty: all
  /// Contracts with one name here are conventions, and a kernel follows one of them: that it breaks the others means
  /// nothing.
  std::string choice = {};
  /// Asked where nothing is promised. Otherwise it is asked only where it is promised: no result tells it apart from
  /// the contracts beside it, so that it is the strongest of no kernel, or it needs calls of its own.
  bool is_rung = true;
  /// Of one that is no rung: the kernels that keep it and break all rungs about an error, in words. Empty: none.
  std::string kept_by = {};
  /// Whether it is promised for numbers of the format.
  [[nodiscard]] bool is_of(std::string_view format) const;
};

/// A function in one of its possible forms.
struct Signature {
  CallForm form;
  std::string declaration;  ///< in C, with T for the number type
};

/// The settings for judging a kernel from outside.
struct Question {
  std::string family = "subject";  ///< of the property: the kernel's name in reports
  std::string format = "f64";      ///< one of the operation's; "bf16:f32" for results in another format than the inputs
  bool is_open = false;  ///< no contract was promised: each is tested, and a broken one is a result, not a failure
  /// All inputs, if the operation numbers the inputs of the format; else a mixture of classes. Fewer than 2²⁰ inputs
  /// are always tested completely.
  bool is_exhaustive = false;
  bool on_device = false;   ///< the property runs on a device, and not on the host
  std::string shapes = {};  ///< shapes in place of small cases: a text that shapes_of() reads
  bool has_large = false;   ///< cases at three large shapes among the small ones, where the operation takes shapes
  /// The contracts that are promised; "*" for all. The claim of a contract that is tested on request alone, since it
  /// calls the kernel with data of other lengths or places, applies to no case of a question that does not name it.
  std::vector<std::string> promised = {};

  [[nodiscard]] bool names(std::string_view contract) const {
    return std::ranges::any_of(promised, [&](const std::string& each) { return each == "*" || each == contract; });
  }
};

/// An operation that a kernel from outside may compute.
struct Operation {
  std::string name;                   ///< "dot"
  std::string computes;               ///< "Σ xᵢyᵢ of two vectors of n numbers"
  std::vector<std::string> formats;   ///< "f64", "f32"
  std::vector<Signature> signatures;  ///< accepted
  std::vector<Contract> contracts;
  /// The property <family>.<name> or, for a format other than f64, <family>.<name>.<format>, with a claim for each
  /// contract. Requires: one of `formats`. A kernel without a function and without a control can be described, but not
  /// run.
  std::function<std::unique_ptr<PropertyModel>(const Question& question, const ForeignKernel& kernel)> property;
  bool returns_number = false;  ///< by value: there is no output array, and Control::unwritten is not used
  bool has_batches = false;     ///< of products; without batches Control::last_product is not used
  bool is_one_number =
      false;               ///< a formula's result: its first number is all of it, and Control::first_term is not used
  std::string graph = {};  ///< of a formula, as JSON

  /// The controls against which its contracts are tested.
  [[nodiscard]] std::vector<Control> controls() const;
  /// The contract of that id, today's or an older one, or nullptr.
  [[nodiscard]] const Contract* find(std::string_view id) const;
};

/// The operations of the program and of its library of operations (register_operations()), by name. Errors:
/// MissingLibrary.
std::vector<const Operation*> operations();
/// The operation of that name, or nullptr. Errors: MissingLibrary if the program does not have it, and the library of
/// operations cannot be loaded.
const Operation* find_operation(std::string_view name);
/// The same of the operations that are registered by now. No library is loaded.
const Operation* find_registered_operation(std::string_view name);

/// Loads the library of operations, if it is not loaded yet. Errors: MissingLibrary.
void load_operations();
/// Reads a formula, adds its operation to the program and returns its name. `path`: of the file, or a name; `shape`:
/// lengths of axes, or empty. Errors: MissingLibrary, formulas::FormulaError.
std::string add_formula(const std::string& path, const std::string& shape);
/// Sets the function that add_formula() calls.
void register_formulas(std::string (*add)(const std::string& path, const std::string& shape));

/// A namespace-scope OperationRegistration adds an operation to the program before main.
class OperationRegistration {
 public:
  /// Errors: std::logic_error for a name that is taken, or an implied contract that the operation does not have.
  explicit OperationRegistration(Operation operation);
};

/// The contracts of a kernel's ladder: the strongest ones that it kept, and the weakest ones that it broke, as ids in
/// the order of the operation.
struct Ladder {
  std::vector<std::string> kept;
  std::vector<std::string> broken;
};
/// kept[i] says whether contract i was kept; empty if that was not decided.
Ladder ladder_of(const Operation& operation, std::span<const std::optional<bool>> kept);
/// If a contract was broken, and none about an error was kept: those that were not asked and that some kernels keep all
/// the same, each with its `kept_by`.
std::vector<const Contract*> left_to_ask(const Operation& operation, std::span<const std::optional<bool>> kept);

}  // namespace assay
