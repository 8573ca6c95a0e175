#include "app/calib/finished_tensors.h"

#include "core/base/error.h"
#include "core/base/whole_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace calibscope::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mostBytes = std::uint64_t{1} << 32U;
constexpr char isProfileMark = 'p';
constexpr char isProblemMark = 'x';

bool isThere(const std::string& place)
{
    std::error_code ignored;
    return fs::exists(place, ignored);
}

void write(const std::string& place, std::string_view bytes)
{
    try {
        writeWholeFile(place, bytes, {.isSynced = false});
    } catch (const std::system_error& failure) {
        throw Error(Fault::Output,
                    place + ": cannot be written (" + failure.code().message() + ")");
    }
}

}  // namespace

FinishedTensors::FinishedTensors(std::string folder, const std::string& key)
    : m_folder(std::move(folder))
{
    const std::string place = m_folder + "/key";
    if (!isThere(place))
        write(place, key);
    else if (readWholeFile(place) != key)
        throw Error(Fault::Usage, m_folder + ": it holds what was made of other files, in another "
                                             "state or with other options; begin anew with "
                                             "--fresh");
}

std::string FinishedTensors::place(std::size_t tensor) const
{
    return m_folder + "/tensor-" + std::to_string(tensor);
}

std::vector<std::size_t> FinishedTensors::finished(std::size_t count) const
{
    std::vector<std::size_t> tensors;
    for (std::size_t tensor = 0; tensor < count; ++tensor) {
        std::ifstream file(place(tensor), std::ios::binary);
        if (file && file.get() == isProfileMark)
            tensors.push_back(tensor);
    }
    return tensors;
}

void FinishedTensors::put(std::size_t tensor, const ProfileAnswer& answer)
{
    write(place(tensor),
          answer.problem.empty() ? isProfileMark + answer.bytes : isProblemMark + answer.problem);
}

ProfileAnswer FinishedTensors::take(std::size_t tensor) const
{
    std::string bytes = readWholeFile(place(tensor), mostBytes);
    const bool isProblem = bytes.starts_with(isProblemMark);
    if (!bytes.empty())
        bytes.erase(0, 1);
    return isProblem ? ProfileAnswer{.problem = std::move(bytes)}
                     : ProfileAnswer{.bytes = std::move(bytes)};
}

void FinishedTensors::clear() const
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, ignored))
        fs::remove(entry.path(), ignored);
}

std::set<std::string> FinishedTensors::crashedIn(const std::string& folder)
{
    std::set<std::string> paths;
    std::ifstream file(folder + "/crashed");
    for (std::string line; std::getline(file, line);)
        if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
            paths.insert(line.substr(tab + 1));
    return paths;
}

void FinishedTensors::noteCrash(const std::string& folder, const std::string& file,
                                const std::string& path)
{
    std::error_code ignored;
    if (!path.empty() && fs::is_directory(folder, ignored))
        std::ofstream(folder + "/crashed", std::ios::app) << file + '\t' + path + '\n';
}

bool FinishedTensors::isWorthResuming(const std::string& folder)
{
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name == "crashed" || (name.starts_with("tensor-") && name.find('.') == name.npos))
            return true;
    }
    return false;
}

}  // namespace calibscope::cli
