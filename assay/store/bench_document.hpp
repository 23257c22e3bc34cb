#pragma once
// The field list of bench.json.

#include <algorithm>
#include <cmath>

#include "assay/store/bench.hpp"
#include "assay/store/documents.hpp"

namespace assay::store {

/// A time or a quotient of two times: finite and above 0.
struct Positive : Codec<double> {
  static void read(const Json& value, const Place& place, double& into) {
    Codec<double>::read(value, place, into);
    if (!(into > 0) || std::isinf(into)) place.wrong("a number above 0");
  }
  static Json schema(Json&) { return {{"type", "number"}, {"exclusiveMinimum", 0}}; }
};

template <>
struct Codec<BenchRole> {
  static Json write(BenchRole role) { return word(role); }
  static void read(const Json& value, const Place& place, BenchRole& into) {
    std::string text;
    Codec<std::string>::read(value, place, text);
    const auto words = words_of(BenchRole{});
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) place.wrong("kernel, peer or limit");
    into = static_cast<BenchRole>(found - words.begin());
  }
  static Json schema(Json&) { return Json::object({{"enum", words_of(BenchRole{})}}); }
};

template <>
struct Document<BenchPoint> {
  static constexpr auto what = "a point of a curve";
  static constexpr auto fields =
      std::tuple(field<Count<std::uint64_t, 1>>("size", &BenchPoint::size),
                 field<Positive>("seconds", &BenchPoint::seconds).says("Of one call: the median of the repetitions."),
                 field<Positive>("least", &BenchPoint::least).says("The least of the repetitions."),
                 field<Count<std::uint64_t, 1>>("repetitions", &BenchPoint::repetitions),
                 field<Present<Positive>>("of_peer", &BenchPoint::of_peer)
                     .if_there([](const BenchPoint& point) { return point.of_peer.has_value(); })
                     .says("Of a kernel: its time divided by that of the fastest peer at this size."),
                 field<Present<Positive>>("of_limit", &BenchPoint::of_limit)
                     .if_there([](const BenchPoint& point) { return point.of_limit.has_value(); })
                     .says("Of a kernel: its time divided by that of the slowest limit at this size."));
  static void check(const BenchPoint& point) {
    if (point.least > point.seconds) throw JsonError("the least time of a point is above its median");
  }
};

template <>
struct Document<BenchCurve> {
  static constexpr auto what = "a curve";
  static constexpr auto fields =
      std::tuple(field<NotEmpty>("kernel", &BenchCurve::kernel), field("role", &BenchCurve::role),
                 field("name", &BenchCurve::name).says("Of the peer or limit; empty for the kernel itself."),
                 field<ExecutorName>("executor", &BenchCurve::executor),
                 field<Count<std::uint64_t, 1>>("threads", &BenchCurve::threads),
                 field("machine", &BenchCurve::machine).says("Times of different machines are not compared."),
                 field("points", &BenchCurve::points).says("By size."));
  static void check(const BenchCurve& curve) {
    if (curve.kernel.empty()) throw JsonError("a curve names no kernel");
    if (curve.executor.empty()) throw JsonError("the curve \"" + curve.kernel + "\" names no executor");
    if (curve.points.empty()) throw JsonError("the curve \"" + curve.kernel + "\" has no point");
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
      if (curve.points[i - 1].size >= curve.points[i].size) {
        throw JsonError("the points of the curve \"" + curve.kernel + "\" do not ascend in size");
      }
    }
  }
};

template <>
struct Document<Bench> {
  static constexpr auto what = "the document of assay bench";
  static constexpr auto fields = std::tuple(
      schema_field, field("begun", &Bench::begun).says("Seconds since 1970; null where several runs are merged."),
      field("provenance", &Bench::provenance), field("curves", &Bench::curves),
      field<Checksum>("checksum", [](const Bench&) { return 0; })
          .if_there([](const Bench&) { return false; })
          .says("FNV-1a, 64 bits, of the file's bytes without this member and the comma before it. "
                "Obligatory."));
};

}  // namespace assay::store
