#include "ui/window/preferences_controller.h"

#include "core/base/cache_folder.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_dialog.h"

#include <QApplication>
#include <QFile>

#include <utility>

namespace calibscope {

PreferencesController::PreferencesController(const MainWindowOptions& options,
                                             std::vector<EngineClient*> engines, Actions& actions,
                                             QWidget& window)
    : m_stored(options.keeping),
      m_theme(options.theme.value_or(m_stored.theme())),
      m_cacheProblem(QString::fromStdString(
          cacheFolderProblem(QFile::encodeName(options.cacheFolder).toStdString()))),
      m_cacheFolder(m_cacheProblem.isEmpty() ? options.cacheFolder : QString()),
      m_engines(std::move(engines)),
      m_actions(actions),
      m_window(window)
{
    applyCache();
    applyTheme(*qApp, m_theme);
    applyShortcuts();
}

void PreferencesController::chooseTheme(Theme theme)
{
    m_theme = theme;
    applyTheme(*qApp, theme);
    m_stored.setTheme(theme);
    m_actions.refresh();
}

void PreferencesController::edit()
{
    auto* dialog = new PreferencesDialog({.theme = m_theme,
                                          .reopensLast = m_stored.reopensLast(),
                                          .keepsResults = m_stored.keepsResults(),
                                          .cacheFolder = m_cacheFolder,
                                          .shortcuts = shortcuts()},
                                         m_stored.isRemembered(), &m_window);
    connect(dialog, &PreferencesDialog::themeChosen, this, &PreferencesController::chooseTheme);
    connect(dialog, &PreferencesDialog::reopensLastChosen, this,
            [this](bool reopens) { m_stored.setReopensLast(reopens); });
    connect(dialog, &PreferencesDialog::keepsResultsChosen, this, [this](bool keeps) {
        m_stored.setKeepsResults(keeps);
        applyCache();
    });
    connect(dialog, &PreferencesDialog::shortcutsChosen, this,
            [this](const ShortcutChoice& shortcuts) {
                m_stored.setShortcuts(shortcuts.chosen());
                applyShortcuts();
            });
    dialog->open();
}

void PreferencesController::applyCache()
{
    for (EngineClient* engine : m_engines)
        engine->setCacheFolder(m_stored.keepsResults() ? m_cacheFolder : QString());
}

void PreferencesController::applyShortcuts()
{
    const ShortcutChoice choice = shortcuts();
    for (const ActionSpec& spec : actionTable())
        m_actions.setShortcuts(spec.id, choice.keys(spec.id));
}

}  // namespace calibscope
