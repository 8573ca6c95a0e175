// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/action_table.h"

#include <QKeySequence>
#include <QList>
#include <QString>

#include <map>
#include <optional>

namespace calibscope {

/// Keys in Qt's portable form, parted by "; "; none for an empty text.
[[nodiscard]] inline QList<QKeySequence> parseKeys(const QString& text)
{
    return text.isEmpty() ? QList<QKeySequence>() : QKeySequence::listFromString(text);
}

/// The keys that the table gives an action.
[[nodiscard]] inline QList<QKeySequence> standardShortcuts(const ActionSpec& spec)
{
    return parseKeys(spec.shortcut);
}

/// Which keys lead to which action, no key to two.
class ShortcutChoice
{
public:
    /// By the actions' ids; actions that are not named have their standard keys.
    /// What is named but has another action's keys, or is not an action, is left aside.
    explicit ShortcutChoice(const std::map<QString, QList<QKeySequence>>& chosen = {});

    [[nodiscard]] const QList<QKeySequence>& keys(const QString& id) const { return m_keys.at(id); }
    [[nodiscard]] bool isStandard(const QString& id) const;
    /// Gives the action this key alone, none if it is empty. If another action has it, nothing
    /// changes and that one is returned.
    std::optional<QString> assign(const QString& id, const QKeySequence& key);
    /// As assign(), with the keys of the table.
    std::optional<QString> assignStandard(const QString& id);
    /// Differences from the standard, as the constructor takes them.
    [[nodiscard]] std::map<QString, QList<QKeySequence>> chosen() const;

private:
    [[nodiscard]] std::optional<QString> ownerOf(const QList<QKeySequence>& keys,
                                                 const QString& except) const;
    std::optional<QString> assignAll(const QString& id, const QList<QKeySequence>& keys);

    std::map<QString, QList<QKeySequence>> m_keys;
};

}  // namespace calibscope
