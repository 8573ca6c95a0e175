// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/kept_parts.h"

#include "app/calib/command_output.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/whole_file.h"

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

namespace calibscope::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mostBytes = std::uint64_t{1} << 32U;

}  // namespace

KeptParts::KeptParts(std::string folder, std::string key, std::string remedy)
    : m_folder(std::move(folder)), m_key(std::move(key)), m_remedy(std::move(remedy))
{
    if (!isThere("key"))
        write("key", m_key);
    else if (readWholeFile(place("key")) != m_key)
        throw Error(Fault::Usage, "{}: holds partial results for other inputs or options; {}",
                    m_folder, m_remedy);
}

void KeptParts::keep(const std::string& name, std::string_view bytes) const
{
    write(name, sealed(m_key + name + '\n' + std::string(bytes)));
}

std::optional<std::string> KeptParts::find(const std::string& name) const
{
    if (!isThere(name))
        return std::nullopt;
    std::string bytes = readWholeFile(place(name), mostBytes);
    const std::string head = m_key + name + '\n';
    if (const std::optional<std::string_view> content = unsealed(bytes);
        content && content->starts_with(head)) {
        bytes.resize(content->size());
        bytes.erase(0, head.size());
        return bytes;
    }
    warn(place(name) + ": it is damaged, as its SHA-256 is another than when it was written; what "
                       "it held is computed anew");
    remove(name);
    return std::nullopt;
}

void KeptParts::remove(const std::string& name) const
{
    std::error_code ignored;
    fs::remove(place(name), ignored);
}

bool KeptParts::isThere(const std::string& name) const
{
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(place(name), ignored);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw Error(Fault::Usage,
                    "{}: it is a link, a pipe or something else that is not a file, which no run "
                    "leaves there; remove it, or {}",
                    place(name), m_remedy);
    return fs::exists(status);
}

void KeptParts::write(const std::string& name, std::string_view bytes) const
{
    // Not synced: the seal detects a part that a power failure cut off.
    try {
        writeWholeFile(place(name), bytes, {.isSynced = false, .followsLinks = false});
    } catch (const std::system_error& failure) {
        throw Error(Fault::Output, "{}: cannot be written ({})", place(name),
                    failure.code().message());
    }
}

}  // namespace calibscope::cli
