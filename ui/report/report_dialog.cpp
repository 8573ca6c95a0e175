// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_dialog.h"

#include "ui/document/document.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/models/candidate_style.h"
#include "ui/models/tensor_flags.h"
#include "ui/plot/number_label.h"
#include "ui/report/report_pictures.h"
#include "ui/report/session_report.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sqnr_limits.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGridLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <span>

namespace calibscope {

namespace {

constexpr QSize previewSize(560, 420);

QString contentText(report::Content content)
{
    switch (content) {
    case report::Content::Summary: return ReportDialog::tr("&Summary");
    case report::Content::Ranking: return ReportDialog::tr("&Ranking");
    case report::Content::Tensors: return ReportDialog::tr("A page for each &tensor");
    case report::Content::Channels: return ReportDialog::tr("C&hannels");
    case report::Content::Statements: return ReportDialog::tr("&Methods and settings");
    case report::Content::Environment: return ReportDialog::tr("&Files and versions");
    }
    return {};
}

QString formatText(report::Format format)
{
    switch (format) {
    case report::Format::Html: return ReportDialog::tr("HTM&L pages");
    case report::Format::Csv: return ReportDialog::tr("CS&V tables");
    case report::Format::Json: return ReportDialog::tr("&JSON");
    case report::Format::Png: return ReportDialog::tr("P&NG pictures");
    case report::Format::Svg: return ReportDialog::tr("SV&G pictures");
    case report::Format::Pdf: return ReportDialog::tr("&PDF for print");
    }
    return {};
}

std::optional<report::ReportedTensor> sampleOf(const Document& document)
{
    const protocol::TensorView* view = document.questions().reader().result();
    if (view == nullptr)
        return std::nullopt;
    report::ReportedTensor part{.profile = view->profile};
    for (const OutcomeRow& row : document.questions().rows())
        if (row.hasResult() && !row.candidate.recipes.empty())
            part.results.push_back({.label = row.candidate.label,
                                    .recipes = row.candidate.recipes,
                                    .color = candidateStyle(row.candidate.id, lightChartColors())
                                                 .color.name()
                                                 .toStdString(),
                                    .outcome = *row.outcome,
                                    .id = row.candidate.id});
    return part;
}

// Measured on the sample's report; a PNG grows a little less than its pixels.
constexpr std::uint64_t picturesOfTensor = 3;
constexpr std::uint64_t pngBytes = 45000;  // at scale 1, for each further one as many
constexpr std::uint64_t svgBytes = 25000;
constexpr std::uint64_t drawingBytes = 80000;  // with its numbers
constexpr std::uint64_t pdfBytes = 16000;
constexpr std::uint64_t pageBytes = 15000;
constexpr std::uint64_t snippetBytes = 15000;  // for each recipe
constexpr std::uint64_t channelPageBytes = 18000;
constexpr std::uint64_t rowBytes = 420;
constexpr std::uint64_t fixedBytes = 60000;

QString word(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

template <typename Key>
QJsonArray checkedWords(const std::map<Key, QCheckBox*>& boxes, std::string_view (*wordOf)(Key))
{
    QJsonArray words;
    for (const auto& [key, box] : boxes)
        if (box->isChecked())
            words.append(word(wordOf(key)));
    return words;
}

template <typename Key>
void checkWords(const std::map<Key, QCheckBox*>& boxes, std::string_view (*wordOf)(Key),
                const QJsonValue& words)
{
    if (!words.isArray())
        return;
    for (const auto& [key, box] : boxes)
        box->setChecked(words.toArray().contains(word(wordOf(key))));
}

}  // namespace

ReportDialog::ReportDialog(const ReportSubject& subject, QWidget* parent)
    : QDialog(parent),
      m_subject(subject),
      m_problem(new PlainLabel(this)),
      m_preview(new PlainLabel(this))
{
    setWindowTitle(tr("Report"));
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(previewSize);
    m_preview->setWordWrap(true);
    m_preview->setAccessibleName(tr("Preview"));
    m_problem->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_write = buttons->addButton(tr("&Write report"), QDialogButtonBox::AcceptRole);
    m_write->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &ReportDialog::acceptIfFree);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* upper = new QHBoxLayout;
    upper->addWidget(makeForm());
    upper->addWidget(m_preview, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(upper, 1);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    setFolder(QFileInfo(QString::fromStdString(subject.file)).completeBaseName() +
              QStringLiteral("-report"));
    update();
}

QWidget* ReportDialog::makeForm()
{
    auto* form = new QWidget(this);
    auto* layout = new QFormLayout(form);
    layout->setContentsMargins({});
    m_scope = new QComboBox(form);
    addScope(tr("All tensors"), m_subject.all);
    addScope(tr("Filtered tensors"), m_subject.filtered);
    addScope(tr("Accepted tensors"), m_subject.decided);
    addScope(tr("Pinned tensors"), m_subject.pinned);
    addScope(tr("Flagged tensors"), m_subject.flagged);
    addScope(m_subject.selected.size() > 1 ? tr("Selected tensors") : tr("Selected tensor"),
             m_subject.selected);
    if (m_subject.selected.size() > 1)
        m_scope->setCurrentIndex(m_scope->count() - 1);
    else if (m_subject.isFiltered && !m_subject.filtered.empty())
        m_scope->setCurrentIndex(1);
    m_recipes = new QComboBox(form);
    m_recipes->addItem(tr("All published recipes"), QString());
    m_recipes->addItem(m_subject.recipeTitle, QString::fromStdString(m_subject.recipe));
    m_scale = new QSpinBox(form);
    m_scale->setRange(1, 4);
    m_scale->setValue(ReportOptions{}.pictureScale);
    m_scale->setSuffix(QStringLiteral("×"));
    m_theme = new QComboBox(form);
    m_theme->addItem(tr("Light, for print"), false);
    m_theme->addItem(tr("Dark"), true);
    m_footer = new QCheckBox(tr("Provenance footers &below pictures"), form);
    m_footer->setChecked(true);
    m_folder = new QLineEdit(form);
    constexpr int folderWidth = 260;
    m_folder->setMinimumWidth(folderWidth);
    auto* browse = new QPushButton(tr("&Choose..."), form);
    auto* place = new QHBoxLayout;
    place->addWidget(m_folder, 1);
    place->addWidget(browse);
    m_size = new PlainLabel(form);
    layout->addRow(tr("&Of"), m_scope);
    layout->addRow(tr("Rec&ipes"), m_recipes);
    layout->addRow(makeContents());
    layout->addRow(makeFormats());
    layout->addRow(tr("PNG si&ze"), m_scale);
    layout->addRow(tr("Colo&urs"), m_theme);
    layout->addRow(m_footer);
    auto* folderLabel = new PlainLabel(tr("Fol&der"), form);
    folderLabel->setBuddy(m_folder);  // a row of a layout has none of its own
    layout->addRow(folderLabel, place);
    layout->addRow(tr("Size"), m_size);
    connect(browse, &QPushButton::clicked, this, &ReportDialog::askForFolder);
    for (QComboBox* box : {m_scope, m_recipes, m_theme})
        connect(box, &QComboBox::currentIndexChanged, this, &ReportDialog::update);
    connect(m_scale, &QSpinBox::valueChanged, this, &ReportDialog::update);
    connect(m_footer, &QCheckBox::toggled, this, &ReportDialog::update);
    connect(m_folder, &QLineEdit::textChanged, this, &ReportDialog::update);
    return form;
}

void ReportDialog::addScope(const QString& text, const std::vector<std::string>& tensors)
{
    if (!tensors.empty())
        m_scope->addItem(tr("%1 (%2)").arg(text, countLabel(tensors.size())),
                         QVariant::fromValue(static_cast<const void*>(&tensors)));
}

const std::vector<std::string>& ReportDialog::scopeTensors() const
{
    const auto* tensors =
        static_cast<const std::vector<std::string>*>(m_scope->currentData().value<const void*>());
    return tensors == nullptr ? m_subject.all : *tensors;
}

QGroupBox* ReportDialog::makeContents()
{
    auto* group = new QGroupBox(tr("Content"), this);
    auto* layout = new QVBoxLayout(group);
    for (const report::Content content : report::contents()) {
        auto* box = new QCheckBox(contentText(content), group);
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &ReportDialog::update);
        layout->addWidget(box);
        m_contents[content] = box;
    }
    const bool hasDecisions =
        std::ranges::any_of(m_subject.session.dumps, [](const SessionDump& dump) {
            return !dump.own.decisions.isEmpty() || !dump.own.manualRange.empty();
        });
    if (hasDecisions) {
        m_decisions = new QCheckBox(tr("D&ecisions, remarks and manual ranges"), group);
        m_decisions->setChecked(true);
        layout->addWidget(m_decisions);
    }
    return group;
}

QGroupBox* ReportDialog::makeFormats()
{
    auto* group = new QGroupBox(tr("Formats"), this);
    auto* layout = new QGridLayout(group);
    for (const report::Format format : report::formats()) {
        auto* box = new QCheckBox(formatText(format), group);
        box->setChecked(ReportOptions{}.has(format));
        connect(box, &QCheckBox::toggled, this, &ReportDialog::update);
        const int place = static_cast<int>(m_formats.size());
        layout->addWidget(box, place / 2, place % 2);
        m_formats[format] = box;
    }
    return group;
}

ReportOptions ReportDialog::options() const
{
    ReportOptions options{.files = {m_subject.file}, .folder = m_folder->text().toStdString()};
    if (const QString recipe = m_recipes->currentData().toString(); !recipe.isEmpty())
        options.recipes = {recipe.toStdString()};
    if (&scopeTensors() != &m_subject.all)
        options.tensors = scopeTensors();
    options.contents.clear();
    for (const auto& [content, box] : m_contents)
        if (box->isChecked())
            options.contents.insert(content);
    options.formats.clear();
    for (const auto& [format, box] : m_formats)
        if (box->isChecked())
            options.formats.insert(format);
    options.pictureScale = m_scale->value();
    options.isDark = m_theme->currentData().toBool();
    options.hasFooters = m_footer->isChecked();
    options.limits = sqnrLimits();
    if (m_decisions && m_decisions->isChecked()) {
        addGains(options, m_subject.session);
        options.decisions = [session =
                                 m_subject.session](std::span<const protocol::DumpOpened> dumps) {
            return decisionRecipes(session, dumps);
        };
    }
    options.overwrite = m_overwrites;
    options.allowExternal = m_subject.allowExternal;
    return options;
}

void ReportDialog::setFolder(const QString& folder)
{
    m_folder->setText(QDir(m_subject.folder).absoluteFilePath(folder));
}

void ReportDialog::askForFolder()
{
    const QString folder = QFileDialog::getSaveFileName(
        this, tr("Folder of the report"), m_folder->text(), {}, nullptr,
        QFileDialog::ShowDirsOnly | QFileDialog::DontConfirmOverwrite);
    if (!folder.isEmpty())
        m_folder->setText(folder);
}

void ReportDialog::update()
{
    const ReportOptions chosen = options();
    const std::size_t recipeCount =
        chosen.recipes.empty()
            ? static_cast<std::size_t>(std::ranges::count(recipes(), false, &Recipe::isVariant))
            : chosen.recipes.size();
    const std::size_t tensors = scopeTensors().size();
    m_size->setText(tr("≈ %1").arg(bytesLabel(
        reportBytes(chosen, {.tensors = tensors,
                             .channelTensors = std::min(tensors, m_subject.channelTensors),
                             .recipes = recipeCount}))));
    m_scale->setEnabled(chosen.has(report::Format::Png));
    QString problem;
    if (chosen.formats.empty())
        problem = tr("Choose at least one format.");
    else if (chosen.contents.empty())
        problem = tr("Choose at least one part of the content.");
    else if (chosen.folder.empty())
        problem = tr("Choose a folder.");
    m_problem->setText(problem);
    m_write->setEnabled(problem.isEmpty());
    updatePreview();
}

void ReportDialog::updatePreview()
{
    if (!m_subject.sample) {
        m_preview->setText(tr("Select a tensor to preview its picture here."));
        return;
    }
    const bool isDark = m_theme->currentData().toBool();
    const std::vector<ReportPlot> plots = reportPlots(*m_subject.sample, isDark, false);
    const QString below = m_footer->isChecked()
                              ? provenanceLine(m_subject.source, m_subject.sample->profile.info)
                              : QString();
    const QImage picture = renderContent(
        *plots.front().content, reportPicture(*m_subject.sample, plots.front(), isDark, below));
    QPixmap shown = QPixmap::fromImage(picture.scaled(
        previewSize * devicePixelRatioF(), Qt::KeepAspectRatio, Qt::SmoothTransformation));
    shown.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(shown);
}

void ReportDialog::acceptIfFree()
{
    const QFileInfo folder(m_folder->text());
    m_overwrites = false;
    if (folder.exists()) {
        const auto answer = ask(this, QMessageBox::Question, windowTitle(),
                                tr("%1 already exists. Replace it?").arg(folder.filePath()),
                                QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
        if (answer != QMessageBox::Yes)
            return;
        m_overwrites = true;
    }
    accept();
}

ReportSubject reportSubject(const Document& document, const std::vector<int>& filtered,
                            const std::vector<int>& selected)
{
    ReportSubject subject{.file = document.dump().identity.path,
                          .allowExternal = document.allowsExternal(),
                          .recipeTitle = QString::fromStdString(document.chosenRecipe().title),
                          .recipe = document.chosenRecipe().id,
                          .sample = sampleOf(document),
                          .source = {.identity = document.dump().identity}};
    const std::vector<TensorInfo>& tensors = document.tensors();
    for (std::size_t place = 0; place < tensors.size(); ++place) {
        const TensorInfo& tensor = tensors[place];
        if (!tensor.isReadable())
            continue;
        subject.all.push_back(tensor.path);
        subject.channelTensors += tensor.channelAxis ? 1U : 0U;
        if (document.workbench().decisions.contains(tensor.path))
            subject.decided.push_back(tensor.path);
        if (document.workbench().pins.contains(tensor.path))
            subject.pinned.push_back(tensor.path);
        if (tensorFlags(tensor, document.previews().of(static_cast<int>(place))).hasWarning())
            subject.flagged.push_back(tensor.path);
    }
    for (const int place : filtered)
        if (tensors[static_cast<std::size_t>(place)].isReadable())
            subject.filtered.push_back(tensors[static_cast<std::size_t>(place)].path);
    subject.isFiltered = filtered.size() < tensors.size();
    for (const int place : selected)
        if (tensors[static_cast<std::size_t>(place)].isReadable())
            subject.selected.push_back(tensors[static_cast<std::size_t>(place)].path);
    if (const TensorInfo* tensor = document.selectedTensor();
        subject.selected.empty() && tensor && tensor->isReadable())
        subject.selected.push_back(tensor->path);
    subject.session.dumps = {
        {.identity = document.dump().identity, .own = ownPart(document.workbench())}};
    subject.session.shared = sharedPart(document.workbench());
    return subject;
}

std::uint64_t reportBytes(const ReportOptions& options, const ReportCounts& counts)
{
    using report::Content;
    using report::Format;
    std::uint64_t ofTensor = 0;
    if (options.has(Content::Tensors)) {
        if (options.has(Format::Html))
            ofTensor +=
                pageBytes + snippetBytes * counts.recipes / 2 + picturesOfTensor * drawingBytes;
        if (options.has(Format::Png))
            ofTensor +=
                picturesOfTensor * pngBytes * static_cast<std::uint64_t>(options.pictureScale);
        if (options.has(Format::Svg))
            ofTensor += picturesOfTensor * svgBytes;
        if (options.has(Format::Pdf))
            ofTensor += pdfBytes;
    }
    if (options.has(Format::Csv))
        ofTensor += rowBytes * counts.recipes;
    if (options.has(Format::Json))
        ofTensor += rowBytes * counts.recipes;
    std::uint64_t bytes = fixedBytes + ofTensor * counts.tensors;
    if (options.has(Content::Channels) && options.has(Format::Html))
        bytes += channelPageBytes * counts.channelTensors;
    return bytes;
}

QString ReportDialog::choices() const
{
    const QJsonObject json{{"content", checkedWords(m_contents, report::contentWord)},
                           {"formats", checkedWords(m_formats, report::formatWord)},
                           {"scale", m_scale->value()},
                           {"dark", m_theme->currentData().toBool()},
                           {"footer", m_footer->isChecked()},
                           {"all-recipes", m_recipes->currentIndex() == 0}};
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

void ReportDialog::setChoices(const QString& json)
{
    const QJsonObject given = QJsonDocument::fromJson(json.toUtf8()).object();
    checkWords(m_contents, report::contentWord, given["content"]);
    checkWords(m_formats, report::formatWord, given["formats"]);
    m_scale->setValue(given["scale"].toInt(m_scale->value()));
    m_theme->setCurrentIndex(given["dark"].toBool() ? 1 : 0);
    m_footer->setChecked(given["footer"].toBool(true));
    m_recipes->setCurrentIndex(given["all-recipes"].toBool(true) ? 0 : 1);
}

}  // namespace calibscope
