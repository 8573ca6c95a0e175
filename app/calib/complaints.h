#pragma once

#include "core/base/error.h"

#include <cstdio>
#include <string>

namespace calibscope::cli {

/// Says on stderr what could not be read, and remembers that something was.
class Complaints
{
public:
    void add(const std::string& sentence)
    {
        std::fprintf(stderr, "calib: %s\n", sentence.c_str());
        m_any = true;
    }
    /// 0, or 3 if there was a complaint.
    [[nodiscard]] int exitCode() const { return m_any ? calibscope::exitCode(Fault::Input) : 0; }

private:
    bool m_any = false;
};

}  // namespace calibscope::cli
