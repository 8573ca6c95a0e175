#pragma once

#include "ui/window/actions/action_spec.h"

#include <QKeySequence>
#include <QList>
#include <QString>

#include <map>
#include <optional>

namespace calibscope {

/// Which keys lead to which action, no key to two.
class ShortcutChoice
{
public:
    /// By the actions' names in settings; actions that are not named have their standard keys.
    /// What is named but has another action's keys, or is no action, is left aside.
    explicit ShortcutChoice(const std::map<QString, QList<QKeySequence>>& chosen = {});

    [[nodiscard]] const QList<QKeySequence>& keys(ActionId id) const { return m_keys.at(id); }
    [[nodiscard]] bool isStandard(ActionId id) const;
    /// Gives the action this key alone, none if it is empty. If another action has it, nothing
    /// changes and that one is returned.
    std::optional<ActionId> assign(ActionId id, const QKeySequence& key);
    /// As assign(), with the keys of the table.
    std::optional<ActionId> assignStandard(ActionId id);
    /// What differs from the standard, as the constructor takes it.
    [[nodiscard]] std::map<QString, QList<QKeySequence>> chosen() const;

private:
    [[nodiscard]] std::optional<ActionId> ownerOf(const QList<QKeySequence>& keys,
                                                  ActionId except) const;
    std::optional<ActionId> assignAll(ActionId id, const QList<QKeySequence>& keys);

    std::map<ActionId, QList<QKeySequence>> m_keys;
};

[[nodiscard]] const ActionSpec& actionSpec(ActionId id);

}  // namespace calibscope
