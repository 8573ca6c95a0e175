// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialogs.h"

#include "ui/window/cheat_sheet.h"

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
    static QString aboutTitle() { return tr("About Calibscope"); }
    static QString aboutHtml();
    static QString guardsTitle()
    {
        return tr("Guards around the engine that reads dumps, here without its cache:");
    }
};

QString HelpWords::aboutHtml()
{
    return QStringLiteral("<h3>Calibscope %1</h3><p>%2</p><p>%3</p><p>%4</p>")
        .arg(QStringLiteral(CALIBSCOPE_VERSION),
             tr("Shows which int8 scales calibration algorithms choose for recorded activations "
                "and weights, and why they differ."),
             tr("Free software under the GNU General Public License, version 3 or later, without "
                "any warranty."),
             tr("Qt %1 (Widgets: LGPL 3; Charts: GPL 3). Fonts: Roboto (Apache 2.0), Noto Mono "
                "(OFL 1.1), DejaVu Sans (Bitstream Vera). The sample is "
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

void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts, std::optional<Workspace> page)
{
    (new CheatSheet(shortcuts, page, &parent))->open();
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
