// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/internal_error.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/translate.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

#include <exception>

namespace calibscope {

namespace {

QDialogButtonBox* makeButtons(QDialog& dialog, QPlainTextEdit& text)
{
    auto* buttons = new QDialogButtonBox(&dialog);
    QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    QPushButton* proceed = buttons->addButton(tr("C&ontinue"), QDialogButtonBox::AcceptRole);
    proceed->setDefault(true);
    QObject::connect(copy, &QPushButton::clicked, &text,
                     [&text] { QApplication::clipboard()->setText(text.toPlainText()); });
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    return buttons;
}

QDialog* makeDialog(QWidget* parent, const QString& report)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("internalError"));
    dialog->setWindowTitle(tr("Internal error"));
    dialog->resize(620, 380);
    auto* sentence =
        new PlainLabel(tr("An internal error occurred. You can continue; the last action "
                          "may not be shown. This text helps to find the cause:"),
                       dialog);
    sentence->setWordWrap(true);
    auto* text = new QPlainTextEdit(report, dialog);
    text->setReadOnly(true);
    text->setFont(codeFont());
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(sentence);
    layout->addWidget(text, 1);
    layout->addWidget(makeButtons(*dialog, *text));
    return dialog;
}

}  // namespace

bool guarded(const std::function<bool()>& work, const std::function<void(const QString&)>& report,
             bool otherwise)
{
    try {
        return work();
    } catch (const std::exception& error) {
        report(QString::fromUtf8(error.what()));
    } catch (...) {
        report(tr("an unknown exception"));
    }
    return otherwise;
}

QString errorReport(const QString& error, const QString& messages)
{
    QString report = QStringLiteral("Calibscope %1, Qt %2, %3\n%4\n")
                         .arg(QStringLiteral(CALIBSCOPE_VERSION), QString::fromLatin1(qVersion()),
                              QSysInfo::prettyProductName(), error);
    if (!messages.isEmpty())
        report += u'\n' + messages;
    return report;
}

void showInternalError(QWidget* parent, const QString& report)
{
    static QPointer<QDialog> shown;  // an error in painting comes again and again
    if (!shown) {
        shown = makeDialog(parent, report);
        shown->open();
        return;
    }
    constexpr int mostBlocks = 500;
    auto* text = shown->findChild<QPlainTextEdit*>();
    text->setMaximumBlockCount(mostBlocks);
    text->appendPlainText(report);
}

}  // namespace calibscope
