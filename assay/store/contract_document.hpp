#pragma once
// The field lists of the document of `assay contracts --json`.

#include "assay/store/documents.hpp"
#include "assay/store/listing.hpp"

namespace assay::store {

template <>
struct Document<ContractListing::Contract> {
  using Contract = ContractListing::Contract;
  static constexpr auto what = "a contract";
  static constexpr auto fields = std::tuple(
      field("id", &Contract::id), field("theorem", &Contract::theorem),
      field("instance", &Contract::instance)
          .says("The number formats for which the theorem is promised; empty for all."),
      field("implies", &Contract::implies).says("Ids of contracts that every kernel that keeps this one keeps, too."),
      field("is_about_error", &Contract::is_about_error)
          .says("Whether it refuses kernels that return zeros, a constant or a NaN."),
      field("formats", &Contract::formats)
          .says("The formats for which it is promised; empty for all formats of the operation."),
      field("is_rung", &Contract::is_rung)
          .says("Whether it is asked where nothing is promised; otherwise where it is promised alone."),
      field("older_names", &Contract::older_names)
          .if_there([](const Contract& contract) { return !contract.older_names.empty(); })
          .says("Ids that it had, which are still accepted; absent where it had no other."));
};
template <>
struct Document<ContractListing::Signature> {
  using Signature = ContractListing::Signature;
  static constexpr auto what = "a signature";
  static constexpr auto fields =
      std::tuple(field("form", &Signature::form).says("plain, cblas, fortran, libm, device, cublas or cublas_batched."),
                 field("declaration", &Signature::declaration).says("In C, with T for the number type."));
};
template <>
struct Document<ContractListing::Argument> {
  using Argument = ContractListing::Argument;
  static constexpr auto what = "an argument";
  static constexpr auto fields = std::tuple(
      field("name", &Argument::name).says("Of the field of a case."),
      field("dimensions", &Argument::dimensions)
          .says("Fields of a case: two of a matrix, which a case stores column by column, one of a vector."));
};
template <>
struct Document<ContractListing::Operation> {
  using Operation = ContractListing::Operation;
  static constexpr auto what = "an operation";
  static constexpr auto fields = std::tuple(
      field("name", &Operation::name), field("computes", &Operation::computes),
      field("accepts", &Operation::accepts).says("The inputs, in the first format."),
      field("formats", &Operation::formats), field("signatures", &Operation::signatures),
      field("contracts", &Operation::contracts),
      field("arguments", &Operation::arguments)
          .if_there([](const Operation& operation) { return !operation.arguments.empty(); })
          .says("Of a function that knows the shapes of its arrays; absent where none was described."),
      field("may_refuse", &Operation::may_refuse)
          .if_there([](const Operation& operation) { return operation.may_refuse; })
          .says("Whether a function may raise an error in place of a result; absent where it may not."),
      field("usual", &Operation::usual)
          .if_there([](const Operation& operation) { return !operation.usual.empty(); })
          .says("Ids of contracts, any of which will do where nobody names one; absent where none is given."));
};
template <>
struct Document<ContractListing> {
  static constexpr auto what = "the contracts";
  static constexpr auto fields = std::tuple(schema_field, field("operations", &ContractListing::operations));
};

}  // namespace assay::store
