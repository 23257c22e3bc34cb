#pragma once
// Command lines that name no command, or an option that the command does not have.

#include <CLI/CLI.hpp>

namespace assay::cli {

/// A command with subcommands needs one; without one UsageError lists them.
void require_one(CLI::App& command);

/// The first word must be a command. Errors: UsageError with the nearest ones.
void refuse_unknown_command(const CLI::App& app, int argc, const char* const* argv);

/// Every long option must be an option of the command. Otherwise its value would be taken for an argument. Errors:
/// UsageError with the options of the command.
void refuse_unknown_options(const CLI::App& app, int argc, const char* const* argv);

}  // namespace assay::cli
