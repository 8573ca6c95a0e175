#include "ui/preferences_dialog.h"

#include "ui/widgets/shortcut_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

namespace calibscope {

PreferencesDialog::PreferencesDialog(const Values& values, bool isRemembered, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(600, 560);
    auto* tabs = new QTabWidget(this);
    tabs->addTab(makeGeneral(values, isRemembered), tr("&General"));
    tabs->addTab(makeShortcuts(values), tr("Ke&ys"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs, 1);
    layout->addWidget(buttons);
}

QWidget* PreferencesDialog::makeGeneral(const Values& values, bool isRemembered)
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    auto* theme = new QComboBox(page);
    theme->setObjectName(QStringLiteral("theme"));
    theme->addItem(tr("as the system"), static_cast<int>(Theme::System));
    theme->addItem(tr("light"), static_cast<int>(Theme::Light));
    theme->addItem(tr("dark"), static_cast<int>(Theme::Dark));
    theme->setCurrentIndex(theme->findData(static_cast<int>(values.theme)));
    connect(theme, &QComboBox::activated, this, [this, theme] {
        Q_EMIT themeChosen(static_cast<Theme>(theme->currentData().toInt()));
    });
    form->addRow(tr("&Theme:"), theme);

    auto* reopens = new QCheckBox(tr("&Open the last dump again"), page);
    reopens->setObjectName(QStringLiteral("reopensLast"));
    reopens->setChecked(values.reopensLast);
    connect(reopens, &QCheckBox::toggled, this, &PreferencesDialog::reopensLastChosen);
    form->addRow(tr("At the start:"), reopens);

    auto* note = new QLabel(isRemembered ? tr("Each change holds at once and is remembered.")
                                         : tr("This window was started with --fresh: changes hold "
                                              "until it is closed and are not remembered."),
                            page);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(note);
    return page;
}

QWidget* PreferencesDialog::makeShortcuts(const Values& values)
{
    auto* editor = new ShortcutEditor(values.shortcuts, this);
    connect(editor, &ShortcutEditor::choiceChanged, this,
            [this, editor] { Q_EMIT shortcutsChosen(editor->choice()); });
    return editor;
}

}  // namespace calibscope
