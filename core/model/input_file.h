#pragma once

#include <cstdint>
#include <string>

namespace calibscope::model {

/// A regular file, open for reading.
class InputFile
{
public:
    /// Throws Error(Input), "`who` could not be read: ...", for what can't be opened or is no
    /// regular file. Does not wait for whoever may write into a pipe.
    InputFile(const std::string& path, const std::string& who);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    [[nodiscard]] int descriptor() const { return m_descriptor; }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    void rewind() const;

private:
    int m_descriptor;
    std::uint64_t m_bytes = 0;
};

}  // namespace calibscope::model
