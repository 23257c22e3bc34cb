#pragma once
// Properties of + − × ÷ √ fma: correctly rounded, special values by IEEE 754. Included by the files of each format.

#include <string>
#include <type_traits>
#include <utility>

#include "errorbounds/op_theorems.hpp"
#include "kernels/op/operations.hpp"
#include "probes/op/op.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/draws/op/rules.hpp"
#include "properties/framework/enumeration.hpp"
#include "properties/framework/hard_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::op {

template <class T>
OperandBits operand_bits(const Single<T>& x) {
  return {bits_of(x.a), 0, 0};
}
template <class T>
OperandBits operand_bits(const Pair<T>& x) {
  return {bits_of(x.a), bits_of(x.b), 0};
}
template <class T>
OperandBits operand_bits(const Triple<T>& x) {
  return {bits_of(x.a), bits_of(x.b), bits_of(x.c)};
}

/// Classes for an operation: its hard cases, and special values.
template <Operation operation, FloatingPoint T>
auto operation_classes() {
  using F = FloatTraits<T>;
  if constexpr (operation == Operation::add || operation == Operation::sub) {
    auto classes = sum_pair_classes<T>(full_box<T>());
    if constexpr (operation == Operation::sub) {
      classes = mapped(std::move(classes), [](Pair<T> x) { return Pair<T>{x.a, negated(x.b)}; });
    }
    classes.push_back(special_class<T, Pair<T>>());
    return classes;
  } else if constexpr (operation == Operation::mul) {
    auto classes = product_pair_classes<T>(full_box<T>(), Box{F::emin - F::precision - 2, F::emax + 1});
    classes.push_back(special_class<T, Pair<T>>());
    return classes;
  } else if constexpr (operation == Operation::div) {
    auto classes = quotient_pair_classes<T>();
    classes.push_back(special_class<T, Pair<T>>());
    return classes;
  } else if constexpr (operation == Operation::sqrt) {
    auto classes = root_classes<T>();
    classes.push_back(special_class<T, Single<T>>());
    return classes;
  } else {
    auto classes = fused_classes<T>();
    classes.push_back(special_class<T, Triple<T>>());
    return classes;
  }
}

inline const char* rounding_name(oracle::Rounding direction) {
  constexpr const char* names[] = {"RN", "RU", "RD", "RZ"};
  return names[static_cast<int>(direction)];
}

/// Op computes `operation`, rounded in `direction`; `formula` is the operation in symbols. All patterns of an 8-bit
/// format, and of a 16-bit format with one operand; classes of hard cases otherwise.
template <class Op, Operation operation, oracle::Rounding direction = oracle::Rounding::nearest>
Property<typename Op::Input, typename Op::Output, oracle::Exact> operation_property(const std::string& name,
                                                                                    const std::string& formula) {
  using Case = typename Op::Input;
  using T = typename Op::Output;
  static constexpr oracle::Format format = format_of<T>();
  constexpr int patterns = format.width() * static_cast<int>(std::tuple_size_v<decltype(Case::fields())>);
  const auto special = [](const Case& c) { return special_result(operation, format, operand_bits(c)); };
  Property<Case, T, oracle::Exact> property{
      .name = name + format_suffix<T>(),
      .domain = {.classes = {},
                 .contains = [](const Case&) { return true; },
                 .accepts = std::string("every pattern of ") + FloatTraits<T>::name},
      .subject = [](const Executor& on, std::span<const Case> cases) { return elementwise<Op>(on, cases); },
      .reference = [special](const Case& c) -> oracle::Exact {
        return special(c) ? oracle::Exact(oracle::Dyadic()) : operation_truth(operation, format, operand_bits(c));
      },
      .claims = {when(
                     "finite operands, no zero divisor, no root of a negative number",
                     [special](const Case& c) { return !special(c); },
                     of_instance("z = " + std::string(rounding_name(direction)) + "(" + formula + ")",
                                 rounded("rounded", op_rounded_1, direction,
                                         [](const Case& c) {
                                           return oracle::RoundingPolicy{
                                               .negative_zero =
                                                   zero_is_negative(operation, format, operand_bits(c), direction)};
                                         }))),
                 when(
                     "an infinite or NaN operand, a zero divisor, or a root of a number that is not positive",
                     [special](const Case& c) { return special(c).has_value(); },
                     satisfies("specials", op_specials_1,
                               [special](const Case& c, const T& z) {
                                 const auto expected = special(c);
                                 return expected->nan ? oracle::is_nan(format, bits_of(z))
                                                      : bits_of(z) == expected->bits;
                               }))},
      .inexact =
          [special](const Case& c, const oracle::Exact& truth, const T& z) {
            return !special(c) && (!oracle::is_finite(format, bits_of(z)) ||
                                   judge_exact(value_of(z), truth).verdict != Verdict::holds);
          },
  };
  if constexpr (patterns <= 24) {
    property.domain.enumeration = every_pattern<Case, T>();
  } else {
    property.domain.classes = operation_classes<operation, T>();
  }
  return property;
}

/// The property with a probe of all operands, or of all significands, if the format is small. In binary32 the roots of
/// all numbers, and the quotients 1/b.
template <template <class> class Probe, FloatingPoint T, class P>
P judged_whole(P property) {
  if constexpr (FloatTraits<T>::width <= 16) {
    property.probe = probe_of_lists<Probe<T>>("rounded");
  } else if constexpr (std::is_same_v<Probe<T>, probes::op::AllSquareRoots<T>> && std::is_same_v<T, float>) {
    property.probe = probe_of_lists<probes::op::AllSquareRoots<T>>("rounded");
  } else if constexpr (std::is_same_v<Probe<T>, probes::op::AllDivisions<T>> && std::is_same_v<T, float>) {
    property.probe = probe_of_lists<probes::op::AllReciprocals<T>>("rounded");
  }
  return property;
}

/// The six operations of a format, to nearest.
template <FloatingPoint T>
struct OperationFamily {
  Registration all[6] = {
      Registration(judged_whole<probes::op::AllSums, T>(operation_property<Add<T>, Operation::add>("op.add", "a + b"))),
      Registration(
          judged_whole<probes::op::AllDifferences, T>(operation_property<Sub<T>, Operation::sub>("op.sub", "a − b"))),
      Registration(
          judged_whole<probes::op::AllProducts, T>(operation_property<Mul<T>, Operation::mul>("op.mul", "ab"))),
      Registration(
          judged_whole<probes::op::AllDivisions, T>(operation_property<Div<T>, Operation::div>("op.div", "a/b"))),
      Registration(
          judged_whole<probes::op::AllSquareRoots, T>(operation_property<Sqrt<T>, Operation::sqrt>("op.sqrt", "√a"))),
      Registration(
          judged_whole<probes::op::AllFused, T>(operation_property<Fma<T>, Operation::fma>("op.fma", "ab + c"))),
  };
};

/// The operations of a format in directed roundings.
template <FloatingPoint T>
struct DirectedOperationFamily {
  static constexpr auto up = oracle::Rounding::up;
  static constexpr auto down = oracle::Rounding::down;
  static constexpr auto zero = oracle::Rounding::zero;
  Registration all[15] = {
      Registration(operation_property<AddRu<T>, Operation::add, up>("op.add_ru", "a + b")),
      Registration(operation_property<AddRd<T>, Operation::add, down>("op.add_rd", "a + b")),
      Registration(operation_property<AddRz<T>, Operation::add, zero>("op.add_rz", "a + b")),
      Registration(operation_property<SubRu<T>, Operation::sub, up>("op.sub_ru", "a − b")),
      Registration(operation_property<SubRd<T>, Operation::sub, down>("op.sub_rd", "a − b")),
      Registration(operation_property<SubRz<T>, Operation::sub, zero>("op.sub_rz", "a − b")),
      Registration(operation_property<MulRu<T>, Operation::mul, up>("op.mul_ru", "ab")),
      Registration(operation_property<MulRd<T>, Operation::mul, down>("op.mul_rd", "ab")),
      Registration(operation_property<MulRz<T>, Operation::mul, zero>("op.mul_rz", "ab")),
      Registration(operation_property<DivRu<T>, Operation::div, up>("op.div_ru", "a/b")),
      Registration(operation_property<DivRd<T>, Operation::div, down>("op.div_rd", "a/b")),
      Registration(operation_property<DivRz<T>, Operation::div, zero>("op.div_rz", "a/b")),
      Registration(operation_property<SqrtRu<T>, Operation::sqrt, up>("op.sqrt_ru", "√a")),
      Registration(operation_property<SqrtRd<T>, Operation::sqrt, down>("op.sqrt_rd", "√a")),
      Registration(operation_property<SqrtRz<T>, Operation::sqrt, zero>("op.sqrt_rz", "√a")),
  };
};

}  // namespace assay::op
