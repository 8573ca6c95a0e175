// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/docs/example.h"
#include "tests/support/catch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace calibscope::docs {

/// A folder to run examples in, with the checkout's resources as the documents name them.
class Workplace
{
public:
    Workplace()
    {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "calibscope-docs-XXXXXX").string();
        REQUIRE(mkdtemp(pattern.data()) != nullptr);
        m_folder = pattern;
        std::filesystem::create_directory_symlink(
            std::filesystem::path(CALIBSCOPE_SOURCE_DIR) / "resources", m_folder / "resources");
    }
    ~Workplace() { std::filesystem::remove_all(m_folder); }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    /// Both streams' lines, and after a failure "[exit code N]".
    [[nodiscard]] std::vector<std::string> run(const std::string& command) const
    {
        const std::string script = "cd '" + m_folder.string() + "' && export PATH='" +
                                   CALIBSCOPE_PROGRAM_DIR + "':\"$PATH\" && { " + command +
                                   "\n} 2>&1 </dev/null";
        FILE* pipe = popen(script.c_str(), "r");
        REQUIRE(pipe != nullptr);
        std::string output;
        for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
            output += static_cast<char>(letter);
        const int status = pclose(pipe);
        auto lines = linesOf(output);
        if (status != 0)
            lines.push_back("[exit code " + std::to_string(WEXITSTATUS(status)) + "]");
        return lines;
    }

    /// Writes a file into the folder.
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
    }

private:
    std::filesystem::path m_folder;
};

inline std::string textOf(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

}  // namespace calibscope::docs
