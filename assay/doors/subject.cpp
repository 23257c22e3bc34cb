#include "assay/doors/subject.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "assay/doors/conversion.hpp"
#include "assay/doors/program.hpp"
#include "assay/doors/table.hpp"
#include "assay/process/process.hpp"
#include "assay/store/json.hpp"
#include "assay/store/printable.hpp"
#include "properties/formulas/graph.hpp"
#include "properties/framework/environment.hpp"
#include "properties/framework/fnv.hpp"

namespace assay::doors {
namespace {

constexpr int answer_descriptor = 3;

/// The exit code of a process that has an answer and cannot write it.
constexpr int exit_no_answer = 113;
constexpr std::string_view cblas_front = "cblas_";
constexpr std::string_view cublas_front = "cublas";
constexpr std::string_view batched_end = "StridedBatched";

/// The text of dlerror() without the name of the library in front.
std::string loader_error(const std::string& library) {
  const char* const text = ::dlerror();
  std::string line = text == nullptr ? "not loaded" : text;
  if (const std::string front = library + ": "; line.starts_with(front)) line.erase(0, front.size());
  for (char& each : line) each = each == '\n' ? ' ' : each;
  return line;
}

/// The value of a variable of the environment; empty for none.
std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The processor that an ELF file was built for; empty for another file.
std::optional<std::uint16_t> machine_of(const std::string& file) {
  constexpr std::size_t place_of_machine = 18;
  std::array<char, place_of_machine + sizeof(std::uint16_t)> front{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(front.data(), front.size()) || std::string_view(front.data(), 4) != "\177ELF") return std::nullopt;
  std::uint16_t machine = 0;
  std::memcpy(&machine, front.data() + place_of_machine, sizeof machine);
  return machine;
}

/// The findings of the loader, and the contents of the library or the program.
struct Opened {
  std::vector<Loaded> kernels;
  std::string file;
  std::string description;
  std::shared_ptr<const Table> table;
};

void* symbol_of(void* library, const std::string& name) { return ::dlsym(library, name.c_str()); }

/// Whether the address of a symbol is the address of data, which cannot be called.
bool is_data(void* address) {
  Dl_info info{};
  void* extra = nullptr;
  if (::dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr) return false;
  const unsigned char kind = static_cast<const ElfW(Sym)*>(extra)->st_info & 0xf;
  return info.dli_saddr == address && (kind == STT_OBJECT || kind == STT_COMMON || kind == STT_TLS);
}

/// The file that holds the function.
std::string file_of(void* function) {
  Dl_info info{};
  return ::dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

/// A cuBLAS handle for functions of the form `cublas`: scalars on the host, no stream of its own. Errors: SubjectError.
void* cublas_handle(void* library, const std::string& source) {
  const auto call = [&](const char* name, auto... arguments) {
    void* const function = symbol_of(library, name);
    if (function == nullptr) throw SubjectError(source + ": it has no symbol " + name);
    const int status = reinterpret_cast<int (*)(decltype(arguments)...)>(function)(arguments...);
    if (status != 0) throw SubjectError(source + ": " + name + " returned status " + std::to_string(status));
  };
  constexpr int scalars_on_host = 0;
  void* handle = nullptr;
  call("cublasCreate_v2", &handle);
  call("cublasSetPointerMode_v2", handle, scalars_on_host);
  return handle;
}

/// A description of a cuBLAS: "cublas 130100; math_mode=0", as far as it is known, and the environment variables that
/// change its numbers.
std::string description_of_cublas(void* library, void* handle) {
  const auto number = [&](const char* name, const std::string& before) {
    int value = 0;
    void* const function = symbol_of(library, name);
    const bool is_told = function != nullptr && reinterpret_cast<int (*)(void*, int*)>(function)(handle, &value) == 0;
    return is_told ? before + std::to_string(value) : "";
  };
  std::string text = "cublas" + number("cublasGetVersion_v2", " ") + number("cublasGetMathMode", "; math_mode=");
  for (const std::string name : {"NVIDIA_TF32_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG", "CUBLAS_EMULATE_DOUBLE_PRECISION",
                                 "CUBLAS_EMULATION_STRATEGY"}) {
    if (std::getenv(name.c_str()) != nullptr) text += "; " + name + "=" + variable(name.c_str());
  }
  return text;
}

bool is_wanted(const std::string& asked, const std::string& each) { return asked.empty() || asked == each; }

/// The kernels of the library's table with the subject's operation and format, if it names them; none without a table.
Opened opened_table(void* library, const Subject& subject) {
  Opened opened;
  void* const get_table = symbol_of(library, table_function);
  if (get_table == nullptr) return opened;
  opened.file = file_of(get_table);
  opened.table = std::make_shared<Table>(subject.source, reinterpret_cast<decltype(&assay_subject_v1)>(get_table)(),
                                         subject.question.on_device);
  opened.description = opened.table->description();
  Question question = subject.question;
  question.on_device = opened.table->is_on_device();
  for (const auto& [operation, format] : opened.table->kernels()) {
    if (has_rules(operation)) continue;  // asked by ConversionProcess
    if (!is_wanted(subject.operation, operation) || !is_wanted(subject.question.format, format)) continue;
    question.format = format;
    const ForeignKernel kernel{.on_device = question.on_device, .program = kernel_of(opened.table, operation, format)};
    opened.kernels.push_back({operation, question, kernel});
  }
  return opened;
}

Opened opened_library(const Subject& subject) {
  ::dlerror();
  void* const library = ::dlopen(subject.source.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::optional<std::uint16_t> machine = machine_of(subject.source);
    throw SubjectError(subject.source + ": " +
                       (machine && machine != machine_of("/proc/self/exe")
                            ? "it is built for another processor (ELF machine " + std::to_string(*machine) + ")"
                            : loader_error(subject.source)));
  }
  if (subject.symbol.empty()) return opened_table(library, subject);
  const Operation* const operation = find_operation(subject.operation);
  if (operation == nullptr) throw SubjectError("no operation " + subject.operation);
  ForeignKernel kernel{.form = form_of(subject.symbol, *operation, subject.question.format, subject.question.on_device),
                       .on_device = subject.question.on_device};
  // In cuBLAS, the names without _v2 belong to functions of another form.
  if (is_of_cublas(kernel.form)) kernel.function = symbol_of(library, subject.symbol + "_v2");
  if (kernel.function == nullptr) kernel.function = symbol_of(library, subject.symbol);
  if (kernel.function == nullptr) throw SubjectError(subject.source + ": it has no symbol " + subject.symbol);
  if (is_data(kernel.function))
    throw SubjectError(subject.source + ": " + subject.symbol +
                       " is data, not a "
                       "function");
  std::string description;
  if (is_of_cublas(kernel.form)) {
    kernel.handle = cublas_handle(library, subject.source);
    description = description_of_cublas(library, kernel.handle);
  }
  return {{{subject.operation, subject.question, kernel}}, file_of(kernel.function), description, nullptr};
}

/// The library, loaded, or the program, started.
Opened opened_subject(const Subject& subject) {
  if (is_library(subject.source)) return opened_library(subject);
  // The greeting to the program describes the operation.
  if (find_operation(subject.operation) == nullptr) throw SubjectError("no operation " + subject.operation);
  auto program = start_program(subject.source, subject.operation, subject.question.format, subject.speech);
  return {{{subject.operation, subject.question, {.program = std::move(program)}}}, subject.source, "", nullptr};
}

store::Json json_of(const Tried& tried) {
  return {{"error", tried.error},
          {"file", tried.file},
          {"description", tried.description},
          {"changes_environment", tried.changes_environment},
          {"kernels", tried.kernels},
          {"runs_on_host", tried.runs_on_host},
          {"runs_on_device", tried.runs_on_device}};
}

Tried tried_of(const store::Json& json) {
  return {json.at("error"),   json.at("file"),         json.at("description"),   json.at("changes_environment"),
          json.at("kernels"), json.at("runs_on_host"), json.at("runs_on_device")};
}

/// The whole content of the file of a descriptor.
std::string content_of(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  ::lseek(descriptor, 0, SEEK_SET);
  for (ssize_t got = 0; (got = ::read(descriptor, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

/// The name of a file and a hash of its bytes; empty if no file of this name can be read.
std::optional<std::string> hashed(const std::string& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return std::nullopt;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(fnv1a(bytes)));
  return std::filesystem::path(file).filename().string() + ":" + digits.data();
}

constexpr const char* source_variable = "ASSAY_SUBJECT";
constexpr const char* text_variable = "ASSAY_TEXT";
constexpr const char* symbol_variable = "ASSAY_SYMBOL";
constexpr const char* operation_variable = "ASSAY_OPERATION";
constexpr const char* format_variable = "ASSAY_FORMAT";
constexpr const char* family_variable = "ASSAY_AS";
constexpr const char* exhaustive_variable = "ASSAY_EVERY_INPUT";
constexpr const char* promised_variable = "ASSAY_CONTRACTS";
constexpr const char* shape_variable = "ASSAY_SHAPE";
constexpr const char* large_variable = "ASSAY_LARGE_SHAPES";
constexpr const char* executor_variable = "ASSAY_ON";

}  // namespace

CallForm form_of(const std::string& symbol, bool on_device) {
  if (symbol.starts_with(cblas_front)) return CallForm::cblas;
  const bool has_letter =
      symbol.size() > cublas_front.size() && symbol[cublas_front.size()] >= 'A' && symbol[cublas_front.size()] <= 'Z';
  if (symbol.starts_with(cublas_front) && has_letter) {
    return symbol.ends_with(batched_end) ? CallForm::cublas_batched : CallForm::cublas;
  }
  if (symbol.ends_with("_")) return CallForm::fortran;
  return on_device ? CallForm::device : CallForm::plain;
}

std::string libm_name(const Operation& operation, const std::string& format) {
  if (std::ranges::find(operation.signatures, CallForm::libm, &Signature::form) == operation.signatures.end())
    return "";
  if (format == "f64") return operation.name;
  if (format == "f32") return operation.name + "f";
  return format == "f16" ? operation.name + "f16" : "";
}

CallForm form_of(const std::string& symbol, const Operation& operation, const std::string& format, bool on_device) {
  const std::string name = libm_name(operation, format);
  return !name.empty() && (symbol == name || symbol == "cr_" + name) ? CallForm::libm : form_of(symbol, on_device);
}

bool is_of_cublas(CallForm form) { return form == CallForm::cublas || form == CallForm::cublas_batched; }
bool is_on_device(CallForm form) { return form == CallForm::device || is_of_cublas(form); }

bool is_library(const std::string& source) {
  const std::string name = std::filesystem::path(source).filename().string();
  if (!name.ends_with(".so") && name.find(".so.") == std::string::npos) return false;
  std::error_code failed;
  return source.find(' ') == std::string::npos || std::filesystem::is_regular_file(source, failed);
}

std::string blas_name(const std::string& symbol) {
  std::string name = symbol;
  switch (form_of(symbol, false)) {
    case CallForm::cblas:
      name.erase(0, cblas_front.size());
      break;
    case CallForm::cublas_batched:
    case CallForm::cublas:
      if (name.ends_with(batched_end)) name.resize(name.size() - batched_end.size());
      name.erase(0, cublas_front.size());
      if (name.ends_with("_v2")) name.resize(name.size() - 3);
      name.front() = static_cast<char>(name.front() - 'A' + 'a');
      break;
    case CallForm::fortran:
      name.pop_back();
      break;
    case CallForm::plain:
    case CallForm::libm:
    case CallForm::device:
      break;
  }
  return name.size() > 1 ? name : symbol;
}

std::string format_of_symbol(const std::string& symbol, const Operation& operation) {
  for (const std::string& format : operation.formats) {
    if (form_of(symbol, operation, format, false) == CallForm::libm) return format;
  }
  return form_of(symbol, false) != CallForm::plain && blas_name(symbol).starts_with('s') ? "f32" : "f64";
}

std::vector<Loaded> load(const Subject& subject) {
  EnvironmentFence fence;
  Opened opened = opened_subject(subject);
  fence.restore();
  return std::move(opened.kernels);
}

Tried try_to_load(const Subject& subject, std::chrono::milliseconds limit) {
  const process::Descriptor answer(::memfd_create("answer", MFD_CLOEXEC));
  if (::write(answer.number(), " ", 1) != 1) {
    throw std::runtime_error(std::string("no file for the answer of a library: ") + std::strerror(errno) +
                             " (ulimit -f)");
  }
  put_into_environment(subject);
  process::Child child({"/proc/self/exe",
                        {"assay", "try-subject"},
                        {{answer.number(), answer_descriptor}, {STDERR_FILENO, STDOUT_FILENO}}});
  const std::optional<int> ended = child.wait(limit);
  Tried tried;
  if (!ended) {
    child.end();
    tried.error = subject.source + ": it was not ready within " + std::to_string(limit.count()) + " ms";
    return tried;
  }
  const store::Json told = store::Json::parse(content_of(answer.number()), nullptr, false);
  if (told.is_object()) return tried_of(told);
  if (!WIFSIGNALED(*ended) && process::exit_code_of(*ended) == exit_no_answer) {
    throw std::runtime_error("the process that tried " + subject.source + " could not write its answer");
  }
  tried.error =
      subject.source +
      (WIFSIGNALED(*ended)
           ? std::string(": a signal ended the process that loaded it (SIG") + ::sigabbrev_np(WTERMSIG(*ended))
           : ": it ended the process that loaded it (exit code " + std::to_string(process::exit_code_of(*ended))) +
      ")";
  return tried;
}

int try_main() {
  Tried tried;
  try {
    if (const std::optional<Subject> subject = subject_of_environment()) {
      EnvironmentFence fence;
      const Opened opened = opened_subject(*subject);
      tried.changes_environment = !fence.restore();
      tried.file = opened.file;
      tried.description = opened.description;
      if (opened.table != nullptr) {
        tried.kernels = opened.table->kernels();
        tried.runs_on_host = opened.table->runs_on_host();
        tried.runs_on_device = opened.table->runs_on_device();
      }
    }
  } catch (const SubjectError& error) {
    tried.error = store::printable(error.what());
  }
  const std::string text = json_of(tried).dump(-1, ' ', false, store::Json::error_handler_t::replace);
  const bool written = ::write(answer_descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  std::_Exit(written ? 0 : exit_no_answer);
}

std::optional<Subject> subject_of_environment() {
  const std::string formula = variable("ASSAY_FORMULA");
  if (!formula.empty() && !variable(source_variable).empty()) {
    try {
      add_formula(formula, variable(shape_variable));
    } catch (const formulas::FormulaError& error) {
      throw SubjectError(error.what());
    }
  }
  Subject subject{variable(source_variable), variable(symbol_variable), variable(operation_variable), {}};
  subject.question.format = variable(format_variable);
  subject.question.is_exhaustive = !variable(exhaustive_variable).empty();
  std::istringstream promised(variable(promised_variable));
  for (std::string each; promised >> each;) subject.question.promised.push_back(each);
  if (const std::string family = variable(family_variable); !family.empty()) subject.question.family = family;
  subject.question.shapes = variable(shape_variable);
  subject.question.has_large = !variable(large_variable).empty();
  subject.question.on_device = variable(executor_variable) == "cuda";
  if (variable(text_variable) == "true") subject.speech = Speech::lines;
  if (subject.source.empty()) return std::nullopt;
  return subject;
}

void put_into_environment(const Subject& subject) {
  ::setenv(source_variable, subject.source.c_str(), 1);
  ::setenv(text_variable, subject.speech == Speech::lines ? "true" : "false", 1);
  ::setenv(symbol_variable, subject.symbol.c_str(), 1);
  ::setenv(operation_variable, subject.operation.c_str(), 1);
  ::setenv(format_variable, subject.question.format.c_str(), 1);
  ::setenv(family_variable, subject.question.family.c_str(), 1);
  ::setenv(exhaustive_variable, subject.question.is_exhaustive ? "1" : "", 1);
  std::string promised;
  for (const std::string& each : subject.question.promised) promised += each + " ";
  ::setenv(promised_variable, promised.c_str(), 1);
  ::setenv(shape_variable, subject.question.shapes.c_str(), 1);
  ::setenv(large_variable, subject.question.has_large ? "1" : "", 1);
  ::setenv(executor_variable, subject.question.on_device ? "cuda" : "host", 1);
}

void register_kernel(const Loaded& loaded) {
  const Operation* const operation = find_operation(loaded.operation);
  if (operation == nullptr) throw std::logic_error("no operation " + loaded.operation);
  register_property(operation->property(loaded.question, loaded.kernel));
}

std::string identity_of(const std::string& source) {
  if (is_library(source)) {
    const std::optional<std::string> name = hashed(source);
    if (!name) throw SubjectError(source + ": not readable");
    return *name;
  }
  std::string identity;
  for (const std::string& word : words_of_command(source)) {
    identity += (identity.empty() ? "" : " ") + hashed(word).value_or(word);
  }
  return identity;
}

}  // namespace assay::doors
