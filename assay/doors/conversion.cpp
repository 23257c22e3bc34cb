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
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/doors/program.hpp"
#include "assay/doors/table.hpp"
#include "assay/store/printable.hpp"
#include "exec/fenced.hpp"
#include "oracle/quantization.hpp"
#include "properties/framework/environment.hpp"
#include "properties/framework/limbs.hpp"

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

struct BlockFormats {
  const NumberFormat* from = nullptr;
  const oracle::BlockFormat* to = nullptr;
};
BlockFormats block_formats_of(std::string_view format) {
  const std::size_t colon = format.find(':');
  if (colon == std::string_view::npos) return {};
  return {oracle::find_number_format(format.substr(0, colon)), oracle::find_block_format(format.substr(colon + 1))};
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

bool is_quantizer(const Subject& subject) {
  return subject.operation == quantization_operation || subject.operation == quantization_with_words;
}
bool has_words(const Subject& subject) {
  return subject.operation == quantization_with_words || subject.operation == conversion_with_words;
}

/// The name of the operation in tables and programs.
std::string operation_of(const Subject& subject) {
  return std::string(is_quantizer(subject) ? quantization_operation : conversion_operation);
}

/// The format in tables and programs: "f32:mxfp4" also for "f32:mxfp4:tails".
std::string format_of(const Subject& subject) {
  const std::string& format = subject.question.format;
  return format.substr(0, format.find(':', format.find(':') + 1));
}

/// The number of bytes of each input and of each result.
struct Lengths {
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> results;
};
Lengths lengths_of(const Subject& subject, std::uint64_t word) {
  Lengths lengths;
  std::size_t count = word;
  if (is_quantizer(subject)) {
    const BlockFormats formats = block_formats_of(format_of(subject));
    const oracle::BlockSizes sizes = oracle::sizes_of(*formats.to, rows_of(word), columns_of(word));
    count = rows_of(word) * columns_of(word);
    lengths = {{count * formats.from->bytes()}, {sizes.codes, sizes.scales}};
    if (sizes.seconds != 0) lengths.results.push_back(sizes.seconds);
  } else {
    const Formats formats = formats_of(subject.question.format);
    lengths = {{formats.from->bytes_for(count)}, {formats.to->bytes_for(count)}};
  }
  if (has_words(subject)) lengths.inputs.push_back(count * sizeof(std::uint32_t));
  return lengths;
}

/// Calls a function of integers and pointers.
template <std::size_t... I, class... Integers>
void call(void* function, std::span<const void* const> pointers, std::index_sequence<I...>, Integers... integers) {
  reinterpret_cast<void (*)(Integers..., std::remove_cvref_t<decltype(pointers[I])>...)>(function)(integers...,
                                                                                                   pointers[I]...);
}
template <class... Integers>
void call(void* function, std::span<const void* const> pointers, Integers... integers) {
  switch (pointers.size()) {
    case 2:
      return call(function, pointers, std::make_index_sequence<2>(), integers...);
    case 3:
      return call(function, pointers, std::make_index_sequence<3>(), integers...);
    case 4:
      return call(function, pointers, std::make_index_sequence<4>(), integers...);
    case 5:
      return call(function, pointers, std::make_index_sequence<5>(), integers...);
    default:
      return call(function, pointers, std::make_index_sequence<6>(), integers...);
  }
}

Converting of_function(void* function, const Subject& subject) {
  return [function, is_quantizer = is_quantizer(subject), on_device = subject.question.on_device](
             Inputs inputs, std::uint64_t word, Results results) {
    std::vector<const void*> pointers(inputs.begin(), inputs.end());
    pointers.insert(pointers.end(), results.begin(), results.end());
    if (on_device) pointers.push_back(nullptr);  // CUDA's default stream
    if (is_quantizer) {
      call(function, pointers, rows_of(word), columns_of(word));
    } else {
      call(function, pointers, static_cast<std::size_t>(word));
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
  int code = format.is_integer() && format.is_signed && !format.is_pair ? kDLInt : kDLUInt;
  for (const auto& [name, of_float] : floats) {
    if (format.name == name) code = of_float;
  }
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * format.bytes()), 1};
}

/// The types of the lists that a table gets and returns.
struct Types {
  std::vector<DLDataType> inputs;
  std::vector<DLDataType> results;
};
Types types_of(const Subject& subject) {
  Types types;
  if (is_quantizer(subject)) {
    const BlockFormats formats = block_formats_of(format_of(subject));
    const oracle::BlockFormat& to = *formats.to;
    constexpr DLDataType byte{kDLUInt, 8, 1};
    types = {{type_of(*formats.from)},
             {to.is_packed() ? byte : type_of(to.element), to.blocks_in_record() > 1 ? byte : type_of(to.scale)}};
    if (to.second != nullptr) types.results.push_back(type_of(*to.second));
  } else {
    const Formats formats = formats_of(subject.question.format);
    types = {{type_of(*formats.from)}, {type_of(*formats.to)}};
  }
  if (has_words(subject)) types.inputs.push_back({kDLUInt, 32, 1});
  return types;
}

constexpr std::array<const char*, 2> input_names{"x", "words"};

/// The host, or the first device. Errors: ExecutorError if there is none.
Executor executor_of(const Subject& subject) {
  return placed(Executor::host(), subject.question.on_device ? Executor::Kind::cuda : Executor::Kind::host);
}

Converting of_table(const std::shared_ptr<const Table>& table, const Subject& subject) {
  return [table, subject, operation = operation_of(subject), format = format_of(subject), types = types_of(subject)](
             Inputs inputs, std::uint64_t word, Results results) {
    const Lengths lengths = lengths_of(subject, word);
    const Executor on = executor_of(subject);
    const DLDevice device{subject.question.on_device ? kDLCUDA : kDLCPU, std::max(0, on.device())};
    std::deque<std::array<std::int64_t, 2>> shapes;  // and strides
    const auto list = [&](const std::byte* data, std::size_t bytes, const DLDataType& type) {
      std::array<std::int64_t, 2>& shape = shapes.emplace_back();
      shape = {static_cast<std::int64_t>(8 * bytes / type.bits), 1};
      return DLTensor{const_cast<std::byte*>(data), device, 1, type, &shape[0], &shape[1], 0};
    };
    std::vector<assay_argument> arguments;
    std::array<std::int64_t, 2> rows_and_columns{static_cast<std::int64_t>(rows_of(word)),
                                                 static_cast<std::int64_t>(columns_of(word))};
    const auto add_integer = [&](const char* name, std::int64_t& value) {
      arguments.push_back({name, {&value, {kDLCPU, 0}, 0, {kDLInt, 64, 1}, nullptr, nullptr, 0}});
    };
    if (is_quantizer(subject)) {
      add_integer("rows", rows_and_columns[0]);
      add_integer("columns", rows_and_columns[1]);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      arguments.push_back({input_names.at(i), list(inputs[i], lengths.inputs[i], types.inputs[i])});
    }
    std::vector<DLTensor> out;
    for (std::size_t i = 0; i < results.size(); ++i) {
      out.push_back(list(results[i], lengths.results[i], types.results[i]));
    }
    table->run(on, {{operation.c_str(), format.c_str(), arguments.data(), arguments.size()}}, out);
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

/// The numbers of an array, `size` bytes each.
std::vector<std::uint64_t> numbers_of(const std::byte* array, std::size_t bytes, std::size_t size) {
  std::vector<std::uint64_t> numbers(bytes / size);
  for (std::size_t i = 0; i < numbers.size(); ++i) std::memcpy(&numbers[i], array + i * size, size);
  return numbers;
}

Converting of_program(const Subject& subject) {
  const bool has_matrix = is_quantizer(subject);
  const NumberFormat& from = *formats_of(subject.question.format).from;
  const std::shared_ptr<ForeignProgram> program =
      start_program(subject.source, operation_of(subject), format_of(subject), Speech::frames);
  return [program, subject, has_matrix, &from](Inputs inputs, std::uint64_t word, Results results) {
    const Lengths lengths = lengths_of(subject, word);
    Record record;
    if (has_matrix) {
      record.fields.push_back({"rows", static_cast<std::int64_t>(rows_of(word))});
      record.fields.push_back({"columns", static_cast<std::int64_t>(columns_of(word))});
    }
    const auto add_list = [&](std::size_t i, const oracle::Format& format, std::size_t size) {
      record.fields.push_back(
          {input_names.at(i), Words{format, Words::Shape::list, numbers_of(inputs[i], lengths.inputs[i], size)}});
    };
    add_list(0, carrier(from), from.bytes());
    if (inputs.size() > 1) add_list(1, limb_format, sizeof(std::uint32_t));
    const std::size_t bytes = std::accumulate(lengths.results.begin(), lengths.results.end(), std::size_t{0});
    const std::vector<std::uint64_t> answer =
        program->compute(Executor::host(), std::span(&record, 1), std::span(&bytes, 1), oracle::e5m2);
    auto next = answer.begin();
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (std::size_t k = 0; k < lengths.results[i]; ++k) results[i][k] = static_cast<std::byte>(*next++);
    }
  };
}

/// The library's function or table, or the program. Errors: SubjectError.
Converting opened(const Subject& subject) {
  if (!is_library(subject.source)) return of_program(subject);
  void* const library = ::dlopen(subject.source.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw SubjectError(subject.source + ": " + ::dlerror());
  const std::string operation = operation_of(subject);
  void* const get_table = subject.symbol.empty() ? ::dlsym(library, table_function) : nullptr;
  if (get_table != nullptr) {
    const auto table = std::make_shared<const Table>(
        subject.source, reinterpret_cast<decltype(&assay_subject_v1)>(get_table)(), subject.question.on_device);
    if (table->is_on_device() != subject.question.on_device)
      throw SubjectError("the kernels in the table of " + subject.source + " run on cuda only");
    const std::string format = format_of(subject);
    const auto kernels = table->kernels();
    if (std::ranges::find(kernels, std::pair(operation, format)) != kernels.end()) return of_table(table, subject);
    throw SubjectError("the table of " + subject.source + " has no " + operation + " in " + format);
  }
  const std::string symbol = subject.symbol.empty() ? operation : subject.symbol;
  void* const function = ::dlsym(library, symbol.c_str());
  if (function == nullptr) throw SubjectError(subject.source + ": it has no symbol " + symbol);
  return of_function(function, subject);
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

bool is_format_of_rules(std::string_view operation, std::string_view format) {
  if (operation == quantization_operation) {
    const BlockFormats formats = block_formats_of(format);
    return formats.from != nullptr && formats.to != nullptr;
  }
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
                                 std::span<const std::uint32_t> words, std::span<std::byte> results) {
  ask(std::uint64_t{rows} << 32 | columns, {inputs, std::as_bytes(words)}, results);
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
  Executor on = Executor::host();
  try {
    on = executor_of(*subject);
    convert = opened(*subject);
  } catch (const std::exception& error) {
    tell(error.what(), true);
    return 0;
  }
  fence.restore();
  if (!tell("", false)) return 1;
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
        given.emplace_back(of_inputs[i], on, inputs[i]);
        places.push_back(given.back().data());
      }
      std::deque<FencedArray<std::byte>> arrays;
      std::vector<std::byte*> results;
      for (std::size_t i = 0; i < lengths.results.size(); ++i) {
        arrays.emplace_back(of_results[i], on, std::vector(lengths.results[i], std::byte{0xFF}));
        results.push_back(arrays.back().data());
      }
      convert(places, word, results);
      wait(on);
      const bool is_same_environment = fence.restore();
      for (std::size_t i = 0; i < inputs.size(); ++i) given[i].check_input(on, inputs[i]);
      std::vector<std::byte> codes;
      for (FencedArray<std::byte>& each : arrays) {
        const std::vector<std::byte> part = each.take(on);
        codes.insert(codes.end(), part.begin(), part.end());
      }
      const Audit audit = on.audit();
      if (!is_same_environment || audit.guard_zone_violations != 0 || audit.input_changes != 0) {
        tell(!is_same_environment       ? "it changes the floating-point environment or the locale"
             : audit.input_changes != 0 ? "it writes to its input"
                                        : "it writes outside an array",
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
