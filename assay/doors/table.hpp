#pragma once
// Kernels from outside that are a library with a table of functions (assay/subject.h).

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/subject.h"
#include "properties/framework/operation.hpp"

namespace assay::doors {

/// The name of the function that returns a library's table.
inline constexpr const char* table_function = "assay_subject_v1";

/// A library's table, checked and opened. It is closed with the object.
class Table {
 public:
  /// `source`: the library's name in errors. A table without a host part is always on a device. If there is no device,
  /// such a table is read, but not opened. Errors: SubjectError, one line, if the table is not one of version 1, names
  /// something unknown to this program, or does not open.
  Table(std::string source, const assay_subject_table* table, bool on_device);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table();

  /// Operations and formats, in the table's order.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> kernels() const;
  [[nodiscard]] bool runs_on_host() const;
  [[nodiscard]] bool runs_on_device() const;
  [[nodiscard]] bool is_on_device() const { return on_device_; }
  /// Name and version, and the knobs of an open table, in one line: "fast 1.2; threads=1; mode=default".
  [[nodiscard]] std::string description() const;

  /// Resets and runs the table, with arrays on the executor, and waits for the device. Errors: ExecutorError for the
  /// device's errors, and if a function returned an error status.
  void run(const Executor& on, const std::vector<assay_args>& cases, std::vector<DLTensor>& out) const;

 private:
  [[nodiscard]] std::string error_of(const char* function, int status) const;
  std::string source_;
  const assay_subject_table* table_;
  bool on_device_;
  bool is_open_ = false;
  void* self_ = nullptr;
};

/// One of the table's operations. It keeps the table. On a device, its arrays are on device 0.
std::shared_ptr<ForeignProgram> kernel_of(std::shared_ptr<const Table> table, const std::string& operation,
                                          const std::string& format);

}  // namespace assay::doors
