#pragma once
// Documents by lists of fields: one list for each type writes its JSON, reads it and makes its schema.
//
//   template <>
//   struct Document<ClassInfo> {
//     static constexpr auto what = "a class";                        // in messages
//     static constexpr auto fields = std::tuple(field("name", &ClassInfo::name), field("weight", &ClassInfo::weight));
//   };
//
// A field is accessed by a pointer to a member or by a function of the object. The function returns a reference, or a
// view: a small object of references that has its own document. A function that returns a value makes a field that is
// written; when it is read, only its type is checked.
//
// Reading is strict: a missing field, an unknown one and a value of the wrong type throw JsonError.

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The place of a value, for messages.
struct Place {
  const char* key;
  const char* what;
  bool inside = false;  ///< the value is an element of the array there

  Place element() const { return {key, what, true}; }
  /// Throws JsonError: the value is not as required.
  [[noreturn]] void wrong(const std::string& wanted) const {
    throw JsonError((inside ? "an element of \"" : "\"") + std::string(key) + "\" of " + what + " is not " + wanted);
  }
};

/// The members of an object by name. Remembers which members were read, to refuse the others.
class Members {
 public:
  Members(const Json& object, const char* what) : object_(object), what_(what) {
    if (!object.is_object()) throw JsonError(std::string(what) + " is not an object");
  }
  const char* what() const { return what_; }
  const Json* find(const char* key) {
    asked_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& at(const char* key) {
    const Json* found = find(key);
    if (found == nullptr) throw JsonError(std::string(what_) + " lacks \"" + key + "\"");
    return *found;
  }
  void finish() const {
    for (const auto& [key, member] : object_.items()) {
      if (!asked_.contains(key)) throw JsonError(std::string(what_) + " has the unknown field \"" + key + "\"");
    }
  }

 private:
  const Json& object_;
  const char* what_;
  std::set<std::string> asked_;
};

// A codec of a type has write(value), read(json, place, into) and schema(definitions); definitions collects the schemas
// that others refer to by name.

/// The field list of a type.
template <class T>
struct Document;

template <class T>
concept HasDocument = requires { Document<T>::fields; };

/// The codec of a type, unless a field names another one.
template <class T>
struct Codec;

/// A definition with a name, made by `make` at its first use; returns a reference to it.
template <class Make>
Json reference(Json& definitions, const char* name, const Make& make) {
  if (!definitions.contains(name)) {
    Json made = make();
    definitions[name] = std::move(made);
  }
  return Json::object({{"$ref", std::string("#/$defs/") + name}});
}

/// A type that JSON itself has: its name in a schema, its name in a message, and the test for it.
struct OwnType {
  const char* name;
  const char* words;
  bool (Json::*is)() const noexcept;
};
inline constexpr OwnType own_string{"string", "a string", &Json::is_string};
inline constexpr OwnType own_boolean{"boolean", "true or false", &Json::is_boolean};
inline constexpr OwnType own_number{"number", "a number", &Json::is_number};

/// The codec of a type that JSON itself has.
template <class T, const OwnType& type>
struct Own {
  static Json write(const T& value) { return value; }
  static void read(const Json& value, const Place& place, T& into) {
    if (!(value.*type.is)()) place.wrong(type.words);
    into = value.get<T>();
  }
  static Json schema(Json&) { return Json::object({{"type", type.name}}); }
};
template <>
struct Codec<std::string> : Own<std::string, own_string> {};
template <>
struct Codec<bool> : Own<bool, own_boolean> {};
template <>
struct Codec<double> : Own<double, own_number> {};

/// A nonnegative integer of any integral type.
template <class T, std::uint64_t least = 0, std::uint64_t most = static_cast<std::uint64_t>(-1)>
struct Count {
  static Json write(T count) { return static_cast<std::uint64_t>(count); }
  static void read(const Json& value, const Place& place, T& into) {
    if (!value.is_number_unsigned()) place.wrong("a whole number");
    const auto count = value.get<std::uint64_t>();
    if (count < least || count > most || !std::in_range<T>(count)) place.wrong("a number in its range");
    into = static_cast<T>(count);
  }
  static Json schema(Json&) {
    Json made{{"type", "integer"}, {"minimum", least}};
    if (most != static_cast<std::uint64_t>(-1)) made["maximum"] = most;
    return made;
  }
};

template <std::integral T>
struct Codec<T> : Count<T> {};

/// An integer of either sign.
struct Signed {
  static Json write(long number) { return static_cast<std::int64_t>(number); }
  static void read(const Json& value, const Place& place, long& into) {
    if (!value.is_number_integer()) place.wrong("a whole number");
    into = value.get<long>();
  }
  static Json schema(Json&) { return Json::object({{"type", "integer"}}); }
};

/// A list whose elements have the codec `Each`.
template <class Each>
struct List {
  static Json write(const auto& list) {
    Json array = Json::array();
    for (const auto& each : list) array.push_back(Each::write(each));
    return array;
  }
  static void read(const Json& value, const Place& place, auto& into) {
    if (!value.is_array()) place.wrong("an array");
    into.clear();
    for (const Json& each : value) Each::read(each, place.element(), into.emplace_back());
  }
  static Json schema(Json& definitions) { return {{"type", "array"}, {"items", Each::schema(definitions)}}; }
};

template <class T>
struct Codec<std::vector<T>> : List<Codec<T>> {};

template <class T, std::size_t n>
struct Codec<std::array<T, n>> {
  static Json write(const std::array<T, n>& array) { return List<Codec<T>>::write(array); }
  static void read(const Json& value, const Place& place, std::array<T, n>& into) {
    if (!value.is_array() || value.size() != n) place.wrong("an array of " + std::to_string(n));
    for (std::size_t i = 0; i < n; ++i) Codec<T>::read(value[i], place.element(), into[i]);
  }
  static Json schema(Json& definitions) {
    Json made = List<Codec<T>>::schema(definitions);
    made["minItems"] = n;
    made["maxItems"] = n;
    return made;
  }
};

template <>
struct Codec<std::map<std::string, std::string>> {
  static Json write(const std::map<std::string, std::string>& texts) { return texts; }
  static void read(const Json& value, const Place& place, std::map<std::string, std::string>& into) {
    if (!value.is_object()) place.wrong("an object");
    for (const auto& [key, text] : value.items()) Codec<std::string>::read(text, {key.c_str(), place.key}, into[key]);
  }
  static Json schema(Json& definitions) {
    return {{"type", "object"}, {"additionalProperties", Codec<std::string>::schema(definitions)}};
  }
};

inline Json or_null(Json schema) {
  return Json::object({{"oneOf", Json::array({Json::object({{"type", "null"}}), std::move(schema)})}});
}

/// Null if there is none.
template <class T>
struct Codec<std::optional<T>> {
  static Json write(const std::optional<T>& value) { return value ? Codec<T>::write(*value) : Json(nullptr); }
  static void read(const Json& value, const Place& place, std::optional<T>& into) {
    into.reset();
    if (!value.is_null()) Codec<T>::read(value, place, into.emplace(T{}));
  }
  static Json schema(Json& definitions) { return or_null(Codec<T>::schema(definitions)); }
};

/// The value of an optional that is set whenever it is written.
template <class C>
struct Present {
  static Json write(const auto& value) { return C::write(*value); }
  template <class T>
  static void read(const Json& value, const Place& place, std::optional<T>& into) {
    into = T{};
    C::read(value, place, *into);
  }
  static Json schema(Json& definitions) { return C::schema(definitions); }
};

/// When a field is present.
enum class Presence {
  always,
  read_by_hand,  ///< always written; read if present
  if_there,      ///< written if the object has it; read if present
  or_null,       ///< null if the object does not have it
};

struct ByType {};
struct Always {
  constexpr bool operator()(const auto&) const { return true; }
};

/// One field. `When`: whether the object has the field at all; when reading, evaluated after the fields before it.
/// `There`: whether the object has a value to write.
template <class C, class Access, class When = Always, class There = Always>
struct Field {
  const char* key;
  Access access;
  When when{};
  There there{};
  Presence presence = Presence::always;
  const char* description = nullptr;

  template <class Condition>
  constexpr auto only_when(Condition condition) const {
    return Field<C, Access, Condition, There>{key, access, condition, there, presence, description};
  }
  template <class Condition>
  constexpr auto if_there(Condition condition) const {
    return Field<C, Access, When, Condition>{key, access, when, condition, Presence::if_there, description};
  }
  template <class Condition>
  constexpr auto or_null_unless(Condition condition) const {
    return Field<C, Access, When, Condition>{key, access, when, condition, Presence::or_null, description};
  }
  constexpr auto may_be_left_out_by_hand() const { return with(Presence::read_by_hand, description); }
  constexpr auto says(const char* text) const { return with(presence, text); }

  template <class T>
  using CodecFor =
      typename std::conditional_t<std::is_same_v<C, ByType>,
                                  std::type_identity<Codec<std::remove_cvref_t<std::invoke_result_t<Access, T&>>>>,
                                  std::type_identity<C>>::type;

  template <class T>
  Json value(const T& object) const {
    return CodecFor<const T>::write(std::invoke(access, object));
  }
  template <class T>
  void take(const Json& value, const Place& place, T& object) const {
    auto&& into = std::invoke(access, object);
    CodecFor<T>::read(value, place, into);
  }

  template <class T>
  void write(Json& out, const T& object) const {
    if (!when(object)) return;
    if (there(object)) {
      out[key] = value(object);
    } else if (presence == Presence::or_null) {
      out[key] = nullptr;
    }
  }
  template <class T>
  void read(Members& members, T& object) const {
    if (!when(object)) return;
    const bool may_lack = presence == Presence::read_by_hand || presence == Presence::if_there;
    const Json* const found = may_lack ? members.find(key) : &members.at(key);
    if (found == nullptr || (presence == Presence::or_null && found->is_null())) return;
    take(*found, {key, members.what()}, object);
  }
  template <class T>
  void describe(Json& properties, Json& required, Json& definitions) const {
    Json made = Json::object();
    if (description != nullptr) made["description"] = description;
    Json schema = CodecFor<T>::schema(definitions);
    if (presence == Presence::or_null) schema = store::or_null(std::move(schema));
    made.update(schema);
    properties[key] = std::move(made);
    const bool may_lack = presence == Presence::read_by_hand || presence == Presence::if_there;
    if (!may_lack && std::is_same_v<When, Always>) required.push_back(key);
  }

 private:
  constexpr Field with(Presence other, const char* text) const { return {key, access, when, there, other, text}; }
};

/// A field with the codec of its type, or with the codec `C`.
template <class C = ByType, class Access>
constexpr auto field(const char* key, Access access) {
  return Field<C, Access>{key, access};
}

/// The fields of another document, or of a view, are written among the fields of the object.
template <class Access>
struct Among {
  Access access;

  template <class T>
  using ListFor = Document<std::remove_cvref_t<std::invoke_result_t<Access, T&>>>;

  template <class T>
  void write(Json& out, const T& object) const {
    auto&& other = std::invoke(access, object);
    std::apply([&](const auto&... each) { (each.write(out, other), ...); }, ListFor<const T>::fields);
  }
  template <class T>
  void read(Members& members, T& object) const {
    auto&& other = std::invoke(access, object);
    std::apply([&](const auto&... each) { (each.read(members, other), ...); }, ListFor<T>::fields);
  }
  template <class T>
  void describe(Json& properties, Json& required, Json& definitions) const {
    using Other = std::remove_cvref_t<std::invoke_result_t<Access, T&>>;
    std::apply([&](const auto&... each) { (each.template describe<Other>(properties, required, definitions), ...); },
               Document<Other>::fields);
  }
};
template <class Access>
constexpr auto among(Access access) {
  return Among<Access>{access};
}

/// A field that holds a list of views: element i is `view(object, i)` of `count(object)`; reading calls `grow(object)`
/// before each.
template <class Number, class Grow, class View>
struct Views {
  const char* key;
  Number count;
  Grow grow;
  View view;

  template <class T>
  using CodecFor = Codec<std::invoke_result_t<View, T&, std::size_t>>;

  template <class T>
  void write(Json& out, const T& object) const {
    Json array = Json::array();
    for (std::size_t i = 0; i < count(object); ++i) array.push_back(CodecFor<const T>::write(view(object, i)));
    out[key] = std::move(array);
  }
  template <class T>
  void read(Members& members, T& object) const {
    const Json& array = members.at(key);
    const Place place{key, members.what()};
    if (!array.is_array()) place.wrong("an array");
    for (const Json& each : array) {
      grow(object);
      auto into = view(object, count(object) - 1);
      CodecFor<T>::read(each, place.element(), into);
    }
  }
  template <class T>
  void describe(Json& properties, Json& required, Json& definitions) const {
    properties[key] = {{"type", "array"}, {"items", CodecFor<T>::schema(definitions)}};
    required.push_back(key);
  }
};
template <class Number, class Grow, class View>
constexpr auto views(const char* key, Number count, Grow grow, View view) {
  return Views<Number, Grow, View>{key, count, grow, view};
}

/// The JSON object of the field list: {"<key>": value, …}; for a document with `as_array` only the values, in order.
template <HasDocument T>
struct Codec<T> {
  using List = Document<T>;
  static constexpr bool as_array = requires { List::as_array; };

  static Json write(const T& object) {
    Json out = as_array ? Json::array() : Json::object();
    const auto add = [&](const auto& each) {
      if constexpr (as_array) {
        out.push_back(each.value(object));
      } else {
        each.write(out, object);
      }
    };
    std::apply([&](const auto&... each) { (add(each), ...); }, List::fields);
    return out;
  }

  static void read(const Json& value, const Place&, T& into) {
    if constexpr (as_array) {
      constexpr std::size_t count = std::tuple_size_v<decltype(List::fields)>;
      if (!value.is_array() || value.size() != count) {
        throw JsonError(std::string(List::what) + " is not an array of " + std::to_string(count));
      }
      std::size_t i = 0;
      const auto take = [&](const auto& each) { each.take(value[i++], {each.key, List::what}, into); };
      std::apply([&](const auto&... each) { (take(each), ...); }, List::fields);
    } else {
      Members members(value, List::what);
      std::apply([&](const auto&... each) { (each.read(members, into), ...); }, List::fields);
      members.finish();
    }
    if constexpr (requires { List::check(into); }) List::check(into);
  }

  static Json schema(Json& definitions) {
    const auto make = [&] {
      Json properties = Json::object();
      Json required = Json::array();
      std::apply([&](const auto&... each) { (each.template describe<T>(properties, required, definitions), ...); },
                 List::fields);
      Json made{{"type", "object"},
                {"required", std::move(required)},
                {"additionalProperties", false},
                {"properties", std::move(properties)}};
      if constexpr (requires { List::restrict_schema(made); }) List::restrict_schema(made);
      return made;
    };
    if constexpr (requires { List::definition; }) {
      return reference(definitions, List::definition, make);
    } else {
      return make();
    }
  }
};

template <class T>
Json to_json(const T& value) {
  return Codec<T>::write(value);
}
/// Throws JsonError.
template <class T>
T read_json(const Json& value, T into = {}) {
  Codec<T>::read(value, {"", ""}, into);
  return into;
}

/// The JSON schema for the documents of a type.
template <class T>
Json schema_of(const char* title, const char* description) {
  Json definitions = Json::object();
  Json made{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}, {"description", description}};
  made.update(Codec<T>::schema(definitions));
  made["$defs"] = std::move(definitions);
  return made;
}

}  // namespace assay::store
