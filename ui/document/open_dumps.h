#pragma once

#include "ui/document/held_dump.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// The dumps of a window, in the order of opening. One of them is shown: what is kept of it is from
/// when it was last left.
class OpenDumps
{
public:
    [[nodiscard]] const std::vector<HeldDump>& all() const { return m_all; }
    [[nodiscard]] std::optional<std::size_t> shown() const { return m_shown; }
    [[nodiscard]] std::optional<std::size_t> placeOf(const QString& path) const;
    /// The place after the shown one, or before it for a negative step, round and round; nothing
    /// where there is no other.
    [[nodiscard]] std::optional<std::size_t> neighbour(int step) const;

    /// Shows that dump: a further one, or the one of the same path as it was left.
    void show(const HeldDump& dump);
    void show(std::size_t place) { m_shown = place; }
    /// The shown one is now like this.
    void keepShown(const HeldDump& dump);
    /// The shown one goes; the one after it, else the one before it, is shown.
    void removeShown();
    void clear();

private:
    std::vector<HeldDump> m_all;
    std::optional<std::size_t> m_shown;
};

}  // namespace calibscope
