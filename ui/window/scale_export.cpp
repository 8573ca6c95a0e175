// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/scale_export.h"

#include "ui/document/decisions.h"
#include "ui/document/output_folder.h"
#include "ui/plot/number_label.h"
#include "ui/plot/table_menu.h"
#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"
#include "ui/window/message_controller.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int partly = 3;  // the exit code where some tensors were left out

bool isWhole(const ToolEnd& end)
{
    return end.kind == ToolEnd::Kind::Exited && (end.exitCode == 0 || end.exitCode == partly);
}

/// The most important one, and the number of all.
QString headOf(const QStringList& sentences, bool isWritten)
{
    // The cause is the last line, after all warnings.
    const QString most = isWritten ? sentences.value(0) : sentences.value(sentences.size() - 1);
    return sentences.size() > 1 ? ScaleExport::tr("%1 (%2 in the messages)")
                                      .arg(most, countLabel(std::uint64_t(sentences.size())))
                                : most;
}

}  // namespace

std::vector<ScaleFormat> scaleFormats(const QByteArray& json)
{
    std::vector<ScaleFormat> formats;
    for (const QJsonValue& row : QJsonDocument::fromJson(json).array())
        if (row[QStringLiteral("written")].toString() == QStringLiteral("yes"))
            formats.push_back({.id = row[QStringLiteral("id")].toString(),
                               .title = row[QStringLiteral("title")].toString(),
                               .suffix = row[QStringLiteral("suffix")].toString(),
                               .holds = row[QStringLiteral("holds")].toString()});
    return formats;
}

ScaleExportDialog::ScaleExportDialog(std::vector<ScaleFormat> formats, const QString& decisions,
                                     const QString& model, QWidget* parent)
    : QDialog(parent),
      m_formats(std::move(formats)),
      m_format(new QComboBox(this)),
      m_holds(new PlainLabel(this)),
      m_report(new QPlainTextEdit(this)),
      m_model(new ElidedLabel(Qt::ElideMiddle, this))
{
    setWindowTitle(tr("Export scales"));
    for (const ScaleFormat& format : m_formats)
        m_format->addItem(format.title, format.id);
    m_format->setAccessibleName(tr("Format"));
    m_holds->setWordWrap(true);
    m_holds->setForegroundRole(QPalette::PlaceholderText);
    m_holds->setMinimumHeight(3 * fontMetrics().lineSpacing());
    m_holds->setAlignment(Qt::AlignTop);
    m_report->setReadOnly(true);
    m_report->setTabChangesFocus(true);
    m_report->setFixedHeight(5 * fontMetrics().lineSpacing());
    m_report->setAccessibleName(tr("What this format reports"));
    connect(m_format, &QComboBox::currentIndexChanged, this, [this] {
        m_isProposing = false;
        m_holds->setText(format().holds + u'.');
        Q_EMIT changed();
    });
    m_holds->setText(format().holds + u'.');
    m_model->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* choose = new QPushButton(tr("Choose &model..."), this);
    choose->setToolTip(tr("The ONNX model whose names are written: tools look scales up by them"));
    connect(choose, &QPushButton::clicked, this, &ScaleExportDialog::askForModel);
    auto* names = new QHBoxLayout;
    names->addWidget(m_model, 1);
    names->addWidget(choose);
    auto* form = new QFormLayout;
    form->addRow(tr("&Format"), m_format);
    form->addRow(QString(), m_holds);
    form->addRow(tr("Names of"), names);
    form->addRow(QString(), m_report);
    auto* head = new PlainLabel(decisions, this);
    head->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_export = buttons->addButton(tr("&Export..."), QDialogButtonBox::AcceptRole);
    m_export->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(head);
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setModel(model);
    resize(560, sizeHint().height());
}

const ScaleFormat& ScaleExportDialog::format() const
{
    return m_formats.at(static_cast<std::size_t>(std::max(m_format->currentIndex(), 0)));
}

void ScaleExportDialog::setModel(const QString& path)
{
    m_modelPath = path;
    m_model->setText(path.isEmpty() ? tr("the dump, as no model is chosen") : path);
    Q_EMIT changed();
}

void ScaleExportDialog::setTrying()
{
    m_report->setPlainText(tr("Trying this format..."));
    m_export->setEnabled(false);
}

/// Back to the first one after the last.
void ScaleExportDialog::proposeNext()
{
    if (!m_isProposing)
        return;
    const int next = (m_format->currentIndex() + 1) % m_format->count();
    m_format->setCurrentIndex(next);
    m_isProposing = next != 0;
}

void ScaleExportDialog::setReport(const QString& report, bool canWrite)
{
    m_isProposing = m_isProposing && !canWrite;
    if (m_isProposing)  // the run that reports is still ending
        QTimer::singleShot(0, this, &ScaleExportDialog::proposeNext);
    m_report->setPlainText(report);
    m_export->setEnabled(canWrite);
}

QString ScaleExportDialog::report() const
{
    return m_report->toPlainText();
}

void ScaleExportDialog::askForModel()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Model whose names are written"),
                                     folderHere(m_modelPath), tr("ONNX models (*.onnx)"));
    if (!path.isEmpty())
        setModel(path);
}

ScaleExport::ScaleExport(Document& document, SessionKeeper& keeper, MessageController& messages,
                         ModelOf model, QWidget& window)
    : m_document(document),
      m_keeper(keeper),
      m_messages(messages),
      m_model(std::move(model)),
      m_window(window)
{
    connect(&m_tool, &ToolRun::finished, this, [this](const ToolEnd& end) {
        if (m_path.isEmpty())
            takeFormats(end);
        else
            takeWritten(end);
    });
}

void ScaleExport::ask()
{
    if (m_tool.isRunning())
        return;
    if (isFarAway(m_document.path()))
        return m_messages.say(
            tr("%1 lies on %2, where calib can export its scales: save the session, and run calib "
               "export with both there.")
                .arg(pathThere(m_document.path()), machineOf(m_document.path())),
            {}, MessageBar::Kind::Problem);
    if (decidedCount(m_document) == 0)
        return m_messages.say(tr("Nothing was accepted on this dump yet; scales are those of "
                                 "accepted calibrators."));
    m_path.clear();
    m_tool.start({QStringLiteral("describe"), QStringLiteral("--scale-formats")});
}

void ScaleExport::takeFormats(const ToolEnd& end)
{
    std::vector<ScaleFormat> formats = scaleFormats(end.output);
    if (end.kind != ToolEnd::Kind::Exited || formats.empty())
        return m_messages.say(sentencesOf(end).join(u' '), {}, MessageBar::Kind::Problem);
    auto* dialog = new ScaleExportDialog(std::move(formats),
                                         countText(decidedCount(m_document),
                                                   tr("1 tensor has an accepted calibrator."),
                                                   tr("%1 tensors have an accepted calibrator.")),
                                         m_model(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_document, &Document::dumpChanged, dialog, &QDialog::reject);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const ScaleFormat format = dialog->format();
        const QString path = askWhereToSave(
            &m_window, tr("Export scales"),
            outputFolder(m_keeper.path(), m_document.path()) + u'/' +
                QFileInfo(m_document.path()).completeBaseName() + u'.' + format.suffix,
            {QStringLiteral("%1 (*.%2)").arg(format.title, format.suffix)});
        if (!path.isEmpty())
            write(format, dialog->model(), path);
    });
    connect(dialog, &ScaleExportDialog::changed, this, [this, dialog] { preview(*dialog); });
    connect(dialog, &QDialog::finished, this, [this] { m_preview.reset(); });
    preview(*dialog);
    dialog->open();
}

/// Whatever can't be carried is reported before a file is chosen.
void ScaleExport::preview(ScaleExportDialog& dialog)
{
    dialog.setTrying();
    m_preview = std::make_unique<ToolRun>();
    connect(m_preview.get(), &ToolRun::finished, &dialog, [this, &dialog](const ToolEnd& end) {
        const QStringList sentences = sentencesOf(end);
        dialog.setReport(
            isWhole(end) ? sentences.join(u'\n')
                         : tr("Can't be written: %1").arg(sentences.value(sentences.size() - 1)),
            isWhole(end));
    });
    run(*m_preview, dialog.format().id, dialog.model(), {});
}

/// The report of calib, warnings of the dump last: they were shown when it was opened. Of a run that
/// ended without a word, that it did.
QStringList ScaleExport::sentencesOf(const ToolEnd& end) const
{
    QStringList sentences = end.said.split(u'\n', Qt::SkipEmptyParts);
    for (QString& sentence : sentences)
        if (const QString mark = QStringLiteral("warning: "); sentence.startsWith(mark))
            sentence.remove(0, mark.size());
    if (sentences.isEmpty() && (end.kind != ToolEnd::Kind::Exited || end.exitCode != 0))
        sentences += tr("calib quit unexpectedly.");
    if (!isWhole(end))
        return sentences;  // the cause is the last one
    std::ranges::stable_partition(sentences, [this](const QString& sentence) {
        return std::ranges::none_of(m_document.dump().warnings,
                                    [&sentence](const std::string& warning) {
                                        return sentence.contains(QString::fromStdString(warning));
                                    });
    });
    return sentences;
}

void ScaleExport::write(const ScaleFormat& format, const QString& model, const QString& path)
{
    m_path = path;
    m_modifiedBefore = QFileInfo(path).lastModified();
    m_messages.say(tr("Exporting scales to %1...").arg(QFileInfo(path).fileName()), {},
                   MessageBar::Kind::Note);
    run(m_tool, format.id, model, {QStringLiteral("-o"), path});
}

void ScaleExport::run(ToolRun& tool, const QString& format, const QString& model,
                      const QStringList& more)
{
    const QString session = m_folder.filePath(QStringLiteral("now.calsession"));
    QStringList words{QStringLiteral("export"),    m_document.path(),
                      QStringLiteral("--session"), session,
                      QStringLiteral("--format"),  format};
    words << more;
    if (!model.isEmpty())
        words << QStringLiteral("--onnx") << model;
    if (m_document.allowsExternal())
        words << QStringLiteral("--allow-external");
    m_keeper.files().write(m_keeper.session(), session, {.isPrivate = true},
                           [self = QPointer(this), started = QPointer(&tool),
                            words](const SessionFiles::Written& written) {
                               if (!self || !started)
                                   return;
                               if (written.failure.isEmpty())
                                   started->start(words);
                               else
                                   self->m_messages.say(written.failure, {},
                                                        MessageBar::Kind::Problem);
                           });
}

/// Exit code 3 tells that something could not be read: all of it, or some tensors that were left out.
void ScaleExport::takeWritten(const ToolEnd& end)
{
    const QString path = m_path;
    const QFileInfo file(path);
    const bool isWritten = end.kind == ToolEnd::Kind::Exited &&
                           (end.exitCode == 0 || (end.exitCode == partly && file.exists() &&
                                                  file.lastModified() != m_modifiedBefore));
    const QStringList sentences = sentencesOf(end);
    for (const QString& sentence : sentences)
        m_messages.log().add(isWritten ? MessageLog::Kind::Warning : MessageLog::Kind::Problem,
                             sentence);
    const QString first = headOf(sentences, isWritten);
    if (!isWritten)
        return m_messages.say(first, {}, MessageBar::Kind::Problem);
    m_messages.say(first.isEmpty() ? tr("Scales written to %1.").arg(path)
                                   : tr("Scales written to %1; %2").arg(path, first),
                   {{tr("Open fol&der"),
                     [path] {
                         QDesktopServices::openUrl(
                             QUrl::fromLocalFile(QFileInfo(path).absolutePath()));
                     }}},
                   sentences.isEmpty() ? MessageBar::Kind::Success : MessageBar::Kind::Warning);
}

}  // namespace calibscope
