#include "assay/doors/subject.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "assay/doors/program.hpp"
#include "assay/process/process.hpp"
#include "properties/framework/fnv.hpp"

namespace assay::doors {
namespace {

constexpr int answer_descriptor = 3;
constexpr std::chrono::seconds load_limit{70};

/// What dlerror() says, without the name of the library in front.
std::string loader_error(const std::string& library) {
  const char* const text = ::dlerror();
  std::string line = text == nullptr ? "not loaded" : text;
  if (const std::string front = library + ": "; line.starts_with(front)) line.erase(0, front.size());
  for (char& each : line) each = each == '\n' ? ' ' : each;
  return line;
}

/// The kernel, loaded or started. `file`: where the loader found the library; the command of a program.
ForeignKernel loaded(const Subject& subject, std::string* file) {
  if (!is_library(subject.source)) {
    if (file != nullptr) *file = subject.source;
    return {.program = start_program(subject.source, subject.operation, subject.question.format)};
  }
  ::dlerror();
  void* const library = ::dlopen(subject.source.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw SubjectError(subject.source + ": " + loader_error(subject.source));
  void* const function = ::dlsym(library, subject.symbol.c_str());
  if (function == nullptr) throw SubjectError(subject.source + ": it has no symbol " + subject.symbol);
  Dl_info info{};
  if (file != nullptr && ::dladdr(function, &info) != 0 && info.dli_fname != nullptr) *file = info.dli_fname;
  const Operation* const operation = find_operation(subject.operation);
  if (operation == nullptr) throw SubjectError("no operation " + subject.operation);
  return {.function = function, .form = form_of(subject.symbol, *operation, subject.question.format)};
}

/// Everything that stands in the file of a descriptor.
std::string content_of(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  ::lseek(descriptor, 0, SEEK_SET);
  for (ssize_t got = 0; (got = ::read(descriptor, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

/// The name of a file and a hash of its bytes; nothing where no file of this name can be read.
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
constexpr const char* symbol_variable = "ASSAY_SYMBOL";
constexpr const char* operation_variable = "ASSAY_OPERATION";
constexpr const char* format_variable = "ASSAY_FORMAT";
constexpr const char* family_variable = "ASSAY_AS";
constexpr const char* exhaustive_variable = "ASSAY_EVERY_INPUT";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

CallForm form_of(const std::string& symbol) {
  if (symbol.starts_with("cblas_")) return CallForm::cblas;
  return symbol.ends_with("_") ? CallForm::fortran : CallForm::plain;
}

std::string libm_name(const Operation& operation, const std::string& format) {
  if (std::ranges::find(operation.signatures, CallForm::libm, &Signature::form) == operation.signatures.end())
    return "";
  if (format == "f64") return operation.name;
  if (format == "f32") return operation.name + "f";
  return format == "f16" ? operation.name + "f16" : "";
}

CallForm form_of(const std::string& symbol, const Operation& operation, const std::string& format) {
  const std::string name = libm_name(operation, format);
  return !name.empty() && (symbol == name || symbol == "cr_" + name) ? CallForm::libm : form_of(symbol);
}

bool is_library(const std::string& source) {
  const std::string name = std::filesystem::path(source).filename().string();
  return name.find(' ') == std::string::npos && (name.ends_with(".so") || name.find(".so.") != std::string::npos);
}

std::string blas_name(const std::string& symbol) {
  constexpr std::string_view cblas = "cblas_";
  std::string name = symbol;
  if (name.starts_with(cblas)) {
    name.erase(0, cblas.size());
  } else if (name.ends_with('_')) {
    name.pop_back();
  }
  return name.size() > 1 ? name : symbol;
}

std::string format_of_symbol(const std::string& symbol, const Operation& operation) {
  for (const std::string& format : operation.formats) {
    if (form_of(symbol, operation, format) == CallForm::libm) return format;
  }
  return form_of(symbol) != CallForm::plain && blas_name(symbol).starts_with('s') ? "f32" : "f64";
}

ForeignKernel load(const Subject& subject) { return loaded(subject, nullptr); }

Tried try_to_load(const Subject& subject) {
  const process::Descriptor answer(::memfd_create("answer", MFD_CLOEXEC));
  put_into_environment(subject);
  process::Child child({"/proc/self/exe",
                        {"assay", "try-subject"},
                        {{answer.number(), answer_descriptor}, {STDERR_FILENO, STDOUT_FILENO}}});
  const std::optional<int> ended = child.wait(load_limit);
  if (!ended) {
    child.end();
    return {subject.source + ": it was not ready within " + std::to_string(load_limit.count()) + " s", ""};
  }
  const std::string told = content_of(answer.number());
  if (told.starts_with("loaded ")) return {"", told.substr(std::string_view("loaded ").size())};
  if (!told.empty()) return {told, ""};
  if (WIFSIGNALED(*ended)) {
    return {
        subject.source + ": a signal ended the process that loaded it (SIG" + ::sigabbrev_np(WTERMSIG(*ended)) + ")",
        ""};
  }
  return {subject.source + ": it ended the process that loaded it (exit code " +
              std::to_string(process::exit_code_of(*ended)) + ")",
          ""};
}

int try_main() {
  std::string told;
  try {
    const std::optional<Subject> subject = subject_of_environment();
    std::string file;
    if (subject) loaded(*subject, &file);
    told = "loaded " + file;
  } catch (const SubjectError& error) {
    told = error.what();
  }
  const bool written = ::write(answer_descriptor, told.data(), told.size()) == static_cast<ssize_t>(told.size());
  std::_Exit(written ? 0 : 1);
}

std::optional<Subject> subject_of_environment() {
  Subject subject{variable(source_variable), variable(symbol_variable), variable(operation_variable), {}};
  subject.question.format = variable(format_variable);
  subject.question.is_exhaustive = !variable(exhaustive_variable).empty();
  if (const std::string family = variable(family_variable); !family.empty()) subject.question.family = family;
  if (subject.source.empty() || subject.operation.empty()) return std::nullopt;
  return subject;
}

void put_into_environment(const Subject& subject) {
  ::setenv(source_variable, subject.source.c_str(), 1);
  ::setenv(symbol_variable, subject.symbol.c_str(), 1);
  ::setenv(operation_variable, subject.operation.c_str(), 1);
  ::setenv(format_variable, subject.question.format.c_str(), 1);
  ::setenv(family_variable, subject.question.family.c_str(), 1);
  ::setenv(exhaustive_variable, subject.question.is_exhaustive ? "1" : "", 1);
}

void register_subject(const Subject& subject, const ForeignKernel& kernel) {
  const Operation* const operation = find_operation(subject.operation);
  if (operation == nullptr) throw std::logic_error("no operation " + subject.operation);
  register_property(operation->property(subject.question, kernel));
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
