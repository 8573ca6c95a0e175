// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
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
/// and renamed by finish(), so whatever fails, there is the former file or the new one; a signal
/// may remove what is not whole (removeParts()). It keeps
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
    /// Name of the file that holds what was written so far, to be read before it gets its own.
    [[nodiscard]] const std::string& part();
    /// Puts the file into its place.
    void finish();

private:
    [[nodiscard]] int makePart();

    WholeFileOptions m_options;
    std::string m_target;
    std::string m_part;      ///< empty: none, or renamed already
    std::size_t m_slot = 0;  ///< in the list of parts
    std::FILE* m_stream = nullptr;
};

/// All of a file at once.
void writeWholeFile(const std::string& path, std::string_view bytes, WholeFileOptions options = {});

/// Removes the parts of all WholeFiles of this process that are not finished. For a handler of a
/// signal that ends the process: it calls nothing but what is safe there (unlink, getpid, poll). A
/// child that was forked off leaves its parent's alone. Knows the first 32 parts that exist at a
/// time, with names up to 4095 bytes.
void removeParts() noexcept;

/// From now on SIGHUP, SIGINT, SIGQUIT, SIGPIPE and SIGTERM remove the parts before they end the
/// process as they did; those that are ignored stay so. SIGXFSZ is ignored: a file that grows
/// beyond a limit is then a failure of that write, with a sentence. For main().
void removePartsOnStop();

/// What settings, sessions, presets and recipes may have at most: some kilobytes are usual.
constexpr std::uint64_t mostTextFileBytes = std::uint64_t{16} << 20U;

/// All bytes of a regular file. Throws Error(Input), a sentence with the path, for one that can't
/// be read, has more than `mostBytes`, or is none: a pipe, a device (/dev/zero never ends), a
/// folder. Does not wait for whoever may write into a pipe.
[[nodiscard]] std::string readWholeFile(const std::string& path,
                                        std::uint64_t mostBytes = mostTextFileBytes);

/// Has the system write out what the folder lists, as far as it can.
void syncFolder(const std::string& folder) noexcept;

}  // namespace calibscope
