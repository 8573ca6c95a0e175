// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/status_line.h"

#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStringList>
#include <QTimer>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int noticeableMs = 150;

}  // namespace

MessageCount::MessageCount(const MessageLog& log, QWidget* parent) : QToolButton(parent), m_log(log)
{
    setObjectName(QStringLiteral("messageCount"));
    setAutoRaise(true);
    setToolTip(tr("Shows the messages (F8)"));
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&log, signal, this, &MessageCount::count);
    connect(&log, &QAbstractItemModel::modelReset, this, &MessageCount::count);
    count();
}

void MessageCount::count()
{
    const std::size_t warnings = m_log.count(MessageLog::Kind::Warning);
    const std::size_t problems = m_log.count(MessageLog::Kind::Problem);
    QStringList parts;
    if (problems > 0)
        parts += countText(problems, tr("1 problem"), tr("%1 problems"));
    if (warnings > 0)
        parts += countText(warnings, tr("1 warning"), tr("%1 warnings"));
    setText(parts.join(QStringLiteral(", ")));
    setVisible(!parts.isEmpty());
}

ReadProgress::ReadProgress(QWidget* parent)
    : QWidget(parent), m_text(new PlainLabel(this)), m_bar(new QProgressBar(this))
{
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelReading"));
    connect(cancel, &QPushButton::clicked, this, &ReadProgress::cancelled);
    m_bar->setFixedWidth(180);
    m_bar->setMaximum(100);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->addWidget(m_text);
    layout->addWidget(m_bar);
    layout->addWidget(cancel);
    hide();
}

void ReadProgress::start(const QString& what)
{
    m_isReading = true;
    m_text->setText(what);
    m_bar->setValue(0);
    QTimer::singleShot(noticeableMs, this, [this] { setVisible(m_isReading); });
}

void ReadProgress::setShare(double share)
{
    m_bar->setValue(static_cast<int>(100.0 * share));
}

void ReadProgress::finish()
{
    m_isReading = false;
    hide();
}

namespace {

/// Of the tensors, those that the file or reading them says can't be read.
QString unreadableText(const Document& document)
{
    const auto failed = document.previews().shared()->problems.size();
    const auto odd = std::ranges::count_if(
        document.tensors(), [](const TensorInfo& tensor) { return !tensor.isReadable(); });
    const std::uint64_t count = failed + static_cast<std::uint64_t>(odd);
    return count == 0 ? QString() : StatusLine::tr(", %1 can't be read").arg(countLabel(count));
}

/// What of the tensor the numbers are from, where that is not all of it.
QString partText(const TensorPart& part)
{
    QString text;
    if (part.channel)
        text += StatusLine::tr(", channel %1 only").arg(countLabel(*part.channel));
    if (part.batches == 1U)
        text += StatusLine::tr(", first batch only");
    else if (part.batches)
        text += StatusLine::tr(", first %1 batches only").arg(countLabel(*part.batches));
    return text;
}

}  // namespace

StatusLine::StatusLine(Document& document, const WorkspaceTabs& pages, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_progress(new ReadProgress(this)),
      m_background(new PlainLabel(this)),
      m_accepted(new PlainLabel(this)),
      m_drawn(new PlainLabel(this)),
      m_readout(new PlainLabel(this)),
      m_counting(new QTimer(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(24);
    layout->addWidget(m_progress);
    layout->addWidget(m_background);
    layout->addWidget(m_accepted);
    layout->addStretch();
    layout->addWidget(m_drawn);
    layout->addStretch();
    layout->addWidget(m_readout);
    m_readout->setMinimumWidth(1);  // a long one gives way to a message

    connect(m_progress, &ReadProgress::cancelled, &document.questions(), &Questions::stopReading);
    connect(&document.questions(), &Questions::progressed, m_progress, &ReadProgress::setShare);
    connect(&document, &Document::dumpChanged, this, &StatusLine::showReading);
    connect(&document.questions(), &Questions::viewChanged, this, &StatusLine::showReading);
    connect(&document.questions(), &Questions::viewChanged, this, &StatusLine::showDrawn);
    connect(&document.questions(), &Questions::firstBatchRead, this, &StatusLine::showDrawn);
    connect(&document, &Document::dumpChanged, this, &StatusLine::countGuesses);
    connect(&document, &Document::tensorsChanged, this, &StatusLine::countGuesses);
    connect(&document, &Document::dumpChanged, this, &StatusLine::countAccepted);
    connect(&document, &Document::changed, this, &StatusLine::follow);
    connect(&document.questions(), &Questions::viewChanged, this, &StatusLine::showBackground);
    // Glances come by thousands, and another text lays out the whole bar.
    m_counting->setSingleShot(true);
    m_counting->setInterval(100);
    connect(m_counting, &QTimer::timeout, this, &StatusLine::showBackground);
    const auto countSoon = [this] {
        if (!m_counting->isActive())
            m_counting->start();
    };
    connect(&document.previews(), &Previews::taken, this, countSoon);
    connect(&document.previews(), &Previews::failed, this, countSoon);
    connect(&document, &Document::idle, this, &StatusLine::showBackground);
    connect(&pages, &WorkspaceTabs::readoutChanged, m_readout, &QLabel::setText);
}

void StatusLine::follow(const DocumentChange& change)
{
    if (change.concerns(DocumentChange::Recipe))
        showBackground();
    if (change.concerns(DocumentChange::Display))
        showDrawn();
    if (change.concerns(DocumentChange::Workbench))
        countAccepted();
}

void StatusLine::showReading()
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (m_document.dumpState() == Document::DumpState::Opening)
        m_progress->start(tr("opening %1").arg(QFileInfo(m_document.path()).fileName()));
    else if (tensor && m_document.questions().reader().isReading())
        m_progress->start(tr("reading %1").arg(QString::fromStdString(tensor->name)));
    else
        m_progress->finish();
}

void StatusLine::showBackground()
{
    const std::size_t all = m_document.tensors().size();
    const std::size_t left = m_document.previews().left();
    if (m_document.dumpState() != Document::DumpState::Open)
        m_background->clear();
    else if (left > 0)
        m_background->setText(
            countText(all, tr("SQNR: %1 of 1 tensor"), tr("SQNR: %2 of %1 tensors"))
                .arg(countLabel(all - left)));
    else
        m_background->setText(countText(all, tr("1 tensor"), tr("%1 tensors")) + m_guesses +
                              unreadableText(m_document));
}

void StatusLine::countGuesses()
{
    const auto guesses = std::ranges::count(m_document.tensors(), true, &TensorInfo::isGuess);
    m_guesses = guesses == 0
                    ? QString()
                    : tr(", %1 guessed").arg(countLabel(static_cast<std::uint64_t>(guesses)));
    showBackground();
}

/// Of those that can be decided on.
void StatusLine::countAccepted()
{
    const auto accepted = decidedCount(m_document);
    const bool isShown = m_document.dumpState() == Document::DumpState::Open && accepted > 0;
    m_accepted->setVisible(isShown);
    if (isShown)
        m_accepted->setText(tr("✓ accepted %1 of %2")
                                .arg(countLabel(accepted), countLabel(decidableCount(m_document))));
}

void StatusLine::showDrawn()
{
    const protocol::TensorView* view = m_document.questions().reader().result();
    const bool isPreliminary = !view && m_document.questions().firstBatch();
    if (isPreliminary)
        view = m_document.questions().firstBatch().get();
    const Histogram* histogram =
        view ? view->profile.histogram({.domain = m_document.workbench().display.domain}) : nullptr;
    if (!histogram || histogram->width() <= 0.0)
        return m_drawn->clear();
    const QString bins = countText(histogram->counts.size(), tr("1 bin × %1"), tr("%1 bins × %2"))
                             .arg(valueLabel(histogram->width(), 3));
    const TensorPart part = isPreliminary ? TensorPart{.channel = {}, .batches = 1}
                                          : m_document.questions().reader().request().tensor.part;
    m_drawn->setText(bins + partText(part));
}

}  // namespace calibscope
