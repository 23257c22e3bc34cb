#include "assay/process/wire.hpp"

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
/// each pattern (b for 1, …, q for 16), then the digits.
struct Patterns {
  static constexpr int longest = 16;
  static Json write(const std::vector<std::uint64_t>& patterns) {
    std::uint64_t all = 1;
    for (const std::uint64_t each : patterns) all |= each;
    const int digits = (static_cast<int>(std::bit_width(all)) + 3) / 4;
    std::string text;
    text.reserve(1 + patterns.size() * static_cast<std::size_t>(digits));
    text += static_cast<char>('a' + digits);
    for (const std::uint64_t each : patterns) {
      for (int i = digits - 1; i >= 0; --i) text += "0123456789abcdef"[each >> (4 * i) & 15];
    }
    return text;
  }
  static void read(const Json& value, const Place& place, std::vector<std::uint64_t>& into) {
    if (!value.is_string()) place.wrong("a text of bit patterns");
    const auto& text = value.get_ref<const std::string&>();
    const int digits = text.empty() ? 0 : text.front() - 'a';
    if (digits < 1 || digits > longest || (text.size() - 1) % static_cast<std::size_t>(digits) != 0) {
      place.wrong("a text of bit patterns");
    }
    into.resize((text.size() - 1) / static_cast<std::size_t>(digits));
    const char* at = text.data() + 1;
    for (std::uint64_t& each : into) {
      const char* const end = at + digits;
      if (std::from_chars(at, end, each, 16).ptr != end) place.wrong("a text of bit patterns");
      at = end;
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
                 field<List<OutcomeOfClaim>>("claims", &CaseOutcome::claims));
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

std::string line_of(const store::Json& value) { return value.dump() + "\n"; }

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
