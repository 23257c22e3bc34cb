#include "assay/store/hunt.hpp"

#include "assay/store/documents.hpp"

namespace assay::store {

template <>
struct Codec<CaseFile> {
  static Json write(const CaseFile& file) { return case_to_json(file); }
  static void read(const Json& value, const Place&, CaseFile& into) { into = case_from_json(value); }
};

template <>
struct Document<HuntRow> {
  static constexpr auto what = "a row of a hunt";
  static constexpr auto fields =
      std::tuple(field("property", &HuntRow::property), field("claim", &HuntRow::claim), field("term", &HuntRow::term),
                 field("executor", &HuntRow::executor), field("ratio", &HuntRow::ratio),
                 field("boundary", &HuntRow::boundary), field("evaluations", &HuntRow::evaluations),
                 field("seconds", &HuntRow::seconds), field("case", &HuntRow::hardest));
};

template <>
struct Document<HuntRows> {
  static constexpr auto what = "the document of a hunt";
  static constexpr auto fields = std::tuple(schema_field, field("seed", &HuntRows::seed),
                                            field("blind", &HuntRows::blind), field("rows", &HuntRows::rows));
};

Json hunt_to_json(const HuntRows& hunt) { return to_json(hunt); }
HuntRows hunt_from_json(const Json& value) { return read_json<HuntRows>(value); }

}  // namespace assay::store
