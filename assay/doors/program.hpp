#pragma once
// Kernels from outside that are programs: a program reads cases on its standard input and writes results to its
// standard output. docs/pipe.md has the protocol.

#include <memory>
#include <string>
#include <vector>

#include "assay/doors/conversation.hpp"
#include "properties/framework/operation.hpp"

namespace assay::doors {

/// The words of a command line: separated by blanks, quoted as in a shell, with variables and ~ replaced, and no
/// commands run. Errors: SubjectError.
std::vector<std::string> words_of_command(const std::string& command);

/// The exit code of a process that did not find its program.
inline constexpr int exit_not_found = 127;

/// Starts the program, which ends with this process, and greets it. Errors: SubjectError if it cannot be started, or
/// does not answer by the protocol.
std::shared_ptr<ForeignProgram> start_program(const std::string& command, const std::string& operation,
                                              const std::string& format, Speech speech);
/// The same, for a program that uses lines of text.
std::shared_ptr<ForeignProgram> lines_of(const std::string& command, const std::string& operation,
                                         const std::string& format);

/// The process between this program and the kernel's program: it executes the kernel's program, which ends with its
/// parent. Its arguments: the parent's id, then the words of the command. Returns the exit code if it cannot execute
/// the program.
int become_program(int argc, char** argv);

}  // namespace assay::doors
