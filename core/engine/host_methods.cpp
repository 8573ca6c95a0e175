// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/host_methods.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/calibrators/calibrator.h"
#include "core/dump/file_check.h"
#include "core/protocol/frame_reader.h"
#include "core/protocol/messages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope::engine {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name)
{
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return text != nullptr ? text : "";
}

template <typename... Requests>
std::vector<std::string> namesOf(protocol::MethodList<Requests...>)
{
    return {std::string(protocol::Method<Requests>::name)...};
}

std::vector<protocol::OfferedCalibrator> offeredCalibrators()
{
    std::vector<protocol::OfferedCalibrator> offered;
    for (const Calibrator& calibrator : calibrators()) {
        protocol::OfferedCalibrator& told = offered.emplace_back();
        told.id = calibrator.id;
        told.title = calibrator.title;
        for (const Parameter& parameter : calibrator.parameters)
            told.parameters.push_back({.id = parameter.id,
                                       .fallback = parameter.fallback,
                                       .least = parameter.least,
                                       .greatest = parameter.greatest,
                                       .words = parameter.words});
    }
    return offered;
}

void takeAccount(protocol::Hello& hello)
{
    hello.user = variable("USER");
    hello.home = variable("HOME");
    if (!hello.user.empty() && !hello.home.empty())
        return;
    const passwd* account = ::getpwuid(::getuid());  // NOLINT(concurrency-mt-unsafe): at the start
    if (account == nullptr)
        return;
    if (hello.user.empty())
        hello.user = account->pw_name;
    if (hello.home.empty())
        hello.home = account->pw_dir;
}

[[noreturn]] void fail(const std::string& path, const std::string& what)
{
    throw Error(Fault::Input, "{}: {}", path, what);
}

protocol::FolderEntry entryOf(const fs::path& folder, const std::string& name)
{
    protocol::FolderEntry entry{.name = name};
    struct stat status
    {
    };
    if (::stat((folder / name).c_str(), &status) != 0)
        return entry;  // a link to nowhere, or gone meanwhile
    if (S_ISDIR(status.st_mode))
        entry.kind = protocol::EntryKind::Folder;
    else if (S_ISREG(status.st_mode)) {
        entry.kind = protocol::EntryKind::File;
        entry.bytes = static_cast<std::uint64_t>(status.st_size);
    }
    entry.modifiedSeconds = status.st_mtim.tv_sec;
    return entry;
}

std::vector<std::string> sortedNames(const fs::path& folder, const Progress& progress)
{
    std::error_code failure;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        progress.step(names.size(), 0, folder.native());
        names.push_back(entry->path().filename().string());
    }
    if (failure)
        fail(folder.string(), "the folder can't be read: " + failure.message());
    std::ranges::sort(names);
    return names;
}

}  // namespace

protocol::Hello helloOfThisHost()
{
    protocol::Hello hello{.program = "calib",
                          .version = CALIBSCOPE_VERSION,
                          .protocol = protocol::protocolVersion,
                          .host = {},
                          .user = {},
                          .home = {},
                          .cores = std::thread::hardware_concurrency(),
                          .memoryBytes = 0,
                          .methods = namesOf(protocol::AllMethods{}),
                          .calibrators = offeredCalibrators()};
    takeAccount(hello);
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0)
        hello.host = host.data();
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && pageBytes > 0)
        hello.memoryBytes =
            static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes);
    return hello;
}

protocol::FolderPage folderPage(const protocol::FolderRequest& request, const Progress& progress)
{
    const std::string wanted = request.path.empty() ? variable("HOME") : request.path;
    std::error_code failure;
    fs::path folder = fs::absolute(wanted.empty() ? "." : wanted, failure).lexically_normal();
    if (!folder.has_filename() && folder.has_relative_path())
        folder = folder.parent_path();  // "/d/" is /d
    if (failure)
        fail(wanted, "the folder can't be read: " + failure.message());
    const std::vector<std::string> names = sortedNames(folder, progress);
    protocol::FolderPage page{.path = folder.string(), .entries = {}, .total = names.size()};
    const std::uint64_t first = std::min<std::uint64_t>(request.first, names.size());
    const std::uint64_t count = std::min(names.size() - first, protocol::folderPageEntries);
    for (std::uint64_t place = first; place < first + count; ++place) {
        progress.step(place - first, count, folder.native());
        page.entries.push_back(entryOf(folder, names[place]));
    }
    return page;
}

protocol::IdentifiedFile identifiedFile(const protocol::IdentifyRequest& request)
{
    struct stat status
    {
    };
    if (::stat(request.path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return {};
        fail(request.path, std::generic_category().message(errno));
    }
    protocol::IdentifiedFile found{.identity = checkedIdentity(request.path)};
    found.identity->headerSha256 = headerSha256(request.path);
    return found;
}

protocol::DigestedFile digestedFile(const protocol::DigestRequest& request,
                                    const Progress& progress)
{
    constexpr std::uint64_t stepBytes = std::uint64_t{1} << 20;
    protocol::DigestedFile digested{.identity = checkedIdentity(request.path)};
    const std::uint64_t bytes = digested.identity.bytes;
    std::uint64_t done = 0;
    digested.identity.sha256 = fileSha256(request.path, [&] {
        progress.step(std::min(done, bytes), bytes, request.path);
        done += stepBytes;
    });
    return digested;
}

}  // namespace calibscope::engine
