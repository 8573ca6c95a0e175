// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

namespace calibscope::test {

/// What a program wrote and how it ended.
struct ProgramRun
{
    int exitCode = -1;  ///< -1: ended by a signal
    std::string output;
    std::string errors;
};

/// Without their ends.
inline std::vector<std::string> textLines(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// A word for the shell that stands for itself.
inline std::string quoted(const std::string& word)
{
    std::string text = "'";
    for (const char character : word)
        text += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return text + "'";
}

/// Runs one of the built programs in a folder of its own, without standard input.
inline ProgramRun runProgram(const std::string& name, const std::vector<std::string>& arguments)
{
    const TemporaryFolder folder;
    std::string command = "cd " + quoted(folder.path().string()) + " && exec " +
                          quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/" + name);
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    command += " >output 2>errors </dev/null";
    const int status = std::system(command.c_str());
    return {.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .output = readBytes(folder.file("output")),
            .errors = readBytes(folder.file("errors"))};
}

/// Whether memory can be limited here: a sanitizer needs more than any limit.
inline bool canLimitMemory()
{
    return runProgram("calib", {"serve", "--status"}).output.find("memory         on") !=
           std::string::npos;
}

}  // namespace calibscope::test
