// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine_router.h"
#include "ui/window/actions.h"
#include "ui/window/preferences.h"
#include "ui/window/shortcut_choice.h"

#include <QObject>
#include <QString>

#include <vector>

namespace calibscope {

class Document;
struct MainWindowOptions;

/// Preferences: remembers them and puts them into effect.
class PreferencesController : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it.
    PreferencesController(const MainWindowOptions& options, Document& document,
                          std::vector<EngineRouter*> engines, Actions& actions, QWidget& window);

    [[nodiscard]] Preferences& stored() { return m_stored; }
    /// Why results are not cached although they could be, as a sentence; empty: they may be.
    [[nodiscard]] const QString& cacheProblem() const { return m_cacheProblem; }
    [[nodiscard]] Theme theme() const { return m_theme; }
    [[nodiscard]] ShortcutChoice shortcuts() const { return ShortcutChoice(m_stored.shortcuts()); }
    void chooseTheme(Theme theme);
    /// Whatever is on the screen follows.
    void chooseDisplay(const DisplayChoices& display);
    /// Empty: the one that was used last.
    void chooseDefaultRecipe(const QString& id);
    /// Opens the dialog.
    void edit();

private:
    void applyCache();
    void applyShortcuts();
    void applyDisplay();
    void showAnew();

    Document& m_document;
    Preferences m_stored;
    Theme m_theme;
    QString m_cacheProblem;
    QString m_cacheFolder;  ///< empty: no results are cached
    std::vector<EngineRouter*> m_engines;
    Actions& m_actions;
    QWidget& m_window;
};

}  // namespace calibscope
