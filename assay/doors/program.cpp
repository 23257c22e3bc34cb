#include "assay/doors/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "assay/doors/subject.hpp"
#include "assay/process/process.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::doors {
namespace {

static_assert(std::endian::native == std::endian::little, "frames hold numbers with the lowest byte first");

using Clock = std::chrono::steady_clock;

constexpr int protocol = 1;
constexpr std::chrono::seconds greeting_limit{60};
constexpr int exit_not_found = 127;

/// Both ends of a pipe.
std::pair<process::Descriptor, process::Descriptor> new_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw SubjectError(std::string("no pipe: ") + std::strerror(errno));
  constexpr int frame_of_vectors = 1 << 20;  // a whole frame goes through at once, where the system permits the size
  ::fcntl(ends[0], F_SETPIPE_SZ, frame_of_vectors);
  return {process::Descriptor(ends[0]), process::Descriptor(ends[1])};
}

template <class T>
void append(std::string& bytes, const T& value) {
  std::array<char, sizeof(T)> raw{};
  std::memcpy(raw.data(), &value, sizeof(T));
  bytes.append(raw.data(), raw.size());
}

/// The numbers of a field.
void append(std::string& bytes, const Words& words) {
  const std::size_t width = bytes_for_kernel(words.format);
  const std::size_t begin = bytes.size();
  bytes.resize(begin + words.bits.size() * width);
  char* to = bytes.data() + begin;
  for (const std::uint64_t each : words.bits) {
    std::memcpy(to, &each, width);
    to += width;
  }
}

/// The name of a format in a header.
const char* name_in_header(const oracle::Format& format) {
  constexpr std::array<std::pair<oracle::Format, const char*>, 6> names{{{oracle::binary64, "f64"},
                                                                         {oracle::binary32, "f32"},
                                                                         {oracle::binary16, "f16"},
                                                                         {oracle::bfloat16, "bf16"},
                                                                         {oracle::e4m3, "e4m3"},
                                                                         {oracle::e5m2, "e5m2"}}};
  return std::ranges::find(names, format, &std::pair<oracle::Format, const char*>::first)->second;
}

/// Whether the field is an integer or a list of integers.
bool are_integers(const FieldValue& field) {
  const auto* const words = std::get_if<Words>(&field.value);
  return words == nullptr || words->format == limb_format;
}

/// The frame of some cases: the length of the header in four bytes, the header, and field by field the values of all
/// cases. Where the fields have several formats, the header says which field has which. `values`: room for them, used
/// again. So is the frame.
void put_frame(std::span<const Record> cases, std::string& values, std::string& frame) {
  store::Json header{{"cases", cases.size()},
                     {"fields", store::Json::array()},
                     {"integers", store::Json::array()},
                     {"lengths", store::Json::object()}};
  values.clear();
  frame.clear();
  const Words* first = nullptr;
  bool is_mixed = false;
  store::Json formats = store::Json::object();
  for (const FieldValue& field : cases.front().fields) {
    if (are_integers(field)) continue;
    const auto* const words = std::get_if<Words>(&field.value);
    if (first == nullptr) first = words;
    is_mixed = is_mixed || words->format != first->format;
    formats[field.name] = name_in_header(words->format);
  }
  if (is_mixed) header["formats"] = std::move(formats);
  for (std::size_t f = 0; f < cases.front().fields.size(); ++f) {
    const std::string& name = cases.front().fields[f].name;
    header["fields"].push_back(name);
    if (are_integers(cases.front().fields[f])) header["integers"].push_back(name);
    store::Json lengths = store::Json::array();
    for (const Record& each : cases) {
      if (const auto* words = std::get_if<Words>(&each.fields[f].value)) {
        append(values, *words);
        if (words->shape != Words::Shape::scalar) lengths.push_back(words->bits.size());
      } else {
        append(values, std::get<std::int64_t>(each.fields[f].value));
      }
    }
    if (!lengths.empty()) header["lengths"][name] = std::move(lengths);
  }
  header["bytes"] = values.size();
  const std::string text = header.dump();
  append(frame, static_cast<std::uint32_t>(text.size()));
  frame.append(text).append(values);
}

class Program final : public ForeignProgram {
 public:
  Program(const std::string& command, const std::string& operation, const std::string& format)
      : Program(words_of_command(command), new_pipe(), new_pipe()) {
    std::string line;
    if (!write(store::Json{{"protocol", protocol}, {"operation", operation}, {"format", format}}.dump() + "\n") ||
        !read_line(line)) {
      throw SubjectError(command + ": " + ending());
    }
    const store::Json answer = store::Json::parse(line, nullptr, false);
    if (answer.is_object() && answer.contains("error")) {
      throw SubjectError(command + ": it says: " + text_of(answer.at("error")));
    }
    if (!answer.is_object() || !answer.contains("protocol") || answer.at("protocol") != protocol) {
      throw SubjectError(command + ": its first line is no answer of protocol " + std::to_string(protocol) + ": " +
                         line.substr(0, 80));
    }
  }

  std::vector<std::uint64_t> compute(const Executor& /*on*/, std::span<const Record> cases,
                                     std::span<const std::size_t> numbers_of_cases,
                                     const oracle::Format& format) override {
    if (cases.empty()) return {};
    const std::size_t numbers = std::accumulate(numbers_of_cases.begin(), numbers_of_cases.end(), std::size_t{0});
    std::uint32_t length = 0;
    put_frame(cases, values_, frame_);
    if (!write(frame_) || !read(&length, sizeof length)) throw ExecutorError(ending());
    constexpr std::uint32_t longest_header = 1U << 20;
    if (length > longest_header) throw ExecutorError("its answer is no frame: it begins with " + first_bytes(length));
    std::string text(length, '\0');
    if (!read(text.data(), text.size())) throw ExecutorError(ending());
    const store::Json header = store::Json::parse(text, nullptr, false);
    if (header.is_object() && header.contains("error")) throw ExecutorError("it says: " + text_of(header.at("error")));
    const auto width = static_cast<std::size_t>(format.width() / 8);
    if (!header.is_object() || !header.contains("bytes") || header.at("bytes") != numbers * width) {
      throw ExecutorError("its answer is no frame of " + std::to_string(numbers * width) +
                          " bytes: " + text.substr(0, 80));
    }
    std::vector<char> bytes(numbers * width);
    if (!read(bytes.data(), bytes.size())) throw ExecutorError(ending());
    std::vector<std::uint64_t> results(numbers);
    for (std::size_t i = 0; i < numbers; ++i) std::memcpy(&results[i], bytes.data() + i * width, width);
    return results;
  }

 private:
  using Pipe = std::pair<process::Descriptor, process::Descriptor>;

  /// `to` and `from`: pipes to the program's standard input and from its standard output.
  Program(const std::vector<std::string>& words, Pipe to, Pipe from)
      : child_(start(words, to.first.number(), from.second.number())),
        to_(std::move(to.second)),
        from_(std::move(from.first)) {}

  static process::Command start(const std::vector<std::string>& words, int input, int output) {
    std::signal(SIGPIPE, SIG_IGN);  // a program that ended is told of by write()
    process::Command command{"/proc/self/exe",
                             {"assay", "subject-program", std::to_string(::getpid())},
                             {{input, STDIN_FILENO}, {output, STDOUT_FILENO}}};
    command.words.insert(command.words.end(), words.begin(), words.end());
    return command;
  }

  /// The bytes of a length, as text where they are letters.
  static std::string first_bytes(std::uint32_t length) {
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    const auto is_text = [](char each) { return each >= ' ' && each <= '~'; };
    return std::all_of(bytes.begin(), bytes.end(), is_text) ? '"' + bytes + '"'
                                                            : "a header of " + std::to_string(length) + " bytes";
  }

  static std::string text_of(const store::Json& value) {
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    for (char& each : text) each = each == '\n' ? ' ' : each;
    return text;
  }

  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(to_.number(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  bool read(void* into, std::size_t size) const {
    auto* at = static_cast<char*>(into);
    while (size != 0) {
      const ssize_t got = ::read(from_.number(), at, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      at += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

  /// The line that the program greets with, within the limit.
  bool read_line(std::string& line) const {
    const Clock::time_point until = Clock::now() + greeting_limit;
    for (char next = 0; line.size() < 4096; line += next) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      pollfd ready{from_.number(), POLLIN, 0};
      if (::poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(0, left.count()))) <= 0 || !read(&next, 1)) {
        return false;
      }
      if (next == '\n') return true;
    }
    return true;
  }

  /// How the program ended, or that it did not answer.
  std::string ending() {
    const std::optional<int> status = child_.wait(std::chrono::seconds(1));
    if (!status) return "it gave no answer";
    if (WIFSIGNALED(*status)) return std::string("it was ended by SIG") + ::sigabbrev_np(WTERMSIG(*status));
    const int code = WEXITSTATUS(*status);
    return code == exit_not_found ? "it was not found, or may not be executed"
                                  : "it ended with exit code " + std::to_string(code);
  }

  process::Child child_;
  process::Descriptor to_;
  process::Descriptor from_;
  std::string values_;
  std::string frame_;
};

}  // namespace

std::vector<std::string> words_of_command(const std::string& command) {
  wordexp_t expanded{};
  if (::wordexp(command.c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF) != 0 || expanded.we_wordc == 0) {
    throw SubjectError("--subject " + command + ": no command of words; quote as in a shell, without $(…), ; | & < >");
  }
  std::vector<std::string> words(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
  ::wordfree(&expanded);
  return words;
}

std::shared_ptr<ForeignProgram> start_program(const std::string& command, const std::string& operation,
                                              const std::string& format) {
  try {
    return std::make_shared<Program>(command, operation, format);
  } catch (const SubjectError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw SubjectError(command + ": " + error.what());
  }
}

int become_program(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc < 2 || std::to_string(::getppid()) != argv[0]) return 1;  // the parent ended before
  std::signal(SIGPIPE, SIG_DFL);
  ::execvp(argv[1], argv + 1);
  return exit_not_found;
}

}  // namespace assay::doors
