// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/file_bytes.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace calibscope::test {

/// A python3 that has h5py and numpy; empty where there is none.
inline const std::string& pythonWithH5py()
{
    static const std::string found = [] {
        for (const std::string python : {"/usr/bin/python3", "python3"})
            if (std::system((python + " -c 'import h5py, numpy' >/dev/null 2>&1").c_str()) == 0)
                return python;
        return std::string();
    }();
    return found;
}

/// Why a test that needs h5py is left out, to be given to WARN(); empty: it need not be.
inline std::string withoutH5py()
{
    return pythonWithH5py().empty() ? "not run: there is no python3 with h5py and numpy" : "";
}

/// Runs lines of Python with h5py and numpy (as np) in a folder. Throws where they fail.
inline void runH5py(const TemporaryFolder& folder, const std::string& lines)
{
    writeBytes(folder.file("script.py"), "import h5py\nimport numpy as np\n" + lines);
    const std::string command = "cd " + quoted(folder.path().string()) + " && " + pythonWithH5py() +
                                " script.py >python.log 2>&1 </dev/null";
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("the script failed: " + readBytes(folder.file("python.log")));
}

}  // namespace calibscope::test
