// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences_controller.h"

#include "core/base/cache_folder.h"
#include "ui/document/document.h"
#include "ui/document/edits.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_dialog.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFile>

#include <utility>

namespace calibscope {

namespace {

/// Headings that were made larger than the text stay so.
void scaleOwnFonts(const QWidget& window, double factor)
{
    if (factor == 1.0)
        return;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        QFont own = widget->font();
        if (!widget->testAttribute(Qt::WA_SetFont) ||
            (own.resolveMask() & QFont::SizeResolved) == 0 || own.pointSizeF() <= 0.0)
            continue;
        own.setPointSizeF(own.pointSizeF() * factor);
        widget->setFont(own);
    }
}

}  // namespace

PreferencesController::PreferencesController(const MainWindowOptions& options, Document& document,
                                             std::vector<EngineRouter*> engines, Actions& actions,
                                             QWidget& window)
    : m_document(document),
      m_stored(options.keeping),
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
    applyDisplay();
    applyShortcuts();
}

void PreferencesController::chooseTheme(Theme theme)
{
    m_theme = theme;
    applyTheme(*qApp, theme);
    m_stored.setTheme(theme);
    m_actions.refresh();
}

void PreferencesController::chooseDisplay(const DisplayChoices& display)
{
    const DisplayChoices before = m_stored.display();
    if (display == before)
        return;
    m_stored.setDisplay(display);
    const double pointsBefore = QApplication::font().pointSizeF();
    applyDisplay();
    scaleOwnFonts(m_window, QApplication::font().pointSizeF() / pointsBefore);
    if (display.limits != before.limits || display.numbers != before.numbers)
        showAnew();
}

void PreferencesController::chooseDefaultRecipe(const QString& id)
{
    m_stored.setDefaultRecipe(id);
    if (!id.isEmpty())
        edits::chooseRecipe(m_document, id);
}

void PreferencesController::applyDisplay()
{
    const DisplayChoices& display = m_stored.display();
    setSqnrLimits(display.limits);
    setLabelFormat(display.numbers);
    setPlotDrag(display.drag);
    applyFontSize(*qApp, display.fontPoints);
}

/// Cards, tables and plots make their texts when they hear of outcomes; lists when they are
/// painted.
void PreferencesController::showAnew()
{
    Q_EMIT m_document.changed({.parts = DocumentChange::Display | DocumentChange::Outcomes,
                               .before = m_document.workbench()});
    for (QAbstractItemView* view : m_window.findChildren<QAbstractItemView*>())
        view->viewport()->update();
}

void PreferencesController::edit()
{
    auto* dialog = new PreferencesDialog({.theme = m_theme,
                                          .defaultRecipe = m_stored.defaultRecipe(),
                                          .display = m_stored.display(),
                                          .reopensLast = m_stored.reopensLast(),
                                          .keepsResults = m_stored.keepsResults(),
                                          .cacheFolder = m_cacheFolder,
                                          .shortcuts = shortcuts()},
                                         m_stored.isRemembered(), &m_window);
    connect(dialog, &PreferencesDialog::themeChosen, this, &PreferencesController::chooseTheme);
    connect(dialog, &PreferencesDialog::defaultRecipeChosen, this,
            &PreferencesController::chooseDefaultRecipe);
    connect(dialog, &PreferencesDialog::displayChosen, this, &PreferencesController::chooseDisplay);
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
    for (EngineRouter* engine : m_engines)
        engine->setCacheFolder(m_stored.keepsResults() ? m_cacheFolder : QString());
}

void PreferencesController::applyShortcuts()
{
    const ShortcutChoice choice = shortcuts();
    for (const ActionSpec& spec : actionTable())
        m_actions.setShortcuts(spec.id, choice.keys(spec.id));
}

}  // namespace calibscope
