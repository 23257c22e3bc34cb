#include "assay/store/outside_score.hpp"

#include "assay/store/document.hpp"

namespace assay::store {

template <>
struct Document<OutsideScore::Operation> {
  using Operation = OutsideScore::Operation;
  static constexpr auto what = "an operation of the outside score";
  static constexpr auto fields =
      std::tuple(field("operation", &Operation::operation), field("wrong", &Operation::wrong),
                 field("refused", &Operation::refused), field("right", &Operation::right),
                 field("accepted", &Operation::accepted), field("seconds", &Operation::seconds));
};

template <>
struct Document<OutsideScore> {
  static constexpr auto what = "the outside score";
  static constexpr auto fields =
      std::tuple(field("date", &OutsideScore::date), field("operations", &OutsideScore::operations),
                 field("all", &OutsideScore::all));
};

OutsideScore outside_score_from_json(const Json& value) { return read_json<OutsideScore>(value); }

}  // namespace assay::store
