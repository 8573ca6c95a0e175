#include "ui/window/shortcuts_dialog.h"

#include "ui/theme/translate.h"
#include "ui/window/actions/shortcut_choice.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

QChar mnemonicOf(const QString& text)
{
    const auto mark = text.indexOf(u'&');
    return mark < 0 || mark + 1 == text.size() ? QChar() : text[mark + 1].toUpper();
}

/// The letters that lead to an action through the menus: "Alt+V, H, L".
QString menuKeys(const ActionSpec& spec)
{
    QStringList letters = {mnemonicOf(actionText(spec))};
    std::optional<Menu> menu = spec.menu;
    while (menu) {
        const auto found = std::ranges::find(menuTable(), *menu, &MenuSpec::id);
        letters.prepend(mnemonicOf(menuTitle(*menu)));
        menu = found->parent;
    }
    return QStringLiteral("Alt+") + letters.join(QStringLiteral(", "));
}

QString keysOf(const ActionSpec& spec, const ShortcutChoice& shortcuts)
{
    QStringList keys;
    for (const QKeySequence& key : shortcuts.keys(spec.id))
        keys += key.toString(QKeySequence::NativeText);
    return keys.isEmpty() ? menuKeys(spec) : keys.join(QStringLiteral(", "));
}

QString tableHtml(const QString& title, const QString& lines)
{
    return QStringLiteral("<h4>%1</h4><table cellpadding='3'>%2</table>")
        .arg(title.toHtmlEscaped(), lines);
}

QString lineHtml(const QString& keys, const QString& help)
{
    return QStringLiteral("<tr><td width='150'><b>%1</b></td><td>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), help.toHtmlEscaped());
}

QString menuHtml(const MenuSpec& menu, const ShortcutChoice& shortcuts)
{
    QString lines;
    for (const ActionSpec& spec : actionTable())
        if (spec.menu == menu.id)
            lines += lineHtml(keysOf(spec, shortcuts), actionHelp(spec));
    return tableHtml(menuTitle(menu.id).remove(u'&'), lines);
}

QString plotHtml()
{
    return tableHtml(
        tr("In a plot"),
        lineHtml(tr("Drag, ← →"), tr("Moves what is shown.")) +
            lineHtml(tr("Wheel, + −"), tr("Zooms; with Alt along x, with Shift along y.")) +
            lineHtml(tr("Ctrl+drag"), tr("Zooms into a box.")) +
            lineHtml(tr("Drag an axis"), tr("Moves along that axis; the wheel zooms along it.")) +
            lineHtml(tr("Double click"), tr("Shows all.")) +
            lineHtml(tr("[ ] and ← →"),
                     tr("Chooses a threshold and moves it; with Shift ten steps.")) +
            lineHtml(tr("Right click"), tr("Copies, exports, shows the numbers as a table.")) +
            lineHtml(tr("Esc"), tr("Cancels what is in progress.")));
}

}  // namespace

void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts)
{
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keys"));
    dialog->resize(620, 660);
    auto* text = new QTextBrowser(dialog);
    text->setObjectName(QStringLiteral("cheatSheet"));
    QString html;
    for (const MenuSpec& menu : menuTable())
        html += menuHtml(menu, shortcuts);
    text->setHtml(html + plotHtml());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->show();
}

}  // namespace calibscope
