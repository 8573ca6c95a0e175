#include "ui/shortcuts_dialog.h"

#include "ui/actions/actions.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QKeySequence>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace calibscope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ShortcutsDialog", text);
}

QString lineHtml(const QString& keys, const QString& help)
{
    return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), help.toHtmlEscaped());
}

QString menuHtml(Menu menu)
{
    QString html = QStringLiteral("<h4>%1</h4><table cellpadding='3'>")
                       .arg(menuTitle(menu).remove(u'&').toHtmlEscaped());
    for (const ActionSpec& spec : actionTable()) {
        const QString keys =
            QKeySequence(QString::fromLatin1(spec.shortcut)).toString(QKeySequence::NativeText);
        if (spec.menu == menu && !keys.isEmpty())
            html += lineHtml(keys, QCoreApplication::translate("Actions", spec.help));
    }
    return html + QStringLiteral("</table>");
}

QString plotHtml()
{
    return QStringLiteral("<h4>%1</h4><table cellpadding='3'>").arg(tr("In a plot")) +
           lineHtml(tr("Wheel, + and -"), tr("Zooms along the values.")) +
           lineHtml(tr("Drag, ← and →"), tr("Moves along the values.")) +
           lineHtml(tr("Double click, Home"), tr("Shows all.")) + QStringLiteral("</table>");
}

}  // namespace

void showShortcuts(QWidget& parent)
{
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keyboard shortcuts"));
    dialog->resize(560, 620);
    auto* text = new QTextBrowser(dialog);
    QString html;
    for (const MenuSpec& menu : menuTable())
        html += menuHtml(menu.id);
    text->setHtml(html + plotHtml());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->open();
}

}  // namespace calibscope
