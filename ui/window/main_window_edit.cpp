// Going to a tensor or an action by its name, and the preferences of MainWindow.
#include "ui/document/tensor_text.h"
#include "ui/panels/tensor_panel.h"
#include "ui/widgets/go_to_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_dialog.h"

namespace calibscope {

namespace {

QString plain(QString textWithMnemonic)
{
    return textWithMnemonic.remove(u'&');
}

Destination actionDestination(QAction& action, Menu menu)
{
    return {.text = plain(action.text()),
            .kind = plain(menuTitle(menu)),
            .detail = action.shortcut().toString(QKeySequence::NativeText),
            .isFirst = true,
            .go = [&action] { action.trigger(); }};
}

}  // namespace

void MainWindow::connectEditActions()
{
    connect(&m_actions[ActionId::GoTo], &QAction::triggered, this, &MainWindow::goToSomewhere);
    connect(&m_actions[ActionId::EditPreferences], &QAction::triggered, this,
            &MainWindow::editPreferences);
    applyShortcuts();
}

void MainWindow::goToSomewhere()
{
    std::vector<Destination> destinations;
    for (const ActionSpec& spec : actionTable())
        if (QAction& action = m_actions[spec.id];
            action.isEnabled() && action.isVisible() && spec.id != ActionId::GoTo)
            destinations.push_back(actionDestination(action, spec.menu));
    const std::vector<TensorInfo>& tensors = m_session.tensors();
    for (std::size_t place = 0; place < tensors.size(); ++place)
        destinations.push_back({.text = QString::fromStdString(tensors[place].name),
                                .kind = roleTitle(tensors[place].role),
                                .detail = shapeLabel(tensors[place]),
                                .go = [this, place] { goTo(static_cast<int>(place)); }});
    const GoToDialog::Words words{.title = tr("Go to"),
                                  .placeholder = tr("Search tensors and actions")};
    (new GoToDialog(words, std::move(destinations), this))->open();
}

void MainWindow::editPreferences()
{
    auto* dialog = new PreferencesDialog({.theme = m_theme,
                                          .reopensLast = m_preferences.reopensLast(),
                                          .keepsResults = m_preferences.keepsResults(),
                                          .cacheFolder = m_cacheFolder,
                                          .shortcuts = ShortcutChoice(m_preferences.shortcuts())},
                                         m_preferences.isRemembered(), this);
    connect(dialog, &PreferencesDialog::themeChosen, this, &MainWindow::chooseTheme);
    connect(dialog, &PreferencesDialog::reopensLastChosen, this,
            [this](bool reopens) { m_preferences.setReopensLast(reopens); });
    connect(dialog, &PreferencesDialog::keepsResultsChosen, this, [this](bool keeps) {
        m_preferences.setKeepsResults(keeps);
        applyCache();
    });
    connect(dialog, &PreferencesDialog::shortcutsChosen, this,
            [this](const ShortcutChoice& shortcuts) {
                m_preferences.setShortcuts(shortcuts.chosen());
                applyShortcuts();
            });
    dialog->open();
}

void MainWindow::applyCache()
{
    for (EngineClient* engine : {&m_waited, &m_background})
        engine->setCacheFolder(m_preferences.keepsResults() ? m_cacheFolder : QString());
}

void MainWindow::applyShortcuts()
{
    const ShortcutChoice choice(m_preferences.shortcuts());
    for (const ActionSpec& spec : actionTable())
        m_actions.setShortcuts(spec.id, choice.keys(spec.id));
}

}  // namespace calibscope
