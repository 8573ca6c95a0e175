#include "ui/panels/status_line.h"

#include "ui/document/session.h"
#include "ui/document/settle.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/number_label.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int noticeableMs = 150;

}  // namespace

ReadProgress::ReadProgress(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_bar(new QProgressBar(this))
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

StatusLine::StatusLine(Session& session, const WorkspaceTabs& pages, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_progress(new ReadProgress(this)),
      m_background(new QLabel(this)),
      m_settled(new QLabel(this)),
      m_drawn(new QLabel(this)),
      m_readout(new QLabel(this)),
      m_counting(new QTimer(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(24);
    layout->addWidget(m_progress);
    layout->addWidget(m_background);
    layout->addWidget(m_settled);
    layout->addStretch();
    layout->addWidget(m_drawn);
    layout->addStretch();
    layout->addWidget(m_readout);

    connect(m_progress, &ReadProgress::cancelled, &session, &Session::stopReading);
    connect(&session, &Session::progressed, m_progress, &ReadProgress::setShare);
    connect(&session, &Session::dumpChanged, this, &StatusLine::showReading);
    connect(&session, &Session::viewChanged, this, &StatusLine::showReading);
    connect(&session, &Session::viewChanged, this, &StatusLine::showDrawn);
    connect(&session, &Session::displayChanged, this, &StatusLine::showDrawn);
    connect(&session, &Session::firstBatchRead, this, &StatusLine::showDrawn);
    connect(&session, &Session::dumpChanged, this, &StatusLine::countGuesses);
    connect(&session, &Session::tensorsChanged, this, &StatusLine::countGuesses);
    connect(&session, &Session::dumpChanged, this, &StatusLine::countSettled);
    connect(&session, &Session::workbenchChanged, this, &StatusLine::countSettled);
    connect(&session, &Session::viewChanged, this, &StatusLine::showBackground);
    // Previews come by thousands, and another text lays out the whole bar.
    m_counting->setSingleShot(true);
    m_counting->setInterval(100);
    connect(m_counting, &QTimer::timeout, this, &StatusLine::showBackground);
    const auto countSoon = [this] {
        if (!m_counting->isActive())
            m_counting->start();
    };
    connect(&session, &Session::previewTaken, this, countSoon);
    connect(&session, &Session::previewFailed, this, countSoon);
    connect(&session, &Session::settled, this, &StatusLine::showBackground);
    connect(&session, &Session::recipeChanged, this, &StatusLine::showBackground);
    connect(&pages, &WorkspaceTabs::readoutChanged, m_readout, &QLabel::setText);
}

void StatusLine::showReading()
{
    const TensorInfo* tensor = m_session.selectedTensor();
    if (m_session.dumpState() == Session::DumpState::Opening)
        m_progress->start(tr("opening %1").arg(QFileInfo(m_session.path()).fileName()));
    else if (tensor && m_session.reader().state() == ViewReader::State::Reading)
        m_progress->start(tr("reading %1").arg(QString::fromStdString(tensor->name)));
    else
        m_progress->finish();
}

void StatusLine::showBackground()
{
    const std::size_t all = m_session.tensors().size();
    const std::size_t left = m_session.previewsLeft();
    if (m_session.dumpState() != Session::DumpState::Open)
        m_background->clear();
    else if (left > 0)
        m_background->setText(
            countText(all, tr("SQNR: %1 of 1 tensor"), tr("SQNR: %2 of %1 tensors"))
                .arg(countLabel(all - left)));
    else
        m_background->setText((countText(all, tr("1 tensor"), tr("%1 tensors"))) + m_guesses);
}

void StatusLine::countGuesses()
{
    const auto guesses = std::ranges::count(m_session.tensors(), true, &TensorInfo::isGuess);
    m_guesses = guesses == 0
                    ? QString()
                    : tr(", %1 guessed").arg(countLabel(static_cast<std::uint64_t>(guesses)));
    showBackground();
}

/// Of those that can have a decision.
void StatusLine::countSettled()
{
    const auto settled = settledCount(m_session);
    const bool isShown = m_session.dumpState() == Session::DumpState::Open && settled > 0;
    m_settled->setVisible(isShown);
    if (isShown)
        m_settled->setText(tr("✓ accepted %1 of %2")
                               .arg(countLabel(settled), countLabel(settleableCount(m_session))));
}

void StatusLine::showDrawn()
{
    const protocol::TensorView* view = m_session.reader().view();
    const bool isPreliminary = !view && m_session.firstBatch();
    if (isPreliminary)
        view = m_session.firstBatch().get();
    const Histogram* histogram =
        view ? view->profile.histogram({.domain = m_session.display().domain}) : nullptr;
    if (!histogram || histogram->width() <= 0.0)
        return m_drawn->clear();
    const QString bins = countText(histogram->counts.size(), tr("1 bin × %1"), tr("%1 bins × %2"))
                             .arg(valueLabel(histogram->width(), 3));
    const TensorPart part = isPreliminary ? TensorPart{.channel = {}, .batches = 1}
                                          : m_session.reader().request().tensor.part;
    m_drawn->setText(bins + partText(part));
}

}  // namespace calibscope
