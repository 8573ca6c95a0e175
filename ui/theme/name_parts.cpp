// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/name_parts.h"

#include <QBitArray>
#include <QFontMetricsF>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

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

/// Text of a name read before a part, in either direction.
std::string_view readBefore(std::string_view name, std::string_view part, bool isFromBack)
{
    const auto begin = static_cast<std::size_t>(part.data() - name.data());
    return isFromBack ? name.substr(begin + part.size()) : name.substr(0, begin);
}

}  // namespace

NameParts::NameParts(std::span<const std::string_view> names)
{
    std::size_t letters = 0;
    for (const std::string_view name : names)
        letters += name.size();
    m_letters.reserve(letters);
    int number = 0;
    for (const std::string_view given : names) {
        const auto begin = m_letters.insert(m_letters.end(), given.begin(), given.end());
        const std::string_view name(m_letters.data() + (begin - m_letters.begin()), given.size());
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
        for (const std::string_view part : parts)
            if (std::vector<int>& holders = m_holders[part];
                holders.empty() || holders.back() != number)
                holders.push_back(number);
        ++number;
    }
}

std::vector<bool> NameParts::branches(std::string_view name, Direction direction) const
{
    std::vector<bool> branches;
    for (const std::string_view part : partsOf(name))
        branches.push_back(
            m_branches.at(direction).at(readBefore(name, part, direction == FromBack)).isChoice);
    if (!branches.empty() && std::ranges::find(branches, true) == branches.end())
        branches.back() = true;
    return branches;
}

QByteArray NameParts::needs(std::string_view name) const
{
    const std::vector<std::string_view> parts = partsOf(name);
    if (!m_branches[FromFront].contains(name))
        return QByteArray(std::ssize(parts), Essential);
    const auto lettersOf = [&parts](const std::vector<bool>& isNeeded) {
        std::size_t letters = 0;
        for (std::size_t part = 0; part < isNeeded.size(); ++part)
            letters += isNeeded[part] ? parts[part].size() : 0;
        return letters;
    };
    const std::vector<bool> front = branches(name, FromFront);
    const std::vector<bool> back = branches(name, FromBack);
    QByteArray needs;
    for (const bool isNeeded : lettersOf(front) < lettersOf(back) ? front : back)
        needs.append(isNeeded ? Helpful : Spare);
    markEssential(parts, needs);
    return needs;
}

/// The rarest of the helpful ones, until no other name has them all.
void NameParts::markEssential(const std::vector<std::string_view>& parts, QByteArray& needs) const
{
    std::vector<std::pair<const std::vector<int>*, qsizetype>> rarest;
    for (qsizetype part = 0; part < needs.size(); ++part)
        if (needs[part] == Helpful)
            rarest.emplace_back(&m_holders.at(parts[static_cast<std::size_t>(part)]), part);
    std::ranges::stable_sort(rarest, {}, [](const auto& one) { return one.first->size(); });
    std::vector<int> left;  // names that have all essential parts
    for (const auto& [holders, part] : rarest) {
        const std::size_t before = left.size();
        if (left.empty())
            left = *holders;
        else
            std::erase_if(left,
                          [&](int name) { return !std::ranges::binary_search(*holders, name); });
        if (left.size() == before)
            continue;  // tells nothing more
        needs[part] = Essential;
        if (left.size() == 1)
            return;
    }
}

namespace {

QStringList textParts(const QString& name)
{
    const std::string bytes = name.toStdString();
    QStringList parts;
    for (const std::string_view part : partsOf(bytes))
        parts += QString::fromUtf8(part.data(), std::ssize(part));
    return parts;
}

/// Those behind the last "/", where none is known to be needed.
QByteArray lastParts(const QStringList& parts)
{
    QByteArray last(parts.size(), NameParts::Spare);
    for (qsizetype part = parts.size(); part-- > 0;) {
        if (part + 1 < parts.size() && parts[part].endsWith(u'/'))
            break;
        last[part] = NameParts::Essential;
    }
    return last;
}

/// An ellipsis for each run of parts that are not shown: "…/output", but "…weight", as dots beside
/// those of the ellipsis look like one line of them.
QString joined(const QStringList& parts, const QBitArray& isShown)
{
    QString text;
    for (qsizetype part = 0; part < parts.size(); ++part) {
        if (isShown[part]) {
            text += parts[part];
            continue;
        }
        if (text.endsWith(u'.'))
            text.chop(1);
        const bool isEnd = part + 1 == parts.size();
        if (isEnd || isShown[part + 1])
            text +=
                !isEnd && parts[part].endsWith(u'/') ? QStringLiteral("…/") : QStringLiteral("…");
    }
    return text;
}

/// In the room that is left before an ellipsis, the letters that the name begins with.
QString filledUp(const QString& hidden, const QString& rest, const QFontMetricsF& metrics,
                 double width)
{
    constexpr qsizetype leastLetters = 3;
    if (const QString whole = hidden + rest.mid(rest.startsWith(QStringLiteral("…/")) ? 2 : 1);
        !hidden.isEmpty() && metrics.horizontalAdvance(whole) <= width)
        return whole;
    qsizetype letters = 0;
    while (letters + 1 < hidden.size() &&
           metrics.horizontalAdvance(hidden.first(letters + 1) + rest) <= width)
        ++letters;
    return letters < leastLetters ? rest : hidden.first(letters) + rest;
}

}  // namespace

QString differingPart(std::string_view name, std::string_view other)
{
    const std::vector<std::string_view> parts = partsOf(name);
    const std::vector<std::string_view> others = partsOf(other);
    const std::size_t least = std::min(parts.size(), others.size());
    std::size_t first = 0;
    while (first < least && parts[first] == others[first])
        ++first;
    std::size_t last = 0;
    while (last < least - first &&
           parts[parts.size() - 1 - last] == others[others.size() - 1 - last])
        ++last;
    QString differing;
    for (std::size_t part = first; part < parts.size() - last; ++part)
        differing += QString::fromUtf8(parts[part].data(), std::ssize(parts[part]));
    return differing.isEmpty() ? QString::fromUtf8(name.data(), std::ssize(name)) : differing;
}

QString elidedName(const QString& name, const QFontMetricsF& metrics, double width,
                   const QByteArray& needs)
{
    if (metrics.horizontalAdvance(name) <= width)
        return name;
    const QStringList parts = textParts(name);
    const QByteArray known = needs.size() == parts.size() ? needs : lastParts(parts);
    QBitArray isShown(parts.size(), true);
    for (const NameParts::Need need : {NameParts::Spare, NameParts::Helpful})
        for (qsizetype part = 0; part < parts.size(); ++part) {
            if (known[part] != need)
                continue;
            isShown.clearBit(part);
            const QString rest = joined(parts, isShown);
            if (metrics.horizontalAdvance(rest) > width)
                continue;
            qsizetype hidden = 0;
            for (qsizetype front = 0; !isShown[front]; ++front)
                hidden += parts[front].size();
            const QString beginning = name.first(hidden);
            QString text = filledUp(beginning, rest, metrics, width);
            // The beginning says more than an end with something helpful.
            qsizetype last = parts.size();
            if (known.lastIndexOf(NameParts::Helpful) < known.lastIndexOf(NameParts::Essential))
                last = 0;
            while (text == rest && last-- > 0 && known[last] != NameParts::Essential) {
                isShown.clearBit(last);
                const QString less = joined(parts, isShown);
                if (const QString filled = filledUp(beginning, less, metrics, width);
                    filled != less)
                    text = filled;
            }
            return text;
        }
    return metrics.elidedText(joined(parts, isShown), Qt::ElideLeft, width);
}

}  // namespace calibscope
