#pragma once
// What judgments share of arrays that lie in the memory of a device.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/judge/objects.hpp"
#include "enclosures/gradient.hpp"
#include "enclosures/product.hpp"
#include "properties/framework/entry_rules.hpp"

namespace assay::judge {

/// Errors: std::invalid_argument for a type that no room `enclosures` has.
enclosures::ElementType element_of(const assay_tensor& tensor, const char* name);
/// The name of the format of such numbers.
std::string format_of(enclosures::ElementType type);

/// Errors: NoDevice where something does not fit: "arrays of this layout are judged on the host alone".
void require_fit(bool fits, const char* what);

/// Numbers of the type of `like` in the memory of the host.
assay_tensor on_host(const assay_tensor& like, std::byte* data, std::span<const std::int64_t> shape,
                     std::span<const std::int64_t> strides);

/// Places of a sample, the same ones for a seed.
class SamplePlaces {
 public:
  explicit SamplePlaces(std::uint64_t seed) : state_(seed + 0x9e3779b97f4a7c15) {}
  /// A place below `count`.
  std::uint64_t next(std::uint64_t count) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 11) % count;
  }

 private:
  std::uint64_t state_;
};

/// The verdict on a result of a formula's case. A contract about an error is kept only where infinities and NaNs give
/// what IEEE arithmetic does: where it says nothing, `exceptional` is asked.
assay_verdict verdict_with_specials(assay_judge& judge, assay_case& of, const std::vector<std::uint64_t>& bits,
                                    const Contract& contract);
/// Whether a verdict is not farther from `kept` than another.
bool is_no_worse(const assay_verdict& one, const assay_verdict& other);

/// The verdict on the result of an operation on rows. Errors: NoDevice for arrays of a layout or with numbers that the
/// host alone judges.
assay_verdict judged_rows(assay_judge& judge, const RowRules& rules, std::vector<assay_tensor> arguments,
                          const assay_tensor& result, const Contract& contract);

/// The verdict on the result of the formula of attention, of one head or of all heads in the first axes. Errors:
/// NoDevice for another formula, and for arrays of a layout or a contract that the host alone judges.
assay_verdict judged_attention(assay_judge& judge, std::span<const assay_tensor> arguments, const assay_tensor& result,
                               const Contract& contract);

/// The verdict on the result of a formula of elementwise operations and reductions of rows. Errors: NoDevice for
/// another formula, and for arrays of a layout or a contract that the host alone judges.
assay_verdict judged_elementwise(assay_judge& judge, std::span<const assay_tensor> arguments,
                                 const assay_tensor& result, const Contract& contract);

/// The verdict on prefix sums. Errors: NoDevice for what is not shown to keep the contract.
assay_verdict judged_prefixes(assay_judge& judge, PrefixRules rules, std::span<const assay_tensor> arguments,
                              const assay_tensor& result, const Contract& contract);

/// The verdict on the rows of a sparse matrix times a vector. Errors: NoDevice for arrays of a layout that the host
/// alone judges, and for too many rows that no enclosure decides.
assay_verdict judged_sparse(assay_judge& judge, SparseRules rules, std::span<const assay_tensor> arguments,
                            const assay_tensor& result, const Contract& contract);

/// The verdict on a result of one number, within `radius` of value + low, that its enclosure alone shows to keep the
/// contract.
assay_verdict verdict_of_first(assay_judge& judge, std::size_t claim, const enclosures::ScreenedProduct::First& first,
                               double ratio);

/// The verdict on numbers that their enclosures show to be kept, or of which nothing is decided.
assay_verdict verdict_of_device(const assay_judge& judge, const Contract& contract, double nearest);
/// The verdict on the number of the device that is farthest from keeping a contract; `first`: the component before its
/// column.
assay_verdict verdict_of_refuted(assay_judge& judge, const Contract& contract, const enclosures::Refuted& worst,
                                 std::int64_t first);

/// A number of a result that is the dot product of these vectors of the judge's format; nothing for a contract that a
/// dot product does not have.
std::optional<assay_verdict> judged_as_dot(assay_judge& judge, const Contract& contract, std::size_t n,
                                           const std::byte* x, const std::byte* y, const std::byte* got);

/// A result of a vector operation on the first numbers of vectors with `whole` numbers, which lie in the memory of the
/// host; nothing where only a case can be judged.
std::optional<assay_verdict> judged_in_place(assay_judge& judge, const Contract& contract,
                                             std::span<const assay_tensor> arguments, const assay_tensor& result,
                                             std::size_t whole);

/// An array of so many numbers of a device, copied.
std::vector<std::byte> copied(const void* data, std::int64_t first, std::int64_t count, std::size_t width);

}  // namespace assay::judge
