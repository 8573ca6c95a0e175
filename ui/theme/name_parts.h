// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

class QFontMetricsF;

namespace calibscope {

/// Ends a part of a name and belongs to it: "/", ".", "_", "-", ":" or a space.
[[nodiscard]] bool isPartEnd(char letter);

/// Parts of a name that tell it from others of its list. Names branch where others go on
/// differently, read from the front or from the back; the parts behind the branches are enough to
/// tell one from all others, and the direction is taken that needs fewer letters. Of these the
/// rarest are enough where there is less room. Cost: a copy of the names, and one hash of each beginning
/// and end of whole parts.
class NameParts
{
public:
    enum Need : char {
        Spare,      ///< left out first
        Helpful,    ///< tells it from names that share the others
        Essential,  ///< of the few that no other name has together
    };

    static constexpr std::size_t mostNames = 20000;  ///< for more a frame has no time

    explicit NameParts(std::span<const std::string_view> names);

    /// The need of each part of one of the names. At least one is essential but in an empty name; all
    /// are of a name that is none of these.
    [[nodiscard]] QByteArray needs(std::string_view name) const;

private:
    struct Branch
    {
        std::string_view next;  ///< part of the first name that came here
        bool isChoice = false;  ///< others go on differently, or end
    };
    enum Direction { FromFront, FromBack };

    [[nodiscard]] std::vector<bool> branches(std::string_view name, Direction direction) const;
    void markEssential(const std::vector<std::string_view>& parts, QByteArray& needs) const;

    std::vector<char> m_letters;  ///< of all names: the lists that they are of may change
    std::array<std::unordered_map<std::string_view, Branch>, 2> m_branches;
    std::unordered_map<std::string_view, std::vector<int>> m_holders;  ///< names with that part
};

/// The parts of a name, without gaps: "a/", "conv_", "1".
[[nodiscard]] std::vector<std::string_view> partsOf(std::string_view name);

/// A name without the parts that another one begins or ends with, too; all of it where no other are
/// left.
[[nodiscard]] QString differingPart(std::string_view name, std::string_view other);

/// As much of a name as fits. Parts are left out by their needs (NameParts::needs()), and of equal
/// ones from the left: "…/conv_u/output", "block0/…/conv_u", "…17_…bn"; where the essential ones do
/// not fit, letters from the left. Room that is left over is for the beginning, before an end with
/// helpful parts: "batch_n…3.tmp_2", "conv2d_472…".
/// Without a need of each part those behind the last "/" are essential.
[[nodiscard]] QString elidedName(const QString& name, const QFontMetricsF& metrics, double width,
                                 const QByteArray& needs = {});

}  // namespace calibscope
