// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/unsaved_work.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <map>
#include <ranges>

namespace calibscope {

namespace {

/// Of two maps or sets: what one of them has and the other has not, or otherwise.
template <typename Key, typename Value>
std::size_t differences(const std::map<Key, Value>& one, const std::map<Key, Value>& other)
{
    std::size_t count = 0;
    for (const auto& [key, value] : one) {
        const auto same = other.find(key);
        if (same == other.end() || !(same->second == value))
            ++count;
    }
    for (const auto& entry : other)
        if (!one.contains(entry.first))
            ++count;
    return count;
}

template <typename Value>
std::size_t differences(const QMap<std::string, Value>& one, const QMap<std::string, Value>& other)
{
    return differences(one.toStdMap(), other.toStdMap());
}

std::size_t differences(const std::set<std::string>& one, const std::set<std::string>& other)
{
    std::vector<std::string> apart;
    std::ranges::set_symmetric_difference(one, other, std::back_inserter(apart));
    return apart.size();
}

struct Counts
{
    std::size_t decisions = 0;
    std::size_t ranges = 0;
    std::size_t layouts = 0;
    std::size_t pins = 0;
    std::size_t excluded = 0;
    std::size_t matches = 0;
};

void count(Counts& counts, const Workbench& saved, const Workbench& now)
{
    counts.decisions += differences(saved.decisions, now.decisions);
    counts.ranges +=
        differences(saved.manualRange, now.manualRange) + differences(saved.imported, now.imported);
    counts.layouts += differences(saved.said, now.said);
    counts.pins += differences(saved.pins, now.pins);
    counts.excluded += differences(saved.excluded, now.excluded);
    counts.matches += differences(saved.compared.pairs, now.compared.pairs);
}

}  // namespace

QStringList unsavedWork(const SessionDocument& saved, const SessionDocument& now)
{
    if (isSameWork(saved, now))
        return {};
    Counts counts;
    const auto ownOf = [](const SessionDocument& in, const std::string& path) {
        const auto dump = std::ranges::find(
            in.dumps, path, [](const SessionDump& one) { return one.identity.path; });
        return dump == in.dumps.end() ? Workbench() : dump->own;
    };
    for (const SessionDump& dump : now.dumps)
        count(counts, ownOf(saved, dump.identity.path), dump.own);
    for (const SessionDump& dump : saved.dumps)
        if (ownOf(now, dump.identity.path) == Workbench())
            count(counts, dump.own, {});
    QStringList words;
    const auto add = [&words](std::size_t number, const QString& one, const QString& many) {
        if (number > 0)
            words += countText(number, one, many);
    };
    add(counts.decisions, tr("1 decision"), tr("%1 decisions"));
    add(counts.ranges, tr("1 manual or imported range"), tr("%1 manual or imported ranges"));
    add(counts.layouts, tr("1 layout"), tr("%1 layouts"));
    add(counts.pins, tr("1 pin"), tr("%1 pins"));
    add(counts.excluded, tr("1 exclusion"), tr("%1 exclusions"));
    add(counts.matches, tr("1 manual match"), tr("%1 manual matches"));
    if (saved.shared.edits != now.shared.edits || saved.shared.added != now.shared.added)
        words += tr("parameters of calibrators");
    const std::size_t known = std::max<std::size_t>(saved.dumps.size(), 1);  // one is always open
    if (now.dumps.size() > known)
        add(now.dumps.size() - known, tr("1 more dump"), tr("%1 more dumps"));
    if (words.isEmpty())
        words += tr("the recipe and the view");
    return words;
}

}  // namespace calibscope
