// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/output_folder.h"

#include "core/base/error.h"
#include "core/base/open_descriptor.h"
#include "core/report/tables/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope {

namespace {

constexpr std::size_t longest = 100;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isSafe(char c)
{
    return (c >= 'a' && c <= 'z') || isUpper(c) || isDigit(c) || c == '.' || c == '-' || c == '_';
}

std::string safe(std::string_view tensor)
{
    std::string name(tensor.substr(0, longest));
    std::ranges::replace_if(
        name, [](char c) { return !isSafe(c); }, '_');
    if (name.empty() || name.front() == '.' || name.front() == '-')
        name.insert(0, "_");
    return name;
}

std::string lowerCase(std::string text)
{
    for (char& c : text)
        if (isUpper(c))
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

}  // namespace

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& place, const std::string& what)
{
    throw Error(Fault::Output, place + ": " + what);
}

/// The place without links and without a separator at its end.
fs::path placeOf(const std::string& target)
{
    std::error_code error;
    fs::path place = fs::weakly_canonical(fs::absolute(target, error), error);
    if (error || target.empty())
        fail(target, "this folder can't be created; check the path");
    if (place.filename().empty())
        place = place.parent_path();
    return place;
}

void checkReplaceable(const std::string& given, const fs::path& place,
                      OutputFolder::Existing existing, std::string_view mark)
{
    std::error_code error;
    const fs::file_status status = fs::symlink_status(place, error);
    if (!fs::exists(status))
        return;
    if (!fs::is_directory(status))
        fail(given, "this is a file, not a folder; choose another folder");
    if (existing == OutputFolder::Existing::Refuse)
        fail(given, "the folder exists; choose another one, or give --overwrite");
    if (!fs::is_empty(place, error) && !fs::exists(place / mark, error))
        fail(given, "the folder is not replaced, since it contains no report (no " +
                        std::string(mark) + "); choose another one");
}

/// A new folder beside the place. mkdtemp would make it for its owner alone.
fs::path makeBeside(const std::string& given, const fs::path& place)
{
    constexpr int attempts = 100;
    constexpr mode_t forAll = 0777;  // the user's umask takes away from it
    for (int attempt = 0; attempt < attempts; ++attempt) {
        fs::path path = partName(place.string(), attempt);
        if (::mkdir(path.c_str(), forAll) == 0)
            return path;
        if (errno != EEXIST)
            break;
    }
    fail(given, "no folder can be created here (" + std::generic_category().message(errno) +
                    "); check the path, the permissions and the free space");
}

/// All that was written in it reaches the disk, as far as the system can tell.
void syncFiles(const fs::path& folder)
{
    const OpenDescriptor opened(folder.string(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened.isOpen())
        static_cast<void>(::syncfs(opened.number()));
}

}  // namespace

OutputFolder::OutputFolder(const std::string& target, Existing existing, std::string_view mark)
    : m_given(target), m_target(placeOf(target))
{
    checkReplaceable(m_given, m_target, existing, mark);
    m_temporary = makeBeside(m_given, m_target);
}

OutputFolder::~OutputFolder()
{
    std::error_code ignored;
    if (!m_temporary.empty())
        fs::remove_all(m_temporary, ignored);
}

void OutputFolder::makeFolder(std::string_view name) const
{
    std::error_code error;
    fs::create_directory(m_temporary / name, error);
    if (error)
        fail(m_given,
             "a folder in it can't be created (" + error.message() + "); check the free space");
}

void OutputFolder::write(const fs::path& name, std::string_view content) const
{
    writeOutput((m_temporary / name).string(), content, inUnfinishedFolder);
}

void OutputFolder::finish()
{
    syncFiles(m_temporary);
    // At no moment is there neither the former folder nor the new one.
    if (::renameat2(AT_FDCWD, m_temporary.c_str(), AT_FDCWD, m_target.c_str(), RENAME_EXCHANGE) ==
        0) {
        syncFolder(m_target.parent_path().string());
        std::error_code ignored;
        fs::remove_all(std::exchange(m_temporary, fs::path()), ignored);
        return;
    }
    // There is none yet, or the file system can't exchange: a network's, a Windows disk's.
    std::error_code error;
    fs::path former;
    if (fs::exists(m_target, error)) {
        former = m_temporary.string() + ".old";
        fs::rename(m_target, former, error);
        if (error)
            fail(m_given, "the previous report can't be moved away (" + error.message() + ")");
    }
    fs::rename(m_temporary, m_target, error);
    if (error) {
        std::error_code ignored;
        if (!former.empty())
            fs::rename(former, m_target, ignored);
        fail(m_given, "the folder can't be put into its place (" + error.message() + ")");
    }
    m_temporary.clear();
    syncFolder(m_target.parent_path().string());
    std::error_code ignored;
    if (!former.empty())
        fs::remove_all(former, ignored);
}

std::string FileNames::next(std::string_view tensor)
{
    const std::string base = safe(tensor);
    std::string name = base;
    for (int number = 2; !m_given.insert(lowerCase(name)).second; ++number)
        name = base + "-" + std::to_string(number);
    return name;
}

}  // namespace calibscope
