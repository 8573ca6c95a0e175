#include "ui/window/help_dialog.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace calibscope {

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
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QCoreApplication::translate("HelpDialog", "Help"));
    dialog->resize(760, 700);
    auto* text = new QTextBrowser(dialog);
    text->setObjectName(QStringLiteral("help"));
    text->setMarkdown(helpText());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(buttons);
    dialog->show();
}

}  // namespace calibscope
