#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/bits/traits.hpp"
#include "arith/fields.hpp"
#include "arith/float/error_free.hpp"
#include "arith/words/double_word.hpp"
#include "arith/words/quad_double.hpp"
#include "arith/words/triple_word.hpp"
#include "oracle/decode.hpp"
#include "properties/framework/record.hpp"

namespace assay {

/// A number type that arith knows: double, float or a SmallFloat.
template <class T>
concept FloatingPoint = requires { FloatTraits<T>::precision; };

/// Whether `format` is the oracle's format of this name, or the oracle has no format of this name.
constexpr bool agrees_with_oracle(std::string_view name, const oracle::Format& format) {
  for (const auto& [known, expected] : oracle::named_formats) {
    if (name == known) return format == expected;
  }
  return true;
}

/// The oracle's description of T. The oracle decodes bit patterns by it and uses none of our conversions. It does not
/// compile if the traits of T describe another format than the oracle's of the same name.
template <FloatingPoint T>
constexpr oracle::Format format_of() {
  using Traits = FloatTraits<T>;
  constexpr oracle::Format format{
      Traits::precision, Traits::emin, Traits::emax,
      Traits::specials == Specials::ieee ? oracle::Specials::ieee : oracle::Specials::finite_nan};
  static_assert(agrees_with_oracle(Traits::name, format),
                "the traits of a number type differ from the oracle's format of that name");
  return format;
}

template <FloatingPoint T>
constexpr std::uint64_t bits_of(T x) {
  return static_cast<std::uint64_t>(to_bits(x));
}

template <FloatingPoint T>
constexpr T number_of(std::uint64_t bits) {
  return from_bits<T>(static_cast<typename FloatTraits<T>::Bits>(bits));
}

/// The exact value of x. Requires: x finite (not checked).
template <FloatingPoint T>
oracle::Dyadic value_of(T x) {
  return oracle::decode_finite(format_of<T>(), bits_of(x));
}

template <FloatingPoint T>
oracle::Dyadic value_of(const DoubleWord<T>& x) {
  oracle::Dyadic sum = value_of(x.h);
  sum += value_of(x.l);
  return sum;
}

template <FloatingPoint T>
oracle::Dyadic value_of(const TripleWord<T>& x) {
  oracle::Dyadic sum = value_of(x.x0);
  sum += value_of(x.x1);
  sum += value_of(x.x2);
  return sum;
}

template <FloatingPoint T>
oracle::Dyadic value_of(const QuadDouble<T>& x) {
  oracle::Dyadic sum = value_of(TripleWord<T>{x.x0, x.x1, x.x2});
  sum += value_of(x.x3);
  return sum;
}

/// The suffix of a property's name: "" for binary64, else ".f32", ".f16", ".bf16", ".e4m3", ".e5m2", ".p3", …
template <FloatingPoint T>
std::string format_suffix() {
  const std::string name = FloatTraits<T>::name;
  return name == "binary64"   ? ""
         : name == "binary32" ? ".f32"
         : name == "binary16" ? ".f16"
         : name == "bfloat16" ? ".bf16"
                              : "." + name;
}

namespace detail {
struct NoVisit {
  void operator()(const char* /*name*/, const auto& /*member*/) const {}
};
}  // namespace detail

/// A struct whose values do not all have the same fields: C::visit_fields(c, visit) calls visit(name, member) for those
/// of c. A record is read into a copy of a value that has its fields.
template <class C>
concept HasOwnFields = requires(const C& c) { C::visit_fields(c, detail::NoVisit{}); };

/// A struct that names its fields by a static function `fields()`, like the operands of arith, or that HasOwnFields.
template <class C>
concept HasFields = HasOwnFields<C> || requires { C::fields(); };

/// How a field of type M becomes a FieldValue and back. Specialize it for your own field types.
template <class M>
struct Codec;

template <FloatingPoint T>
struct Codec<T> {
  static std::variant<Words, std::int64_t> encode(T x) {
    return Words{format_of<T>(), Words::Shape::scalar, {bits_of(x)}};
  }
  static bool decode(const std::variant<Words, std::int64_t>& value, T& out) {
    const auto* words = std::get_if<Words>(&value);
    if (words == nullptr || words->bits.size() != 1 || words->format != format_of<T>()) {
      return false;
    }
    out = number_of<T>(words->bits[0]);
    return true;
  }
};

/// The Codec of an aggregate X that is one unevaluated sum of words of T.
template <class X, class T, T X::*... words>
struct WordsCodec {
  static std::variant<Words, std::int64_t> encode(const X& x) {
    return Words{format_of<T>(), Words::Shape::fixed, {bits_of(x.*words)...}};
  }
  static bool decode(const std::variant<Words, std::int64_t>& value, X& out) {
    const auto* stored = std::get_if<Words>(&value);
    if (stored == nullptr || stored->bits.size() != sizeof...(words) || stored->format != format_of<T>()) {
      return false;
    }
    std::size_t at = 0;
    ((out.*words = number_of<T>(stored->bits[at++])), ...);
    return true;
  }
};

template <FloatingPoint T>
struct Codec<DoubleWord<T>> : WordsCodec<DoubleWord<T>, T, &DoubleWord<T>::h, &DoubleWord<T>::l> {};
template <FloatingPoint T>
struct Codec<TripleWord<T>> : WordsCodec<TripleWord<T>, T, &TripleWord<T>::x0, &TripleWord<T>::x1, &TripleWord<T>::x2> {
};
template <FloatingPoint T>
struct Codec<QuadDouble<T>>
    : WordsCodec<QuadDouble<T>, T, &QuadDouble<T>::x0, &QuadDouble<T>::x1, &QuadDouble<T>::x2, &QuadDouble<T>::x3> {};

template <FloatingPoint T>
struct Codec<std::vector<T>> {
  static std::variant<Words, std::int64_t> encode(const std::vector<T>& x) {
    Words words{format_of<T>(), Words::Shape::list, {}};
    words.bits.reserve(x.size());
    for (const T& each : x) {
      words.bits.push_back(bits_of(each));
    }
    return words;
  }
  static bool decode(const std::variant<Words, std::int64_t>& value, std::vector<T>& out) {
    const auto* words = std::get_if<Words>(&value);
    if (words == nullptr || words->format != format_of<T>()) {
      return false;
    }
    out.clear();
    out.reserve(words->bits.size());
    for (const std::uint64_t each : words->bits) {
      out.push_back(number_of<T>(each));
    }
    return true;
  }
};

template <std::integral I>
struct Codec<I> {
  static std::variant<Words, std::int64_t> encode(I x) { return static_cast<std::int64_t>(x); }
  static bool decode(const std::variant<Words, std::int64_t>& value, I& out) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer == nullptr || !std::in_range<I>(*integer)) {
      return false;
    }
    out = static_cast<I>(*integer);
    return true;
  }
};

namespace detail {

/// Appends a field to a record.
struct FieldWriter {
  Record& record;
  template <class M>
  void operator()(const char* name, const M& member) {
    record.fields.push_back({name, Codec<M>::encode(member)});
  }
};
/// Reads the fields of a record one after the other.
struct FieldReader {
  const Record& record;
  std::size_t at = 0;
  bool fits = true;
  template <class M>
  void operator()(const char* name, M& member) {
    fits = fits && at < record.fields.size() && record.fields[at].name == name &&
           Codec<M>::decode(record.fields[at].value, member);
    ++at;
  }
};

/// visit(name, member) for the fields of a value, in the order of `fields()`.
template <class C>
void visit_fields(C& value, auto& visit) {
  if constexpr (HasOwnFields<std::remove_const_t<C>>) {
    C::visit_fields(value, visit);
  } else {
    std::apply([&](const auto&... each) { (visit(each.name, value.*(each.member)), ...); }, C::fields());
  }
}

}  // namespace detail

/// The record of a case struct: its fields by name, in their order.
template <HasFields C>
Record record_of(const C& value) {
  Record record;
  detail::FieldWriter writer{record};
  detail::visit_fields(value, writer);
  return record;
}

/// The case struct of a record, with the fields of `value`; empty if names, count, formats or lengths do not fit.
template <HasFields C>
std::optional<C> from_record(const Record& record, C value = {}) {
  detail::FieldReader reader{record};
  detail::visit_fields(value, reader);
  if (!reader.fits || reader.at != record.fields.size()) return std::nullopt;
  return value;
}

/// How the judge reads a result: as components, each the exact sum of its words.
/// word(result, i): all words in order; `per_component` of them make one component: a constant if the type fixes it,
/// else a function of the result.
template <class R>
struct ResultTraits;

/// Components that are expansions of one length, which is part of the case: component i is the unevaluated sum of
/// words[i·length] … words[(i + 1)·length − 1].
template <FloatingPoint T>
struct Expansions {
  std::vector<T> words;
  std::size_t length = 1;
};

/// Results that are one unevaluated sum of N words of T.
template <class R, class T, T R::*... words>
struct WordSum {
  using Number = T;
  static constexpr std::size_t per_component = sizeof...(words);
  static constexpr std::size_t components(const R&) { return 1; }
  static T word(const R& result, std::size_t i) {
    const T all[] = {result.*words...};
    return all[i];
  }
};

template <FloatingPoint T>
struct ResultTraits<T> {
  using Number = T;
  static constexpr std::size_t per_component = 1;
  static constexpr std::size_t components(const T&) { return 1; }
  static T word(const T& result, std::size_t) { return result; }
};
template <FloatingPoint T>
struct ResultTraits<DoubleWord<T>> : WordSum<DoubleWord<T>, T, &DoubleWord<T>::h, &DoubleWord<T>::l> {};
template <FloatingPoint T>
struct ResultTraits<TripleWord<T>>
    : WordSum<TripleWord<T>, T, &TripleWord<T>::x0, &TripleWord<T>::x1, &TripleWord<T>::x2> {};
template <FloatingPoint T>
struct ResultTraits<QuadDouble<T>>
    : WordSum<QuadDouble<T>, T, &QuadDouble<T>::x0, &QuadDouble<T>::x1, &QuadDouble<T>::x2, &QuadDouble<T>::x3> {};
template <FloatingPoint T>
struct ResultTraits<Sum<T>> : WordSum<Sum<T>, T, &Sum<T>::s, &Sum<T>::e> {};
template <FloatingPoint T>
struct ResultTraits<Product<T>> : WordSum<Product<T>, T, &Product<T>::p, &Product<T>::e> {};
template <FloatingPoint T>
struct ResultTraits<Split<T>> : WordSum<Split<T>, T, &Split<T>::h, &Split<T>::l> {};
template <FloatingPoint T>
struct ResultTraits<FmaError<T>> : WordSum<FmaError<T>, T, &FmaError<T>::r1, &FmaError<T>::r2, &FmaError<T>::r3> {};
template <FloatingPoint T>
struct ResultTraits<std::vector<T>> {
  using Number = T;
  static constexpr std::size_t per_component = 1;
  static std::size_t components(const std::vector<T>& result) { return result.size(); }
  static T word(const std::vector<T>& result, std::size_t i) { return result[i]; }
};
template <FloatingPoint T>
struct ResultTraits<std::vector<DoubleWord<T>>> {
  using Number = T;
  static constexpr std::size_t per_component = 2;
  static std::size_t components(const std::vector<DoubleWord<T>>& result) { return result.size(); }
  static T word(const std::vector<DoubleWord<T>>& result, std::size_t i) {
    return i % 2 == 0 ? result[i / 2].h : result[i / 2].l;
  }
};

template <FloatingPoint T>
struct ResultTraits<Expansions<T>> {
  using Number = T;
  static std::size_t per_component(const Expansions<T>& result) { return result.length; }
  static std::size_t components(const Expansions<T>& result) { return result.words.size() / result.length; }
  static T word(const Expansions<T>& result, std::size_t i) { return result.words[i]; }
};

/// The words of each component of a result.
template <class R>
std::size_t words_per_component(const R& result) {
  if constexpr (requires { ResultTraits<R>::per_component(result); }) {
    return ResultTraits<R>::per_component(result);
  } else {
    return ResultTraits<R>::per_component;
  }
}

/// The exact value of component i of a result in `value`; false if a word is infinite or NaN.
template <class R>
bool component_value(const R& result, std::size_t i, oracle::Dyadic& value) {
  using Traits = ResultTraits<R>;
  constexpr oracle::Format format = format_of<typename Traits::Number>();
  const std::size_t words = words_per_component(result);
  for (std::size_t k = 0; k < words; ++k) {
    const std::uint64_t bits = bits_of(Traits::word(result, i * words + k));
    if (!oracle::is_finite(format, bits)) {
      return false;
    }
    if (k == 0) {
      value = oracle::decode_finite(format, bits);
    } else {
      value += oracle::decode_finite(format, bits);
    }
  }
  return true;
}

/// The words of a result, for evidence and for `assay eval`.
template <class R>
Words words_of(const R& result) {
  using Traits = ResultTraits<R>;
  const std::size_t count = Traits::components(result) * words_per_component(result);
  Words words{format_of<typename Traits::Number>(), count == 1 ? Words::Shape::scalar : Words::Shape::fixed, {}};
  words.bits.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    words.bits.push_back(bits_of(Traits::word(result, i)));
  }
  return words;
}

/// The same bits in every word, except that any NaN equals any NaN.
template <class R>
bool same_bits(const R& a, const R& b) {
  using Traits = ResultTraits<R>;
  const std::size_t count = Traits::components(a) * words_per_component(a);
  if (Traits::components(b) * words_per_component(b) != count) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = Traits::word(a, i);
    const auto y = Traits::word(b, i);
    if (to_bits(x) != to_bits(y) && !(is_nan(x) && is_nan(y))) {
      return false;
    }
  }
  return true;
}

}  // namespace assay
