// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/import_controller.h"

#include "ui/document/edits.h"
#include "ui/models/import_model.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"
#include "ui/window/message_controller.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace calibscope {

namespace {

std::uint64_t countOf(const protocol::ImportedFile& file, FindingLevel level)
{
    std::uint64_t count = 0;
    for (const protocol::ImportedEntry& entry : file.entries)
        count +=
            static_cast<std::uint64_t>(std::ranges::count(entry.findings, level, &Finding::level));
    return count;
}

QTableView* tableOf(QAbstractItemModel* model, QWidget* parent)
{
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setTabKeyNavigation(false);
    table->setAccessibleName(QDialog::tr("Scales of the file"));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->setWordWrap(false);
    table->resizeColumnsToContents();
    constexpr int widestName = 220;
    for (const int column : {int(ImportColumn::Name), int(ImportColumn::Tensor)})
        table->setColumnWidth(column, std::min(table->columnWidth(column), widestName));
    return table;
}

constexpr std::array<const char*, 7> scaleFileEndings = {
    "cache", "table", "encodings", "flatbuffers", "yaml", "json", "txt"};

std::vector<std::string> textsOf(const std::vector<TensorInfo>& tensors,
                                 std::string TensorInfo::*text)
{
    std::vector<std::string> texts;
    for (const TensorInfo& tensor : tensors)
        texts.push_back(tensor.*text);
    return texts;
}

}  // namespace

ImportDialog::ImportDialog(const QString& file, const protocol::ImportedFile& imported,
                           const std::vector<std::string>& tensors, int usable, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Import scales"));
    resize(980, 460);
    auto* layout = new QVBoxLayout(this);
    auto* head = new PlainLabel(
        tr("%1, %2: %3, of which %4 can be shown beside your tensors. %5, %6.")
            .arg(QFileInfo(file).fileName(), QString::fromStdString(imported.format),
                 countText(imported.entries.size(), tr("1 entry"), tr("%1 entries")),
                 QString::number(usable),
                 countText(countOf(imported, FindingLevel::Error), tr("1 error"), tr("%1 errors")),
                 countText(countOf(imported, FindingLevel::Warning), tr("1 warning"),
                           tr("%1 warnings"))),
        this);
    head->setWordWrap(true);
    layout->addWidget(head);
    auto* entries = new TableModel<ImportRow>(importTable(), this);
    entries->setRows(importRows(imported, tensors));
    layout->addWidget(tableOf(entries, this), 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* take = buttons->addButton(tr("&Show as references"), QDialogButtonBox::AcceptRole);
    take->setToolTip(tr("Each range becomes a row of its tensor, drawn beside the calibrators, "
                        "that you can accept"));
    take->setEnabled(usable > 0);
    take->setDefault(true);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QMap<std::string, ImportedRange> usableRanges(const protocol::ImportedFile& imported,
                                              const QString& file,
                                              const std::vector<std::string>& paths)
{
    QMap<std::string, ImportedRange> ranges;
    for (const protocol::ImportedEntry& entry : imported.entries) {
        const bool isWhole = entry.channels == 0 || !entry.channelRanges.empty();
        const bool isUsable =
            entry.range && isWhole && std::max(-entry.range->low, entry.range->high) > 0.0;
        if (!entry.tensor || *entry.tensor >= paths.size() || !isUsable)
            continue;
        ImportedRange range{.range = *entry.range,
                            .channels = entry.channelRanges,
                            .isSymmetric = entry.isSymmetric,
                            .source =
                                imported.format + ", " + QFileInfo(file).fileName().toStdString()};
        if (entry.line > 0)
            range.source += ", line " + std::to_string(entry.line);
        for (const Finding& finding : entry.findings)
            range.findings.push_back(withLevel(finding));
        ranges.insert(paths[static_cast<std::size_t>(*entry.tensor)], range);
    }
    return ranges;
}

ImportController::ImportController(Document& document, Engine& background,
                                   MessageController& messages, ModelOf model, QWidget& window)
    : m_document(document),
      m_background(background),
      m_messages(messages),
      m_model(std::move(model)),
      m_window(window)
{
    connect(&document, &Document::dumpChanged, this, [this] { m_request.drop(); });
}

bool ImportController::takes(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    return std::ranges::any_of(scaleFileEndings,
                               [&](const char* one) { return ending == QLatin1String(one); });
}

void ImportController::askForFile()
{
    if (isFarAway(m_document.path()))
        return Q_EMIT fileThereWanted();
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Import scales"), folderHere(m_document.path()),
        tr("Scales of other tools (*.cache *.table *.txt *.json *.encodings *.yaml *.flatbuffers "
           "*.wts *.onnx *.safetensors);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void ImportController::open(const QString& path)
{
    if (m_document.dumpState() != Document::DumpState::Open)
        return;
    const QString machine = machineOf(m_document.path());
    const auto nameOf = [](const QString& of) { return of.isEmpty() ? tr("this machine") : of; };
    if (machineOf(path) != machine)
        return m_messages.say(
            tr("%1 is on %2 and the dump on %3; copy it to %3 first, for example with scp, then "
               "choose it with Import scales.")
                .arg(QFileInfo(path).fileName(), nameOf(machineOf(path)), nameOf(machine)),
            {}, MessageBar::Kind::Problem);
    protocol::ImportRequest request{.path = path.toStdString()};
    if (machineOf(m_model()) == machine)
        request.model = m_model().toStdString();
    for (int tensor = 0; tensor < static_cast<int>(m_document.tensors().size()); ++tensor)
        request.tensors.push_back(m_document.addressOf(tensor));
    m_messages.say(
        tr("Reading %1 and the tensors that it names...").arg(QFileInfo(path).fileName()), {},
        MessageBar::Kind::Note);
    m_request.ask(m_background, request,
                  [this, path](Answer<protocol::ImportedFile> answer) { take(path, answer); });
}

void ImportController::take(const QString& path, const Answer<protocol::ImportedFile>& answer)
{
    m_messages.hide();
    if (!answer.value) {
        if (!answer.wasCancelled) {
            m_messages.log().add(MessageLog::Kind::Problem, answer.failure);
            m_messages.say(answer.failure, {}, MessageBar::Kind::Problem);
        }
        return;
    }
    const std::vector<std::string> paths = textsOf(m_document.tensors(), &TensorInfo::path);
    const QMap<std::string, ImportedRange> ranges = usableRanges(*answer.value, path, paths);
    for (const protocol::ImportedEntry& entry : answer.value->entries)
        for (const Finding& finding : entry.findings)
            if (finding.level != FindingLevel::Note)
                m_messages.log().add(MessageLog::Kind::Warning,
                                     QStringLiteral("%1: %2: %3")
                                         .arg(QFileInfo(path).fileName(),
                                              QString::fromStdString(entry.name),
                                              findingText(finding)));
    auto* dialog =
        new ImportDialog(path, *answer.value, textsOf(m_document.tensors(), &TensorInfo::name),
                         static_cast<int>(ranges.size()), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, path, ranges] { show(path, ranges); });
    connect(&m_document, &Document::dumpChanged, dialog, &QDialog::reject);
    dialog->open();
}

void ImportController::show(const QString& path, const QMap<std::string, ImportedRange>& ranges)
{
    edits::setImported(m_document, ranges);
    const std::vector<TensorInfo>& tensors = m_document.tensors();
    const auto first = std::ranges::find_if(
        tensors, [&ranges](const TensorInfo& tensor) { return ranges.contains(tensor.path); });
    if (first == tensors.end())
        return;
    m_messages.say(
        countText(static_cast<std::uint64_t>(ranges.size()),
                  tr("%2 is a reference on 1 tensor: a card and a line in its histogram."),
                  tr("%2 is a reference on %1 tensors: a card and a line in their histograms."))
            .arg(QFileInfo(path).fileName()),
        {{tr("Sho&w the first"),
          [this, tensor = static_cast<int>(first - tensors.begin())] {
              m_document.select(tensor);
          }}},
        MessageBar::Kind::Success);
}

}  // namespace calibscope
