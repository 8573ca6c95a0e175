// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace calibscope::cli {

/// Files in a folder that a run which was stopped leaves to the next one. Each is sealed together
/// with its name and with what the folder is made of, so that nothing else is gone on with.
class KeptParts
{
public:
    /// `key` tells files and options, `remedy` what to do about a folder that is of others. Throws
    /// Error(Usage) for such a one, Error(Output) where it can't be written to.
    KeptParts(std::string folder, std::string key, std::string remedy);

    /// Throws Error(Output).
    void keep(const std::string& name, std::string_view bytes) const;
    /// The part of that name; nothing without one. A damaged one is reported on stderr,
    /// removed, and counts as none. Throws Error(Usage) for a link, a pipe or whatever else is not a file.
    [[nodiscard]] std::optional<std::string> find(const std::string& name) const;
    void remove(const std::string& name) const;
    [[nodiscard]] std::string place(const std::string& name) const { return m_folder + "/" + name; }

private:
    [[nodiscard]] bool isThere(const std::string& name) const;
    void write(const std::string& name, std::string_view bytes) const;

    std::string m_folder;
    std::string m_key;
    std::string m_remedy;
};

}  // namespace calibscope::cli
