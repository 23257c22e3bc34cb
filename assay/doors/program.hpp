#pragma once
// Kernels from outside that are a program: it reads cases on its standard input and writes results to its standard
// output. docs/pipe.md has the protocol.

#include <memory>
#include <string>
#include <vector>

#include "assay/doors/conversation.hpp"
#include "properties/framework/operation.hpp"

namespace assay::doors {

/// The words of a command line: separated by blanks, quoted as in a shell, with variables and ~ replaced, and no
/// commands run. Errors: SubjectError.
std::vector<std::string> words_of_command(const std::string& command);

/// The exit code of a process that found no program to become.
inline constexpr int exit_not_found = 127;

/// Starts the program, which ends with this process, and greets it. Errors: SubjectError if it cannot be started,
/// or does not answer as the protocol says.
std::shared_ptr<ForeignProgram> start_program(const std::string& command, const std::string& operation,
                                              const std::string& format, Speech speech);
/// The same, for a program that is spoken to in lines.
std::shared_ptr<ForeignProgram> lines_of(const std::string& command, const std::string& operation,
                                         const std::string& format);

/// What this program does between it and the kernel's program: it becomes that one, and ends with its parent. Its
/// arguments: the parent's id, then the words of the command. Returns the exit code where it cannot.
int become_program(int argc, char** argv);

}  // namespace assay::doors
