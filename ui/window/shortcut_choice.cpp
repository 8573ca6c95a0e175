// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcut_choice.h"

#include <algorithm>

namespace calibscope {

namespace {

/// A sequence that begins with the other one can't be typed to its end.
bool isSameKey(const QKeySequence& left, const QKeySequence& right)
{
    return left.matches(right) != QKeySequence::NoMatch ||
           right.matches(left) != QKeySequence::NoMatch;
}

}  // namespace

ShortcutChoice::ShortcutChoice(const std::map<QString, QList<QKeySequence>>& chosen)
{
    for (const ActionSpec& spec : actionTable())
        m_keys[spec.id] = standardShortcuts(spec);
    // First those are freed whose keys others may have taken over.
    for (const ActionSpec& spec : actionTable())
        if (chosen.contains(spec.id))
            m_keys[spec.id].clear();
    for (const ActionSpec& spec : actionTable())
        if (const auto found = chosen.find(spec.id); found != chosen.end())
            if (assignAll(spec.id, found->second))
                (void)assignStandard(spec.id);
}

bool ShortcutChoice::isStandard(const QString& id) const
{
    return keys(id) == standardShortcuts(actionSpec(id));
}

std::optional<QString> ShortcutChoice::assign(const QString& id, const QKeySequence& key)
{
    return assignAll(id, key.isEmpty() ? QList<QKeySequence>() : QList{key});
}

std::optional<QString> ShortcutChoice::assignStandard(const QString& id)
{
    return assignAll(id, standardShortcuts(actionSpec(id)));
}

std::optional<QString> ShortcutChoice::assignAll(const QString& id, const QList<QKeySequence>& keys)
{
    if (const std::optional<QString> owner = ownerOf(keys, id))
        return owner;
    m_keys[id] = keys;
    return std::nullopt;
}

std::optional<QString> ShortcutChoice::ownerOf(const QList<QKeySequence>& keys,
                                               const QString& except) const
{
    for (const auto& [id, taken] : m_keys)
        for (const QKeySequence& key : taken)
            if (id != except && std::ranges::any_of(keys, [&](const QKeySequence& wanted) {
                    return isSameKey(wanted, key);
                }))
                return id;
    return std::nullopt;
}

std::map<QString, QList<QKeySequence>> ShortcutChoice::chosen() const
{
    std::map<QString, QList<QKeySequence>> result;
    for (const ActionSpec& spec : actionTable())
        if (!isStandard(spec.id))
            result[spec.id] = keys(spec.id);
    return result;
}

}  // namespace calibscope
