// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/number_label.h"
#include "ui/plot/plot_interaction.h"
#include "ui/queries/remote_machines.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/theme.h"

#include <QByteArray>
#include <QKeySequence>
#include <QList>
#include <QSettings>
#include <QStringList>

#include <map>
#include <memory>

namespace calibscope {

inline constexpr int leastFontPoints = 6;
inline constexpr int mostFontPoints = 24;
inline constexpr double mostSqnrLimit = 120.0;  ///< dB

/// How things are shown, whatever the dump.
struct DisplayChoices
{
    int fontPoints = 0;  ///< 0: as the desktop
    SqnrLimits limits;
    LabelFormat numbers;
    PlotDrag drag = PlotDrag::Move;

    bool operator==(const DisplayChoices&) const = default;
};

/// Settings remembered from one run to the next, in an INI file of the user's configuration folder.
class Preferences
{
public:
    enum class Keeping {
        Remember,
        Forget,  ///< starts with defaults, neither reads nor writes the file
    };

    explicit Preferences(Keeping keeping);

    [[nodiscard]] bool isRemembered() const { return m_file != nullptr; }

    /// Opened dumps, newest first, at most recentFileLimit.
    [[nodiscard]] const QStringList& recentFiles() const { return m_recentFiles; }
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    [[nodiscard]] Theme theme() const { return m_theme; }
    void setTheme(Theme theme);
    /// The one that was used last; empty: the first of all.
    [[nodiscard]] QString recipe() const { return m_recipe; }
    void setRecipe(const QString& id);
    /// The one that every start begins with; empty: the one that was used last.
    [[nodiscard]] QString defaultRecipe() const { return m_defaultRecipe; }
    void setDefaultRecipe(const QString& id);
    [[nodiscard]] QString recipeAtStart() const
    {
        return m_defaultRecipe.isEmpty() ? m_recipe : m_defaultRecipe;
    }
    [[nodiscard]] const DisplayChoices& display() const { return m_display; }
    void setDisplay(const DisplayChoices& display);
    /// The last one that was chosen for a tensor; empty: none was.
    [[nodiscard]] QString workspace() const { return m_workspace; }
    void setWorkspace(const QString& id);

    /// Keys that the user chose, by the action's name in settings; an empty list: none.
    using Shortcuts = std::map<QString, QList<QKeySequence>>;
    [[nodiscard]] const Shortcuts& shortcuts() const { return m_shortcuts; }
    void setShortcuts(const Shortcuts& shortcuts);

    /// Whether a start without a file opens the dump that was opened last.
    [[nodiscard]] bool reopensLast() const { return m_reopensLast; }
    void setReopensLast(bool reopens);

    /// Whether what was computed of dumps is cached for the next time they are opened.
    [[nodiscard]] bool keepsResults() const { return m_keepsResults; }
    void setKeepsResults(bool keeps);

    /// Other machines, as RemoteMachines knows them.
    [[nodiscard]] const KnownMachines& machines() const { return m_machines; }
    void setMachines(const KnownMachines& machines);

    /// Geometry and docks of the main window, as Qt packs them; empty at the first start.
    [[nodiscard]] QByteArray windowGeometry() const;
    [[nodiscard]] QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);
    /// Columns of the tensor list, as Qt packs them.
    [[nodiscard]] QByteArray listColumns() const;
    void setListColumns(const QByteArray& columns);
    /// Whether the list is a tree by the parts of the names.
    [[nodiscard]] bool isListTree() const;
    void setListTree(bool isTree);

    /// Choices for the last report, as its dialog packs them.
    [[nodiscard]] QString reportChoices() const;
    void setReportChoices(const QString& choices);

    /// Command that runs models for a check; empty: the one that comes with calib.
    [[nodiscard]] QString runner() const;
    void setRunner(const QString& command);

    static constexpr int recentFileLimit = 12;

private:
    void write(const QString& key, const QVariant& value);

    std::unique_ptr<QSettings> m_file;  ///< none: nothing is remembered
    QStringList m_recentFiles;
    Theme m_theme = Theme::System;
    QString m_recipe;
    QString m_defaultRecipe;
    DisplayChoices m_display;
    QString m_workspace;
    Shortcuts m_shortcuts;
    bool m_reopensLast = false;
    bool m_keepsResults = true;
    KnownMachines m_machines;
};

}  // namespace calibscope
