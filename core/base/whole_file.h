#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace calibscope {

/// What stands between the name of a file or folder that is not whole yet and the id of the process
/// that writes it.
constexpr std::string_view partMark = ".part-";

/// A name beside the target for what is not whole yet. It tells the process; a number follows from
/// the second attempt on, for where a process of that id left something behind.
[[nodiscard]] std::string partName(const std::string& target, int attempt);

struct WholeFileOptions
{
    bool isSynced = true;          ///< reaches the disk before it is renamed
    bool followsLinks = true;      ///< false: a link under the file's name is replaced itself
    unsigned permissions = 0666U;  ///< of a new file; the user's umask takes away from them
};

/// A file that appears only when it is whole: it is written beside its place under another name
/// and renamed by finish(), so whatever fails, there is the former file or the new one. It keeps
/// the permissions of the former one. Failures throw std::system_error with the system's reason.
class WholeFile
{
public:
    explicit WholeFile(const std::string& path, WholeFileOptions options = {});
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    /// Removes what was written if finish() was not reached.
    ~WholeFile();

    void write(std::string_view bytes);
    /// Puts the file into its place.
    void finish();

private:
    WholeFileOptions m_options;
    std::string m_target;
    std::string m_part;  ///< empty: none, or renamed already
    std::FILE* m_stream = nullptr;
};

/// All of a file at once.
void writeWholeFile(const std::string& path, std::string_view bytes, WholeFileOptions options = {});

}  // namespace calibscope
