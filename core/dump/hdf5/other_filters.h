// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// A filter by its number, as a dataset's creation property list has it.
struct FilterUse
{
    H5Z_filter_t id = 0;
    unsigned flags = 0;
    std::vector<unsigned> parameters = {};
    std::string recordedName = {};
};

/// Undoes a filter that is not ours by what the library or a plugin has for it, and tells how many
/// bytes came out: the library itself copies a whole chunk from them, however few they are. Not
/// from two threads at a time.
class OtherFilter
{
public:
    /// Never throws for what the file says: a filter that can't be used has a fault. Call under the
    /// Lock.
    OtherFilter(const FilterUse& filter, hid_t dataset, hid_t creationProperties);
    OtherFilter(const OtherFilter&) = delete;
    OtherFilter& operator=(const OtherFilter&) = delete;
    ~OtherFilter();

    /// Returns what is wrong with the bytes as a clause, or nothing. Takes the Lock.
    [[nodiscard]] std::string undo(std::span<const std::byte> packed, std::size_t mostBytes,
                                   std::vector<std::byte>& unpacked);

private:
    struct Trial;
    [[nodiscard]] std::string undoByPlugin(std::span<const std::byte> packed, std::size_t mostBytes,
                                           std::vector<std::byte>& unpacked) const;

    FilterUse m_filter;
    H5Z_func_t m_function = nullptr;  ///< of a plugin
    std::unique_ptr<Trial> m_trial;   ///< of a filter that is the library's
    std::string m_fault;              ///< why it can't be used
};

/// Lets the library look for plugins in the folder alone that it was built with: no variable of the
/// environment leads it to code that came with a file. Call under the Lock.
void usePluginsOfSystemOnly();

/// That folder.
[[nodiscard]] std::string pluginFolder();

}  // namespace calibscope::hdf5
