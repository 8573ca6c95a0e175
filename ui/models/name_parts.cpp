// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/name_parts.h"

#include <iterator>

namespace calibscope {

bool isPartEnd(char letter)
{
    return std::string_view("/._-: ").find(letter) != std::string_view::npos;
}

std::vector<std::string_view> partsOf(std::string_view name)
{
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t end = 1; end <= name.size(); ++end)
        if (end == name.size() || (isPartEnd(name[end - 1]) && !isPartEnd(name[end]))) {
            parts.push_back(name.substr(begin, end - begin));
            begin = end;
        }
    return parts;
}

namespace {

/// What has been read of a name before a part, in either direction.
std::string_view readBefore(std::string_view name, std::string_view part, bool isFromBack)
{
    const auto begin = static_cast<std::size_t>(part.data() - name.data());
    return isFromBack ? name.substr(begin + part.size()) : name.substr(0, begin);
}

}  // namespace

NameParts::NameParts(std::span<const std::string_view> names)
{
    for (const std::string_view name : names) {
        const std::vector<std::string_view> parts = partsOf(name);
        for (const Direction direction : {FromFront, FromBack}) {
            auto& branches = m_branches.at(direction);
            const auto goOn = [&branches](std::string_view read, std::string_view next) {
                const auto [known, isNew] = branches.try_emplace(read, Branch{.next = next});
                if (!isNew && known->second.next != next)
                    known->second.isChoice = true;
            };
            for (const std::string_view part : parts)
                goOn(readBefore(name, part, direction == FromBack), part);
            goOn(name, {});
        }
    }
}

QBitArray NameParts::needed(std::string_view name, Direction direction) const
{
    const std::vector<std::string_view> parts = partsOf(name);
    QBitArray needed(std::ssize(parts));
    for (qsizetype part = 0; part < needed.size(); ++part)
        needed.setBit(part, m_branches.at(direction)
                                .at(readBefore(name, parts[static_cast<std::size_t>(part)],
                                               direction == FromBack))
                                .isChoice);
    if (needed.count(true) == 0 && !parts.empty())
        needed.setBit(needed.size() - 1);
    return needed;
}

QBitArray NameParts::needed(std::string_view name) const
{
    const std::vector<std::string_view> parts = partsOf(name);
    const auto lettersOf = [&parts](const QBitArray& needed) {
        std::size_t letters = 0;
        for (qsizetype part = 0; part < needed.size(); ++part)
            letters += needed[part] ? parts[static_cast<std::size_t>(part)].size() : 0;
        return letters;
    };
    const QBitArray front = needed(name, FromFront);
    const QBitArray back = needed(name, FromBack);
    return lettersOf(front) < lettersOf(back) ? front : back;
}

}  // namespace calibscope
