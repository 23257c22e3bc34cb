#include "assay/process/wire.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>

#include "assay/store/documents.hpp"
#include "assay/store/probe_document.hpp"

namespace assay::store {

// Lists of values in order, without names.

struct FormatName {
  static Json write(const oracle::Format& format) { return oracle::name(format); }
  static void read(const Json& value, const Place& place, oracle::Format& into) {
    std::string name;
    Codec<std::string>::read(value, place, name);
    into = oracle::format_named(name);
  }
};

/// An enumerator by its number.
template <class Enum>
struct Ordinal {
  static Json write(Enum value) { return static_cast<int>(value); }
  static void read(const Json& value, const Place& place, Enum& into) {
    int number = 0;
    Codec<int>::read(value, place, number);
    into = static_cast<Enum>(number);
  }
};

/// Bit patterns as one text, a tenth as large as a list of integers: a letter for the number of hexadecimal digits of
/// each pattern (b for 1, …, q for 16), then the digits. Where few patterns follow one another again and again: a
/// capital letter, then the digits of each run's pattern and of its length.
struct Patterns {
  static constexpr int longest = 16;
  static constexpr int digits_of_length = 8;
  static constexpr std::uint64_t longest_run = (std::uint64_t{1} << (4 * digits_of_length)) - 1;
  static void put(std::uint64_t value, int digits, char*& at) {
    for (int i = digits - 1; i >= 0; --i) *at++ = "0123456789abcdef"[value >> (4 * i) & 15];
  }
  static Json write(const std::vector<std::uint64_t>& patterns) {
    std::uint64_t all = 1;
    std::uint64_t last = 0;
    std::size_t runs = 1;
    for (const std::uint64_t each : patterns) {
      all |= each;
      runs += each == last ? 0 : 1;
      last = each;
    }
    const int digits = (static_cast<int>(std::bit_width(all)) + 3) / 4;
    const bool in_runs =
        runs * static_cast<std::size_t>(digits + digits_of_length) < patterns.size() && patterns.size() <= longest_run;
    std::string text(1, static_cast<char>((in_runs ? 'A' : 'a') + digits));
    if (!in_runs) {
      text.resize(1 + patterns.size() * static_cast<std::size_t>(digits));
      char* at = text.data() + 1;
      for (const std::uint64_t each : patterns) put(each, digits, at);
      return text;
    }
    std::array<char, longest + digits_of_length> run;
    for (std::size_t i = 0; i < patterns.size();) {
      const std::size_t from = i;
      while (i < patterns.size() && patterns[i] == patterns[from]) ++i;
      char* at = run.data();
      put(patterns[from], digits, at);
      put(i - from, digits_of_length, at);
      text.append(run.data(), at);
    }
    return text;
  }
  static void read(const Json& value, const Place& place, std::vector<std::uint64_t>& into) {
    if (!value.is_string()) place.wrong("a text of bit patterns");
    const auto& text = value.get_ref<const std::string&>();
    const bool in_runs = !text.empty() && text.front() < 'a';
    const int digits = text.empty() ? 0 : text.front() - (in_runs ? 'A' : 'a');
    const auto step = static_cast<std::size_t>(digits + (in_runs ? digits_of_length : 0));
    if (digits < 1 || digits > longest || (text.size() - 1) % step != 0) place.wrong("a text of bit patterns");
    const char* at = text.data() + 1;
    const auto next = [&](int size) {
      std::uint64_t number = 0;
      if (std::from_chars(at, at + size, number, 16).ptr != at + size) place.wrong("a text of bit patterns");
      at += size;
      return number;
    };
    into.clear();
    if (!in_runs) into.reserve((text.size() - 1) / step);
    while (at != text.data() + text.size()) {
      const std::uint64_t pattern = next(digits);
      into.resize(into.size() + (in_runs ? next(digits_of_length) : 1), pattern);
    }
  }
};

template <>
struct Document<Words> {
  static constexpr auto what = "the words";
  static constexpr bool as_array = true;
  static constexpr auto fields =
      std::tuple(field<FormatName>("format", &Words::format), field<Ordinal<Words::Shape>>("shape", &Words::shape),
                 field<Patterns>("bits", &Words::bits));
};

template <>
struct Codec<std::variant<Words, std::int64_t>> {
  static Json write(const std::variant<Words, std::int64_t>& value) {
    const auto* const words = std::get_if<Words>(&value);
    return words != nullptr ? to_json(*words) : Json(std::get<std::int64_t>(value));
  }
  static void read(const Json& value, const Place& place, std::variant<Words, std::int64_t>& into) {
    if (value.is_array()) {
      into = read_json<Words>(value);
    } else if (value.is_number_integer()) {
      into = value.get<std::int64_t>();
    } else {
      place.wrong("words or an integer");
    }
  }
};

template <>
struct Document<FieldValue> {
  static constexpr auto what = "a field of a case";
  static constexpr bool as_array = true;
  static constexpr auto fields = std::tuple(field("name", &FieldValue::name), field("value", &FieldValue::value));
};

template <>
struct Document<Record> {
  static constexpr auto what = "a case";
  static constexpr bool as_array = true;
  static constexpr auto fields = std::tuple(field("fields", &Record::fields));
};

template <>
struct Document<ClaimOutcome> {
  static constexpr auto what = "the outcome of a claim";
  static constexpr bool as_array = true;
  static constexpr auto fields =
      std::tuple(field("applies", &ClaimOutcome::applies),
                 field<Ordinal<Verdict>>("verdict", [](auto& outcome) -> auto& { return outcome.judgement.verdict; }),
                 field<Ratio>("tightness", [](auto& outcome) -> auto& { return outcome.judgement.tightness; }),
                 field("component", [](auto& outcome) -> auto& { return outcome.judgement.component; }),
                 field("further", [](auto& outcome) -> auto& { return outcome.judgement.further; }),
                 field("exact", &ClaimOutcome::exact), field<Ulps>("ulps", &ClaimOutcome::ulps));
};

/// 0 for a claim that does not apply and has no other data: most claims of a case that one claim judges.
struct OutcomeOfClaim {
  static bool says_nothing(const ClaimOutcome& outcome) {
    const Judgement& judgement = outcome.judgement;
    return !outcome.applies && outcome.exact.empty() && !outcome.ulps && judgement.verdict == Judgement{}.verdict &&
           judgement.tightness == 0 && judgement.component == 0 && judgement.further == 0;
  }
  static Json write(const ClaimOutcome& outcome) { return says_nothing(outcome) ? Json(0) : to_json(outcome); }
  static void read(const Json& value, const Place&, ClaimOutcome& into) {
    if (value == 0) {
      into.applies = false;
    } else {
      into = read_json<ClaimOutcome>(value);
    }
  }
};

template <>
struct Document<CaseOutcome> {
  static constexpr auto what = "an outcome";
  static constexpr bool as_array = true;
  static constexpr auto fields =
      std::tuple(field("got", &CaseOutcome::got), field("components", &CaseOutcome::components),
                 field<List<OutcomeOfClaim>>("claims", &CaseOutcome::claims), field("cost", &CaseOutcome::cost));
};

template <>
struct Document<ClimbGoal> {
  static constexpr auto what = "the goal of a hunt";
  static constexpr bool as_array = true;
  static constexpr auto fields = std::tuple(field("claim", &ClimbGoal::claim), field("term", &ClimbGoal::term),
                                            field("blind", &ClimbGoal::blind), field("by_probe", &ClimbGoal::by_probe));
};

template <>
struct Document<Climber> {
  static constexpr auto what = "a climber";
  static constexpr bool as_array = true;
  static constexpr auto fields = std::tuple(
      field("at", &Climber::at), field<Ratio>("ratio", [](auto& climber) -> auto& { return climber.height.ratio; }),
      field("boundary", [](auto& climber) -> auto& { return climber.height.boundary; }), field("idle", &Climber::idle));
};

template <>
struct Document<ClimbState> {
  static constexpr auto what = "the state of a hunt";
  static constexpr bool as_array = true;
  static constexpr auto fields = std::tuple(
      field("random", &ClimbState::random), field("drawn", &ClimbState::drawn),
      field("evaluations", &ClimbState::evaluations), field("starts", &ClimbState::starts),
      field("climbers", &ClimbState::climbers), field("best", &ClimbState::best), field("terms", &ClimbState::terms),
      field("undecided", &ClimbState::undecided), field("first_undecided", &ClimbState::first_undecided));
};

template <>
struct Document<CaseRange> {
  static constexpr auto what = "a range of cases";
  static constexpr bool as_array = true;
  static constexpr auto fields = std::tuple(field("first", &CaseRange::first), field("stride", &CaseRange::stride),
                                            field("count", &CaseRange::count));
};

}  // namespace assay::store

namespace assay::process {

namespace {

/// A text of this length or more follows the document; in its place the document has an object with its length.
constexpr std::size_t long_text = 64;
constexpr auto length_of_text = "@";
/// Between the document, which has no tabulator, and the texts.
constexpr char end_of_document = '\t';

void take_long_texts(store::Json& value, std::string& texts) {
  if (value.is_structured()) {
    for (store::Json& each : value) take_long_texts(each, texts);
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() < long_text || text.find('\n') != std::string::npos) return;
    texts += text;
    value = store::Json{{length_of_text, text.size()}};
  }
}

void put_long_texts(store::Json& value, std::string_view& texts) {
  if (!value.is_structured()) return;
  if (value.is_object() && value.size() == 1 && value.contains(length_of_text)) {
    std::size_t length = 0;
    store::Codec<std::size_t>::read(value[length_of_text], {length_of_text, "a long text"}, length);
    if (length > texts.size()) throw store::JsonError("the text after the document is too short");
    value = std::string(texts.substr(0, length));
    texts.remove_prefix(length);
    return;
  }
  for (store::Json& each : value) put_long_texts(each, texts);
}

}  // namespace

std::string line_of(store::Json value) {
  std::string texts;
  take_long_texts(value, texts);
  std::string line = value.dump();
  if (!texts.empty()) (line += end_of_document) += texts;
  return line + '\n';
}

store::Json document_of(const std::string& line) {
  const std::size_t end = std::min(line.find(end_of_document), line.size());
  store::Json value = store::parse_json(line.substr(0, end));
  if (end == line.size()) return value;
  std::string_view texts = std::string_view(line).substr(end + 1);
  put_long_texts(value, texts);
  return value;
}

template <class T>
store::Json to_wire(const T& value) {
  return store::to_json(value);
}
template <class T>
T from_wire(const store::Json& value) {
  return store::read_json<T>(value);
}

namespace detail {

/// The use of their addresses keeps the functions in the object file.
template <class... T>
struct OnTheWire {
  static constexpr std::tuple functions{std::pair{&to_wire<T>, &from_wire<T>}...};
};

template struct OnTheWire<Words, Record, CaseOutcome, CaseRange, ClimbGoal, ClimbState, ProbeTally>;

}  // namespace detail

}  // namespace assay::process
