// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/finished_tensors.h"

#include "core/base/error.h"
#include "core/base/whole_file.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace calibscope::cli {

namespace {

namespace fs = std::filesystem;

constexpr char isProfileMark = 'p';
constexpr char isProblemMark = 'x';
constexpr std::string_view beginning = "tensor-";

std::string nameOf(std::size_t tensor)
{
    return std::string(beginning) + std::to_string(tensor);
}

bool isFile(const std::string& place)
{
    std::error_code ignored;
    return fs::is_regular_file(fs::symlink_status(place, ignored));
}

}  // namespace

FinishedTensors::FinishedTensors(const std::string& folder, const std::string& key)
    : m_parts(folder, key, "use --fresh to start over")
{}

std::vector<std::size_t> FinishedTensors::finished(std::size_t count) const
{
    std::vector<std::size_t> tensors;
    for (std::size_t tensor = 0; tensor < count; ++tensor)
        if (const auto bytes = m_parts.find(nameOf(tensor));
            bytes && bytes->starts_with(isProfileMark))
            tensors.push_back(tensor);
    return tensors;
}

void FinishedTensors::put(std::size_t tensor, const ProfileAnswer& answer)
{
    m_parts.keep(nameOf(tensor), answer.problem.empty() ? isProfileMark + answer.bytes
                                                        : isProblemMark + answer.problem);
}

ProfileAnswer FinishedTensors::take(std::size_t tensor) const
{
    std::optional<std::string> bytes = m_parts.find(nameOf(tensor));
    if (!bytes || bytes->empty())
        throw Error(Fault::Input,
                    "{}: it was changed or removed during the run; go on with --resume",
                    m_parts.place(nameOf(tensor)));
    const bool isProblem = bytes->starts_with(isProblemMark);
    bytes->erase(0, 1);
    return isProblem ? ProfileAnswer{.problem = *std::move(bytes)}
                     : ProfileAnswer{.bytes = *std::move(bytes)};
}

void FinishedTensors::clear(const std::string& folder)
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (const std::string name = entry.path().filename().string();
            name == "key" || name == "crashed" || name.starts_with(beginning))
            fs::remove(entry.path(), ignored);
}

std::set<std::string> FinishedTensors::crashedIn(const std::string& folder)
{
    std::set<std::string> paths;
    const std::string place = folder + "/crashed";
    if (!isFile(place))
        return paths;
    std::istringstream lines(readWholeFile(place));
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
            paths.insert(line.substr(tab + 1));
    return paths;
}

void FinishedTensors::noteCrash(const std::string& folder, const std::string& file,
                                const std::string& path)
{
    std::error_code ignored;
    const std::string place = folder + "/crashed";
    if (!path.empty() && fs::is_directory(folder, ignored) &&
        (isFile(place) || !fs::exists(fs::symlink_status(place, ignored))))
        std::ofstream(place, std::ios::app) << file + '\t' + path + '\n';
}

bool FinishedTensors::isWorthResuming(const std::string& folder)
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name == "crashed" || (name.starts_with(beginning) && name.find('.') == name.npos))
            return true;
    }
    return false;
}

}  // namespace calibscope::cli
