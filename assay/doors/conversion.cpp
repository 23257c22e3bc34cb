#include "assay/doors/conversion.hpp"

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/doors/program.hpp"
#include "assay/doors/table.hpp"
#include "assay/store/printable.hpp"
#include "exec/fenced.hpp"
#include "oracle/quantization.hpp"
#include "properties/framework/environment.hpp"

namespace assay::doors {
namespace {

using Clock = std::chrono::steady_clock;
using oracle::NumberFormat;

constexpr int descriptor = 3;

struct Formats {
  const NumberFormat* from = nullptr;
  const NumberFormat* to = nullptr;
};
Formats formats_of(std::string_view format) {
  const std::size_t colon = format.find(':');
  if (colon == std::string_view::npos) return {};
  return {oracle::find_number_format(format.substr(0, colon)), oracle::find_number_format(format.substr(colon + 1))};
}

/// An answer begins with a word, the length of the rest: even before codes, odd before the reason why there are none.
std::string framed(std::string_view bytes, bool is_error) {
  const std::uint64_t word = 2 * bytes.size() + (is_error ? 1 : 0);
  std::string frame(sizeof word, '\0');
  std::memcpy(frame.data(), &word, sizeof word);
  return frame.append(bytes);
}

/// Converts arrays that lie between protected pages. The word is a count, or rows · 2^32 + columns.
using Results = std::span<std::byte* const>;
using Inputs = std::span<const std::byte* const>;
using Converting = std::function<void(Inputs inputs, std::uint64_t word, Results results)>;

constexpr std::size_t rows_of(std::uint64_t word) { return word >> 32; }
constexpr std::size_t columns_of(std::uint64_t word) { return word & 0xFFFFFFFF; }

/// The number of bytes of each input and of each result.
struct Lengths {
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> results;
};
Lengths lengths_of(const Subject& subject, std::uint64_t word) {
  const std::string& format = subject.question.format;
  if (subject.operation != quantization_operation) {
    const Formats formats = formats_of(format);
    Lengths lengths{{word * formats.from->bytes()}, {word * formats.to->bytes()}};
    if (subject.operation == conversion_with_words) lengths.inputs.push_back(word * sizeof(std::uint32_t));
    return lengths;
  }
  const std::size_t colon = format.find(':');
  const std::string target = format.substr(colon + 1, format.find(':', colon + 1) - colon - 1);  // without ":tails"
  const oracle::BlockSizes sizes =
      oracle::sizes_of(*oracle::find_block_format(target), rows_of(word), columns_of(word));
  Lengths lengths{{rows_of(word) * columns_of(word) * oracle::find_number_format(format.substr(0, colon))->bytes()},
                  {sizes.codes, sizes.scales}};
  if (sizes.seconds != 0) lengths.results.push_back(sizes.seconds);
  return lengths;
}

Converting of_function(void* function) {
  return [call = reinterpret_cast<void (*)(std::size_t, const void*, void*)>(function)](
             Inputs inputs, std::uint64_t word, Results results) { call(word, inputs[0], results[0]); };
}

Converting of_function_with_words(void* function) {
  return [call = reinterpret_cast<void (*)(std::size_t, const void*, const void*, void*)>(function)](
             Inputs inputs, std::uint64_t word, Results results) { call(word, inputs[0], inputs[1], results[0]); };
}

Converting of_quantizer(void* function) {
  return [function](Inputs inputs, std::uint64_t word, Results results) {
    using WithTwo = void (*)(std::size_t, std::size_t, const void*, void*, void*);
    using WithThree = void (*)(std::size_t, std::size_t, const void*, void*, void*, void*);
    if (results.size() == 2) {
      reinterpret_cast<WithTwo>(function)(rows_of(word), columns_of(word), inputs[0], results[0], results[1]);
    } else {
      reinterpret_cast<WithThree>(function)(rows_of(word), columns_of(word), inputs[0], results[0], results[1],
                                            results[2]);
    }
  };
}

DLDataType type_of(const NumberFormat& format) {
  constexpr std::array<std::pair<std::string_view, int>, 6> floats{{{"f64", kDLFloat},
                                                                    {"f32", kDLFloat},
                                                                    {"f16", kDLFloat},
                                                                    {"bf16", kDLBfloat},
                                                                    {"e4m3fn", kDLFloat8_e4m3fn},
                                                                    {"e5m2", kDLFloat8_e5m2}}};
  int code = format.is_integer() && format.is_signed ? kDLInt : kDLUInt;
  for (const auto& [name, of_float] : floats) {
    if (format.name == name) code = of_float;
  }
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * format.bytes()), 1};
}

Converting of_table(const std::shared_ptr<const Table>& table, const std::string& format) {
  return [table, format, formats = formats_of(format)](Inputs inputs, std::uint64_t count, Results results) {
    std::int64_t shape = static_cast<std::int64_t>(count);
    std::int64_t stride = 1;
    const auto tensor = [&](void* data, const NumberFormat& of) {
      return DLTensor{data, {kDLCPU, 0}, 1, type_of(of), &shape, &stride, 0};
    };
    const assay_argument x{"x", tensor(const_cast<std::byte*>(inputs[0]), *formats.from)};
    const std::vector<assay_args> cases{{conversion_operation.data(), format.c_str(), &x, 1}};
    std::vector<DLTensor> out{tensor(results[0], *formats.to)};
    table->run(Executor::host(), cases, out);
  };
}

/// A format of the oracle whose numbers have as many bytes: the protocol of programs passes bit patterns.
oracle::Format carrier(const NumberFormat& format) {
  constexpr std::array carriers{oracle::e5m2, oracle::binary16, oracle::binary32, oracle::binary64};
  for (const oracle::Format& each : carriers) {
    if (static_cast<std::size_t>(each.width()) == 8 * format.bytes()) return each;
  }
  throw SubjectError("no numbers of the required size in bytes");
}

Converting of_program(const Subject& subject) {
  const Formats formats = formats_of(subject.question.format);
  const std::shared_ptr<ForeignProgram> program =
      start_program(subject.source, std::string(conversion_operation), subject.question.format, Speech::frames);
  return [program, formats](Inputs inputs, std::uint64_t word, Results arrays) {
    const std::size_t count = word;
    Words x{carrier(*formats.from), Words::Shape::list, std::vector<std::uint64_t>(count)};
    const std::size_t from = formats.from->bytes();
    const std::size_t to = formats.to->bytes();
    for (std::size_t i = 0; i < count; ++i) std::memcpy(&x.bits[i], inputs[0] + i * from, from);
    const Record record{{{"x", std::move(x)}}};
    const std::vector<std::uint64_t> results =
        program->compute(Executor::host(), std::span(&record, 1), std::span(&count, 1), carrier(*formats.to));
    for (std::size_t i = 0; i < count; ++i) std::memcpy(arrays[0] + i * to, &results.at(i), to);
  };
}

/// The library's function or table, or the program. Errors: SubjectError.
Converting opened(const Subject& subject) {
  const bool is_quantizer = subject.operation == quantization_operation;
  const bool has_words = subject.operation == conversion_with_words;
  if (!is_library(subject.source)) {
    if (is_quantizer) throw SubjectError("a quantizer is a function of a library");
    if (has_words) throw SubjectError("a conversion that takes random words is a function of a library");
    return of_program(subject);
  }
  void* const library = ::dlopen(subject.source.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw SubjectError(subject.source + ": " + ::dlerror());
  void* const get_table =
      subject.symbol.empty() && !is_quantizer && !has_words ? ::dlsym(library, table_function) : nullptr;
  if (get_table != nullptr) {
    const auto table = std::make_shared<const Table>(subject.source,
                                                     reinterpret_cast<decltype(&assay_subject_v1)>(get_table)(), false);
    for (const auto& [operation, format] : table->kernels()) {
      if (operation == conversion_operation && format == subject.question.format) return of_table(table, format);
    }
    throw SubjectError("the table of " + subject.source + " has no convert in " + subject.question.format);
  }
  const std::string operation(is_quantizer ? quantization_operation : conversion_operation);
  const std::string symbol = subject.symbol.empty() ? operation : subject.symbol;
  void* const function = ::dlsym(library, symbol.c_str());
  if (function == nullptr) throw SubjectError(subject.source + ": it has no symbol " + symbol);
  if (is_quantizer) return of_quantizer(function);
  return has_words ? of_function_with_words(function) : of_function(function);
}

std::array<int, 2> new_sockets() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw SubjectError(std::string("no socket: ") + std::strerror(errno));
  }
  return ends;
}

bool read_all(int socket, void* into, std::size_t size) {
  auto* at = static_cast<char*>(into);
  while (size != 0) {
    const ssize_t got = ::recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool is_conversion_format(std::string_view format) {
  const Formats formats = formats_of(format);
  return formats.from != nullptr && formats.to != nullptr;
}

ConversionProcess::ConversionProcess(const Subject& subject, std::chrono::milliseconds to_load,
                                     std::chrono::milliseconds to_answer)
    : ConversionProcess(subject, to_load, to_answer, new_sockets()) {}

ConversionProcess::ConversionProcess(const Subject& subject, std::chrono::milliseconds to_load,
                                     std::chrono::milliseconds to_answer, std::array<int, 2> ends)
    : to_answer_(to_answer), socket_(ends[0]) {
  const process::Descriptor other(ends[1]);
  put_into_environment(subject);
  child_ = std::make_unique<process::Child>(
      process::Command{"/proc/self/exe",
                       {"assay", std::string(convert_command)},
                       {{other.number(), descriptor}, {STDERR_FILENO, STDOUT_FILENO}}});
  try {
    receive({}, to_load);
  } catch (const ExecutorError& error) {
    throw SubjectError(error.what());
  }
}

void ConversionProcess::read(void* into, std::size_t size, Clock::time_point until) {
  auto* at = static_cast<char*>(into);
  while (size != 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    pollfd ready{socket_.number(), POLLIN, 0};
    const int count = ::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) throw ExecutorError("it gave no answer in time");
    const ssize_t got = ::recv(socket_.number(), at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      const int status = child_->wait();
      throw ExecutorError(WIFSIGNALED(status)
                              ? std::string("it was ended by SIG") + ::sigabbrev_np(WTERMSIG(status))
                              : "it ended with exit code " + std::to_string(process::exit_code_of(status)));
    }
    at += got;
    size -= static_cast<std::size_t>(got);
  }
}

void ConversionProcess::receive(std::span<std::byte> codes, std::chrono::milliseconds limit) {
  const Clock::time_point until = Clock::now() + limit;
  std::uint64_t word = 0;
  read(&word, sizeof word, until);
  if (word % 2 != 0) {
    std::string reason(word / 2, '\0');
    read(reason.data(), reason.size(), until);
    throw ExecutorError(store::printable(reason));
  }
  read(codes.data(), codes.size(), until);
}

void ConversionProcess::convert(std::span<const std::byte> inputs, std::size_t count, std::span<std::byte> codes) {
  ask(count, {inputs}, codes);
}

void ConversionProcess::convert(std::span<const std::byte> inputs, std::span<const std::uint32_t> words,
                                std::span<std::byte> codes) {
  ask(words.size(), {inputs, std::as_bytes(words)}, codes);
}

void ConversionProcess::quantize(std::size_t rows, std::size_t columns, std::span<const std::byte> inputs,
                                 std::span<std::byte> results) {
  ask(std::uint64_t{rows} << 32 | columns, {inputs}, results);
}

void ConversionProcess::ask(std::uint64_t word, std::initializer_list<std::span<const std::byte>> inputs,
                            std::span<std::byte> results) {
  const auto send = [&](std::span<const std::byte> bytes) {
    return process::send_all(socket_.number(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  const bool is_sent = send(std::as_bytes(std::span(&word, 1))) && std::ranges::all_of(inputs, send);
  if (!is_sent) {
    std::byte unused{};
    read(&unused, 1, Clock::now() + to_answer_);  // describes how it ended
  }
  receive(results, to_answer_);
}

int convert_main() {
  const std::optional<Subject> subject = subject_of_environment();
  if (!subject) return 1;
  const auto tell = [](std::string_view bytes, bool is_error) {
    return process::send_all(descriptor, framed(bytes, is_error));
  };
  EnvironmentFence fence;
  Converting convert;
  try {
    convert = opened(*subject);
  } catch (const std::exception& error) {
    tell(error.what(), true);
    return 0;
  }
  fence.restore();
  if (!tell("", false)) return 1;
  const Executor host = Executor::host();
  std::array<FencedMemory, 2> of_inputs;
  std::array<FencedMemory, 3> of_results;
  for (std::uint64_t word = 0; read_all(descriptor, &word, sizeof word);) {
    const Lengths lengths = lengths_of(*subject, word);
    std::vector<std::vector<std::byte>> inputs;
    for (const std::size_t length : lengths.inputs) {
      inputs.emplace_back(length);
      if (!read_all(descriptor, inputs.back().data(), length)) return 1;
    }
    try {
      std::deque<FencedArray<std::byte>> given;
      std::vector<const std::byte*> places;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        given.emplace_back(of_inputs[i], host, inputs[i]);
        places.push_back(given.back().data());
      }
      std::deque<FencedArray<std::byte>> arrays;
      std::vector<std::byte*> results;
      for (std::size_t i = 0; i < lengths.results.size(); ++i) {
        arrays.emplace_back(of_results[i], host, std::vector(lengths.results[i], std::byte{0xFF}));
        results.push_back(arrays.back().data());
      }
      convert(places, word, results);
      const bool is_same_environment = fence.restore();
      for (std::size_t i = 0; i < inputs.size(); ++i) given[i].check_input(host, inputs[i]);
      std::vector<std::byte> codes;
      for (FencedArray<std::byte>& each : arrays) {
        const std::vector<std::byte> part = each.take(host);
        codes.insert(codes.end(), part.begin(), part.end());
      }
      const Audit audit = host.audit();
      if (!is_same_environment || audit.guard_zone_violations != 0 || audit.input_changes != 0) {
        tell(!is_same_environment       ? "it changes the floating-point environment or the locale"
             : audit.input_changes != 0 ? "it writes to its input"
                                        : "it writes before the start of an array",
             true);
        return 0;
      }
      if (!tell({reinterpret_cast<const char*>(codes.data()), codes.size()}, false)) return 1;
    } catch (const std::exception& error) {
      tell(error.what(), true);
      return 0;
    }
  }
  return 0;
}

}  // namespace assay::doors
