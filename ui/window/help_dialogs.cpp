#include "ui/window/help_dialogs.h"

#include "ui/window/shortcut_choice.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QMessageBox>
#include <QProcess>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace calibscope {

namespace {

class HelpWords
{
    Q_DECLARE_TR_FUNCTIONS(HelpDialogs)

public:
    static QString helpTitle() { return tr("Help"); }
    static QString keysTitle() { return tr("Keys"); }
    static QString aboutTitle() { return tr("About Calibscope"); }
    static QString plotHtml();
    static QString aboutHtml();
    static QString guardsTitle()
    {
        return tr("Guards around the engine that reads dumps, here without its cache:");
    }
};

QChar mnemonicOf(const QString& text)
{
    const auto mark = text.indexOf(u'&');
    return mark < 0 || mark + 1 == text.size() ? QChar() : text[mark + 1].toUpper();
}

/// The letters that lead to an action through the menus: "Alt+V, H, L".
QString menuKeys(const ActionSpec& spec)
{
    QStringList letters = {mnemonicOf(spec.text)};
    std::optional<Menu> menu = spec.menu;
    while (menu) {
        letters.prepend(mnemonicOf(menuSpec(*menu).title));
        menu = menuSpec(*menu).parent;
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
            lines += lineHtml(keysOf(spec, shortcuts), spec.help);
    return tableHtml(withoutMnemonic(menu.title), lines);
}

QString HelpWords::plotHtml()
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

QString HelpWords::aboutHtml()
{
    return QStringLiteral("<h3>Calibscope %1</h3><p>%2</p><p>%3</p><p>%4</p>")
        .arg(QStringLiteral(CALIBSCOPE_VERSION),
             tr("Shows which int8 scales calibration algorithms choose for recorded activations "
                "and weights, and why they differ."),
             tr("Free software under the GNU General Public License, version 3 or later, without "
                "any warranty."),
             tr("Qt %1 (Widgets: LGPL 3; Charts: GPL 3). Font: Roboto (Apache 2.0). The sample is "
                "recorded from PaddleOCR (Apache 2.0). The engine uses HDF5, libdeflate and "
                "nlohmann/json.")
                 .arg(QString::fromLatin1(qVersion())));
}

/// A window of its own with that text to read; it is filled and shown by the caller.
QTextBrowser* makeReader(QWidget& parent, const QString& title, QSize size)
{
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(size);
    auto* text = new QTextBrowser(dialog);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    return text;
}

/// A process that tells nothing of its end while it is destroyed: who is told would be half gone.
class QuietProcess : public QProcess
{
public:
    using QProcess::QProcess;
    QuietProcess(const QuietProcess&) = delete;
    QuietProcess& operator=(const QuietProcess&) = delete;
    ~QuietProcess() override { disconnect(); }
};

/// Adds which guards the engine has on this system, when its program has said so.
void showGuards(QMessageBox& dialog)
{
    auto* engine = new QuietProcess(&dialog);
    QObject::connect(engine, &QProcess::finished, &dialog, [&dialog, engine] {
        dialog.setDetailedText(HelpWords::guardsTitle() + QStringLiteral("\n\n") +
                               QString::fromUtf8(engine->readAllStandardOutput()));
    });
    engine->start(QCoreApplication::applicationDirPath() + QStringLiteral("/calib"),
                  {QStringLiteral("serve"), QStringLiteral("--status")});
}

}  // namespace

QString helpText()
{
    static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\([^)]*\\)\n*"));
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
    QString text;
    for (const char* page : {"tour", "sessions"}) {
        QFile file(QStringLiteral(":/docs/%1.md").arg(QLatin1String(page)));
        if (file.open(QIODevice::ReadOnly))
            text += QString::fromUtf8(file.readAll()) + u'\n';
    }
    return text.remove(picture).replace(link, QStringLiteral("\\1"));
}

void showHelp(QWidget& parent)
{
    QTextBrowser* text = makeReader(parent, HelpWords::helpTitle(), QSize(760, 700));
    text->setObjectName(QStringLiteral("help"));
    text->setMarkdown(helpText());
    text->window()->show();
}

void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts)
{
    QTextBrowser* text = makeReader(parent, HelpWords::keysTitle(), QSize(620, 660));
    text->setObjectName(QStringLiteral("cheatSheet"));
    QString html;
    for (const MenuSpec& menu : menuTable())
        html += menuHtml(menu, shortcuts);
    text->setHtml(html + HelpWords::plotHtml());
    text->window()->show();
}

void showAbout(QWidget& parent)
{
    auto* dialog = new QMessageBox(QMessageBox::NoIcon, HelpWords::aboutTitle(),
                                   HelpWords::aboutHtml(), QMessageBox::Close, &parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setTextFormat(Qt::RichText);
    showGuards(*dialog);
    dialog->open();
}

}  // namespace calibscope
