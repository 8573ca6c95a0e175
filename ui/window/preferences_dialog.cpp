#include "ui/window/preferences_dialog.h"

#include "core/base/cache_folder.h"
#include "ui/window/shortcut_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include <cstdint>
#include <initializer_list>

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
    theme->addItem(tr("follow system"), static_cast<int>(Theme::System));
    theme->addItem(tr("light"), static_cast<int>(Theme::Light));
    theme->addItem(tr("dark"), static_cast<int>(Theme::Dark));
    theme->setCurrentIndex(theme->findData(static_cast<int>(values.theme)));
    connect(theme, &QComboBox::activated, this, [this, theme] {
        Q_EMIT themeChosen(static_cast<Theme>(theme->currentData().toInt()));
    });
    form->addRow(tr("&Theme:"), theme);

    auto* reopens = new QCheckBox(tr("Re&open the last dump"), page);
    reopens->setObjectName(QStringLiteral("reopensLast"));
    reopens->setChecked(values.reopensLast);
    connect(reopens, &QCheckBox::toggled, this, &PreferencesDialog::reopensLastChosen);
    form->addRow(tr("At startup:"), reopens);

    form->addRow(tr("Results:"), makeCache(values));

    auto* note = new QLabel(isRemembered ? tr("Changes apply immediately.")
                                         : tr("This window was started with --fresh: changes apply "
                                              "until it is closed and are not saved."),
                            page);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(note);
    return page;
}

QWidget* PreferencesDialog::makeCache(const Values& values)
{
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins({});
    auto* keeps = new QCheckBox(tr("Cac&he them, so that a dump opens faster next time"), part);
    keeps->setObjectName(QStringLiteral("keepsResults"));
    keeps->setChecked(values.keepsResults && !values.cacheFolder.isEmpty());
    connect(keeps, &QCheckBox::toggled, this, &PreferencesDialog::keepsResultsChosen);
    auto* clear = new QPushButton(part);
    clear->setObjectName(QStringLiteral("clearCache"));
    clear->setToolTip(values.cacheFolder);
    const auto showSize = [clear, folder = values.cacheFolder] {
        const std::uint64_t bytes = cachedBytes(folder.toStdString());
        clear->setText(
            tr("&Clear (%1)").arg(QLocale().formattedDataSize(static_cast<qint64>(bytes), 1)));
        clear->setEnabled(bytes > 0);
    };
    connect(clear, &QPushButton::clicked, this, [folder = values.cacheFolder, showSize] {
        clearCache(folder.toStdString());
        showSize();
    });
    showSize();
    for (QWidget* widget : std::initializer_list<QWidget*>{keeps, clear})
        layout->addWidget(widget, 0, Qt::AlignLeft);
    part->setEnabled(!values.cacheFolder.isEmpty());
    return part;
}

QWidget* PreferencesDialog::makeShortcuts(const Values& values)
{
    auto* editor = new ShortcutEditor(values.shortcuts, this);
    connect(editor, &ShortcutEditor::choiceChanged, this,
            [this, editor] { Q_EMIT shortcutsChosen(editor->choice()); });
    return editor;
}

}  // namespace calibscope
