#include "assay/store/document.hpp"

#include <gtest/gtest.h>

#include <string>

namespace assay::store {
namespace {

struct Part {
  std::string name;
  unsigned count = 0;
};
struct Whole {
  std::vector<Part> parts;
  std::optional<double> ratio;
  bool extra = false;
  std::string note;
};

}  // namespace

template <>
struct Document<Part> {
  static constexpr auto what = "a part";
  static constexpr bool as_array = true;
  static constexpr auto fields = std::tuple(field("name", &Part::name), field("count", &Part::count));
};
template <>
struct Document<Whole> {
  static constexpr auto what = "the whole";
  static constexpr auto fields = std::tuple(
      field("parts", &Whole::parts), field("ratio", &Whole::ratio).says("A ratio."), field("extra", &Whole::extra),
      field("note", &Whole::note).only_when([](const Whole& whole) { return whole.extra; }),
      field("size", [](const Whole& whole) { return whole.parts.size(); }));
};

namespace {

/// The message of the refusal; empty if the text is accepted.
std::string refusal(const char* text) {
  try {
    read_json<Whole>(parse_json(text));
    return "";
  } catch (const JsonError& error) {
    return error.what();
  }
}

TEST(Documents, AreWrittenInTheOrderOfTheirFields) {
  const Whole whole{{{"a", 1}, {"b", 2}}, 0.5, true, "n"};
  EXPECT_EQ(compact(to_json(whole)), R"({"parts":[["a",1],["b",2]],"ratio":0.5,"extra":true,"note":"n","size":2})");
  EXPECT_EQ(compact(to_json(Whole{})), R"({"parts":[],"ratio":null,"extra":false,"size":0})");
}

TEST(Documents, AreReadBack) {
  const Json value = to_json(Whole{{{"a", 1}}, 0.5, true, "n"});
  EXPECT_EQ(to_json(read_json<Whole>(value)), value);
}

TEST(Documents, RefuseAllButTheirFields) {
  EXPECT_EQ(refusal(R"({"parts":[],"ratio":null,"extra":false,"size":0})"), "");
  EXPECT_EQ(refusal("[]"), "the whole is not an object");
  EXPECT_EQ(refusal(R"({"parts":[],"ratio":null,"extra":false})"), "the whole lacks \"size\"");
  EXPECT_EQ(refusal(R"({"parts":[],"ratio":null,"extra":true,"size":0})"), "the whole lacks \"note\"");
  EXPECT_EQ(refusal(R"({"parts":[],"ratio":null,"extra":false,"note":"","size":0})"),
            "the whole has the unknown field \"note\"");
  EXPECT_EQ(refusal(R"({"parts":1})"), "\"parts\" of the whole is not an array");
  EXPECT_EQ(refusal(R"({"parts":[["a"]]})"), "a part is not an array of 2");
  EXPECT_EQ(refusal(R"({"parts":[["a",-1]]})"), "\"count\" of a part is not a whole number");
  EXPECT_EQ(refusal(R"({"parts":[["a",4294967296]]})"), "\"count\" of a part is not a number in its range");
  EXPECT_EQ(refusal(R"({"parts":[],"ratio":"x"})"), "\"ratio\" of the whole is not a number");
  EXPECT_EQ(refusal(R"({"parts":[],"ratio":null,"extra":false,"size":"0"})"),
            "\"size\" of the whole is not a whole number");
}

TEST(Documents, HaveASchemaOfTheSameFields) {
  const Json schema = schema_of<Whole>("Whole", "All of it.");
  EXPECT_EQ(schema.at("required"), Json({"parts", "ratio", "extra", "size"}));
  EXPECT_EQ(schema.at("properties").at("ratio").at("description"), "A ratio.");
  EXPECT_EQ(schema.at("additionalProperties"), false);
}

}  // namespace
}  // namespace assay::store
