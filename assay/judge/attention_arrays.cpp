#include "assay/judge/attention_arrays.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "enclosures/rows.hpp"

namespace assay::judge {
namespace {

constexpr std::int64_t most_copied = std::int64_t{1} << 29;  // numbers of an array: 2 GiB of binary32

void refuse(bool fits) {
  if (!fits) throw enclosures::NoDevice("attention of these arrays is judged on the host alone");
}

}  // namespace

AttentionArrays::AttentionArrays(const formulas::Formula& formula, std::span<const assay_tensor> arguments,
                                 const assay_tensor& result)
    : scale_(arguments.back()) {
  refuse(scale_.ndim == 0);
  const auto add = [&](const std::string& name, const assay_tensor& tensor, const std::vector<std::size_t>& axes) {
    Array& array = arrays_.emplace_back(Array{name, tensor, layout_of(tensor), {}});
    for (const std::size_t axis : axes) array.names.push_back(formula.axes[axis].name);
  };
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    add(formula.parameters[i].name, arguments[i], formula.parameters[i].axes);
  }
  add("got", result, formula.result_axes());
  const Array& first = arrays_.front();
  for (const Array& each : arrays_) {
    refuse(each.tensor.code == first.tensor.code && each.tensor.bits == first.tensor.bits);
    refuse(each.step("n") + each.step("m") >= 0);  // it has one of them at most
    refuse(each.leading() == first.leading() && (each.layout.shape.back() == 1 || each.layout.strides.back() == 1));
    for (std::size_t d = 0; d < each.layout.shape.size(); ++d) {
      const auto at = lengths_.emplace(each.name(d), each.layout.shape[d]).first;
      refuse(each.layout.shape[d] != 0 && at->second == each.layout.shape[d]);
    }
  }
  constexpr std::array<std::string_view, 4> of_a_head{"n", "m", "d", "e"};
  for (std::size_t d = 0; d < arrays_.back().layout.shape.size(); ++d) {
    const std::string name = arrays_.back().name(d);
    if (std::ranges::find(of_a_head, name) == of_a_head.end()) heads_.push_back(name);
  }
  refuse(heads_.size() <= enclosures::head_axes);
}

enclosures::GradientArrays AttentionArrays::on_device(bool is_causal) const {
  enclosures::Attention of{rows_of("q"),     rows_of("k"), rows_of("v"), rows_of("got"), {1, 1, 1, 1},
                           length("n"),      length("m"),  length("d"),  length("e"),    0,
                           is_causal ? 1 : 0};
  of.scale = enclosures::number_at(element_of(scale_, "scale"), scale_.data, 0);
  for (std::size_t i = 0; i < heads_.size(); ++i) of.heads[i] = length(heads_[i]);
  return {of, rows_of("do")};
}

std::vector<std::unique_ptr<AttentionArrays::Copy>> AttentionArrays::row(std::int64_t head, std::int64_t query) const {
  std::vector<std::unique_ptr<Copy>> all;
  const enclosures::Attention of = on_device(false).of;
  for (const Array& array : arrays_) {
    const enclosures::Heads heads = rows_of(array);
    const bool is_of_keys = std::ranges::find(array.names, "m") != array.names.end();
    const std::int64_t rows = is_of_keys ? of.keys : 1, columns = array.layout.shape.back();
    const std::int64_t start = enclosures::start_of(heads, of, head) + (is_of_keys ? 0 : query * heads.row_step);
    auto copy = std::make_unique<Copy>();
    const std::int64_t count = (rows - 1) * heads.row_step + columns;
    refuse(count <= most_copied);
    copy->memory = copied(array.tensor.data, start, count, array.tensor.bits / 8U);
    for (const std::string& name : array.names) {
      copy->shape.push_back(name == "m" ? rows : 1);
      copy->strides.push_back(name == "m" ? heads.row_step : 1);
    }
    copy->shape.back() = columns;
    copy->tensor = on_host(array.tensor, copy->memory.data(), copy->shape, copy->strides);
    all.push_back(std::move(copy));
  }
  return all;
}

std::int64_t AttentionArrays::length(const std::string& axis) const {
  const auto at = lengths_.find(axis);
  return at == lengths_.end() ? 1 : at->second;
}

enclosures::Heads AttentionArrays::rows_of(const Array& array) const {
  enclosures::Heads heads{array.tensor.data, {}, array.step("n") + array.step("m")};  // it has one of them at most
  for (std::size_t axis = 0; axis < heads_.size(); ++axis) heads.steps[axis] = array.step(heads_[axis]);
  return heads;
}
enclosures::Heads AttentionArrays::rows_of(const std::string& parameter) const {
  const auto at = std::ranges::find(arrays_, parameter, &Array::parameter);
  return at == arrays_.end() ? enclosures::Heads{} : rows_of(*at);
}

std::size_t AttentionArrays::Array::leading() const {
  refuse(layout.shape.size() >= names.size());
  return layout.shape.size() - names.size();
}
/// Of any of its axes: digits for those before the formula's.
std::string AttentionArrays::Array::name(std::size_t axis) const {
  return axis < leading() ? std::to_string(axis) : names[axis - leading()];
}
/// Its step along an axis; 0 where it does not have the axis.
std::int64_t AttentionArrays::Array::step(const std::string& axis) const {
  for (std::size_t d = 0; d < layout.shape.size(); ++d) {
    if (name(d) == axis) return layout.strides[d];
  }
  return 0;
}

}  // namespace assay::judge
