#pragma once

#include <string>

namespace calibscope::cli {

/// While one lives, a crash ends the program with exit code 3 and a sentence that names what was
/// being read, not with a bare signal: the HDF5 library crashes on some damaged files, mostly over
/// the heap that holds their attributes' texts. One at a time.
class CrashSentence
{
public:
    explicit CrashSentence(const std::string& place);
    CrashSentence(const CrashSentence&) = delete;
    CrashSentence& operator=(const CrashSentence&) = delete;
    ~CrashSentence();
};

}  // namespace calibscope::cli
