// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ssh/far_engine.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <string>

namespace calibscope::test {

/// A program "ssh" before all others in PATH: it writes what it was called with into a file, and
/// runs the command as ssh does, joined to one line for a shell, behind a line of 20 ms each way,
/// with the home folder as the working folder. There "calib" is the one that was built.
class FakeSsh
{
public:
    FakeSsh() : m_path(qgetenv("PATH"))
    {
        std::filesystem::create_directory(m_folder.file("bin"));
        std::filesystem::create_directory(m_folder.file("home"));
        const std::string program = m_folder.file("bin") + "/ssh";
        writeBytes(program, "#!/bin/sh\n"
                            "printf '%s\\n' \"$*\" >>'" +
                                m_folder.file("calls") +
                                "'\nwhile [ \"$1\" != -- ]; do shift; done\nhost=$2\nshift 2\n"
                                "[ \"$host\" != unreachable ] || { echo 'ssh: no such host' >&2; "
                                "exit 255; }\ncd '" +
                                m_folder.file("home") +
                                "'\nexec " CALIBSCOPE_PROGRAM_DIR "/relay 20 /bin/sh -c \"$*\"\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        std::filesystem::create_symlink(calibProgram, m_folder.file("bin") + "/calib");
        qputenv("PATH", QByteArray::fromStdString(m_folder.file("bin")) + ":" + m_path);
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(m_folder.file("cache")));
    }
    ~FakeSsh()
    {
        qputenv("PATH", m_path);
        qunsetenv("XDG_CACHE_HOME");
    }
    FakeSsh(const FakeSsh&) = delete;
    FakeSsh& operator=(const FakeSsh&) = delete;

    /// What it was called with, a line for each time.
    [[nodiscard]] std::string calls() const
    {
        return std::filesystem::exists(m_folder.file("calls")) ? readBytes(m_folder.file("calls"))
                                                               : std::string();
    }
    [[nodiscard]] std::string home() const { return m_folder.file("home"); }

private:
    QByteArray m_path;
    TemporaryFolder m_folder;
};

}  // namespace calibscope::test
