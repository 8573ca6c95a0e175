#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace calibscope::cli {

/// What came of a tensor: its profile as bytes, or why it is left out.
struct ProfileAnswer
{
    std::string bytes = {};
    std::string problem = {};
};

/// Profiles of tensors in a folder, until all are there and the whole can be written: what a run
/// that was stopped leaves to the next one.
class FinishedTensors
{
public:
    /// Reads what is there. `key` tells files and options. Throws Error(Usage) where the folder is
    /// of others, Error(Output) where it can't be written to.
    FinishedTensors(std::string folder, const std::string& key);

    /// Those of `count` tensors that a former run has finished; what could not be read is tried
    /// again.
    [[nodiscard]] std::vector<std::size_t> finished(std::size_t count) const;
    void put(std::size_t tensor, const ProfileAnswer& answer);
    /// What was put there, by this run or a former one.
    [[nodiscard]] ProfileAnswer take(std::size_t tensor) const;
    /// Removes all files; the folder itself is its maker's.
    void clear() const;

    /// Paths of tensors at which readers have crashed, as noteCrash() told them.
    [[nodiscard]] static std::set<std::string> crashedIn(const std::string& folder);
    static void noteCrash(const std::string& folder, const std::string& file,
                          const std::string& path);
    /// Whether a run that was stopped has left something that can be gone on with.
    [[nodiscard]] static bool isWorthResuming(const std::string& folder);

private:
    [[nodiscard]] std::string place(std::size_t tensor) const;

    std::string m_folder;
};

}  // namespace calibscope::cli
