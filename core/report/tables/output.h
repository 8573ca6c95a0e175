// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/whole_file.h"
#include "core/report/tables/table.h"

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace calibscope {

/// Where a program's result goes: standard output, or a file that appears only when it is whole.
///
/// A file is a WholeFile: an existing one is replaced at once or not at all. What is not a regular
/// file (a device, a pipe) is written to directly. Every failure throws Error(Output) with the
/// path, the system's reason and the free space.
class Output
{
public:
    /// Standard output for an empty path. `options` are those of a file.
    explicit Output(const std::string& path, WholeFileOptions options = {});
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    /// Removes what was written if finish() was not reached.
    ~Output();

    void write(std::string_view text);
    /// A sink for TableWriter; the output must outlive it.
    [[nodiscard]] TextSink sink();
    /// Makes sure that everything has arrived, and puts the file into its place.
    void finish();

private:
    [[noreturn]] void fail(int errorNumber) const;

    std::string m_path;               ///< as given; for messages
    std::string m_folder;             ///< of the file; empty: written directly
    std::optional<WholeFile> m_file;  ///< nothing: written directly
    std::FILE* m_stream = nullptr;    ///< what is written directly
};

/// All of an output at once.
void writeOutput(const std::string& path, std::string_view content, WholeFileOptions options = {});

}  // namespace calibscope
