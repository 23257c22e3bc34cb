#include "assay/doors/program.hpp"

#include <sys/prctl.h>
#include <unistd.h>
#include <wordexp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <utility>

#include "assay/doors/answers.hpp"
#include "assay/doors/subject.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::doors {
namespace {

static_assert(std::endian::native == std::endian::little, "frames hold numbers with the lowest byte first");

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
/// cases. Where the fields have several formats, the header says which field has which. `values`: a buffer for the
/// values, used again. The frame is used again, too.
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

/// A program that uses frames.
class Frames final : public ForeignProgram {
 public:
  Frames(const std::string& command, const std::string& operation, const std::string& format)
      : program_(command, operation, format, Speech::frames) {}

  std::vector<std::uint64_t> compute(const Executor& /*on*/, std::span<const Record> cases,
                                     std::span<const std::size_t> numbers_of_cases,
                                     const oracle::Format& format) override {
    if (cases.empty()) return {};
    const std::size_t numbers = std::accumulate(numbers_of_cases.begin(), numbers_of_cases.end(), std::size_t{0});
    put_frame(cases, values_, frame_);
    program_.write(frame_);
    return numbers_of_frame([this](void* into, std::size_t size) { program_.read(into, size); }, numbers, format);
  }

 private:
  Conversation program_;
  std::string values_;
  std::string frame_;
};

}  // namespace

std::vector<std::string> words_of_command(const std::string& command) {
  wordexp_t expanded{};
  if (::wordexp(command.c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF) != 0 || expanded.we_wordc == 0) {
    throw SubjectError("--subject " + command + ": not a command line; quote as in a shell, without $(…), ; | & < >");
  }
  std::vector<std::string> words(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
  ::wordfree(&expanded);
  return words;
}

std::shared_ptr<ForeignProgram> start_program(const std::string& command, const std::string& operation,
                                              const std::string& format, Speech speech) {
  try {
    if (speech == Speech::lines) return lines_of(command, operation, format);
    return std::make_shared<Frames>(command, operation, format);
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
