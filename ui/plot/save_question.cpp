#include "ui/plot/save_question.h"

#include <QFileDialog>
#include <QFileInfo>

namespace calibscope {

namespace {

/// "csv" of "CSV (*.csv)".
QString suffixOf(const QString& kind)
{
    return kind.section(QStringLiteral("(*."), 1).chopped(1);
}

}  // namespace

QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed,
                       const QStringList& kinds)
{
    const QFileInfo file(proposed);
    QFileDialog dialog(parent, title, file.absolutePath());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(kinds);
    dialog.setDefaultSuffix(suffixOf(kinds.front()));
    dialog.selectFile(file.fileName());
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& kind) {
        dialog.setDefaultSuffix(suffixOf(kind));
        const QFileInfo named(dialog.selectedFiles().value(0));
        dialog.selectFile(named.completeBaseName() + u'.' + suffixOf(kind));
    });
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().front() : QString();
}

}  // namespace calibscope
