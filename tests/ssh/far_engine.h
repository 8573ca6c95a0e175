// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "ui/queries/engine_client.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <filesystem>
#include <string>

namespace calibscope::test {

inline const std::string sampleDump = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";
inline const std::string calibProgram = CALIBSCOPE_PROGRAM_DIR "/calib";
constexpr int lineDelayMs = 100;  ///< each way
constexpr int roundTripMs = 2 * lineDelayMs;

/// An engine behind a line that takes its time, as if ssh had started it on "farhost".
inline EngineProgram farEngine(const QStringList& program)
{
    return {.program = QStringLiteral(CALIBSCOPE_PROGRAM_DIR "/relay"),
            .arguments = QStringList{QString::number(lineDelayMs)} + program,
            .host = QStringLiteral("farhost"),
            .command = QStringLiteral("calib")};
}

/// The real one, which writes a line into a file at each start: so it can be told how many there
/// were.
class CountedEngine
{
public:
    [[nodiscard]] EngineProgram program() const
    {
        const std::string script =
            "echo start >>'" + m_folder.file("starts") + "'; exec " + calibProgram + " serve";
        return farEngine(
            {QStringLiteral("/bin/sh"), QStringLiteral("-c"), QString::fromStdString(script)});
    }
    [[nodiscard]] std::size_t starts() const
    {
        if (!std::filesystem::exists(m_folder.file("starts")))
            return 0;
        const std::string lines = readBytes(m_folder.file("starts"));
        return static_cast<std::size_t>(std::ranges::count(lines, '\n'));
    }

private:
    TemporaryFolder m_folder;
};

}  // namespace calibscope::test
