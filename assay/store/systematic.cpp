#include "assay/store/systematic.hpp"

#include "assay/store/document.hpp"

namespace assay::store {

template <>
struct Document<Systematic::Family> {
  using Family = Systematic::Family;
  static constexpr auto what = "a family of mutants";
  static constexpr auto fields =
      std::tuple(field("family", &Family::family), field("mutants", &Family::mutants), field("killed", &Family::killed),
                 field("by_tests", &Family::by_tests), field("survived", &Family::survived),
                 field("not_reached", &Family::not_reached), field("equivalent", &Family::equivalent),
                 field("device", &Family::device), field("argued", &Family::argued));
};

template <>
struct Document<Systematic::Left> {
  using Left = Systematic::Left;
  static constexpr auto what = "a mutant that is left";
  static constexpr auto fields =
      std::tuple(field("number", &Left::number), field("file", &Left::file), field("line", &Left::line),
                 field("column", &Left::column), field("operation", &Left::operation), field("was", &Left::was),
                 field("becomes", &Left::becomes), field("outcome", &Left::outcome), field("asked", &Left::asked),
                 field("kind", &Left::kind), field("reason", &Left::reason));
};

template <>
struct Document<Systematic> {
  static constexpr auto what = "the score of systematic mutants";
  static constexpr auto fields = std::tuple(
      field("date", &Systematic::date), field("generated", &Systematic::generated),
      field("families", &Systematic::families), field("all", &Systematic::all), field("left", &Systematic::left));
};

namespace {

double share_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

double Systematic::Family::share() const { return share_of(killed, mutants - equivalent - device); }
double Systematic::Family::share_beside_argued() const {
  return share_of(killed, mutants - equivalent - device - argued);
}

Json systematic_to_json(const Systematic& table) { return to_json(table); }
Systematic systematic_from_json(const Json& value) { return read_json<Systematic>(value); }

}  // namespace assay::store
